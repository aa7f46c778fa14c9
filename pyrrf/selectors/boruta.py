"""Boruta: all features that are more often important than shuffled copies of the features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import comb

import numpy as np

from pyrrf.selectors.credit import trees_credit
from pyrrf.selectors.forest import ordinary_rule
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest
from pyrrf.types import Floats, Ints, Positions

CONFIRMED, TENTATIVE, REJECTED = 1, 0, -1
# Shadows of a round, at least: the largest of fewer is too small.
_FEWEST = 5
# Trees whose nodes are looked at together.
_BLOCK = 64
_SEEDS = 1 << 62


@dataclass(frozen=True, kw_only=True)
class BorutaRule:
    """Settings of the search for relevant features."""

    n_trees: int = 100  # of a round
    max_depth: int = 5  # of a tree; 0 = no bound
    max_rounds: int = 100
    percentile: float = 100.0  # of the importances of the shadows, which a hit exceeds; 100 = the largest
    alpha: float = 0.05  # level of the tests
    # True = Benjamini-Hochberg over the features, and Bonferroni over the rounds; False = Bonferroni over the features
    two_step: bool = True

    def least_rounds(self, p: int) -> int:
        """Return after how many rounds the first of `p` features can be decided."""
        rounds = 1
        while 0.5**rounds > self.alpha / (rounds if self.two_step else p):
            rounds += 1
        return rounds


@dataclass(frozen=True, eq=False)
class BorutaRounds:
    """Result of the rounds."""

    decisions: Ints  # int32, shape (p,): CONFIRMED, TENTATIVE or REJECTED
    hits: Positions  # int64, shape (p,): rounds in which the feature exceeded the shadows
    # float64, shape (rounds, p): in units of importance by chance; NaN in rounds after the rejection
    importances: Floats
    shadows: Floats  # float64, shape (rounds, 4): least, mean and largest importance of the shadows; what a hit exceeds


def boruta(
    data: TreeData,
    rule: BorutaRule,
    *,
    weight: Floats | None = None,
    seed: int,
    n_jobs: int | None = None,
    watch: Callable[[int], None] = lambda rounds: None,
) -> BorutaRounds:
    """Decide for each feature whether it is relevant.

    A round grows a forest on the features that are not rejected and on their shadows: copies, each of which is shuffled
    anew. An importance above those of the shadows, `_in_units_of_chance`, is a hit. A feature with more hits than half
    of the rounds, by a binomial test, is confirmed, and one with fewer is rejected; other features are tested again
    after the next round.

    Parameters
    ----------
    data : TreeData
    rule : BorutaRule
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.
    seed : int
    n_jobs : int, optional
        Threads; the answer does not depend on them.
    watch : callable, optional
        Gets the number of rounds that are done, after each.

    Returns
    -------
    BorutaRounds

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.boruta import BorutaRule, boruta
    >>> from pyrrf.selectors.growing import TreeData
    >>> x = np.random.default_rng(1).standard_normal((200, 4))
    >>> data = TreeData(values=x, ncat=np.ones(4, np.int32), response=(x[:, 2] > 0).astype(np.int32), nclass=2)
    >>> boruta(data, BorutaRule(n_trees=30), seed=1).decisions.tolist()
    [-1, -1, 1, -1]
    """
    p, chance = data.shape[1], np.random.default_rng(seed)
    decisions = np.zeros(p, np.int32)
    rounds: list[tuple[Positions, Floats]] = []
    while (decisions == TENTATIVE).any() and len(rounds) < rule.max_rounds:
        left = np.flatnonzero(decisions != REJECTED)
        both = _with_shadows(data, left, chance)
        scores = importance(both, rule, int(chance.integers(_SEEDS)), weight, n_jobs)
        rounds.append((left, scores.reshape(-1, len(left))))
        importances, shadows = _in_units_of_chance(rounds, p, rule.percentile)
        hits = (importances > shadows[:, 3:]).sum(axis=0)
        verdict = verdicts(hits[left], len(rounds), p, rule)
        decisions[left] = np.where(decisions[left] == TENTATIVE, verdict, decisions[left])
        watch(len(rounds))
    return BorutaRounds(decisions, hits, importances, shadows)


def _in_units_of_chance(rounds: list[tuple[Positions, Floats]], p: int, percentile: float) -> tuple[Floats, Floats]:
    """Return the importances and the shadows of `BorutaRounds`, from those of each round.

    Of a round: the features that were left, and their importances and below them those of their shadows, shape
    (1 + copies, m). By chance, importances of factors of many levels vary more than those of numbers, and those of few
    values less. So each is divided by the root mean square of the importances of the feature's own shadows in all
    rounds so far, to which the median over the features is added once: there may be few, or all 0.
    """
    squares, times = np.zeros(p), np.zeros(p)
    for left, scores in rounds:
        squares[left] += (scores[1:] ** 2).sum(axis=0)
        times[left] += len(scores) - 1
    usual = np.median((squares / times)[squares > 0]) if squares.any() else 1.0
    unit = np.sqrt((squares + usual) / (times + 1))
    importances, shadows = np.full((len(rounds), p), np.nan), np.empty((len(rounds), 4))
    for index, (left, scores) in enumerate(rounds):
        importances[index, left], shadow = scores[0] / unit[left], scores[1:] / unit[left]
        shadows[index] = shadow.min(), shadow.mean(), shadow.max(), np.percentile(shadow, percentile)
    return importances, shadows


def verdicts(hits: Positions, rounds: int, p: int, rule: BorutaRule) -> Ints:
    """Return the verdict on features by their hits.

    Parameters
    ----------
    hits : ndarray of int64, shape (m,)
        Those of the features that are not rejected.
    rounds : int
    p : int
        Features at the start.
    rule : BorutaRule

    Returns
    -------
    ndarray of int32, shape (m,)
        CONFIRMED, TENTATIVE or REJECTED.
    """
    # The chance of at most k hits if each round is a coin toss; the chance of k or more is its mirror image.
    at_most = np.cumsum([comb(rounds, k) / 2**rounds for k in range(rounds + 1)])
    more, fewer = (_significant(chances, rounds, p, rule) for chances in (at_most[rounds - hits], at_most[hits]))
    return np.select([more, fewer], [CONFIRMED, REJECTED], TENTATIVE).astype(np.int32)


def _significant(chances: Floats, rounds: int, p: int, rule: BorutaRule) -> np.ndarray:
    """Return a mask of the p-values that hold after the correction for many tests."""
    if not rule.two_step:
        return np.asarray(chances <= rule.alpha / p)
    ordered, m = np.sort(chances), len(chances)
    below = ordered[ordered <= rule.alpha * np.arange(1, m + 1) / m]
    return np.asarray(chances <= min(below.max(initial=-1.0), rule.alpha / rounds))


def _with_shadows(data: TreeData, left: Positions, chance: np.random.Generator) -> TreeData:
    """Return the features that are left, and behind them their shadows."""
    copied = np.tile(left, -(-_FEWEST // len(left))) if len(left) < _FEWEST else left
    both = replace(data, ranks=None).columns(np.concatenate([left, copied]))
    shadows = both.dense[:, len(left) :]  # `columns` copies
    chance.permuted(shadows, axis=0, out=shadows)
    return both


# ---- importance ------------------------------------------------------------------------------------


def importance(
    data: TreeData, rule: BorutaRule, seed: int, weight: Floats | None = None, n_jobs: int | None = None
) -> Floats:
    """Return the credit of the splits by each feature on rows out of the bag, float64, shape (p,).

    The decrease of impurity in the bag is larger for a factor the more levels it has, related to y or not. So its
    shadow would be more important than any number, and all numbers would be rejected.
    """
    p = data.shape[1]
    grown = replace(ordinary_rule(p), max_depth=rule.max_depth, weighted=weight is not None)
    requests = (TreeRequest(seed=seed, stream=i, row_weight=weight, outside=True) for i in range(rule.n_trees))
    trees, credit = TreeMaker(data, grown, n_jobs).grow_all(requests), np.zeros(p)
    while block := list(islice(trees, _BLOCK)):
        credit += trees_credit(block, data.nclass, p)
    return credit / rule.n_trees
