"""RBoost of Deng and Runger, rounds without an estimator around: AdaBoost.M1 of trees that share one F."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyrrf._core.records import GrownTree
from pyrrf.selectors.growing import TreeMaker, TreeRequest, features_used
from pyrrf.types import Floats, Ints

# Weka takes two errors that are nearer than this for equal.
_SAME = 1e-6
# A round's draws of a bag have streams that are this far apart, so that those of different rounds never meet.
_DRAW = 2**32


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostingRound:
    """One round of boosting."""

    grown: GrownTree
    error: float  # weighted share of the rows that the tree gets wrong, by the weights before this round
    vote: float  # what the tree's vote counts, log((1 - error) / error); 1 for a tree that ends the boosting
    used: Ints  # int32, shape (p,): F after this round: 1 for the features in it
    end: str  # {"", "no error", "error of one half"}: why there is no further round; empty where there is one


def boosted_weights(weight: Floats, wrong: np.ndarray) -> tuple[float, float, Floats]:
    """One step of AdaBoost.M1: how wrong a classifier was, what its vote counts, and the weights that follow.

    The error is the weight of the rows that it gets `wrong`; weights add up to 1. The vote counts log((1 - error) /
    error), infinite for an error of 0 or 1, which leaves the weights as they were. Otherwise those of the wrong rows
    are multiplied by (1 - error) / error, and all divided by their sum, so that the wrong rows have half of it.

    Notes
    -----
    Freund and Schapire, Experiments with a new boosting algorithm, 1996, figure 1, where the rows that are right are
    multiplied by error / (1 - error); after the division that is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.rboost.rounds import boosted_weights
    >>> error, vote, weight = boosted_weights(np.full(5, 0.2), np.array([True, False, False, False, False]))
    >>> round(error, 3), round(vote, 3), weight
    (0.2, 1.386, array([0.5  , 0.125, 0.125, 0.125, 0.125]))
    """
    weight, wrong = np.asarray(weight, np.float64), np.asarray(wrong)
    if wrong.dtype != bool:  # numbers would be taken for positions
        raise ValueError(f"wrong must hold True and False, not dtype {wrong.dtype}")
    if weight.shape != wrong.shape or not (weight >= 0).all() or not math.isclose(weight.sum(), 1, abs_tol=1e-6):
        raise ValueError("weight: pass a weight for each row, not negative, that add up to 1")
    error = min(1.0, float(weight[wrong].sum()))
    if error in (0.0, 1.0):
        return error, math.inf if error == 0 else -math.inf, weight
    odds = (1 - error) / error
    raised = np.where(wrong, weight * odds, weight)
    return error, math.log(odds), raised / raised.sum()


def boosting_rounds(
    maker: TreeMaker, weight: Floats, *, seed: int, resample: bool = True, max_draws: int = 10
) -> Iterator[BoostingRound]:
    """Grow trees for classes one after the other, each on the rows that those before got wrong, with one F for all.

    `weight` are those of the rows in round 1. With `resample` a tree grows on n rows drawn by their weights, with
    replacement, and a round may draw `max_draws` bags until its tree gets at least one row wrong; otherwise trees grow
    on all rows, with their weights, and the maker's rule takes weights. Each round has its own random streams. Rounds
    end with the first one whose error is 0 or at least 1/2; Weka drops its tree unless it is the first one.

    Notes
    -----
    Deng and Runger, Feature selection via regularized trees, 2012, algorithm 2. Errors are measured on all rows, in
    the bag or not, by the leaf that each row reached while the tree grew. As Weka's AdaBoostM1, with ``-Q`` for bags.
    A tree that is drawn again leaves nothing in F.
    """
    p = maker.data.shape[1]
    used, weight = np.zeros(p, np.int32), weight / weight.sum()
    for number in itertools.count():
        for draw in range(max_draws if resample else 1):
            grown = maker.grow(_request(weight, used, seed=seed, number=number, draw=draw, resample=resample))
            error, vote, next_weight = boosted_weights(weight, predicted_rows(grown) != maker.data.response)
            if error >= _SAME:
                break
        end = _end(error)
        used = features_used(used, grown.tree)
        yield BoostingRound(grown=grown, error=error, vote=1.0 if end else vote, used=used, end=end)
        if end:
            return
        weight = next_weight


def predicted_rows(grown: GrownTree) -> Ints:
    """Return the class, from 0, of the leaf that each training row reached: int32, shape (n,)."""
    if grown.leaves is None:
        raise ValueError("grown: its leaves were not reported; ask for them with leaves=True")
    return (grown.tree.prediction[grown.leaves - 1] - 1).astype(np.int32)


def _request(weight: Floats, used: Ints, *, seed: int, number: int, draw: int, resample: bool) -> TreeRequest:
    """Return what a round asks for: a tree on a bag drawn by the weights, or on all rows with their weights."""
    n = weight.size
    count = np.ones(n, np.int32)
    if resample:
        count = np.random.default_rng([seed, number, draw]).multinomial(n, weight).astype(np.int32)
    row_weight = None if resample else weight * n
    stream = number + draw * _DRAW
    return TreeRequest(seed=seed, stream=stream, used=used, count=count, row_weight=row_weight, leaves=True)


def _end(error: float) -> str:
    if error < _SAME:
        return "no error"
    return "error of one half" if error > 0.5 - _SAME else ""
