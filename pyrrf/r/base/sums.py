"""Sums, means, extremes, running sums: what base computes of a vector."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.ordering import order
from pyrrf.r.base.vectors import c
from pyrrf.r.indexing.subscripts import items
from pyrrf.r.values.arguments import number
from pyrrf.r.values.attributes import (
    bare,
    dim_of,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    is_na_mark,
    kept,
    names_of,
    refuse_two_gaps,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.functions import Flag, Given, Item, Number, Whole, r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotSupportedError,
    RError,
    Value,
    doubles,
    integers,
    logicals,
    missing_number,
    objects,
    strings,
)
from pyrrf.rbase import sums
from pyrrf.rbase.arithmetic import mean as mean_of
from pyrrf.rbase.arithmetic import median as median_of
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.vectors import MOST_INTEGER, REAL_NA


def _together(dots: Sequence[Value], function: str) -> Value:
    """Return all arguments as one vector without names; a data frame counts by its columns."""
    parts: list[Value] = []
    if builtins.any(map(is_frame, dots[1:])) and not is_frame(dots[0]):
        raise RError("invalid 'type' (list) of argument")
    for item in dots:
        if is_factor(item):
            raise RError(f"'{function}' not meaningful for factors")
        if is_frame(item) and builtins.any(is_factor(part) or part._kind not in NUMBERS for part in item._data):
            raise RError("only defined on a data frame with all numeric-alike variables")
        parts += list(item._data) if is_frame(item) else [item]
    if builtins.any(is_list(part) or part._kind in ("language", "opaque") for part in parts):
        raise RError("invalid 'type' (list) of argument")
    kind = wider("NULL", *(part._kind for part in parts))
    if kind == "NULL":
        return Value("integer", np.zeros(0))
    return Value(kind, np.concatenate([coerced(part, kind)._data for part in parts]))


def _accumulated(dots: Sequence[Value], na_rm: bool, function: Callable[..., float]) -> Value:
    """Return the sum or the product of doubles, argument by argument; what is missing among integers is NA at once."""
    parts = [without_missing(_together((item,), "sum"), na_rm) for item in dots]
    if builtins.any(part._kind != "double" and bool(is_missing(part).any()) for part in parts):
        return doubles(REAL_NA)
    return doubles(float(function(*(coerced(part, "double")._data for part in parts))))


def without_missing(value: Value, na_rm: bool) -> Value:
    """Return a vector, without missing values if they are to be left out."""
    return Value(value._kind, value._data[~is_missing(value)]) if na_rm else value


@r_function(in_order=True)
def sum(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the sum; integers stay integers."""
    found = without_missing(_together(dots, "sum"), na_rm)
    if found._kind not in NUMBERS:
        raise RError("invalid 'type' (character) of argument")
    if found._kind != "double":
        total = found._data.sum() if len(found) else 0.0
        return doubles(total) if np.abs(total) > MOST_INTEGER else integers(total)
    return _accumulated(dots, na_rm, sums.sum)


