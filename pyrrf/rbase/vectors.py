"""What a vector is to R, and how an answer gets the form of what was asked.

NumPy's bool, integers and floats are R's logical, integer and double. Whole numbers beyond 32 bits are doubles
in R. A Series keeps its index where R keeps names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pyrrf.checks import flag, warn

Atomic: TypeAlias = "np.ndarray | pd.Categorical"
MOST_INTEGER = 2**31 - 1
KINDS = ("logical", "integer", "double", "character")
"""The narrowest first."""


def _quiet(values: np.ndarray) -> np.ndarray:
    """Make a quiet NaN of R's NA, which signals: NumPy's minimum is wrong for it."""
    with np.errstate(invalid="ignore"):
        return values * 1.0


@dataclass(frozen=True, eq=False)
class Vector:
    """A vector of R.

    Parameters
    ----------
    kind : {"logical", "integer", "double", "character", "factor"}
    values : ndarray of float64 or object, or Categorical, shape (n,)
        Numbers of each kind as float64, NaN where missing; strings as objects, None where missing.
    """

    kind: str
    values: Any

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_number(self) -> bool:
        """Whether it is logical, integer or double."""
        return self.kind in KINDS[:3]

    @property
    def missing(self) -> np.ndarray:
        """Where values are missing, shape (n,)."""
        return np.asarray(pd.isna(self.values), dtype=bool)

    @property
    def plain(self) -> Atomic:
        """The values as bool or int64 where none of those is missing; as they are otherwise."""
        if self.kind not in ("logical", "integer") or self.missing.any():
            return self.values  # type: ignore[no-any-return]
        return np.asarray(self.values, dtype=bool if self.kind == "logical" else np.int64)

    def native(self) -> Any:
        """Return bool, int64, float64 or object, or a factor; with missing values pandas' boolean or Int64."""
        gaps = self.missing
        if self.kind not in ("logical", "integer") or not gaps.any():
            return self.plain
        known = np.where(gaps, 0, self.values)
        if self.kind == "logical":
            return pd.arrays.BooleanArray(known.astype(bool), gaps)
        return pd.arrays.IntegerArray(known.astype(np.int64), gaps)


def whole(values: np.ndarray) -> Vector:
    """Return whole numbers as R reads them from a file: integers, or doubles where one is beyond 31 bits."""
    doubles = values.astype(np.float64)
    with np.errstate(invalid="ignore"):
        beyond = bool((np.abs(doubles) > MOST_INTEGER).any())
    return Vector("double" if beyond else "integer", doubles)


def read(x: Any) -> Vector:
    """Return what a value of Python is to R.

    Raises
    ------
    TypeError
        It holds what is no vector of R, such as points in time.
    """
    if isinstance(x, Vector):
        return x
    if hasattr(x, "to_pandas"):
        x = x.to_pandas()
    if isinstance(x, pd.Series | pd.Index):
        x = x.array
    if isinstance(x, pd.Categorical):
        return Vector("factor", x)
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


def _objects(array: np.ndarray) -> Vector:
    gaps = np.asarray(pd.isna(array), dtype=bool)
    known = array[~gaps].tolist()
    if all(isinstance(value, str) for value in known) and (known or not len(array)):
        strings = array.copy()
        strings[gaps] = None
        return Vector("character", strings)
    if not all(isinstance(value, bool | np.bool_ | int | float | np.number) for value in known):
        raise TypeError("strings beside other values, or what R's vectors do not hold")
    values = np.full(len(array), np.nan)
    values[~gaps] = known
    if all(isinstance(value, bool | np.bool_) for value in known):
        return Vector("logical", values)
    if any(isinstance(value, float | np.floating) for value in known):
        return Vector("double", values)
    return whole(values)


_BY_DTYPE: dict[str, Callable[[np.ndarray], Vector]] = {
    "O": _objects,
    "b": lambda array: Vector("logical", array.astype(np.float64)),
    "i": whole,
    "u": whole,
    "f": lambda array: Vector("double", _quiet(array.astype(np.float64))),
    "U": lambda array: Vector("character", array.astype(object)),
}


# ---- arguments -----------------------------------------------------------------------------------


def vector(x: Any, name: str = "x") -> Vector:
    """Return an argument as a vector: a matrix or a data frame column by column, as R stores it; None is empty.

    Raises
    ------
    TypeError
        `x` holds neither numbers nor strings.
    """
    if isinstance(x, pd.DataFrame | np.ndarray) and x.ndim == 2:
        x = np.asarray(x).ravel(order="F")
    if not isinstance(x, Vector | pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        x = np.asarray([] if x is None else x)
    try:
        return read(x)
    except TypeError as error:
        raise TypeError(f"{name} must be a vector of numbers or strings: {error}; convert it first") from None


def atomic(x: Any, name: str = "x") -> Atomic:
    """Return a vector as bool, int64, float64 or object (strings, None where missing), shape (n,), or a factor.

    Whole numbers and conditions are float64 where some are missing.

    Raises
    ------
    TypeError
        As for `vector`.
    """
    return vector(x, name).plain


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


def missing(values: Atomic) -> np.ndarray:
    """Return where values are missing, shape (n,)."""
    return np.asarray(pd.isna(values), dtype=bool)


REAL_NA: float = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
"""R's NA among doubles, a NaN with a mark of its own."""


def whole_or_missing(values: np.ndarray, is_whole: bool) -> np.ndarray:
    """Whole numbers beyond 32 bits become NA, as in R, with a warning; doubles stay."""
    beyond = np.abs(values) > MOST_INTEGER
    if not is_whole or not beyond.any():
        return values
    warn(f"whole numbers beyond {MOST_INTEGER} are NA in R; pass floats to compute with doubles")
    return np.where(beyond, REAL_NA, values)


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


def labelled(x: Any, name: str = "x") -> Atomic:
    """Return a vector as `atomic` does, but conditions of which some are missing as a factor, for their labels."""
    found = vector(x, name)
    gaps = found.missing
    if found.kind != "logical" or not gaps.any() or gaps.all():
        return found.plain
    both: Any = pd.Index([False, True])
    return pd.Categorical.from_codes(np.where(gaps, -1, found.values).astype(np.int64), categories=both)


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
