"""Sparse matrices of scipy: their index arrays, which scipy reads unchecked, and their columns as the core reads them.

And the index arrays of pandas' sparse columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import SparseColumns
from pyrrf.errors import bad

_MOST = int(np.iinfo(np.int32).max)


def check_sparse_matrix(x: Any, name: str) -> None:
    """Raise ValueError for a sparse matrix without two dimensions, or with index arrays that point outside of it.

    Call this before any method of the matrix: scipy's conversions read such arrays in C, and would crash. Unlike
    scipy's `check_format`, it does not change the matrix.
    """
    shape = getattr(x, "shape", (0, 0))  # default for an object that only resembles scipy's; its reader refuses it
    if len(shape) != 2:
        raise bad.shape(f"{name} must have 2 dimensions (rows, columns), not {len(shape)}; pass a table")
    if max(shape) > _MOST:
        raise bad.shape(f"{name} has shape {shape}, and at most {_MOST} rows and columns can be read")
    layout = getattr(x, "format", None)
    trouble = _TROUBLES[layout](x) if layout in _TROUBLES else None
    if trouble:
        raise bad.damaged(
            f"{name} is a damaged sparse matrix of format {layout!r}: {trouble}; make it anew from rows, columns and "
            "values"
        )


def _compressed_defect(x: Any) -> str | None:
    """Return the defect of a matrix by columns (csc), rows (csr) or blocks (bsr), or None."""
    start, index, values = _parts(x, "indptr", "indices", "data")
    if not (_is_index(start) and _is_index(index) and _is_stored(values, 3 if x.format == "bsr" else 1)):
        return "indptr, indices and data must be arrays of numbers, the first two of whole ones"
    height, width = values.shape[1:] or (1, 1)
    if not (height and width) or x.shape[0] % height or x.shape[1] % width:
        return f"blocks of shape {(height, width)} do not fill shape {x.shape}"
    major, minor = x.shape[0] // height, x.shape[1] // width
    if x.format == "csc":
        major, minor = minor, major
    if len(start) != major + 1:
        return f"indptr has {len(start)} numbers, not {major + 1}"
    if start[0] != 0 or (start[1:] < start[:-1]).any():
        return "indptr must start at 0 and never decrease"
    if not start[-1] <= len(index) == len(values):
        return f"indptr ends at {start[-1]}, and there are {len(index)} indices and {len(values)} values"
    return outside(index[: int(start[-1])], minor, "indices")


def _coordinates(x: Any) -> str | None:
    """Return the defect of a matrix of rows, columns and values (coo), or None."""
    row, column, values = _parts(x, "row", "col", "data")
    if not (_is_index(row) and _is_index(column) and _is_stored(values, 1)):
        return "row, col and data must be arrays of numbers, the first two of whole ones"
    if not len(row) == len(column) == len(values):
        return f"there are {len(row)} rows, {len(column)} columns and {len(values)} values"
    return outside(row, x.shape[0], "row") or outside(column, x.shape[1], "col")


def _diagonals(x: Any) -> str | None:
    """Return the defect of a matrix of diagonals (dia), or None."""
    offsets, values = _parts(x, "offsets", "data")
    if not (_is_index(offsets) and _is_stored(values, 2)):
        return "offsets and data must be arrays of numbers, the first of whole ones"
    if len(offsets) != len(values) or len(np.unique(offsets)) < len(offsets):
        return f"there must be a different offset for each of {len(values)} diagonals, not {offsets.tolist()}"
    return None


def _lists(x: Any) -> str | None:
    """Return the defect of a matrix of lists, one for each row (lil), or None."""
    columns, values = _parts(x, "rows", "data")
    if not all(_is_array(lists, 1) and len(lists) == x.shape[0] for lists in (columns, values)):
        return f"rows and data must be arrays of {x.shape[0]} lists"
    pairs = list(zip(columns, values, strict=True))
    if not all(isinstance(item, list) for pair in pairs for item in pair):
        return f"rows and data must be arrays of {x.shape[0]} lists"
    if any(len(places) != len(stored) for places, stored in pairs):
        return "a row has other numbers of columns and of values"
    if not _are_numbers(value for _, stored in pairs for value in stored):
        return "data must hold numbers"
    return _outside_of_objects([place for places, _ in pairs for place in places], x.shape[1], "rows")


def _keys(x: Any) -> str | None:
    """Return the defect of a matrix of a dict with pairs as keys (dok), or None."""
    keys = list(x.keys())
    if not all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        return "keys must be pairs of a row and a column"
    if not _are_numbers(x.values()):
        return "values must be numbers"
    pairs = zip(*keys, strict=True) if keys else ()
    troubles = (_outside_of_objects(list(places), size, "keys") for places, size in zip(pairs, x.shape, strict=False))
    return next(filter(None, troubles), None)


_TROUBLES = {
    "csc": _compressed_defect,
    "csr": _compressed_defect,
    "bsr": _compressed_defect,
    "coo": _coordinates,
    "dia": _diagonals,
    "lil": _lists,
    "dok": _keys,
}


def sparse_column_trouble(values: pd.arrays.SparseArray, n: int) -> str | None:
    """Return the defect of a sparse column of n rows, or None."""
    index: Any = values.sp_index
    if index.length != n or len(values.sp_values) != index.npoints:
        return f"it stores {len(values.sp_values)} values at {index.npoints} of {index.length} places, and has {n} rows"
    if not hasattr(index, "blengths"):
        return outside(index.indices, n, "indices")
    first, lengths = index.blocs.astype(np.int64), index.blengths.astype(np.int64)
    if lengths.sum() != index.npoints:
        return f"its blocks have {lengths.sum()} places for {index.npoints} values"
    return outside(np.append(first, first + lengths - 1), n, "blocks")


def _parts(x: Any, *names: str) -> list[Any]:
    return [getattr(x, name, None) for name in names]


def _is_array(part: Any, ndim: int) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == ndim


def _is_stored(part: Any, ndim: int) -> bool:
    """Return whether this is an array of numbers as scipy's C code reads them."""
    return _is_array(part, ndim) and part.dtype.kind in "biufc" and part.dtype.isnative


