"""Functions applied to the items of vectors, lists and tables."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from keyword import iskeyword
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.operators import operated
from pyrrf.r.base.lists import unlist
from pyrrf.r.indexing.subscripts import element, taken
from pyrrf.r.values.arguments import Named, arguments, flag, number
from pyrrf.r.values.attributes import (
    dim_of,
    factor_items,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    names_of,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import search
from pyrrf.r.values.vector import (
    KINDS,
    NotMovedError,
    RError,
    Value,
    as_value,
    copy,
    integers,
    is_null,
    kind_of,
    listed,
    null,
    objects,
    strings,
)
from pyrrf.r.values.visibility import invisible, is_invisible


@r_function(called=("FUN",), gives="function")
def match_fun(FUN: Any) -> Callable[..., Any]:
    """Return a function, or that of R which a string names.

    Raises
    ------
    NotMovedError
        There is none of this name here.
    """
    if callable(FUN) and not isinstance(FUN, Value):
        return FUN
    value = as_value(FUN)
    if not isinstance(value, Value) or value._kind != "character" or len(value) != 1:
        raise RError("the argument is not a function, character or symbol")
    name = str(value._data[0])
    found = _OPERATORS.get(name) or _library(name)
    if found is None:
        raise NotMovedError(f"{name}() is not known here")
    return found


def _library(name: str) -> Callable[..., Any] | None:
    word = name.replace(".", "_")
    word = f"{word}_" if iskeyword(word) else word
    found = search(word)
    return found if callable(found) and not isinstance(found, Value) else None


def _operator(sign: str) -> Callable[..., Value]:
    def called(*values: Any) -> Value:
        return operated(sign, *values)

    return called


def _taken(x: Any, *subscripts: Any, drop: Any = None) -> Any:
    return taken(x, *map(as_value, subscripts), drop=drop)


def _element(x: Any, *subscripts: Any) -> Any:
    return element(x, *map(as_value, subscripts))


_SIGNS = ("+", "-", "*", "/", "^", "%%", "%/%", "%*%", "==", "!=", "<", ">", "<=", ">=", "&", "|", "!")
_OPERATORS: dict[str, Callable[..., Any]] = {sign: _operator(sign) for sign in _SIGNS}
_OPERATORS |= {"[": _taken, "[[": _element, ":": lambda x, y: _library("colon")(x, y)}  # type: ignore[misc]
_OPERATORS |= {"%in%": lambda x, y: _library("contained")(x, y), "%o%": lambda x, y: _library("outer")(x, y)}  # type: ignore[misc]


def items_of(x: Any) -> builtins.list[Any]:
    """Return the items that lapply() goes through."""
    value = as_value(x)
    if is_list(value):
        return [copy(item) for item in value._data]
    if value._kind == "NULL":
        return []
    if is_factor(value):
        return [*factor_items(value)]
    if inherits(value, "POSIXct") or inherits(value, "difftime") or value._kind not in KINDS:
        raise NotMovedError("a loop over the items of times, formulas or functions")
    dated = {key: value._attributes[key] for key in ("class",) if inherits(value, "Date")}
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


@r_function(repeats=True, keeps=True, called=("FUN",))
def lapply(X: Any, FUN: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for each item."""
    function = match_fun(FUN)
    value = as_value(X)
    found = [given(call(function, [item], dots, named)) for item in items_of(value)]
    labels = names_of(value)
    return Value("list", objects(found), {} if labels is None else {"names": strings(labels)})


def given(found: Any) -> Any:
    """Return what a function gave, as a value of its own."""
    return copy(as_value(found))


@r_function(repeats=True, keeps=True, called=("FUN",))
def sapply(X: Any, FUN: Any, *dots: Any, simplify: Any = True, USE_NAMES: Any = True, **named: Any) -> Value:
    """Return what a function gives for each item: a vector or a matrix where all have one length."""
    value = as_value(X)
    made = lapply(value, FUN, *dots, **named)
    if flag(USE_NAMES) and value._kind == "character" and "names" not in made._attributes:
        made = Value("list", made._data, {"names": strings(value._data)})
    return _simplified_if(made, simplify)


