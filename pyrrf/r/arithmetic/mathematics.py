"""Functions of numbers, item by item."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.values.coercion import attrs, bare, coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.kinds import classes, inherits, is_frame
from pyrrf.r.values.labels import known_names
from pyrrf.r.values.vector import NUMBERS, Value, doubles, integers, objects
from pyrrf.rbase import elementary, numbers

Function = Callable[[np.ndarray], np.ndarray]


# Messages of R's groups Math and Summary for values of a class for which they have no such function.
_WORDS = {
    "factor": "\u2018{}\u2019 not meaningful for factors",
    "Date": '{} not defined for "Date" objects',
    "POSIXct": "'{}' not defined for \"POSIXt\" objects",
    "difftime": "'{}' not defined for \"difftime\" objects",
}
_OF_SPANS = ("abs", "sign", "floor", "ceiling", "trunc", "round", "signif")
_OF_DATES = ("trunc", "round")


def check_defined(name: str, x: Item, *defined: str) -> None:
    """Refuse a value whose class has no method for a function of a group, as R does."""
    of_class = next((of_class for of_class in classes(x) if of_class in (*_WORDS, *defined)), None)
    if of_class is not None and of_class not in defined:
        raise RError(_WORDS[of_class].format(name))


def _numbers(name: str, x: Item) -> np.ndarray:
    check_defined(name, x, *["difftime"] * (name in _OF_SPANS), *["Date"] * (name in _OF_DATES))
    stop_if(not isinstance(x, Value) or x._kind not in NUMBERS, "non-numeric argument to mathematical function")
    return coerce(bare(x), "double")._data


def by_column(x: Value, function: Callable[[Value], Value]) -> Value:
    """Return a data frame after a function of the group Math was used on each column."""
    other = [name for name, column in zip(known_names(x), x._data, strict=True) if not _is_alike(column)]
    stop_if(other, f"non-numeric-alike variable(s) in data frame: {', '.join(other)}")
    return Value("list", objects(map(function, x._data)), x._attributes)


def _is_alike(column: Value) -> bool:
    """Return whether R takes a column as numeric: a logical, or a number that is no factor, date or span."""
    return column._kind in NUMBERS and not inherits(column, *_WORDS)


def each(name: str, x: Item, function: Function, keep_kind: bool = False) -> Value:
    """Return the value of a function for each number; a data frame goes column by column."""
    if is_frame(x):
        return by_column(x, lambda column: each(name, column, function, keep_kind))
    data = _numbers(name, x)
    with np.errstate(all="ignore"):
        numbers = np.asarray(function(data), dtype=np.float64)
    return Value("integer" if keep_kind and x._kind != "double" else "double", numbers, x._attributes)


def _of(name: str, function: Function, what: str, keep_kind: bool = False) -> Callable[[object], Value]:
    @r_function(name, f"Return {what}.", classes="vectors tables")
    def compute(x: Item) -> Value:
        return each(name, x, function, keep_kind)

    return compute


sqrt = _of("sqrt", elementary.sqrt, "square roots")
exp = _of("exp", elementary.exp, "powers of e")
log2 = _of("log2", elementary.log2, "logarithms to the base 2")
log10 = _of("log10", elementary.log10, "logarithms to the base 10")
log1p = _of("log1p", elementary.log1p, "logarithms of 1 + x")
expm1 = _of("expm1", elementary.expm1, "exp(x) - 1")
sin = _of("sin", elementary.sin, "sines")
cos = _of("cos", elementary.cos, "cosines")
tan = _of("tan", elementary.tan, "tangents")
tanh = _of("tanh", elementary.tanh, "hyperbolic tangents")
floor = _of("floor", np.floor, "the next lower whole numbers")
ceiling = _of("ceiling", np.ceil, "the next higher whole numbers")
abs = _of("abs", np.abs, "numbers without their sign", keep_kind=True)
sign = _of("sign", np.sign, "-1, 0 or 1")


@r_function(classes="vectors tables")
def log(x: Item, base: object = None) -> Value:
    """Return logarithms, natural ones by default."""
    return each("log", x, elementary.log) if base is None else _with_each("log", x, base, elementary.log)


@r_function(unsupported="dots", classes="vectors tables -POSIXct")
def trunc(x: Item, *dots: object) -> Value:
    """Return whole numbers, cut towards 0; of dates the day."""
    return each("trunc", x, np.floor if inherits(x, "Date") else np.trunc)


@r_function(in_order=True, classes="vectors tables -POSIXct")
def round(x: Item, digits: Value | float = 0) -> Value:
    """Return numbers rounded to decimals, as R does it."""
    return _with_each("round", x, digits, numbers.round)


@r_function(classes="vectors tables")
def signif(x: Item, digits: Value | float = 6) -> Value:
    """Return numbers rounded to significant digits."""
    return _with_each("signif", x, digits, numbers.signif)


def _with_each(name: str, x: Item, y: object, function: Callable[..., Any]) -> Value:
    """Return the value of a function for each number of x with one of y; the shorter one is recycled."""
    refuse_if(classes(y), f"{name}() with a second argument that has a class")
    more = coerce(y, "double")._data
    if len(more) == 1:
        return each(name, x, lambda data: function(data, float(more[0])))
    refuse_if(is_frame(x), "several digits for a data frame" if len(more) else "no digits")
    data = _numbers(name, x)
    refuse_if(not len(more), "no digits")
    n = max(len(data), len(more)) if len(data) else 0
    pairs = zip(np.resize(data, n), np.resize(more, n), strict=True)
    numbers = [float(function(np.array([one]), float(other))[0]) for one, other in pairs]
    return doubles(numbers, x._attributes if n == len(data) else {})


@r_function()
def factorial(x: Item) -> Value:
    """Return factorials of whole numbers up to 22, which doubles hold exactly."""
    return each("factorial", x, _factorials)


def _factorials(data: np.ndarray) -> np.ndarray:
    refuse_if(((data != np.floor(data)) | (data < 0) | (data > 22)).any(), "factorial() of other than 0 to 22")
    return np.array([float(math.factorial(int(v))) for v in data])


@r_function()
def choose(n: Value, k: Value) -> Value:
    """Return the number of sets of `k` among `n`, for whole numbers whose result is exact."""
    sizes, parts = coerce(n, "double")._data, coerce(k, "double")._data
    refuse_if(len(sizes) != len(parts) and 1 not in (len(sizes), len(parts)), "choose() of vectors of other lengths")
    wide = np.broadcast_arrays(sizes, parts) if 1 in (len(sizes), len(parts)) else [sizes, parts]
    counts = []
    for a, b in zip(*wide, strict=True):
        refuse_if(a != int(a) or b != int(b) or a < 0 or b >= 30, "choose() of other than small whole numbers")
        exact = math.comb(int(a), int(b)) if b >= 0 else 0
        refuse_if(exact >= 2**53, "choose() of a result beyond 2^53")
        counts.append(float(exact))
    names = attrs(n, "names")
    refuse_if(names and len(wide[0]) > len(sizes), "choose() of fewer values with names than sizes")
    return doubles(counts, names)


# ---- bits ----------------------------------------------------------------------------------------


def _bitwise(function: np.ufunc, which: str) -> Callable[[object, object], Value]:
    @r_function()
    def compute(a: Value, b: Value) -> Value:
        if any(x._kind not in NUMBERS[1:] or (x._data != np.floor(x._data)).any() for x in (a, b)):
            raise NotSupportedError("bits of numbers that are not whole, or are missing")
        n = max(len(a), len(b)) if len(a) and len(b) else 0
        first, second = (np.resize(x._data, n).astype(np.int64) for x in (a, b))
        return integers(function(first, second).astype(np.float64))

    compute.__doc__ = f"Return the bits that {which} of two whole numbers have."
    return compute


bitwAnd = _bitwise(np.bitwise_and, "both")
bitwOr = _bitwise(np.bitwise_or, "one or both")
bitwXor = _bitwise(np.bitwise_xor, "only one")
