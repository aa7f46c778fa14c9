"""Functions applied to the items of vectors, lists and tables."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.script.values import (
    KINDS,
    NotMovedError,
    RError,
    Value,
    arguments,
    as_value,
    coerced,
    copy,
    dim_of,
    dimnames_of,
    factor_items,
    flag,
    integers,
    is_factor,
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
    found = (
        _OPERATORS.get(name) or getattr(script, name.replace(".", "_"), None) if name in _OPERATORS or name else None
    )
    if found is None:
        raise NotMovedError(f"{name}() is not known here")
    return found  # type: ignore[no-any-return]


def _operator(sign: str) -> Callable[..., Value]:
    def called(*values: Any) -> Value:
        from pyrrf.script.operators import operated

        return operated(sign, *values)

    return called


_OPERATORS = {
    sign: _operator(sign) for sign in ("+", "-", "*", "/", "^", "%%", "%/%", "==", "!=", "<", ">", "<=", ">=", "&", "|")
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


def _keywords(named: dict[str, Any]) -> dict[str, Any]:
    return {name.replace(".", "_"): item for name, item in named.items()}


def lapply(X: Any, FUN: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for each item."""
    function, more = match_fun(FUN), _keywords(named)
    value = as_value(X)
    found = [_given(function(item, *dots, **more)) for item in items_of(value)]
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
        found.append(_given(function(*plain, **_keywords(keys), **_keywords(more))))
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
    open_ = builtins.any(p.kind == p.VAR_KEYWORD for p in _parameters(function))
    return as_value(function(*plain, **(keys if open_ else _keywords(keys))))


def _parameters(function: Callable[..., Any]) -> builtins.list[Any]:
    from inspect import signature

    return [*signature(function).parameters.values()]


def replicate(n: Any, expr: Callable[[], Any], simplify: Any = True) -> Value:
    """Return what an expression gives, evaluated again and again."""
    made = Value("list", objects([_given(expr()) for _ in range(int(number(n)))]))
    return simplified(made) if bool(as_value(simplify)._data[0] not in (0.0, False)) else made


def outer(X: Any, Y: Any, FUN: Any = None) -> Value:
    """Return what a function gives for all pairs of items: their product by default."""
    from pyrrf.script.vectors import rep

    x, y = as_value(X), as_value(Y)
    bare = [Value(v._kind, v._data) for v in (x, y)]
    wide = rep(bare[0], times=len(y)), rep(bare[1], times=integers(np.full(len(y), len(x))))
    found = wide[0] * wide[1] if FUN is None else as_value(match_fun(FUN)(*wide))
    if len(found) != len(x) * len(y):
        raise RError("dims [product] do not match the length of object")
    labels = names_of(x), names_of(y)
    about = {"dim": integers([len(x), len(y)])}
    if any(label is not None for label in labels):
        about["dimnames"] = Value("list", objects([null() if label is None else strings(label) for label in labels]))
    return Value(found._kind, found._data, about)


def apply(X: Any, MARGIN: Any, FUN: Any, *dots: Any, simplify: Any = True, **named: Any) -> Value:
    """Return what a function gives for each row (1) or each column (2)."""
    from pyrrf.script.matrices import as_matrix

    grid, function = as_matrix(X), match_fun(FUN)
    margin = coerced(MARGIN, "double")._data
    shape, labels = dim_of(grid) or (), dimnames_of(grid)
    if len(shape) != 2 or len(margin) != 1 or margin[0] not in (1, 2):
        raise NotMovedError("apply() over other than the rows or the columns of a matrix")
    axis = int(margin[0]) - 1
    cells = grid._data.reshape(shape, order="F")
    other = labels[1 - axis]
    about = {} if other is None else {"names": strings(other)}
    lines = [cells[i] if axis == 0 else cells[:, i] for i in range(shape[axis])]
    more = _keywords(named)
    found = [_given(function(Value(grid._kind, line.copy(), about), *dots, **more)) for line in lines]
    return _applied(found, labels[axis])


def _applied(found: builtins.list[Any], labels: Any) -> Value:
    from pyrrf.script.lists import unlist

    sizes = {len(item) for item in found}
    names = {} if labels is None else {"names": strings(labels)}
    if len(sizes) != 1 or builtins.any(is_list(item) for item in found):
        return Value("list", objects(found), names)
    (size,) = sizes
    flat = unlist(Value("list", objects([_plain(item) for item in found])), use_names=False)
    if size == 1:
        if labels is None and len(found) and names_of(found[0]) is not None:
            inner = [str((names_of(item) or [""])[0]) for item in found]
            return Value(flat._kind, flat._data, {"names": strings(inner)})
        return Value(flat._kind, flat._data, names)
    if not size:
        return Value("list", objects(found), names) if labels is not None else Value("list", objects(found))
    inner_names = names_of(found[0])
    about = {"dim": integers([size, len(found)])}
    if inner_names is not None or labels is not None:
        parts = [null() if part is None else strings(part) for part in (inner_names, labels)]
        about["dimnames"] = Value("list", objects(parts))
    return Value(flat._kind, flat._data, about)


def _plain(item: Value) -> Value:
    from pyrrf.script.values import factor_labels

    return factor_labels(item) if is_factor(item) else item


def identity(x: Any) -> Any:
    """Return the value itself."""
    return as_value(x)


def Negate(f: Any) -> Callable[..., Value]:
    """Return a function that gives the opposite of another."""
    function = match_fun(f)

    def negated(*args: Any, **named: Any) -> Value:
        return ~as_value(function(*args, **named))

    return negated
