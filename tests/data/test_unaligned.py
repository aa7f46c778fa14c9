"""Arrays that start at any byte, as those that Dask hands to a task: read as if they were aligned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array

import pyrrf
from pyrrf.papers import RBoostClassifier
from pyrrf.sklearn import GRRFSelector, RRFClassifier, RRFRegressor
from tests.parallel.problems import data

X, Y = data("classes", n=60, p=4)
NUMBERS = data("numbers", n=60, p=4)[1]
FEW: dict[str, Any] = {"seed": 1, "ntree": 5}


def moved(array: np.ndarray) -> np.ndarray:
    """The same numbers, one byte behind where an array would begin."""
    order = "C" if array.flags.c_contiguous else "F"
    out: np.ndarray = np.ndarray(array.shape, array.dtype, bytearray(array.nbytes + 1), 1, order=order)
    out[...] = array
    assert not out.flags.aligned
    return out


def moved_sparse(x: np.ndarray) -> csc_array:
    made = csc_array(np.where(x > 0, x, 0))
    made.data, made.indices, made.indptr = moved(made.data), moved(made.indices), moved(made.indptr)
    return made


READERS: dict[str, Callable[[Any], Any]] = {
    "engine r": lambda move: pyrrf.RRF(move(X), Y, **FEW),
    "engine r, column-major": lambda move: pyrrf.RRF(move(np.asfortranarray(X)), Y, **FEW),
    "engine r, numbers": lambda move: pyrrf.RRF(X, move(NUMBERS), **FEW),
    "engine r, table": lambda move: pyrrf.RRF(pd.DataFrame(move(X), copy=False), Y, **FEW),
    "parallel": lambda move: pyrrf.RRF(move(X), Y, engine="parallel", **FEW),
    "parallel, numbers": lambda move: pyrrf.RRF(X, move(NUMBERS), engine="parallel", **FEW),
    "parallel, weights": lambda move: pyrrf.RRF(X, Y, sample_weight=move(np.ones(60)), engine="parallel", **FEW),
    "parallel, table": lambda move: pyrrf.RRF(pd.DataFrame(move(X), copy=False), Y, engine="parallel", **FEW),
    "classifier": lambda move: RRFClassifier(5, random_state=1).fit(move(X), Y).result_,
    "classifier, engine r": lambda move: RRFClassifier(5, random_state=1, engine="r").fit(move(X), Y).result_,
    "regressor": lambda move: RRFRegressor(5, random_state=1).fit(move(X), move(NUMBERS)).result_,
    "weights": lambda move: RRFClassifier(5, random_state=1).fit(X, Y, move(np.full(60, 2.0))).result_,
    "predictions": lambda move: RRFRegressor(5, random_state=1).fit(X, NUMBERS).predict(move(X)).tolist(),
    "boosting": lambda move: RBoostClassifier(random_state=1).fit(move(X), Y).predict(move(X)).tolist(),
    "selector": lambda move: GRRFSelector(5, n_estimators=5, random_state=1).fit(move(X), move(NUMBERS)).result_,
}


@pytest.mark.parametrize("reader", READERS)
def test_the_answer_is_that_of_aligned_arrays(reader: str) -> None:
    assert READERS[reader](moved) == READERS[reader](lambda array: array)


def test_sparse() -> None:
    found = pyrrf.RRF(moved_sparse(X), Y, engine="parallel", **FEW)
    assert found == pyrrf.RRF(csc_array(np.where(X > 0, X, 0)), Y, engine="parallel", **FEW)
