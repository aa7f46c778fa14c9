"""What is equal: duplicated(), unique(), match(), sets, runs."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.r.base.ordering import keys
from pyrrf.r.base.vectors import c, rep
from pyrrf.r.indexing.subscripts import ALL, items, taken
from pyrrf.r.values.arguments import default_only, flag
from pyrrf.r.values.attributes import dim_of, factor_labels, inherits, is_factor, is_frame, is_list, names_of, row_count
from pyrrf.r.values.coercion import coerced, one, wider
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, Value, as_value, integers, is_null, listed, logicals, null


def rle(x: Any) -> Value:
    """Return lengths and values of runs of equal items."""
    value = as_value(x)
    if names_of(value) is not None:
        raise NotMovedError("rle() of values with names")
    found = keys(value)
    ends = [i for i in range(len(found)) if i + 1 == len(found) or found[i] != found[i + 1]]
    lengths = np.diff([-1, *ends])
    return listed([integers(lengths), items(value, integers(np.array(ends) + 1))], ["lengths", "values"], "rle")


def inverse_rle(x: Any, *dots: Any) -> Value:
    """Return the vector of which rle() tells the runs."""
    found = as_value(x)
    return rep(found[["values"]], found[["lengths"]])


# ---- rows ----------------------------------------------------------------------------------------


def row_keys(x: Value) -> builtins.list[Any]:
    """Return what two rows share if R takes them for the same."""
    if is_frame(x):
        if not len(x):
            return [()] * row_count(x)
        if any(is_frame(column) or len(dim_of(column) or ()) > 1 for column in x._data):
            raise NotMovedError("equal rows of a table with matrices in it")
        return builtins.list(zip(*[keys(column) for column in x._data], strict=True))
    n, p = dim_of(x) or (0, 0)
    if not p:
        raise NotMovedError("equal rows of a matrix without columns")
    found = keys(Value(x._kind, x._data))
    return [tuple(found[j * n + i] for j in range(p)) for i in range(n)]


@default_only("incomparables")
def duplicated(x: Any, incomparables: Any = False, fromLast: Any = False) -> Value:
    """Return which items have stood before."""
    value = as_value(x)
    rank = 0 if "class" in value._attributes else len(value._attributes.get("dim", ()))
    if rank > 2:
        raise NotMovedError("duplicated() of an array of three dimensions")
    if is_frame(value) and not len(value):
        return logicals([])
    found = row_keys(value) if is_frame(value) or rank == 2 else keys(value)
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
    _refuse_frames(x, y)
    return unique(c(as_vector(x), as_vector(y)))


def setequal(x: Any, y: Any) -> Value:
    """Return whether two vectors have the same items."""
    return logicals(bool(is_element(x, y)._data.all()) and bool(is_element(y, x)._data.all()))
