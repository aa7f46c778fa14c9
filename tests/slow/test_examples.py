"""The examples run as users start them, and a warning would stop them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
# Those of idioms/ and scripts/ run in tests/migrate/test_scripts.py.
SCRIPTS = sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("gallery/*.py")])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_no_warning(script: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLES, tmp_path / "examples")
    command = [sys.executable, "-W", "error", folder / script.relative_to(EXAMPLES)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
