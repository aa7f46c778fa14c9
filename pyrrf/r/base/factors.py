"""Factors: made, named anew, cut from numbers."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyrrf.r.base.dates import format_dates
from pyrrf.r.base.ordering import keys, plain
from pyrrf.r.base.sets import match
from pyrrf.r.values.arguments import default_only, flag, number
from pyrrf.r.values.attributes import (
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    is_na_mark,
    names_of,
)
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    logicals,
    null,
    objects,
    strings,
)
from pyrrf.rbase import intervals
from pyrrf.rbase import ordering as _ordering
from pyrrf.rbase.vectors import MOST_INTEGER


def made(codes: Any, levels: Any, ordered: bool = False, names: Any = None) -> Value:
    """Return a factor of codes from 1, NaN where missing."""
    about = {} if names is None else {"names": strings(names)}
    about |= {"levels": strings(levels), "class": strings(["ordered", "factor"] if ordered else ["factor"])}
    return Value("integer", np.asarray(codes, dtype=np.float64), about)


@r_function(in_order=("x", "levels", "labels"))
def factor(
    x: Any = None, levels: Any = None, labels: Any = None, exclude: Any = np.nan, ordered: Any = None, nmax: Any = None
) -> Value:
    """Return a factor: its levels sorted, or as they are given, and named anew by `labels`."""
    value = strings([]) if is_null(x) else as_value(x)
    if is_list(value) or value._kind not in (*NUMBERS, "character"):
        raise NotMovedError("factor() of a list")
    order = inherits(value, "ordered") if ordered is None else flag(ordered)
    known = _sorted_levels(value) if levels is None else as_value(levels)
    if any(inherits(value, name) for name in ("POSIXct", "difftime")):
        raise NotMovedError("factor() of times")
    texts = _texts(value)
    known = _kept_levels(known, exclude)
    names = builtins.list(_texts(known)._data)
    places: dict[str | None, float] = {}
    for at, name in enumerate(names):
        places.setdefault(name, at + 1.0)
    codes = np.array([places.get(text, np.nan) for text in texts._data], dtype=np.float64)
    if labels is None:
        if len(set(names)) != len(names):
            twice = next(at for at, name in enumerate(names) if name in names[:at])
            raise RError(f"factor level [{twice + 1}] is duplicated")
        return made(codes, names, order, names_of(value))
    return _named(codes, _labelled(as_value(labels), len(names)), order, names_of(value))


def _named(codes: np.ndarray, labels: Sequence[str | None], ordered: bool, names: Any = None) -> Value:
    """Return a factor whose levels have new names; levels of one name become one."""
    kept = builtins.list(dict.fromkeys(labels))
    if len(kept) != len(labels):
        turn = np.array([*(kept.index(label) + 1.0 for label in labels), np.nan])
        codes = turn[np.where(np.isnan(codes), len(labels) + 1, codes).astype(np.int64) - 1]
    return made(codes, kept, ordered, names)


def _texts(x: Value) -> Value:
    if inherits(x, "Date"):
        return format_dates(x)
    return factor_labels(x) if is_factor(x) else coerced(x, "character")


def _kept_levels(known: Value, exclude: Any) -> Value:
    """Return levels without those that are left out: NA by default."""
    if is_null(exclude) or not len(known):
        return known
    out = exclude if isinstance(exclude, Value) else logicals(exclude) if exclude != exclude else as_value(exclude)
    if bool(is_missing(out).all()) and known._kind == "double" and not is_factor(known):
        # match() tells NaN from NA.
        gone = is_na_mark(known._data) if out._kind != "double" or is_na_mark(out._data).any() else is_missing(known)
        return Value(known._kind, known._data[~gone])
    gone = match(known, out, 0)._data > 0
    bare = factor_labels(known) if is_factor(known) else known
    return Value(bare._kind, bare._data[~gone])


def _sorted_levels(x: Value) -> Value:
    """Return the distinct values in order, as text; of a factor those of its levels that are used."""
    if is_factor(x):
        codes = x._data
        used = set(codes[~np.isnan(codes)].astype(np.int64).tolist())
        found = [level for at, level in enumerate(factor_levels(x)) if at + 1 in used]
        return strings([*found, *([None] if np.isnan(codes).any() and None not in found else [])])
    bare = Value(x._kind, x._data)
    seen: dict[Any, int] = {}
    for at, key in enumerate(keys(bare)):
        seen.setdefault(key, at)
    single = Value(x._kind, x._data[np.array([*seen.values()], dtype=np.int64)])
    places = _ordering.order(plain(single)) if len(single) else np.zeros(0, dtype=np.int64)
    about = {"class": x._attributes["class"]} if inherits(x, "Date") else None
    texts = _texts(Value(x._kind, single._data[places], about))._data
    return strings(dict.fromkeys(texts))


def _labelled(labels: Value, n: int) -> builtins.list[str | None]:
    texts = builtins.list((factor_labels(labels) if is_factor(labels) else coerced(labels, "character"))._data)
    if len(texts) == n:
        return texts
    if len(texts) == 1:
        return [f"{'NA' if texts[0] is None else texts[0]}{i + 1}" for i in range(n)]
    raise RError(f"invalid 'labels'; length {len(texts)} should be 1 or {n}")


def as_factor(x: Any) -> Value:
    """Return a factor; one that is a factor already stays."""
    value = as_value(x)
    return value if is_factor(value) else factor(value)


def ordered(x: Any, levels: Any = None, labels: Any = None) -> Value:
    """Return a factor whose levels have an order."""
    return factor(x, levels, labels, ordered=True)


def as_ordered(x: Any) -> Value:
    """Return an ordered factor."""
    value = as_value(x)
    return value if inherits(value, "ordered") else ordered(value)


def levels(x: Any) -> Value:
    """Return the levels; NULL without. Those of a fit of train() are the classes."""
    value = as_value(x)
    if inherits(value, "train") and is_list(value):
        classes: Value = value[["levels"]]
        return Value(classes._kind, classes._data.copy(), {})
    found = value._attributes.get("levels")
    return null() if found is None else found.copy()


def nlevels(x: Any) -> Value:
    """Return the number of levels."""
    return integers(len(levels(x)))


@default_only("dots")
def droplevels(x: Any, *dots: Any) -> Value:
    """Return a factor, or the factors of a data frame, without levels that are not used."""
    value = as_value(x)
    if is_frame(value):
        columns = [droplevels(column) if is_factor(column) else column for column in value._data]
        return Value("list", objects(columns), value._attributes)
    if not is_factor(value):
        raise RError("no applicable method for 'droplevels' applied to an object of this class")
    used = set(value._data[~np.isnan(value._data)].astype(np.int64).tolist())
    kept = [level for at, level in enumerate(factor_levels(value)) if at + 1 in used]
    return factor(value, levels=strings(kept), exclude=null() if None in factor_levels(value) else np.nan)


def addNA(x: Any, ifany: Any = False) -> Value:
    """Return a factor of which NA is a level."""
    value = as_value(x)
    value = value if is_factor(value) else factor(value)
    known = factor_levels(value)
    gaps = bool(np.isnan(value._data).any())
    if (flag(ifany) and not gaps) or (None in known and not flag(ifany) and not gaps):
        return value
    return factor(value, levels=strings(known if None in known else [*known, None]), exclude=null())


def relevel(x: Any, ref: Any, *dots: Any) -> Value:
    """Return a factor with one of its levels as the first."""
    value, wanted = as_value(x), as_value(ref)
    if not is_factor(value) or inherits(value, "ordered"):
        raise RError("'relevel' only for (unordered) factors")
    old = factor_levels(value)
    if len(wanted) != 1:
        raise RError("'ref' must be of length one")
    if wanted._kind == "character":
        if wanted._data[0] not in old:
            raise RError(f"'ref' must be an existing level: {wanted._data[0]}")
        at = old.index(wanted._data[0])
    else:
        at = int(coerced(wanted, "double")._data[0]) - 1
        if not 0 <= at < len(old):
            raise RError(f"ref = {at + 1} must be in 1L:{len(old)}")
    new = [old[at], *old[:at], *old[at + 1 :]]
    return factor(factor_labels(value), levels=strings(new))


def gl(n: Any, k: Any, length: Any = None, labels: Any = None, ordered: Any = False) -> Value:
    """Return a factor of levels in a pattern."""
    count, each = int(number(n)), int(number(k))
    size = count * each if length is None else int(number(length))
    codes = np.resize(np.repeat(np.arange(1.0, count + 1), each), size)
    if labels is not None and len(as_value(labels)) != count:
        raise NotMovedError("gl() with another number of labels than levels")
    texts = [str(i + 1) for i in range(count)] if labels is None else _labelled(as_value(labels), count)
    return made(codes, texts, flag(ordered))


def cut(
    x: Any,
    breaks: Any,
    labels: Any = None,
    include_lowest: Any = False,
    right: Any = True,
    dig_lab: Any = 3,
    ordered_result: Any = False,
) -> Value:
    """Return the interval of each number, as a factor; with ``labels=False`` its number."""
    value = as_value(x)
    if any(inherits(value, name) for name in ("Date", "POSIXct")):
        raise NotMovedError("cut() of dates")
    if value._kind not in ("integer", "double") or is_factor(value):
        raise RError("'x' must be numeric")
    data = coerced(Value(value._kind, value._data), "double")._data
    limits = _limits(value, data, coerced(breaks, "double")._data)
    given = None if is_null(labels) else as_value(labels)
    closed, lowest = flag(right), flag(include_lowest)
    codes = intervals.places(data, limits, closed, lowest)
    if given is not None and given._kind == "logical" and not bool(given):
        return Value("integer", codes)
    if given is not None and len(given) != len(limits) - 1:
        raise RError("number of intervals and length of 'labels' differ")
    if given is not None:
        return _named(codes, _labelled(given, len(limits) - 1), flag(ordered_result))
    return _named(codes, intervals.interval_names(limits, closed, lowest, int(number(dig_lab))), flag(ordered_result))


def _limits(value: Value, data: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return the limits of cut() in their order."""
    known = data[~np.isnan(data)]
    if len(limits) > 1:
        limits = np.sort(limits[~np.isnan(limits)])
    elif not limits[0] >= 2:
        raise RError("invalid number of intervals")
    elif not len(known) or np.isinf(known).any():
        raise RError("'from' must be a finite number")
    elif value._kind == "integer" and np.ptp(known) > MOST_INTEGER:
        raise RError("missing value where TRUE/FALSE needed")  # the width is NA
    else:
        limits = intervals.equal_limits(known, int(limits[0]))
    if len(limits) < 2 or len(np.unique(limits)) != len(limits):
        raise RError("'breaks' are not unique")
    return limits


