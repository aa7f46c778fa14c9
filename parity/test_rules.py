"""pyrrf.rules beside inTrees, live: every rule, number and prediction as the same text."""

from __future__ import annotations

import pytest

from parity.cases.rules import RULE_CASES
from parity.conftest import missing, start
from parity.r_side import RSide
from parity.rules import prepare, run_pyrrf, run_r


@pytest.fixture(scope="module")
def intrees() -> RSide:
    """R with inTrees."""
    if missing("inTrees"):
        pytest.skip(missing("inTrees"))
    return prepare(start("RRF"))


@pytest.mark.parametrize("name", RULE_CASES)
def test_identical_to_intrees(intrees: RSide, name: str) -> None:
    theirs, ours = run_r(intrees, RULE_CASES[name]), run_pyrrf(RULE_CASES[name])
    assert ours.keys() == theirs.keys()
    for part, lines in theirs.items():
        assert ours[part] == lines, part
