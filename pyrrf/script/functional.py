"""Functions applied to the items of vectors, lists and tables."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from inspect import signature
from keyword import iskeyword
from typing import Any

import numpy as np

from pyrrf.script.values import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    arguments,
    as_value,
    coerced,
    copy,
    dim_of,
    factor_items,
    factor_labels,
    flag,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_null,
    names_of,
    null,
    number,
    objects,
    strings,
)


def match_fun(FUN: Any) -> Callable[..., Any]:
    """Return a function, or that of R which a string names.

    Raises
    ------
    NotMovedError
        There is none of this name here.
    """
    if callable(FUN) and not isinstance(FUN, Value):
        return FUN
    from pyrrf import script

    name = str(coerced(FUN, "character")._data[0])
    found = _OPERATORS.get(name) or getattr(script, name.replace(".", "_"), None)
    if found is None:
        raise NotMovedError(f"{name}() is not known here")
    return found  # type: ignore[no-any-return]


def _operator(sign: str) -> Callable[..., Value]:
    def called(*values: Any) -> Value:
        from pyrrf.script.operators import operated

        return operated(sign, *values)

    return called


def _subscript(x: Any, *subscripts: Any) -> Any:
    return as_value(x)[subscripts if len(subscripts) > 1 else subscripts[0]]


def _element(x: Any, *subscripts: Any) -> Any:
    return as_value(x)[[*subscripts]]


def _component(x: Any, name: Any) -> Any:
    from pyrrf.script.subscripts import component

    return component(x, str(coerced(name, "character")._data[0]))


_SIGNS = ("+", "-", "*", "/", "^", "%%", "%/%", "%*%", "==", "!=", "<", ">", "<=", ">=", "&", "|", "!")
_OPERATORS: dict[str, Callable[..., Any]] = {
    **{sign: _operator(sign) for sign in _SIGNS},
    "[": _subscript,
    "[[": _element,
    "$": _component,
}


def items_of(x: Any) -> builtins.list[Any]:
    """Return the items that lapply() goes through."""
    value = as_value(x)
    if is_list(value):
        return [copy(item) for item in value._data]
    if value._kind == "NULL":
        return []
    if is_factor(value):
        return [*factor_items(value)]
    dated = {key: value._attributes[key] for key in ("class", "units", "tzone") if key in value._attributes}
    return [Value(value._kind, value._data[i : i + 1], dated) for i in range(len(value))]


def call(function: Callable[..., Any], first: Any, dots: Any = (), named: Mapping[str, Any] | None = None) -> Any:
    """Return what a function gives for arguments matched as R matches them: by name, by its beginning, by place."""
    values = [*first, *dots]
    if not named:
        return function(*values)
    try:
        params = signature(function).parameters
    except (TypeError, ValueError):
        return function(*values, **{name.replace(".", "_"): item for name, item in named.items()})
    before = [key for key, p in params.items() if p.kind == p.POSITIONAL_OR_KEYWORD]
    alone = [key for key, p in params.items() if p.kind == p.KEYWORD_ONLY]
    takes_names = builtins.any(p.kind == p.VAR_KEYWORD for p in params.values())
    takes_more = builtins.any(p.kind == p.VAR_POSITIONAL for p in params.values())
    keys: dict[str, Any] = {}
    for name, item in named.items():
        found = _parameter(name, before, alone)
        if found is None and not takes_names:
            raise RError(f"unused argument ({name})")
        keys[found or name] = item
    places = [key for key in before if key in keys]
    if not places:
        return function(*values, **keys)
    free = [key for key in before if key not in keys]
    if len(values) <= len(free):
        return function(**dict(zip(free, values, strict=False)), **keys)
    if not takes_more or builtins.any(key not in keys for key in before[: len(before)] if key not in free):
        raise RError("unused argument")
    row = iter(values)
    front = [keys.pop(key) if key in keys else next(row) for key in before]
    return function(*front, *row, **keys)


def _parameter(name: str, before: builtins.list[str], alone: builtins.list[str]) -> str | None:
    word = name.replace(".", "_")
    word = f"{word}_" if iskeyword(word) else word
    if word in before or word in alone:
        return word
    begun = [key for key in before if key.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def lapply(X: Any, FUN: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for each item."""
    function = match_fun(FUN)
    value = as_value(X)
    found = [_given(call(function, [item], dots, named)) for item in items_of(value)]
    labels = names_of(value)
    return Value("list", objects(found), {} if labels is None else {"names": strings(labels)})


def _given(found: Any) -> Any:
    return copy(as_value(found))


