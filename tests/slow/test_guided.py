"""Guided selectors at length: noise is not praised, and other processes give the same answers."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from pyrrf.sklearn import GRRFSelectorCV, RRFClassifier, grrf_path

CANCER = load_breast_cancer()
REPEATS = 20


def noise(seed: int) -> GRRFSelectorCV:
    """The selector on 60 rows of 2,000 random numbers, and labels that have nothing to do with them."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((60, 2_000)), rng.permutation(np.arange(60) % 2)
    return GRRFSelectorCV(gammas=5, guide_n_estimators=200, n_estimators=100, random_state=seed).fit(x, y)


def test_the_error_reported_on_noise_is_one_half() -> None:
    fits = [noise(seed) for seed in range(REPEATS)]
    reported = 1 - np.mean([fit.nested_score_ for fit in fits])
    assert reported == pytest.approx(0.5, abs=0.05)
    # What must not be reported instead.
    out_of_bag = np.mean([fit.result_.outcome.err_rate[-1, 0] for fit in fits])
    assert out_of_bag < 0.35


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_processes_give_the_same_answers(engine: str) -> None:
    options: dict[str, Any] = {"engine": engine, "guide_n_estimators": 50, "n_estimators": 50, "random_state": 1}
    x, y = CANCER.data, CANCER.target
    path = grrf_path(x, y, gammas=4, **options)
    judge = RRFClassifier(20, coef_reg=None, random_state=1)
    chosen = GRRFSelectorCV(estimator=judge, gammas=3, cv=3, **options).fit(x, y)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert grrf_path(x, y, gammas=4, **options).fits == path.fits
        other = GRRFSelectorCV(estimator=judge, gammas=3, cv=3, **options).fit(x, y)
    assert other.result_ == chosen.result_
    assert other.nested_scores_.tolist() == chosen.nested_scores_.tolist()
    table = chosen.cv_results_
    assert all(np.array_equal(other.cv_results_[name], table[name]) for name in table if name != "params")
