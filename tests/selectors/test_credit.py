"""Credit out of the bag: by hand on three nodes, beside a slow program on ten sets, on noise of many levels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pyrrf._core.criteria import Penalty
from pyrrf.selectors.credit import forest_credit, trees_credit
from pyrrf.selectors.forest import OrdinaryForest, node_means, target_of
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule


def stump(total: list[list[float]], outside: list[list[float]]) -> Any:
    """Return a tree whose root splits feature 2, counted from 1, with the totals in the bag and out of it."""
    tree = SimpleNamespace(left=np.array([2, 0, 0]), split_var=np.array([2, 0, 0]))
    return SimpleNamespace(tree=tree, total=np.array(total), outside=np.array(outside, float))


def test_three_nodes_of_classes() -> None:
    # In the bag 4 rows of class 0 and 4 of class 1; to the left 3 and 1, to the right 1 and 3.
    # Three rows are out: to the left (1, 1), to the right (0, 1); their mean is (1/3, 2/3).
    grown = stump([[4, 4], [3, 1], [1, 3]], [[1, 2], [1, 1], [0, 1]])
    assert node_means(np.array(grown.total), 2).tolist() == [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    # (.25, -.25) . (1/3, -1/3) + (-.25, .25) . (-1/3, 1/3) = 1/3
    assert np.allclose(trees_credit([grown], 2, 3), [0, 1 / 9, 0], rtol=0, atol=1e-15)
    assert np.allclose(trees_credit([grown, grown], 2, 3), [0, 2 / 9, 0], rtol=0, atol=1e-15)
    nobody = stump([[4, 4], [3, 1], [1, 3]], [[0, 0]] * 3)
    assert trees_credit([nobody], 2, 3).tolist() == [0, 0, 0]


def test_three_nodes_of_numbers() -> None:
    # Weights and sums: mean 2 in the root, 1 to the left, 3 to the right; one row of .5 and one of 5 are out.
    grown = stump([[4, 8], [2, 2], [2, 6]], [[2, 5.5], [1, 0.5], [1, 5]])
    assert node_means(np.array(grown.total), 1).tolist() == [[2], [1], [3]]
    # (1 - 2) (0.5 - 2.75) + (3 - 2) (5 - 2.75) = 4.5, of two rows
    assert trees_credit([grown], 1, 2).tolist() == [0, 2.25]


def test_rows_that_all_go_one_way_earn_nothing() -> None:
    # As those whose level the node has not seen.
    assert not trees_credit([stump([[4, 4], [3, 1], [1, 3]], [[9, 2], [0, 0], [9, 2]])], 2, 2).any()


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
    earned, shares, votes = np.zeros(p), np.zeros(target.shape), np.zeros(n)
    for i in range(20):
        bag = np.bincount(chance.integers(n, size=n), minlength=n).astype(np.int32)
        grown = maker.grow(TreeRequest(seed=3, stream=i, count=bag, leaves=True))
        tree, means = grown.tree, node_means(grown.total, given.nclass)
        parent = {int(tree.left[t]) - 1 + side: t for t in np.flatnonzero(tree.left) for side in (0, 1)}
        out = np.flatnonzero(bag == 0)
        passed: dict[int, list[int]] = {}
        for row in out:
            node = int(grown.leaves[row]) - 1  # type: ignore[index]
            shares[row] += means[node]
            votes[row] += 1
            passed.setdefault(node, []).append(row)
            while node in parent:
                node = int(parent[node])
                passed.setdefault(node, []).append(row)
        for node, up in parent.items():
            for row in passed.get(node, []):
                step = target[row] - target[passed[up]].mean(axis=0)
                earned[tree.split_var[up] - 1] += (means[node] - means[up]) @ step / len(out)
    for n_jobs in (1, 2):
        found = forest_credit(given, OrdinaryForest(n_trees=20, seed=3, n_jobs=n_jobs))
        assert np.allclose(found.credit, earned / 20, rtol=0, atol=1e-12)
        assert np.allclose(found.prediction, (shares + target.mean(0)) / (votes + 1)[:, None], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["balanced", "rare", "numbers"])
def test_noise_earns_as_much_whatever_its_levels(kind: str) -> None:
    """Factors of 2 to n levels and numbers, none of which tells: within two standard errors of nothing and each other.

    Means of 40 draws. By the sums without the rows' own mean a factor of n levels has .1 of the variance of rare ones.
    """
    n, found = 200, []
    levels = (2, 10, 40, 100, n, 1, 1)
    for number in range(40):
        chance = np.random.default_rng([number, 8])
        factors = [1.0 + (chance.permutation(n) if k == n else chance.integers(k, size=n)) for k in levels[:5]]
        x = np.column_stack([*factors, *chance.standard_normal((2, n))])
        response: Any = chance.standard_normal(n)
        if kind != "numbers":
            response = (chance.permutation(n) < (100 if kind == "balanced" else 10)).astype(np.int32)
        noise = TreeData(
            values=np.asfortranarray(x), ncat=np.array(levels, np.int32), response=response,
            nclass=1 if kind == "numbers" else 2,
        )  # fmt: skip
        credit = forest_credit(noise, OrdinaryForest(n_trees=30, seed=number)).credit
        credit /= 1.0 if kind == "numbers" else response.var()
        found.append(credit - credit[-2:].mean())
    table = np.array(found)
    error = table.std(axis=0, ddof=1) / np.sqrt(len(table))
    assert (np.abs(table.mean(axis=0)) <= 2.5 * error)[:5].all(), (table.mean(axis=0), error)


@pytest.mark.parametrize("nclass", [1, 2])
def test_weights_of_the_forest(nclass: int) -> None:
    chance = np.random.default_rng(4)
    x = chance.standard_normal((120, 4))
    y = np.where(np.arange(120) < 80, x[:, 2], x[:, 1])
    response = (y > 0).astype(np.int32) if nclass == 2 else y
    given = TreeData(values=np.asfortranarray(x), ncat=np.ones(4, np.int32), response=response, nclass=nclass)
    plain, ones, late = (
        forest_credit(given, OrdinaryForest(n_trees=40, seed=2, weight=weight))
        for weight in (None, np.ones(120), np.where(np.arange(120) < 80, 0.01, 3.0))
    )
    assert np.allclose(plain.credit, ones.credit, rtol=0, atol=1e-12)
    # In the last one the rows that follow feature 1 count more.
    assert (plain.credit.argmax(), late.credit.argmax()) == (2, 1)
