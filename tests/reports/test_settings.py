"""The code that repeats a fit: parameters of all kinds, what cannot be written, and lists in lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from pyrrf.reports.settings import describe_seed, estimator_code, list_code, versions
from pyrrf.sklearn import GRRFSelector, RRFClassifier, StabilitySelector


def again(estimator: Any) -> Any:
    """What the code of an estimator makes."""
    names: dict[str, Any] = {}
    exec(estimator_code(estimator).removesuffix("selector.fit(X, y)"), names)
    return names["selector"]


@pytest.mark.parametrize(
    "estimator",
    [
        GRRFSelector(),
        GRRFSelector(
            np.array([1.0, 0.5]),
            gamma=np.float64(0.3),
            forest=RRFClassifier(initial_features=["a", "b"], max_samples=0.5),
        ),
        GRRFSelector(
            LogisticRegression(C=2.0),
            forest=RRFClassifier(feature_cost=pd.Series({"it's": 2.0}), feature_groups={"a": "g", "b": None}),
        ),
        StabilitySelector(GRRFSelector(gamma=0.9), threshold=0.8, random_state=3),
        StabilitySelector(Pipeline([("scale", StandardScaler()), ("few", GRRFSelector(n_estimators=7))])),
        RRFClassifier(
            coef_reg=None, max_features=None, class_weight={0: 1.0, 1: 2.0}, categorical_features=[True, False]
        ),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_it_makes_the_same(estimator: Any) -> None:
    found = again(estimator)
    assert type(found) is type(estimator)
    # The code is the code of what it makes: arrays have become lists.
    assert estimator_code(found) == estimator_code(estimator)
    plain = {name: value for name, value in estimator.get_params().items() if isinstance(value, str | int | float)}
    assert {name: found.get_params()[name] for name in plain} == plain


@pytest.mark.parametrize(
    ("estimator", "line"),
    [
        (SelectKBest(f_regression), "score_func=...,  # function f_regression: fill in, not shown here"),
        (
            GRRFSelector(forest=RRFClassifier(feature_cost=np.ones(2000))),
            "feature_cost=...,  # ndarray of 2000: fill in, not shown here",
        ),
        (GRRFSelector([1.0, float("nan")]), "guide=...,  # list of 2: fill in, not shown here"),
        (RRFClassifier(random_state=np.random.default_rng(1)), "random_state=...,  # Generator: fill in"),
    ],
)
def test_what_cannot_be_written_is_named(estimator: Any, line: str) -> None:
    assert line in estimator_code(estimator)


def test_imports_stand_once() -> None:
    code = estimator_code(StabilitySelector(GRRFSelector(LogisticRegression())))
    assert code.splitlines()[:2] == [
        "from pyrrf.sklearn import GRRFSelector, StabilitySelector",
        "from sklearn.linear_model import LogisticRegression",
    ]


def test_lists_in_lines() -> None:
    names = [f"feature {at}" for at in range(100)]
    code = list_code("kept", names)
    assert max(map(len, code.splitlines())) <= 82
    found: dict[str, Any] = {}
    exec(code, found)
    assert found["kept"] == names
    assert list_code("kept", []) == "kept = []"


def test_seeds_and_versions() -> None:
    assert "With random_state=3, the same data and the same versions" in describe_seed(GRRFSelector(random_state=3))
    assert "was not an integer" in describe_seed(GRRFSelector())
    assert describe_seed(SelectKBest()) == ""
    assert {"Python", "pyrrf", "numpy"} <= versions().keys()
