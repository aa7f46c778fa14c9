"""Tibbles, names of rows as a column, and dplyr's verbs for many columns at once."""

from __future__ import annotations

from typing import Any

from pyrrf.r.base.attributes import put_rownames
from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.base.joining import code_label
from pyrrf.r.base.vectors import list as list_
from pyrrf.r.indexing.replacement import recycled_column
from pyrrf.r.tidyverse.groups import checked, columns, combined, counted, extras, groups_of, tibble_of
from pyrrf.r.tidyverse.selection import chosen, functions_of, select
from pyrrf.r.tidyverse.verbs import mutate, summarise
from pyrrf.r.values.arguments import UNKNOWN_CODE, Mask, Named, codes, flag, named, text
from pyrrf.r.values.attributes import dim_of, inherits, is_frame, is_list, names_of, row_count, row_names, without_spec
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, is_null, objects, strings


@r_function(in_order=True, masked=("...",), dots_in_order=True)
def tibble(*dots: Any, deparsed: Any = None, **named: Any) -> Value:
    """Return a tibble; each column may use those before it."""
    labels = [code_label(part) for part in codes(deparsed, dots)] or [""] * len(dots)
    items = [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]
    found: dict[str, Any] = {}
    bare = 0
    for name, verb in items:
        label = name
        if not name:
            label, bare = labels[bare] if bare < len(labels) else "", bare + 1
            label = "" if label == UNKNOWN_CODE else label
        value = as_value(verb(Mask(_list_of(found))) if callable(verb) and not isinstance(verb, Value) else verb)
        if not label and is_frame(value):
            found |= columns(checked(value, "tibble"))
            continue
        if not label or is_frame(value) or not isinstance(value, Value) or label in found:
            raise NotMovedError("tibble() of an expression without a name")
        if not is_null(value):
            found[label] = value
    sizes = [(dim_of(column) or (len(column),))[0] for column in found.values()]
    n = max([size for size in sizes if size != 1], default=1 if sizes else 0)
    if any(size not in (1, n) for size in sizes):
        raise RError("Tibble columns must have compatible sizes.")
    wide = {
        name: column.copy() if size == n else recycled_column(column, n)
        for (name, column), size in zip(found.items(), sizes, strict=True)
    }
    return tibble_of(wide, n)


def _list_of(found: dict[str, Any]) -> Value:
    return Value("list", objects(found.values()), {"names": strings(found)})


def as_tibble(x: Any, *dots: Any, rownames: Any = None) -> Value:
    """Return a data frame, or a list, as a tibble."""
    value = as_value(x)
    if dots:
        raise NotMovedError("as_tibble() with further arguments")
    if is_list(value) and not is_frame(value) and names_of(value) is not None and "class" not in value._attributes:
        return tibble(*[named(str(name), item) for name, item in zip(names_of(value) or [], value._data, strict=True)])
    if not is_frame(value):
        raise NotMovedError("as_tibble() of a vector, a matrix or a table")
    found = dict(columns(checked(value, "as_tibble")))
    if not is_null(rownames):
        found = {text(rownames): strings(row_names(value)), **found}
    if inherits(value, "grouped_df"):
        raise NotMovedError("as_tibble() of groups")
    made = tibble_of(found, row_count(value))
    return Value("list", made._data, made._attributes | extras(without_spec(value)))


def tbl_df(data: Any) -> Value:
    """Return a table as a tibble, by dplyr's old name of `as_tibble()`."""
    return as_tibble(data)