def _simplified_if(x: Value, simplify: Any) -> Value:
    value = as_value(simplify)
    how = value._data[0] if len(value) == 1 else ""
    if value._kind != "logical" and how != "array":
        raise NotMovedError('simplify that is neither logical nor "array"')
    return x if how == 0 else simplified(x, higher=how == "array")


@r_function(repeats=True, called=("FUN",))
def vapply(X: Any, FUN: Any, FUN_VALUE: Any, *dots: Any, USE_NAMES: Any = True, **named: Any) -> Value:
    """Return what a function gives for each item, all of the kind and length of a model."""
    model, value = as_value(FUN_VALUE), as_value(X)
    if model._kind not in KINDS[1:5] or dim_of(model) is not None:
        raise NotMovedError("vapply() with a matrix or a list as FUN.VALUE")
    found = sapply(value, FUN, *dots, simplify=False, USE_NAMES=True, **named)
    for at, item in enumerate(found._data):
        _check_item(item, model, at + 1)
    parts = [coerced(Value(item._kind, item._data), model._kind)._data for item in found._data]
    about: dict[str, Value] = {} if len(model) == 1 else {"dim": integers([len(model), len(found)])}
    plain = value._kind != "character" or dim_of(value) is None or names_of(value) is not None
    if flag(USE_NAMES) and plain:
        rows = model if names_of(model) is not None or not len(found) else found._data[0]
        about |= _names_of_both(names_of(rows), found._attributes.get("names"), len(model) == 1)
    return Value(model._kind, np.concatenate(parts) if parts else model._data[:0], about)


def _check_item(item: Any, model: Value, at: int) -> None:
    size = len(item) if isinstance(item, Value) else 1
    if size != len(model):
        raise RError(f"values must be length {len(model)},\n but FUN(X[[{at}]]) result is length {size}")
    kinds = {"double": ("double", "integer", "logical"), "integer": ("integer", "logical")}
    kind = kind_of(item)
    if kind not in kinds.get(model._kind, (model._kind,)):
        told = "closure" if kind == "function" else kind
        raise RError(f"values must be type '{model._kind}',\n but FUN(X[[{at}]]) result is type '{told}'")


def _names_of_both(rows: Any, columns: Value | None, single: bool) -> dict[str, Value]:
    if single:
        return {} if columns is None else {"names": columns}
    if rows is None and columns is None:
        return {}
    parts = [null() if rows is None else strings(rows), null() if columns is None or not len(columns) else columns]
    return {"dimnames": Value("list", objects(parts))}


def simplified(x: Value, higher: bool = False) -> Value:
    """Return a list as a vector or an array where its items have one length (R's ``simplify2array``)."""
    sizes = {len(item) if isinstance(item, Value) else 1 for item in x._data}
    if len(sizes) != 1 or 0 in sizes:
        return x
    (size,) = sizes
    if size == 1:
        flat = unlist(x, recursive=False)
        return flat if len(flat) == len(x) else x
    flat = unlist(x, recursive=False, use_names=False)
    labels, first = x._attributes.get("names"), x._data[0]
    shape = dim_of(first) if isinstance(first, Value) and not is_frame(first) else None
    if higher and shape is not None and builtins.all(dim_of(item) == shape for item in x._data):
        inner = first._attributes.get("dimnames")
        about = {"dim": integers([*shape, len(x)])}
        if inner is not None or labels is not None:
            parts = [null() for _ in shape] if inner is None else [*inner._data]
            about["dimnames"] = Value("list", objects([*parts, null() if labels is None else labels]))
            if inner is not None and "names" in inner._attributes:
                names = strings([*inner._attributes["names"]._data, ""])
                about["dimnames"] = Value("list", about["dimnames"]._data, {"names": names})
    elif len(flat) == size * len(x):
        about = {"dim": integers([size, len(x)])} | _names_of_both(names_of(first), labels, False)
    else:
        return x
    bare = factor_labels(flat) if is_factor(flat) else flat
    return Value(bare._kind, bare._data, about)


