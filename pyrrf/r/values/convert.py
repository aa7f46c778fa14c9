"""Values of R and those of Python: arrays, Series, Categoricals and DataFrames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_list
from pyrrf.r.values.labels import dim_of, dimnames_of, names_of, row_count, row_names
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.vector import Value, integers, list_of, objects, strings
from pyrrf.rbase.vectors import MOST_INTEGER

# ---- Python --------------------------------------------------------------------------------------


def value_of(x: Any) -> Value:
    """Return an array, Series, Categorical, DataFrame, list or dict as a value of R; TypeError if R has none."""
    if isinstance(x, Placeholder):
        x._refuse()
    if isinstance(x, pd.DataFrame):
        return frame_of(x)
    if isinstance(x, dict):
        return list_of(x.values(), map(str, x))
    if isinstance(x, list | tuple) and not all(isinstance(item, str | bool | int | float | None) for item in x):
        return list_of(x)
    if isinstance(x, np.ndarray) and x.ndim > 1:
        flat = value_of(x.ravel(order="F"))
        return Value(flat._kind, flat._data, {"dim": integers(x.shape)})
    names = {}
    if isinstance(x, pd.Series) and x.index.dtype.kind == "O":
        names = {"names": strings(map(str, x.index))}
    vector = read(x)
    return Value(vector._kind, vector._data, vector._attributes | names)


def read(x: Any) -> Value:
    """Return a vector of Python without its names; TypeError for values that R's vectors lack, such as points in time.

    NumPy's bool, integers and floats are logicals, integers and doubles; whole numbers beyond 32 bits are doubles, as R
    reads them from a file.
    """
    if hasattr(x, "to_pandas"):
        x = x.to_pandas()
    if isinstance(x, pd.Series | pd.Index):
        x = x.array
    if isinstance(x, pd.Categorical):
        return _factor_of(x)
    if isinstance(x, pd.api.extensions.ExtensionArray):
        x = _plain(x)
    if isinstance(x, list | tuple):
        x = np.array(x, dtype=object)
    if isinstance(x, dict) or np.ndim(x) > 1:
        raise TypeError(f"a {type(x).__name__} of shape {np.shape(x)} is not a vector of R")
    array = np.atleast_1d(np.asarray(x))
    if array.dtype.kind not in _BY_DTYPE:
        raise TypeError(f"{array.dtype} is not a type of R's vectors")
    return _BY_DTYPE[array.dtype.kind](array)


def _plain(x: Any) -> np.ndarray:
    """Return pandas' own arrays as NumPy's, objects where whole numbers or conditions are missing."""
    types = pd.api.types
    if (
        not hasattr(x, "to_numpy")
        or isinstance(x, pd.arrays.NumpyExtensionArray)
        or types.is_datetime64_any_dtype(x.dtype)
    ):
        return np.asarray(x)
    if types.is_bool_dtype(x.dtype) or types.is_integer_dtype(x.dtype):
        return np.asarray(x.to_numpy(dtype=object) if x.isna().any() else x.to_numpy())
    return np.asarray(x.to_numpy(dtype=np.float64, na_value=np.nan) if types.is_float_dtype(x.dtype) else x)


def _of_objects(array: np.ndarray) -> Value:
    gaps = np.asarray(pd.isna(array), dtype=bool)
    known = array[~gaps].tolist()
    if all(isinstance(value, str) for value in known) and (known or not len(array)):
        texts = array.copy()
        texts[gaps] = None
        return Value("character", texts)
    if not all(isinstance(value, bool | np.bool_ | int | float | np.number) for value in known):
        raise TypeError("strings mixed with other values, or values that R's vectors do not hold")
    values = np.full(len(array), np.nan)
    values[~gaps] = known
    if all(isinstance(value, bool | np.bool_) for value in known):
        return Value("logical", values)
    if any(isinstance(value, float | np.floating) for value in known):
        return Value("double", values)
    return _whole(values)


def _whole(values: np.ndarray) -> Value:
    doubles = values.astype(np.float64)
    with np.errstate(invalid="ignore"):
        beyond = bool((np.abs(doubles) > MOST_INTEGER).any())
    return Value("double" if beyond else "integer", doubles)


def quiet(values: np.ndarray) -> np.ndarray:
    """Return doubles whose NA no longer signals: NumPy's minimum is wrong for signaling NaN."""
    with np.errstate(invalid="ignore"):
        return values * 1.0


