"""Packages of R: whether one is here, and features selected by one in a process of R that stays open."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.jobs.helper import Helper

SERVE = Path(__file__).with_name("serve.R")


@functools.cache
def has_package(name: str) -> bool:
    """Whether R is here with a package."""
    if shutil.which("Rscript") is None:
        return False
    asked = f"quit(status = !requireNamespace('{name}', quietly = TRUE))"
    return subprocess.run(["Rscript", "--vanilla", "-e", asked], capture_output=True, check=False).returncode == 0


def select(script: Path, x: np.ndarray, y: np.ndarray, *fields: object) -> str:
    """Return what the function `select` of a script, named after its package, says of x, y and further fields.

    Raises
    ------
    RuntimeError
        The package fails.
    """
    with tempfile.TemporaryDirectory(prefix=f"{script.stem}-") as folder:
        np.asarray(x, float).ravel(order="F").tofile(f"{folder}/x.bin")
        Path(folder, "y.csv").write_text("\n".join(map(str, np.asarray(y).tolist())) + "\n")
        return _running(script).ask(folder, *map(str, fields))


@functools.cache
def _running(script: Path) -> Helper:
    """Return the process of a script of this process, which ends with it."""
    if shutil.which("Rscript") is None:
        raise FileNotFoundError(f"R is not here: apt-get install --no-install-recommends r-cran-{script.stem}")
    helper = Helper(script.stem, ["Rscript", "--vanilla", str(SERVE), str(script)])
    atexit.register(helper.close)
    return helper
