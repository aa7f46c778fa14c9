"""From unrelated seeds CRAN RRF and pyrrf grow the same forests on average; see `statistics.py` and `power.py`."""

from __future__ import annotations

import numpy as np
import pytest

from parity.power import FAULTS, NEEDED
from parity.statistics import EQUIVALENCE_LIMIT, LIMIT, LIVE_SEEDS, RUNS, SIDES, block, grow_r, recorded, rejected


@pytest.mark.parametrize(("name", "engine"), SIDES)
def test_sides_do_not_differ(name: str, engine: str) -> None:
    assert rejected(name, block(name, engine)) == []


def test_what_does_not_differ_is_equivalent() -> None:
    assert LIMIT < EQUIVALENCE_LIMIT


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize(("name", "fault"), [*(("classes", fault) for fault in NEEDED), ("numbers", "coefReg 2 % up")])
def test_fault_is_found(name: str, fault: str, engine: str) -> None:
    assert rejected(name, block(name, engine, **FAULTS[fault](name)))


@pytest.mark.parametrize("name", RUNS)
def test_recorded_is_what_r_answers(name: str, request: pytest.FixtureRequest) -> None:
    r = request.getfixturevalue("random_forest" if RUNS[name].call == "randomForest" else "rrf")
    np.testing.assert_allclose(grow_r(r, name, LIVE_SEEDS).mean(axis=0), recorded(name).live, rtol=1e-12)
