"""pyrrf.rules beside inTrees, live: every rule, number and prediction as the same text.

Where inTrees is not installed, INTREES_R may name the folder of its R files (see README.md).
"""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing, start
from parity.r_side import RSide
from parity.rules import RULE_CASES, prepare, run_pyrrf, run_r
from pyrrf.testing.comparer import differences


@pytest.fixture(scope="module")
def intrees() -> RSide:
    """R with inTrees."""
    source = os.environ.get("INTREES_R")
    if not source and missing("inTrees"):
        pytest.skip(missing("inTrees"))
    return prepare(start("RRF"), source)


@pytest.mark.parametrize("name", RULE_CASES)
def test_identical_to_intrees(intrees: RSide, name: str) -> None:
    theirs, ours = run_r(intrees, RULE_CASES[name]), run_pyrrf(RULE_CASES[name])
    assert ours.keys() == theirs.keys()
    assert [*map(str, differences(ours, theirs))] == []
