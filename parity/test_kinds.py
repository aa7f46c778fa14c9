"""Scripts of the kinds that were moved from R, by hand, with NumPy, pandas and pyrrf.r: both print the same numbers.

A pair in `kinds/` is an R script and its Python; the file `.txt` beside them is what R prints.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity.conftest import missing

KINDS = Path(__file__).parent / "kinds"
NAMES = sorted(path.stem for path in KINDS.glob("*.txt"))


def printed(command: list[str]) -> list[str]:
    """Lines that a script prints; strings are sorted by code point on both sides."""
    environment = os.environ | {"LC_ALL": "C"}
    done = subprocess.run(command, cwd=KINDS, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_python_prints_what_r_prints(name: str) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    for package in re.findall(r"library\((\w+)\)", (KINDS / f"{name}.R").read_text()):
        if missing(package):
            pytest.skip(missing(package))
    theirs = printed(["Rscript", f"{name}.R"])
    assert theirs == (KINDS / f"{name}.txt").read_text().splitlines(), "what was recorded of R"
    assert printed([sys.executable, f"{name}.py"]) == theirs


def values(name: str) -> int:
    """How many numbers and words R prints in a kind, the names of the lines left out."""
    return sum(len(line.split()) - 1 for line in (KINDS / f"{name}.txt").read_text().splitlines())
