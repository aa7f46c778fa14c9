"""Factors: made, named anew, cut from numbers."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np

from pyrrf.r.base.dates import format_dates
from pyrrf.r.base.ordering import plain
from pyrrf.r.base.sets import match, unique
from pyrrf.r.values.arguments import flag, number
from pyrrf.r.values.coercion import as_plain, attrs, bare, coerce, factor_labels, make_factor, recode
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Text, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_list, is_missing, is_na_mark
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.vector import NA, NUMBERS, Value, as_value, integers, null, objects, strings
from pyrrf.rbase import intervals
from pyrrf.rbase import ordering as _ordering
from pyrrf.rbase.vectors import MOST_INTEGER


@r_function(in_order=("x", "levels", "labels"))
def factor(
    x: Value | None = None,
    levels: object = None,
    labels: object = None,
    exclude: Value | None = NA,
    ordered: object = None,
    nmax: object = None,
) -> Value:
    """Return a factor: its levels sorted, or as they are given, and named anew by `labels`."""
    x = strings([]) if x is None else x
    refuse_if(is_list(x) or x._kind not in (*NUMBERS, "character"), "factor() of a list")
    refuse_if(inherits(x, "POSIXct", "difftime"), "factor() of times")
    if isinstance(levels, Value) and inherits(levels, "Date"):
        raise NotSupportedError("factor() by levels that are dates; as.character() makes texts of them")
    in_order = inherits(x, "ordered") if ordered is None else flag(ordered)
    known = _kept_levels(_sorted_levels(x) if levels is None else as_value(levels), exclude)
    names = builtins.list(_texts(known)._data)
    places = {name: i + 1.0 for i, name in reversed([*enumerate(names)])}
    codes = np.array([places.get(text, np.nan) for text in _texts(x)._data], dtype=np.float64)
    if labels is None:
        if len(places) != len(names):
            twice = next(i for i, name in enumerate(names) if name in names[:i])
            raise RError(f"factor level [{twice + 1}] is duplicated")
        return make_factor(codes, names, in_order, names_of(x))
    return _rename_levels(codes, _levels_of_labels(as_value(labels), len(names)), in_order, names_of(x))


def _rename_levels(
    codes: np.ndarray, labels: Sequence[str | None], ordered: bool, names: Sequence[str | None] | None = None
) -> Value:
    """Return a factor whose levels have new names; levels of one name become one."""
    left = builtins.list(dict.fromkeys(labels))
    if len(left) != len(labels):
        codes = recode(codes, [left.index(label) + 1.0 for label in labels])
    return make_factor(codes, left, ordered, names)


def _texts(x: Value) -> Value:
    return format_dates(x) if inherits(x, "Date") else coerce(x, "character")


def _kept_levels(known: Value, exclude: Value | None) -> Value:
    """Return levels without those that are left out: NA by default."""
    if exclude is None or not len(known):
        return known
    if bool(is_missing(exclude).all()) and known._kind == "double" and not is_factor(known):
        # match() distinguishes NaN from NA.
        marked = exclude._kind != "double" or is_na_mark(exclude._data).any()
        gone = is_na_mark(known._data) if marked else is_missing(known)
    else:
        gone = match(known, exclude, 0)._data > 0
    known = as_plain(known)
    return Value(known._kind, known._data[~gone])


def _used_levels(x: Value) -> builtins.list[str | None]:
    """Return the levels of a factor that some of its items have."""
    used = set(x._data.tolist())
    return [level for i, level in enumerate(factor_levels(x)) if i + 1 in used]


def _sorted_levels(x: Value) -> Value:
    """Return the distinct values in order, as text; of a factor those of its levels that are used."""
    if is_factor(x):
        used = _used_levels(x)
        return strings([*used, *([None] if np.isnan(x._data).any() and None not in used else [])])
    single = unique(bare(x))
    places = _ordering.order(plain(single)) if len(single) else np.zeros(0, dtype=np.int64)
    about = attrs(x, "class") if inherits(x, "Date") else None
    return strings(dict.fromkeys(_texts(Value(x._kind, single._data[places], about))._data))


def _levels_of_labels(labels: Value, n: int) -> builtins.list[str | None]:
    texts = builtins.list(coerce(labels, "character")._data)
    if len(texts) == n:
        return texts
    if len(texts) == 1:
        return [f"{'NA' if texts[0] is None else texts[0]}{i + 1}" for i in range(n)]
    raise RError(f"invalid 'labels'; length {len(texts)} should be 1 or {n}")


@r_function()
def as_factor(x: Value) -> Value:
    """Return a factor; one that is a factor already stays."""
    return x if is_factor(x) else factor(x)


@r_function()
def ordered(x: object, levels: object = None, labels: object = None) -> Value:
    """Return a factor whose levels have an order."""
    return factor(x, levels, labels, ordered=True)


@r_function()
def as_ordered(x: Value) -> Value:
    """Return an ordered factor."""
    return x if inherits(x, "ordered") else ordered(x)


@r_function(classes="any formula")
def levels(x: Value) -> Value:
    """Return the levels; NULL without. For a fit of train() they are the classes."""
    if inherits(x, "train") and is_list(x):
        return bare(x[["levels"]])
    stored = x._attributes.get("levels")
    return null() if stored is None else stored.copy()


@r_function(classes="any formula")
def nlevels(x: Value) -> Value:
    """Return the number of levels."""
    return integers(len(levels(x)))


@r_function(unsupported="dots")
def droplevels(x: Value, *dots: Value) -> Value:
    """Return a factor, or the factors of a data frame, without levels that are not used."""
    if is_frame(x):
        columns = [droplevels(column) if is_factor(column) else column for column in x._data]
        return Value("list", objects(columns), x._attributes)
    stop_if(not is_factor(x), "no applicable method for 'droplevels' applied to an object of this class")
    return factor(x, levels=strings(_used_levels(x)), exclude=None if None in factor_levels(x) else NA)


@r_function()
def addNA(x: Value, ifany: Flag = False) -> Value:
    """Return a factor of which NA is a level."""
    old = as_factor(x)
    known = factor_levels(old)
    if not np.isnan(old._data).any() and (ifany or None in known):
        return old
    return factor(old, levels=strings(known if None in known else [*known, None]), exclude=None)


@r_function()
def relevel(x: Value, ref: Value, *dots: object) -> Value:
    """Return a factor with one of its levels as the first."""
    stop_if(not is_factor(x) or inherits(x, "ordered"), "'relevel' only for (unordered) factors")
    old = factor_levels(x)
    stop_if(len(ref) != 1, "'ref' must be of length one")
    if ref._kind == "character":
        if ref._data[0] not in old:
            raise RError(f"'ref' must be an existing level: {ref._data[0]}")
        index = old.index(ref._data[0])
    else:
        index = int(coerce(ref, "double")._data[0]) - 1
        stop_if(not 0 <= index < len(old), f"ref = {index + 1} must be in 1L:{len(old)}")
    return factor(factor_labels(x), levels=strings([old[index], *old[:index], *old[index + 1 :]]))


@r_function()
def gl(n: Whole, k: Whole, length: object = None, labels: object = None, ordered: Flag = False) -> Value:
    """Return a factor of levels in a pattern."""
    size = n * k if length is None else int(number(length))
    codes = np.resize(np.repeat(np.arange(1.0, n + 1), k), size)
    refuse_if(labels is not None and len(as_value(labels)) != n, "gl() with another number of labels than levels")
    return make_factor(
        codes, map(str, range(1, n + 1)) if labels is None else _levels_of_labels(as_value(labels), n), ordered
    )


# ---- intervals -----------------------------------------------------------------------------------


@r_function()
def cut(
    x: Value,
    breaks: Value,
    labels: Value | None = None,
    include_lowest: Flag = False,
    right: Flag = True,
    dig_lab: Whole = 3,
    ordered_result: Flag = False,
) -> Value:
    """Return the interval of each number, as a factor; with ``labels=False`` its number."""
    refuse_if(inherits(x, "Date", "POSIXct"), "cut() of dates")
    stop_if(x._kind not in NUMBERS[1:] or inherits(x, "factor", "difftime"), "'x' must be numeric")
    data = coerce(bare(x), "double")._data
    limits = _limits(data, coerce(breaks, "double")._data, x._kind == "integer")
    codes = intervals.places(data, limits, right, include_lowest)
    if labels is not None and labels._kind == "logical" and not bool(labels):
        return integers(codes)
    stop_if(labels is not None and len(labels) != len(limits) - 1, "number of intervals and length of 'labels' differ")
    if labels is not None:
        return _rename_levels(codes, _levels_of_labels(labels, len(limits) - 1), ordered_result)
    return _rename_levels(codes, intervals.interval_names(limits, right, include_lowest, dig_lab), ordered_result)


def _limits(data: np.ndarray, limits: np.ndarray, whole: bool) -> np.ndarray:
    """Return the limits of cut() in their order."""
    known = data[~np.isnan(data)]
    if len(limits) > 1:
        limits = np.sort(limits[~np.isnan(limits)])
    elif not limits[0] >= 2:
        raise RError("invalid number of intervals")
    elif not len(known) or np.isinf(known).any():
        raise RError("'from' must be a finite number")
    elif whole and np.ptp(known) > MOST_INTEGER:
        raise RError("missing value where TRUE/FALSE needed")  # the width is NA
    else:
        limits = intervals.equal_limits(known, int(limits[0]))
    stop_if(len(limits) < 2 or len(np.unique(limits)) != len(limits), "'breaks' are not unique")
    return limits


@r_function()
def findInterval(
    x: Value, vec: Value, rightmost_closed: Flag = False, all_inside: Flag = False, left_open: Flag = False
) -> Value:
    """Return the number of the interval that each number lies in."""
    data, limits = coerce(x, "double")._data, coerce(vec, "double")._data
    if np.isnan(limits).any() or (np.diff(limits) < 0).any():
        raise RError("'vec' must be sorted non-decreasingly and not contain NAs")
    numbers = np.searchsorted(limits, data, side="left" if left_open else "right").astype(np.float64)
    n = len(limits)
    if n:
        below, above = numbers == 0, numbers == n
        numbers[below & (all_inside | (rightmost_closed & (data == limits[0])))] = 1
        numbers[above & (all_inside | (rightmost_closed & (data == limits[-1])))] = n - 1
    numbers[np.isnan(data)] = np.nan
    return integers(numbers)


@r_function()
def interaction(*dots: Value, drop: Flag = False, sep: Text = ".", lex_order: Flag = False) -> Value:
    """Return the factor of all combinations of levels."""
    given = dots[0]._data if len(dots) == 1 and is_list(dots[0]) else dots
    stop_if(not len(given), "No factors specified")
    factors = [droplevels(as_factor(item)) if drop else as_factor(item) for item in given]
    if len(factors) == 1:
        return make_factor(factors[0]._data, factor_levels(factors[0]))
    refuse_if(len(set(map(len, factors))) != 1, "interaction() of factors of different lengths")
    codes, levels = factors[-1]._data - 1, _shown_levels(factors[-1])
    for item in factors[-2::-1]:
        own, more = _shown_levels(item), item._data - 1
        if lex_order:
            codes = codes + len(levels) * more
            levels = [f"{a}{sep}{b}" for a in own for b in levels]
        else:
            codes = codes * len(own) + more
            levels = [f"{a}{sep}{b}" for b in levels for a in own]
        refuse_if(len(set(levels)) != len(levels), "interaction() whose levels become equal")
        if drop:
            used = np.unique(codes[~np.isnan(codes)]).astype(np.int64)
            levels = [levels[i] for i in used]
            codes = np.where(np.isnan(codes), np.nan, np.searchsorted(used, np.nan_to_num(codes)))
    return make_factor(codes + 1, levels)


def _shown_levels(x: Value) -> builtins.list[str]:
    return ["NA" if level is None else level for level in factor_levels(x)]