@r_function(repeats=True, called=("FUN",), dots_in_order=True)
def mapply(
    FUN: Any, *dots: Any, MoreArgs: Any = None, SIMPLIFY: Any = True, USE_NAMES: Any = True, **named: Any
) -> Value:
    """Return what a function gives for the first items of vectors, the second ones, and so on."""
    function, parts = match_fun(FUN), arguments(dots, named)
    more = [] if is_null(MoreArgs) else _pairs(as_value(MoreArgs))
    lists = [(name, items_of(value)) for name, value in parts]
    sizes = {len(items) for _, items in lists}
    n = 0 if 0 in sizes else max(sizes, default=0)
    if builtins.any(n % size for size in sizes if size):
        warn("longer argument not a multiple of length of shorter")
    plain = [items for name, items in lists if not name]
    found = []
    for i in range(n):
        keys = {name: items[i % len(items)] for name, items in lists if name} | {k: v for k, v in more if k}
        bare = [items[i % len(items)] for items in plain] + [v for k, v in more if not k]
        found.append(given(call(function, bare, (), keys)))
    made = Value("list", objects(found))
    first = parts[0][1] if parts else null()
    labels = names_of(first)
    if flag(USE_NAMES) and labels is not None and len(labels) > n:
        raise RError(f"'names' attribute [{len(labels)}] must be the same length as the vector [{n}]")
    if flag(USE_NAMES) and labels is None and first._kind == "character" and not n:
        made = Value("list", made._data, {"names": strings([])})
    elif flag(USE_NAMES) and (labels is not None or first._kind == "character"):
        labels = labels if labels is not None else list(first._data)
        labels = [*labels, *[None] * (n - len(labels))]
        made = Value("list", made._data, {"names": strings(labels)})
    return _simplified_if(made, SIMPLIFY)


def _pairs(x: Value) -> builtins.list[tuple[str, Any]]:
    labels = names_of(x) or [""] * len(x)
    tags = ["NA" if name is None else str(name) for name in labels]
    return [(tag, copy(item)) for tag, item in zip(tags, coerced(x, "list")._data, strict=True)]


@r_function(repeats=True, keeps=True, called=("f",), dots_in_order=True)
def Map(f: Any, *dots: Any, **named: Any) -> Value:
    """Return a list of what a function gives for the items of vectors."""
    return mapply(f, *dots, SIMPLIFY=False, **named)


@r_function(keeps=True, called=("FUN",), gives="function")
def Vectorize(FUN: Any, vectorize_args: Any = None, SIMPLIFY: Any = True, USE_NAMES: Any = True) -> Callable[..., Any]:
    """Return a function that goes through the items of its arguments."""
    function = match_fun(FUN)
    params = [key for key, p in signature(function).parameters.items() if p.kind == p.POSITIONAL_OR_KEYWORD]
    wanted = params if is_null(vectorize_args) else [str(name) for name in as_value(vectorize_args)._data]
    if len(params) < len(signature(function).parameters):
        raise NotMovedError("Vectorize() of a function with ...")

    def vectorized(*args: Any, **named: Any) -> Any:
        given = dict(zip([key for key in params if key not in named], args, strict=False)) | named
        chosen = {key: given[key] for key in params if key in given and key in wanted}
        if not chosen:
            return function(**given)
        more = listed([given[key] for key in given if key not in chosen], [key for key in given if key not in chosen])
        return mapply(function, MoreArgs=more, SIMPLIFY=SIMPLIFY, USE_NAMES=USE_NAMES, **chosen)

    return vectorized


@r_function(repeats=True, keeps=True, called=("f",), hands_on=True)
def Reduce(f: Any, x: Any, init: Any = None, right: Any = False, accumulate: Any = False) -> Any:
    """Return what is left of items that a function puts together, two at a time."""
    function, waiting, backwards = match_fun(f), items_of(x), flag(right)
    if not waiting:
        return null() if init is None else as_value(init)
    if init is not None:
        waiting = [*waiting, as_value(init)] if backwards else [as_value(init), *waiting]
    # rbind(), cbind() and data.frame() name what they get by the names that R's Reduce() has for it.
    names = ["init", "x[[i]]"] if _parameter_of(function, "deparsed") else []
    if _library("rbind") is function or _library("cbind") is function:
        names = ["init", ""]
    order = waiting[::-1] if backwards else waiting
    steps = [order[0]]
    for item in order[1:]:
        pair = (item, steps[-1]) if backwards else (steps[-1], item)
        more = {"deparsed": names[::-1] if backwards else names} if names else {}
        steps.append(given(function(*pair, **more)))
    if not flag(accumulate):
        return steps[-1]
    made = Value("list", objects(steps[::-1] if backwards else steps))
    return unlist(made, recursive=False) if builtins.all(_length(step) == 1 for step in steps) else made


