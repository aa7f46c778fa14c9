"""R's arithmetic where NumPy's differs in the last bit: sums in order in long double, variances, medians, ties."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from pyrrf import random as _random
from pyrrf._core import row_totals, sort_like_r

# R adds up in 80 bits, in order, and rounds once.
EXTENDED = np.longdouble
# Bits of the mantissa in the long double of x86, without the leading one of NumPy's count.
_BITS = 63
_USERS = (
    "sum, cumsum, cumprod, prod, mean, var, sd, scale, cov, cor, rowSums, rowMeans, colSums, colMeans, "
    "read_csv, as_numeric"
)
# R's constant that makes mad() consistent for normal data.
_MAD = 1.4826
# For max.col() values are tied if they differ by less than this share of the row's largest one.
_TIE = 1e-5
# sort(partial = ) sorts everything if it is asked for more places.
_FEW = 10
# Medians of columns are looked for, not sorted for, where there are more rows than this for each place.
_ROWS_PER_PLACE = 64
# R's pairs (a, b) of the types 4 to 9, by which a probability becomes a place.
_OFFSETS = {4: (0.0, 1.0), 5: (0.5, 0.5), 6: (0.0, 0.0), 7: (1.0, 1.0), 8: (1 / 3, 1 / 3), 9: (3 / 8, 3 / 8)}
_EPSILON = float(np.finfo(np.float64).eps)


class LongDoubleWarning(UserWarning):
    """The long double of this platform is not that of R on x86: the last bit of sums may differ."""


_WARNED = False


def check() -> None:
    """Warn once in a process whose long double has not 80 bits."""
    global _WARNED
    bits = int(np.finfo(EXTENDED).nmant)
    if bits != _BITS and not _WARNED:
        _WARNED = True
        text = f"long double has {bits} bits here, on x86 it has {_BITS}: the last bit of {_USERS} may differ from R"
        warnings.warn(text, LongDoubleWarning, stacklevel=3)


def long_total(values: np.ndarray) -> np.longdouble:
    """Add up in order, from 0, which takes the sign from -0; NumPy's sum() would add in pairs."""
    return np.cumsum(values, dtype=EXTENDED)[-1] + EXTENDED(0) if len(values) else EXTENDED(0)


def column_totals(matrix: np.ndarray) -> np.ndarray:
    """Add up each column in order, shape (p,) of long double."""
    out = np.zeros(matrix.shape[1], dtype=EXTENDED)
    if len(matrix) < matrix.shape[1]:
        for row in matrix:
            out += row
    else:
        for j, column in enumerate(matrix.T):
            out[j] = long_total(column)
    return out


def mean(values: np.ndarray, is_whole: bool = False) -> float:
    """Return R's mean(): of doubles corrected by the mean of the residuals, of whole numbers not; NaN if empty."""
    n = len(values)
    if n == 0:
        return math.nan
    with np.errstate(all="ignore"):
        added = long_total(values)
        if not np.isfinite(np.float64(added)):
            return _mean_of_parts(values)
        first = added / n
        if is_whole:
            return float(first)
        return float(first + long_total(values - first) / n)


def _mean_of_parts(values: np.ndarray) -> float:
    """Return the mean where the sum is beyond a double: each value is divided first."""
    n = len(values)
    first = long_total(values / n)
    return float(first + long_total((values - first) / n)) if np.isfinite(np.float64(first)) else float(first)


def column_means(matrix: np.ndarray) -> np.ndarray:
    """Return the means that R's cov() subtracts from columns, float64, shape (p,)."""
    n = len(matrix)
    with np.errstate(all="ignore"):
        first = column_totals(matrix) / n
        finite = np.isfinite(first.astype(np.float64))
        first[finite] += column_totals(matrix[:, finite] - first[finite]) / n
        return first.astype(np.float64)


def total(values: np.ndarray) -> float:
    """Return R's sum() of doubles, shape (n,)."""
    return float(long_total(values))


def variance(values: np.ndarray) -> float:
    """Return R's var() of doubles: divisor n - 1, the mean as cov() rounds it to double; NaN for fewer than two."""
    n = len(values)
    if n < 2:
        return math.nan
    with np.errstate(all="ignore"):
        centred = values.astype(EXTENDED) - column_means(values[:, None])[0]
        return float(long_total(centred * centred) / (n - 1))


