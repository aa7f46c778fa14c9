"""Equal items: duplicated(), unique(), match(), sets, runs."""

from __future__ import annotations

import builtins
from collections.abc import Hashable

import numpy as np

from pyrrf.r.base.ordering import keys
from pyrrf.r.base.vectors import c, rep
from pyrrf.r.indexing.subscripts import ALL, items, taken
from pyrrf.r.values.coercion import as_plain, bare, coerce, one, wider, without
from pyrrf.r.values.errors import NotSupportedError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, r_function
from pyrrf.r.values.kinds import classes, inherits, is_frame, is_list, is_null, kind_of
from pyrrf.r.values.labels import dim_of, names_of, row_count
from pyrrf.r.values.vector import KINDS, Value, integers, list_of, logicals, null


def _is_plain_vector(x: Value) -> bool:
    """Return whether is.vector() and is.atomic() hold."""
    return x._kind in KINDS[1:5] and x._attributes.keys() <= {"names"}


@r_function()
def rle(x: Value) -> Value:
    """Return lengths and values of runs of equal items."""
    stop_if(not _is_plain_vector(x), "'x' must be a vector of an atomic type")
    refuse_if(names_of(x) is not None, "rle() of values with names")
    hashed = keys(x)
    ends = [i for i in range(len(hashed)) if i + 1 == len(hashed) or hashed[i] != hashed[i + 1]]
    lengths = np.diff([-1, *ends])
    return list_of([integers(lengths), items(x, integers(np.array(ends) + 1))], ["lengths", "values"], "rle")


@r_function()
def inverse_rle(x: Value, *dots: object) -> Value:
    """Return the vector from the runs that rle() gives."""
    stop_if(not is_list(x) or not {"lengths", "values"} <= {*(names_of(x) or [])}, "invalid 'rle' structure")
    return rep(x[["values"]], x[["lengths"]])


# ---- items and rows that stand twice -------------------------------------------------------------


def _row_keys(x: Value) -> builtins.list[Hashable]:
    """Return a key for each row: equal where R takes rows for the same."""
    if is_frame(x):
        if not len(x):
            return [()] * row_count(x)
        if any(is_frame(column) or len(dim_of(column) or ()) > 1 for column in x._data):
            raise NotSupportedError("equal rows of a table with matrices in it")
        return builtins.list(zip(*map(keys, x._data), strict=True))
    n, p = dim_of(x) or (0, 0)
    refuse_if(not p, "equal rows of a matrix without columns")
    hashed = keys(bare(x))
    return [tuple(hashed[i::n]) for i in range(n)]


@r_function(unsupported="incomparables")
def duplicated(x: Value, incomparables: Flag = False, fromLast: Flag = False) -> Value:
    """Return TRUE for each item that has stood before."""
    rank = 0 if "class" in x._attributes else len(dim_of(x) or ())
    refuse_if(rank > 2, "duplicated() of an array of three dimensions")
    if is_frame(x) and not len(x):
        return logicals([])
    hashed = _row_keys(x) if is_frame(x) or rank == 2 else keys(x)
    seen: set[Hashable] = set()
    out = []
    for key in reversed(hashed) if fromLast else hashed:
        out.append(key in seen)
        seen.add(key)
    return logicals(out[::-1] if fromLast else out, _of_rows(x, len(out)) if rank else None)


def _of_rows(x: Value, n: int) -> dict[str, Value]:
    """Return the attributes of a vector with an item for each row of a matrix."""
    given = x._attributes.get("dimnames")
    if given is None:
        return {"dim": integers(n)}
    names = given._attributes.get("names")
    rows = list_of([given._data[0]], None if names is None else [names._data[0]])
    return {"dim": integers(n), "dimnames": rows}


@r_function(unsupported="incomparables")
def unique(x: Value, incomparables: Flag = False, fromLast: Flag = False) -> Value:
    """Return the distinct items, in the order of their first places."""
    first = logicals(duplicated(x, fromLast=fromLast)._data == 0)
    rank = len(x._attributes.get("dim", ()))
    if is_frame(x) or (rank == 2 and not classes(x)):
        return taken(x, first, ALL, drop=False)
    if rank == 1 and not classes(x):
        return items(x, first, drop=False)
    refuse_if(inherits(x, "difftime"), "unique() of spans of time, whose class some versions of R drop")
    return items(without(x, "names", "dim", "dimnames") if inherits(x, "factor", "Date", "POSIXct") else bare(x), first)


@r_function()
def anyDuplicated(x: Value) -> Value:
    """Return the place of the first item that has stood before, 0 without."""
    places = np.flatnonzero(duplicated(x)._data)
    return integers(places[0] + 1 if len(places) else 0)


# ---- items of two vectors ------------------------------------------------------------------------


@r_function()
def match(x: Item, table: Item, nomatch: object = None) -> Value:
    """Return the place of each item in another vector; items of lists count as text."""
    first, other = as_plain(x), as_plain(table)
    stop_if(not {kind_of(first), kind_of(other)} <= {*KINDS}, "'match' requires vector arguments")
    if is_list(first) or first._kind != other._kind:
        kind = wider(first._kind, other._kind, "logical")
        kind = "character" if kind == "list" else kind
        first, other = coerce(first, kind), coerce(other, kind)
    place: dict[Hashable, int] = {}
    for i, key in enumerate(keys(other)):
        place.setdefault(key, i + 1)
    gap = np.nan if nomatch is None else float(one(nomatch, "integer"))
    return integers([place.get(key, gap) for key in keys(first)])


@r_function()
def is_element(el: Item, table: Item) -> Value:
    """Return TRUE for each item that another vector holds."""
    return logicals(match(el, table, 0)._data > 0)


in_ = contained = is_element


@r_function(in_order=True)
def setdiff(x: Value, y: Value) -> Value:
    """Return the items of one vector that another has not."""
    _refuse_frames(x, y)
    refuse_if(is_list(x) and names_of(x) is not None, "setdiff() of a list with names")
    first = bare(as_plain(x))
    return unique(items(first, ~is_element(first, y))) if len(first) else first


@r_function(in_order=True)
def intersect(x: Value, y: Value) -> Value:
    """Return the items of one vector that another has, too."""
    _refuse_frames(x, y)
    refuse_if(any(is_list(side) and names_of(side) is not None for side in (x, y)), "intersect() of lists with names")
    if is_null(x) or is_null(y):
        return null()
    first, other = bare(as_plain(x)), bare(as_plain(y))
    both = unique(items(first, is_element(first, other))) if len(first) else first
    return c(both, Value(other._kind, other._data[:0]))


@r_function(in_order=True)
def union(x: Value, y: Value) -> Value:
    """Return the items of two vectors, each once."""
    _refuse_frames(x, y)
    return unique(c(bare(as_plain(x)), bare(as_plain(y))))


def _refuse_frames(*sets: Value) -> None:
    refuse_if(any(map(is_frame, sets)), "sets of data frames")


@r_function()
def setequal(x: Value, y: Value) -> Value:
    """Return whether two vectors have the same items."""
    return logicals(bool(is_element(x, y)._data.all()) and bool(is_element(y, x)._data.all()))
