"""R's typed values, and the operators that decide by the type: logical, integer, double, strings, factors.

Arithmetic of logicals is integer, integers beyond 31 bits are missing, and what is missing stays so by R's rules.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import warn
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.elementary import power
from pyrrf.rbase.text import as_character, texts
from pyrrf.rbase.vectors import MOST_INTEGER

_KINDS = ("logical", "integer", "double", "character")
_quiet = functools.partial(np.errstate, all="ignore")
_EPSILON = np.finfo(EXTENDED).eps


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
        return self.kind in _KINDS[:3]

    @property
    def missing(self) -> np.ndarray:
        """Where values are missing, shape (n,)."""
        return np.asarray(pd.isna(self.values), dtype=bool)

    def native(self) -> Any:
        """Return bool, int64, float64 or object, or a factor; with missing values pandas' boolean or Int64."""
        if self.kind not in ("logical", "integer"):
            return self.values
        gaps = self.missing
        if self.kind == "logical" and gaps.any():
            return pd.arrays.BooleanArray(np.where(gaps, 0, self.values).astype(bool), gaps)
        if self.kind == "integer" and gaps.any():
            return pd.arrays.IntegerArray(np.where(gaps, 0, self.values).astype(np.int64), gaps)
        return self.values.astype(bool if self.kind == "logical" else np.int64)


def whole(values: np.ndarray) -> Vector:
    """Return whole numbers as R reads them from a file: integers, or doubles where one is beyond 31 bits."""
    with _quiet():
        beyond = bool((np.abs(values) > MOST_INTEGER).any())
    return Vector("double" if beyond else "integer", values.astype(np.float64))


def read(x: Any) -> Vector:
    """Return what a value of Python is to R.

    Raises
    ------
    TypeError
        It holds what is no vector of R, such as points in time.
    """
    if isinstance(x, Vector):
        return x
    if isinstance(x, pd.Series | pd.Index):
        x = x.array
    if isinstance(x, pd.Categorical):
        return Vector("factor", x)
    if isinstance(x, pd.api.extensions.ExtensionArray):
        x = _plain(x)
    if isinstance(x, list | tuple):
        x = np.array(x, dtype=object)
    if isinstance(x, dict) or np.ndim(x) > 1:
        raise TypeError(f"a {type(x).__name__} of shape {np.shape(x)} is no vector of R")
    array = np.atleast_1d(np.asarray(x))
    if array.dtype.kind not in _BY_DTYPE:
        raise TypeError(f"{array.dtype} is no type of R's vectors")
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
    "f": lambda array: Vector("double", array.astype(np.float64)),
    "U": lambda array: Vector("character", array.astype(object)),
}


def character(x: Any) -> np.ndarray:
    """Return R's as.character(): objects, None where missing; of a factor the labels."""
    vector = read(x)
    if vector.kind == "character":
        return np.asarray(vector.values)
    out = np.full(len(vector), None, dtype=object)
    kept = ~vector.missing
    if vector.kind == "factor":
        labels = np.array(texts(as_array(vector.values.categories)), dtype=object)
        out[kept] = labels[vector.values.codes[kept]]
    else:
        out[kept] = as_character(Vector(vector.kind, vector.values[kept]).native())
    return out


def as_array(levels: Any) -> np.ndarray:
    """Return the levels of a factor as an array of their type."""
    return np.asarray(levels.to_numpy())


def numbers(x: Any, function: str) -> Vector:
    """Return a vector of numbers.

    Raises
    ------
    TypeError
        It holds strings, or is a factor.
    """
    vector = read(x)
    if not vector.is_number:
        what = "a factor" if vector.kind == "factor" else "strings"
        raise TypeError(f"{function} of {what}, which takes numbers")
    return vector


def integers(values: np.ndarray) -> Vector:
    """Return integers, missing where they are beyond 31 bits; 0 has no sign."""
    with _quiet():
        beyond = np.abs(values) > MOST_INTEGER
    if beyond.any():
        warn(f"{int(beyond.sum())} of {len(values)} whole numbers are beyond 2147483647, and missing as in R")
    return Vector("integer", np.where(beyond, np.nan, values) + 0.0)


def logicals(values: np.ndarray, gaps: np.ndarray) -> Vector:
    """Return conditions that are missing at `gaps`."""
    return Vector("logical", np.where(gaps, np.nan, values.astype(np.float64)))