def findInterval(
    x: Any, vec: Any, rightmost_closed: Any = False, all_inside: Any = False, left_open: Any = False
) -> Value:
    """Return the number of the interval that each number lies in."""
    data, limits = coerced(x, "double")._data, coerced(vec, "double")._data
    opened, inside = flag(left_open), flag(all_inside)
    if np.isnan(limits).any() or (np.diff(limits) < 0).any():
        raise RError("'vec' must be sorted non-decreasingly and not contain NAs")
    found = np.searchsorted(limits, data, side="left" if opened else "right").astype(np.float64)
    n, closed = len(limits), flag(rightmost_closed)
    if n:
        below, above = found == 0, found == n
        found[below & (inside | (closed & (data == limits[0])))] = 1
        found[above & (inside | (closed & (data == limits[-1])))] = n - 1
    found[np.isnan(data)] = np.nan
    return Value("integer", found)


def _shown_levels(x: Value) -> builtins.list[str]:
    return ["NA" if level is None else level for level in factor_levels(x)]


def interaction(*dots: Any, drop: Any = False, sep: Any = ".", lex_order: Any = False) -> Value:
    """Return the factor of all combinations of levels."""
    if len(dots) == 1 and is_list(as_value(dots[0])):
        dots = tuple(as_value(dots[0])._data)
    if not dots:
        raise RError("No factors specified")
    joint = str(one(sep, "character"))
    factors = [as_factor(item) for item in dots]
    if flag(drop):
        factors = [droplevels(item) for item in factors]
    if len(factors) == 1:
        return made(factors[0]._data, factor_levels(factors[0]))
    if len({len(item) for item in factors}) != 1:
        raise NotMovedError("interaction() of factors of different lengths")
    levels = _shown_levels(factors[-1])
    codes = factors[-1]._data - 1
    for item in factors[-2::-1]:
        codes = np.resize(codes, max(len(codes), len(item)))
        own, more = _shown_levels(item), item._data - 1
        if flag(lex_order):
            codes = codes + len(levels) * more
            levels = [f"{a}{joint}{b}" for a in own for b in levels]
        else:
            codes = codes * len(own) + more
            levels = [f"{a}{joint}{b}" for b in levels for a in own]
        if len(set(levels)) != len(levels):
            raise NotMovedError("interaction() whose levels become equal")
        if flag(drop):
            used = np.unique(codes[~np.isnan(codes)]).astype(np.int64)
            levels = [levels[i] for i in used]
            codes = np.where(np.isnan(codes), np.nan, np.searchsorted(used, np.nan_to_num(codes)))
    return made(codes + 1, levels)
