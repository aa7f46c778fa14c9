"""Elimination: the features with the least credit are dropped, and the others scored anew, until few are left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from pyrrf.data.predictors import varying
from pyrrf.selectors.credit import Credit, by_feature, forest_credit, ordinary_rule, ridge_credit, target_of
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule, features_used
from pyrrf.types import Floats, Ints, Positions

# Trees that choose the pool.
_POOL_TREES = 500
# Regularized forests that choose it by their features: how many, their trees, and the weight of the guide.
_RUNS, _RUN_TREES, _GAMMA = 10, 50, 0.5
_SEEDS = 1 << 62
# Categories of a feature in the ridge regression, a column each.
_MOST_COLUMNS = 32
POOLS = ("mdi", "grrf")


@dataclass(frozen=True, kw_only=True)
class EliminationRule:
    """How features are eliminated."""

    pool: int = 100  # of more units, so many enter the first round
    pool_by: str = "mdi"  # "mdi": by the decrease of impurity in ordinary trees; "grrf": by short runs of GRRF
    drop: float = 0.15  # the share that a round drops, at least one unit
    n_trees: int = 150  # of a round
    linear: bool = True  # whether a ridge regression has a say
    max_samples: int | None = None  # rows that the trees see at most


@dataclass(frozen=True, eq=False, kw_only=True)
class Units:
    """What is kept or dropped as one: a feature, or a group of them."""

    of: Positions  # int64, shape (p,): the unit of each feature, from 0
    cost: Floats  # float64, shape (units,): by which the score of a unit is divided
    stays: np.ndarray  # bool, shape (units,): which are never dropped, and stand before the others

    @classmethod
    def made(cls, p: int, first: Ints | None = None, cost: Floats | None = None, stays: Sequence[int] = ()) -> Self:
        """Return the units of features.

        Parameters
        ----------
        p : int
        first : ndarray of int, shape (p,), optional
            The first feature of each one's group; a group for each feature by default.
        cost : ndarray of float64, shape (p,), optional
            What each feature costs, 1 by default; a group costs what its dearest feature does.
        stays : sequence of int, default ()
            Features that are never dropped, nor is any of their groups.

        Returns
        -------
        Units
        """
        of = np.unique(np.arange(p) if first is None else first, return_inverse=True)[1].astype(np.int64)
        costs = np.ones(int(of.max()) + 1)
        if cost is not None:
            np.maximum.at(costs, of, cost)
        return cls(of=of, cost=costs, stays=np.isin(np.arange(len(costs)), of[list(stays)]))

    def __len__(self) -> int:
        return len(self.cost)

    def ranked(
        self, features: Positions, scores: Floats, chance: np.random.Generator, varies: np.ndarray | None = None
    ) -> tuple[Positions, Positions]:
        """Order features by the scores of their units, and within a unit by their own.

        Parameters
        ----------
        features : ndarray of int64, shape (m,)
            All features of some units.
        scores : ndarray of float64, shape (m,)
        chance : Generator
            Orders equal scores.
        varies : ndarray of bool, shape (m,), optional
            Which have more than one value, by default all. Units without any are last: a score of 0 is more than that
            of a feature that misleads, but no forest can be grown on them.

        Returns
        -------
        order : ndarray of int64, shape (m,)
            Places in `features`, the best first.
        ends : ndarray of int64, shape (units,)
            How many features the first unit has, the first two, and so on.
        """
        units, place = np.unique(self.of[features], return_inverse=True)
        summed, cost = np.bincount(place, scores, len(units)), self.cost[units]
        # A score per cost; a unit that misleads does not gain by its cost.
        worth: Floats = np.where(summed > 0, summed / cost, summed * cost)
        if varies is not None:
            worth[np.bincount(place, varies, len(units)) == 0] = -np.inf
        best = descending(worth, chance)
        best = best[np.argsort(~self.stays[units[best]], kind="stable")]
        rank = np.empty(len(units), dtype=np.int64)
        rank[best] = np.arange(len(units))
        sizes = np.bincount(place, minlength=len(units))[best]
        return np.lexsort((-scores, rank[place])), np.cumsum(sizes).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Round:
    """One round of an elimination."""

    features: Positions  # int64, shape (m,): the features scored, the best unit first
    scores: Floats  # float64, shape (m,): their scores, in that order
    forest: Floats  # float64, shape (m,): their credit in the forest
    ridge: Floats  # float64, shape (m,): their credit in the ridge regression; 0 without one
    weights: tuple[float, float]  # of forest and ridge in the score
    ends: Positions  # int64, shape (units,): how many features the first unit has, the first two, and so on
    n_kept: int  # how many features go on to the next round


@dataclass(frozen=True, eq=False)
class Elimination:
    """The whole path: which features are kept at each size."""

    order: Positions  # int64, shape (m,): the features of the pool, the best unit first
    ends: Positions  # int64, shape (units,): the first ends[k - 1] features are the subset of k units
    rounds: tuple[Round, ...]

    def enough(self, units: Units, size: int) -> int:
        """Return the largest size, at most this one, none of whose units has a score below 0; at least 1.

        Scores are those of the last round that had them all. Units that are never dropped count in any case.
        """
        while size > 1:
            last = next(one for one in reversed(self.rounds) if len(one.ends) >= size)
            scores = np.bincount(units.of[last.features], last.scores, len(units))
            kept = units.of[last.features[last.ends[:size] - 1]]
            good = max(1, int(((scores >= 0) | units.stays)[kept].sum()))
            if good == size:
                break
            size = good
        return size


def eliminate(
    data: TreeData,
    rule: EliminationRule,
    *,
    smallest: int = 1,
    weight: Floats | None = None,
    units: Units | None = None,
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
    rule : EliminationRule
    smallest : int, default 1
        The smallest size that is asked for.
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0 and 1 on average; 1 each by default.
    units : Units, optional
        What is kept or dropped as one, and its cost; by default each feature. Sizes are counted in units.
    seed : int
    n_jobs : int, optional
        Threads; the answer does not depend on them.
    watch : callable, optional
        Gets the number of units before each round.

    Returns
    -------
    Elimination

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.elimination import EliminationRule, eliminate
    >>> from pyrrf.selectors.growing import TreeData
    >>> x = np.random.default_rng(1).standard_normal((80, 6))
    >>> y = (x[:, 4] + 0.5 * x[:, 2] > 0).astype(np.int32)
    >>> data = TreeData(values=x, ncat=np.ones(6, np.int32), response=y, nclass=2)
    >>> eliminate(data, EliminationRule(n_trees=50), seed=1).order[:2].tolist()
    [4, 2]
    """
    task = _Task(data, rule, weight, units or Units.made(data.shape[1]), np.random.default_rng(seed), n_jobs)
    left = task.pool()
    order, ends, rounds = left.copy(), np.zeros(0, dtype=np.int64), []
    size = min(len(task.units), rule.pool)
    while size >= smallest:
        watch(size)
        found = task.round(left)
        rounds.append(found)
        order[: len(left)] = found.features
        ends = np.concatenate([found.ends, ends[size:]])
        if size == 1:
            break
        size = next_size(size, rule.drop)
        left = found.features[: found.n_kept]
    return Elimination(order, ends, tuple(rounds))


