"""R's variances, covariances, correlations, and columns brought to one scale."""

from __future__ import annotations

import math

import numpy as np

from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.margins import column_means
from pyrrf.rbase.ordering import rank
from pyrrf.rbase.vectors import REAL_NA

_quiet = np.errstate(all="ignore")
USES = ("everything", "all.obs", "complete.obs", "na.or.complete", "pairwise.complete.obs")
METHODS = ("pearson", "spearman", "kendall")
# Of Kendall's pairs.
_ROWS_AT_ONCE = 64


def var(values: np.ndarray) -> float:
    """Return the variance of two numbers and more, in long double, divisor n - 1."""
    arithmetic.check()
    return arithmetic.variance(values)


@_quiet
def relate_columns(x: np.ndarray, y: np.ndarray | None, use: str, method: str, correlate: bool) -> np.ndarray:
    """Return covariances or correlations of columns, in long double (R's ``cov`` and ``cor``).

    Parameters
    ----------
    x : ndarray of float64, shape (n, p)
    y : ndarray of float64, shape (n, q), optional
    use : {"everything", "all.obs", "complete.obs", "na.or.complete", "pairwise.complete.obs"}
    method : {"pearson", "spearman", "kendall"}
    correlate : bool

    Returns
    -------
    ndarray of float64, shape (p, q)
        NA where something is missing or constant; NaN where the arithmetic is beyond the doubles.

    Raises
    ------
    ValueError
        R refuses what is missing or empty; its message.
    """
    arithmetic.check()
    if use != "everything" and (not x.size or (y is not None and not y.size)) and use != "na.or.complete":
        raise bad.empty("'y' is empty" if x.size else "'x' is empty", None)
    if use == "pairwise.complete.obs":
        return _pairwise(x, x if y is None else y, method, correlate)
    gaps = np.isnan(x).any(axis=1) | (False if y is None else np.isnan(y).any(axis=1))
    if use != "everything" and gaps.any():
        if use == "all.obs":
            raise bad.missing("missing observations in cov/cor", None)
        x, y = x[~gaps], None if y is None else y[~gaps]
    if use == "complete.obs" and not len(x):
        raise bad.missing("no complete element pairs", None)
    if method == "spearman":
        x, y = _rank_columns(x), None if y is None else _rank_columns(y)
    if len(x) < 2:
        return np.full((x.shape[1], (x if y is None else y).shape[1]), REAL_NA)
    if method == "kendall":
        out, spreads = _concordance(x, y)
    else:
        out, spreads = _products(x, y)
    other = x if y is None else y
    gone = np.isnan(x).any(axis=0)[:, None] | np.isnan(other).any(axis=0)
    if correlate:
        return _correlations(out, spreads, gone, alone=y is None)
    out[gone] = REAL_NA
    return out


def _rank_columns(columns: np.ndarray) -> np.ndarray:
    return np.column_stack([rank(column, na_last="keep") for column in columns.T]) if columns.size else columns


def _products(x: np.ndarray, y: np.ndarray | None) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return covariances, and the standard deviations of the columns of either side as R rounds them."""
    n = len(x)
    left = x - arithmetic.column_means(x).astype(EXTENDED)
    right = left if y is None else y - arithmetic.column_means(y).astype(EXTENDED)
    out = np.empty((x.shape[1], right.shape[1]))
    for i in range(x.shape[1]):
        first = i if y is None else 0
        out[i, first:] = arithmetic.column_totals(left[:, i, None] * right[:, first:]) / (n - 1)
    if y is None:
        low = np.tril_indices(len(out), -1)
        out[low] = out.T[low]
        spread = np.sqrt(np.diag(out))
        return out, (spread, spread)
    # Between two matrices the variances are not rounded before the root.
    spreads = [np.sqrt(arithmetic.column_totals(side * side) / (n - 1)).astype(np.float64) for side in (left, right)]
    return out, (spreads[0], spreads[1])


def _concordance(x: np.ndarray, y: np.ndarray | None) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return Kendall's counts of pairs that go the same way, less those that do not, in either order of the pair."""
    x, y = _dense(x), None if y is None else _dense(y)
    other = x if y is None else y
    out = np.zeros((x.shape[1], other.shape[1]))
    counts = [np.zeros(x.shape[1]), np.zeros(other.shape[1])]
    # Some rows beside all others at a time: of all pairs there may be more than memory holds.
    for first in range(0, len(x), _ROWS_AT_ONCE):
        left, right = (_directions(side, slice(first, first + _ROWS_AT_ONCE)) for side in (x, other))
        out += left @ right.T
        for count, signs in zip(counts, (left, right), strict=True):
            count += np.abs(signs).sum(axis=1)
    out[np.isnan(counts[0])] = math.nan
    out[:, np.isnan(counts[1])] = math.nan
    roots = [_root(count, y is None) for count in counts]
    return out, (roots[0], roots[1])