@r_function(in_order=True)
def prod(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the product."""
    found = without_missing(_together(dots, "prod"), na_rm)
    if found._kind not in NUMBERS:
        raise RError("invalid 'type' (character) of argument")
    return _accumulated(dots, na_rm, sums.prod)


def _extreme(dots: Sequence[Value], na_rm: bool, largest: bool) -> Value:
    name = "max" if largest else "min"
    if len(dots) == 1 and (inherits(dots[0], "Date") or inherits(dots[0], "ordered")):
        found = _extreme([bare(dots[0])], na_rm, largest)
        return Value(dots[0]._kind, found._data, kept(dots[0], "class", "levels", "units", "tzone"))
    found = without_missing(_together(dots, name), na_rm)
    if found._kind == "character":
        if not len(found):
            raise RError(f"no non-missing arguments to {name}; returning {'-' if largest else ''}Inf")
        if bool(is_missing(found).any()):
            return strings([None])
        at = order(found)._data
        return strings([found._data[int(at[-1 if largest else 0]) - 1]])
    if not len(found):
        warn(f"no non-missing arguments to {name}; returning {'-' if largest else ''}Inf")
        return doubles(-np.inf if largest else np.inf)
    kind = "double" if found._kind == "double" else "integer"
    if np.isnan(found._data).any():
        mark = kind == "integer" or bool(is_na_mark(found._data).any())
        return Value(kind, np.array([missing_number(kind) if mark else np.nan]))
    first = int(found._data.argmax() if largest else found._data.argmin())  # of 0 and -0 the first
    return Value(kind, found._data[first : first + 1].copy())


@r_function(in_order=True)
def max(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the largest value."""
    return _extreme(dots, na_rm, True)


@r_function(in_order=True)
def min(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the smallest value."""
    return _extreme(dots, na_rm, False)


@r_function(in_order=True, unsupported="finite")
def range(*dots: Value, na_rm: Flag = False, finite: Flag = False) -> Value:
    """Return the smallest and the largest value."""
    return c(_extreme(dots, na_rm, False), _extreme(dots, na_rm, True))


def middle(x: Value, about: dict[str, Value] | None = None) -> Value:
    """Return the middle of at least one number; of an odd number of whole ones an integer."""
    found = float(median_of(coerced(x, "double")._data))
    return Value(x._kind, np.array([found]), about) if len(x) % 2 else doubles(found, about)


@r_function(in_order=True, unsupported="dots")
def mean(x: Item, *dots: Value, trim: Number = 0, na_rm: Flag = False) -> Value:
    """Return the mean; NA with a warning if x is not numeric."""
    if not isinstance(x, Value) or x._kind not in NUMBERS or is_factor(x):
        warn("argument is not numeric or logical: returning NA")
        return doubles(REAL_NA)
    found = without_missing(bare(x), na_rm)
    if trim:
        if bool(is_missing(found).any()):
            return doubles(REAL_NA)
        if trim >= 0.5 and len(found):
            return middle(found)
        found = Value(found._kind, sums.trimmed(found._data, trim))
        return doubles(mean_of(found._data, found._kind != "double"))
    if found._kind == "double":
        return doubles(_mean(found._data), kept(x, "class", "units", "tzone"))
    if bool(is_missing(found).any()):
        return doubles(REAL_NA)
    return doubles(mean_of(found._data, True))


def _mean(data: np.ndarray) -> float:
    if not np.isnan(data).any():
        return mean_of(data)
    return REAL_NA if is_na_mark(data).any() else float("nan")


def _running(function: Callable[[Any], Any], whole: bool) -> Callable[[Any], Value]:
    @r_function(function.__name__, "Return the value so far, for each item.")
    def computed(x: Value) -> Value:
        if x._kind not in NUMBERS or is_factor(x):
            raise NotSupportedError(f"{function.__name__}(): x must be numeric, not {x._kind}")
        labels = names_of(x)
        about = {} if labels is None else {"names": strings(labels)}
        if function in (sums.cumsum, sums.cumprod):
            refuse_two_gaps(x._data)
        if x._kind == "double" or not whole:
            return doubles(np.asarray(function(coerced(x, "double")._data), dtype=np.float64), about)
        data = np.asarray(function(x._data), dtype=np.float64)
        beyond = np.abs(data) > MOST_INTEGER
        if beyond.any():
            warn("integer overflow in 'cumsum'; use 'cumsum(as.numeric(.))'")
            data[int(np.flatnonzero(beyond)[0]) :] = np.nan
        return integers(data, about)

    return computed


cumsum = _running(sums.cumsum, True)
cumprod = _running(sums.cumprod, False)
cummax = _running(sums.cummax, True)
cummin = _running(sums.cummin, True)


@r_function()
def diff(x: Value, lag: Whole = 1, differences: Whole = 1) -> Value:
    """Return differences of items."""
    if dim_of(x) is not None or is_factor(x):
        raise NotSupportedError("diff() of a matrix or a factor")
    if lag * differences >= len(x):
        if inherits(x, "Date"):
            raise NotSupportedError("diff() of dates that leaves none")
        return items(x, integers([]))
    lasting = ("class", "units", "tzone")
    for _ in builtins.range(differences):
        n = len(x)
        later = items(Value(x._kind, x._data, kept(x, *lasting, "names")), integers(np.arange(lag + 1, n + 1)))
        x = later - Value(x._kind, x._data[: n - lag], kept(x, *lasting))
    return x


def _parallel(values: Sequence[Value], na_rm: bool, largest: bool) -> Value:
    if not builtins.all(value._kind in (*NUMBERS, "NULL", "character") for value in values):
        raise NotSupportedError("pmax() or pmin() of something other than vectors")
    if builtins.any(value._attributes.keys() & {"class", "levels"} for value in values):
        raise NotSupportedError("pmax() or pmin() of values with a class")
    kind = wider(*(value._kind for value in values))
    kind = "integer" if kind in ("logical", "NULL") and len(values) > 1 else kind
    n = builtins.max(len(value) for value in values) if builtins.all(len(value) for value in values) else 0
    wide = [np.resize(coerced(value, kind)._data, n) for value in values]
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
    # What is missing stays as the last such value has it: NA, or NaN.
    last = np.array(wide)[::-1][np.argmax(gaps[::-1], axis=0), np.arange(n)] if n else best
    out = np.where(lost, last if kind == "double" else np.nan, best)
    if kind == "character":
        out = objects([None if code != code else texts[int(code)] for code in out.tolist()])
    return Value(kind, out, values[0]._attributes if len(values[0]) == n else {})


@r_function(in_order=True)
def pmax(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the larger value of each place."""
    return _parallel(dots, na_rm, True)


@r_function(in_order=True)
def pmin(*dots: Value, na_rm: Flag = False) -> Value:
    """Return the smaller value of each place."""
    return _parallel(dots, na_rm, False)


@r_function(in_order=True)
def any(*dots: Value, na_rm: Flag = False) -> Value:
    """Return whether a condition holds somewhere: NA if that depends on what is missing."""
    found = without_missing(coerced(_together(dots, "any"), "logical"), na_rm)._data
    return logicals(1.0 if (found == 1).any() else np.nan if np.isnan(found).any() else 0.0)


@r_function(in_order=True)
def all(*dots: Value, na_rm: Flag = False) -> Value:
    """Return whether a condition holds everywhere: NA if that depends on what is missing."""
    found = without_missing(coerced(_together(dots, "all"), "logical"), na_rm)._data
    return logicals(0.0 if (found == 0).any() else np.nan if np.isnan(found).any() else 1.0)


@r_function()
def xor(x: Value, y: Value) -> Value:
    """Return whether one of two conditions holds, and not the other."""
    return (x | y) & ~(x & y)


def _is_one(x: object, condition: float) -> Value:
    return logicals(isinstance(x, Value) and x._kind == "logical" and len(x) == 1 and x._data[0] == condition)


@r_function(certain=True)
def isTRUE(x: Item) -> Value:
    """Return whether a value is one TRUE."""
    return _is_one(x, 1)


@r_function(certain=True)
def isFALSE(x: Item) -> Value:
    """Return whether a value is one FALSE."""
    return _is_one(x, 0)


@r_function()
def tabulate(bin: Value, nbins: Given = None) -> Value:
    """Return how often 1, 2, ... stand in a vector."""
    if bin._kind not in NUMBERS[1:]:
        raise RError("'bin' must be numeric or a factor")
    data = bin._data[~np.isnan(bin._data)].astype(np.int64)
    n = int(data.max(initial=1)) if nbins is None else int(number(nbins))
    counts = np.bincount(data[(data > 0) & (data <= n)], minlength=n + 1)[1:]
    return integers(counts)
