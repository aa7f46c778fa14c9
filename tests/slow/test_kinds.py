"""Scripts of the kinds that people have, translated whole, print what R printed; parity/test_kinds.py runs R."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack")

from parity.test_kinds import KINDS, NAMES
from pyrrf.migrate.translation import translate


@pytest.mark.parametrize("name", NAMES)
def test_the_translation_prints_what_r_printed(name: str, tmp_path: Path) -> None:
    folder = shutil.copytree(KINDS, tmp_path / "kinds")
    shutil.copytree(KINDS.parent / "data", tmp_path / "data")
    translated = translate((folder / f"{name}.R").read_text(), f"{name}.R", folder)
    assert translated.left == []
    (folder / f"{name}.py").write_text(translated.code)
    done = subprocess.run([sys.executable, f"{name}.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (KINDS / f"{name}.txt").read_text()