def _parameter_of(function: Callable[..., Any], name: str) -> bool:
    try:
        return name in signature(function).parameters
    except (TypeError, ValueError):
        return False


def _length(x: Any) -> int:
    return len(x) if isinstance(x, Value) else 1


@r_function(repeats=True, keeps=True, called=("f",))
def Filter(f: Any, x: Any) -> Any:
    """Return the items for which a function gives TRUE."""
    value = as_value(x)
    found = unlist(lapply(value, f))
    kept = coerced(found, "logical")._data
    return value[integers(np.flatnonzero(kept == 1) + 1)]


@r_function(called=("f",))
def Position(f: Any, x: Any, right: Any = False, nomatch: Any = None) -> Value:
    """Return the place of the first item, or the last one, for which a function gives TRUE."""
    function = match_fun(f)
    places = list(enumerate(items_of(x)))
    for at, item in reversed(places) if flag(right) else places:
        if bool(as_value(function(item))):
            return integers(at + 1)
    return integers(np.nan) if nomatch is None else as_value(nomatch)


@r_function(called=("f",), hands_on=True)
def Find(f: Any, x: Any, right: Any = False, nomatch: Any = None) -> Any:
    """Return the first item, or the last one, for which a function gives TRUE."""
    at = Position(f, x, right)
    return as_value(nomatch) if np.isnan(at._data[0]) else as_value(x)[[at]]


@r_function(keeps=True, called=("what",), hands_on=True, gives="formula")
def do_call(what: Any, args: Any, quote: Any = False) -> Any:
    """Return what a function gives for the items of a list as its arguments."""
    value = as_value(args)
    if not is_list(value):
        raise RError("second argument must be a list")
    pairs = _pairs(Value("list", value._data, {k: v for k, v in value._attributes.items() if k == "names"}))
    keys = {name: item for name, item in pairs if name}
    function = match_fun(what)
    if len(keys) < sum(bool(name) for name, _ in pairs) or _mixed(function, pairs):
        return as_value(function(*[Named(name, item) if name else item for name, item in pairs]))
    return as_value(call(function, [item for name, item in pairs if not name], (), keys))


def _mixed(function: Callable[..., Any], pairs: builtins.list[tuple[str, Any]]) -> bool:
    """Whether arguments that go to R's dots stand with names before some without."""
    params = signature(function).parameters.values()
    kinds = {p.kind for p in params}
    alone = [p.name for p in params if p.kind == p.KEYWORD_ONLY]
    before = [p.name for p in params if p.kind == p.POSITIONAL_OR_KEYWORD]
    dots = [not name for name, _ in pairs if not name or _parameter(name, before, alone) is None]
    own = [name for name, _ in pairs if name and _parameter(name, before, alone) is not None]
    mixed = _takes_any(kinds) and True in dots and False in dots and dots != sorted(dots, reverse=True)
    if mixed and (own or before):
        raise NotMovedError("do.call() with arguments with names before others without")
    return mixed


def _takes_any(kinds: set[Any]) -> bool:
    """Whether a function takes any number of arguments, with names or without."""
    return Parameter.VAR_KEYWORD in kinds and Parameter.VAR_POSITIONAL in kinds


@r_function(later=("expr",), own_dots=True)
def replicate(n: Any, expr: Callable[[], Any], simplify: Any = "array") -> Value:
    """Return what an expression gives, evaluated again and again."""
    made = Value("list", objects([given(expr()) for _ in range(int(number(n)))]))
    return _simplified_if(made, simplify)


@r_function(keeps=True, same=True, hands_on=True, gives="function")
def identity(x: Any) -> Any:
    """Return the value itself; what is invisible stays so, as in R."""
    value = as_value(x)
    return invisible(value) if is_invisible(value) else value


@r_function(keeps=True, same=True)
def force(x: Any) -> Any:
    """Return the value itself, evaluated: R's ``force``."""
    return identity(x)


@r_function(keeps=True, called=("f",), gives="function")
def Negate(f: Any) -> Callable[..., Value]:
    """Return a function that gives the opposite of another."""
    function = match_fun(f)

    def negated(*args: Any, **named: Any) -> Any:
        return ~as_value(function(*args, **named))

    return negated
