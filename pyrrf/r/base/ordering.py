"""Orders, ranks and places."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable

import numpy as np

from pyrrf.r.indexing.subscripts import items, places_of_cells
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import as_codes, code_of, coerce, factor_labels, one, without
from pyrrf.r.values.errors import refuse_if, stop_if
from pyrrf.r.values.functions import Text, r_function
from pyrrf.r.values.kinds import inherits, is_factor, is_frame, is_list, is_missing, is_na_mark, is_null, kind_of
from pyrrf.r.values.labels import names_of, names_part
from pyrrf.r.values.vector import NA, NUMBERS, Value, doubles, integers, null
from pyrrf.rbase import ordering as _ordering
from pyrrf.rbase.vectors import REAL_NA


def plain(x: Value) -> np.ndarray:
    """Return the items of a vector, or the codes of a factor."""
    refuse_if(is_list(x) or x._kind in ("language", "opaque"), "a list where a vector is needed")
    return x._data


@r_function()
def order(*dots: Value, na_last: object = True, decreasing: Value | bool = False, method: Text | None = None) -> Value:
    """Return the places that sort by one key or by several."""
    if not dots:
        return integers([])
    last = one(na_last, "logical")
    for i, key in enumerate(dots):
        stop_if(is_null(key), f"argument {i + 1} is not a vector")
    stop_if(len(set(map(len, dots))) > 1, "argument lengths differ")
    stop_if(any(map(is_list, dots)), "unimplemented type 'list' in 'orderVector1'")
    down = coerce(decreasing, "logical")._data.astype(bool).tolist()
    places = _ordering.order(
        *[plain(as_codes(key)) for key in dots],
        decreasing=down[0] if len(down) == 1 else down,
        na_last=None if last != last else bool(last),
        method=method,
    )
    return integers(places + 1)


@r_function()
def sort(x: Value, decreasing: object = False, *, na_last: object = NA, method: object = None) -> Value:
    """Return the items in order; missing ones are left out."""
    if is_null(x):
        return null()
    refuse_if(is_list(x), "sort() of a list")
    return items(x, order(x, na_last=na_last, decreasing=decreasing, method=method))


@r_function(in_order=True)
def rev(x: Value) -> Value:
    """Return the items the other way round."""
    if not len(x):
        return x
    turned = integers(np.arange(len(x), 0, -1))
    return x[turned] if is_frame(x) else items(_flat(x), turned)


def _flat(x: Value) -> Value:
    """Return the cells of a matrix or an array as a vector."""
    rank = len(x._attributes.get("dim", ()))
    if rank == 1:
        return x
    flat = without(x, "dim", "dimnames")
    if rank and inherits(x, "table"):
        flat = without(flat, "class")
    return Value(flat._kind, flat._data, flat._attributes | names_part(names_of(x)))


@r_function(does="draws")
def rank(x: Value, na_last: Value | bool = True, ties_method: Value | str = "average") -> Value:
    """Return the ranks of the items."""
    way = str(coerce(ties_method, "character")._data[0])
    where: bool | str | None = "keep"
    if kind_of(na_last) != "character":
        last = one(na_last, "logical")
        where = None if last != last else bool(last)
    ranks = _ordering.rank(plain(x), where, way)
    labels = names_of(x)
    if labels is not None and len(ranks) < len(x):
        labels = [label for label, gap in zip(labels, is_missing(x), strict=True) if not gap]
    array = np.asarray(ranks, dtype=np.float64)
    array = np.where(np.isnan(array), REAL_NA, array)
    return (doubles if way == "average" else integers)(array, names_part(labels))


@r_function()
def which(x: Value, arr_ind: Value | bool = False, useNames: object = True) -> Value:
    """Return the places where a condition holds."""
    stop_if(x._kind != "logical", "argument to 'which' is not logical")
    index = np.flatnonzero(x._data == 1)
    if isinstance(arr_ind, Value) and arr_ind._kind == "logical" and flag(arr_ind) and "dim" in x._attributes:
        refuse_if(not flag(useNames), "which() with arr.ind and useNames")
        return places_of_cells(x, index)
    labels = names_of(x)
    return integers(index + 1.0, names_part(None if labels is None else [labels[i] for i in index]))


def _place(best: Callable[[np.ndarray], np.integer], what: str) -> Callable[..., Value]:
    @r_function()
    def place(x: Value) -> Value:
        data = coerce(as_codes(x), "double")._data
        known = np.flatnonzero(~np.isnan(data))
        if not len(known):
            return integers([])
        index = int(known[best(data[known])])
        labels = names_of(x)
        return integers(index + 1, names_part(None if labels is None else [labels[index]]))

    place.__doc__ = f"Return the place of the {what} value."
    return place


which_max = _place(np.argmax, "largest")
which_min = _place(np.argmin, "smallest")


def keys(x: Value) -> builtins.list[Hashable]:
    """Return a key for each item: equal where R takes items for the same."""
    if is_factor(x):
        return builtins.list(factor_labels(x)._data)
    if x._kind in NUMBERS:
        marks = is_na_mark(x._data) if x._kind == "double" else is_missing(x)
        pairs = zip(x._data.tolist(), marks.tolist(), strict=True)
        return ["NA" if gap else "NaN" if v != v else v + 0.0 for v, gap in pairs]
    if x._kind == "character":
        return [(text,) for text in x._data]
    if is_list(x):
        return [code_of(item) for item in x._data]
    return []
