"""Conversion of R's vectors and data frames to NumPy and pandas."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rds.altrep import are_na
from pyrrf.rds.content import DamagedError
from pyrrf.rds.objects import ATOMIC, LIST, REAL_NAN, TEXT
from pyrrf.rds.parsed import array, attributes, classes, dimnames, kind, names, shape, texts, values, words, wrong_type
from pyrrf.rds.places import keys, parts
from pyrrf.types import Labels

_COUNTS = re.compile(r"0|[1-9]\d{0,8}")
_LARGEST_COUNT = 10**9
_MATRIX = 2


def row_labels(labels: Sequence[str] | None, n: int) -> Labels:
    """Return the labels of rows: positions from 0 for None and for R's "1", "2", ...; integers if all labels are.

    DamagedError if there are more or fewer labels than rows.
    """
    if labels is None:
        return pd.RangeIndex(n)
    if len(labels) != n:
        raise DamagedError(f"it is damaged: {len(labels)} names for {n} rows")
    if are_counts(labels):
        return pd.RangeIndex(n)
    whole = all(_COUNTS.fullmatch(label) for label in labels)
    return pd.Index([int(label) for label in labels] if whole else list(labels))


def are_counts(labels: Sequence[str]) -> bool:
    """Return whether labels are "1", "2", ..."""
    return labels[:1] in ([], ["1"]) and labels == [str(number) for number in range(1, len(labels) + 1)]


# ---- one vector ----------------------------------------------------------------------------------


def read_vector(obj: Any) -> Any:
    """Return a vector, factor, matrix or array.

    Returns
    -------
    ndarray, Categorical, Series or DataFrame
        Integers stay int32, logicals bool, doubles float64, each a masked array where an NA is among integers or
        logicals. Text is of dtype object, with None for NA. A vector with names, or a table of one dimension, is a
        Series, a matrix with names a DataFrame.
    """
    dim = shape(obj)
    if dim is not None and len(dim) == _MATRIX and attributes(obj).get("dimnames") is not None:
        return _matrix(obj)
    element_names = dimnames(obj)[0] if dim is not None and len(dim) == 1 else names(obj)
    if element_names is not None and (dim is None or len(dim) == 1):
        labels = element_names if dim else texts(attributes(obj)["names"])
        return pd.Series(column(obj), index=pd.Index(labels, dtype=None if labels else "str"))
    return _categories(obj) if _is_factor(obj) else _plain(obj)


def column(obj: Any) -> Any:
    """Return a vector as pandas holds it: with pd.NA where a plain array would be masked."""
    if _is_factor(obj):
        return _categories(obj)
    values = _plain(obj)
    if not isinstance(values, np.ma.MaskedArray):
        return _mark_nan(values)
    mask = np.ma.getmaskarray(values)
    if values.dtype.kind == "b":
        return pd.arrays.BooleanArray(values.data.copy(), mask)
    return pd.arrays.IntegerArray(values.data.copy(), mask)


def _mark_nan(values: np.ndarray) -> np.ndarray:
    """Return values with R's NaN marked, since pandas does not distinguish NaN from NA."""
    if values.dtype.kind != "f":
        return values
    return np.where(np.isnan(values) & ~are_na(values), REAL_NAN, values)


def _is_factor(obj: Any) -> bool:
    return "factor" in classes(obj)


def _plain(obj: Any) -> np.ndarray:
    if kind(obj) == "REAL" and "integer64" in classes(obj):
        return _long_integers(obj)
    if kind(obj) != TEXT:
        values = array(obj)
        return values if values.flags.writeable else values.copy()
    flat = np.array(texts(obj), dtype=object)
    dim = shape(obj)
    return flat if dim is None else flat.reshape(dim, order="F")


def _long_integers(obj: Any) -> np.ndarray:
    """Return the integers of R's package bit64, which stores them in the bits of doubles."""
    integers = array(obj).view(np.int64)
    missing = integers == np.iinfo(np.int64).min
    return np.ma.masked_array(integers, missing) if missing.any() else integers