def _is_index(part: Any) -> bool:
    return _is_stored(part, 1) and part.dtype.kind in "iu"


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(isinstance(value, Number | np.generic) for value in values)


def _outside_of_objects(places: list[Any], size: int, part: str) -> str | None:
    if not all(isinstance(place, int | np.integer) for place in places):
        return f"{part} must hold whole numbers"
    return outside(np.array(places, dtype=object), size, part)


def outside(places: np.ndarray, size: int, part: str, least: int = 0) -> str | None:
    """Return a message about places below `least`, or of `size` and more; None if there are none."""
    if places.size and not (places.min() >= least and places.max() < size):
        return f"{part} must be from {least} to {size - 1}, not {places.min()} to {places.max()}"
    return None


# ---- columns ------------------------------------------------------------------------------------------


def sparse_columns(x: Any) -> SparseColumns:
    """Return a sparse matrix or array of numbers by columns, without a copy where it is one of float64 by columns."""
    columns = x.tocsc()
    if not _ascends(columns):
        columns = columns.copy()
        # scipy's flags may be out of date if the arrays were changed.
        columns.has_canonical_format = columns.has_sorted_indices = False
        columns.sum_duplicates()
    (n, p), n_stored = columns.shape, int(columns.indptr[-1])
    # Values of a longer float beyond float64 become infinite, and are refused as such.
    with np.errstate(over="ignore"):
        values = np.require(columns.data[:n_stored], np.float64, ["C", "A"])
    rows = np.require(columns.indices[:n_stored], np.int32, ["C", "A"])
    return SparseColumns(values, rows, np.require(columns.indptr, np.int64, ["C", "A"]), (int(n), int(p)))


def _ascends(columns: Any) -> bool:
    """Return whether the rows of each column ascend, each row once."""
    rows, start = columns.indices[: columns.indptr[-1]], columns.indptr
    falls = np.flatnonzero(rows[1:] <= rows[:-1]) + 1
    # A descending step that is not at the start of a column lies within a column.
    return bool((start[np.searchsorted(start, falls)] == falls).all())