def tribble(*dots: Any, names: Any = None) -> Value:
    """Return a tibble from values that are given row by row."""
    labels = [str(name) for name in coerced(names, "character")._data]
    p = len(labels)
    if not p or len(dots) % p:
        raise RError("Data must be rectangular.")

    found = {label: combined([as_value(item) for item in dots[j::p]]) for j, label in enumerate(labels)}
    if any(len(as_value(item)) != 1 for item in dots):
        raise NotMovedError("tribble() of vectors")
    return tibble_of(found, len(dots) // p)


def rownames_to_column(_data: Any, var: Any = "rowname") -> Value:
    """Return a table with the names of its rows as the first column."""
    data = checked(_data, "rownames_to_column")
    if text(var) in columns(data):
        raise RError(f"Column name `{text(var)}` must not be duplicated.")
    found = {text(var): strings(row_names(data)), **columns(data)}
    about = {"names": strings(found), "row.names": counted(row_count(data)), "class": data._attributes["class"]}
    if groups_of(data):
        raise NotMovedError("rownames_to_column() of groups")
    return Value("list", objects(found.values()), about)


def rowid_to_column(_data: Any, var: Any = "rowid") -> Value:
    """Return a table with the numbers of its rows as the first column."""
    data = checked(_data, "rowid_to_column")
    found = rownames_to_column(data, var)
    return Value("list", objects([counted(row_count(data)), *found._data[1:]]), found._attributes)


def column_to_rownames(_data: Any, var: Any = "rowname") -> Value:
    """Return a table with a column as the names of its rows."""
    data = checked(_data, "column_to_rownames")
    found = columns(data)
    if data._attributes["row.names"]._kind == "character" or inherits(data, "tbl_df") or text(var) not in found:
        raise NotMovedError("column_to_rownames() of a table with names, or a tibble")
    labels = found.pop(text(var))
    about = data._attributes | {"names": strings(found)}
    return put_rownames(Value("list", objects(found.values()), about), coerced(labels, "character"))


def remove_rownames(_data: Any) -> Value:
    """Return a table without names of its rows."""
    data = checked(_data, "remove_rownames")
    return Value("list", data._data, data._attributes | {"row.names": counted(row_count(data))})


# ---- many columns at once ------------------------------------------------------------------------


@r_function(masked=("...",))
def vars(*dots: Any) -> Value:
    """Return a choice of columns for the verbs that end in ``_at``."""
    return Value("list", objects(dots), {"class": strings("vars")})


def funs(*dots: Any, **named_: Any) -> Value:
    """Return functions for the verbs that end in ``_at``, ``_if`` and ``_all``."""
    return list_(*dots, **named_)


def _at(data: Value, wanted: Any) -> list[str]:
    found = as_value(wanted)
    bare = Value("list", data._data, {k: v for k, v in data._attributes.items() if k != "groups"})
    dots = tuple(found._data) if inherits(found, "vars") else (found,)
    names = [name for _, name in chosen(bare, dots)]
    return [name for name in names if name not in groups_of(data)]


def _if(data: Value, predicate: Any) -> list[str]:
    own = columns(data)
    return [name for name in own if name not in groups_of(data) and flag(match_fun(predicate)(own[name]))]


def _verbs(names: list[str], funs_: Any, dots: tuple[Any, ...], named_: dict[str, Any]) -> list[Any]:
    found = as_value(funs_)
    functions = functions_of(funs_)
    labelled = is_list(found) and names_of(found) is not None
    if is_list(found) and not labelled and len(functions) > 1:
        raise NotMovedError("functions without names for several columns")
    out = []
    for label, function in functions:
        for name in names:
            new = name if not labelled else label if len(names) == 1 else f"{name}_{label}"

            def verb(m: Mask, name: str = name, function: Any = function) -> Any:
                return call(function, [m[name]], dots, named_)

            out.append(named(new, verb))
    return out


@r_function(called=("_funs",), tilde=True)
def mutate_at(_tbl: Any, _vars: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with functions of some columns."""
    data = checked(_tbl, "mutate_at")
    return _mutated(data, _at(data, _vars), _funs, dots, named)


@r_function(called=("_predicate", "_funs"), tilde=True)
def mutate_if(_tbl: Any, _predicate: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with functions of the columns for which a condition holds."""
    data = checked(_tbl, "mutate_if")
    names = _if(data, _predicate) if callable(_predicate) else _by_flags(data, _predicate)
    return _mutated(data, names, _funs, dots, named)


@r_function(called=("_funs",), tilde=True)
def mutate_all(_tbl: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with functions of all columns."""
    data = checked(_tbl, "mutate_all")
    return _mutated(data, [name for name in columns(data) if name not in groups_of(data)], _funs, dots, named)


def _by_flags(data: Value, flags: Any) -> list[str]:
    found = coerced(flags, "logical")._data
    if len(found) != len(data) or groups_of(data):
        raise NotMovedError("columns by flags of another length, or with groups")
    return [name for name, wanted in zip(columns(data), found, strict=True) if wanted == 1]


def _mutated(data: Value, names: list[str], funs_: Any, dots: tuple[Any, ...], named_: dict[str, Any]) -> Value:
    return mutate(data, *_verbs(names, funs_, dots, named_))


@r_function(called=("_funs",), tilde=True)
def summarise_at(_tbl: Any, _vars: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return functions of some columns, a row for each group."""
    data = checked(_tbl, "summarise_at")
    return _summed(data, _at(data, _vars), _funs, dots, named)


@r_function(called=("_predicate", "_funs"), tilde=True)
def summarise_if(_tbl: Any, _predicate: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return functions of the columns for which a condition holds, a row for each group."""
    data = checked(_tbl, "summarise_if")
    return _summed(data, _if(data, _predicate), _funs, dots, named)


@r_function(called=("_funs",), tilde=True)
def summarise_all(_tbl: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return functions of all columns, a row for each group."""
    data = checked(_tbl, "summarise_all")
    return _summed(data, [name for name in columns(data) if name not in groups_of(data)], _funs, dots, named)


def _summed(data: Value, names: list[str], funs_: Any, dots: tuple[Any, ...], named_: dict[str, Any]) -> Value:
    verbs = _verbs(names, funs_, dots, named_)
    bare = columns(data)

    def safe(item: Any) -> Any:
        # A column is not changed for the functions behind it.
        return named(item.name, item.value)

    if len({item.name for item in verbs}) != len(verbs) or any(n not in bare for n in names):
        raise NotMovedError("columns of equal names")
    return summarise(data, *[safe(item) for item in verbs])


summarize_at, summarize_if, summarize_all = summarise_at, summarise_if, summarise_all


@r_function(called=("_predicate",), tilde=True)
def select_if(_tbl: Any, _predicate: Any) -> Value:
    """Return the columns for which a condition holds."""
    data = checked(_tbl, "select_if")
    names = _if(data, _predicate) if callable(_predicate) else _by_flags(data, _predicate)
    if groups_of(data):
        raise NotMovedError("select_if() of groups")
    return select(data, strings(names))
