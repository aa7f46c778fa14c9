"""Orders, ranks, places and what stands twice."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.r.arguments import default_only, flag
from pyrrf.r.coercion import coerced, one
from pyrrf.r.convert import categories
from pyrrf.r.facts import r_function
from pyrrf.r.looking import factor_labels, inherits, is_factor, is_frame, is_list, is_missing, names_of
from pyrrf.r.subscripts import items
from pyrrf.r.values import (
    NUMBERS,
    REAL_NA,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    logicals,
    null,
    strings,
)
from pyrrf.rbase import ordering as _ordering
from pyrrf.rbase.vectors import Vector


def plain(x: Any) -> Any:
    """Return a value as the kernels take it: a vector, or a factor.

    Raises
    ------
    NotMovedError
        It is a list.
    """
    value = as_value(x)
    if is_factor(value):
        return categories(value)
    if is_list(value) or value._kind in ("language", "opaque"):
        raise NotMovedError("a list where a vector is needed")
    return Vector("logical" if value._kind == "NULL" else value._kind, value._data)


def order(*dots: Any, na_last: Any = True, decreasing: Any = False, method: Any = None) -> Value:
    """Return the places that sort by one key or by several."""
    if not dots:
        return integers([])
    last = one(na_last, "logical")
    keys = [as_value(key) for key in dots]
    for at, key in enumerate(keys):
        if is_null(key):
            raise RError(f"argument {at + 1} is not a vector")
    if len({len(key) for key in keys}) > 1:
        raise RError("argument lengths differ")
    if any(is_list(key) for key in keys):
        raise RError("unimplemented type 'list' in 'orderVector1'")
    keys = [integers(key._data) if is_factor(key) else key for key in keys]
    down = coerced(decreasing, "logical")._data.astype(bool)
    way = None if is_null(method) else str(one(method, "character"))
    falls: Any = bool(down[0]) if len(down) == 1 else [bool(v) for v in down]
    found = _ordering.order(
        *[plain(key) for key in keys], decreasing=falls, na_last=None if last != last else bool(last), method=way
    )
    return integers(found + 1)


def sort(x: Any, decreasing: Any = False, *, na_last: Any = None, method: Any = None) -> Value:
    """Return the items in order; missing ones are left out."""
    value = as_value(x)
    last = Value("logical", np.array([np.nan])) if na_last is None else na_last
    if is_null(value):
        return null()
    if is_list(value):
        raise NotMovedError("sort() of a list")
    return items(value, order(value, na_last=last, decreasing=decreasing, method=method))


@r_function(in_order=True)
def rev(x: Any) -> Value:
    """Return the items the other way round."""
    value = as_value(x)
    if is_frame(value):
        turned: Value = value[integers(np.arange(len(value), 0, -1))] if len(value) else value
        return turned
    return items(_flat(value), integers(np.arange(len(value), 0, -1))) if len(value) else value


def _flat(value: Value) -> Value:
    about = {k: v for k, v in value._attributes.items() if k not in ("dim", "dimnames")}
    if inherits(value, "table") and len(value._attributes["dim"]) > 1:
        del about["class"]
    if "dim" in value._attributes:
        labels = names_of(value)
        about |= {} if labels is None else {"names": strings(labels)}
        if len(value._attributes["dim"]) == 1:
            return value
    return Value(value._kind, value._data, about)


@r_function(draws=True)
def rank(x: Any, na_last: Any = True, ties_method: Any = "average") -> Value:
    """Return the ranks of the items."""
    value, last = as_value(x), as_value(na_last)
    way = str(coerced(ties_method, "character")._data[0])
    where = "keep" if last._kind == "character" else one(last, "logical")
    found = _ordering.rank(plain(value), None if where != where else "keep" if where == "keep" else bool(where), way)
    labels = names_of(value)
    if labels is not None and len(found) < len(value):
        labels = [label for label, gap in zip(labels, is_missing(value), strict=True) if not gap]
    about = {} if labels is None else {"names": strings(labels)}
    array = np.asarray(found, dtype=np.float64)
    array = np.where(np.isnan(array), REAL_NA, array)
    return doubles(array, about) if way == "average" else integers(array, about)


def which(x: Any, arr_ind: Any = False, useNames: Any = True) -> Value:
    """Return the places where a condition holds."""
    value = as_value(x)
    if value._kind != "logical":
        from pyrrf.r.values import RError

        raise RError("argument to 'which' is not logical")
    at = np.flatnonzero(value._data == 1)
    chosen = as_value(arr_ind)
    if chosen._kind == "logical" and flag(chosen) and "dim" in value._attributes:
        from pyrrf.r.matrix_cells import places_of_cells

        if not flag(useNames):
            raise NotMovedError("which() with arr.ind and useNames")
        return places_of_cells(value, at)
    labels = names_of(value)
    about = {} if labels is None else {"names": strings([labels[i] for i in at])}
    return Value("integer", at + 1.0, about)


def _extreme(x: Any, largest: bool) -> Value:
    value = as_value(x)
    data = coerced(Value("integer", value._data) if is_factor(value) else value, "double")._data
    if np.isnan(data).all():
        return Value("integer", np.zeros(0))
    known = np.flatnonzero(~np.isnan(data))
    at = int(known[np.argmax(data[known]) if largest else np.argmin(data[known])])
    labels = names_of(value)
    return integers(at + 1, {} if labels is None else {"names": strings([labels[at]])})


def which_max(x: Any) -> Value:
    """Return the place of the largest value."""
    return _extreme(x, True)


def which_min(x: Any) -> Value:
    """Return the place of the smallest value."""
    return _extreme(x, False)


def keys(x: Value) -> builtins.list[Any]:
    """Return what two items share if R takes them for the same."""
    if is_factor(x):
        return builtins.list(factor_labels(x)._data)
    if x._kind in NUMBERS:
        from pyrrf.r.looking import is_na_mark

        marks = is_na_mark(x._data) if x._kind == "double" else is_missing(x)
        pairs = zip(x._data.tolist(), marks.tolist(), strict=True)
        return ["NA" if gap else "NaN" if v != v else v + 0.0 for v, gap in pairs]
    if x._kind == "character":
        return [(text,) for text in x._data]
    if is_list(x):
        from pyrrf.r.printing import deparsed

        return [deparsed(item) for item in x._data]
    return []


@default_only("incomparables")
def duplicated(x: Any, incomparables: Any = False, fromLast: Any = False) -> Value:
    """Return which items have stood before."""
    value = as_value(x)
    rank = 0 if "class" in value._attributes else len(value._attributes.get("dim", ()))
    if rank > 2:
        raise NotMovedError("duplicated() of an array of three dimensions")
    if is_frame(value) and not len(value):
        return logicals([])
    if is_frame(value) or rank == 2:
        from pyrrf.r.frames import row_keys

        found = row_keys(value)
    else:
        found = keys(value)
    seen: set[Any] = set()
    out = []
    for key in reversed(found) if flag(fromLast) else found:
        out.append(key in seen)
        seen.add(key)
    return logicals(out[::-1] if flag(fromLast) else out, _of_rows(value, len(out)) if rank else None)


def _of_rows(x: Value, n: int) -> dict[str, Value]:
    """Return the attributes of what is said of each row of a matrix."""
    given = x._attributes.get("dimnames")
    if given is None:
        return {"dim": integers(n)}
    names = given._attributes.get("names")
    rows = listed([given._data[0]], None if names is None else [names._data[0]])
    return {"dim": integers(n), "dimnames": rows}


@default_only("incomparables")
def unique(x: Any, incomparables: Any = False, fromLast: Any = False) -> Value:
    """Return the items that differ, each where it stands first."""
    value = as_value(x)
    kept = logicals(duplicated(value, incomparables, fromLast)._data)
    from pyrrf.r.places import ALL
    from pyrrf.r.subscripts import taken

    if is_frame(value) or len(value._attributes.get("dim", [])) == 2:
        return taken(value, ~kept, ALL, drop=False)
    if len(value._attributes.get("dim", [])) == 1 and "class" not in value._attributes:
        return items(value, ~kept, drop=False)
    bare = {k: v for k, v in value._attributes.items() if k not in ("names", "dim", "dimnames")}
    if inherits(value, "difftime"):
        raise NotMovedError("unique() of spans of time, whose class some versions of R drop")
    return items(Value(value._kind, value._data, bare), ~kept)


def anyDuplicated(x: Any) -> Value:
    """Return the place of the first item that has stood before, 0 without."""
    found = np.flatnonzero(duplicated(x)._data)
    return integers(found[0] + 1 if len(found) else 0)


def match(x: Any, table: Any, nomatch: Any = None) -> Value:
    """Return the place of each item in another vector."""
    first, other = (factor_labels(v) if is_factor(v) else v for v in (as_value(x), as_value(table)))
    if first._kind != other._kind:
        from pyrrf.r.coercion import wider

        kind = wider(first._kind, other._kind, "logical")
        kind = "character" if kind == "list" else kind
        first, other = coerced(first, kind), coerced(other, kind)
    place: dict[Any, int] = {}
    for at, key in enumerate(keys(other)):
        place.setdefault(key, at + 1)
    gap = np.nan if nomatch is None else float(one(nomatch, "integer"))
    return integers([place.get(key, gap) for key in keys(first)])


def is_element(el: Any, table: Any) -> Value:
    """Return which items another vector holds."""
    return logicals(match(el, table, 0)._data > 0)


in_ = is_element


def _as_set(x: Any) -> Value:
    value = as_value(x)
    if is_factor(value):
        value = factor_labels(value)
    return unique(Value(value._kind, value._data))


def _refuse_frames(*sets: Any) -> None:
    if any(is_frame(as_value(each)) for each in sets):
        raise NotMovedError("sets of data frames")


@r_function(in_order=True)
def setdiff(x: Any, y: Any) -> Value:
    """Return the items of one vector that another has not."""
    _refuse_frames(x, y)
    first = as_value(x)
    if is_list(first) and names_of(first) is not None:
        raise NotMovedError("setdiff() of a list with names")
    plain_ = factor_labels(first) if is_factor(first) else first
    bare = Value(plain_._kind, plain_._data)
    return unique(items(bare, ~is_element(bare, y))) if len(bare) else bare


@r_function(in_order=True)
def intersect(x: Any, y: Any) -> Value:
    """Return the items of one vector that another has, too."""
    _refuse_frames(x, y)
    second = as_value(y)
    if any(is_list(side) and names_of(side) is not None for side in (as_value(x), second)):
        raise NotMovedError("intersect() of lists with names")
    other = factor_labels(second) if is_factor(second) else second
    if is_null(x) or is_null(second):
        return null()
    from pyrrf.r.vectors import c

    first = as_vector(x)
    both = unique(items(first, is_element(first, other))) if len(first) else first
    return as_vector(c(both, Value(other._kind, other._data[:0])))


def as_vector(x: Any) -> Value:
    """Return a value without attributes, a factor as its labels."""
    value = as_value(x)
    bare = factor_labels(value) if is_factor(value) else value
    return Value(bare._kind, bare._data)


@r_function(in_order=True)
def union(x: Any, y: Any) -> Value:
    """Return the items of two vectors, each once."""
    from pyrrf.r.vectors import c

    _refuse_frames(x, y)
    return unique(c(as_vector(x), as_vector(y)))


def setequal(x: Any, y: Any) -> Value:
    """Return whether two vectors have the same items."""
    return logicals(bool(is_element(x, y)._data.all()) and bool(is_element(y, x)._data.all()))
