"""R's vectors and data frames as those of NumPy and pandas."""

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


def row_labels(found: Sequence[str] | None, n: int) -> Labels:
    """Return the labels of rows: positions from 0 for none and for R's "1", "2", ...; integers where all are.

    Raises
    ------
    DamagedError
        There are more or fewer labels than rows.
    """
    if found is None:
        return pd.RangeIndex(n)
    if len(found) != n:
        raise DamagedError(f"it is damaged: {len(found)} names for {n} rows")
    if are_counts(found):
        return pd.RangeIndex(n)
    whole = all(_COUNTS.fullmatch(label) for label in found)
    return pd.Index([int(label) for label in found] if whole else list(found))


def are_counts(labels: Sequence[str]) -> bool:
    """Say whether labels are "1", "2", ..."""
    return labels[:1] in ([], ["1"]) and labels == [str(at) for at in range(1, len(labels) + 1)]


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
    found = dimnames(obj)[0] if dim is not None and len(dim) == 1 else names(obj)
    if found is not None and (dim is None or len(dim) == 1):
        labels = found if dim else texts(attributes(obj)["names"])
        return pd.Series(column(obj), index=pd.Index(labels, dtype=None if labels else "str"))
    return _categories(obj) if _is_factor(obj) else _plain(obj)


def column(obj: Any) -> Any:
    """Return a vector as pandas holds it: with pd.NA where a plain array would be masked."""
    if _is_factor(obj):
        return _categories(obj)
    found = _plain(obj)
    if not isinstance(found, np.ma.MaskedArray):
        return _marked(found)
    mask = np.ma.getmaskarray(found)
    if found.dtype.kind == "b":
        return pd.arrays.BooleanArray(found.data.copy(), mask)
    return pd.arrays.IntegerArray(found.data.copy(), mask)


def _marked(values: np.ndarray) -> np.ndarray:
    """Return values of a column with R's NaN apart from R's NA, which pandas has not."""
    if values.dtype.kind != "f":
        return values
    return np.where(np.isnan(values) & ~are_na(values), REAL_NAN, values)


def _is_factor(obj: Any) -> bool:
    return "factor" in classes(obj)


def _plain(obj: Any) -> np.ndarray:
    if kind(obj) == "REAL" and "integer64" in classes(obj):
        return _long_integers(obj)
    if kind(obj) != TEXT:
        found = array(obj)
        return found if found.flags.writeable else found.copy()
    flat = np.array(texts(obj), dtype=object)
    dim = shape(obj)
    return flat if dim is None else flat.reshape(dim, order="F")


def _long_integers(obj: Any) -> np.ndarray:
    """Return the integers of R's package bit64, which stand in the bits of doubles."""
    found = array(obj).view(np.int64)
    missing = found == np.iinfo(np.int64).min
    return np.ma.masked_array(found, missing) if missing.any() else found


def _categories(obj: Any) -> pd.Categorical:
    found = attributes(obj).get("levels")
    if found is None or kind(obj) != "INT":
        raise DamagedError("it is damaged: a factor without levels")
    levels = texts(found)
    codes = np.ma.filled(values(obj), 0) - 1
    if len(codes) and not -1 <= codes.min() <= codes.max() < len(levels):
        raise DamagedError("it is damaged: a factor has codes beyond its levels")
    dtype = pd.CategoricalDtype(pd.Index(levels), ordered="ordered" in classes(obj))
    return pd.Categorical.from_codes(codes, dtype=dtype)


def _matrix(obj: Any) -> pd.DataFrame:
    table, (rows, columns) = _marked(_plain(obj)), dimnames(obj)
    n, p = table.shape
    labels: Labels = pd.RangeIndex(p) if columns is None else pd.Index(columns)
    frame = pd.DataFrame(np.ma.filled(table.astype(np.float64), np.nan) if np.ma.isMaskedArray(table) else table)
    return frame.set_axis(row_labels(rows, n), axis=0).set_axis(labels, axis=1)


# ---- data frames ---------------------------------------------------------------------------------


def read_frame(obj: Any) -> pd.DataFrame:
    """Return a data frame, with its factors as categories and the names of its rows.

    Raises
    ------
    DamagedError
        A column is invalid, or columns differ in length.
    """
    found, columns = names(obj), obj.value
    if kind(obj) != LIST or (found is None and columns):
        raise DamagedError("it is damaged: a data frame without names")
    rows = attributes(obj).get("row.names")
    if rows is None:
        raise DamagedError("it is damaged: a data frame without row names")
    index = _row_names(rows)
    read: dict[int, Any] = {}
    for at, (name, part) in enumerate(zip(found or [], columns, strict=True)):
        read[at] = column(_checked_column(part, name, len(index)))
    return pd.DataFrame(read, index=index).set_axis(pd.Index(found or []), axis=1)


def _checked_column(part: Any, name: str, n: int) -> Any:
    if kind(part) not in (*ATOMIC, TEXT):
        raise wrong_type(part, f"a vector in column {name!r}")
    if len(part.value) != n:
        raise DamagedError(f"it is damaged: column {name!r} has {len(part.value)} values for {n} rows")
    return part


def _row_names(obj: Any) -> Labels:
    if kind(obj) == TEXT:
        return row_labels(words(obj), len(obj.value))
    found = values(obj)
    # R's short form of 1..n: NA, then n or -n.
    ends = found[:3].tolist()
    if len(ends) == 2 and ends[0] is None and isinstance(ends[1], int):
        return pd.RangeIndex(abs(ends[1]))
    labels = np.ma.filled(found.astype(np.float64), np.nan) if kind(obj) in ("INT", "REAL") else np.array([np.nan])
    if not (np.isfinite(labels) & (labels == np.trunc(labels))).all():
        raise DamagedError("it is damaged: the names of rows are neither text nor whole numbers")
    if np.array_equal(labels, np.arange(1, len(labels) + 1)):
        return pd.RangeIndex(len(labels))
    counts = ((labels >= 0) & (labels < _LARGEST_COUNT)).all()
    return pd.Index(labels.astype(np.int64) if counts else [str(int(label)) for label in labels.tolist()])


# ---- lists ---------------------------------------------------------------------------------------


def read_list(obj: Any, read: Callable[[str, Any], Any]) -> Any:
    """Return a list, or a dict if all parts have names of their own; `read` turns a part, with the step to it."""
    found, read_parts = keys(obj), [read(*part) for part in parts(obj)]
    return read_parts if found is None else dict(zip(found, read_parts, strict=True))
