"""What a vector is to R, and how an answer gets the form of what was asked.

NumPy's bool, integers and floats are R's logical, integer and double. Whole numbers beyond 32 bits are doubles
in R. A Series keeps its index where R keeps names.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pyrrf.checks import flag, warn
from pyrrf.types import Labels

Atomic: TypeAlias = "np.ndarray | pd.Categorical"
MOST_INTEGER = 2**31 - 1


def atomic(x: Any, name: str = "x") -> Atomic:
    """Return a vector as bool, int64, float64 or object (strings, None where missing), shape (n,), or a factor.

    A matrix or a data frame is read column by column, as R stores it.

    Raises
    ------
    TypeError
        `x` holds neither numbers nor strings.
    """
    if isinstance(x, pd.Series | pd.Index):
        x = x.array
    if isinstance(x, pd.Categorical):
        return x
    if isinstance(x, pd.DataFrame | np.ndarray) and x.ndim == 2:
        x = np.asarray(x).ravel(order="F")
    if isinstance(x, pd.api.extensions.ExtensionArray):
        x = np.asarray(x, dtype=object) if x.isna().any() else x.to_numpy()
    array = np.atleast_1d(np.asarray([] if x is None else x))
    if array.ndim > 1 or array.dtype.kind not in "biufOUS":
        raise TypeError(f"{name} must be a vector of numbers or strings, not {type(x).__name__} of {array.dtype}")
    if array.dtype.kind in "OUS":
        return _objects(array.astype(object), name)
    return _number_like(array)


def _number_like(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind in "iu" and (not array.size or max(-int(array.min()), int(array.max())) <= MOST_INTEGER):
        return array.astype(np.int64)
    # R's NA is a signalling NaN, for which NumPy's minimum is wrong; a product makes it a quiet one.
    return _quiet(array.astype(np.float64))


def _quiet(values: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return values * 1.0


def _objects(array: np.ndarray, name: str) -> np.ndarray:
    """Return objects as the narrowest kind that holds them; missing ones are NaN or None."""
    missing = np.asarray(pd.isna(array), dtype=bool)
    known = array[~missing].tolist()
    if all(isinstance(value, str) for value in known) and (known or not len(array)):
        out = array.copy()
        out[missing] = None
        return out
    if not all(isinstance(value, bool | np.bool_ | int | float | np.number) for value in known):
        raise TypeError(f"{name} mixes strings with other values, or holds what R's vectors do not; convert it first")
    if missing.any() or not known:
        out = np.full(len(array), np.nan)
        out[~missing] = known
        return out
    return _number_like(np.asarray(known))


def numeric(x: Any, name: str = "x") -> np.ndarray:
    """Return numbers as bool, int64 or float64, shape (n,).

    Raises
    ------
    TypeError
        `x` holds strings, or is a factor.
    """
    found = atomic(x, name)
    if isinstance(found, pd.Categorical):
        raise TypeError(f"{name} is a factor; pass as_numeric({name}) to compute with its codes")
    if found.dtype == object:
        raise TypeError(f"{name} holds strings; convert it to numbers first")
    return found


def double(x: Any, name: str = "x") -> np.ndarray:
    """Return numbers as float64, shape (n,)."""
    return numeric(x, name).astype(np.float64)


def matrix(x: Any, name: str = "x") -> np.ndarray:
    """Return numbers as float64, shape (n, p).

    Raises
    ------
    TypeError
        `x` has not two dimensions, or a column holds no numbers.
    """
    if np.ndim(x) != 2:
        raise TypeError(f"{name} must be a matrix or a data frame, not of {np.ndim(x)} dimensions")
    if isinstance(x, pd.DataFrame):
        columns = [double(x.iloc[:, j], f"{name}.iloc[:, {j}]") for j in range(x.shape[1])]
        return np.column_stack(columns) if columns else np.empty((len(x), 0))
    return _quiet(np.asarray(x, dtype=np.float64))


def missing(values: Atomic) -> np.ndarray:
    """Return where values are missing, shape (n,)."""
    return np.asarray(pd.isna(values), dtype=bool)


def whole_or_missing(values: np.ndarray, whole: bool = False) -> np.ndarray:
    """Whole numbers beyond 32 bits become missing, as in R, with a warning; doubles stay unless they are `whole`."""
    is_whole = whole or values.dtype.kind == "i"
    beyond = np.abs(values) > MOST_INTEGER if is_whole else np.zeros(0, dtype=bool)
    if beyond.any():
        warn(f"whole numbers beyond {MOST_INTEGER} are NA in R; pass floats to compute with doubles")
    return np.where(beyond, np.nan, values) if beyond.any() else values


def recycled(*vectors: Atomic) -> int:
    """Return the length that R brings vectors to, 0 if one is empty; R warns where a part of one is left over."""
    sizes = [len(vector) for vector in vectors]
    size = max(sizes) if all(sizes) else 0
    if any(size % max(1, each) for each in sizes):
        warn(f"the longer length is not a multiple of the shorter: {sizes}")
    return size


def known(values: np.ndarray, na_rm: bool) -> np.ndarray:
    """Return the values without the missing ones if `na_rm` says so."""
    return values[~np.isnan(values)] if flag(na_rm, "na_rm") and values.dtype.kind == "f" else values


def one_vector(x: Any, instead: str) -> Any:
    """Return what is a vector to R, or a matrix; a table of one column, such as importance(), counts as one.

    Raises
    ------
    TypeError
        `x` is a data frame of several columns; `instead` says what to pass.
    """
    if isinstance(x, pd.DataFrame) and x.shape[1] != 1:
        raise TypeError(f"x is a data frame of {x.shape[1]} columns, which R does not take here; {instead}")
    return x


def labelled(x: Any, name: str = "x") -> Atomic:
    """Return a vector as `atomic` does, but conditions of which some are missing as a factor, for their labels."""
    found = atomic(x, name)
    if isinstance(found, pd.Categorical) or found.dtype.kind != "f" or not _holds_flags(x):
        return found
    codes = np.where(np.isnan(found), -1, found).astype(np.int64)
    both: Any = pd.Index([False, True])
    return pd.Categorical.from_codes(codes, categories=both)


def _holds_flags(x: Any) -> bool:
    """Whether what is not missing is True or False."""
    if isinstance(x, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        if str(x.dtype) in ("boolean", "bool[pyarrow]"):
            return True
        if x.dtype != object:
            return False
    elif isinstance(x, np.ndarray) and x.dtype != object:
        return False
    items = [v for v in np.asarray(x, dtype=object).ravel().tolist() if not pd.isna(v)]
    return bool(items) and all(isinstance(v, bool | np.bool_) for v in items)


def like(x: Any, values: np.ndarray) -> Any:
    """Return values computed from `x` in its form: a number, a Series with its index, a matrix, or an array."""
    if isinstance(x, pd.Series):
        return pd.Series(values, index=x.index, name=x.name)
    if isinstance(x, pd.DataFrame):
        return pd.DataFrame(values.reshape(x.shape, order="F"), index=x.index, columns=x.columns)
    shape = np.shape(x)
    if len(shape) == 2:
        return values.reshape(shape, order="F")
    return values if shape else values[0].item()


def taken(x: Any, places: np.ndarray) -> Any:
    """Return some items of a vector, in the order of `places`: a Series with its index, a factor, or an array."""
    if isinstance(x, pd.Series):
        return x.iloc[places]
    found = atomic(x)
    return found[places]


def names(x: Any) -> Labels | None:
    """Return the names that R would see: the index of a Series whose labels are text."""
    if isinstance(x, pd.Series) and x.index.dtype.kind == "O":
        return x.index
    return None


def named(values: np.ndarray, labels: Labels | None) -> Any:
    """Return a Series with `labels`, or the array where there are none."""
    return values if labels is None else pd.Series(values, index=labels)
