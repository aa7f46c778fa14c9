"""Functions of numbers, item by item."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.values.arguments import default_only
from pyrrf.r.values.attributes import is_factor, is_frame
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NUMBERS, NotMovedError, RError, Value, as_value, doubles, integers, objects
from pyrrf.rbase import elementary, numbers

Function = Callable[[np.ndarray], np.ndarray]


def _checked(x: Any) -> Value:
    value = as_value(x)
    if not isinstance(value, Value) or is_factor(value) or value._kind not in (*NUMBERS, "NULL", "list"):
        raise RError("non-numeric argument to mathematical function")
    if value._kind == "NULL" or (value._kind == "list" and not is_frame(value)):
        raise RError("non-numeric argument to mathematical function")
    return value


def each(x: Any, function: Function, keep_kind: bool = False) -> Value:
    """Return what a function gives for each number; a data frame goes column by column."""
    value = _checked(x)
    if is_frame(value):
        return Value("list", objects([each(column, function, keep_kind) for column in value._data]), value._attributes)
    whole = keep_kind and value._kind != "double"
    data = coerced(Value(value._kind, value._data), "double")._data
    with np.errstate(all="ignore"):
        found = np.asarray(function(data), dtype=np.float64)
    return Value("integer" if whole else "double", found, value._attributes)


def _of(function: Function, what: str, keep_kind: bool = False) -> Callable[[Any], Value]:
    def computed(x: Any) -> Value:
        return each(x, function, keep_kind)

    computed.__doc__ = f"Return {what}."
    return computed


sqrt = _of(elementary.sqrt, "square roots")
exp = _of(elementary.exp, "powers of e")
log2 = _of(elementary.log2, "logarithms to the base 2")
log10 = _of(elementary.log10, "logarithms to the base 10")
log1p = _of(elementary.log1p, "logarithms of 1 + x")
expm1 = _of(elementary.expm1, "exp(x) - 1")
sin = _of(elementary.sin, "sines")
cos = _of(elementary.cos, "cosines")
tan = _of(elementary.tan, "tangents")
tanh = _of(elementary.tanh, "hyperbolic tangents")
floor = _of(np.floor, "the next lower whole numbers")
ceiling = _of(np.ceil, "the next higher whole numbers")
abs = _of(np.abs, "numbers without their sign", keep_kind=True)
sign = _of(np.sign, "-1, 0 or 1")


def log(x: Any, base: Any = None) -> Value:
    """Return logarithms, natural ones by default."""
    if base is None:
        return each(x, elementary.log)
    return _with_each(x, base, elementary.log)


@default_only("dots")
def trunc(x: Any, *dots: Any) -> Value:
    """Return whole numbers, cut towards 0."""
    return each(x, np.trunc)


@r_function(in_order=True)
def round(x: Any, digits: Any = 0) -> Value:
    """Return numbers rounded to decimals, as R does it."""
    return _with_each(x, digits, numbers.round)


def signif(x: Any, digits: Any = 6) -> Value:
    """Return numbers rounded to significant digits."""
    return _with_each(x, digits, numbers.signif)


def _with_each(x: Any, y: Any, function: Callable[[np.ndarray, Any], Any]) -> Value:
    """Return what a function gives for each number of x with one of y; the shorter one is recycled."""
    more = coerced(y, "double")._data
    if len(more) == 1:
        return each(x, lambda data: function(data, float(more[0])))
    value = _checked(x)
    if is_frame(value) or not len(more):
        raise NotMovedError("several digits for a data frame" if len(more) else "no digits")
    data = coerced(Value(value._kind, value._data), "double")._data
    n = max(len(data), len(more)) if len(data) else 0
    pairs = zip(np.resize(data, n), np.resize(more, n), strict=True)
    found = [float(function(np.array([one]), float(other))[0]) for one, other in pairs]
    return doubles(found, value._attributes if n == len(data) else {})


def factorial(x: Any) -> Value:
    """Return factorials of whole numbers up to 22, of which the doubles are certain."""
    return each(x, _factorials)


def _factorials(data: np.ndarray) -> np.ndarray:
    if ((data != np.floor(data)) | (data < 0) | (data > 22)).any():
        raise NotMovedError("factorial() of other than whole numbers from 0 to 22")
    return np.array([float(math.factorial(int(v))) for v in data])


def choose(n: Any, k: Any) -> Value:
    """Return how many sets of `k` there are among `n`, for whole numbers whose result is exact."""
    sizes, parts = coerced(n, "double")._data, coerced(k, "double")._data
    wide = np.broadcast_arrays(sizes, parts) if 1 in (len(sizes), len(parts)) else [sizes, parts]
    found = []
    for a, b in zip(*wide, strict=True):
        if a != int(a) or b != int(b) or a < 0 or b >= 30:
            raise NotMovedError("choose() of other than small whole numbers")
        exact = math.comb(int(a), int(b)) if b >= 0 else 0
        if exact >= 2**53:
            raise NotMovedError("choose() of a result beyond 2^53")
        found.append(float(exact))
    names = as_value(n)._attributes.get("names")
    if names is not None and len(wide[0]) > len(sizes):
        raise NotMovedError("choose() of fewer values with names than sizes")
    return doubles(found, None if names is None else {"names": names})


# ---- bits ----------------------------------------------------------------------------------------


def bitwAnd(a: Any, b: Any) -> Value:
    """Return the bits that both of two whole numbers have."""
    return _bitwise(np.bitwise_and, a, b)


def bitwOr(a: Any, b: Any) -> Value:
    """Return the bits that one of two whole numbers has."""
    return _bitwise(np.bitwise_or, a, b)


def bitwXor(a: Any, b: Any) -> Value:
    """Return the bits that only one of two whole numbers has."""
    return _bitwise(np.bitwise_xor, a, b)


def _bitwise(function: np.ufunc, a: Any, b: Any) -> Value:
    sides = [as_value(side) for side in (a, b)]
    if any(side._kind not in NUMBERS[1:] or (side._data != np.floor(side._data)).any() for side in sides):
        raise NotMovedError("bits of what are no whole numbers, or are missing")
    n = max(map(len, sides)) if all(map(len, sides)) else 0
    first, second = (np.resize(side._data, n).astype(np.int64) for side in sides)
    return integers(function(first, second).astype(np.float64))
