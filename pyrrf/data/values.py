"""The values of a table, an array or the columns of a sparse matrix, and what is asked of either."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf._core.records import SparseColumns
from pyrrf.types import Positions

Values = np.ndarray | SparseColumns

# Values per pass of `varies`; few, because the first pass mostly decides.
_VALUES_AT_ONCE = 1 << 16


def read_sparse(x: Any, name: str) -> SparseColumns:
    """Return a sparse matrix or array of scipy by columns, without a copy where it is one of float64 by columns.

    Parameters
    ----------
    x : sparse matrix or array of scipy, shape (n, p)
        Of any format; what is stored twice for one place counts as its sum.
    name : str
        Argument that messages show.

    Raises
    ------
    TypeError
        It is no sparse matrix of scipy, or not one of numbers.
    ValueError
        It does not have two dimensions.
    """
    if not callable(getattr(x, "tocsc", None)):
        raise TypeError(f"{name} is a sparse matrix; pass {name}.toarray()")
    if len(x.shape) != 2:
        raise ValueError(f"{name} must have 2 dimensions (rows, columns), not {len(x.shape)}; pass a table")
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name} is a sparse matrix of dtype {x.dtype}, not of numbers")
    columns = x.tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    n, p = columns.shape
    # What a longer float holds beyond float64 becomes infinite, and is refused as that.
    with np.errstate(over="ignore"):
        values = np.require(columns.data, np.float64, ["C", "A"])
    rows = np.require(columns.indices, np.int32, ["C", "A"])
    return SparseColumns(values, rows, np.require(columns.indptr, np.int64, ["C", "A"]), (int(n), int(p)))


def _matrix(columns: SparseColumns) -> Any:
    """Return the columns as a sparse array of scipy, without a copy."""
    from scipy.sparse import csc_array

    return csc_array((columns.values, columns.rows, columns.start), shape=columns.shape)


# ---- what is asked of values ---------------------------------------------------------------------


def dense(values: Values) -> np.ndarray:
    """Return the values as an array; those of a sparse matrix are copied."""
    return np.asarray(_matrix(values).toarray(order="F")) if isinstance(values, SparseColumns) else values


def stored(values: Values) -> np.ndarray:
    """Return what is stored, in memory's shape."""
    return values.values if isinstance(values, SparseColumns) else values


def columns_of(values: Values, marks: np.ndarray) -> Positions:
    """Return the columns in which stored values are marked, in ascending order."""
    if isinstance(values, SparseColumns):
        return np.unique(np.searchsorted(values.start, np.flatnonzero(marks), side="right") - 1)
    return np.flatnonzero(marks.any(axis=0))


def take_rows(values: Values, rows: Positions) -> Values:
    """Return some rows, counted from 0, in this order."""
    if isinstance(values, SparseColumns):
        return read_sparse(_matrix(values)[rows], "x")
    return _as_before(values[rows], values)


def take_columns(values: Values, columns: Positions) -> Values:
    """Return some columns, counted from 0, in this order."""
    if isinstance(values, SparseColumns):
        return read_sparse(_matrix(values)[:, columns], "x")
    return _as_before(values[:, columns], values)


def _as_before(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return a part by columns where the whole is stored so."""
    return np.asfortranarray(part) if whole.flags.f_contiguous else part


def varies(values: Values) -> bool:
    """Whether a column has more than one value, so that a split exists."""
    if isinstance(values, SparseColumns):
        return _sparse_varies(values)
    n, p = values.shape
    step = max(1, _VALUES_AT_ONCE // n)
    return any(_varies(values[:, start : start + step]) for start in range(0, p, step))


def _sparse_varies(columns: SparseColumns) -> bool:
    held, sizes = columns.values, np.diff(columns.start)
    full = sizes == columns.shape[0]
    # A stored value that is not 0 stands beside a 0, unless its column is full.
    if (np.repeat(~full, sizes) & (held != 0)).any():
        return True
    return any(_varies(held[columns.start[at] : columns.start[at + 1], None]) for at in np.flatnonzero(full))


def _varies(columns: np.ndarray) -> bool:
    """Whether a column has more than one value; NaN counts as a value."""
    first = columns[0]
    return bool(((columns != first) & ~(np.isnan(columns) & np.isnan(first))).any())
