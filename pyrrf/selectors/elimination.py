"""Elimination: the features with the least credit are dropped, and the others scored anew, until few are left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pyrrf.selectors.credit import Credit, by_feature, forest_credit, ordinary_rule, ridge_credit, target_of
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest
from pyrrf.types import Floats, Positions

# Trees that choose the pool.
_POOL_TREES = 500
_SEEDS = 1 << 62


@dataclass(frozen=True, eq=False)
class Round:
    """One round of an elimination."""

    features: Positions  # int64, shape (m,): the features scored, the best first
    scores: Floats  # float64, shape (m,): their scores, in that order
    forest: Floats  # float64, shape (m,): their credit in the forest
    ridge: Floats  # float64, shape (m,): their credit in the ridge regression; 0 without one
    weights: tuple[float, float]  # of forest and ridge in the score
    n_kept: int  # how many go on to the next round


@dataclass(frozen=True, eq=False)
class Elimination:
    """The whole path: which features are kept at each size."""

    # int64, shape (pool,): the features of the pool; the first k are the subset of size k
    order: Positions
    rounds: tuple[Round, ...]


def eliminate(
    data: TreeData,
    *,
    smallest: int = 1,
    pool: int = 100,
    drop: float = 0.15,
    n_trees: int = 150,
    linear: bool = True,
    seed: int,
    n_jobs: int | None = None,
    watch: Callable[[int], None] = lambda size: None,
) -> Elimination:
    """Drop the features of least credit, round by round.

    A round scores the features that are left by their credit in a forest and in a ridge regression, each weighted by
    how well it predicts rows that it did not see, and drops a share of them. The subsets are nested: what a round drops
    stands behind what it keeps, in the order of the round's scores.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    smallest : int, default 1
        The smallest size that is asked for.
    pool : int, default 100
        Of more features the first `pool` by the decrease of impurity in 500 ordinary trees enter the first round.
    drop : float, default 0.15
        The share that a round drops, at least one feature.
    n_trees : int, default 150
        Trees of a round.
    linear : bool, default True
        Whether a ridge regression has a say.
    seed : int
    n_jobs : int, optional
        Threads; the answer does not depend on them.
    watch : callable, optional
        Gets the number of features before each round.

    Returns
    -------
    Elimination

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.elimination import eliminate
    >>> from pyrrf.selectors.growing import TreeData
    >>> x = np.random.default_rng(1).standard_normal((80, 6))
    >>> y = (x[:, 4] + 0.5 * x[:, 2] > 0).astype(np.int32)
    >>> data = TreeData(values=x, ncat=np.ones(6, np.int32), response=y, nclass=2)
    >>> eliminate(data, n_trees=50, seed=1).order[:2].tolist()
    [4, 2]
    """
    chance = np.random.default_rng(seed)
    left = _pool(data, pool, chance, n_jobs)
    order, rounds = left.copy(), []
    while len(left) >= smallest:
        watch(len(left))
        found = _round(data, left, drop, n_trees, linear, chance, n_jobs)
        rounds.append(found)
        order[: len(left)] = found.features
        if len(left) == 1:
            break
        left = found.features[: found.n_kept]
    return Elimination(order, tuple(rounds))


def _round(
    data: TreeData, left: Positions, drop: float, n_trees: int, linear: bool, chance: np.random.Generator,
    n_jobs: int | None,
) -> Round:  # fmt: skip
    part = replace(data, values=np.asfortranarray(data.values[:, left]), ncat=data.ncat[left])
    target = target_of(data)
    forest = forest_credit(part, n_trees=n_trees, seed=int(chance.integers(_SEEDS)), n_jobs=n_jobs)
    if linear:
        ridge = _ridge(part, target)
        weights = skill(forest, ridge, target)
    else:
        ridge, weights = Credit(np.zeros(len(left)), np.zeros(target.shape)), (1.0, 0.0)
    scores = weights[0] * forest.credit + weights[1] * ridge.credit
    best = descending(scores, chance)
    kept = next_size(len(left), drop)
    return Round(left[best], scores[best], forest.credit[best], ridge.credit[best], weights, kept)


def next_size(size: int, drop: float) -> int:
    """Return how many features a round keeps.

    Parameters
    ----------
    size : int
        Features that it scores.
    drop : float
        The share that it drops.

    Returns
    -------
    int
        At least 1.
    """
    return max(1, min(size - 1, int((1 - drop) * size)))


def _ridge(data: TreeData, target: Floats) -> Credit:
    """Return the credit in a ridge regression: what is missing is the mean, a category a column of its own."""
    columns: list[Floats] = []
    owner: list[int] = []
    for j, (values, levels) in enumerate(zip(data.values.T.astype(np.float64), data.ncat.tolist(), strict=True)):
        known = ~np.isnan(values)
        if levels > 1:
            columns += [(values == level + 1).astype(np.float64) for level in range(levels)]
        else:
            columns.append(np.where(known, values, values[known].mean() if known.any() else 0.0))
        owner += [j] * (len(columns) - len(owner))
    found = ridge_credit(np.stack(columns, axis=1), target)
    return replace(found, credit=np.bincount(owner, found.credit, data.shape[1]).astype(np.float64))


def skill(forest: Credit, ridge: Credit, target: Floats) -> tuple[float, float]:
    """Return the weights, none of them negative, with which two predictions together come nearest to the target.

    Parameters
    ----------
    forest, ridge : Credit
    target : ndarray of float64, shape (n, k)

    Returns
    -------
    tuple of float
        Of the forest and of the ridge regression; predictions and target are taken less the target's mean.
    """
    mean = target.mean(axis=0)
    sides = np.stack([(each.prediction - mean).ravel() for each in (forest, ridge)])
    wanted = (target - mean).ravel()
    both = np.linalg.lstsq(sides.T, wanted, rcond=None)[0]
    if (both >= 0).all():
        return float(both[0]), float(both[1])
    # With two of them, the least error is then where one is 0.
    sizes, products = (sides**2).sum(axis=1), sides @ wanted
    alone = np.maximum(np.divide(products, sizes, out=np.zeros(2), where=sizes > 0), 0)
    gains = alone * products
    return (float(alone[0]), 0.0) if gains[0] >= gains[1] else (0.0, float(alone[1]))


def descending(scores: Floats, chance: np.random.Generator) -> Positions:
    """Return the places of scores, the largest first; equal ones in random order, not by their column.

    Parameters
    ----------
    scores : ndarray of float64, shape (p,)
    chance : Generator

    Returns
    -------
    ndarray of int64, shape (p,)
    """
    return np.lexsort((chance.random(len(scores)), -scores)).astype(np.int64)


def _pool(data: TreeData, size: int, chance: np.random.Generator, n_jobs: int | None) -> Positions:
    """Return the features of the first round: those with the largest decrease of impurity, if there are many."""
    p = data.shape[1]
    if p <= size:
        return np.arange(p, dtype=np.int64)
    seed, decrease = int(chance.integers(_SEEDS)), np.zeros(p)
    requests = [TreeRequest(seed=seed, stream=i) for i in range(_POOL_TREES)]
    for grown in TreeMaker(data, ordinary_rule(p), n_jobs).grow_all(requests):
        decrease += by_feature(grown.tree, grown.decrease, p)
    return descending(decrease, chance)[:size]
