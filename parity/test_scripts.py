"""The scripts of examples/ in R, live: they print or leave behind what their Python does, or what was recorded of them.

`scripts/` leave behind what was recorded and `idioms/` print it (tests/migrate/test_scripts.py has their Python); the
pairs beside them print the same lines in R, in the Python by hand and in the Python of `pyrrf migrate`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

from parity import workspace
from parity.conftest import missing

EXAMPLES = workspace.SCRIPTS.parent
PAIRS = sorted(path.stem for path in EXAMPLES.glob("*.R"))
IDIOMS = sorted(path.stem for path in (EXAMPLES / "idioms").glob("*.R"))


def need_packages(script: Path) -> None:
    """Skip the test where R lacks a package that the script loads."""
    for package in ("RRF", *re.findall(r"library\((\w+)\)", script.read_text())):
        if missing(package):
            pytest.skip(missing(package))


def printed(command: list[str], folder: Path) -> str:
    """Return the printed text of a script in its folder."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", workspace.NAMES)
def test_r_leaves_behind_what_was_recorded(name: str, tmp_path: Path) -> None:
    need_packages(workspace.SCRIPTS / f"{name}.R")
    theirs = workspace.run_r(name, tmp_path / "answers.json")
    assert workspace.differences(theirs, workspace.read(workspace.recorded(name))) == []


@pytest.mark.parametrize("name", IDIOMS)
def test_r_prints_what_the_pages_show(name: str) -> None:
    folder = EXAMPLES / "idioms"
    need_packages(folder / f"{name}.R")
    assert printed(["Rscript", f"{name}.R"], folder) == (folder / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", PAIRS)
def test_r_and_python_print_the_same(name: str, tmp_path: Path) -> None:
    need_packages(EXAMPLES / f"{name}.R")
    folder, other = (shutil.copytree(EXAMPLES, tmp_path / copy) for copy in ("r", "python"))
    theirs = printed(["Rscript", f"{name}.R"], folder)
    assert sum(character.isdigit() for character in theirs) > 20
    assert printed([sys.executable, f"{name}.py"], other) == theirs
    translation = workspace.translate((EXAMPLES / f"{name}.R").read_text(), f"{name}.R", EXAMPLES)
    assert translation.left == []
    assert workspace.printed(translation, folder) == theirs
    plt.close("all")


def test_each_r_script_has_its_pair() -> None:
    assert [name for name in PAIRS if not (EXAMPLES / f"{name}.py").exists()] == []
