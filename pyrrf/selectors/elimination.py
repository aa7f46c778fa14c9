"""Elimination: the features with the least credit are dropped, and the others scored anew, until few are left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pyrrf.data.predictors import varying
from pyrrf.selectors.credit import by_feature, forest_credit
from pyrrf.selectors.forest import OrdinaryForest, rule_by_rows, target_of
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.selectors.left_out import MOST_LOSS, losses_without, shrunk
from pyrrf.selectors.ridge import Ridge
from pyrrf.selectors.row_subsampler import RowSubsampler
from pyrrf.selectors.skill import skill
from pyrrf.selectors.units import Units
from pyrrf.types import Floats, Ints, Positions

# Trees that choose the pool; of many rows, on so many parts.
_POOL_TREES, _POOL_PARTS = 500, 5
_SEEDS = 1 << 62
# Where at most so many units are left, a forest is also grown without each that may be dropped: how many trees it has
# at least and at most, and how many rows all of them have together.
_LEFT_OUT, _LEFT_OUT_TREES, _LEFT_OUT_ROWS = 20, (20, 50), 60_000
# Categories of a feature in the ridge regression, a column each; fewer where there would be more columns in all.
_MOST_LEVELS, _MOST_COLUMNS = 32, 500


@dataclass(frozen=True, kw_only=True)
class EliminationRule:
    """Settings of an elimination."""

    pool: int = 100  # of more units, so many enter the first round, by the decrease of impurity in ordinary trees
    step: int | float = 0.3  # the number or the share of the units that a round drops, at least one
    n_trees: int = 100  # of a round
    max_samples: int | None = None  # of more rows a round sees so many, the rounds others in turn


@dataclass(frozen=True, eq=False)
class Round:
    """One round of an elimination."""

    features: Positions  # int64, shape (m,): the features scored, the best unit first, and the first dropped last
    scores: Floats  # float64, shape (m,): their scores, in that order
    # float64, shape (m,): their credit in the forests, half by this round and half by those before
    credit: Floats
    # float64, shape (m,): part of the forests in the score: that credit, or the loss of a forest without it
    forest: Floats
    # float64, shape (m,): their credit in the ridge regression when the unit was dropped, or at the end; 0 without one
    ridge: Floats
    weights: tuple[float, float]  # of forest and ridge in the score
    ends: Positions  # int64, shape (units,): number of features of the first unit, of the first two, and so on
    n_kept: int  # number of features in the next round


@dataclass(frozen=True, eq=False)
class Elimination:
    """The whole path: the features kept at each size."""

    order: Positions  # int64, shape (m,): the features of the pool, the best unit first
    ends: Positions  # int64, shape (units,): the first ends[k - 1] features are the subset of k units
    rounds: tuple[Round, ...]

    def largest_useful_size(self, units: Units, size: int) -> int:
        """Return the largest size, at most this one, none of whose units has a score below 0; at least 1.

        Scores are those of the last round that had them all. Units that are never dropped count in any case.
        """
        while size > 1:
            last = next(one for one in reversed(self.rounds) if len(one.ends) >= size)
            scores = np.bincount(units.of[last.features], last.scores, len(units))
            kept = units.of[last.features[last.ends[:size] - 1]]
            good = max(1, int(((scores >= 0) | units.never_dropped)[kept].sum()))
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
    how well it predicts rows that it did not see, and drops a share of them, one after the other: each time the ridge
    regression does without the last one. Of at most 20 units the forest's credit is the loss of a forest that is
    grown without the unit, as far as that is certain; units whose credit is too high to be dropped then are not tried.
    The subsets are nested.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    rule : EliminationRule
    smallest : int, default 1
        The smallest size that is asked for.
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0 and 1 on average; 1 each by default. Rows of rare classes count more:
        `weigh_rare_classes`.
    units : Units, optional
        Groups of features and their costs; by default each feature is a unit. Sizes are counted in units.
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
    chance = np.random.default_rng(seed)
    subsampler = RowSubsampler(data, rule.max_samples, chance)
    if not subsampler.is_active:  # all rounds see the same rows
        weight = weigh_rare_classes(data.response, data.nclass, weight)
        data = data.with_ranks(TreeRule(mtry=1, weighted=weight is not None), n_jobs)
    task = _Rounds(data, rule, weight, units or Units.from_groups(data.shape[1]), subsampler, chance, n_jobs)
    left = task.pool()
    chosen_from = task.count_candidates(left)
    order, ends, rounds = left.copy(), np.zeros(0, dtype=np.int64), []
    size, before = min(len(task.units), rule.pool), None
    while size >= smallest:
        watch(size)
        last = task.round(left, before, chosen_from)
        rounds.append(last)
        order[: len(left)] = last.features
        ends = np.concatenate([last.ends, ends[size:]])
        if size == 1:
            break
        size = next_size(size, rule.step)
        left, before = last.features[: last.n_kept], last.credit[: last.n_kept]
    return Elimination(order, ends, tuple(rounds))


@dataclass(frozen=True, eq=False)
class _Rounds:
    """State shared by the rounds of one elimination."""

    data: TreeData
    rule: EliminationRule
    weight: Floats | None
    units: Units
    subsampler: RowSubsampler
    chance: np.random.Generator
    n_jobs: int | None

    def count_candidates(self, pool: Positions) -> int:
        """Return the number of units, in the pool or not, that can have columns in a ridge regression."""
        return len(np.unique(self.units.of[self.data.ncat <= _most_levels(self.data.ncat[pool])]))

    def next_rows(self) -> tuple[Positions | None, Floats | None]:
        """Return the rows of the next subsample, None for all, and their weights."""
        rows = self.subsampler.next()
        if rows is None:
            return rows, self.weight
        weight = None if self.weight is None else self.weight[rows]
        return rows, weigh_rare_classes(self.data.response[rows], self.data.nclass, weight)

    def round(self, left: Positions, before: Floats | None, chosen_from: int) -> Round:
        """Score the features that are left.

        `before` has their credits in the forests of earlier rounds; `chosen_from` is that of `Ridge`.
        """
        every = self.data.columns(left)
        varies, (rows, weight) = varying(every.dense), self.next_rows()
        seed = int(self.chance.integers(_SEEDS))
        plan = OrdinaryForest(n_trees=self.rule.n_trees, seed=seed, weight=weight, n_jobs=self.n_jobs)
        sample = every.take(rows)
        sample = sample.with_ranks(plan.rule_for(sample), self.n_jobs)  # once for the forest and those without a unit
        grown = forest_credit(sample, plan)
        credit = grown.credit if before is None else (before + grown.credit) / 2
        linear = _ridge(sample, self.units.of[left], weight, chosen_from)
        weights = skill(grown.prediction, linear.prediction, target_of(sample), weight)
        forest = self._left_out(left, sample, credit - charge_levels(sample, weight), plan, weights, linear)
        ridge, dropped = self._one_by_one(left, varies, weights[0] * forest, weights[1], linear)
        scores = weights[0] * forest + weights[1] * ridge
        best, ends = self.units.rank(left, scores, self.chance, varies, dropped)
        n_kept = int(ends[next_size(len(ends), self.rule.step) - 1])
        return Round(left[best], scores[best], credit[best], forest[best], ridge[best], weights, ends, n_kept)

    def _left_out(
        self,
        left: Positions,
        data: TreeData,
        credit: Floats,
        plan: OrdinaryForest,
        weights: tuple[float, float],
        linear: Ridge,
    ) -> Floats:
        """Return each feature's credit; of few units, its share of the loss of a forest without its unit."""
        units, place, summed = self.units.sum_by_unit(left, credit)
        if not 1 < len(units) <= _LEFT_OUT:
            return credit
        ridge = np.zeros(len(units))
        ridge[np.searchsorted(units, linear.blocks)] = weights[1] * linear.credit()
        tried = self._find_units_at_risk(units, weights[0] * summed, ridge)
        if not len(tried):
            return credit
        trees = int(np.clip(_LEFT_OUT_ROWS // len(data.response), *_LEFT_OUT_TREES))
        losses, errors = losses_without(data, place, replace(plan, n_trees=min(trees, plan.n_trees)), tried)
        summed[tried] = shrunk(losses, errors, summed[tried])
        return (summed / np.bincount(place))[place]

    def _find_units_at_risk(self, units: Positions, credit: Floats, ridge: Floats) -> Positions:
        """Return the places of the units that may be dropped: those a loss of 0 would bring among the last.

        The others can still be dropped, though few are: where those that are tried gain by it, or where the ridge
        regression needs one of them more when a like one is gone.
        """
        free = np.flatnonzero(~self.units.never_dropped[units])
        scores = self.units.score_per_cost(units, credit + ridge)[free]
        least = self.units.score_per_cost(units, np.minimum(credit, (1 - MOST_LOSS) * credit) + ridge)[free]
        n_dropped = min(len(units) - next_size(len(units), self.rule.step), len(free))
        return free[least <= np.sort(scores)[n_dropped - 1]] if len(free) else free

    def _one_by_one(
        self, left: Positions, varies: np.ndarray, forest: Floats, weight: float, linear: Ridge
    ) -> tuple[Floats, list[int]]:
        """Drop the units of a round one after the other, the ridge regression doing without them.

        Returns each feature's credit in that regression, an equal share of its unit's, and the units dropped.
        """
        units, place, base = self.units.sum_by_unit(left, forest, varies)
        credit, live, dropped = np.zeros(len(units)), np.ones(len(units), bool), list[int]()
        keep, lots = next_size(len(units), self.rule.step), self.chance.random(len(units))
        while True:
            places = np.searchsorted(units, linear.blocks)  # units of factors of many levels have no columns in it
            credit[places] = linear.credit()
            free = live & ~self.units.never_dropped[units]
            if weight <= 0 or live.sum() <= keep or not free.any():
                return (credit / np.bincount(place))[place], dropped
            per_cost = self.units.score_per_cost(units, base + weight * credit)
            last = int(np.lexsort((lots, per_cost, ~free))[0])
            live[last] = False
            dropped.append(int(units[last]))
            if units[last] in linear.blocks:
                linear.drop(int(units[last]))

    # ---- the first round ---------------------------------------------------------------------------

    def pool(self) -> Positions:
        """Return the features of the first round: those of the best units, if there are many."""
        every = np.arange(self.data.shape[1], dtype=np.int64)
        if len(self.units) <= self.rule.pool:
            return every
        order, ends = self.units.rank(every, self._decrease(), self.chance)
        return every[order[: ends[self.rule.pool - 1]]]

    def _decrease(self) -> Floats:
        """Return the decrease of impurity by each feature in ordinary trees; of many rows, on some in turn."""
        p = self.data.shape[1]
        rule, decrease = rule_by_rows(*self.data.shape), np.zeros(p)
        parts = _POOL_PARTS if self.subsampler.is_active else 1
        for _ in range(parts):
            (rows, weight), seed = self.next_rows(), int(self.chance.integers(_SEEDS))
            requests = [TreeRequest(seed=seed, stream=i, row_weight=weight) for i in range(_POOL_TREES // parts)]
            weighted = replace(rule, weighted=weight is not None)
            for grown in TreeMaker(self.data.take(rows), weighted, self.n_jobs).grow_all(requests):
                decrease += by_feature(grown.tree.split_var, grown.decrease, p)
        return decrease


def weigh_rare_classes(response: np.ndarray, nclass: int, weight: Floats | None = None) -> Floats | None:
    """Return weights by which each class counts as much as the square root of its weight in `weight`.

    The squared error of class probabilities is mostly that of the common classes. With the root, features that
    distinguish a class of a tenth of the rows are kept more often, and predict it better, also by that error.

    Parameters
    ----------
    response : ndarray, shape (n,)
    nclass : int
        1 for regression.
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.

    Returns
    -------
    ndarray of float64, shape (n,), or None
        1 on average. `weight` itself in regression, and where classes count alike.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.elimination import weigh_rare_classes
    >>> weigh_rare_classes(np.array([0, 0, 0, 0, 1]), 2).round(2).tolist()
    [0.83, 0.83, 0.83, 0.83, 1.67]
    """
    if nclass == 1:
        return weight
    totals = np.bincount(response, weight, nclass)
    if np.ptp(totals[totals > 0]) <= 1e-9 * totals.max():
        return weight
    rows = (1.0 if weight is None else weight) / np.sqrt(totals[response])
    return np.asarray(rows / rows.mean(), dtype=np.float64)


def charge_levels(data: TreeData, weight: Floats | None) -> Floats:
    """Return a charge on the credit of each feature in a forest: more for a factor of more levels.

    Of features of noise all have a credit of 0 on average, but that of a factor varies about as the root of its levels
    less one, and among the selected there would be those with the most levels. A model has a column for each of them.

    Parameters
    ----------
    data : TreeData
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.

    Returns
    -------
    ndarray of float64, shape (p,)
        ``(sqrt(levels - 1) - 1)`` times the variance of the target, summed over its columns, over n; 0 of numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.elimination import charge_levels
    >>> from pyrrf.selectors.growing import TreeData
    >>> y = np.array([0, 0, 0, 1, 1], np.int32)
    >>> ncat = np.array([1, 2, 5], np.int32)
    >>> data = TreeData(values=np.ones((5, 3)), ncat=ncat, response=y, nclass=2)
    >>> charge_levels(data, None).round(3).tolist()
    [0.0, 0.0, 0.096]
    """
    target = target_of(data)
    spread = np.average((target - np.average(target, axis=0, weights=weight)) ** 2, axis=0, weights=weight).sum()
    return np.asarray((np.sqrt(np.maximum(data.ncat - 1.0, 1.0)) - 1.0) * spread / len(target))


def next_size(size: int, step: int | float) -> int:
    """Return the number of features that a round keeps.

    Parameters
    ----------
    size : int
        Features that it scores.
    step : int or float
        How many it drops, or which share of them.

    Returns
    -------
    int
        At least 1.
    """
    kept = size - step if isinstance(step, int) else int((1 - step) * size)
    return max(1, min(size - 1, kept))


def _most_levels(ncat: Ints) -> int:
    """Return the number of categories above which a feature has no columns in the ridge regression."""
    most = _MOST_LEVELS
    while most > 1 and ncat[ncat <= most].sum() > _MOST_COLUMNS:
        most //= 2
    return most


def _ridge(data: TreeData, units: Positions, weight: Floats | None, chosen_from: int) -> Ridge:
    """Return the ridge regression, a block for each unit; a missing number is the mean, each category has a column.

    Features of many categories have no columns.
    """
    most = _most_levels(data.ncat)
    columns: list[Floats] = []
    block: list[int] = []
    for j, (values, levels) in enumerate(zip(data.dense.T.astype(np.float64), data.ncat.tolist(), strict=True)):
        known = ~np.isnan(values)
        if levels > most:
            continue
        if levels > 1:
            columns += [(values == level + 1).astype(np.float64) for level in range(levels)]
        else:
            columns.append(np.where(known, values, values[known].mean() if known.any() else 0.0))
        block += [int(units[j])] * (len(columns) - len(block))
    table = np.stack(columns, axis=1) if columns else np.zeros((len(data.response), 0))
    return Ridge(table, target_of(data), np.array(block, dtype=np.int64), weight, chosen_from)