@dataclass(frozen=True, eq=False)
class _Task:
    """What the rounds of one elimination share."""

    data: TreeData
    rule: EliminationRule
    weight: Floats | None
    units: Units
    chance: np.random.Generator
    n_jobs: int | None

    def round(self, left: Positions) -> Round:
        """Score the features that are left."""
        part = self.data.columns(left)
        target, seed = target_of(part), int(self.chance.integers(_SEEDS))
        forest = forest_credit(part, n_trees=self.rule.n_trees, seed=seed, weight=self.weight, n_jobs=self.n_jobs)
        if self.rule.linear:
            ridge = _ridge(part, target, self.weight)
            weights = skill(forest, ridge, target, self.weight)
        else:
            ridge, weights = Credit(np.zeros(len(left)), np.zeros(target.shape)), (1.0, 0.0)
        scores = weights[0] * forest.credit + weights[1] * ridge.credit
        best, ends = self.units.ranked(left, scores, self.chance, varying(part.dense))
        kept = int(ends[next_size(len(ends), self.rule.drop) - 1])
        return Round(left[best], scores[best], forest.credit[best], ridge.credit[best], weights, ends, kept)

    # ---- the first round ---------------------------------------------------------------------------

    def pool(self) -> Positions:
        """Return the features of the first round: those of the best units, if there are many."""
        every = np.arange(self.data.shape[1], dtype=np.int64)
        if len(self.units) <= self.rule.pool:
            return every
        decrease = self._decrease()
        scores = decrease if self.rule.pool_by == "mdi" else self._entries(decrease)
        order, ends = self.units.ranked(every, scores, self.chance)
        return every[order[: ends[self.rule.pool - 1]]]

    def _decrease(self) -> Floats:
        """Return the decrease of impurity by each feature in ordinary trees."""
        p = self.data.shape[1]
        rule, seed = replace(ordinary_rule(p), weighted=self.weight is not None), int(self.chance.integers(_SEEDS))
        requests = [TreeRequest(seed=seed, stream=i, row_weight=self.weight) for i in range(_POOL_TREES)]
        found = np.zeros(p)
        for grown in TreeMaker(self.data, rule, self.n_jobs).grow_all(requests):
            found += by_feature(grown.tree, grown.decrease, p)
        return found

    def _entries(self, decrease: Floats) -> Floats:
        """Return in how many guided regularized forests each feature is used; equal ones by the guide."""
        p = self.data.shape[1]
        share = decrease / max(float(decrease.max()), 1e-300)
        rule = TreeRule(
            mtry=max(1, int(np.sqrt(p))), coef_reg=1 - _GAMMA + _GAMMA * share, weighted=self.weight is not None
        )
        maker, counts = TreeMaker(self.data, rule, 1), np.zeros(p)
        for _ in range(_RUNS):
            used, seed = np.zeros(p, np.int32), int(self.chance.integers(_SEEDS))
            for stream in range(_RUN_TREES):
                request = TreeRequest(seed=seed, stream=stream, used=used, row_weight=self.weight)
                used = features_used(used, maker.grow(request).tree)
            counts += used
        return counts + share / 2


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