def _dense(columns: np.ndarray) -> np.ndarray:
    """Return the places of values among the distinct ones of their column; two infinite values are equal."""
    places = [np.where(np.isnan(c), math.nan, np.unique(c, return_inverse=True)[1]) for c in columns.T]
    return np.column_stack(places) if places else columns


def _directions(columns: np.ndarray, rows: slice) -> np.ndarray:
    """Return the signs of the differences of some rows to all, column by column, shape (p, pairs)."""
    return np.stack([np.sign(c[rows, None] - c[None, :]).ravel() for c in columns.T])


def _root(counts: np.ndarray, alone: bool) -> np.ndarray:
    """Take the root in double for the columns of one matrix, in long double for those of two."""
    return np.asarray(np.sqrt(counts.astype(np.float64 if alone else EXTENDED)), dtype=np.float64)


def _correlations(out: np.ndarray, spreads: tuple[np.ndarray, np.ndarray], gone: np.ndarray, alone: bool) -> np.ndarray:
    left, right = spreads
    constant = (left[:, None] == 0) | (right[None, :] == 0)
    if alone:
        np.fill_diagonal(constant, False)
    constant &= ~gone
    if constant.any():
        warn("the standard deviation is zero: a correlation with a constant is missing")
    out = np.clip(out / (left[:, None] * right[None, :]), -1.0, 1.0)
    out[constant | gone] = REAL_NA
    if alone:
        np.fill_diagonal(out, 1.0)
    return out


def _pairwise(x: np.ndarray, y: np.ndarray, method: str, correlate: bool) -> np.ndarray:
    """Relate each pair of columns on the rows in which both are known."""
    if method != "pearson" and not correlate:
        raise bad.unsupported("cannot handle 'pairwise.complete.obs'", None)
    out = np.empty((x.shape[1], y.shape[1]))
    for i, left in enumerate(x.T):
        for j, right in enumerate(y.T):
            both = ~(np.isnan(left) | np.isnan(right))
            a, b = left[both], right[both]
            if method == "pearson":
                out[i, j] = _pair(a, b, correlate)
            else:
                out[i, j] = relate_columns(a[:, None], b[:, None], "everything", method, True)[0, 0]
    return out


def _pair(x: np.ndarray, y: np.ndarray, correlate: bool) -> float:
    """Relate one pair of columns: the means in one pass, and all in long double to the end."""
    n = len(x)
    if n < 2:
        return REAL_NA
    left, right = x - arithmetic.long_total(x) / n, y - arithmetic.long_total(y) / n
    products = arithmetic.long_total(left * right)
    if not correlate:
        return float(products / (n - 1))
    squares = arithmetic.long_total(left * left), arithmetic.long_total(right * right)
    if 0 in squares:
        warn("the standard deviation is zero: a correlation with a constant is missing")
        return REAL_NA
    correlation = products / (n - 1) / (np.sqrt(squares[0] / (n - 1)) * np.sqrt(squares[1] / (n - 1)))
    return float(np.clip(correlation, -1.0, 1.0))


# ---- scale ---------------------------------------------------------------------------------------


@_quiet
def scale_columns(
    values: np.ndarray, center: bool | np.ndarray, scale: bool | np.ndarray
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return columns less their centres by their spreads, and both numbers of each column (R's ``scale``).

    True stands for the means, and for the roots of the mean squares, divisor n - 1.
    """
    arithmetic.check()
    numbers = {}
    if center is not False:
        numbers["scaled:center"] = column_means(values, True) if center is True else center
        values = values - numbers["scaled:center"]
    if scale is not False:
        numbers["scaled:scale"] = _root_mean_squares(values) if scale is True else scale
        values = values / numbers["scaled:scale"]
    return values, numbers


def _root_mean_squares(values: np.ndarray) -> np.ndarray:
    number = np.maximum(1, len(values) - np.isnan(values).sum(axis=0) - 1)
    sums = np.array([float(arithmetic.long_total((column * column)[~np.isnan(column)])) for column in values.T])
    return np.asarray(np.sqrt(sums / number))