_BY_DTYPE: dict[str, Callable[[np.ndarray], Value]] = {
    "O": _of_objects,
    "b": lambda array: Value("logical", array.astype(np.float64)),
    "i": _whole,
    "u": _whole,
    "f": lambda array: Value("double", quiet(array.astype(np.float64))),
    "U": lambda array: Value("character", array.astype(object)),
}


def _factor_of(x: pd.Categorical) -> Value:
    codes = np.asarray(x.codes, dtype=np.float64)
    levels = coerce(read(np.asarray(x.categories)), "character")
    about = {"levels": levels, "class": strings(classes_in_python(x))}
    return Value("integer", np.where(codes < 0, np.nan, codes + 1), about)


def classes_in_python(x: object) -> list[str]:
    """Return the classes that a table or a category of pandas has in R; [] for other objects."""
    if isinstance(x, pd.DataFrame):
        return ["data.frame"]
    kind = getattr(x, "dtype", None)
    if not isinstance(kind, pd.CategoricalDtype):
        return []
    return ["ordered", "factor"] if kind.ordered else ["factor"]


def frame_of(x: pd.DataFrame) -> Value:
    """Return a data frame of pandas as one of R."""
    columns = [value_of(x.iloc[:, j].reset_index(drop=True)) for j in range(x.shape[1])]
    counted = isinstance(x.index, pd.RangeIndex)
    rows = integers(np.arange(1, len(x) + 1)) if counted else strings(map(str, x.index))
    about = {"names": strings(map(str, x.columns)), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects(columns), about)


def python_of(x: Any) -> Any:
    """Return a value as NumPy and pandas hold it."""
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
    data = categories(x) if is_factor(x) else array_of(x)
    names = names_of(x)
    return data if names is None else pd.Series(data, index=pd.Index(names))


def array_of(x: Value, whole: type[np.integer] = np.int32) -> Any:
    """Return an array; whole numbers and logicals as pandas' own where some are missing."""
    if x._kind not in ("logical", "integer"):
        return x._data.copy()
    gaps = np.isnan(x._data)
    known = np.where(gaps, 0, x._data)
    if x._kind == "logical":
        return pd.arrays.BooleanArray(known.astype(bool), gaps) if gaps.any() else known.astype(bool)
    return pd.arrays.IntegerArray(known.astype(whole), gaps) if gaps.any() else known.astype(whole)


def python_items(x: Value) -> list[Any]:
    """Return the items of a vector as bool, int, float or str; None where one is missing that is no double."""
    if x._kind == "double":
        return x._data.tolist()
    kind = {"logical": bool, "integer": int, "character": str}[x._kind]
    return [None if item is None or item != item else kind(item) for item in x._data.tolist()]


def categories(x: Value) -> pd.Categorical:
    """Return a factor as pandas has it."""
    codes = np.where(np.isnan(x._data), 0, x._data).astype(np.int64) - 1
    levels: Any = pd.Index(factor_levels(x))
    categorical: pd.Categorical = pd.Categorical.from_codes(codes, categories=levels, ordered=inherits(x, "ordered"))
    return categorical


def data_frame(x: Value) -> pd.DataFrame:
    """Return a data frame as pandas has it; rows that R only counts are counted from 0."""
    columns = {
        j: categories(column) if is_factor(column) else array_of(Value(column._kind, column._data))
        for j, column in enumerate(x._data)
    }
    rows = x._attributes["row.names"]
    is_counted = rows._kind == "integer" and np.array_equal(rows._data, np.arange(1, len(rows) + 1))
    index = pd.RangeIndex(row_count(x)) if is_counted else pd.Index(row_names(x))
    return pd.DataFrame(columns, index=index).set_axis(pd.Index(names_of(x) or []), axis=1)
