"""Factors: made, named anew, cut from numbers."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.r import ordering as _ordering
from pyrrf.rbase import factors as _factors
from pyrrf.script.ordering import keys, plain
from pyrrf.script.values import (
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    factor_labels,
    factor_levels,
    flag,
    inherits,
    integers,
    is_factor,
    is_frame,
    is_missing,
    is_null,
    names_of,
    null,
    number,
    objects,
    one,
    strings,
)


def made(codes: Any, levels: Any, ordered: bool = False, names: Any = None) -> Value:
    """Return a factor of codes from 1, NaN where missing."""
    about = {"levels": strings(levels), "class": strings(["ordered", "factor"] if ordered else ["factor"])}
    if names is not None:
        about["names"] = strings(names)
    return Value("integer", np.asarray(codes, dtype=np.float64), about)


def factor(
    x: Any = None, levels: Any = None, labels: Any = None, exclude: Any = np.nan, ordered: Any = None, nmax: Any = None
) -> Value:
    """Return a factor: its levels sorted, or as they are given, and named anew by `labels`."""
    value = strings([]) if x is None else as_value(x)
    if is_null(value):
        value = strings([])
    if not (isinstance(exclude, float) and exclude != exclude):
        raise NotMovedError("factor() with exclude")
    order = inherits(value, "ordered") if ordered is None else flag(ordered)
    known = _sorted_levels(value) if levels is None else as_value(levels)
    if is_factor(known):
        known = factor_labels(known)
    texts = factor_labels(value) if is_factor(value) else coerced(value, "character")
    names = builtins.list(coerced(known, "character")._data)
    if builtins.len(set(names)) != builtins.len(names):
        raise RError("factor level [2] is duplicated")
    names = [name for name in names if name is not None]
    place = {name: at + 1.0 for at, name in enumerate(names)}
    codes = np.array(
        [place.get(text, np.nan) if text is not None else np.nan for text in texts._data], dtype=np.float64
    )
    shown = names if labels is None else _labelled(as_value(labels), builtins.len(names))
    kept = builtins.list(dict.fromkeys(shown))
    if builtins.len(kept) != builtins.len(shown):
        turn = np.array([kept.index(label) + 1.0 for label in shown])
        codes = np.where(np.isnan(codes), np.nan, turn[np.where(np.isnan(codes), 1, codes).astype(np.int64) - 1])
    return made(codes, kept, order, names_of(value))


def _sorted_levels(x: Value) -> Value:
    """Return the distinct values in order: of a factor those of its levels that are used."""
    if is_factor(x):
        used = set(x._data[~np.isnan(x._data)].astype(np.int64).tolist())
        return strings([level for at, level in enumerate(factor_levels(x)) if at + 1 in used])
    known = Value(x._kind, x._data[~is_missing(x)])
    at = _ordering.order(plain(known)) if builtins.len(known) else np.zeros(0, dtype=np.int64)
    seen: set[Any] = set()
    kept = []
    all_keys = keys(known)
    for i in at.tolist():
        if all_keys[i] not in seen:
            seen.add(all_keys[i])
            kept.append(i)
    return Value(known._kind, known._data[np.array(kept, dtype=np.int64)])


def _labelled(labels: Value, n: int) -> builtins.list[str]:
    texts = [str(text) for text in coerced(labels, "character")._data]
    if builtins.len(texts) == n:
        return texts
    if builtins.len(texts) == 1:
        return [f"{texts[0]}{i + 1}" for i in range(n)]
    raise RError(f"invalid 'labels'; length {builtins.len(texts)} should be 1 or {n}")


def as_factor(x: Any) -> Value:
    """Return a factor; one that is a factor already stays."""
    value = as_value(x)
    if is_factor(value):
        return value
    if value._kind == "integer":
        return factor(Value(value._kind, value._data, {k: v for k, v in value._attributes.items() if k == "names"}))
    return factor(value)


def ordered(x: Any, levels: Any = None, labels: Any = None) -> Value:
    """Return a factor whose levels have an order."""
    return factor(x, levels, labels, ordered=True)


def as_ordered(x: Any) -> Value:
    """Return an ordered factor."""
    value = as_value(x)
    return value if inherits(value, "ordered") else ordered(value)


def levels(x: Any) -> Value:
    """Return the levels; NULL without."""
    found = as_value(x)._attributes.get("levels")
    return null() if found is None else found.copy()


def nlevels(x: Any) -> Value:
    """Return the number of levels."""
    return integers(builtins.len(levels(x)))


def droplevels(x: Any, *dots: Any) -> Value:
    """Return a factor, or the factors of a data frame, without levels that are not used."""
    value = as_value(x)
    if is_frame(value):
        columns = [droplevels(column) if is_factor(column) else column for column in value._data]
        return Value("list", objects(columns), value._attributes)
    return factor(value)


def relevel(x: Any, ref: Any) -> Value:
    """Return a factor with one of its levels as the first."""
    value = as_value(x)
    old = factor_levels(value)
    first = str(one(ref, "character"))
    if first not in old:
        raise RError(f"'ref' must be an existing level: {first}")
    new = [first, *(level for level in old if level != first)]
    turn = np.array([new.index(str(level)) + 1.0 for level in old])
    codes = [np.nan if v != v else turn[int(v) - 1] for v in value._data]
    return Value("integer", np.array(codes, dtype=np.float64), value._attributes | {"levels": strings(new)})


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
    data = coerced(Value(value._kind, value._data), "double")._data
    limits = coerced(breaks, "double")._data
    given = None if labels is None else as_value(labels)
    plain_codes = given is not None and given._kind == "logical" and not bool(given)
    shown = None if given is None or plain_codes else builtins.list(coerced(given, "character")._data)
    made_ = _factors.cut(
        data,
        int(limits[0]) if builtins.len(limits) == 1 else limits,
        labels=shown,
        include_lowest=flag(include_lowest),
        right=flag(right),
        dig_lab=int(number(dig_lab)),
    )
    codes = np.where(made_.codes < 0, np.nan, made_.codes + 1.0)
    if plain_codes:
        return integers(codes)
    return made(codes, [str(level) for level in made_.categories], flag(ordered_result))


def findInterval(
    x: Any, vec: Any, rightmost_closed: Any = False, all_inside: Any = False, left_open: Any = False
) -> Value:
    """Return the number of the interval that each number lies in."""
    if flag(left_open) or flag(all_inside):
        raise NotMovedError("findInterval() with left.open or all.inside")
    data, limits = coerced(x, "double")._data, coerced(vec, "double")._data
    found = np.searchsorted(limits, data, side="right").astype(np.float64)
    if flag(rightmost_closed) and builtins.len(limits):
        found[data == limits[-1]] = builtins.len(limits) - 1
    found[np.isnan(data)] = np.nan
    return integers(found)


def interaction(*dots: Any, drop: Any = False, sep: Any = ".") -> Value:
    """Return the factor of all pairs of levels."""
    if builtins.len(dots) != 2 or flag(drop):
        raise NotMovedError("interaction() of other than two factors, or with drop")
    first, second = (as_factor(item) for item in dots)
    joint = str(one(sep, "character"))
    a, b = factor_levels(first), factor_levels(second)
    codes = first._data + builtins.len(a) * (second._data - 1)
    return made(codes, [f"{x}{joint}{y}" for y in b for x in a])
