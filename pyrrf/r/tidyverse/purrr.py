"""purrr: functions for each item of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from pyrrf.r.base.functional import call, items_of, match_fun
from pyrrf.r.indexing.subscripts import element
from pyrrf.r.tidyverse.groups import gaps
from pyrrf.r.tidyverse.tables import bind_rows
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import known_as, r_function
from pyrrf.r.values.kinds import is_factor, is_frame
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.vector import KINDS, Value, as_value, copy, doubles, objects, strings
from pyrrf.r.values.visibility import invisible


def _as_function(f: object) -> Callable[..., Any]:
    """Return a function as purrr makes it of a function, or of the name or index of an element."""
    function = as_value(f)
    if callable(function):
        return function
    names_function = function._kind == "character" and not str(function._data[0]).replace(".", "_").isidentifier()
    if names_function or function._kind not in ("character", "double", "integer") or len(function) != 1:
        return match_fun(f)

    def pick(x: object) -> object:
        value = as_value(x)
        if function._kind == "character" and function._data[0] not in (names_of(value) or []):
            raise NotSupportedError("map() of a part that is not there")
        return element(value, function)

    return pick


def _items(x: Value) -> list[Any]:
    """Return the items that purrr iterates over, taken by ``[[``, which drops some classes."""
    return [element(x, place + 1) for place in range(len(x))] if "class" in x._attributes else items_of(x)


@r_function(repeats=True, called=("_f",))
def map(_x: Value, _f: object, *dots: object, **named: object) -> Value:
    """Return a list of a function's values, one for each item."""
    refuse_if(is_factor(_x), "map() of a factor")
    function = _as_function(_f)
    return _named_as(_x, [call(function, [item], dots, named) for item in _items(_x)])


@r_function(repeats=True, called=("_f",))
def map2(_x: Value, _y: Value, _f: object, *dots: object, **named: object) -> Value:
    """Return a list of a function's values, one for each pair of items."""
    first, second = _items(_x), _items(_y)
    sizes = {len(first), len(second)} - {1}
    stop_if(len(sizes) > 1, "Can't recycle the arguments of map2().")
    n = sizes.pop() if sizes else 1
    function = _as_function(_f)
    answers = [call(function, [first[i % len(first)], second[i % len(second)]], dots, named) for i in range(n)]
    refuse_if(names_of(_x) is not None and len(first) != n, "map2() of one item with a name")
    return _named_as(_x, answers)


def _named_as(x: Value, answers: Sequence[object]) -> Value:
    names = names_of(x)
    items = [copy(as_value(item)) for item in answers]
    return Value("list", objects(items), {} if names is None else {"names": strings(names)})


def _typed_map(mapping: Callable[..., Value], end: str, kind: str) -> Callable[..., Value]:
    """Return a variant of map() or map2() that returns a vector."""

    @wraps(mapping)
    def map_typed(*args: object, **named: object) -> Value:
        answers = mapping(*args, **named)
        data = [_one(item, kind) for item in answers._data]
        return Value(kind, np.concatenate([gaps(0, kind), *data]), answers._attributes)

    said = (mapping.__doc__ or "").replace("a list", f"a vector of kind {kind}")
    return known_as(map_typed, f"{mapping.__name__}_{end}", said)


def _one(item: object, kind: str) -> np.ndarray:
    if not isinstance(item, Value) or len(item) != 1 or item._kind not in KINDS[1:5]:
        raise RError("Result must be length 1.")
    if is_factor(item) or (item._kind != kind and (kind == "character" or item._kind == "character")):
        raise NotSupportedError(f"map() of {item._kind} to {kind}")
    whole = item._kind == "double" and kind == "integer" and item._data[0] == np.trunc(item._data[0])
    stop_if(KINDS.index(item._kind) > KINDS.index(kind) and not whole, f"Can't coerce from a {item._kind} to a {kind}.")
    return coerce(item, kind)._data


_KINDS = {"dbl": "double", "int": "integer", "lgl": "logical", "chr": "character"}
map_dbl, map_int, map_lgl, map_chr = (_typed_map(map, *names) for names in _KINDS.items())
map2_dbl, map2_int, map2_lgl, map2_chr = (_typed_map(map2, *names) for names in _KINDS.items())


@r_function(repeats=True, called=("_f",))
def map_dfr(_x: object, _f: object, *dots: object, _id: object = None, **named: object) -> Value:
    """Return the tables that a function gives for each item, one below the other."""
    tables = map(_x, _f, *dots, **named)
    refuse_if(not all(is_frame(item) for item in tables._data), "map_dfr() of something other than tables")
    return bind_rows(tables, _id=_id)


map_df = map_dfr


@r_function(repeats=True, called=("_f",), quiet=True)
def walk(_x: Value, _f: object, *dots: object, **named: object) -> Value:
    """Call a function for each item, and return the items, which are not printed."""
    map(_x, _f, *dots, **named)
    return invisible(_x)


def _chooser(name: str, wanted: bool, doc: str) -> Callable[[Value, object], Value]:
    @r_function(name, doc, called=("_p",))
    def choose(_x: Value, _p: object) -> Value:
        refuse_if(is_frame(_x), "keep() of a data frame")
        function = _as_function(_p)
        return _x[doubles([place for place, item in enumerate(_items(_x), 1) if flag(function(item)) == wanted])]

    return choose


keep = _chooser("keep", True, "Return the items for which a condition holds.")
discard = _chooser("discard", False, "Return the items for which a condition does not hold.")
