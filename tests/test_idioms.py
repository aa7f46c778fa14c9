"""The idioms of docs/from-r.md: Python prints what R prints; parity/test_examples.py runs R."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IDIOMS = ROOT / "examples" / "idioms"
NAMES = sorted(path.stem for path in IDIOMS.glob("*.R"))


@pytest.mark.parametrize("name", NAMES)
def test_python_prints_what_r_printed(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(IDIOMS)
    runpy.run_path(f"{name}.py")
    assert capsys.readouterr().out == (IDIOMS / f"{name}.txt").read_text()


def test_the_page_shows_all_of_them() -> None:
    page = (ROOT / "docs" / "from-r.md").read_text()
    shown = re.findall(r"examples/idioms/(\w+\.\w+)", page)
    assert sorted(shown) == sorted(path.name for path in IDIOMS.iterdir() if path.is_file())
