"""inTrees' recorded answers, all of them: `tests/rules/test_recorded.py` replays every third."""

from __future__ import annotations

import pytest

from parity.rules import RULE_CASES, read_record, run_pyrrf, short


@pytest.mark.parametrize("name", RULE_CASES)
def test_identical_to_intrees_as_recorded(name: str) -> None:
    assert short(run_pyrrf(RULE_CASES[name])) == read_record(RULE_CASES[name])
