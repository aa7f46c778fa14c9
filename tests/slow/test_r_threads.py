"""Engine r gives R's recorded answers on 2, 4 or 8 threads, and one answer on shapes that are measured."""

from __future__ import annotations

import numpy as np
import pytest

import pyrrf
from benchmarks.shapes import SHAPES, make_data
from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.store import read_answers

# Trees enough for F to be large, few enough for a test.
TREES = {"a": 100, "b": 8, "c": 16, "d": 4, "e": 2, "f": 1, "g": 20}


# Each case on one number of threads, for time; its neighbours on the others.
@pytest.mark.parametrize(("name", "n_jobs"), [(name, 2 << at % 3) for at, name in enumerate(CASES)])
def test_recorded_answers(name: str, n_jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyrrf.fit.engine.resolve_jobs", lambda given: n_jobs)
    case = CASES[name]
    differences = compare_answers(read_answers(case), run(case), case.steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("key", SHAPES)
def test_measured_shapes(key: str) -> None:
    shape = SHAPES[key]
    x, y = make_data(shape)
    response = y if shape.numbers else y.astype(str)

    def fit(n_jobs: int, **rule: float) -> pyrrf.RRFResult:
        return pyrrf.RRF(
            np.asfortranarray(x), response, ntree=TREES[key], mtry=shape.mtry, seed=1, n_jobs=n_jobs, **rule
        )

    for rule in ({"coefReg": shape.coef_reg}, {"flagReg": 0}):
        one = fit(1, **rule)
        for n_jobs in (2, 8):
            assert fit(n_jobs, **rule) == one
