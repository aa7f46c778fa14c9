"""Factors with more levels than a split can code: their levels are ordered once, before growing.

The column then counts as a number, and a split search tries k - 1 cuts instead of 2^(k-1) subsets. For two
classes and for numbers, the best subset at a node that holds all rows is one of these cuts.

Wright, M. N. & König, I. R. (2019), Splitting on categorical predictors in random forests, PeerJ 7:e6339,
the method "order". Coppersmith, D., Hong, S. J. & Hosking, J. R. M. (1999), Partitioning nominal attributes
in decision trees, Data Mining and Knowledge Discovery 3, for more than two classes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf.data.inputs import MAX_CATEGORIES, Factor, Predictors


def order_wide_factors(x: Predictors, response: Factor | np.ndarray, weights: np.ndarray | None = None) -> Predictors:
    """Replace the factors of `x` that have more levels than a split can code by numbers.

    Parameters
    ----------
    x : Predictors
        If it has factors, its matrix is a copy of the user's data, and this function writes to it.
    response : Factor or ndarray of float64, shape (n,)
    weights : ndarray of float64, shape (n,), optional
        Weight of each row; 1 by default.

    Returns
    -------
    Predictors
        `coded` holds the order of the levels; missing values are NaN.
    """
    wide = [position for position, column in x.coded.items() if column.ncat > MAX_CATEGORIES]
    if not wide:
        return x
    coded = dict(x.coded)
    for position in wide:
        column, values = coded[position], x.values[:, position]
        k = len(column.levels)
        codes = np.where(values <= k, values, np.nan)
        ranks = level_ranks(codes, k, response, weights)
        coded[position] = replace(column, missing=False, order=tuple(ranks.tolist()))
        x.values[:, position] = coded[position].place(codes)
    return replace(x, coded=coded)


def level_ranks(
    codes: np.ndarray, k: int, response: Factor | np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Return the rank from 1 of each level by the responses of its rows; 0 for a level without rows.

    Parameters
    ----------
    codes : ndarray of float64, shape (n,)
        Levels from 1 to `k`; NaN is left out.
    k : int
    response : Factor or ndarray of float64, shape (n,)
        Numbers order levels by their mean, two classes by the share of the second one, more classes by
        the first principal component of their shares.
    weights : ndarray of float64, shape (n,), optional
        Weight of each row; rows of weight 0 are left out.

    Returns
    -------
    ndarray of int64, shape (k,)
        Levels with equal scores keep their order.
    """
    weights = np.ones(len(codes)) if weights is None else weights
    rows = np.flatnonzero(~np.isnan(codes) & (weights > 0))
    ranks = np.zeros(k, dtype=np.int64)
    if len(rows) == 0:
        return ranks
    levels, weights = codes[rows].astype(np.int64) - 1, weights[rows]
    sizes = np.bincount(levels, weights, k)
    present = np.flatnonzero(np.bincount(levels, minlength=k))
    if isinstance(response, Factor):
        flat = levels * len(response.levels) + response.codes[rows]
        counts = np.bincount(flat, weights, k * len(response.levels)).reshape(k, -1)
        scores = _class_scores(counts[present], sizes[present])
    else:
        # The mean is subtracted because a common part of all responses would cost digits.
        sums = np.bincount(levels, weights * (response[rows] - response[rows].mean()), k)
        scores = sums[present] / sizes[present]
    ranks[present[np.argsort(scores, kind="stable")]] = np.arange(1, len(present) + 1)
    return ranks


def _class_scores(counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the score of each level, from its counts of classes, shape (levels, nclass)."""
    shares = counts / sizes[:, np.newaxis]
    if shares.shape[1] == 2:
        return np.asarray(shares[:, 1])
    centred = shares - np.average(shares, axis=0, weights=sizes)
    covariance = (centred * sizes[:, np.newaxis]).T @ centred
    component = np.linalg.eigh(covariance)[1][:, -1]
    # The sign of a component is arbitrary; make its largest entry positive.
    component = component * np.sign(component[np.argmax(np.abs(component))])
    # Summed row by row, so that equal shares have equal scores.
    return np.asarray((shares * component).sum(axis=1))
