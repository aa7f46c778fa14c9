"""Scripts of the kinds that people have: R prints what was recorded; tests/slow has their Python beside that."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from parity.conftest import missing

KINDS = Path(__file__).parent / "kinds"
NAMES = sorted(path.stem for path in KINDS.glob("*.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_r_prints_what_was_recorded(name: str) -> None:
    for package in ("RRF", *re.findall(r"library\((\w+)\)", (KINDS / f"{name}.R").read_text())):
        if missing(package):
            pytest.skip(missing(package))
    environment = os.environ | {"LC_ALL": "C"}
    command = ["Rscript", f"{name}.R"]
    done = subprocess.run(command, cwd=KINDS, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (KINDS / f"{name}.txt").read_text()
