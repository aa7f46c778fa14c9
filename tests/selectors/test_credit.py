"""Out-of-sample credit: by hand on three nodes and two columns, and beside slow programs on ten data sets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pyrrf._core.criteria import Penalty
from pyrrf.selectors.credit import forest_credit, node_means, ridge_credit, target_of, tree_credit
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule


def stump(total: list[list[float]], outside: list[list[float]]) -> Any:
    """Return a tree whose root splits feature 2, counted from 1, with the totals in the bag and out of it."""
    tree = SimpleNamespace(left=np.array([2, 0, 0]), split_var=np.array([2, 0, 0]))
    return SimpleNamespace(tree=tree, total=np.array(total), outside=np.array(outside, float))


def test_three_nodes_of_classes() -> None:
    # In the bag 4 rows of class 0 and 4 of class 1; to the left 3 and 1, to the right 1 and 3.
    # Three rows are out: to the left (1, 1), to the right (0, 1).
    grown = stump([[4, 4], [3, 1], [1, 3]], [[1, 2], [1, 1], [0, 1]])
    means = node_means(grown, 2)
    assert means.tolist() == [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    # (.25, -.25) . (1, 1) + (-.25, .25) . (0, 1) = .25
    assert tree_credit(grown, means, 3).tolist() == [0, 0.25 / 3, 0]
    nobody = stump([[4, 4], [3, 1], [1, 3]], [[0, 0]] * 3)
    assert tree_credit(nobody, means, 3).tolist() == [0, 0, 0]


def test_three_nodes_of_numbers() -> None:
    # Weights and sums: mean 2 in the root, 1 to the left, 3 to the right; one row of .5 and one of 5 are out.
    grown = stump([[4, 8], [2, 2], [2, 6]], [[2, 5.5], [1, 0.5], [1, 5]])
    means = node_means(grown, 1)
    assert means.tolist() == [[2], [1], [3]]
    # (1 - 2) 0.5 + (3 - 2) 5 = 4.5, of two rows
    assert tree_credit(grown, means, 2).tolist() == [0, 2.25]


def test_a_ridge_of_two_columns() -> None:
    # Columns at right angles: the slope of each is z'y / (n + penalty), and the leverage of a row z^2 / (n + penalty).
    x = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
    y = np.array([[-2.0], [-1], [1], [2]])
    best = None
    for penalty in np.geomspace(1e-2, 1e4, 13):
        slopes = x.T @ y / (4 + penalty)
        error = (y - x @ slopes) / (1 - 2 / (4 + penalty) - 1 / 4)
        if best is None or (error**2).sum() < best[0]:
            best = (error**2).sum(), penalty, slopes, error
    assert best is not None
    _, penalty, slopes, error = best
    credit = [
        np.mean([x[i, j] * (slopes[j, 0] - x[i, j] / (4 + penalty) * error[i, 0]) * y[i, 0] for i in range(4)])
        for j in range(2)
    ]
    found = ridge_credit(x, y)
    assert np.allclose(found.credit, credit, rtol=0, atol=1e-12)
    assert np.allclose(found.prediction, y - error, rtol=0, atol=1e-12)


def data(number: int) -> TreeData:
    """Return one of ten data sets: classes and numbers, ties, constant columns, few and many rows."""
    chance = np.random.default_rng(number)
    n, p = int(chance.integers(12, 260)), int(chance.integers(1, 12))
    x = chance.standard_normal((n, p))
    if number % 3 == 0:
        x = np.round(x)
    if number % 4 == 0:
        x[:, -1] = 1.0
    signal = x[:, 0] + 0.3 * chance.standard_normal(n)
    nclass = (1, 2, 4)[number % 3]
    if nclass == 1:
        response = (signal - signal.mean()) / signal.std()
    else:
        response = np.unique(np.argsort(np.argsort(signal)) * nclass // n, return_inverse=True)[1].astype(np.int32)
    return TreeData(values=np.asfortranarray(x), ncat=np.ones(p, np.int32), response=response, nclass=nclass)


@pytest.mark.parametrize("number", range(10))
def test_the_forest_beside_a_slow_program(number: int) -> None:
    given = data(number)
    (n, p), target = given.shape, target_of(given)
    chance = np.random.default_rng(3)
    rule = TreeRule(
        mtry=max(1, int(np.sqrt(p))), draw_from_all=True, penalty=Penalty.GAIN, nodesize=5 if n > 200 else 1
    )
    maker = TreeMaker(given, rule)
    earned, decrease, shares, votes = np.zeros(p), np.zeros(p), np.zeros(target.shape), np.zeros(n)
    for i in range(20):
        bag = np.bincount(chance.integers(n, size=n), minlength=n).astype(np.int32)
        grown = maker.grow(TreeRequest(seed=3, stream=i, count=bag, leaves=True))
        tree, means = grown.tree, node_means(grown, given.nclass)
        parent = {int(tree.left[t]) - 1 + side: t for t in np.flatnonzero(tree.left) for side in (0, 1)}
        out = np.flatnonzero(bag == 0)
        for row in out:
            node = int(grown.leaves[row]) - 1  # type: ignore[index]
            shares[row] += means[node]
            votes[row] += 1
            while node in parent:
                up = int(parent[node])
                earned[tree.split_var[up] - 1] += (means[node] - means[up]) @ target[row] / len(out)
                node = up
        for t in np.flatnonzero(tree.left):
            decrease[tree.split_var[t] - 1] += grown.decrease[t]
    earned /= 20
    beyond = np.maximum(decrease - np.quantile(decrease, 0.25), 0) + 1e-6 * decrease
    half = max(earned.sum(), 0) * beyond / beyond.sum() if beyond.sum() else 0
    for n_jobs in (1, 2):
        found = forest_credit(given, n_trees=20, seed=3, n_jobs=n_jobs)
        assert np.allclose(found.credit, (earned + half) / 2, rtol=0, atol=1e-12)
        assert np.allclose(found.prediction, (shares + target.mean(0)) / (votes + 1)[:, None], rtol=0, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("number", [*range(10), "wide"])
def test_the_ridge_beside_fits_without_each_row(number: int | str, weighted: bool) -> None:
    chance = np.random.default_rng(10)
    noise = {"values": chance.standard_normal((24, 60)), "ncat": np.ones(60, np.int32)}
    wide = TreeData(**noise, response=chance.integers(0, 2, 24).astype(np.int32), nclass=2)
    given = data(number) if isinstance(number, int) else wide
    (n, p), target = given.shape, target_of(given)
    weight = chance.uniform(0.2, 3, n) if weighted else np.ones(n)
    weight *= n / weight.sum()
    share = weight / n
    centre, mean = share @ given.values, share @ target
    spread = np.sqrt(share @ (given.values - centre) ** 2)
    z = (given.values - centre) / np.where(spread > 1e-9, spread, 1) * (spread > 1e-9)
    best = None
    for penalty in np.geomspace(1e-2, 1e4, 13):
        credit, predicted = np.zeros(p), np.zeros(target.shape)
        for row in range(n):
            kept = np.arange(n) != row
            rows = np.c_[np.ones(n - 1), z[kept]]
            heavy = rows * weight[kept, None]
            slopes = np.linalg.solve(rows.T @ heavy + np.diag([0.0] + [penalty] * p), heavy.T @ target[kept])
            predicted[row] = slopes[0] + z[row] @ slopes[1:]
            credit += weight[row] * z[row] * (slopes[1:] @ (target[row] - mean))
        error = (weight[:, None] * (target - predicted) ** 2).sum()
        if best is None or error < best[0]:
            best = error, credit / n, predicted
    found = ridge_credit(given.values, target, weight if weighted else None)
    assert best is not None
    assert np.allclose(found.credit, best[1], rtol=0, atol=1e-9)
    assert np.allclose(found.prediction, best[2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("nclass", [1, 2])
def test_weights_of_the_forest(nclass: int) -> None:
    chance = np.random.default_rng(4)
    x = chance.standard_normal((120, 4))
    y = np.where(np.arange(120) < 80, x[:, 2], x[:, 1])
    response = (y > 0).astype(np.int32) if nclass == 2 else y
    given = TreeData(values=np.asfortranarray(x), ncat=np.ones(4, np.int32), response=response, nclass=nclass)
    plain, ones = (forest_credit(given, n_trees=40, seed=2, weight=weight) for weight in (None, np.ones(120)))
    assert np.allclose(plain.credit, ones.credit, rtol=0, atol=1e-12)
    # The rows that follow feature 1 count more.
    late = forest_credit(given, n_trees=40, seed=2, weight=np.where(np.arange(120) < 80, 0.01, 3.0))
    assert (plain.credit.argmax(), late.credit.argmax()) == (2, 1)
