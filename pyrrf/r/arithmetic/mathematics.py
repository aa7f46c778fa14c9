"""Functions of numbers, item by item."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.values.attributes import bare, is_factor, is_frame, kept
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.vector import NUMBERS, NotSupportedError, RError, Value, doubles, integers, objects
from pyrrf.rbase import elementary, numbers

Function = Callable[[np.ndarray], np.ndarray]


def _numbers(x: Item) -> np.ndarray:
    if not isinstance(x, Value) or is_factor(x) or x._kind not in NUMBERS:
        raise RError("non-numeric argument to mathematical function")
    return coerced(bare(x), "double")._data


def each(x: Item, function: Function, keep_kind: bool = False) -> Value:
    """Return what a function gives for each number; a data frame goes column by column."""
    if is_frame(x):
        return Value("list", objects([each(column, function, keep_kind) for column in x._data]), x._attributes)
    data = _numbers(x)
    with np.errstate(all="ignore"):
        found = np.asarray(function(data), dtype=np.float64)
    return Value("integer" if keep_kind and x._kind != "double" else "double", found, x._attributes)


def _of(function: Function, what: str, keep_kind: bool = False) -> Callable[[object], Value]:
    @r_function()
    def computed(x: Item) -> Value:
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


@r_function()
def log(x: Item, base: object = None) -> Value:
    """Return logarithms, natural ones by default."""
    return each(x, elementary.log) if base is None else _with_each(x, base, elementary.log)


@r_function(unsupported="dots")
def trunc(x: Item, *dots: object) -> Value:
    """Return whole numbers, cut towards 0."""
    return each(x, np.trunc)


@r_function(in_order=True)
def round(x: Item, digits: Value | float = 0) -> Value:
    """Return numbers rounded to decimals, as R does it."""
    return _with_each(x, digits, numbers.round)


@r_function()
def signif(x: Item, digits: Value | float = 6) -> Value:
    """Return numbers rounded to significant digits."""
    return _with_each(x, digits, numbers.signif)


def _with_each(x: Item, y: object, function: Callable[..., Any]) -> Value:
    """Return what a function gives for each number of x with one of y; the shorter one is recycled."""
    more = coerced(y, "double")._data
    if len(more) == 1:
        return each(x, lambda data: function(data, float(more[0])))
    if is_frame(x):
        raise NotSupportedError("several digits for a data frame" if len(more) else "no digits")
    data = _numbers(x)
    if not len(more):
        raise NotSupportedError("no digits")
    n = max(len(data), len(more)) if len(data) else 0
    pairs = zip(np.resize(data, n), np.resize(more, n), strict=True)
    found = [float(function(np.array([one]), float(other))[0]) for one, other in pairs]
    return doubles(found, x._attributes if n == len(data) else {})


@r_function()
def factorial(x: Item) -> Value:
    """Return factorials of whole numbers up to 22, of which the doubles are certain."""
    return each(x, _factorials)


def _factorials(data: np.ndarray) -> np.ndarray:
    if ((data != np.floor(data)) | (data < 0) | (data > 22)).any():
        raise NotSupportedError("factorial() of anything but whole numbers from 0 to 22")
    return np.array([float(math.factorial(int(v))) for v in data])


@r_function()
def choose(n: Value, k: Value) -> Value:
    """Return how many sets of `k` there are among `n`, for whole numbers whose result is exact."""
    sizes, parts = coerced(n, "double")._data, coerced(k, "double")._data
    wide = np.broadcast_arrays(sizes, parts) if 1 in (len(sizes), len(parts)) else [sizes, parts]
    found = []
    for a, b in zip(*wide, strict=True):
        if a != int(a) or b != int(b) or a < 0 or b >= 30:
            raise NotSupportedError("choose() of other than small whole numbers")
        exact = math.comb(int(a), int(b)) if b >= 0 else 0
        if exact >= 2**53:
            raise NotSupportedError("choose() of a result beyond 2^53")
        found.append(float(exact))
    names = kept(n, "names")
    if names and len(wide[0]) > len(sizes):
        raise NotSupportedError("choose() of fewer values with names than sizes")
    return doubles(found, names)


# ---- bits ----------------------------------------------------------------------------------------


def _bitwise(function: np.ufunc, which: str) -> Callable[[object, object], Value]:
    @r_function()
    def computed(a: Value, b: Value) -> Value:
        if any(x._kind not in NUMBERS[1:] or (x._data != np.floor(x._data)).any() for x in (a, b)):
            raise NotSupportedError("bits of numbers that are not whole, or are missing")
        n = max(len(a), len(b)) if len(a) and len(b) else 0
        first, second = (np.resize(x._data, n).astype(np.int64) for x in (a, b))
        return integers(function(first, second).astype(np.float64))

    computed.__doc__ = f"Return the bits that {which} of two whole numbers have."
    return computed


bitwAnd = _bitwise(np.bitwise_and, "both")
bitwOr = _bitwise(np.bitwise_or, "one or both")
bitwXor = _bitwise(np.bitwise_xor, "only one")
