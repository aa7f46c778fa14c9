"""Every estimator, fitted, saved and read again by pickle, joblib and skops: all of it is the same."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from skops import io as skops

import pyrrf.sklearn
from pyrrf.result.record import equal_parts
from pyrrf.sklearn import RRFClassifier
from tests.estimators import ESTIMATORS

SEED = {"random_state": 1}
FEW = {"guide": 5, "n_estimators": 5, **SEED}
# Arguments of each estimator, few trees where it takes a number.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "BorutaSelector": {"n_estimators": 5, "max_iter": 10, **SEED},
    "ChowLiuSelector": {"estimator": RRFClassifier(5, **SEED)},
    "ComplexityForestClassifier": {"n_estimators": 5, **SEED},
    "EliminationSelector": {"n_estimators": 2, **SEED},
    "ForwardSelector": {"estimator": RRFClassifier(5, **SEED)},
    "GRRFSelector": FEW,
    "GRRFSelectorCV": {"gammas": [0.1, 0.9], **FEW},
    "LESSClassifier": {"n_estimators": 5, "scores": "uniform", "rank": 2, **SEED},
    "LESSRegressor": {"n_estimators": 5, "scores": "uniform", "rank": 2, **SEED},
    "MIFSSelector": SEED,
    "MaxDependencyClassifier": {},
    "MaxDependencySelector": {},
    "RBoostClassifier": {"n_estimators": 5, **SEED},
    "RBoostSelector": {"n_estimators": 5, **SEED},
    "RRFClassifier": {"n_estimators": 5, **SEED},
    "RRFRegressor": {"n_estimators": 5, **SEED},
    "StabilitySelector": {"selector": pyrrf.sklearn.GRRFSelector(**FEW), "n_pairs": 5, "threshold": 0.5, **SEED},
}


def by_pickle(fit: Any) -> Any:
    return pickle.loads(pickle.dumps(fit))


def by_joblib(fit: Any) -> Any:
    file = io.BytesIO()
    joblib.dump(fit, file)
    file.seek(0)
    return joblib.load(file)


def by_skops(fit: Any) -> Any:
    saved = skops.dumps(fit)
    types = skops.get_untrusted_types(data=saved)
    assert [name for name in types if not name.startswith("pyrrf.")] == []
    return skops.loads(saved, trusted=types)


def table(labels: bool) -> Any:
    """Numbers and a column of categories, or numbers alone without names."""
    numbers = np.random.default_rng(1).random((60, 4))
    if not labels:
        return numbers
    colour = pd.Categorical(np.where(numbers[:, 0] > 0.4, "red", "blue"))
    return pd.DataFrame(numbers, columns=list("abcd")).assign(colour=colour)


@cache
def fitted(name: str, labels: bool) -> Any:
    X = table(labels)
    target = np.asarray(X)[:, 1].astype(float)
    y = target if name.endswith("Regressor") else np.where(target > 0.5, "high", "low")
    return ESTIMATORS[name](**ARGUMENTS[name]).fit(X, y)


def answers(fit: Any, X: Any) -> list[np.ndarray]:
    methods = ("predict", "predict_proba", "transform")
    return [np.asarray(getattr(fit, method)(X)) for method in methods if hasattr(fit, method)]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, list):
        return type(b) is list and len(a) == len(b) and all(map(same, a, b))
    return equal_parts(a, b)


@pytest.mark.parametrize("labels", [True, False], ids=["table", "array"])
@pytest.mark.parametrize("way", [by_pickle, by_joblib, by_skops])
@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_fit_read_again_is_the_same(name: str, way: Callable[[Any], Any], labels: bool) -> None:
    fit, X = fitted(name, labels), table(labels)
    again = way(fit)
    assert [*map(np.ndarray.tolist, answers(again, X))] == [*map(np.ndarray.tolist, answers(fit, X))]
    assert len(answers(fit, X)) > 0
    # What an estimator holds of others answers as they do.
    own = {part: value for part, value in vars(fit).items() if not hasattr(value, "fit")}
    assert [part for part, value in own.items() if not same(value, getattr(again, part))] == []


@pytest.mark.parametrize(
    "rows", [pd.date_range("2020-01-01", periods=60), pd.MultiIndex.from_product([range(6), range(10)])], ids=type
)
@pytest.mark.parametrize("way", [by_pickle, by_skops])
def test_rows_of_dates_and_of_several_levels(way: Callable[[Any], Any], rows: Any) -> None:
    X = table(True).set_index(rows)
    fit = RRFClassifier(5, **SEED).fit(X, X["a"] > 0.5)
    assert way(fit).result_ == fit.result_


def test_all_estimators_are_here() -> None:
    assert ARGUMENTS.keys() == ESTIMATORS.keys()
