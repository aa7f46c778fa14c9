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
from pyrrf.r.values.arguments import default_only, flag, number
from pyrrf.r.values.attributes import (
    dim_of,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    is_na_mark,
    names_of,
    refuse_two_gaps,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.facts import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    logicals,
    missing_number,
    strings,
)
from pyrrf.rbase import sums
from pyrrf.rbase.arithmetic import mean as mean_of
from pyrrf.rbase.arithmetic import median as median_of
from pyrrf.rbase.vectors import MOST_INTEGER, REAL_NA


def _together(dots: tuple[Any, ...], function: str) -> Value:
    """Return all arguments as one vector without names; a data frame counts by its columns."""
    parts: list[Value] = []
    if builtins.any(is_frame(as_value(item)) for item in dots[1:]) and not is_frame(as_value(dots[0])):
        raise RError("invalid 'type' (list) of argument")
    for item in map(as_value, dots):
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


def _accumulated(dots: Sequence[Any], na_rm: Any, function: Callable[..., float]) -> Value:
    """Return the sum or the product of doubles, argument by argument; what is missing among integers is NA at once."""
    parts = [without_missing(_together((item,), "sum"), na_rm) for item in dots]
    if builtins.any(part._kind != "double" and bool(is_missing(part).any()) for part in parts):
        return doubles(REAL_NA)
    return doubles(float(function(*(coerced(part, "double")._data for part in parts))))


def without_missing(value: Value, na_rm: Any) -> Value:
    """Return a vector, without missing values if they are to be left out."""
    return Value(value._kind, value._data[~is_missing(value)]) if flag(na_rm) else value


@r_function(in_order=True)
def sum(*dots: Any, na_rm: Any = False) -> Value:
    """Return the sum; integers stay integers."""
    found = without_missing(_together(dots, "sum"), na_rm)
    if found._kind not in NUMBERS:
        raise RError("invalid 'type' (character) of argument")
    if found._kind != "double":
        total = found._data.sum() if len(found) else 0.0
        return doubles(total) if np.abs(total) > MOST_INTEGER else integers(total)
    return _accumulated(dots, na_rm, sums.sum)


@r_function(in_order=True)
def prod(*dots: Any, na_rm: Any = False) -> Value:
    """Return the product."""
    found = without_missing(_together(dots, "prod"), na_rm)
    if found._kind not in NUMBERS:
        raise RError("invalid 'type' (character) of argument")
    return _accumulated(dots, na_rm, sums.prod)


def _extreme(dots: tuple[Any, ...], na_rm: Any, largest: bool) -> Value:
    name = "max" if largest else "min"
    values = [as_value(item) for item in dots]
    if len(values) == 1 and (inherits(values[0], "Date") or inherits(values[0], "ordered")):
        bare = Value(values[0]._kind, values[0]._data)
        kept = {k: v for k, v in values[0]._attributes.items() if k in ("class", "levels", "units", "tzone")}
        found = _extreme((bare,), na_rm, largest)
        return Value(bare._kind, found._data, kept)
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
def max(*dots: Any, na_rm: Any = False) -> Value:
    """Return the largest value."""
    return _extreme(dots, na_rm, True)


@r_function(in_order=True)
def min(*dots: Any, na_rm: Any = False) -> Value:
    """Return the smallest value."""
    return _extreme(dots, na_rm, False)


@r_function(in_order=True)
def range(*dots: Any, na_rm: Any = False, finite: Any = False) -> Value:
    """Return the smallest and the largest value."""
    if flag(finite):
        raise NotMovedError("range() with finite")
    return c(_extreme(dots, na_rm, False), _extreme(dots, na_rm, True))


def middle(x: Value, about: dict[str, Value] | None = None) -> Value:
    """Return the middle of at least one number; of an odd number of whole ones an integer."""
    found = float(median_of(coerced(x, "double")._data))
    return Value(x._kind, np.array([found]), about) if len(x) % 2 else doubles(found, about)


@r_function(in_order=True)
@default_only("dots")
def mean(x: Any, *dots: Any, trim: Any = 0, na_rm: Any = False) -> Value:
    """Return the mean; NA with a warning of what are no numbers."""
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in NUMBERS or is_factor(value):
        warn("argument is not numeric or logical: returning NA")
        return doubles(REAL_NA)
    found = without_missing(Value(value._kind, value._data), na_rm)
    cut = number(trim)
    if cut:
        if bool(is_missing(found).any()):
            return doubles(REAL_NA)
        if cut >= 0.5 and len(found):
            return middle(found)
        found = Value(found._kind, sums.trimmed(found._data, cut))
        return doubles(mean_of(found._data, found._kind != "double"))
    kept = {k: v for k, v in value._attributes.items() if k in ("class", "units", "tzone")}
    if found._kind == "double":
        return doubles(_mean(found._data), kept)
    if bool(is_missing(found).any()):
        return doubles(REAL_NA)
    return doubles(mean_of(found._data, True))


def _mean(data: np.ndarray) -> float:
    if not np.isnan(data).any():
        return mean_of(data)
    return REAL_NA if is_na_mark(data).any() else float("nan")