def _ridge(data: TreeData, target: Floats, weight: Floats | None) -> Credit:
    """Return the credit in a ridge regression: what is missing is the mean, a category a column of its own.

    Features of many categories have no say.
    """
    columns: list[Floats] = []
    owner: list[int] = []
    for j, (values, levels) in enumerate(zip(data.dense.T.astype(np.float64), data.ncat.tolist(), strict=True)):
        known = ~np.isnan(values)
        if levels > _MOST_COLUMNS:
            continue
        if levels > 1:
            columns += [(values == level + 1).astype(np.float64) for level in range(levels)]
        else:
            columns.append(np.where(known, values, values[known].mean() if known.any() else 0.0))
        owner += [j] * (len(columns) - len(owner))
    if not columns:
        return Credit(np.zeros(data.shape[1]), np.zeros(target.shape))
    found = ridge_credit(np.stack(columns, axis=1), target, weight)
    return replace(found, credit=np.bincount(owner, found.credit, data.shape[1]).astype(np.float64))


def skill(forest: Credit, ridge: Credit, target: Floats, weight: Floats | None = None) -> tuple[float, float]:
    """Return the weights, none of them negative, with which two predictions together come nearest to the target.

    Parameters
    ----------
    forest, ridge : Credit
    target : ndarray of float64, shape (n, k)
    weight : ndarray of float64, shape (n,), optional

    Returns
    -------
    tuple of float
        Of the forest and of the ridge regression; predictions and target are taken less the target's mean. 1 and 0
        where neither predicts: the forest's credits still order the features better than chance.
    """
    mean = np.average(target, axis=0, weights=weight)
    root = 1.0 if weight is None else np.sqrt(weight)[:, None]
    sides = np.stack([(root * (each.prediction - mean)).ravel() for each in (forest, ridge)])
    wanted = (root * (target - mean)).ravel()
    both = np.linalg.lstsq(sides.T, wanted, rcond=None)[0]
    if (both >= 0).all():
        return float(both[0]), float(both[1])
    # With two of them, the least error is then where one is 0.
    sizes, products = (sides**2).sum(axis=1), sides @ wanted
    alone = np.maximum(np.divide(products, sizes, out=np.zeros(2), where=sizes > 0), 0)
    gains = alone * products
    if not gains.any():
        return 1.0, 0.0
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
