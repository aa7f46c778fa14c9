"""Functions applied to the items of vectors, lists and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.operators import operate
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.types import as_list
from pyrrf.r.indexing.subscripts import element, taken
from pyrrf.r.values.arguments import Named, arguments
from pyrrf.r.values.coercion import attrs, bare, coerce, factor_labels
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.functions import Flag, Item, Whole, r_function
from pyrrf.r.values.kinds import is_factor, is_frame, is_list, kind_of
from pyrrf.r.values.labels import dim_of, dimnames_names, kept_names, names_of
from pyrrf.r.values.methods import name_in_r, search
from pyrrf.r.values.packages import python_word
from pyrrf.r.values.vector import KINDS, Value, as_value, copy, integers, list_of, null, objects, strings
from pyrrf.r.values.visibility import invisible, is_invisible

Function = Callable[..., Any]


@r_function(called=("FUN",), gives="function")
def match_fun(FUN: object) -> Function:
    """Return a function, or that of R which a string names."""
    if callable(FUN) and not isinstance(FUN, Value):
        return FUN
    value = as_value(FUN)
    if not isinstance(value, Value) or value._kind != "character" or len(value) != 1:
        raise RError("the argument is not a function, character or symbol")
    name = str(value._data[0])
    function = _OPERATORS.get(name) or _library("outer" if name == "%o%" else name)
    function = refuse_none(function, f"{name}() is not known here")
    # The call that R keeps of a function that is handed over is not known.
    return partial(function, call="") if "call" in signature(function).parameters else function


def _library(name: str) -> Function | None:
    value, _ = search(name)
    return value if callable(value) and not isinstance(value, Value) else None


_SIGNS = ("+", "-", "*", "/", "^", "%%", "%/%", "%*%", "==", "!=", "<", ">", "<=", ">=", "&", "|", "!")
_OPERATORS: dict[str, Function] = {sign: partial(operate, sign) for sign in _SIGNS}
_OPERATORS |= {
    "[": lambda x, *subscripts, drop=None: taken(x, *map(as_value, subscripts), drop=drop),
    "[[": lambda x, *subscripts: element(x, *map(as_value, subscripts)),
}


def items_of(x: object) -> list[Item]:
    """Return the items over which lapply() loops."""
    value = as_value(x)
    refuse_if(kind_of(value) not in KINDS, "a loop over the items of formulas or functions")
    return [copy(item) for item in as_list(value)._data]


def call(
    function: Function, first: Iterable[object], dots: Iterable[object] = (), named: Mapping[str, object] | None = None
) -> Item:
    """Return the value of a function for arguments matched as R does: by name, by its beginning, by place."""
    values = [*first, *dots]
    if not named:
        return function(*values)
    params = _parameters(function)
    if params is None:
        return function(*values, **{name.replace(".", "_"): item for name, item in named.items()})
    keys: dict[str, object] = {}
    for name, item in named.items():
        full = params.meant(name)
        stop_if(full is None and not params.takes_names, f"unused argument ({name})")
        keys[full or name] = item
    free = [key for key in params.by_place if key not in keys]
    if len(free) == len(params.by_place):
        return function(*values, **keys)
    if len(values) <= len(free):
        return function(**dict(zip(free, values, strict=False)), **keys)
    stop_if(not params.takes_more, "unused argument")
    row = iter(values)
    front = [keys.pop(key) if key in keys else next(row) for key in params.by_place]
    return function(*front, *row, **keys)


@dataclass
class _Parameters:
    """The parameters of a function: the names of those with a place and of others, and whether it takes any more."""

    by_place: list[str]
    by_name: list[str]
    takes_more: bool
    takes_names: bool

    def meant(self, name: str) -> str | None:
        """Return the parameter of a name, or the only one with a place that it begins."""
        word = python_word(name)
        if word in self.by_place or word in self.by_name:
            return word
        begun = [key for key in self.by_place if key.startswith(word)]
        return begun[0] if len(begun) == 1 else None


def _parameters(function: Function) -> _Parameters | None:
    """Return the parameters of a function; None if they cannot be found out."""
    try:
        kinds = {name: param.kind for name, param in signature(function).parameters.items()}
    except (TypeError, ValueError):
        return None
    return _Parameters(
        [name for name, kind in kinds.items() if kind == Parameter.POSITIONAL_OR_KEYWORD],
        [name for name, kind in kinds.items() if kind == Parameter.KEYWORD_ONLY],
        Parameter.VAR_POSITIONAL in kinds.values(),
        Parameter.VAR_KEYWORD in kinds.values(),
    )


@r_function(repeats=True, keeps=True, called=("FUN",))
def lapply(X: Value, FUN: object, *dots: object, **named: object) -> Value:
    """Return a list of the values of a function for each item."""
    function = match_fun(FUN)
    values = [as_item(call(function, [item], dots, named)) for item in items_of(X)]
    return Value("list", objects(values), kept_names(X))


def length_of(x: Item) -> int:
    """Return the number of items of a value; a function counts as one."""
    return len(x) if isinstance(x, Value) else 1


def as_item(value: object) -> Item:
    """Return the result of a function, as a value of its own."""
    return copy(as_value(value))


@r_function(repeats=True, keeps=True, called=("FUN",))
def sapply(
    X: Value, FUN: object, *dots: object, simplify: object = True, USE_NAMES: Flag = True, **named: object
) -> Value:
    """Return the values of a function for each item: a vector or a matrix where all have one length."""
    made = lapply(X, FUN, *dots, **named)
    if USE_NAMES and X._kind == "character" and "names" not in made._attributes:
        made._attributes["names"] = strings(X._data)
    return _simplified_if(made, simplify)


def _simplified_if(x: Value, simplify: object) -> Value:
    value = as_value(simplify)
    how = value._data[0] if len(value) == 1 else ""
    refuse_if(value._kind != "logical" and how != "array", 'simplify that is neither logical nor "array"')
    return x if how == 0 else simplify_list(x, higher=how == "array")


@r_function(repeats=True, called=("FUN",))
def vapply(X: Value, FUN: object, FUN_VALUE: Value, *dots: object, USE_NAMES: Flag = True, **named: object) -> Value:
    """Return the values of a function for each item, all of the kind and length of a model."""
    model = FUN_VALUE
    if model._kind not in KINDS[1:5] or dim_of(model) is not None:
        raise NotSupportedError("vapply() with a matrix or a list as FUN.VALUE")
    values = sapply(X, FUN, *dots, simplify=False, USE_NAMES=True, **named)
    for i, item in enumerate(values._data):
        _check_item(item, model, i + 1)
    parts = [coerce(bare(item), model._kind)._data for item in values._data]
    about: dict[str, Value] = {} if len(model) == 1 else {"dim": integers([len(model), len(values)])}
    if USE_NAMES and (X._kind != "character" or dim_of(X) is None or names_of(X) is not None):
        rows = model if names_of(model) is not None or not len(values) else values._data[0]
        about |= _names_of_both(names_of(rows), values._attributes.get("names"), len(model) == 1)
    return Value(model._kind, np.concatenate(parts) if parts else model._data[:0], about)


def _check_item(item: Item, model: Value, number: int) -> None:
    size = length_of(item)
    stop_if(size != len(model), f"values must be length {len(model)},\n but FUN(X[[{number}]]) result is length {size}")
    kinds = {"double": ("double", "integer", "logical"), "integer": ("integer", "logical")}
    kind = kind_of(item)
    if kind not in kinds.get(model._kind, (model._kind,)):
        other = "closure" if kind == "function" else kind
        raise RError(f"values must be type '{model._kind}',\n but FUN(X[[{number}]]) result is type '{other}'")


def _names_of_both(rows: Sequence[str | None] | None, columns: Value | None, single: bool) -> dict[str, Value]:
    if single:
        return {} if columns is None else {"names": columns}
    if rows is None and columns is None:
        return {}
    parts = [null() if rows is None else strings(rows), null() if columns is None or not len(columns) else columns]
    return {"dimnames": Value("list", objects(parts))}


def simplify_list(x: Value, higher: bool = False) -> Value:
    """Return a list as a vector or an array where its items have one length (R's ``simplify2array``)."""
    sizes = set(map(length_of, x._data))
    if len(sizes) != 1 or 0 in sizes:
        return x
    (size,) = sizes
    if size == 1:
        flat = unlist(x, recursive=False)
        return flat if len(flat) == len(x) else x
    flat = unlist(x, recursive=False, use_names=False)
    labels, first = x._attributes.get("names"), x._data[0]
    shape = dim_of(first) if isinstance(first, Value) and not is_frame(first) else None
    if higher and shape is not None and all(dim_of(item) == shape for item in x._data):
        inner, heads = first._attributes.get("dimnames"), dimnames_names(first)
        about = {"dim": integers([*shape, len(x)])}
        if inner is not None or labels is not None:
            parts = [null() for _ in shape] if inner is None else [*inner._data]
            names = None if heads is None else {"names": strings([*heads._data, ""])}
            about["dimnames"] = Value("list", objects([*parts, null() if labels is None else labels]), names)
    elif len(flat) == size * len(x):
        about = {"dim": integers([size, len(x)])} | _names_of_both(names_of(first), labels, False)
    else:
        return x
    plain = factor_labels(flat) if is_factor(flat) else flat
    return Value(plain._kind, plain._data, about)


@r_function(repeats=True, called=("FUN",), dots_in_order=True)
def mapply(
    FUN: object,
    *dots: object,
    MoreArgs: Value | None = None,
    SIMPLIFY: object = True,
    USE_NAMES: Flag = True,
    **named: object,
) -> Value:
    """Return the values of a function for the first items of vectors, the second ones, and so on."""
    function, parts = match_fun(FUN), arguments(dots, named)
    more = [] if MoreArgs is None else _pairs(MoreArgs)
    lists = [(name, items_of(value)) for name, value in parts]
    sizes = {len(items) for _, items in lists}
    n = 0 if 0 in sizes else max(sizes, default=0)
    if any(n % size for size in sizes if size):
        warn("longer argument not a multiple of length of shorter")
    values = []
    for i in range(n):
        pairs = [(name, items[i % len(items)]) for name, items in lists] + more
        keys = {name: item for name, item in pairs if name}
        values.append(as_item(call(function, [item for name, item in pairs if not name], (), keys)))
    made = Value("list", objects(values))
    first = parts[0][1] if parts else null()
    labels = names_of(first)
    if USE_NAMES and labels is not None and len(labels) > n:
        raise RError(f"'names' attribute [{len(labels)}] must be the same length as the vector [{n}]")
    if labels is None and first._kind == "character":
        labels = [*first._data] if n else []
    if USE_NAMES and labels is not None:
        made._attributes["names"] = strings([*labels, *[None] * (n - len(labels))])
    return _simplified_if(made, SIMPLIFY)


def _pairs(x: Value) -> list[tuple[str, Item]]:
    labels = names_of(x) or [""] * len(x)
    tags = ["NA" if name is None else str(name) for name in labels]
    return [(tag, copy(item)) for tag, item in zip(tags, coerce(x, "list")._data, strict=True)]


@r_function(repeats=True, keeps=True, called=("f",), dots_in_order=True)
def Map(f: object, *dots: object, **named: object) -> Value:
    """Return a list of the values of a function for the items of vectors."""
    return mapply(f, *dots, SIMPLIFY=False, **named)


# Functions of R's C code, of which R does not know the arguments.
_PRIMITIVES = frozenset(
    """invisible abs ceiling cos exp expm1 floor log log10 log1p log2 round sign signif sin sqrt tan tanh trunc attr
    attributes dim dimnames names length levels switch all any cummax cummin cumprod cumsum max min prod range sum anyNA
    as.character as.double as.integer as.logical as.numeric class is.array is.atomic is.character is.double is.finite
    is.function is.infinite is.integer is.list is.logical is.matrix is.na is.nan is.null is.numeric oldClass unclass c
    list rep seq_along seq_len""".split()
)


@r_function(keeps=True, called=("FUN",), gives="function")
def Vectorize(
    FUN: object, vectorize_args: Value | None = None, SIMPLIFY: object = True, USE_NAMES: object = True
) -> Function:
    """Return a function that is called for each item of its arguments."""
    function = match_fun(FUN)
    if vectorize_args is None and hasattr(function, "offered") and name_in_r(function.__name__) in _PRIMITIVES:
        refuse_if(isinstance(FUN, str | Value), "Vectorize() of a name, which R returns as it is; pass the function")
        return function
    params = _parameters(function)
    if params is None or params.by_name or params.takes_more or params.takes_names:
        raise NotSupportedError("Vectorize() of a function with ...")
    places = params.by_place
    wanted = places if vectorize_args is None else [str(name) for name in vectorize_args._data]

    def over_items(*args: object, **named: object) -> Item:
        given = dict(zip([key for key in places if key not in named], args, strict=False)) | named
        chosen = {key: given[key] for key in places if key in given and key in wanted}
        if not chosen:
            return function(**given)
        others = {key: item for key, item in given.items() if key not in chosen}
        more = list_of(others.values(), others)
        return mapply(function, MoreArgs=more, SIMPLIFY=SIMPLIFY, USE_NAMES=USE_NAMES, **chosen)

    return over_items


@r_function(repeats=True, keeps=True, called=("f",), hands_on=True)
def Reduce(f: object, x: object, init: object = None, right: Flag = False, accumulate: Flag = False) -> Item:
    """Return the result of putting items together by a function, two at a time."""
    function, waiting = match_fun(f), items_of(x)
    if not waiting:
        return null() if init is None else as_value(init)
    if right:
        waiting.reverse()
    if init is not None:
        waiting.insert(0, as_value(init))
    # rbind(), cbind() and data.frame() take names from the variables of R's Reduce().
    params = _parameters(function)
    names = ["init", "x[[i]]"] if params is not None and "deparsed" in params.by_name else []
    if _library("rbind") is function or _library("cbind") is function:
        names = ["init", ""]
    turn = -1 if right else 1
    more = {"deparsed": names[::turn]} if names else {}
    steps = waiting[:1]
    for item in waiting[1:]:
        steps.append(as_item(function(*[steps[-1], item][::turn], **more)))
    if not accumulate:
        return steps[-1]
    made = Value("list", objects(steps[::turn]))
    return unlist(made, recursive=False) if all(length_of(step) == 1 for step in steps) else made


@r_function(repeats=True, keeps=True, called=("f",))
def Filter(f: object, x: Value) -> Value:
    """Return the items for which a function gives TRUE."""
    wanted = coerce(unlist(lapply(x, f)), "logical")._data
    return x[integers(np.flatnonzero(wanted == 1) + 1)]


@r_function(called=("f",))
def Position(f: object, x: object, right: Flag = False, nomatch: object = None) -> Value:
    """Return the place of the first item, or the last one, for which a function gives TRUE."""
    function = match_fun(f)
    places = list(enumerate(items_of(x)))
    for i, item in reversed(places) if right else places:
        if bool(as_value(function(item))):
            return integers(i + 1)
    return integers(np.nan) if nomatch is None else as_value(nomatch)


@r_function(called=("f",), hands_on=True)
def Find(f: object, x: object, right: object = False, nomatch: object = None) -> Item:
    """Return the first item, or the last one, for which a function gives TRUE."""
    place = Position(f, x, right)
    return as_value(nomatch) if np.isnan(place._data[0]) else as_value(x)[[place]]


@r_function(keeps=True, called=("what",), hands_on=True, gives="formula")
def do_call(what: object, args: Value, quote: object = False) -> Item:
    """Return the value of a function for the items of a list as its arguments."""
    stop_if(not is_list(args), "second argument must be a list")
    pairs = _pairs(Value("list", args._data, attrs(args, "names")))
    keys = {name: item for name, item in pairs if name}
    function = match_fun(what)
    if len(keys) < sum(bool(name) for name, _ in pairs) or _mixes_names(function, [name for name, _ in pairs]):
        return as_value(function(*[Named(name, item) if name else item for name, item in pairs]))
    return as_value(call(function, [item for name, item in pairs if not name], (), keys))


def _mixes_names(function: Function, names: list[str]) -> bool:
    """Return whether R's dots get named arguments before unnamed ones."""
    params = _parameters(function)
    if params is None or not (params.takes_more and params.takes_names):
        return False
    own = [name for name in names if name and params.meant(name) is not None]
    dots = [not name for name in names if name not in own]
    mixed = dots != sorted(dots, reverse=True)
    refuse_if(mixed and (own or params.by_place), "do.call() with arguments with names before others without")
    return mixed


@r_function(later=("expr",), repeats=True)
def replicate(n: Whole, expr: Callable[[], object], simplify: object = "array") -> Value:
    """Return the values of an expression, evaluated again and again."""
    return _simplified_if(Value("list", objects(as_item(expr()) for _ in range(n))), simplify)


@r_function(keeps=True, hands_on=True, gives="function", classes="any formula")
def identity(x: Item) -> Item:
    """Return the value itself; an invisible one stays so, as in R."""
    return invisible(x) if is_invisible(x) else x


force = identity


@r_function(keeps=True, called=("f",), gives="function")
def Negate(f: object) -> Function:
    """Return a function that gives the opposite of another."""
    function = match_fun(f)

    def negate(*args: object, **named: object) -> Value:
        return ~as_value(function(*args, **named))

    return negate
