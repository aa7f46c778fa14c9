"""Weights of a forest and of a ridge regression, by their predictions for rows that they did not see."""

from __future__ import annotations

import numpy as np

from pyrrf.types import Floats

# A ridge regression that adds this much to a forest, as an F statistic, or less counts nothing.
_CHANCE = 4.0


def skill(forest: Floats, ridge: Floats, target: Floats, weight: Floats | None = None) -> tuple[float, float]:
    """Return the weights of two predictions, by which they come nearest to the target together.

    None is negative. That of the ridge regression is shrunk by what it may add by chance: without any skill its credits
    are noise, and would bury features that matter by interactions, which the forest finds.

    Parameters
    ----------
    forest, ridge : ndarray of float64, shape (n, k)
        Predictions of rows that were not seen.
    target : ndarray of float64, shape (n, k)
    weight : ndarray of float64, shape (n,), optional

    Returns
    -------
    tuple of float
        Of the forest and of the ridge regression; predictions and target are taken less the target's mean. 1 and 0
        where neither predicts: the forest's credits still order the features better than chance.

    Notes
    -----
    As of James and Stein: less the share that 4 is of the squared error that the regression saves, in units of the
    error that is left in a row.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.skill import skill
    >>> chance = np.random.default_rng(1)
    >>> target, noise = chance.standard_normal((100, 1)), chance.standard_normal((100, 1))
    >>> [np.round(skill(*both, target), 1).tolist() for both in ((target + noise, noise), (target + noise, target))]
    [[0.4, 0.0], [0.0, 1.0]]
    """
    mean = np.average(target, axis=0, weights=weight)
    root = 1.0 if weight is None else np.sqrt(weight)[:, None]
    sides = np.stack([(root * (each - mean)).ravel() for each in (forest, ridge)])
    wanted = (root * (target - mean)).ravel()
    alone, together = np.array([_alone(sides, wanted)[0], 0.0]), nearest(sides, wanted)
    before, after = wanted - alone @ sides, wanted - together @ sides
    added = float((before**2).sum() - (after**2).sum()) * max(len(target) - 2, 1)
    # Of rows that count w noise saves the mean of w^2 times the squared error.
    chance = float(((root * after.reshape(target.shape)) ** 2).sum())
    share = max(0.0, 1 - _CHANCE * chance / added) if added > 0 else 0.0
    shrunk = alone + share * (together - alone)
    return (float(shrunk[0]), float(shrunk[1])) if shrunk.any() else (1.0, 0.0)


def nearest(sides: Floats, wanted: Floats) -> Floats:
    """Return the weights of two vectors, none of them negative, whose sum is nearest to a third.

    Parameters
    ----------
    sides : ndarray of float64, shape (2, m)
    wanted : ndarray of float64, shape (m,)

    Returns
    -------
    ndarray of float64, shape (2,)
    """
    both = np.linalg.lstsq(sides.T, wanted, rcond=None)[0]
    if (both >= 0).all():
        return np.asarray(both)
    # With two of them, the least error is then where one is 0.
    alone = _alone(sides, wanted)
    return np.where(np.arange(2) == (alone * (sides @ wanted)).argmax(), alone, 0.0)


def _alone(sides: Floats, wanted: Floats) -> Floats:
    """Return the weight that each of two vectors has without the other, at least 0."""
    sizes = (sides**2).sum(axis=1)
    return np.asarray(np.maximum(np.divide(sides @ wanted, sizes, out=np.zeros(2), where=sizes > 0), 0))
