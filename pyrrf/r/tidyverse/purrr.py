"""purrr: functions for each item of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base.functional import call, items_of, match_fun
from pyrrf.r.indexing.subscripts import element
from pyrrf.r.tidyverse.joins import bind_rows
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import is_factor, is_frame, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import KINDS, NotMovedError, RError, Value, as_value, objects, strings


def _picker(f: Any) -> Callable[..., Any]:
    found = as_value(f)
    if callable(found) and not isinstance(found, Value):
        function: Callable[..., Any] = found
        return function
    if (
        isinstance(found, Value)
        and found._kind == "character"
        and not str(found._data[0]).replace(".", "_").isidentifier()
    ):
        return match_fun(f)
    if isinstance(found, Value) and found._kind in ("character", "double", "integer") and len(found) == 1:

        def part(x: Any) -> Any:
            value = as_value(x)
            names = names_of(value) or []
            if found._kind == "character" and found._data[0] not in names:
                raise NotMovedError("map() of a part that is not there")
            return element(value, found)

        return part
    return match_fun(f)


def _mapped(x: Any, f: Any, dots: tuple[Any, ...], named: dict[str, Any]) -> tuple[list[Any], dict[str, Value]]:
    value = as_value(x)
    if not isinstance(value, Value) or is_factor(value):
        raise NotMovedError("map() of a factor or a function")
    function = _picker(f)
    found = [as_value(call(function, [item], dots, named)) for item in items_of(value)]
    names = names_of(value)
    return found, {} if names is None else {"names": strings(names)}


@r_function(repeats=True, called=("_f",), tilde=True)
def map(_x: Any, _f: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for each item."""
    found, about = _mapped(_x, _f, dots, named)
    return Value("list", objects([item.copy() if isinstance(item, Value) else item for item in found]), about)


def _typed(kind: str) -> Callable[..., Value]:
    @r_function(repeats=True, called=("_f",), tilde=True)
    def mapped(_x: Any, _f: Any, *dots: Any, **named: Any) -> Value:
        found, about = _mapped(_x, _f, dots, named)
        data = [_one(item, kind) for item in found]
        empty = np.zeros(0, dtype=object if kind == "character" else np.float64)
        return Value(kind, np.concatenate(data) if data else empty, about)

    mapped.__doc__ = f"Return a vector of what a function gives for each item, of kind {kind}."
    return mapped


def _one(item: Any, kind: str) -> np.ndarray:
    if not isinstance(item, Value) or len(item) != 1 or item._kind not in KINDS[1:5]:
        raise RError("Result must be length 1.")
    if is_factor(item) or (item._kind != kind and (kind == "character" or item._kind == "character")):
        raise NotMovedError(f"map() of {item._kind} to {kind}")
    if KINDS.index(item._kind) > KINDS.index(kind):
        whole = item._kind == "double" and kind == "integer" and item._data[0] == np.trunc(item._data[0])
        if not whole:
            raise RError(f"Can't coerce from a {item._kind} to a {kind}.")
    return coerced(item, kind)._data


map_dbl, map_int, map_lgl, map_chr = (_typed(kind) for kind in ("double", "integer", "logical", "character"))


@r_function(repeats=True, called=("_f",), tilde=True)
def map2(_x: Any, _y: Any, _f: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for each pair of items."""
    x, y = as_value(_x), as_value(_y)
    first, second = items_of(x), items_of(y)
    sizes = {len(first), len(second)} - {1}
    if len(sizes) > 1:
        raise RError("Can't recycle the arguments of map2().")
    n = sizes.pop() if sizes else 1
    found = [call(_picker(_f), [first[i % len(first)], second[i % len(second)]], dots, named) for i in range(n)]
    names = names_of(x)
    if names is not None and len(names) != n:
        raise NotMovedError("map2() of one item with a name")
    return Value(
        "list", objects([as_value(item) for item in found]), {} if names is None else {"names": strings(names)}
    )


def _typed_pairs(kind: str) -> Callable[..., Value]:
    @r_function(repeats=True, called=("_f",), tilde=True)
    def mapped(_x: Any, _y: Any, _f: Any, *dots: Any, **named: Any) -> Value:
        found = map2(_x, _y, _f, *dots, **named)
        data = [_one(item, kind) for item in found._data]
        empty = np.zeros(0, dtype=object if kind == "character" else np.float64)
        return Value(kind, np.concatenate(data) if data else empty, found._attributes)

    mapped.__doc__ = f"Return a vector of what a function gives for each pair of items, of kind {kind}."
    return mapped


map2_dbl, map2_int, map2_lgl, map2_chr = (_typed_pairs(kind) for kind in ("double", "integer", "logical", "character"))


@r_function(repeats=True, called=("_f",), tilde=True)
def map_dfr(_x: Any, _f: Any, *dots: Any, _id: Any = None, **named: Any) -> Value:
    """Return the tables that a function gives for each item, one below the other."""
    found = map(_x, _f, *dots, **named)
    if any(not is_frame(item) for item in found._data):
        raise NotMovedError("map_dfr() of what are no tables")
    return bind_rows(found, _id=_id)


map_df = map_dfr


@r_function(repeats=True, called=("_f",), tilde=True)
def walk(_x: Any, _f: Any, *dots: Any, **named: Any) -> Value:
    """Call a function for each item, and return the items."""
    _mapped(_x, _f, dots, named)
    items: Value = as_value(_x)
    return items.copy()


@r_function(called=("_p",), tilde=True)
def keep(_x: Any, _p: Any) -> Value:
    """Return the items for which a condition holds."""
    return _kept(_x, _p, True)


@r_function(called=("_p",), tilde=True)
def discard(_x: Any, _p: Any) -> Value:
    """Return the items for which a condition does not hold."""
    return _kept(_x, _p, False)


def _kept(x: Any, p: Any, wanted: bool) -> Value:
    value = as_value(x)
    at = [i + 1.0 for i, item in enumerate(items_of(value)) if flag(_picker(p)(item)) == wanted]
    if is_frame(value):
        raise NotMovedError("keep() of a data frame")
    found: Value = value[Value("double", np.array(at))]
    return found
