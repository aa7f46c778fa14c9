"""Odd values of every parameter: taken, or refused by an error that names the parameter; no other error."""

from __future__ import annotations

import datetime
import inspect
import os
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.tree import DecisionTreeClassifier

import pyrrf
import pyrrf.sklearn as estimators
from pyrrf import papers
from pyrrf._core.checks import new_result
from tests.refusals import lacks_code, refused

# A number in the environment draws others; so many of the odd values are tried for each parameter.
SEED, TRIED = int(os.environ.get("DRAWN_SEED", "1")), int(os.environ.get("DRAWN_VALUES", "2"))
N = 40
X = pd.DataFrame(np.random.default_rng(1).random((N, 4)), columns=list("abcd"))
CLASSES = np.where(X["a"] + 0.3 * X["b"] > 0.6, "u", "v")
NUMBERS = (X["a"] + 0.3 * X["b"]).to_numpy()


class Odd:
    def __repr__(self) -> str:
        return "<odd>"


VALUES: list[Any] = [
    None, [], [float("nan")], "", "nonsense", float("nan"), float("inf"), -float("inf"), -1, 0, -0.0, 0.5, 2.5, 1e300,
    2**31, 2**70, 10**400, True, 1j, b"x", int, Odd(), lambda *given: None, {}, {"q": "z"}, {1: [1]}, {"a": None},
    {"u": float("nan"), "v": 1}, {1, 2}, ("a",), ["a", "z"], ["u", "v"], [-1, 0, -1, 0], [[1], [2, 3]], range(3),
    iter([1]), np.ones(3), np.ones((2, 3)), np.float64(2), np.array(1), np.array([["a", 1]], dtype=object), pd.NaT,
    pd.NA, pd.Series(["x"]), pd.Series([1.0, np.nan], ["a", "b"]), pd.DataFrame({"a": [1]}), datetime.date(2020, 1, 1),
    "parallel",
]  # fmt: skip
TREE = DecisionTreeClassifier(max_depth=2, random_state=1)
FEW: dict[str, Any] = {"n_estimators": 3, "random_state": 1}
GUIDED: dict[str, Any] = {**FEW, "guide": 3}
FITTED: list[Any] = [
    estimators.RRFClassifier(**FEW),
    estimators.RRFClassifier(engine="r", **FEW),
    estimators.RRFRegressor(**FEW),
    estimators.GRRFSelector(**GUIDED),
    estimators.GRRFSelector(np.ones(4), **FEW),
    estimators.GRRFSelectorCV(cv=2, gammas=2, nested=False, **GUIDED),
    estimators.EliminationSelector(2, cv=2, **FEW),
    estimators.EliminationSelector(cv=2, **FEW),
    estimators.BorutaSelector(max_iter=8, **FEW),
    estimators.StabilitySelector(estimators.GRRFSelector(**GUIDED), n_pairs=1, pfer=5, random_state=1),
    estimators.StabilitySelector(estimators.GRRFSelector(**GUIDED), n_pairs=1, threshold=0.5, random_state=1),
    papers.RBoostClassifier(**FEW),
    papers.RBoostSelector(boosting="reweight", max_depth=2, **FEW),
    papers.LESSClassifier(1, 3, random_state=1),
    papers.LESSRegressor(1, 3, scores="uniform", random_state=1),
    papers.ComplexityForestClassifier(3, random_state=1),
    papers.ComplexityForestClassifier(
        3, sampling="measured", n_measuring=3, threshold="exact", random_state=1
    ),
    papers.MaxDependencyClassifier(2),
    papers.MaxDependencySelector(2),
    papers.MIFSSelector(random_state=1),
    papers.ChowLiuSelector(),
    papers.ChowLiuSelector(TREE, cv=2),
    papers.ForwardSelector(TREE, cv=2),
]  # fmt: skip
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "RRF": (pyrrf.RRF, {"y": CLASSES}),
    "RRF of numbers": (pyrrf.RRF, {"y": NUMBERS}),
    "RRF without y": (pyrrf.RRF, {}),
    "RRF, parallel": (pyrrf.RRF, {"y": CLASSES, "engine": "parallel"}),
    "GRRF": (pyrrf.GRRF, {"y": CLASSES}),
    "randomForest": (pyrrf.randomForest, {"y": CLASSES}),
    "randomForest of numbers": (pyrrf.randomForest, {"y": NUMBERS}),
}
# The data, which have tests of their own, and what is passed on.
NOT_TRIED = {"x", "formula", "data", "subset", "na_action", "unknown", "self", "X"}


def taken_or_refused(call: Callable[..., Any], name: str, value: Any) -> None:
    """Call with an odd value; an error is one of its type or value, names the parameter and has a code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(**{name: value})
        except (TypeError, ValueError) as error:
            if lacks_code(error) or not re.search(rf"(?<![A-Za-z_]){name}(?![A-Za-z])", str(error)):
                raise AssertionError(f"{name}={value!r}") from error
        except Exception as error:
            raise AssertionError(f"{name}={value!r}") from error


def odd_values(rng: np.random.Generator) -> list[Any]:
    return [VALUES[at] for at in rng.permutation(len(VALUES))[:TRIED]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("at", range(len(FITTED)), ids=lambda at: f"{at}-{type(FITTED[at]).__name__}")
def test_estimators(at: int) -> None:
    rng, estimator = np.random.default_rng([SEED, at]), FITTED[at]
    y = NUMBERS if is_regressor(estimator) else CLASSES
    own = estimator.get_params(deep=False)
    for name in own:
        for value in odd_values(rng):
            taken_or_refused(lambda **odd: type(estimator)(**{**own, **odd}).fit(X, y), name, value)
    for name in [name for name in inspect.signature(estimator.fit).parameters if name in ("sample_weight", "groups")]:
        for value in odd_values(rng):
            taken_or_refused(lambda **odd: clone(estimator).fit(X, y, **odd), name, value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("which", FUNCTIONS)
def test_functions(which: str) -> None:
    function, given = FUNCTIONS[which]
    rng = np.random.default_rng([SEED, len(which)])
    for name in inspect.signature(function).parameters:
        for value in odd_values(rng) if name not in NOT_TRIED else []:
            taken_or_refused(lambda **odd: function(**{"x": X, "ntree": 3, "seed": 1, **given, **odd}), name, value)


@pytest.mark.parametrize("estimator", [one for one in FITTED if "random_state" in one.get_params()], ids=str)
@pytest.mark.parametrize("value", [-1, 2**32, 0.5, "1"])
def test_random_state_is_as_scikit_learn_has_it(estimator: Any, value: Any) -> None:
    y = NUMBERS if is_regressor(estimator) else CLASSES
    with refused("random_state", "choice"):
        clone(estimator).set_params(random_state=value).fit(X, y)


def test_results_that_no_machine_holds_are_named() -> None:
    fit, rows = pyrrf.RRF(X, CLASSES, ntree=3, seed=1), np.broadcast_to(X.to_numpy()[:1], (10_000_000, 4))
    with pytest.raises(MemoryError, match=r"proximity takes 800,000 GB, .*; pass"):
        pyrrf.predict(fit, rows, proximity=True)
    with pytest.raises(MemoryError, match="localImp takes"):
        new_result("localImp", (2**60, 2**60))
