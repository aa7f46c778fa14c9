"""Losses of forests that are grown without a feature, or without a group of features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf.selectors.forest import OrdinaryForest, OutOfBag, target_of
from pyrrf.selectors.growing import TreeData
from pyrrf.types import Floats, Positions

# The largest share of a loss; the rest is the credit. Without shrinkage .5, .7 and .85 were no better.
MOST_LOSS = 0.8


def losses_without(data: TreeData, units: Positions, forest: OrdinaryForest, tried: Positions) -> tuple[Floats, Floats]:
    """Return the loss out of the bag of a forest that is grown without each of some units, and its standard error.

    Correlated features can stand for each other: each has its share of the credit out of the bag, and next to nothing
    of this.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    units : ndarray of int64, shape (p,)
        The unit of each feature; at least two of them.
    forest : OrdinaryForest
    tried : ndarray of int64, shape (k,)
        The units that are left out.

    Returns
    -------
    losses : ndarray of float64, shape (k,)
        Of each of them the increase of the mean squared error, summed over the columns of the
        target; negative where the forest is better without it.
    errors : ndarray of float64, shape (k,)
        The standard error of each, over the rows.
    """
    # A node has as many candidates in all forests, so that they differ by the unit alone.
    target, rule = target_of(data), forest.rule_for(data)

    def squares(features: Positions) -> Floats:
        predictions, same = OutOfBag(data, forest.weight), replace(rule, mtry=min(rule.mtry, len(features)))
        for block in forest.blocks(data.columns(features), same):
            predictions.add(block)
        return np.asarray(((predictions.mean() - target) ** 2).sum(axis=1))

    n, weight = len(target), forest.weight
    share = np.full(n, 1 / n) if weight is None else weight / weight.sum()
    every = squares(np.arange(len(units)))
    more = np.array([squares(np.flatnonzero(units != unit)) for unit in tried]) - every
    losses = more @ share
    return losses, np.sqrt((more - losses[:, None]) ** 2 @ share**2)


def shrunk(losses: Floats, errors: Floats, credit: Floats) -> Floats:
    """Return losses, each drawn to the credit, the more the larger its error is, and by a fifth at least.

    Without that fifth it would be the expected loss, if losses deviated from the credit with one variance for all
    units. Of features that can stand for each other none has a loss; by the fifth the better ones stay longer.

    Parameters
    ----------
    losses, errors, credit : ndarray of float64, shape (k,)
        Of each unit, as of `losses_without` and `forest_credit`.

    Returns
    -------
    ndarray of float64, shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.left_out import shrunk
    >>> shrunk(np.array([0.0, 0.2]), np.array([0.0, 0.1]), np.array([0.1, 0.3])).round(2)
    array([0.02, 0.27])
    """
    variance = max(0.0, float(np.mean((losses - credit) ** 2 - errors**2)))
    share = np.divide(variance, variance + errors**2, out=np.zeros(len(losses)), where=variance > 0)
    return np.asarray(credit + MOST_LOSS * share * (losses - credit))