def sapply(X: Any, FUN: Any, *dots: Any, simplify: Any = True, USE_NAMES: Any = True, **named: Any) -> Value:
    """Return what a function gives for each item: a vector or a matrix where all have one length."""
    value = as_value(X)
    made = lapply(value, FUN, *dots, **named)
    if flag(USE_NAMES) and value._kind == "character" and names_of(made) is None:
        made = Value("list", made._data, {"names": strings(value._data)})
    if not flag(USE_NAMES):
        made = Value("list", made._data)
    return simplified(made) if flag(simplify) else made


def vapply(X: Any, FUN: Any, FUN_VALUE: Any, *dots: Any, USE_NAMES: Any = True, **named: Any) -> Value:
    """Return what a function gives for each item, all of the kind and length of a model."""
    model = as_value(FUN_VALUE)
    value = as_value(X)
    found = sapply(value, FUN, *dots, simplify=False, USE_NAMES=USE_NAMES, **named)
    for item in found._data:
        if len(item) != len(model):
            raise RError(f"values must be length {len(model)},\n but FUN(X[[1]]) result is length {len(item)}")
        if item._kind != model._kind and not (model._kind == "double" and item._kind in ("integer", "logical")):
            raise RError(f"values must be type '{model._kind}'")
    if not len(found):
        return Value(model._kind, model._data[:0])
    made = simplified(found)
    return made if made._kind == model._kind else Value(model._kind, coerced(made, model._kind)._data, made._attributes)


def simplified(x: Value) -> Value:
    """Return a list as a vector or a matrix where its items have one length (R's ``simplify2array``)."""
    from pyrrf.script.lists import unlist

    if not len(x):
        return x
    sizes = {len(item) if isinstance(item, Value) else 1 for item in x._data}
    if len(sizes) != 1 or 0 in sizes:
        return x
    (size,) = sizes
    labels = names_of(x)
    if size == 1:
        if builtins.any(not isinstance(item, Value) or item._kind not in KINDS[1:] for item in x._data):
            return x
        if builtins.any(is_list(item) for item in x._data):
            return _lists_of_one(x)
        return _vector_of(x, unlist)
    first = x._data[0]
    flat = unlist(Value("list", x._data), use_names=False)
    if is_list(first) or not isinstance(flat, Value):
        flat = Value("list", objects([copy(part) for item in x._data for part in item._data]))
    if len(flat) != size * len(x):
        return x
    rows = names_of(first)
    about = {"dim": integers([size, len(x)])}
    if rows is not None or labels is not None:
        parts = [null() if part is None else strings(part) for part in (rows, labels)]
        about["dimnames"] = Value("list", objects(parts))
    bare = Value("integer", flat._data) if is_factor(flat) else flat
    if is_factor(flat):
        from pyrrf.script.values import factor_labels

        bare = factor_labels(flat)
    return Value(bare._kind, bare._data, about)


def _vector_of(x: Value, unlist: Callable[..., Any]) -> Value:
    found: Value = unlist(x)
    return found


def _lists_of_one(x: Value) -> Value:
    """Return a list of lists of one item as the list of these items."""
    from pyrrf.script.vectors import new_name

    labels = names_of(x)
    inner = [names_of(item) for item in x._data]
    data = objects([copy(item._data[0]) if is_list(item) else item for item in x._data])
    if labels is None and builtins.all(part is None for part in inner):
        return Value("list", data)
    names = [
        new_name((labels or [""] * len(x))[i] or "", None if part is None else part[0], 0, 1)
        for i, part in enumerate(inner)
    ]
    return Value("list", data, {"names": strings(names)})


def mapply(
    FUN: Any, *dots: Any, MoreArgs: Any = None, SIMPLIFY: Any = True, USE_NAMES: Any = True, **named: Any
) -> Value:
    """Return what a function gives for the first items of vectors, the second ones, and so on."""
    function = match_fun(FUN)
    parts = arguments(dots, named)
    more = {} if is_null(MoreArgs) else dict(zip(names_of(MoreArgs) or [], MoreArgs._data, strict=True))
    lists = [(name, items_of(value)) for name, value in parts]
    n = max((len(items) for _, items in lists), default=0) if builtins.all(items for _, items in lists) else 0
    found = []
    for i in range(n):
        plain = [items[i % len(items)] for name, items in lists if not name]
        keys = {name: items[i % len(items)] for name, items in lists if name}
        found.append(_given(call(function, plain, (), {**keys, **more})))
    made = Value("list", objects(found))
    first = parts[0][1] if parts else null()
    labels = names_of(first)
    if flag(USE_NAMES) and (labels is not None or first._kind == "character"):
        made = Value("list", made._data, {"names": strings(labels if labels is not None else first._data)})
    return simplified(made) if flag(SIMPLIFY) else made


