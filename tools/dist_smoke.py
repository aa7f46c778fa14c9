"""Try an installed pyrrf that has what it requires and no more: python -I dist_smoke.py CHECKOUT.

It grows forests with both engines, runs the examples of each docstring that needs no extra, and looks at the metadata
and at what is said where an extra lacks. CHECKOUT is where the package must not come from, although Python that starts
there finds its sources first.
"""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import warnings
from importlib.metadata import metadata, version
from pathlib import Path

import numpy as np

import pyrrf

EXTRAS = {*metadata("pyrrf").get_all("Provides-Extra")}


def check_metadata(checkout: Path) -> None:
    """See that the package is the installed one and says what it is."""
    assert checkout not in Path(pyrrf.__file__).parents, f"imported from the checkout: {pyrrf.__file__}"
    assert pyrrf.__version__ == version("pyrrf") != "unknown"
    found = metadata("pyrrf")
    assert found["License-Expression"] == "GPL-2.0-or-later"
    assert {*found.get_all("License-File")} == {"LICENSE", "AUTHORS.md", "tools/LICENSE.winpthreads"}
    assert found["Description-Content-Type"] == "text/markdown"


def check_started_in(checkout: Path) -> None:
    """See that Python which starts in the checkout uses the installed package."""
    asked = [sys.executable, "-W", "error", "-c", "import pyrrf; print(pyrrf.__file__)"]
    ran = subprocess.run(asked, cwd=checkout, check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == pyrrf.__file__, ran.stdout


def check_fits() -> None:
    """Grow forests: the same ones on any number of threads, which find the two features that matter."""
    pyrrf.set_seed(1)
    x = pyrrf.runif(2500).reshape(50, 50, order="F")
    y = np.where(x[:, 0] ** 2 + x[:, 49] ** 2 > 0.6, "1", "0")
    for engine in ("r", "parallel"):
        fits = [pyrrf.RRF(x, y, engine=engine, ntree=50, n_jobs=jobs, seed=1) for jobs in (1, 2)]
        assert fits[0].feaSet.tolist() == fits[1].feaSet.tolist()
        assert {0, 49} <= {*fits[0].feaSet.tolist()}
        assert (pyrrf.predict(fits[0], x) == y).mean() > 0.9


def check_examples() -> tuple[int, set[str]]:
    """Run the examples of the package; give the number of docstrings, and the extras that others ask for."""
    ran, lacking = 0, set()
    for found in pkgutil.walk_packages(pyrrf.__path__, "pyrrf.", onerror=lambda name: None):
        try:
            examples = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(found.name))
        except ImportError as error:
            lacking.add(extra_of(error))
            continue
        for example in examples:
            try:
                doctest.DebugRunner().run(example)
                ran += bool(example.examples)
            except doctest.UnexpectedException as stopped:
                lacking.add(extra_of(stopped.exc_info[1]))
    return ran, lacking


def extra_of(error: BaseException) -> str:
    """Return the extra that an ImportError says to install; other errors are raised."""
    named = re.search(r"pyrrf\[(\w+)\]", str(error))
    if not isinstance(error, ImportError) or not named or named[1] not in EXTRAS:
        raise error
    return named[1]


def check_command() -> None:
    """See that the command says which extra it needs."""
    command = Path(sys.executable).with_name("pyrrf")
    stopped = subprocess.run([command, "--help"], check=False, capture_output=True, text=True)
    assert (stopped.returncode, stopped.stdout) == (2, "")
    assert stopped.stderr.endswith('pip install "pyrrf[cli]"\n')


def main(checkout: str) -> None:
    """Run all checks."""
    warnings.simplefilter("error")
    check_metadata(Path(checkout).resolve())
    check_started_in(Path(checkout).resolve())
    check_fits()
    check_command()
    ran, lacking = check_examples()
    sys.stdout.write(f"examples of {ran} docstrings run; others ask for: {', '.join(sorted(lacking))}\n")


if __name__ == "__main__":
    main(sys.argv[1])
