"""Orders, ranks and places."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.r.indexing.subscripts import items, places_of_cells
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import (
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    is_na_mark,
    names_of,
)
from pyrrf.r.values.coercion import coerced, deparsed, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    null,
    strings,
)
from pyrrf.rbase import ordering as _ordering
from pyrrf.rbase.vectors import REAL_NA


def plain(x: Any) -> np.ndarray:
    """Return the items of a vector, or the codes of a factor.

    Raises
    ------
    NotMovedError
        It is a list.
    """
    value = as_value(x)
    if is_list(value) or value._kind in ("language", "opaque"):
        raise NotMovedError("a list where a vector is needed")
    return value._data


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
        raise RError("argument to 'which' is not logical")
    at = np.flatnonzero(value._data == 1)
    chosen = as_value(arr_ind)
    if chosen._kind == "logical" and flag(chosen) and "dim" in value._attributes:
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
        marks = is_na_mark(x._data) if x._kind == "double" else is_missing(x)
        pairs = zip(x._data.tolist(), marks.tolist(), strict=True)
        return ["NA" if gap else "NaN" if v != v else v + 0.0 for v, gap in pairs]
    if x._kind == "character":
        return [(text,) for text in x._data]
    if is_list(x):
        return [deparsed(item) for item in x._data]
    return []