def Map(f: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for the items of vectors."""
    return mapply(f, *dots, SIMPLIFY=False, **named)


def Reduce(f: Any, x: Any, init: Any = None, right: Any = False, accumulate: Any = False) -> Any:
    """Return what is left of items that a function puts together, two at a time."""
    function, waiting = match_fun(f), items_of(x)
    if flag(right):
        raise NotMovedError("Reduce() from the right")
    if init is not None:
        waiting = [as_value(init), *waiting]
    if not waiting:
        return null()
    steps = [waiting[0]]
    for item in waiting[1:]:
        steps.append(_given(function(steps[-1], item)))
    if not flag(accumulate):
        return steps[-1]
    made = Value("list", objects(steps))
    return simplified(made) if builtins.all(len(step) == 1 for step in steps) else made


def Filter(f: Any, x: Any) -> Any:
    """Return the items for which a function gives TRUE."""
    value, function = as_value(x), match_fun(f)
    kept = [bool(coerced(function(item), "logical")._data[0] == 1) for item in items_of(value)]
    return value[integers(np.flatnonzero(kept) + 1)]


def Position(f: Any, x: Any) -> Value:
    """Return the place of the first item for which a function gives TRUE."""
    function = match_fun(f)
    for at, item in enumerate(items_of(x)):
        if bool(function(item)):
            return integers(at + 1)
    return integers(np.nan)


def Find(f: Any, x: Any) -> Any:
    """Return the first item for which a function gives TRUE."""
    at = Position(f, x)
    return null() if np.isnan(at._data[0]) else as_value(x)[[at]]


def do_call(what: Any, args: Any, quote: Any = False) -> Any:
    """Return what a function gives for the items of a list as its arguments."""
    value = as_value(args)
    labels = names_of(value) or [""] * len(value)
    function = match_fun(what)
    plain = [copy(item) for name, item in zip(labels, value._data, strict=True) if not name]
    keys = {str(name): copy(item) for name, item in zip(labels, value._data, strict=True) if name}
    return as_value(call(function, plain, (), keys))


def replicate(n: Any, expr: Callable[[], Any], simplify: Any = True) -> Value:
    """Return what an expression gives, evaluated again and again."""
    made = Value("list", objects([_given(expr()) for _ in range(int(number(n)))]))
    return simplified(made) if bool(as_value(simplify)._data[0] not in (0.0, False)) else made


def outer(X: Any, Y: Any, FUN: Any = "*", *dots: Any, **named: Any) -> Value:
    """Return what a function gives for all pairs of items: their product by default."""
    from pyrrf.script.attributed import put_dim
    from pyrrf.script.matrices import product
    from pyrrf.script.vectors import rep

    x, y = as_value(X), as_value(Y)
    if is_frame(x) or is_frame(y):
        raise NotMovedError("outer() of data frames")
    sizes = [dim_of(v) or (len(v),) for v in (x, y)]
    if isinstance(FUN, str) and FUN == "*":
        if x._kind not in NUMBERS or y._kind not in NUMBERS:
            raise RError("requires numeric/complex matrix/vector arguments")
        row = Value(y._kind, y._data, {"dim": integers([1, len(y)])})
        found = product(Value(x._kind, x._data, {"dim": integers([len(x), 1])}), row)
    else:
        bare = [Value(v._kind, v._data, {k: a for k, a in v._attributes.items() if k != "dim"}) for v in (x, y)]
        wide = rep(bare[0], times=len(y)), rep(bare[1], times=integers(np.full(len(y), len(x))))
        found = as_value(call(match_fun(FUN), wide, dots, named))
    made = put_dim(found, integers([*sizes[0], *sizes[1]]))
    labels = [v._attributes.get("dimnames") if dim_of(v) else _as_dimnames(v) for v in (x, y)]
    if all_none(labels):
        return made
    parts = [
        [null() for _ in size] if label is None else [*label._data] for label, size in zip(labels, sizes, strict=True)
    ]
    made._attributes["dimnames"] = Value("list", objects([*parts[0], *parts[1]]))
    if builtins.any(label is not None and "names" in label._attributes for label in labels):
        raise NotMovedError("outer() of matrices whose dimnames have names")
    return made


def all_none(labels: builtins.list[Any]) -> bool:
    """Whether there are no labels at all."""
    return builtins.all(label is None for label in labels)


def _as_dimnames(x: Value) -> Value | None:
    names = names_of(x)
    return None if names is None else Value("list", objects([strings(names)]))


def apply(X: Any, MARGIN: Any, FUN: Any, *dots: Any, simplify: Any = True, **named: Any) -> Any:
    """Return what a function gives for each row (1), column (2), cell, or part of an array."""
    grid, function, axes = _as_grid(X), match_fun(FUN), _axes(MARGIN, as_value(X))
    shape, dimnames = dim_of(grid) or (), grid._attributes.get("dimnames")
    rest = [k for k in range(len(shape)) if k not in axes]
    inner, outside = [shape[k] for k in rest], [shape[k] for k in axes]
    count = int(np.prod(outside))
    if not count:
        raise NotMovedError("apply() over no rows or columns")
    flat = np.transpose(grid._data.reshape(shape, order="F"), [*rest, *axes]).reshape((-1, count), order="F")
    about = _inner_attributes(inner, rest, dimnames)
    found = [_given(call(function, [Value(grid._kind, flat[:, i].copy(), about)], dots, named)) for i in range(count)]
    return _applied(found, outside, _chosen(dimnames, axes), _chosen(dimnames, rest), flag(simplify))


def _as_grid(X: Any) -> Value:
    from pyrrf.script.matrices import as_matrix

    value = as_value(X)
    shape = dim_of(value)
    if not shape:
        raise RError("dim(X) must have a positive length")
    found = as_matrix(value) if len(shape) == 2 else value
    return Value(found._kind, found._data, {k: v for k, v in found._attributes.items() if k in ("dim", "dimnames")})


def _axes(MARGIN: Any, x: Value) -> builtins.list[int]:
    margin = as_value(MARGIN)
    if margin._kind == "character":
        raise NotMovedError("apply() over dimensions by their names")
    axes = [int(i) - 1 for i in coerced(margin, "double")._data]
    if builtins.any(not 0 <= axis < len(dim_of(x) or ()) for axis in axes) or len(set(axes)) < len(axes):
        raise RError("'MARGIN' does not match dim(X)")
    return axes


def _chosen(dimnames: Value | None, axes: builtins.list[int]) -> Value | None:
    """Return the labels of some dimensions, with their names."""
    if dimnames is None:
        return None
    names = dimnames._attributes.get("names")
    return Value("list", dimnames._data[axes], None if names is None else {"names": strings(names._data[axes])})


def _inner_attributes(inner: builtins.list[int], rest: builtins.list[int], dimnames: Value | None) -> dict[str, Value]:
    labels = _chosen(dimnames, rest)
    if len(inner) >= 2:
        shape = {"dim": integers(inner)}
        return shape if labels is None else shape | {"dimnames": labels}
    return {} if labels is None or not inner or is_null(labels._data[0]) else {"names": labels._data[0]}


def _applied(
    found: builtins.list[Any], outside: builtins.list[int], labels: Value | None, inner: Value | None, simplify: bool
) -> Any:
    """Return the results as a vector, an array, or a list where they have several lengths."""
    from pyrrf.script.lists import unlist

    sizes = {len(item) if isinstance(item, Value) else 1 for item in found}
    if builtins.any(isinstance(item, Value) and item._kind not in KINDS for item in found):
        raise NotMovedError("apply() with formulas as results")
    first = found[0]
    listy = not simplify or not isinstance(first, Value) or is_list(first) or len(sizes) > 1
    flat = Value("list", objects(found))
    if not listy:
        flat = unlist(flat, recursive=False)
    count = len(found)
    if len(flat) == count and len(outside) == 1:
        own = null() if labels is None else labels._data[0]
        about = {k: v for k, v in flat._attributes.items() if k != "names"}
        return Value(flat._kind, flat._data, about | ({"names": own} if len(own) else {}))
    if not len(flat):
        return flat
    bare = factor_labels(flat) if is_factor(flat) else flat
    if len(flat) == count:
        return Value(
            bare._kind, bare._data, {"dim": integers(outside)} | ({} if labels is None else {"dimnames": labels})
        )
    about = {"dim": integers([len(flat) // count, *outside])}
    rows = names_of(first)
    if rows is not None and builtins.any(names_of(item) != rows for item in found):
        rows = None
    dimnames = _joined_dimnames(rows, labels, inner, len(outside))
    return Value(bare._kind, bare._data, about if dimnames is None else about | {"dimnames": dimnames})


def _joined_dimnames(rows: Any, labels: Value | None, inner: Value | None, k: int) -> Value | None:
    parts = [null() if rows is None else strings(rows), *([null()] * k if labels is None else labels._data)]
    names = None if labels is None else labels._attributes.get("names")
    outer_name = None if inner is None or "names" not in inner._attributes else inner._attributes["names"]._data[0]
    kept = rows is not None and outer_name and inner is not None and len(rows) == len(inner._data[0])
    if names is None and not kept:
        return None if builtins.all(is_null(part) for part in parts) else Value("list", objects(parts))
    tail = [""] * k if names is None else [*names._data]
    return Value("list", objects(parts), {"names": strings([outer_name if kept else "", *tail])})


def identity(x: Any) -> Any:
    """Return the value itself."""
    return as_value(x)


def Negate(f: Any) -> Callable[..., Value]:
    """Return a function that gives the opposite of another."""
    function = match_fun(f)

    def negated(*args: Any, **named: Any) -> Value:
        return ~as_value(function(*args, **named))

    return negated
