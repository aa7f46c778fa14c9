"""R's operators item by item, by the kinds of two vectors: logicals count as integers, integers have 31 bits."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.values.kinds import is_missing
from pyrrf.r.values.vector import Value
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.elementary import power
from pyrrf.rbase.vectors import MOST_INTEGER, recycled_length

_EPSILON = np.finfo(EXTENDED).eps


def apply_operator(sign: str, *vectors: Value) -> Value:
    """Return the result of an operator for one vector or two, without attributes; a shorter one is recycled."""
    n = recycled_length(*[vector._data for vector in vectors])
    wide = [v if len(v) == n else Value(v._kind, v._data[np.arange(n) % max(1, len(v))]) for v in vectors]
    if sign in COMPARISONS:
        return _compare(sign, *wide)
    with np.errstate(all="ignore"):
        return _OPERATIONS[sign, len(wide)](*wide)


def _whole(values: np.ndarray) -> Value:
    """Return integers, missing where they are beyond 31 bits; 0 has no sign."""
    with np.errstate(all="ignore"):
        beyond = np.abs(values) > MOST_INTEGER
    if beyond.any():
        warn(f"{int(beyond.sum())} of {len(values)} whole numbers are beyond 2147483647, and missing as in R")
    return Value("integer", np.where(beyond, np.nan, values) + 0.0)


def _conditions(values: np.ndarray, gaps: np.ndarray) -> Value:
    return Value("logical", np.where(gaps, np.nan, values.astype(np.float64)))


# ---- arithmetic ----------------------------------------------------------------------------------

_Function = Callable[..., np.ndarray]


def _arithmetic(of_doubles: _Function, of_integers: _Function | None = None) -> Callable[..., Value]:
    """Return an operation that gives integers unless an operand is a double."""

    def compute(*vectors: Value) -> Value:
        data = [vector._data for vector in vectors]
        if any(vector._kind == "double" for vector in vectors):
            return Value("double", of_doubles(*data))
        return _whole((of_integers or of_doubles)(*data))

    return compute


def _always_doubles(function: _Function) -> Callable[..., Value]:
    return lambda x, y: Value("double", function(x._data, y._data))


def _remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return R's ``%%`` of doubles: in long double, and by its own rule where `y` has no digit behind the point."""
    remainder = x.astype(EXTENDED) - np.floor(x / y) * y.astype(EXTENDED)
    out = (remainder - np.floor(remainder / y) * y).astype(np.float64)
    wide = (np.abs(y) * _EPSILON > 1) & np.isfinite(x) & (np.abs(x) <= np.abs(y))
    apart = ((x < 0) & (y > 0)) | ((y < 0) & (x > 0))
    near = np.where(np.abs(x) == np.abs(y), 0.0, np.where(apart, x + y, x))
    return np.where(y == 0, np.nan, np.where(wide, near, out))


def _quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return R's ``%/%`` of doubles."""
    ratio = x / y
    down = np.floor(ratio)
    remainder = x.astype(EXTENDED) - down * y.astype(EXTENDED)
    out = (down + np.floor(remainder / y)).astype(np.float64)
    below = (ratio < 0) | ((x < 0) & (y > 0)) | ((x > 0) & (y < 0))
    out = np.where(np.abs(ratio) < 1, np.where(below, -1.0, 0.0), out)
    return np.where((y == 0) | ~np.isfinite(ratio), ratio, out)


# ---- conditions ----------------------------------------------------------------------------------


def _and(x: Value, y: Value) -> Value:
    false = (x._data == 0) | (y._data == 0)
    return _conditions(~false, _gaps(x, y) & ~false)


def _or(x: Value, y: Value) -> Value:
    true = (_zero_gaps(x) != 0) | (_zero_gaps(y) != 0)
    return _conditions(true, _gaps(x, y) & ~true)


def _zero_gaps(x: Value) -> np.ndarray:
    return np.where(np.isnan(x._data), 0.0, x._data)


def _gaps(x: Value, y: Value) -> np.ndarray:
    return is_missing(x) | is_missing(y)


COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _compare(sign: str, x: Value, y: Value) -> Value:
    gaps = _gaps(x, y)
    sides = [x._data[~gaps], y._data[~gaps]]
    if x._kind == "character" and sign not in ("==", "!="):
        sides = np.split(coded_strings(np.concatenate(sides), "x")[0], 2)
    flags = np.zeros(len(gaps), dtype=bool)
    flags[~gaps] = COMPARISONS[sign](*sides)
    return _conditions(flags, gaps)


_OPERATIONS: dict[tuple[str, int], Callable[..., Value]] = {
    ("+", 1): _arithmetic(operator.pos),
    ("-", 1): _arithmetic(operator.neg),
    ("!", 1): lambda x: _conditions(x._data == 0, np.isnan(x._data)),
    ("+", 2): _arithmetic(operator.add),
    ("-", 2): _arithmetic(operator.sub),
    ("*", 2): _arithmetic(operator.mul),
    ("/", 2): _always_doubles(operator.truediv),
    ("^", 2): _always_doubles(power),
    ("%%", 2): _arithmetic(_remainder, lambda x, y: np.where(y == 0, np.nan, x - np.floor(x / y) * y)),
    ("%/%", 2): _arithmetic(_quotient, lambda x, y: np.where(y == 0, np.nan, np.floor(x / y))),
    ("&", 2): _and,
    ("|", 2): _or,
}
