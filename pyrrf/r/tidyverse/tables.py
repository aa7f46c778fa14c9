"""Tibbles, names of rows as a column, and dplyr's verbs for many columns at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pyrrf.r.base.attributes import put_rownames
from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.base.joining import code_label
from pyrrf.r.base.vectors import list as list_
from pyrrf.r.indexing.replacement import recycled_column
from pyrrf.r.tidyverse.groups import (
    checked,
    columns,
    combined,
    counted,
    evaluated,
    extras,
    groups_of,
    named_items,
    of_columns,
    table_verb,
    tibble_of,
)
from pyrrf.r.tidyverse.selection import chosen, functions_of, select
from pyrrf.r.tidyverse.verbs import mutate, summarise
from pyrrf.r.values.arguments import UNKNOWN_CODE, Mask, Named, codes, flag, named
from pyrrf.r.values.attributes import (
    dim_of,
    inherits,
    is_frame,
    is_list,
    kept,
    names_of,
    row_count,
    row_names,
    without_spec,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Text, r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, is_null, kind_of, objects, strings


@r_function(in_order=True)
def tibble(*dots: object, deparsed: Iterable[str] | None = None, **named: object) -> Value:
    """Return a tibble; each column may use those before it."""
    labels = iter([code_label(part) for part in codes(deparsed, dots)])
    found: dict[str, Value] = {}
    for name, verb in named_items(dots, named):
        label = name or next(labels, "")
        label = "" if label == UNKNOWN_CODE else label
        value = evaluated(verb, Mask(of_columns(found, {})))
        if not label and is_frame(value):
            found |= columns(checked(value, "tibble"))
            continue
        if not label or is_frame(value) or not isinstance(value, Value) or label in found:
            raise NotMovedError("tibble() of an expression without a name")
        if not is_null(value):
            found[label] = value
    sizes = {name: (dim_of(column) or (len(column),))[0] for name, column in found.items()}
    n = max([size for size in sizes.values() if size != 1], default=1 if sizes else 0)
    if any(size not in (1, n) for size in sizes.values()):
        raise RError("Tibble columns must have compatible sizes.")
    wide = {name: column.copy() if sizes[name] == n else recycled_column(column, n) for name, column in found.items()}
    return tibble_of(wide, n)


@r_function(unsupported="dots")
def as_tibble(x: Value, *dots: object, rownames: Text | None = None) -> Value:
    """Return a data frame, or a list, as a tibble."""
    if is_list(x) and not is_frame(x) and names_of(x) is not None and "class" not in x._attributes:
        return tibble(*[named(str(name), item) for name, item in zip(names_of(x) or [], x._data, strict=True)])
    if not is_frame(x) or inherits(x, "grouped_df"):
        raise NotMovedError("as_tibble() of a vector, a matrix, a table or groups")
    found = columns(checked(x, "as_tibble", plain=True))
    if rownames is not None:
        found = {rownames: strings(row_names(x)), **found}
    return of_columns(found, tibble_of({}, row_count(x))._attributes | extras(without_spec(x)))


def tbl_df(data: object) -> Value:
    """Return a table as a tibble, by dplyr's old name of `as_tibble()`."""
    return as_tibble(data)


