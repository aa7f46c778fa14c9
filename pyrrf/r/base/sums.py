"""Sums, means, extremes and running sums of vectors."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.mathematics import by_column, check_defined
from pyrrf.r.arithmetic.operators import operate
from pyrrf.r.base.dates import in_one_unit
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.ordering import order
from pyrrf.r.base.vectors import c
from pyrrf.r.indexing.subscripts import items
from pyrrf.r.values.arguments import number
from pyrrf.r.values.coercion import as_codes, attrs, bare, coerce, make_factor, refuse_two_gaps, wider, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Given, Item, Number, Whole, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list, is_missing, is_na_mark
from pyrrf.r.values.labels import dim_of, kept_names
from pyrrf.r.values.vector import NUMBERS, Value, doubles, integers, logicals, missing_number, null, objects, strings
from pyrrf.rbase import sums
from pyrrf.rbase.arithmetic import mean as mean_of
from pyrrf.rbase.arithmetic import median as median_of
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.vectors import MOST_INTEGER, REAL_NA


def _together(dots: Sequence[Value], function: str) -> Value:
    """Return all arguments as one vector without names; a data frame counts by its columns."""
    parts: list[Value] = []
    stop_if(builtins.any(map(is_frame, dots[1:])) and not is_frame(dots[0]), "invalid 'type' (list) of argument")
    for item in dots:
        if is_frame(item) and builtins.any(is_factor(piece) or piece._kind not in NUMBERS for piece in item._data):
            raise RError("only defined on a data frame with all numeric-alike variables")
        parts += list(item._data) if is_frame(item) else [item]
    if builtins.any(is_list(piece) or piece._kind in ("language", "opaque") for piece in parts):
        raise RError("invalid 'type' (list) of argument")
    kind = wider("NULL", *(piece._kind for piece in parts))
    if kind == "NULL":
        return Value("integer", np.zeros(0))
    return Value(kind, np.concatenate([coerce(as_codes(piece), kind)._data for piece in parts]))


_ORDERLY = ("max", "min", "range")


def _by_class(name: str, dots: Sequence[Value], function: Callable[..., Value]) -> Value:
    """Return the value of a function of R's group Summary: the first argument's class decides, and stays.

    `function` computes for values without a class.
    """
    first = dots[0] if dots else null()
    if "class" not in first._attributes or is_frame(first):
        return function(*dots)
    if inherits(first, "ordered"):
        return _of_ordered(name, dots, function)
    known = ["Date", "POSIXct"] if name in _ORDERLY else []
    check_defined(name, first, *known, *["difftime"] * (name in (*_ORDERLY, "sum")))
    if inherits(first, "difftime"):
        same, unit = in_one_unit(dots)
        return Value("double", coerce(function(*same), "double")._data, attrs(first, "class") | {"units": unit})
    if not inherits(first, *known):
        return function(*dots)
    refuse_if(builtins.any(value._kind not in NUMBERS for value in dots), f"{name}() of dates and other values")
    return Value("double", coerce(function(*map(bare, dots)), "double")._data, attrs(first, "class", "tzone"))


def _of_ordered(name: str, dots: Sequence[Value], function: Callable[..., Value]) -> Value:
    stop_if(name not in _ORDERLY, f"'{name}' not defined for ordered factors")
    levels = factor_levels(dots[0])
    if not builtins.all(inherits(value, "ordered") and factor_levels(value) == levels for value in dots):
        same = "if all arguments have the same level sets"
        raise RError(f"'{name}' is only meaningful for ordered factors {same}")
    return make_factor(function(*map(bare, dots))._data, levels, ordered=True)


def _accumulate(dots: Sequence[Value], na_rm: bool, function: Callable[..., float]) -> Value:
    """Return the sum or the product of doubles, argument by argument; a missing integer makes it NA at once."""
    parts = [without_missing(_together((item,), "sum"), na_rm) for item in dots]
    if builtins.any(value._kind != "double" and bool(is_missing(value).any()) for value in parts):
        return doubles(REAL_NA)
    return doubles(float(function(*(coerce(value, "double")._data for value in parts))))


def without_missing(value: Value, na_rm: bool) -> Value:
    """Return a vector, without missing values if they are to be left out."""
    return Value(value._kind, value._data[~is_missing(value)]) if na_rm else value


def _sum(dots: Sequence[Value], na_rm: bool) -> Value:
    numbers = without_missing(_together(dots, "sum"), na_rm)
    stop_if(numbers._kind not in NUMBERS, "invalid 'type' (character) of argument")
    if numbers._kind != "double":
        total = numbers._data.sum() if len(numbers) else 0.0
        return doubles(total) if np.abs(total) > MOST_INTEGER else integers(total)
    return _accumulate(dots, na_rm, sums.sum)


def _product(dots: Sequence[Value], na_rm: bool) -> Value:
    numbers = without_missing(_together(dots, "prod"), na_rm)
    stop_if(numbers._kind not in NUMBERS, "invalid 'type' (character) of argument")
    return _accumulate(dots, na_rm, sums.prod)


def _extreme(name: str, dots: Sequence[Value], na_rm: bool) -> Value:
    largest = name == "max"
    values = without_missing(_together(dots, name), na_rm)
    if values._kind == "character":
        if not len(values):
            raise RError(f"no non-missing arguments to {name}; returning {'-' if largest else ''}Inf")
        if bool(is_missing(values).any()):
            return strings([None])
        places = order(values)._data
        return strings([values._data[int(places[-1 if largest else 0]) - 1]])
    if not len(values):
        warn(f"no non-missing arguments to {name}; returning {'-' if largest else ''}Inf")
        return doubles(-np.inf if largest else np.inf)
    kind = "double" if values._kind == "double" else "integer"
    if np.isnan(values._data).any():
        mark = kind == "integer" or bool(is_na_mark(values._data).any())
        return Value(kind, np.array([missing_number(kind) if mark else np.nan]))
    first = int(values._data.argmax() if largest else values._data.argmin())  # of 0 and -0 the first
    return Value(kind, values._data[first : first + 1].copy())


def _summary(name: str, doc: str, plainly: Callable[[Sequence[Value], bool], Value]) -> Callable[..., Value]:
    @r_function(name, doc, in_order=True, classes="vectors tables")
    def summary(*dots: Value, na_rm: Flag = False) -> Value:
        return _by_class(name, dots, lambda *plain: plainly(plain, na_rm))

    return summary


sum = _summary("sum", "Return the sum; integers stay integers.", _sum)
prod = _summary("prod", "Return the product.", _product)
max = _summary("max", "Return the largest value.", functools.partial(_extreme, "max"))
min = _summary("min", "Return the smallest value.", functools.partial(_extreme, "min"))


@r_function(in_order=True, unsupported="finite", classes="vectors tables")
def range(*dots: Value, na_rm: Flag = False, finite: Flag = False) -> Value:
    """Return the smallest and the largest value; lists count by their items."""

    def both(*plain: Value) -> Value:
        flat = [unlist(value) if is_list(value) and not is_frame(value) else value for value in plain]
        return c(_extreme("min", flat, na_rm), _extreme("max", flat, na_rm))

    return _by_class("range", dots, both)


def middle(x: Value, about: dict[str, Value] | None = None) -> Value:
    """Return the middle of at least one number; of an odd number of whole ones an integer."""
    value = float(median_of(coerce(x, "double")._data))
    return Value(x._kind, np.array([value]), about) if len(x) % 2 else doubles(value, about)


@r_function(in_order=True, unsupported="dots")
def mean(x: Item, *dots: Value, trim: Number = 0, na_rm: Flag = False) -> Value:
    """Return the mean; NA with a warning if x is not numeric."""
    if not isinstance(x, Value) or x._kind not in NUMBERS or is_factor(x):
        warn("argument is not numeric or logical: returning NA")
        return doubles(REAL_NA)
    numbers = without_missing(bare(x), na_rm)
    if trim:
        refuse_if(classes(x), "mean() with trim of an object with a class")
        if bool(is_missing(numbers).any()):
            return doubles(REAL_NA)
        if trim >= 0.5 and len(numbers):
            return middle(numbers)
        numbers = Value(numbers._kind, sums.trim(numbers._data, trim))
        return doubles(mean_of(numbers._data, numbers._kind != "double"))
    about = attrs(x, "class", "units", "tzone") if inherits(x, "Date", "POSIXct", "difftime") else None
    if numbers._kind == "double":
        return doubles(_mean(numbers._data), about)
    if bool(is_missing(numbers).any()):
        return doubles(REAL_NA, about)
    return doubles(mean_of(numbers._data, True), about)


def _mean(data: np.ndarray) -> float:
    if not np.isnan(data).any():
        return mean_of(data)
    return REAL_NA if is_na_mark(data).any() else float("nan")


def _running_maker(function: Callable[[Any], Any], whole: bool) -> Callable[[Any], Value]:
    name = function.__name__

    @r_function(name, "Return the value so far, for each item.", classes="vectors tables")
    def accumulate(x: Value) -> Value:
        if is_frame(x):
            return by_column(x, accumulate)
        check_defined(name, x)
        refuse_if(x._kind not in NUMBERS, f"{name}(): x must be numeric, not {x._kind}")
        about = kept_names(x)
        if function in (sums.cumsum, sums.cumprod):
            refuse_two_gaps(x._data)
        if x._kind == "double" or not whole:
            return doubles(np.asarray(function(coerce(x, "double")._data), dtype=np.float64), about)
        data = np.asarray(function(x._data), dtype=np.float64)
        beyond = np.abs(data) > MOST_INTEGER
        if beyond.any():
            warn("integer overflow in 'cumsum'; use 'cumsum(as.numeric(.))'")
            data[int(np.flatnonzero(beyond)[0]) :] = np.nan
        return integers(data, about)

    return accumulate


cumsum = _running_maker(sums.cumsum, True)
cumprod = _running_maker(sums.cumprod, False)
cummax = _running_maker(sums.cummax, True)
cummin = _running_maker(sums.cummin, True)


@r_function()
def diff(x: Value, lag: Whole = 1, differences: Whole = 1) -> Value:
    """Return differences of items."""
    refuse_if(dim_of(x) is not None or is_factor(x), "diff() of a matrix, a table or a factor")
    stop_if(lag < 1 or differences < 1, "'lag' and 'differences' must be integers >= 1")
    dated = inherits(x, "Date", "POSIXct")
    if lag * differences >= len(x):
        return (
            doubles([], {"class": strings("difftime"), "units": strings("days")}) if dated else items(x, integers([]))
        )
    left = x if dated else without(x, "class", "units")
    for _ in builtins.range(differences):
        n = len(left)
        later = items(left, integers(np.arange(lag + 1, n + 1)))
        left = operate("-", later, without(items(left, integers(np.arange(1, n - lag + 1))), "names"))
    return left if dated else Value(left._kind, left._data, left._attributes | attrs(x, "class", "units"))


def _parallel(values: Sequence[Value], na_rm: bool, largest: bool) -> Value:
    if not builtins.all(value._kind in (*NUMBERS, "NULL", "character") for value in values):
        raise NotSupportedError("pmax() or pmin() of something other than vectors")
    if builtins.any(value._attributes.keys() & {"class", "levels"} for value in values):
        raise NotSupportedError("pmax() or pmin() of values with a class")
    kind = wider(*(value._kind for value in values))
    kind = "integer" if kind in ("logical", "NULL") and len(values) > 1 else kind
    n = builtins.max(len(value) for value in values) if builtins.all(len(value) for value in values) else 0
    wide = [np.resize(coerce(value, kind)._data, n) for value in values]
    texts: list[str] = []
    if kind == "character":
        codes, texts = coded_strings(np.concatenate(wide), "pmax() or pmin()")
        wide = np.split(np.where(codes < 0, np.nan, codes), len(wide))
    gaps = np.isnan(np.array(wide))
    known = np.where(gaps, -np.inf if largest else np.inf, wide)
    beyond = np.greater if largest else np.less
    # Of equal ones the first stays, which shows in the sign of 0.
    best = functools.reduce(lambda one, other: np.where(beyond(other, one), other, one), known)
    lost = gaps.all(axis=0) if na_rm else gaps.any(axis=0)
    # A missing value stays as the last one: NA, or NaN.
    last = np.array(wide)[::-1][np.argmax(gaps[::-1], axis=0), np.arange(n)] if n else best
    out = np.where(lost, last if kind == "double" else np.nan, best)
    if kind == "character":
        out = objects([None if code != code else texts[int(code)] for code in out.tolist()])
    return Value(kind, out, values[0]._attributes if len(values[0]) == n else {})


def _parallel_extreme(name: str, doc: str) -> Callable[..., Value]:
    @r_function(name, doc, in_order=True)
    def extreme(*dots: Value, na_rm: Flag = False) -> Value:
        return _parallel(dots, na_rm, name == "pmax")

    return extreme


pmax = _parallel_extreme("pmax", "Return the larger value of each place.")
pmin = _parallel_extreme("pmin", "Return the smaller value of each place.")


def _holds(name: str, decisive: float, where: str) -> Callable[..., Value]:
    @r_function(
        name, f"Return whether a condition holds {where}: NA if that depends on what is missing.", in_order=True,
        classes="vectors tables",
    )  # fmt: skip
    def test(*dots: Value, na_rm: Flag = False) -> Value:
        def decide(*plain: Value) -> Value:
            flags = without_missing(coerce(_together(plain, name), "logical"), na_rm)._data
            return logicals(
                decisive if (flags == decisive).any() else np.nan if np.isnan(flags).any() else 1 - decisive
            )

        return _by_class(name, dots, decide)

    return test


any = _holds("any", 1.0, "somewhere")
all = _holds("all", 0.0, "everywhere")


@r_function()
def xor(x: Value, y: Value) -> Value:
    """Return whether one of two conditions holds, and not the other."""
    return (x | y) & ~(x & y)


def _is_one(name: str, condition: float, doc: str) -> Callable[[object], Value]:
    @r_function(name, doc, certain=True, classes="any formula")
    def test(x: Item) -> Value:
        return logicals(isinstance(x, Value) and x._kind == "logical" and len(x) == 1 and x._data[0] == condition)

    return test


isTRUE = _is_one("isTRUE", 1, "Return whether a value is one TRUE.")
isFALSE = _is_one("isFALSE", 0, "Return whether a value is one FALSE.")


_MOST_BINS = 2**28


@r_function()
def tabulate(bin: Value, nbins: Given = None) -> Value:
    """Return the counts of 1, 2, ... in a vector."""
    if bin._kind not in NUMBERS[1:] or inherits(bin, "Date", "POSIXct", "difftime"):
        raise RError("'bin' must be numeric or a factor")
    whole = coerce(bare(bin), "integer")._data
    data = whole[~np.isnan(whole)].astype(np.int64)
    n = int(data.max(initial=1)) if nbins is None else int(number(nbins))
    refuse_if(n > _MOST_BINS, f"tabulate() of more than {_MOST_BINS} numbers")
    counts = np.bincount(data[(data > 0) & (data <= n)], minlength=n + 1)[1:]
    return integers(counts)
