"""tidyr: tables made longer and wider, cells split and joined, gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.texts import paste, sub
from pyrrf.r.files.cells import type_convert
from pyrrf.r.indexing.subscripts import of_rows
from pyrrf.r.tidyverse.groups import (
    checked,
    columns,
    combined,
    extras,
    groups_of,
    keys_of,
    made,
    ranks,
    row_groups,
    rows_at,
    same_rows,
    tibble_of,
)
from pyrrf.r.tidyverse.selection import chosen
from pyrrf.r.values.arguments import arguments, default_only, flag, text
from pyrrf.r.values.attributes import factor_labels, is_factor, is_frame, is_list, is_missing, names_of, row_count
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, is_null, strings
from pyrrf.rbase import patterns


def _ungrouped(data: Any, verb: str) -> Value:
    found = checked(data, verb)
    if groups_of(found) or extras(found):
        raise NotMovedError(f"{verb}() of groups, or of a table with further attributes")
    return found


def _like(found: dict[str, Any], n: int, data: Value) -> Value:
    return made(found, n, data)


def _names_at(data: Value, dots: tuple[Any, ...], verb: str) -> list[str]:
    names = list(columns(data))
    picked = chosen(data, dots)
    if any(names[j] != name for j, name in picked):
        raise NotMovedError(f"{verb}() with new names")
    return [name for _, name in picked]


# ---- longer --------------------------------------------------------------------------------------


@r_function(masked=("cols",))
def pivot_longer(
    data: Any,
    cols: Any,
    *dots: Any,
    names_to: Any = "name",
    names_prefix: Any = None,
    values_to: Any = "value",
    values_drop_na: Any = False,
) -> Value:
    """Return a table with one row for each of some columns."""
    table = _ungrouped(data, "pivot_longer")
    names = _names_at(table, (cols,), "pivot_longer")
    own, n = columns(table), row_count(table)
    labels = names
    if names_prefix is not None:
        labels = [str(label) for label in sub(f"^{text(names_prefix)}", "", strings(names))._data]
    if not names or dots or len(as_value(names_to)) != 1:
        raise NotMovedError("pivot_longer() of no columns, or into several")
    below = combined([own[name] for name in names])
    order = np.arange(n * len(names)).reshape(len(names), n).ravel(order="F")
    found = {name: of_rows(column, np.repeat(np.arange(n), len(names))) for name, column in own.items()}
    found = {name: column for name, column in found.items() if name not in names}
    if text(names_to) in found or text(values_to) in found:
        raise NotMovedError("pivot_longer() into columns that there are")
    found[text(names_to)] = strings(labels * n)
    found[text(values_to)] = of_rows(below, order)
    made_ = tibble_of(found, n * len(names))
    if flag(values_drop_na):
        return rows_at(made_, np.flatnonzero(~is_missing(found[text(values_to)])))
    return made_


@r_function(masked=("...",), symbols=("key", "value"))
def gather(
    data: Any,
    key: Any = "key",
    value: Any = "value",
    *dots: Any,
    na_rm: Any = False,
    convert: Any = False,
    factor_key: Any = False,
) -> Value:
    """Return a table with one row for each of some columns."""
    table = _ungrouped(data, "gather")
    own, n = columns(table), row_count(table)
    names = _names_at(table, dots, "gather") if dots else list(own)
    if not names or flag(convert) or flag(factor_key):
        raise NotMovedError("gather() of no columns, with convert or factor_key")
    parts = [own[name] for name in names]
    kinds = {part._kind for part in parts}
    if any(part._attributes for part in parts) or (len(kinds) > 1 and "list" in kinds):
        raise NotMovedError("gather() of factors, or of columns with a class")
    kind = max(kinds, key=["logical", "integer", "double", "character"].index)
    at = np.tile(np.arange(n), len(names))
    found = {name: of_rows(column, at) for name, column in own.items() if name not in names}
    found[text(key)] = strings([name for name in names for _ in range(n)])
    found[text(value)] = Value(kind, np.concatenate([coerced(part, kind)._data for part in parts]))
    table_ = _like(found, n * len(names), table)
    return rows_at(table_, np.flatnonzero(~is_missing(found[text(value)]))) if flag(na_rm) else table_


# ---- wider ---------------------------------------------------------------------------------------


@r_function(masked=("id_cols", "names_from", "values_from"))
def pivot_wider(
    data: Any,
    *dots: Any,
    id_cols: Any = None,
    names_from: Any = None,
    names_prefix: Any = "",
    names_sep: Any = "_",
    values_from: Any = None,
    values_fill: Any = None,
) -> Value:
    """Return a table with a column for each value of a column."""
    table = _ungrouped(data, "pivot_wider")
    own = columns(table)
    if dots or names_from is None or values_from is None:
        raise NotMovedError("pivot_wider() without names_from or values_from")
    heads = _names_at(table, (names_from,), "pivot_wider")
    values = _names_at(table, (values_from,), "pivot_wider")
    rest = [name for name in own if name not in (*heads, *values)]
    ids = rest if id_cols is None else _names_at(table, (id_cols,), "pivot_wider")
    labels = _pasted([own[name] for name in heads], text(names_sep))
    columns_ = list(dict.fromkeys(labels))
    keys = keys_of([own[name] for name in ids]) if ids else [()] * row_count(table)
    rows = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    first = np.array([keys.index(key) for key in rows], dtype=np.int64)
    found = {name: of_rows(own[name], first) for name in ids}
    cells = [(rows[key], columns_.index(label)) for key, label in zip(keys, labels, strict=True)]
    if len(set(cells)) != len(cells):
        raise NotMovedError("pivot_wider() with several values for a cell")
    for value in values:
        for j, label in enumerate(columns_):
            prefix = f"{value}{text(names_sep)}" if len(values) > 1 else ""
            name = f"{text(names_prefix)}{label}" if not prefix else f"{text(names_prefix)}{prefix}{label}"
            found[name] = _cells(
                own[value], [(i, at) for at, (i, k) in enumerate(cells) if k == j], len(rows), values_fill
            )
    return tibble_of(found, len(rows))


def _pasted(parts: list[Value], sep: str) -> list[str]:
    if any(part._kind not in ("character", "integer", "double", "logical") for part in parts):
        raise NotMovedError("names of columns from a list")
    return [str(label) for label in paste(*parts, sep=sep)._data]


def _cells(column: Value, places: list[tuple[int, int]], n: int, fill: Any) -> Value:
    at = np.full(n, -1, dtype=np.int64)
    for row, place in places:
        at[row] = place
    found: Value = of_rows(column, at)
    if is_null(fill) or (at >= 0).all():
        return found
    filler = as_value(fill)
    if is_list(filler) or found._attributes or len(filler) != 1:
        raise NotMovedError("values_fill of a list, or for columns with a class")
    if filler._kind != found._kind and {filler._kind, found._kind} != {"integer", "double"}:
        raise RError("Can't convert the filler to the type of the column.")
    data = found._data.copy()
    data[at < 0] = coerced(filler, found._kind)._data[0]
    return Value(found._kind, data)


@r_function(masked=("key", "value"))
def spread(
    data: Any, key: Any, value: Any, fill: Any = None, convert: Any = False, drop: Any = True, sep: Any = None
) -> Value:
    """Return a table with a column for each value of a column, rows and columns in order."""
    table = _ungrouped(data, "spread")
    own = columns(table)
    if (
        (fill is not None and not bool(is_missing(as_value(fill)).all()))
        or flag(convert)
        or not flag(drop)
        or sep is not None
    ):
        raise NotMovedError("spread() with fill, convert, drop or sep")
    (head,), (held,) = _names_at(table, (key,), "spread"), _names_at(table, (value,), "spread")
    ids = [name for name in own if name not in (head, held)]
    groups, first = row_groups(table, ids)
    heads, at_head = row_groups(table, [head])
    if any(v != v for v in ranks(own[head])):
        raise NotMovedError("spread() of missing names")
    column_of = {int(at): j for j, rows in enumerate(heads) for at in rows}
    row_of = {int(at): i for i, rows in enumerate(groups) for at in rows}
    cells = [(row_of[at], column_of[at]) for at in range(row_count(table))]
    if len(set(cells)) != len(cells):
        raise RError("Each row of output must be identified by a unique combination of keys.")
    labels = _pasted([of_rows(own[head], np.array(at_head))], "")
    if is_factor(own[held]):
        raise NotMovedError("spread() of a factor")
    found = {name: of_rows(own[name], np.array(first)) for name in ids}
    for j, label in enumerate(labels):
        found[label] = _cells(own[held], [(i, at) for at, (i, k) in enumerate(cells) if k == j], len(groups), None)
    return _like(found, len(groups), table)


# ---- cells ---------------------------------------------------------------------------------------


@r_function(masked=("col",))
@default_only("dots")
def separate(
    data: Any,
    col: Any,
    into: Any,
    sep: Any = "[^[:alnum:]]+",
    remove: Any = True,
    convert: Any = False,
    extra: Any = "warn",
    fill: Any = "warn",
    *dots: Any,
) -> Value:
    """Return a table with a column of strings split into several."""
    table = _ungrouped(data, "separate")
    (name,) = _names_at(table, (col,), "separate")
    own = columns(table)
    labels = list(coerced(into, "character")._data)
    ways = (text(extra), text(fill))
    if (
        as_value(sep)._kind != "character"
        or None in labels
        or ways[0] not in ("warn", "drop")
        or ways[1] not in ("warn", "right")
    ):
        raise NotMovedError("separate() with places, left out columns, or other ways of filling")
    source = own[name]
    texts = (factor_labels(source) if is_factor(source) else coerced(source, "character"))._data
    split = []
    for item in texts:
        whole = (
            None
            if item is None
            else list(
                np.asarray(
                    patterns.strsplit(np.array([item + "\x01"], dtype=object), text(sep), perl=True)[0], dtype=object
                )
            )
        )
        if whole is not None:
            whole[-1] = whole[-1].removesuffix("\x01")
        split.append([None] * len(labels) if whole is None else whole)
    if any(len(part) > len(labels) for part in split) and ways[0] == "warn":
        warn("Expected fewer pieces. Additional pieces discarded.")
    wide = [(part + [None] * len(labels))[: len(labels)] for part in split]
    new = {str(label): strings([row[j] for row in wide]) for j, label in enumerate(labels)}
    if flag(convert):
        new = {label: type_convert(column, as_is=True) for label, column in new.items()}
    found: dict[str, Any] = {}
    for old, column in own.items():
        if old != name or not flag(remove):
            found[old] = column
        if old == name:
            found |= new
    return same_rows(found, table)


@r_function(masked=("...",), symbols=("col",))
def unite(data: Any, col: Any, *dots: Any, sep: Any = "_", remove: Any = True, na_rm: Any = False) -> Value:
    """Return a table with some columns joined to one of strings."""
    table = _ungrouped(data, "unite")
    own = columns(table)
    names = _names_at(table, dots, "unite") if dots else list(own)
    if flag(na_rm):
        raise NotMovedError("unite() without missing values")
    joint = strings(_pasted([own[name] for name in names], text(sep)))
    found: dict[str, Any] = {}
    first = next(name for name in own if name in names)
    for name, column in own.items():
        if name == first:
            found[text(col)] = joint
        if name not in names or not flag(remove):
            found[name] = column
    return same_rows(found, table)


@r_function(masked=("...",))
def drop_na(data: Any, *dots: Any) -> Value:
    """Return the rows without missing values in some columns."""
    table = checked(data, "drop_na")
    own = columns(table)
    names = _names_at(table, dots, "drop_na") if dots else list(own)
    held = np.ones(row_count(table), dtype=bool)
    for name in names:
        if len(own[name]) != len(held):
            raise NotMovedError("drop_na() of matrices")
        held &= ~is_missing(own[name])
    return rows_at(table, np.flatnonzero(held))


def replace_na(data: Any, replace: Any = None) -> Value:
    """Return a vector, or the columns of a table, with values in the place of missing ones."""
    value, new = as_value(data), as_value(replace)
    if not is_frame(value):
        return _without_gaps(value, new)
    table = checked(value, "replace_na")
    own = columns(table)
    for name, item in zip(names_of(new) or [], new._data, strict=True):
        if name in own:
            own[str(name)] = _without_gaps(own[str(name)], item)
    return same_rows(own, table)


def _without_gaps(x: Value, new: Value) -> Value:
    where = is_missing(x)
    if len(new) != 1:
        raise RError(f"Replacement for `data` must be length 1, not length {len(new)}.")
    if not where.any():
        return x.copy()
    if is_factor(x) or x._attributes.keys() - {"names"} or new._attributes:
        raise NotMovedError("replace_na() of a factor, or of a class")
    data = x._data.copy()
    if x._kind == "integer" and new._kind == "double" and new._data[0] == np.trunc(new._data[0]):
        data[where] = new._data[0]
        return Value(x._kind, data, x._attributes)
    if new._kind != x._kind and not (x._kind == "double" and new._kind in ("integer", "logical")):
        raise NotMovedError("replace_na() by a value of another kind")
    data[where] = coerced(new, x._kind)._data[0]
    return Value(x._kind, data, x._attributes)


@r_function(masked=("...",))
def fill(data: Any, *dots: Any, _direction: Any = "down") -> Value:
    """Return a table with missing values filled from the rows above or below."""
    table = checked(data, "fill")
    own = columns(table)
    ways = {"down": (1,), "up": (-1,), "downup": (1, -1), "updown": (-1, 1)}[
        str(coerced(_direction, "character")._data[0])
    ]
    groups = row_groups(table, groups_of(table))[0]
    for name in _names_at(table, dots, "fill"):
        at = np.arange(row_count(table))
        gap = is_missing(own[name])
        for way in ways:
            for rows in groups:
                for before, here in zip(rows[::way], rows[::way][1:], strict=False):
                    if gap[here] and not gap[before]:
                        at[here], gap[here] = at[before], False
        own[name] = of_rows(own[name], at)
    return same_rows(own, table)


# ---- tables made ---------------------------------------------------------------------------------


def tidyr_expand_grid(*dots: Any, **named: Any) -> Value:
    """Return a table of all combinations, the first one slowest."""
    parts = arguments(dots, named)
    if any(not name or is_frame(item) for name, item in parts):
        raise NotMovedError("expand_grid() of tables, or without names")
    sizes = [len(item) for _, item in parts]
    total = int(np.prod(sizes))
    grid = np.unravel_index(np.arange(total), sizes) if total else [np.zeros(0, dtype=np.int64)] * len(sizes)
    return tibble_of({name: of_rows(item, np.asarray(at)) for (name, item), at in zip(parts, grid, strict=True)}, total)