@r_function()
def tribble(*dots: Value, names: object = None) -> Value:
    """Return a tibble from values that are given row by row."""
    labels = [str(name) for name in coerced(names, "character")._data]
    p = len(labels)
    if not p or len(dots) % p:
        raise RError("Data must be rectangular.")
    found = {label: combined(dots[j::p]) for j, label in enumerate(labels)}
    if any(len(item) != 1 for item in dots):
        raise NotMovedError("tribble() of vectors")
    return tibble_of(found, len(dots) // p)


# ---- names of rows -------------------------------------------------------------------------------


def _with_first(data: Value, name: str, column: Value) -> Value:
    """Return a table with one more column before the others, its rows counted."""
    if name in columns(data):
        raise RError(f"Column name `{name}` must not be duplicated.")
    if groups_of(data):
        raise NotMovedError("names of rows as a column of groups")
    return of_columns({name: column, **columns(data)}, kept(data, "class") | {"row.names": counted(row_count(data))})


@table_verb()
def rownames_to_column(_data: Value, var: Text = "rowname") -> Value:
    """Return a table with the names of its rows as the first column."""
    return _with_first(_data, var, strings(row_names(_data)))


@table_verb()
def rowid_to_column(_data: Value, var: Text = "rowid") -> Value:
    """Return a table with the numbers of its rows as the first column."""
    return _with_first(_data, var, counted(row_count(_data)))


@table_verb()
def column_to_rownames(_data: Value, var: Text = "rowname") -> Value:
    """Return a table with a column as the names of its rows."""
    found = columns(_data)
    if _data._attributes["row.names"]._kind == "character" or inherits(_data, "tbl_df") or var not in found:
        raise NotMovedError("column_to_rownames() of a table with names, or a tibble")
    labels = coerced(found.pop(var), "character")
    return put_rownames(of_columns(found, _data._attributes), labels)


@table_verb()
def remove_rownames(_data: Value) -> Value:
    """Return a table without names of its rows."""
    return of_columns(columns(_data), _data._attributes | {"row.names": counted(row_count(_data))})


# ---- many columns at once ------------------------------------------------------------------------


def vars(*dots: object) -> Value:
    """Return a choice of columns for the verbs that end in ``_at``."""
    return Value("list", objects(dots), {"class": strings("vars")})


def funs(*dots: object, **named_: object) -> Value:
    """Return functions for the verbs that end in ``_at``, ``_if`` and ``_all``."""
    return list_(*dots, **named_)


def _all(data: Value) -> list[str]:
    """Return the columns that make no groups."""
    return [name for name in columns(data) if name not in groups_of(data)]


def _at(data: Value, wanted: object) -> list[str]:
    dots = wanted._data if isinstance(wanted, Value) and inherits(wanted, "vars") else (wanted,)
    return [name for _, name in chosen(data, dots) if name not in groups_of(data)]


def _if(data: Value, predicate: object) -> list[str]:
    """Return the columns for which a function is true, or flags say so."""
    own = columns(data)
    if kind_of(as_value(predicate)) != "logical":
        return [name for name in _all(data) if flag(match_fun(predicate)(own[name]))]
    flags = as_value(predicate)._data
    if len(flags) != len(data) or groups_of(data):
        raise NotMovedError("columns by flags of another length, or with groups")
    return [name for name, wanted in zip(own, flags, strict=True) if wanted == 1]


def _verbs(names: Sequence[str], funs_: object, dots: Sequence[object], named_: Mapping[str, object]) -> list[Named]:
    """Return what gives new columns: each of some functions for each of some columns."""
    found = as_value(funs_)
    functions = functions_of(found)
    labelled = is_list(found) and names_of(found) is not None
    if not labelled and len(functions) > 1:
        raise NotMovedError("functions without names for several columns")

    def verb(function: Callable[..., object], name: str) -> Callable[[Mask], object]:
        return lambda m: call(function, [m[name]], dots, named_)

    made = []
    for label, function in functions:
        for name in names:
            new = name if not labelled else label if len(names) == 1 else f"{name}_{label}"
            made.append(named(new, verb(function, name)))
    if len({item.name for item in made}) != len(made):
        raise NotMovedError("columns of equal names")
    return made


@table_verb(plain=True)
def mutate_at(_tbl: Value, _vars: object, _funs: object, *dots: object, **named: object) -> Value:
    """Return a table with functions of some columns."""
    return mutate(_tbl, *_verbs(_at(_tbl, _vars), _funs, dots, named))


@table_verb(plain=True)
def mutate_if(_tbl: Value, _predicate: object, _funs: object, *dots: object, **named: object) -> Value:
    """Return a table with functions of the columns for which a condition holds."""
    return mutate(_tbl, *_verbs(_if(_tbl, _predicate), _funs, dots, named))


@table_verb(plain=True)
def mutate_all(_tbl: Value, _funs: object, *dots: object, **named: object) -> Value:
    """Return a table with functions of all columns."""
    return mutate(_tbl, *_verbs(_all(_tbl), _funs, dots, named))


@table_verb(plain=True)
def summarise_at(_tbl: Value, _vars: object, _funs: object, *dots: object, **named: object) -> Value:
    """Return functions of some columns, a row for each group."""
    return summarise(_tbl, *_verbs(_at(_tbl, _vars), _funs, dots, named))


@table_verb(plain=True)
def summarise_if(_tbl: Value, _predicate: object, _funs: object, *dots: object, **named: object) -> Value:
    """Return functions of the columns for which a condition holds, a row for each group."""
    return summarise(_tbl, *_verbs(_if(_tbl, _predicate), _funs, dots, named))


@table_verb(plain=True)
def summarise_all(_tbl: Value, _funs: object, *dots: object, **named: object) -> Value:
    """Return functions of all columns, a row for each group."""
    return summarise(_tbl, *_verbs(_all(_tbl), _funs, dots, named))


summarize_at, summarize_if, summarize_all = summarise_at, summarise_if, summarise_all


@table_verb(plain=True)
def select_if(_tbl: Value, _predicate: object) -> Value:
    """Return the columns for which a condition holds."""
    if groups_of(_tbl):
        raise NotMovedError("select_if() of groups")
    return select(_tbl, strings(_if(_tbl, _predicate)))
