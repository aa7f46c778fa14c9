"""Few values: out-of-bag rows go down a tree by ranks, new data by values, and both reach the same leaves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pyrrf

ABOVE_ONE = float(np.nextafter(1.0, 2.0))
LEAST = 5e-324
VALUES: dict[str, list[float]] = {
    "small numbers": [0.0, 1.0, 2.0, 3.0],
    "a byte for each": [float(value) for value in range(30)],
    "neighbouring doubles: the middle is one of them": [1.0, ABOVE_ONE, float(np.nextafter(ABOVE_ONE, 2.0)), 2.0],
    "more of them than planes hold": [float(1.0 + k * 2.0**-52) for k in range(12)],
    "the smallest numbers, and zeros of both signs": [-0.0, 0.0, LEAST, 2 * LEAST, 3 * LEAST, 4 * LEAST],
}
# Engine r's split points are infinite then, and predict() refuses such a forest.
LARGE: dict[str, list[float]] = {
    "sums beyond the largest double": [1.0, 1.2e308, 1.5e308, 1.7e308],
    "the same below zero": [-1.7e308, -1.6e308, -1.5e308, 0.0],
}
CASES = [
    pytest.param(values, engine, id=f"{name}, {engine}")
    for name, values in VALUES.items()
    for engine in ("r", "parallel")
]
CASES += [pytest.param(values, "parallel", id=name) for name, values in LARGE.items()]


@pytest.mark.parametrize("nclass", [2, 3])
@pytest.mark.parametrize(("values", "engine"), CASES)
def test_out_of_bag_votes_are_those_of_the_trees(values: list[float], nclass: int, engine: str) -> None:
    draws = np.random.default_rng(1)
    x = draws.choice(values, (400, 4))
    order = np.argsort(np.searchsorted(np.unique(values), x[:, 0]) + draws.random(400) * 2, kind="stable")
    y = np.empty(400, dtype=int)
    y[order] = np.arange(400) * nclass // 400
    fit = pyrrf.RRF(x, pd.Categorical(y), ntree=20, seed=1, keep_inbag=True, engine=engine)
    trees = np.asarray(pyrrf.predict(fit, x, predict_all=True).individual)
    out = np.asarray(fit.inbag) == 0
    counted = np.stack([((trees == label) & out).sum(1) for label in fit.classes], axis=1)
    assert (trees != trees[:, :1]).any()
    np.testing.assert_array_equal(counted / counted.sum(1, keepdims=True), fit.votes.to_numpy())


@pytest.mark.parametrize("sizes", [(16, 82), (7, 193), (53, 56, 98), (28, 29, 53, 40, 57)])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_out_of_bag_votes_where_weights_are_not_exact(sizes: tuple[int, ...], n_jobs: int) -> None:
    n = sum(sizes)
    assert any(size / n * n / size != 1.0 for size in sizes)
    draws = np.random.default_rng(2)
    y = np.repeat(np.arange(len(sizes)), sizes)
    x = np.column_stack(
        [np.minimum(draws.integers(0, k, n) + (draws.random(n) < 0.3) * y, k) for k in (1, 2, 4, 30, 60)]
    )
    fit = pyrrf.RRF(x.astype(float), pd.Categorical(y), ntree=30, seed=1, keep_inbag=True, engine="r", n_jobs=n_jobs)
    trees = np.asarray(pyrrf.predict(fit, x.astype(float), predict_all=True).individual)
    out = np.asarray(fit.inbag) == 0
    counted = np.stack([((trees == label) & out).sum(1) for label in fit.classes], axis=1)
    np.testing.assert_array_equal(counted / counted.sum(1, keepdims=True), fit.votes.to_numpy())
