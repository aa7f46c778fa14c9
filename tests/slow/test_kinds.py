"""Scripts of the kinds that were moved by hand print what R printed; parity/test_kinds.py runs R as well."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from parity.test_kinds import KINDS, NAMES, printed, values

PAGE = (Path(__file__).parents[2] / "docs" / "match.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_python_prints_what_r_printed(name: str) -> None:
    assert printed([sys.executable, f"{name}.py"]) == (KINDS / f"{name}.txt").read_text().splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_how_many_values(name: str) -> None:
    assert f"`kinds/{name}` ({values(name)})" in PAGE
