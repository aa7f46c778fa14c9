"""randomForest(): its surface. What it answers is compared in test_recorded.py and under parity/."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pyrrf
from tests.refusals import refused

FUNCTIONS = {
    "importance": lambda fit, x: pyrrf.importance(fit),
    "getTree": lambda fit, x: pyrrf.getTree(fit, 1, labelVar=True),
    "treesize": lambda fit, x: pd.DataFrame(pyrrf.treesize(fit)),
    "varUsed": lambda fit, x: pd.DataFrame(pyrrf.varUsed(fit)),
    "margin": lambda fit, x: pyrrf.margin(fit).to_frame(),
    "outlier": lambda fit, x: pyrrf.outlier(fit).to_frame(),
    "predict": lambda fit, x: pyrrf.predict(fit, x, type="prob"),
    "grow": lambda fit, x: pyrrf.grow(fit, 2).votes,
}


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(3).normal(size=(60, 5)).round(1)


@pytest.fixture(scope="module")
def y(x: np.ndarray) -> pd.Categorical:
    return pd.Categorical(np.where(x[:, 0] + x[:, 1] > 0, "high", "low"))


@pytest.fixture(scope="module")
def fit(x: np.ndarray, y: pd.Categorical) -> pyrrf.RandomForestResult:
    return pyrrf.randomForest(x, y, ntree=8, proximity=True, importance=True, keep_inbag=True, seed=1)


def test_prints_as_r_does(fit: pyrrf.RandomForestResult) -> None:
    lines = str(fit).splitlines()
    assert lines[2].startswith(" randomForest(x, y, ntree=8, ")
    assert lines[3].strip() == "Type of random forest: classification"


def test_is_a_forest_but_not_one_of_rrf(fit: pyrrf.RandomForestResult) -> None:
    assert isinstance(fit, pyrrf.ClassificationResult)
    assert not isinstance(fit, pyrrf.RRFResult)
    assert not {"feaSet", "coefReg", "feature_names", "ordinary"} & set(dir(fit))


def test_bags_count_draws(fit: pyrrf.RandomForestResult) -> None:
    assert fit.inbag is not None
    assert fit.inbag.sum().tolist() == [60] * 8
    assert fit.inbag.to_numpy().max() > 1


def test_is_stored_and_loaded(fit: pyrrf.RandomForestResult) -> None:
    loaded = pickle.loads(pickle.dumps(fit))
    assert type(loaded) is pyrrf.RandomForestClassification
    assert loaded == fit


@pytest.mark.parametrize("name", FUNCTIONS)
def test_shared_functions_take_it(name: str, fit: pyrrf.RandomForestResult, x: np.ndarray) -> None:
    with_seed = [FUNCTIONS[name](fit, x) for _ in range(2) if pyrrf.set_seed(4) is None]
    assert len(with_seed[0]) > 0
    pd.testing.assert_frame_equal(*with_seed)


def test_sparse_and_threads_change_nothing(x: np.ndarray, y: pd.Categorical) -> None:
    dense = np.where(np.abs(x) > 0.7, x, 0.0)
    expected = pyrrf.randomForest(dense, y, ntree=5, importance=True, seed=2)
    for other in (sparse.csc_matrix(dense), dense):
        assert pyrrf.randomForest(other, y, ntree=5, importance=True, seed=2, n_jobs=3) == expected


def test_takes_a_formula(x: np.ndarray, y: pd.Categorical) -> None:
    data = pd.DataFrame(x, columns=list("abcde")).assign(kind=y)
    fit = pyrrf.randomForest("kind ~ a + b", data, ntree=3, seed=1)
    assert fit.columns.tolist() == ["a", "b"]
    assert fit == pyrrf.randomForest(formula="kind ~ a + b", data=data, ntree=3, seed=1)


def test_weights_choose_the_bags(x: np.ndarray, y: pd.Categorical) -> None:
    weights = np.where(np.arange(60) < 30, 1.0, 1e-9)
    fit = pyrrf.randomForest(x, y, ntree=5, weights=weights, keep_inbag=True, seed=1)
    assert fit.inbag is not None
    assert fit.inbag.to_numpy()[30:].sum() == 0


def test_unsupervised_rows_are_drawn_without_a_warning(x: np.ndarray) -> None:
    fit = pyrrf.randomForest(x, ntree=3, seed=1)
    assert isinstance(fit, pyrrf.RandomForestUnsupervised)
    assert fit.proximity is not None


def test_combines_only_with_its_like(fit: Any, x: np.ndarray, y: pd.Categorical) -> None:
    other = pyrrf.RRF(x, y, ntree=2, importance=True, seed=1)
    with refused("fits", "conflict"):
        pyrrf.combine(fit, other)


REFUSED = {
    "coefReg": ({"coefReg": 0.8}, "coefReg", "keyword"),
    "engine": ({"engine": "parallel"}, "engine", "keyword"),
    "weights short": ({"weights": [1, 2]}, "weights", "length"),
    "weights of zero": ({"weights": np.zeros(60)}, "weights", "range"),
    "weights missing": ({"weights": [np.nan] * 60}, "weights", "missing"),
    "weights unsupervised": ({"y": None, "weights": np.ones(60)}, "weights", "conflict"),
    "nodesize": ({"nodesize": -1}, "nodesize", "range"),
    "nodesize beyond C": ({"nodesize": 2**31}, "nodesize", "range"),
    "ntree beyond C": ({"ntree": 2**31}, "ntree", "range"),
    "mtry beyond float64": ({"mtry": 10**400}, "mtry", "range"),
    "weights beyond float64": ({"weights": [10**400] * 60}, "weights", "scale"),
    "one class": ({"y": ["a"] * 60}, "y", "constant"),
    "maxnodes": ({"maxnodes": 1}, "maxnodes", "range"),
}
# What randomForest() does not have is said to be RRF's.
REMEDIES = {
    "x missing": ({"x": np.full((60, 2), np.nan)}, ValueError, "or fit with RRF's engine='parallel'"),
    "localImp unsupervised": ({"y": None, "localImp": True}, ValueError, "or fit with RRF's quirks=False"),
    "bags of one class": ({"y": ["a"] * 59 + ["b"], "sampsize": 2}, ValueError, "sampsize: 31 in-bag samples in a row"),
    "data without a formula": ({"data": pd.DataFrame()}, TypeError, "as in randomForest\\('y ~ .', data=data\\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str, x: np.ndarray, y: pd.Categorical) -> None:
    arguments, argument, code = REFUSED[name]
    with refused(argument, code):
        pyrrf.randomForest(**{"x": x, "y": y, "ntree": 60, "seed": 1, **arguments})


@pytest.mark.parametrize("name", REMEDIES)
def test_remedies_name_the_other_function(name: str, x: np.ndarray, y: pd.Categorical) -> None:
    arguments, error, message = REMEDIES[name]
    with pytest.raises(error, match=message):
        pyrrf.randomForest(**{"x": x, "y": y, "ntree": 60, "seed": 1, **arguments})


def test_refuses_54_levels(y: pd.Categorical) -> None:
    table = pd.DataFrame({"f": pd.Categorical([f"L{i % 54}" for i in range(60)])})
    with refused("x", "levels"):
        pyrrf.randomForest(table, y)


def test_predict_warns_where_ordered_levels_are_others(x: np.ndarray, y: pd.Categorical) -> None:
    sizes = pd.Categorical(np.array(["s", "m", "l"])[np.arange(60) % 3], ["s", "m", "l"], ordered=True)
    table = pd.DataFrame({"a": x[:, 0], "size": sizes})
    fit = pyrrf.randomForest(table, y, ntree=3, seed=1)
    fewer = table.assign(size=table["size"].cat.set_categories(["m", "l"])).dropna()
    with pytest.warns(UserWarning, match="'size' of newdata has other levels than"):
        pyrrf.predict(fit, fewer)