def _running(function: Callable[[Any], Any], whole: bool) -> Callable[[Any], Value]:
    def computed(x: Any) -> Value:
        value = as_value(x)
        if value._kind not in NUMBERS or is_factor(value):
            raise NotMovedError("a running sum of what are no numbers")
        labels = names_of(value)
        about = {} if labels is None else {"names": strings(labels)}
        if function in (sums.cumsum, sums.cumprod):
            refuse_two_gaps(value._data)
        if value._kind == "double" or not whole:
            return doubles(np.asarray(function(coerced(value, "double")._data), dtype=np.float64), about)
        data = np.asarray(function(value._data), dtype=np.float64)
        beyond = np.abs(data) > MOST_INTEGER
        if beyond.any():
            warn("integer overflow in 'cumsum'; use 'cumsum(as.numeric(.))'")
            data[int(np.flatnonzero(beyond)[0]) :] = np.nan
        return integers(data, about)

    computed.__name__, computed.__doc__ = function.__name__, "Return the value so far, for each item."
    return computed


cumsum = _running(sums.cumsum, True)


cumprod = _running(sums.cumprod, False)


cummax = _running(sums.cummax, True)


cummin = _running(sums.cummin, True)


def diff(x: Any, lag: Any = 1, differences: Any = 1) -> Value:
    """Return differences of items."""
    value, step = as_value(x), int(number(lag))
    if dim_of(value) is not None:
        raise NotMovedError("diff() of a matrix")
    if is_factor(value):
        raise NotMovedError("diff() of a factor")

    kept, times = ("class", "units", "tzone"), int(number(differences))
    if step * times >= len(value):
        if inherits(value, "Date"):
            raise NotMovedError("diff() of dates that leaves none")
        return items(value, integers([]))
    for _ in builtins.range(times):
        n = len(value)
        bare = {k: v for k, v in value._attributes.items() if k in (*kept, "names")}
        later = items(Value(value._kind, value._data, bare), integers(np.arange(step + 1, n + 1)))
        value = later - Value(
            value._kind, value._data[: n - step], {k: v for k, v in value._attributes.items() if k in kept}
        )
    return value


def _parallel(dots: tuple[Any, ...], na_rm: Any, largest: bool) -> Value:
    values = [as_value(item) for item in dots]
    if not builtins.all(value._kind in (*NUMBERS, "NULL") for value in values):
        raise NotMovedError("pmax() or pmin() of what are no numbers")
    if builtins.any(value._attributes.keys() & {"class", "levels"} for value in values):
        raise NotMovedError("pmax() or pmin() of values with a class")
    kind = wider(*(value._kind for value in values))
    kind = "integer" if kind in ("logical", "NULL") and len(values) > 1 else kind
    n = builtins.max(len(value) for value in values) if builtins.all(len(value) for value in values) else 0
    wide = [np.resize(coerced(value, kind)._data, n) for value in values]
    gaps = np.isnan(np.array(wide))
    known = np.where(gaps, -np.inf if largest else np.inf, wide)
    beyond = np.greater if largest else np.less
    # Of equal ones the first stays, which shows in the sign of 0.
    best = functools.reduce(lambda one, other: np.where(beyond(other, one), other, one), known)
    lost = gaps.all(axis=0) if flag(na_rm) else gaps.any(axis=0)
    # What is missing stays as the last such value has it: NA, or NaN.
    last = np.array(wide)[::-1][np.argmax(gaps[::-1], axis=0), np.arange(n)] if n else best
    out = np.where(lost, last if kind == "double" else np.nan, best)
    return Value(kind, out, values[0]._attributes if len(values[0]) == n else {})


@r_function(in_order=True)
def pmax(*dots: Any, na_rm: Any = False) -> Value:
    """Return the larger value of each place."""
    return _parallel(dots, na_rm, True)


@r_function(in_order=True)
def pmin(*dots: Any, na_rm: Any = False) -> Value:
    """Return the smaller value of each place."""
    return _parallel(dots, na_rm, False)


@r_function(in_order=True)
def any(*dots: Any, na_rm: Any = False) -> Value:
    """Return whether a condition holds somewhere: NA if that depends on what is missing."""
    found = without_missing(coerced(_together(dots, "any"), "logical"), na_rm)._data
    return logicals(1.0 if (found == 1).any() else np.nan if np.isnan(found).any() else 0.0)


@r_function(in_order=True)
def all(*dots: Any, na_rm: Any = False) -> Value:
    """Return whether a condition holds everywhere: NA if that depends on what is missing."""
    found = without_missing(coerced(_together(dots, "all"), "logical"), na_rm)._data
    return logicals(0.0 if (found == 0).any() else np.nan if np.isnan(found).any() else 1.0)


def xor(x: Any, y: Any) -> Value:
    """Return whether one of two conditions holds, and not the other."""
    first, second = as_value(x), as_value(y)
    return (first | second) & ~(first & second)


def isTRUE(x: Any) -> Value:
    """Return whether a value is one TRUE."""
    value = as_value(x)
    return logicals(isinstance(value, Value) and value._kind == "logical" and len(value) == 1 and value._data[0] == 1)


def isFALSE(x: Any) -> Value:
    """Return whether a value is one FALSE."""
    value = as_value(x)
    return logicals(isinstance(value, Value) and value._kind == "logical" and len(value) == 1 and value._data[0] == 0)


def tabulate(bin: Any, nbins: Any = None) -> Value:
    """Return how often 1, 2, ... stand in a vector."""
    codes = as_value(bin)
    if codes._kind not in NUMBERS[1:]:
        raise RError("'bin' must be numeric or a factor")
    data = codes._data[~np.isnan(codes._data)].astype(np.int64)
    n = int(number(nbins)) if nbins is not None else int(data.max(initial=1))
    counts = np.bincount(data[(data > 0) & (data <= n)], minlength=n + 1)[1:]
    return integers(counts)
