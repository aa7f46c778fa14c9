"""Regressions of randomForest(): the mean that is taken away and put back, weights, what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import pyrrf


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    pyrrf.set_seed(11)
    return pyrrf.runif(300).reshape(60, 5, order="F")


@pytest.fixture(scope="module")
def y(x: np.ndarray) -> np.ndarray:
    return 1000 + 3 * x[:, 0] - x[:, 1]


def fit(x: np.ndarray, y: np.ndarray, **arguments: Any) -> pyrrf.RandomForestRegression:
    grown = pyrrf.randomForest(x, y, ntree=10, seed=3, **arguments)
    assert isinstance(grown, pyrrf.RandomForestRegression)
    return grown


def test_a_shift_moves_the_predictions_and_nothing_else(x: np.ndarray, y: np.ndarray) -> None:
    # Powers of 2, so that no sum is rounded.
    y = np.round(y * 1024) / 1024
    near, far = fit(x, y - 1000), fit(x, y)
    np.testing.assert_allclose(far.predicted, near.predicted + 1000, rtol=1e-12)
    np.testing.assert_allclose(far.mse, near.mse, rtol=1e-9)


def test_mse_is_that_of_the_predictions(x: np.ndarray, y: np.ndarray) -> None:
    grown = fit(x, y)
    assert grown.mse is not None
    assert grown.rsq is not None
    known = grown.predicted.notna()
    error = ((y - grown.predicted)[known] ** 2).mean()
    assert grown.mse.iloc[-1] == pytest.approx(error)
    assert grown.rsq.iloc[-1] == pytest.approx(1 - error / y.var())


def test_predictions_hold_the_mean(x: np.ndarray, y: np.ndarray) -> None:
    grown = fit(x, y, xtest=x, keep_forest=True)
    assert grown.test is not None
    np.testing.assert_allclose(pyrrf.predict(grown, x), grown.test.predicted, rtol=1e-12)


def test_the_mean_stands_where_a_tree_has_no_node(x: np.ndarray, y: np.ndarray) -> None:
    forest = fit(x, y).forest
    assert forest is not None
    absent = forest.nodestatus == 0
    assert absent.any()
    assert np.unique(forest.nodepred[absent]).tolist() == [pytest.approx(y.mean())]


def test_combined_trees_keep_the_mean_of_their_fit(x: np.ndarray, y: np.ndarray) -> None:
    small, large = fit(x, y, maxnodes=4), fit(x, y - 500, nodesize=1)
    forest = pyrrf.combine(small, large).forest
    assert forest is not None
    assert small.forest is not None
    beyond = forest.nodepred[small.forest.nrnodes :, :10]
    assert (beyond == 0).all()
    assert pickle.loads(pickle.dumps(forest)).nodepred.tolist() == forest.nodepred.tolist()


def test_bias_of_new_rows_is_off_by_the_mean(x: np.ndarray, y: np.ndarray) -> None:
    grown = fit(x, y, xtest=x, keep_forest=True, corr_bias=True)
    assert grown.test is not None
    assert grown.coefs is not None
    off = pyrrf.predict(grown, x) - grown.test.predicted
    np.testing.assert_allclose(off, (grown.coefs[1] - 1) * y.mean(), rtol=1e-6)


def test_rows_of_large_weight_are_drawn_often(x: np.ndarray, y: np.ndarray) -> None:
    weights = np.where(np.arange(60) < 30, 9.0, 1.0)
    inbag = fit(x, y, weights=weights, keep_inbag=True).inbag
    assert inbag is not None
    drawn = inbag.to_numpy().sum(axis=1)
    assert drawn.sum() == 600
    assert drawn[:30].sum() > 480


@pytest.mark.parametrize("weights", [[1.0] * 59, [0.0] * 60, [-1.0] + [1.0] * 59])
def test_weights_that_are_refused(x: np.ndarray, y: np.ndarray, weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        fit(x, y, weights=weights)


def test_copies_of_a_column_are_used_alike(x: np.ndarray, y: np.ndarray) -> None:
    """Draws decide between equal features; RRF takes the one that was drawn first."""
    copies = np.column_stack([x[:, 0]] * 4)
    grown = pyrrf.randomForest(copies, y, ntree=200, mtry=4, seed=1)
    used = pyrrf.varUsed(grown)
    assert np.asarray(used).min() > 0.15 * np.asarray(used).sum()


@pytest.mark.parametrize("name", ["y", "ytest"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_response_whose_mean_is_too_far_away_is_refused_as_in_r(name: str) -> None:
    x, largest = np.arange(3.0)[:, None], np.finfo(np.float64).max
    # R's mean of these three is infinite, and the largest double minus -1e308 is.
    responses = {"y": np.full(3, largest if name == "y" else -1e308), "ytest": np.full(3, largest)}
    with pytest.raises(ValueError, match=rf"^{name} minus the mean"):
        pyrrf.randomForest(x, responses["y"], x, responses["ytest"], ntree=2, seed=1)
