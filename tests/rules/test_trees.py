"""Each row matches one rule of each tree: that of the leaf it falls into, for all models that rules are taken from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
)
from sklearn.tree import DecisionTreeClassifier

import pyrrf
from pyrrf import rules
from pyrrf.rules.columns import Columns
from pyrrf.rules.matches import Matches, unpack
from pyrrf.rules.trees import TreeList
from pyrrf.sklearn import RRFClassifier
from tests.refusals import refused

TALL = 60


def table(missing: bool = False, levels: int = 6) -> tuple[pd.DataFrame, pd.Categorical]:
    """Numbers and factors, and classes that depend on them."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, levels, TALL * 4)
    x = pd.DataFrame(
        {
            "number": rng.normal(size=len(codes)).round(3),
            "colour": pd.Categorical.from_codes(codes, [f"it's \\{k} & more" for k in range(levels)]),
            "count": rng.integers(0, 9, len(codes)),
            "size": pd.Categorical.from_codes(rng.integers(0, 4, len(codes)), list("SMLX"), ordered=True),
        }
    )
    y = pd.Categorical(np.where(x["number"] + (codes % 3) + rng.normal(size=len(codes)) > 1, "up", "down"))
    if missing:
        x.loc[x.index[::7], "number"] = np.nan
        x.loc[x.index[::9], "colour"] = np.nan
        x.loc[x.index[::11], "size"] = np.nan
    return x, y


def matched(model: Any, x: Any) -> list[np.ndarray]:
    """For each tree the place of the one rule that each row matches."""
    trees = rules.RF2List(model)
    found = []
    for tree in trees.trees:
        one = TreeList(**{**vars(trees), "trees": [tree]})
        conditions = rules.extractRules(one, x, maxdepth=math.inf)["condition"].tolist()
        columns = Columns(x)
        flags = unpack(Matches(conditions, columns).all(), columns.n)
        assert (flags.sum(axis=0) == 1).all()
        found.append(flags.argmax(axis=0))
    return found


def same_parts(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two labellings part the rows alike."""
    pairs = len({*zip(a.tolist(), b.tolist(), strict=True)})
    return pairs == len({*a.tolist()}) == len({*b.tolist()})


def check(model: Any, x: Any, leaves: np.ndarray) -> None:
    found = matched(model, x)
    assert len(found) == leaves.shape[1]
    assert [same_parts(found[k], leaves[:, k]) for k in range(len(found))] == [True] * len(found)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, {"quirks": False}),
        ({"missing": True}, {"engine": "parallel"}),
        ({"levels": 45}, {"engine": "parallel"}),
        ({"levels": 45, "missing": True}, {"engine": "parallel"}),
    ],
)
@pytest.mark.filterwarnings("ignore:.*rows per category:UserWarning")
def test_of_fits(given: dict[str, Any], named: dict[str, Any]) -> None:
    x, y = table(**given)
    fit = pyrrf.RRF(x, y, ntree=5, flagReg=0, seed=1, **named)
    check(fit, x, np.asarray(pyrrf.predict(fit, x, nodes=True).nodes))


def test_missing_values_that_the_training_data_did_not_have() -> None:
    x, y = table()
    holed = table(missing=True)[0]
    fit = pyrrf.RRF(x, y, ntree=5, flagReg=0, seed=1, engine="parallel")
    check(fit, holed, np.asarray(pyrrf.predict(fit, holed, nodes=True).nodes))


def test_of_numbers() -> None:
    x = table()[0][["number", "count", "colour"]]
    fit = pyrrf.RRF(x, x["number"].to_numpy() ** 2 + x["count"], ntree=4, seed=1)
    check(fit, x, np.asarray(pyrrf.predict(fit, x, nodes=True).nodes))


def test_of_estimators_of_pyrrf() -> None:
    x, y = load_iris(return_X_y=True)
    fitted = RRFClassifier(n_estimators=4, random_state=1).fit(x, y)
    assert len(matched(fitted, x)) == 4


def narrow(x: np.ndarray) -> np.ndarray:
    """Numbers as scikit-learn's trees see them."""
    return x.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=1),
        RandomForestClassifier(4, random_state=1),
        ExtraTreesClassifier(4, random_state=1),
        GradientBoostingClassifier(n_estimators=3, random_state=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_of_scikit_learn_classes(model: Any) -> None:
    x, y = load_iris(return_X_y=True)
    leaves = model.fit(x, y).apply(x)
    check(model, narrow(x), leaves.reshape(len(x), -1))
    check(model, x.astype(np.float32), leaves.reshape(len(x), -1))


@pytest.mark.parametrize("model", [RandomForestRegressor, GradientBoostingRegressor])
def test_of_scikit_learn_numbers(model: Any) -> None:
    x = np.random.default_rng(3).normal(size=(120, 4))
    fitted = model(n_estimators=4, random_state=1).fit(x, x[:, 0] * x[:, 1])
    check(fitted, narrow(x), fitted.apply(x).reshape(len(x), -1))


def test_of_scikit_learn_with_missing_values() -> None:
    x, y = load_iris(return_X_y=True)
    x[::5, 2] = np.nan
    x[::7, 0] = np.nan
    model = RandomForestClassifier(4, random_state=1).fit(x, y)
    check(model, narrow(x), model.apply(x))


def test_of_bagging_that_shows_each_tree_some_columns() -> None:
    x, y = load_iris(return_X_y=True)
    model = BaggingClassifier(n_estimators=4, max_features=2, random_state=1).fit(x, y)
    shown = zip(model.estimators_, model.estimators_features_, strict=True)
    leaves = np.column_stack([tree.apply(x[:, features]) for tree, features in shown])
    check(model, narrow(x), leaves)


def test_of_an_ensemble_of_forests() -> None:
    x, y = load_iris(return_X_y=True)
    members = [("a", RandomForestClassifier(3, random_state=1)), ("b", DecisionTreeClassifier(random_state=1))]
    model = VotingClassifier(members).fit(x, y)
    check(model, narrow(x), np.column_stack([member.apply(x) for member in model.estimators_]))


def test_of_random_forest_of_r() -> None:
    x, y = table()
    x = x.drop(columns="size")
    fit = pyrrf.randomForest(x, y, ntree=5, seed=1)
    check(fit, x, np.asarray(pyrrf.predict(fit, x, nodes=True).nodes))


def test_numbers_of_single_precision_are_compared_as_they_are() -> None:
    # 0.1 in single precision is above 0.1.
    metric = rules.getRuleMetric(["X[,1]<=0.1", "X[,1]>0.1"], np.full((4, 1), 0.1, np.float32), list("abab"))
    assert metric["condition"].tolist() == ["X[,1]>0.1"]


def test_a_depth_cuts_paths_where_the_tree_goes_on() -> None:
    x, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(random_state=1).fit(x, y)
    shallow = DecisionTreeClassifier(random_state=1, max_depth=2).fit(x, y)
    cut = rules.extractRules(model, x, maxdepth=2)
    assert cut["condition"].tolist() == rules.extractRules(shallow, x)["condition"].tolist()
    assert len(rules.extractRules(model, x)) > len(cut)


@pytest.mark.parametrize(
    ("model", "argument", "code"),
    [
        (object(), "rf", "type"),
        (RandomForestClassifier(), "rf", "fit"),
        (pyrrf.RRF(np.eye(6), list("ababab"), ntree=1, keep_forest=False, seed=1), "rf", "fit"),
    ],
    ids=["object", "unfitted", "no forest"],
)
def test_refused_models(model: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        rules.RF2List(model)
