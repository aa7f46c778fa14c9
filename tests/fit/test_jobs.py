"""n_jobs with engine r: the answer and the stream are those of one thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import pyrrf

N, P = 1600, 48
G = np.random.default_rng(11)
X = np.round(G.standard_normal((N, P)), 3)
Y = np.where(X[:, :6].sum(axis=1) + 2 * G.standard_normal(N) > 0, "yes", "no")
THREE = np.digitize(X[:, :6].sum(axis=1) + 2 * G.standard_normal(N), [-2.0, 2.0]).astype(str)
INTEGERS = G.integers(0, 6, (N, P)).astype(float)
COPIES = np.hstack([X[:, :24], X[:, :24]])

FITS: dict[str, dict[str, Any]] = {
    "plain": {},
    "few values": {"x": INTEGERS, "y": np.where(INTEGERS[:, :4].sum(axis=1) > 10, "a", "b")},
    "equal columns": {"x": COPIES},
    "three classes": {"y": THREE},
    "three classes, few values": {"x": INTEGERS, "y": THREE},
    "ordinary": {"flagReg": 0},
    "no penalty": {"coefReg": 1.0},
    "weights": {"classwt": [0.3, 0.7]},
    "strata": {"strata": THREE, "sampsize": [300, 400, 300]},
    "as intended": {"quirks": False},
    "nodes": {"maxnodes": 12},
    "a feature set": {"feaIni": np.arange(0, P, 2)},
    "tables": {"importance": True, "localImp": True, "proximity": True, "oob_prox": True, "keep_inbag": True},
    "test rows": {"xtest": X[:200] + 0.5, "ytest": Y[:200], "keep_forest": True},
    "unsupervised": {"y": None, "quirks": False},
    "numbers": {"y": X[:, :6].sum(axis=1), "importance": True},
}


def fit(name: str, n_jobs: int, **more: Any) -> pyrrf.RRFResult:
    arguments = {"x": X, "y": Y, "ntree": 4, "seed": 3, "coefReg": 0.95, **FITS[name], **more}
    if "flagReg" in arguments:
        del arguments["coefReg"]
    return pyrrf.RRF(arguments.pop("x"), arguments.pop("y"), n_jobs=n_jobs, **arguments)


@pytest.mark.parametrize("name", FITS)
def test_the_answer_is_that_of_one_thread(name: str) -> None:
    one, after = fit(name, 1), pyrrf.runif(1)
    for n_jobs in (2, 4, 16):
        assert fit(name, n_jobs) == one
        # With a seed the stream goes on where the call has left it.
        assert pyrrf.runif(1) == after


def test_guided() -> None:
    assert pyrrf.GRRF(X, Y, ntree=4, seed=1, n_jobs=3) == pyrrf.GRRF(X, Y, ntree=4, seed=1)


def test_fits_side_by_side() -> None:
    expected = [fit(name, 1) for name in ("plain", "three classes")] * 4
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda name: fit(name, 3), ["plain", "three classes"] * 4))
    assert found == expected