def share(flags: np.ndarray) -> float:
    """Return R's mean() of logicals."""
    return float(EXTENDED(np.count_nonzero(flags)) / len(flags))


def row_sums(matrix: np.ndarray) -> np.ndarray:
    """Return R's rowSums(), float64, shape (n,)."""
    return row_totals(np.asarray(matrix, dtype=np.float64), 1)


def row_means(matrix: np.ndarray) -> np.ndarray:
    """Return R's rowMeans(), float64, shape (n,)."""
    return row_totals(np.asarray(matrix, dtype=np.float64), matrix.shape[1])


def weighted_mean(values: np.ndarray, weights: np.ndarray) -> float:
    """Return R's weighted.mean(..., na.rm = TRUE): NaN and their weights are left out."""
    known = ~np.isnan(values)
    values, weights = values[known], weights[known]
    counted = weights != 0
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.float64(total((values * weights)[counted])) / total(weights))


def sorted_at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return numbers of which those at `places`, from 0, are where a sort puts them (R's sort(partial = )).

    It only shows where 0 and -0 meet: which of the two comes to a place depends on the algorithm. `values` hold no NaN.
    """
    negative = np.signbit(values[values == 0])
    if negative.all() or not negative.any():
        return np.sort(values)
    wanted = np.unique(places).tolist()
    if len(wanted) > _FEW:
        out = values.astype(np.float64)
        sort_like_r(out)
        return out
    items = values.tolist()
    _sort_places(items, 0, len(items) - 1, wanted)
    return np.array(items)


def _sort_places(x: list[float], low: int, high: int, places: list[int]) -> None:
    """Bring the place nearest below the middle in order, then those on either side of it."""
    if not places or high - low < 1:
        return
    middle = (low + high) // 2
    chosen = max([i for i, place in enumerate(places) if place <= middle], default=0)
    place = places[chosen]
    _select(x, low, high, place)
    if len(places) > 1:
        _sort_places(x, low, place - 1, places[:chosen])
        _sort_places(x, place + 1, high, places[chosen + 1 :])


def _select(x: list[float], low: int, high: int, place: int) -> None:
    """Put a place in order by Hoare's selection."""
    while low < high:
        pivot, i, j = x[place], low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i, j = i + 1, j - 1
        low, high = (i if j < place else low), (j if place < i else high)


def median(values: np.ndarray) -> float:
    """Return R's median(); NaN if empty or if a value is NaN."""
    n = len(values)
    if n == 0 or np.isnan(values).any():
        return math.nan
    low, high = (n - 1) // 2, n // 2
    middle = sorted_at(values, np.array([low, high]))[low : high + 1].astype(np.float64)
    return float(middle[0]) if n % 2 else float(_means_of_two(middle[:1], middle[1:])[0])


def _means_of_two(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return mean() of each pair of doubles, shape (k,)."""
    with np.errstate(all="ignore"):
        added = first.astype(EXTENDED) + second + EXTENDED(0)
        half = added / 2
        out = (half + ((first - half) + (second - half) + EXTENDED(0)) / 2).astype(np.float64)
        for i in np.flatnonzero(~np.isfinite(added.astype(np.float64))):
            out[i] = mean(np.array([first[i], second[i]]))
    return np.asarray(out)


def column_medians(matrix: np.ndarray) -> np.ndarray:
    """Return median() of the known values of each column, float64, shape (p,); NaN without any."""
    n, columns = np.count_nonzero(~np.isnan(matrix), axis=0), np.arange(matrix.shape[1])
    below, above = np.maximum(n - 1, 0) // 2, np.minimum(n // 2, len(matrix) - 1)
    wanted = np.unique([below, above])
    # NaN comes last. To look for many places costs more than to sort.
    few = len(wanted) * _ROWS_PER_PLACE < len(matrix)
    ordered = np.partition(matrix, wanted, axis=0) if few else np.sort(matrix, axis=0)
    low, high = ordered[below, columns], ordered[above, columns]
    out = np.where(n % 2, low, np.where(n, _means_of_two(low, high), math.nan))
    for j in np.flatnonzero((low == 0) | (high == 0)):
        column = matrix[:, j]
        if np.signbit(column[column == 0]).any():  # 0 or -0, by R's way to sort
            out[j] = median(column[~np.isnan(column)])
    return out


def mad(values: np.ndarray) -> float:
    """Return R's mad(): 1.4826 times the median distance from the median."""
    return _MAD * median(np.abs(values - median(values)))


def quantile(values: np.ndarray, probs: np.ndarray, kind: int = 7) -> np.ndarray:
    """Return R's quantile() of a type from 1 to 9, float64, shape of `probs`; NaN if empty."""
    if not len(values):
        return np.full(np.shape(probs), math.nan)
    return _linear_quantile(values, probs) if kind == 7 else _quantile_by_steps(values, probs, kind)


def _linear_quantile(values: np.ndarray, probs: np.ndarray) -> np.ndarray:
    place = (len(values) - 1) * probs
    low, high = np.floor(1 + place), np.ceil(1 + place)
    lower, after = low.astype(np.int64) - 1, high.astype(np.int64) - 1
    ordered = sorted_at(values, np.concatenate([lower, after]))
    below, above = ordered[lower], ordered[after]
    step = (1 + place) - low
    between = (1 + place > low) & (above != below)
    return np.asarray(np.where(between, (1 - step) * below + step * above, below))


def _quantile_by_steps(values: np.ndarray, probs: np.ndarray, kind: int) -> np.ndarray:
    n = len(values)
    if kind <= 3:
        place = n * probs - 0.5 if kind == 3 else n * probs
        low = np.floor(place)
        share = [place > low, ((place > low) + 1) / 2, (place != low) | (low % 2 == 1)][kind - 1].astype(np.float64)
    else:
        a, b = _OFFSETS[kind]
        fuzz = 4 * _EPSILON
        place = a + probs * (n + 1 - a - b)
        low = np.floor(place + fuzz)
        share = place - low
        share[np.abs(share) < fuzz] = 0.0
    ends = low[(low > 0) & (low <= n)], low[(low > 0) & (low < n)] + 1
    ordered = sorted_at(values, np.concatenate([[1], *ends, [n]]).astype(np.int64) - 1)
    padded = np.concatenate([ordered[:1], ordered[:1], ordered, ordered[-1:], ordered[-1:]])
    lower = low.astype(np.int64) + 1
    below, above = padded[lower], padded[lower + 1]
    out = np.where(share == 1, above, below)
    between = (share > 0) & (share < 1) & (below != above)
    return np.where(between, (1 - share) * below + share * above, out)


def spread_points(low: float, high: float, n: int) -> np.ndarray:
    """Return R's seq(low, high, length = n), float64, shape (n,)."""
    if n <= 2:
        return np.array([low, high])[:n]
    if low == high:
        return np.full(n, low)
    # R takes quarters where the distance is beyond a double.
    scale = 1 if math.isfinite(high - low) else 4
    inner = (low / scale + np.arange(1, n - 1) * ((high / scale - low / scale) / (n - 1))) * scale
    return np.concatenate([[low], inner, [high]])


def order_decreasing(values: np.ndarray) -> np.ndarray:
    """Return R's order(decreasing = TRUE) from 0: ties keep their order, NaN comes last."""
    return np.asarray(np.argsort(-values, kind="stable"))


def max_col(matrix: np.ndarray) -> np.ndarray:
    """Return the column of each row's largest value, from 0; ties are broken at random (R's max.col()).

    An infinite value makes no others ties of the largest one. Ties draw row by row; without ties the stream is neither
    read nor stored. `matrix` holds no NaN.
    """
    tolerance = _TIE * np.abs(np.where(np.isinf(matrix), 0.0, matrix)).max(axis=1)
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


def matrix_product(x: Any, y: np.ndarray) -> np.ndarray:
    """Return the product of two matrices, summed as the reference BLAS does: column by column, in double."""
    out = np.zeros((x.shape[0], y.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        if y.shape == (x.shape[1], 1) and len(y):  # quicker, in the same order
            return np.asarray(np.cumsum(x * y[:, 0], axis=1)[:, -1:] + 0.0)
        for column, row in zip(x.T, y, strict=True):
            out += column[:, None] * row
    return out
