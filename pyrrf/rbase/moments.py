"""R's variances, covariances, correlations, and columns brought to one scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pyrrf.checks import beginning, flag, warn
from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.margins import colMeans
from pyrrf.rbase.ordering import rank
from pyrrf.rbase.vectors import double, known, matrix, named_matrix, one_vector
from pyrrf.types import Labels

_quiet = np.errstate(all="ignore")
_USES = ("everything", "all.obs", "complete.obs", "na.or.complete", "pairwise.complete.obs")
# Of Kendall's pairs.
_ROWS_AT_ONCE = 64
_METHODS = ("pearson", "spearman", "kendall")


class _Columns(NamedTuple):
    """A vector or matrix as columns, and whether and with which names R would answer with a matrix."""

    values: np.ndarray
    names: Labels | None
    is_matrix: bool


def _columns(x: Any, name: str) -> _Columns:
    if np.ndim(x) == 2:
        return _Columns(matrix(x, name), x.columns if isinstance(x, pd.DataFrame) else None, True)
    return _Columns(double(x, name)[:, None], None, False)


@_quiet
def var(x: Any, y: Any = None, na_rm: bool = False, use: str | None = None) -> Any:
    """Variance, or the covariances of columns, in long double (R's ``var``)."""
    how = use or ("na.or.complete" if flag(na_rm, "na_rm") else "everything")
    if y is None and np.ndim(x) != 2:
        return float(_related(double(x)[:, None], None, how, "pearson", correlate=False)[0, 0])
    return cov(x, y, how)


def sd(x: Any, na_rm: bool = False) -> float:
    """Return the standard deviation, divisor n - 1 (R's ``sd``)."""
    values = double(one_vector(x, "pass a column, or sapply(x, sd)"))[:, None]
    use = "na.or.complete" if flag(na_rm, "na_rm") else "everything"
    return math.sqrt(float(_related(values, None, use, "pearson", correlate=False)[0, 0]))


@_quiet
def cov(x: Any, y: Any = None, use: str = "everything", method: str = "pearson") -> Any:
    """Covariances of vectors or columns, in long double (R's ``cov``)."""
    if y is None and np.ndim(x) != 2:
        raise ValueError("x is one vector; pass y as well, or a matrix; var(x) is its variance")
    return _related(x, y, use, method, correlate=False)


@_quiet
def cor(x: Any, y: Any = None, use: str = "everything", method: str = "pearson") -> Any:
    """Correlations of vectors or columns, in long double (R's ``cor``)."""
    if y is None and np.ndim(x) != 2:
        raise ValueError("x is one vector; pass y as well, or a matrix")
    return _related(x, y, use, method, correlate=True)


def _related(x: Any, y: Any, use: str, method: str, correlate: bool) -> Any:
    """Covariances or correlations, with the names and the shape that R gives them."""
    arithmetic.check()
    use, method = beginning(use, "use", _USES), beginning(method, "method", _METHODS)
    left = _columns(x, "x")
    right = None if y is None else _columns(y, "y")
    if right is not None and len(left.values) != len(right.values):
        raise ValueError(f"x has {len(left.values)} rows and y {len(right.values)}; pass as many")
    out = _matrix_of(left.values, None if right is None else right.values, use, method, correlate)
    other = right or left
    if method != "pearson" and use != "pairwise.complete.obs" and _rows_left(left, right, use) == 1:
        # R ranks a single row by its number, and loses the names.
        left, other = left._replace(names=None), other._replace(names=None)
    if not (left.is_matrix or other.is_matrix):
        return float(out[0, 0])
    return named_matrix(out, left.names, other.names)


def _rows_left(left: _Columns, right: _Columns | None, use: str) -> int:
    gaps = np.isnan(left.values).any(axis=1)
    if right is not None:
        gaps = gaps | np.isnan(right.values).any(axis=1)
    return len(gaps) - (int(gaps.sum()) if use in ("complete.obs", "na.or.complete") else 0)


def _matrix_of(x: np.ndarray, y: np.ndarray | None, use: str, method: str, correlate: bool) -> np.ndarray:
    if use != "everything" and (not x.shape[1] or (y is not None and not y.shape[1])):
        raise ValueError("x or y has no columns; pass at least one")
    if not len(x) and use not in ("everything", "na.or.complete"):
        raise ValueError("x has no rows; pass at least one")
    if use == "pairwise.complete.obs":
        return _pairwise(x, x if y is None else y, method, correlate)
    gaps = np.isnan(x).any(axis=1) | (False if y is None else np.isnan(y).any(axis=1))
    if use != "everything" and gaps.any():
        if use == "all.obs":
            raise ValueError("x or y holds missing values; drop them with use='complete.obs'")
        x, y = x[~gaps], None if y is None else y[~gaps]
    if use == "complete.obs" and not len(x):
        raise ValueError("no row is complete; use='pairwise.complete.obs' leaves out missing values pair by pair")
    if method == "spearman":
        x, y = _ranked(x), None if y is None else _ranked(y)
    if len(x) < 2:
        return np.full((x.shape[1], (x if y is None else y).shape[1]), math.nan)
    if method == "kendall":
        out, spreads = _concordance(x, y)
    else:
        out, spreads = _products(x, y)
    other = x if y is None else y
    gone = np.isnan(x).any(axis=0)[:, None] | np.isnan(other).any(axis=0)
    return _correlations(out, spreads, gone, alone=y is None) if correlate else out


def _ranked(columns: np.ndarray) -> np.ndarray:
    return np.column_stack([rank(column, na_last="keep") for column in columns.T]) if columns.size else columns


def _products(x: np.ndarray, y: np.ndarray | None) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Covariances, and the standard deviations of the columns of either side as R rounds them."""
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
    """Kendall's counts of pairs that go the same way, less those that do not, in either order of the pair."""
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
    out[constant] = math.nan
    if alone:
        np.fill_diagonal(out, 1.0)
    return out


def _pairwise(x: np.ndarray, y: np.ndarray, method: str, correlate: bool) -> np.ndarray:
    """Each pair of columns on the rows in which both are known."""
    if method != "pearson" and not correlate:
        raise ValueError("cov() by ranks has no use='pairwise.complete.obs'; pass use='complete.obs'")
    out = np.empty((x.shape[1], y.shape[1]))
    for i, left in enumerate(x.T):
        for j, right in enumerate(y.T):
            both = ~(np.isnan(left) | np.isnan(right))
            a, b = left[both], right[both]
            if method == "pearson":
                out[i, j] = _pair(a, b, correlate)
            else:
                out[i, j] = _matrix_of(a[:, None], b[:, None], "everything", method, True)[0, 0]
    return out


def _pair(x: np.ndarray, y: np.ndarray, correlate: bool) -> float:
    """One pair of columns: the means in one pass, and all in long double to the end."""
    n = len(x)
    if n < 2:
        return math.nan
    left, right = x - arithmetic.long_total(x) / n, y - arithmetic.long_total(y) / n
    products = arithmetic.long_total(left * right)
    if not correlate:
        return float(products / (n - 1))
    squares = arithmetic.long_total(left * left), arithmetic.long_total(right * right)
    if 0 in squares:
        warn("the standard deviation is zero: a correlation with a constant is missing")
        return math.nan
    found = products / (n - 1) / (np.sqrt(squares[0] / (n - 1)) * np.sqrt(squares[1] / (n - 1)))
    return float(np.clip(found, -1.0, 1.0))


# ---- scale ---------------------------------------------------------------------------------------


@_quiet
def scale(x: Any, center: Any = True, scale: Any = True) -> Any:
    """Centre columns and divide them by their standard deviation (R's ``scale``)."""
    arithmetic.check()
    table = x.to_frame() if isinstance(x, pd.Series) else x
    values = matrix(table if np.ndim(table) == 2 else double(table)[:, None])
    attributes = {}
    centres = _per_column(center, values, partial(colMeans, na_rm=True), "center")
    if centres is not None:
        values = values - centres
        attributes["scaled:center"] = centres
    spreads = _per_column(scale, values, _root_mean_squares, "scale")
    if spreads is not None:
        values = values / spreads
        attributes["scaled:scale"] = spreads
    if not isinstance(table, pd.DataFrame):
        return values
    out = pd.DataFrame(values, index=table.index, columns=table.columns)
    # Dictionaries, because pandas compares attributes with == when it joins tables.
    out.attrs = {name: dict(zip(table.columns, found.tolist(), strict=True)) for name, found in attributes.items()}
    return out


def _per_column(given: Any, values: np.ndarray, usual: Any, name: str) -> np.ndarray | None:
    """Return what is asked for, one number for each column; None for nothing."""
    if isinstance(given, bool | np.bool_):
        return np.asarray(usual(values)) if given else None
    found = double(list(given.values()) if isinstance(given, Mapping) else given, name)
    if len(found) != values.shape[1]:
        raise ValueError(f"{name} has {len(found)} numbers, but x has {values.shape[1]} columns; pass one for each")
    return found


def _root_mean_squares(values: np.ndarray) -> np.ndarray:
    number = np.maximum(1, len(values) - np.isnan(values).sum(axis=0) - 1)
    sums = np.array([float(arithmetic.long_total(known(column * column, True))) for column in values.T])
    return np.asarray(np.sqrt(sums / number))
