"""The benchmark of the rules of a size runs."""

from __future__ import annotations

import pytest

from benchmarks import sizes
from benchmarks.selection.cases import CASES


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert sizes.main(["--quick"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| mean |")]
    assert len(rows) == 1
    assert rows[0].count("|") == 2 + len(sizes.COLUMNS)


def test_halves_share_no_case() -> None:
    assert not set(sizes.CHOICE) & set(sizes.CHECK)
    assert {*sizes.CHOICE, *sizes.CHECK} <= set(CASES)