def together(*vectors: Vector) -> list[Vector]:
    """Return vectors of one length: shorter ones are recycled, as in R with a warning where they do not fit."""
    n = max(map(len, vectors)) if all(map(len, vectors)) else 0
    if any(len(v) and n % len(v) for v in vectors):
        warn(
            f"vectors of {' and '.join(str(len(v)) for v in vectors)} values do not fit; the shorter ones are recycled"
        )
    return [v if len(v) == n else Vector(v.kind, v.values[np.arange(n) % max(1, len(v))]) for v in vectors]


# ---- operators -----------------------------------------------------------------------------------


def operate(sign: str, *operands: Any) -> Vector:
    """Return what an operator of R gives for one operand or two.

    Raises
    ------
    TypeError
        The operator is not meant for such values.
    """
    if sign == "%in%":
        return _within(*map(read, operands))
    vectors = together(*map(read, operands))
    if sign in COMPARISONS:
        return _compared(sign, *vectors)
    if any(v.kind == "factor" for v in vectors):
        warn(f"{sign!r} is not meant for a factor: all values are missing, as in R")
        return logicals(np.zeros(len(vectors[0])), np.ones(len(vectors[0]), dtype=bool))
    if any(v.kind == "character" for v in vectors):
        raise TypeError(f"{sign!r} of strings, which takes numbers")
    with _quiet():
        return _OPERATIONS[sign, len(vectors)](*vectors)


def _arithmetic(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Vector, Vector], Vector]:
    def compute(x: Vector, y: Vector) -> Vector:
        values = function(x.values, y.values)
        return Vector("double", values) if "double" in (x.kind, y.kind) else integers(values)

    return compute


def _quotient(x: Vector, y: Vector) -> Vector:
    return Vector("double", x.values / y.values)


def _power(x: Vector, y: Vector) -> Vector:
    return Vector("double", power(x.values, y.values))


def _modulo(x: Vector, y: Vector) -> Vector:
    if "double" in (x.kind, y.kind):
        return Vector("double", _remainder(x.values, y.values))
    values = np.where(y.values == 0, np.nan, x.values - np.floor(x.values / y.values) * y.values)
    return integers(values)


def _whole_quotient(x: Vector, y: Vector) -> Vector:
    if "double" in (x.kind, y.kind):
        return Vector("double", _floor_quotient(x.values, y.values))
    return integers(np.where(y.values == 0, np.nan, np.floor(x.values / y.values)))


def _remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R's ``%%`` of doubles: in long double, and by its own rule where `y` has no digit behind the point."""
    part = x.astype(EXTENDED) - np.floor(x / y) * y.astype(EXTENDED)
    out = (part - np.floor(part / y) * y).astype(np.float64)
    wide = (np.abs(y) * _EPSILON > 1) & np.isfinite(x) & (np.abs(x) <= np.abs(y))
    apart = ((x < 0) & (y > 0)) | ((y < 0) & (x > 0))
    near = np.where(np.abs(x) == np.abs(y), 0.0, np.where(apart, x + y, x))
    return np.where(y == 0, np.nan, np.where(wide, near, out))


def _floor_quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R's ``%/%`` of doubles."""
    ratio = x / y
    down = np.floor(ratio)
    part = x.astype(EXTENDED) - down * y.astype(EXTENDED)
    out = (down + np.floor(part / y)).astype(np.float64)
    below = (ratio < 0) | ((x < 0) & (y > 0)) | ((x > 0) & (y < 0))
    out = np.where(np.abs(ratio) < 1, np.where(below, -1.0, 0.0), out)
    return np.where((y == 0) | ~np.isfinite(ratio), ratio, out)


def _signed(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Vector], Vector]:
    def compute(x: Vector) -> Vector:
        values = function(x.values)
        return Vector("double", values) if x.kind == "double" else integers(values)

    return compute


def _not(x: Vector) -> Vector:
    return logicals(x.values == 0, x.missing)


def _and(x: Vector, y: Vector) -> Vector:
    false = (x.values == 0) | (y.values == 0)
    return logicals(~false, (x.missing | y.missing) & ~false)


