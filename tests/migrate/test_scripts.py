"""The scripts of examples/ without R: those of scripts/ and idioms/ translated, and the Python by hand of idioms/.

All numbers are those that R left behind or printed; parity/test_scripts.py runs R.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack")

from parity import workspace

EXAMPLES = workspace.SCRIPTS.parent
IDIOMS = sorted((EXAMPLES / "idioms").glob("*.R"))


@pytest.mark.parametrize("name", workspace.NAMES)
def test_every_number_is_that_of_r(name: str) -> None:
    translation = workspace.translated(name)
    assert translation.left_lines <= translation.lines * 0.05, translation.left
    theirs = workspace.read(workspace.recorded(name))
    assert len(theirs) > 10
    assert workspace.differences(theirs, workspace.run_python(translation, name)) == []


def test_there_are_ten() -> None:
    assert len(workspace.NAMES) == 10


@pytest.mark.parametrize("file", IDIOMS, ids=lambda file: file.stem)
def test_idioms_print_what_r_prints(file: Path) -> None:
    translation = workspace.translate(file.read_text(), file.name, file.parent)
    assert translation.left == []
    assert workspace.printed(translation, file.parent).splitlines() == file.with_suffix(".txt").read_text().splitlines()


@pytest.mark.parametrize("file", IDIOMS, ids=lambda file: file.stem)
def test_idioms_by_hand_print_what_r_prints(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    runpy.run_path(f"{file.stem}.py")
    assert capsys.readouterr().out == file.with_suffix(".txt").read_text()


def test_the_page_shows_all_idioms() -> None:
    page = (EXAMPLES.parent / "docs" / "from-r.md").read_text()
    shown = re.findall(r"examples/idioms/(\w+\.\w+)", page)
    assert sorted(shown) == sorted(path.name for path in (EXAMPLES / "idioms").iterdir() if path.is_file())
