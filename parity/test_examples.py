"""The pairs of scripts in examples/: R, the Python by hand and the Python of `pyrrf migrate` print the same lines."""

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

EXAMPLES = Path(__file__).parent.parent / "examples"
PAIRS = sorted(path.stem for path in EXAMPLES.glob("*.R"))
IDIOMS = sorted(path.stem for path in (EXAMPLES / "idioms").glob("*.R"))


def printed(command: list[str], folder: Path) -> list[str]:
    """Lines that a script prints, run in a copy of the examples."""
    shutil.copytree(EXAMPLES, folder)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", PAIRS)
def test_r_and_python_print_the_same(name: str, tmp_path: Path) -> None:
    for package in re.findall(r"library\((\w+)\)", (EXAMPLES / f"{name}.R").read_text()):
        if missing(package):
            pytest.skip(missing(package))
    theirs = printed(["Rscript", f"{name}.R"], tmp_path / "r")
    ours = printed([sys.executable, f"{name}.py"], tmp_path / "python")
    assert sum(character.isdigit() for line in theirs for character in line) > 20
    assert ours == theirs
    translation = workspace.translate((EXAMPLES / f"{name}.R").read_text(), f"{name}.R", EXAMPLES)
    assert translation.left == []
    assert workspace.printed(translation, tmp_path / "r").splitlines() == theirs
    plt.close("all")


@pytest.mark.parametrize("name", IDIOMS)
def test_r_prints_what_the_pages_show(name: str) -> None:
    folder = EXAMPLES / "idioms"
    for package in re.findall(r"library\((\w+)\)", (folder / f"{name}.R").read_text()):
        if missing(package):
            pytest.skip(missing(package))
    done = subprocess.run(["Rscript", f"{name}.R"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (folder / f"{name}.txt").read_text()


def test_each_r_script_has_its_pair() -> None:
    assert [name for name in PAIRS if not (EXAMPLES / f"{name}.py").exists()] == []
