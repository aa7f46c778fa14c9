"""Values of R and those of Python: arrays, Series, Categoricals and DataFrames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.vector import Value, integers, listed, objects, strings
from pyrrf.rbase.vectors import read as _read

# ---- Python --------------------------------------------------------------------------------------


def value_of(x: Any) -> Value:
    """Return an array, Series, Categorical, DataFrame, list or dict as a value of R.

    Raises
    ------
    TypeError
        R has no such value.
    """
    if isinstance(x, Placeholder):
        x._refuse()
    if isinstance(x, pd.DataFrame):
        return frame_of(x)
    if isinstance(x, dict):
        return listed(x.values(), map(str, x))
    if isinstance(x, list | tuple) and not all(isinstance(item, str | bool | int | float | None) for item in x):
        return listed(x)
    if isinstance(x, np.ndarray) and x.ndim > 1:
        flat = value_of(x.ravel(order="F"))
        return Value(flat._kind, flat._data, {"dim": integers(x.shape)})
    names = {}
    if isinstance(x, pd.Series) and x.index.dtype.kind == "O":
        names = {"names": strings(map(str, x.index))}
    found = read(x)
    return Value(found._kind, found._data, found._attributes | names)


def read(x: Any) -> Value:
    """Return a vector of Python without its names.

    Raises
    ------
    TypeError
        It holds what is no vector of R, such as points in time.
    """
    found = _read(x)
    return _factor_of(found.values) if found.kind == "factor" else Value(found.kind, found.values)


def _factor_of(x: pd.Categorical) -> Value:
    codes = np.asarray(x.codes, dtype=np.float64)
    levels = coerced(read(np.asarray(x.categories)), "character")
    about = {"levels": levels, "class": strings(["ordered", "factor"] if x.ordered else ["factor"])}
    return Value("integer", np.where(codes < 0, np.nan, codes + 1), about)


def frame_of(x: pd.DataFrame) -> Value:
    """Return a data frame of pandas as one of R."""
    columns = [value_of(x.iloc[:, j].reset_index(drop=True)) for j in range(x.shape[1])]
    counted = isinstance(x.index, pd.RangeIndex)
    rows = integers(np.arange(1, len(x) + 1)) if counted else strings(map(str, x.index))
    about = {"names": strings(map(str, x.columns)), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects(columns), about)


def python_of(x: Any) -> Any:
    """Return what a value is to NumPy and pandas."""
    if not isinstance(x, Value):
        return x
    if is_frame(x):
        return data_frame(x)
    if is_list(x):
        items = [python_of(item) for item in x._data]
        names = names_of(x)
        return items if names is None else dict(zip(names, items, strict=True))
    if x._kind == "NULL":
        return None
    if x._kind in ("language", "opaque"):
        return x._data[0]
    return _vector(x)


def _vector(x: Value) -> Any:
    shape = dim_of(x)
    if shape is not None and len(shape) > 1:
        values = array_of(x).reshape(shape, order="F")
        rows, columns = dimnames_of(x)[:2]
        if len(shape) > 2 or (rows is None and columns is None):
            return values
        return pd.DataFrame(values, index=rows, columns=columns)
    found = categories(x) if is_factor(x) else array_of(x)
    names = names_of(x)
    return found if names is None else pd.Series(found, index=pd.Index(names))


def array_of(x: Value, whole: type[np.integer] = np.int32) -> Any:
    """Return an array; whole numbers and logicals as pandas' own where some are missing."""
    if x._kind not in ("logical", "integer"):
        return x._data.copy()
    gaps = np.isnan(x._data)
    known = np.where(gaps, 0, x._data)
    if x._kind == "logical":
        return pd.arrays.BooleanArray(known.astype(bool), gaps) if gaps.any() else known.astype(bool)
    return pd.arrays.IntegerArray(known.astype(whole), gaps) if gaps.any() else known.astype(whole)


def categories(x: Value) -> pd.Categorical:
    """Return a factor as pandas has it."""
    codes = np.where(np.isnan(x._data), 0, x._data).astype(np.int64) - 1
    levels: Any = pd.Index(factor_levels(x))
    found: pd.Categorical = pd.Categorical.from_codes(codes, categories=levels, ordered=inherits(x, "ordered"))
    return found


def data_frame(x: Value) -> pd.DataFrame:
    """Return a data frame as pandas has it; rows that R only counts are counted from 0."""
    columns = {j: _column(part) for j, part in enumerate(x._data)}
    rows = x._attributes["row.names"]
    plain = rows._kind == "integer" and np.array_equal(rows._data, np.arange(1, len(rows) + 1))
    index = pd.RangeIndex(row_count(x)) if plain else pd.Index(row_names(x))
    return pd.DataFrame(columns, index=index).set_axis(pd.Index(names_of(x) or []), axis=1)


def _column(part: Value) -> Any:
    if is_factor(part):
        return categories(part)
    return array_of(Value(part._kind, part._data))