def _or(x: Vector, y: Vector) -> Vector:
    true = ((x.values != 0) & ~x.missing) | ((y.values != 0) & ~y.missing)
    return logicals(true, (x.missing | y.missing) & ~true)


_OPERATIONS: dict[tuple[str, int], Callable[..., Vector]] = {
    ("+", 1): _signed(operator.pos),
    ("-", 1): _signed(operator.neg),
    ("!", 1): _not,
    ("+", 2): _arithmetic(operator.add),
    ("-", 2): _arithmetic(operator.sub),
    ("*", 2): _arithmetic(operator.mul),
    ("/", 2): _quotient,
    ("^", 2): _power,
    ("%%", 2): _modulo,
    ("%/%", 2): _whole_quotient,
    ("//", 2): _whole_quotient,
    ("&", 2): _and,
    ("|", 2): _or,
}
COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SIGNS = {sign for sign, _ in _OPERATIONS} | COMPARISONS.keys() | {"%in%"}
"""All operators."""


def _compared(sign: str, x: Vector, y: Vector) -> Vector:
    gaps = x.missing | y.missing
    if "factor" in (x.kind, y.kind):
        _check_same_levels(x, y)
        if sign not in ("==", "!="):
            return _compared_factors(sign, x, y, gaps)
    if x.is_number and y.is_number:
        left, right = x.values, y.values
    else:
        left, right = character(x), character(y)
        if sign not in ("==", "!="):
            codes = coded_strings(np.where(np.concatenate([gaps, gaps]), "", np.concatenate([left, right])), "x")[0]
            left, right = np.split(codes, 2)
    return logicals(np.asarray(COMPARISONS[sign](left, right), dtype=bool), gaps)


def _check_same_levels(x: Vector, y: Vector) -> None:
    if x.kind == y.kind and sorted(map(str, x.values.categories)) != sorted(map(str, y.values.categories)):
        raise TypeError("two factors with other levels, which are not compared")


def _compared_factors(sign: str, x: Vector, y: Vector, gaps: np.ndarray) -> Vector:
    """Compare by the order of levels; a factor without order has none, and a value that is no level is missing."""
    ordered = [v.values for v in (x, y) if v.kind == "factor" and v.values.ordered]
    if not ordered:
        warn(f"{sign!r} is not meant for a factor: all values are missing, as in R")
        return logicals(gaps, np.ones(len(gaps), dtype=bool))
    levels = texts(as_array(ordered[0].categories))
    if x.kind == y.kind and (len(ordered) < 2 or levels != texts(as_array(ordered[1].categories))):
        raise TypeError("two factors with other levels, which are not compared")
    place = {level: at for at, level in enumerate(levels)}
    left, right = (np.array([place.get(text, -1) for text in character(v)]) for v in (x, y))
    return logicals(COMPARISONS[sign](left, right), gaps | (left < 0) | (right < 0))


def _within(x: Vector, table: Vector) -> Vector:
    """R's ``%in%``: what is missing is in a table that has a missing value."""
    if x.is_number and table.is_number:
        found = np.isin(x.values, table.values[~table.missing])
    else:
        known = set(character(table)[~table.missing].tolist())
        found = np.array([text in known for text in character(x)], dtype=bool)
    return logicals(found | (x.missing & bool(table.missing.any())), np.zeros(len(x), dtype=bool))


def joined(vectors: list[Vector]) -> Vector:
    """Return the vectors one behind the other, of the widest of their kinds (R's ``c``); of a factor the codes."""
    plain = [coded(vector) for vector in vectors]
    kind = max((v.kind for v in plain), key=_KINDS.index, default="logical")
    return Vector(kind, np.concatenate([widened(v, kind) for v in plain]) if plain else np.zeros(0))


def widened(vector: Vector, kind: str) -> np.ndarray:
    """Return the values as those of a wider kind."""
    return character(vector) if kind == "character" else np.asarray(vector.values)


def wider(x: Vector, y: Vector) -> str:
    """Return the wider of two kinds."""
    return max(x.kind, y.kind, key=_KINDS.index)


def coded(vector: Vector) -> Vector:
    """Return a factor as its codes from 1; other vectors stay."""
    if vector.kind != "factor":
        return vector
    codes = vector.values.codes.astype(np.float64)
    return Vector("integer", np.where(codes < 0, np.nan, codes + 1))