def _categories(obj: Any) -> pd.Categorical:
    levels_attribute = attributes(obj).get("levels")
    if levels_attribute is None or kind(obj) != "INT":
        raise DamagedError("it is damaged: a factor without levels")
    levels = texts(levels_attribute)
    codes = np.ma.filled(values(obj), 0) - 1
    if len(codes) and not -1 <= codes.min() <= codes.max() < len(levels):
        raise DamagedError("it is damaged: a factor has codes beyond its levels")
    dtype = pd.CategoricalDtype(pd.Index(levels), ordered="ordered" in classes(obj))
    return pd.Categorical.from_codes(codes, dtype=dtype)


def _matrix(obj: Any) -> pd.DataFrame:
    table, (rows, columns) = _mark_nan(_plain(obj)), dimnames(obj)
    n, p = table.shape
    labels: Labels = pd.RangeIndex(p) if columns is None else pd.Index(columns)
    frame = pd.DataFrame(np.ma.filled(table.astype(np.float64), np.nan) if np.ma.isMaskedArray(table) else table)
    return frame.set_axis(row_labels(rows, n), axis=0).set_axis(labels, axis=1)


# ---- data frames ---------------------------------------------------------------------------------


def read_frame(obj: Any) -> pd.DataFrame:
    """Return a data frame, with its factors as categories and the names of its rows.

    DamagedError if a column is invalid, or columns differ in length.
    """
    labels, columns = names(obj), obj.value
    if kind(obj) != LIST or (labels is None and columns):
        raise DamagedError("it is damaged: a data frame without names")
    rows = attributes(obj).get("row.names")
    if rows is None:
        raise DamagedError("it is damaged: a data frame without row names")
    index = _row_names(rows)
    read: dict[int, Any] = {}
    for position, (name, vector) in enumerate(zip(labels or [], columns, strict=True)):
        read[position] = column(_check_column(vector, name, len(index)))
    return pd.DataFrame(read, index=index).set_axis(pd.Index(labels or []), axis=1)


def _check_column(column: Any, name: str, n: int) -> Any:
    if kind(column) not in (*ATOMIC, TEXT):
        raise wrong_type(column, f"a vector in column {name!r}")
    if len(column.value) != n:
        raise DamagedError(f"it is damaged: column {name!r} has {len(column.value)} values for {n} rows")
    return column


def _row_names(obj: Any) -> Labels:
    if kind(obj) == TEXT:
        return row_labels(words(obj), len(obj.value))
    row_names = values(obj)
    # R's short form of 1..n: NA, then n or -n.
    ends = row_names[:3].tolist()
    if len(ends) == 2 and ends[0] is None and isinstance(ends[1], int):
        return pd.RangeIndex(abs(ends[1]))
    labels = np.ma.filled(row_names.astype(np.float64), np.nan) if kind(obj) in ("INT", "REAL") else np.array([np.nan])
    if not (np.isfinite(labels) & (labels == np.trunc(labels))).all():
        raise DamagedError("it is damaged: the names of rows are neither text nor whole numbers")
    if np.array_equal(labels, np.arange(1, len(labels) + 1)):
        return pd.RangeIndex(len(labels))
    counts = ((labels >= 0) & (labels < _LARGEST_COUNT)).all()
    return pd.Index(labels.astype(np.int64) if counts else [str(int(label)) for label in labels.tolist()])


# ---- lists ---------------------------------------------------------------------------------------


def read_list(obj: Any, read: Callable[[str, Any], Any]) -> Any:
    """Return a list, or a dict if all names are distinct; `read` converts an element, given the step to it."""
    list_keys, read_parts = keys(obj), [read(*element) for element in parts(obj)]
    return read_parts if list_keys is None else dict(zip(list_keys, read_parts, strict=True))
