"""A fit that fails leaves the estimator as it was: fitted to what it had been fitted to, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from pyrrf.papers import (
    ChowLiuSelector,
    ComplexityForestClassifier,
    ForwardSelector,
    LESSClassifier,
    LESSRegressor,
    MaxDependencyClassifier,
    MaxDependencySelector,
    MIFSSelector,
    RBoostClassifier,
    RBoostSelector,
)
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)
from tests.estimators import ESTIMATORS

X = np.random.default_rng(1).random((60, 6))
Y = np.where(X[:, 0] > 0.5, "high", "low")
OTHER = np.resize(["red", "green", "blue"], 60)
GUIDED: dict[str, Any] = {"n_estimators": 3, "guide": 3}
TREE = DecisionTreeClassifier(max_depth=2)
# Each with a parameter of a wrong value, which is found out after X and y were read.
LATE: dict[Any, dict[str, Any]] = {
    RRFClassifier(3): {"random_state": "x"},
    RRFRegressor(3): {"random_state": "x"},
    GRRFSelector(**GUIDED): {"random_state": "x"},
    GRRFSelectorCV(gammas=2, cv=2, **GUIDED): {"random_state": "x"},
    StabilitySelector(GRRFSelector(**GUIDED), n_pairs=2, threshold=0.6): {"random_state": "x"},
    LESSClassifier(1, 3): {"random_state": "x"},
    LESSRegressor(1, 3): {"random_state": "x"},
    RBoostClassifier(3): {"random_state": "x"},
    RBoostSelector(3): {"random_state": "x"},
    ComplexityForestClassifier(3): {"random_state": "x"},
    MaxDependencyClassifier(2): {"n_features": "x"},
    MaxDependencySelector(2): {"n_features": "x"},
    MIFSSelector(): {"random_state": "x"},
    BorutaSelector(n_estimators=3, max_iter=8): {"random_state": "x"},
    EliminationSelector(2, n_estimators=3): {"random_state": "x"},
    ChowLiuSelector(TREE, cv=2): {"cv": "x"},
    ForwardSelector(TREE, cv=2): {"cv": "x"},
}


def is_fitted(estimator: Any) -> bool:
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:selected feature.* have a negative credit")
@pytest.mark.parametrize("estimator", LATE, ids=lambda one: type(one).__name__)
def test_a_fit_that_fails_changes_nothing(estimator: Any) -> None:
    numeric = "Regressor" in type(estimator).__name__
    wrong, other = LATE[estimator], np.arange(60.0) if numeric else OTHER
    first = clone(estimator).set_params(**wrong)
    with pytest.raises((TypeError, ValueError)):
        first.fit(X, other)
    assert not is_fitted(first)
    fitted = clone(estimator).fit(X, X[:, 0] if numeric else Y).set_params(**wrong)
    before = dict(vars(fitted))
    with pytest.raises((TypeError, ValueError)):
        fitted.fit(X[:, :5], other)
    assert vars(fitted).keys() == before.keys()
    assert all(vars(fitted)[name] is value for name, value in before.items())


def test_none_is_left_out() -> None:
    assert {type(estimator).__name__ for estimator in LATE} == ESTIMATORS.keys()
