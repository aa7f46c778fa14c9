"""R's long double: sums, means, variances, added up in order in 80 bits and rounded once."""

from __future__ import annotations

import math
import warnings

import numpy as np

EXTENDED = np.longdouble
# Bits of the mantissa in the long double of x86, without the leading one of NumPy's count.
_BITS = 63
_USERS = (
    "sum, cumsum, cumprod, prod, mean, var, sd, scale, cov, cor, rowSums, rowMeans, colSums, colMeans, "
    "read_csv, as_numeric"
)


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


def total(values: np.ndarray) -> np.longdouble:
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
            out[j] = total(column)
    return out


def mean(values: np.ndarray) -> float:
    """R's mean() of doubles: the mean, corrected by the mean of the residuals; NaN if empty."""
    n = len(values)
    if n == 0:
        return math.nan
    with np.errstate(all="ignore"):
        added = total(values)
        if not np.isfinite(np.float64(added)):
            return _mean_of_parts(values)
        first = added / n
        return float(first + total(values - first) / n)


def _mean_of_parts(values: np.ndarray) -> float:
    """Return the mean where the sum is beyond a double: each value is divided first."""
    n = len(values)
    first = total(values / n)
    return float(first + total((values - first) / n)) if np.isfinite(np.float64(first)) else float(first)


def column_means(matrix: np.ndarray) -> np.ndarray:
    """Return the means that R's cov() subtracts from columns, float64, shape (p,)."""
    n = len(matrix)
    with np.errstate(all="ignore"):
        first = column_totals(matrix) / n
        finite = np.isfinite(first.astype(np.float64))
        first[finite] += column_totals(matrix[:, finite] - first[finite]) / n
        return first.astype(np.float64)
