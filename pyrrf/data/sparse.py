"""Sparse matrices of scipy, which are read column by column and are never made dense."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf._core.records import SparseColumns
from pyrrf.types import Positions


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


def as_matrix(columns: SparseColumns) -> Any:
    """Return the columns as a sparse array of scipy, without a copy."""
    from scipy.sparse import csc_array

    return csc_array((columns.values, columns.rows, columns.start), shape=columns.shape)


def take_rows(columns: SparseColumns, rows: Positions) -> SparseColumns:
    """Return some rows, counted from 0, in this order."""
    return read_sparse(as_matrix(columns)[rows], "x")


def take_columns(columns: SparseColumns, chosen: Positions) -> SparseColumns:
    """Return some columns, counted from 0, in this order."""
    return read_sparse(as_matrix(columns)[:, chosen], "x")


def columns_of(columns: SparseColumns, stored: np.ndarray) -> Positions:
    """Return the columns of the values that are marked, each column once, in ascending order."""
    return np.unique(np.searchsorted(columns.start, np.flatnonzero(stored), side="right") - 1)
