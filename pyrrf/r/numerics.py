"""R's arithmetic where NumPy's differs in the last bit: variances, medians, logarithms, ties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf import random as _random
from pyrrf.r import extended
from pyrrf.r.extended import EXTENDED
from pyrrf.r.partial import sorted_at

# R's constant that makes mad() consistent for normal data.
_MAD = 1.4826
# For max.col() values are tied if they differ by less than this share of the row's largest one.
_TIE = 1e-5


def total(values: np.ndarray) -> float:
    """R's sum() of doubles, shape (n,)."""
    return float(extended.total(values))


def mean(values: np.ndarray) -> float:
    """R's mean() of doubles, shape (n,); NaN if empty."""
    return extended.mean(values)


def variance(values: np.ndarray) -> float:
    """R's var() of doubles: divisor n - 1, the mean rounded to double; NaN for fewer than two."""
    n = len(values)
    if n < 2:
        return math.nan
    centred = values.astype(EXTENDED) - mean(values)
    return float(np.cumsum(centred * centred)[-1] / (n - 1))


def share(flags: np.ndarray) -> float:
    """R's mean() of logicals."""
    return float(EXTENDED(np.count_nonzero(flags)) / len(flags))


def _row_totals(matrix: np.ndarray) -> np.ndarray:
    out = np.zeros(matrix.shape[0], dtype=EXTENDED)
    for column in matrix.T:
        out += column
    return out


def row_sums(matrix: np.ndarray) -> np.ndarray:
    """R's rowSums(), float64, shape (n,)."""
    return np.asarray(_row_totals(matrix), dtype=np.float64)


def row_means(matrix: np.ndarray) -> np.ndarray:
    """R's rowMeans(), float64, shape (n,)."""
    return np.asarray(_row_totals(matrix) / matrix.shape[1], dtype=np.float64)


def weighted_mean(values: np.ndarray, weights: np.ndarray) -> float:
    """R's weighted.mean(..., na.rm = TRUE): NaN and their weights are left out."""
    known = ~np.isnan(values)
    values, weights = values[known], weights[known]
    counted = weights != 0
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.float64(total((values * weights)[counted])) / total(weights))


def median(values: np.ndarray) -> float:
    """R's median(); NaN if empty or if a value is NaN."""
    n = len(values)
    if n == 0 or np.isnan(values).any():
        return math.nan
    places = np.array([(n - 1) // 2, n // 2])
    middle = sorted_at(values, places)[places[0] : places[1] + 1]
    return float(middle[0]) if n % 2 else mean(middle.astype(np.float64))


def mad(values: np.ndarray) -> float:
    """R's mad(): 1.4826 times the median distance from the median."""
    return _MAD * median(np.abs(values - median(values)))


def quantile(values: np.ndarray, probs: np.ndarray) -> np.ndarray:
    """R's quantile() of type 7, float64, shape of `probs`."""
    place = (len(values) - 1) * probs
    low, high = np.floor(1 + place), np.ceil(1 + place)
    at, after = low.astype(np.int64) - 1, high.astype(np.int64) - 1
    ordered = sorted_at(values, np.concatenate([at, after]))
    below, above = ordered[at], ordered[after]
    step = (1 + place) - low
    between = (1 + place > low) & (above != below)
    return np.asarray(np.where(between, (1 - step) * below + step * above, below))


def spread_points(low: float, high: float, n: int) -> np.ndarray:
    """R's seq(low, high, length = n), float64, shape (n,)."""
    if n <= 2:
        return np.array([low, high])[:n]
    if low == high:
        return np.full(n, low)
    # R takes quarters where the distance is beyond a double.
    part = 1 if math.isfinite(high - low) else 4
    inner = (low / part + np.arange(1, n - 1) * ((high / part - low / part) / (n - 1))) * part
    return np.concatenate([[low], inner, [high]])


def order_decreasing(values: np.ndarray) -> np.ndarray:
    """R's order(decreasing = TRUE) from 0: ties keep their order, NaN comes last."""
    return np.asarray(np.argsort(-values, kind="stable"))


def log(values: np.ndarray) -> np.ndarray:
    """R's log(), computed by the C library; NumPy rounds differently."""
    distinct, place = np.unique(values, return_inverse=True)
    logs = np.array([math.log(v) for v in distinct.tolist()])
    return np.asarray(logs[place].reshape(values.shape))


def max_col(matrix: np.ndarray) -> np.ndarray:
    """Return the column of each row's largest value, from 0; ties are broken at random (R's max.col()).

    Ties draw row by row; without ties the stream is neither read nor stored.

    Parameters
    ----------
    matrix : ndarray of float64, shape (n, k)
        Without NaN.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    tolerance = _TIE * np.abs(matrix).max(axis=1)
    best, chosen = matrix[:, 0].copy(), np.zeros(len(matrix), dtype=np.int64)
    tied = np.zeros(matrix.shape, dtype=bool)
    for j in range(1, matrix.shape[1]):
        larger = matrix[:, j] > best + tolerance
        tied[:, j] = ~larger & (matrix[:, j] >= best - tolerance)
        # A larger value ends earlier ties, but R has drawn for them already.
        best[larger], chosen[larger] = matrix[larger, j], j
    rows, columns = np.nonzero(tied)
    if len(rows):
        _break_ties(chosen, rows, columns)
    return chosen


def _break_ties(chosen: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
    """Draw for each tie: the t-th of t equal values replaces the choice with probability 1/t."""
    with _random.drawing() as stream:
        drawn = stream.runif(len(rows))
    last = chosen.copy()
    row, equals = -1, 1
    for i, j, u in zip(rows.tolist(), columns.tolist(), drawn.tolist(), strict=True):
        equals = 1 if i != row else equals
        row = i
        if j < last[i]:
            continue
        equals += 1
        if equals * u < 1.0:
            chosen[i] = j


def matrix_vector(matrix: Any, vector: np.ndarray) -> np.ndarray:
    """Return matrix times vector, summed as the reference BLAS does: column by column, in double."""
    out = np.zeros(matrix.shape[0])
    with np.errstate(over="ignore", invalid="ignore"):
        for column, value in zip(matrix.T, vector, strict=True):
            out += value * column
    return out
