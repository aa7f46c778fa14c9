"""tidyr: longer and wider tables, split and united cells, missing values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.texts import paste, sub
from pyrrf.r.base.types import as_character
from pyrrf.r.files.cells import type_convert
from pyrrf.r.tidyverse.groups import (
    check_column,
    columns,
    combine_vectors,
    groups_of,
    keys_of,
    rebuild_table,
    require_table,
    row_groups,
    rows_at,
    rows_by_key,
    rows_of_columns,
    same_rows,
    slice_column,
    table_verb,
    tibble_of,
)
from pyrrf.r.tidyverse.selection import choose_names
from pyrrf.r.values.arguments import arguments, text
from pyrrf.r.values.coercion import coerce, wider
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import inherits, is_factor, is_frame, is_list, is_missing
from pyrrf.r.values.labels import names_of, row_count
from pyrrf.r.values.vector import NUMBERS, Value, as_value, objects, strings
from pyrrf.rbase import patterns

Rows = Sequence[int] | np.ndarray


# ---- longer --------------------------------------------------------------------------------------


@table_verb(grouped=False, plain=True, unsupported="dots", masked=("cols",))
@r_function()
def pivot_longer(
    data: Value, cols: object, *dots: object, names_to: Item = "name", names_prefix: Text | None = None,
    values_to: Text = "value", values_drop_na: Flag = False,
) -> Value:  # fmt: skip
    """Return a table with one row for each of some columns."""
    names = choose_names(data, (cols,), "pivot_longer")
    own, n = columns(data), row_count(data)
    labels = strings(names) if names_prefix is None else sub(f"^{names_prefix}", "", strings(names))
    refuse_if(not names or len(as_value(names_to)) != 1, "pivot_longer() of no columns, or into several")
    below = combine_vectors([own[name] for name in names])
    by_name = rows_of_columns(data, np.repeat(np.arange(n), len(names)), [name for name in own if name not in names])
    refuse_if(text(names_to) in by_name or values_to in by_name, "pivot_longer() into columns that there are")
    by_name[text(names_to)] = strings([*labels._data] * n)
    by_name[values_to] = slice_column(below, np.arange(n * len(names)).reshape(len(names), n).ravel(order="F"))
    long = tibble_of(by_name, n * len(names))
    return drop_na(long, values_to) if values_drop_na else long


@table_verb(grouped=False, plain=True, unsupported="convert factor_key", masked=("...",))
@r_function()
def gather(
    data: Value, key: Text = "key", value: Text = "value", *dots: object, na_rm: Flag = False, convert: Flag = False,
    factor_key: Flag = False,
) -> Value:  # fmt: skip
    """Return a table with one row for each of some columns."""
    own, n = columns(data), row_count(data)
    names = choose_names(data, dots, "gather") if dots else list(own)
    parts = [own[name] for name in names]
    if not parts or any(column._attributes or column._kind == "list" for column in parts):
        raise NotSupportedError("gather() of no columns, of lists, factors, or columns with a class")
    kind = wider(*(column._kind for column in parts))
    by_name = rows_of_columns(data, np.tile(np.arange(n), len(names)), [name for name in own if name not in names])
    by_name[key] = strings([name for name in names for _ in range(n)])
    by_name[value] = Value(kind, np.concatenate([coerce(column, kind)._data for column in parts]))
    long = rebuild_table(by_name, n * len(names), data)
    return drop_na(long, value) if na_rm else long


# ---- wider ---------------------------------------------------------------------------------------


@table_verb(grouped=False, unsupported="dots", masked=("id_cols", "names_from", "values_from"))
@r_function()
def pivot_wider(
    data: Value, *dots: object, id_cols: object = None, names_from: object = None, names_prefix: Text = "",
    names_sep: Text = "_", values_from: object = None, values_fill: Value | None = None,
) -> Value:  # fmt: skip
    """Return a table with a column for each value of a column."""
    refuse_if(names_from is None or values_from is None, "pivot_wider() without names_from or values_from")
    heads, values = (choose_names(data, (verb,), "pivot_wider") for verb in (names_from, values_from))
    own, n = columns(data), row_count(data)
    rest = [name for name in own if name not in (*heads, *values)]
    ids = rest if id_cols is None else choose_names(data, (id_cols,), "pivot_wider")
    labels = _paste_columns([own[name] for name in heads], names_sep)
    rows, columns_by_label = rows_by_key(keys_of([own[name] for name in ids]) if ids else [()] * n), rows_by_key(labels)
    cells = _cells([*rows.values()], [*columns_by_label.values()], n)
    cells = refuse_none(cells, "pivot_wider() with several values for a cell")
    by_name = rows_of_columns(data, np.array([places[0] for places in rows.values()], dtype=np.int64), ids)
    for value in values:
        prefix = f"{names_prefix}{value}{names_sep}" if len(values) > 1 else names_prefix
        for label, places in zip(columns_by_label, cells.T, strict=True):
            by_name[f"{prefix}{label}"] = _fill_cells(own[value], places, values_fill)
    return tibble_of(by_name, len(rows))


def _paste_columns(parts: Sequence[Value], sep: str) -> list[str]:
    refuse_if(any(column._kind not in (*NUMBERS, "character") for column in parts), "names of columns from a list")
    return [str(label) for label in paste(*parts, sep=sep)._data]


def _cells(rows: Sequence[Rows], heads: Sequence[Rows], n: int) -> np.ndarray | None:
    """Return the row for each cell of a wider table, -1 for none; None if several rows share a cell."""
    place = np.empty((2, n), dtype=np.int64)
    for axis, groups in enumerate((rows, heads)):
        for number, group in enumerate(groups):
            place[axis, group] = number
    cells = np.full((len(rows), len(heads)), -1, dtype=np.int64)
    cells[tuple(place)] = np.arange(n)
    return cells if np.count_nonzero(cells >= 0) == n else None


def _fill_cells(column: Value, places: np.ndarray, fill: Value | None) -> Value:
    """Return the items of a column at some rows; `fill` for rows of -1."""
    items = slice_column(column, places)
    if fill is None or (places >= 0).all():
        return items
    refuse_if(is_list(fill) or items._attributes or len(fill) != 1, "values_fill of a list or a class")
    if fill._kind != items._kind and {fill._kind, items._kind} != {"integer", "double"}:
        raise RError("Can't convert the filler to the type of the column.")
    data = items._data.copy()
    data[places < 0] = coerce(fill, items._kind)._data[0]
    return Value(items._kind, data)


@table_verb(grouped=False, unsupported="convert drop sep", masked=("key", "value"))
@r_function()
def spread(
    data: Value, key: object, value: object, fill: Value | None = None, convert: Flag = False, drop: Flag = True,
    sep: object = None,
) -> Value:  # fmt: skip
    """Return a table with a column for each value of a column, rows and columns in order."""
    refuse_if(fill is not None and not is_missing(fill).all(), "spread() with fill")
    (head,), (held,) = choose_names(data, (key,), "spread"), choose_names(data, (value,), "spread")
    own = columns(data)
    ids = [name for name in own if name not in (head, held)]
    (groups, first), (heads, at_head) = row_groups(data, ids), row_groups(data, [head])
    refuse_if(is_missing(own[head]).any(), "spread() of missing names")
    cells = _cells(groups, heads, row_count(data))
    cells = stop_none(cells, "Each row of output must be identified by a unique combination of keys.")
    refuse_if(is_factor(own[held]), "spread() of a factor")
    by_name = rows_of_columns(data, first, ids)
    for label, places in zip(_paste_columns([slice_column(own[head], at_head)], ""), cells.T, strict=True):
        by_name[label] = slice_column(own[held], places)
    return rebuild_table(by_name, len(groups), data)


# ---- cells ---------------------------------------------------------------------------------------


@table_verb(grouped=False, plain=True, unsupported="dots", masked=("col",))
@r_function()
def separate(
    data: Value, col: object, into: Value, sep: Item = "[^[:alnum:]]+", remove: Flag = True, convert: Flag = False,
    extra: Text = "warn", fill: Text = "warn", *dots: object,
) -> Value:  # fmt: skip
    """Return a table with a column of strings split into several."""
    (name,) = choose_names(data, (col,), "separate")
    own, labels = columns(data), coerce(into, "character")._data
    known = extra in ("warn", "drop") and fill in ("warn", "right") and None not in labels
    refuse_if(not known or as_value(sep)._kind != "character", "separate() with places, or other filling")
    source = own[name]
    refuse_if(inherits(source, "POSIXct"), "separate() of times")
    texts = as_character(source)._data
    split = [[] if item is None else _pieces(item, text(sep)) for item in texts]
    if any(len(pieces) > len(labels) for pieces in split) and extra == "warn":
        warn("Expected fewer pieces. Additional pieces discarded.")
    new = {}
    for j, label in enumerate(labels):
        column = strings([pieces[j] if j < len(pieces) else None for pieces in split])
        new[str(label)] = type_convert(column, as_is=True) if convert else column
    items, place = [*own.items()], [*own].index(name)
    return same_rows(dict([*items[: place if remove else place + 1], *new.items(), *items[place + 1 :]]), data)


def _pieces(item: str, sep: str) -> list[str]:
    """Split a string; an empty text behind the last match is a piece, too."""
    pieces = list(patterns.strsplit(objects([item + "\x01"]), sep, perl=True)[0])
    return [*pieces[:-1], pieces[-1].removesuffix("\x01")]


@table_verb(grouped=False, plain=True, unsupported="na_rm", masked=("...",))
@r_function()
def unite(data: Value, col: Text, *dots: object, sep: Text = "_", remove: Flag = True, na_rm: Flag = False) -> Value:
    """Return a table with some columns joined to one of strings."""
    own = columns(data)
    names = choose_names(data, dots, "unite") if dots else list(own)
    joint = strings(_paste_columns([own[name] for name in names], sep))
    left = [(name, column) for name, column in own.items() if name not in names or not remove]
    place = min(map([*own].index, names))
    return same_rows(dict([*left[:place], (col, joint), *left[place:]]), data)


@table_verb(plain=True, masked=("...",))
@r_function()
def drop_na(data: Value, *dots: object) -> Value:
    """Return the rows without missing values in some columns."""
    own = columns(data)
    held = np.ones(row_count(data), dtype=bool)
    for name in choose_names(data, dots, "drop_na") if dots else own:
        refuse_if(len(own[name]) != len(held), "drop_na() of matrices")
        held &= ~is_missing(own[name])
    return rows_at(data, np.flatnonzero(held))


@r_function()
def replace_na(data: Value, replace: Item = None) -> Value:
    """Return a vector, or the columns of a table, with values in the place of missing ones."""
    new = as_value(replace)
    check_column(data)
    if not is_frame(data):
        return _without_gaps(data, new)
    own = columns(require_table(data, "replace_na"))
    for name, item in zip(names_of(new) or [], new._data, strict=True):
        if name in own:
            own[name] = _without_gaps(own[name], item)
    return same_rows(own, data)


def _without_gaps(x: Value, new: Value) -> Value:
    where = is_missing(x)
    stop_if(len(new) != 1, f"Replacement for `data` must be length 1, not length {len(new)}.")
    if not where.any():
        return x.copy()
    if is_factor(x) or x._attributes.keys() - {"names"} or new._attributes:
        raise NotSupportedError("replace_na() of a factor, or of a class")
    whole = x._kind == "integer" and new._kind == "double" and new._data[0] == np.trunc(new._data[0])
    if not whole and new._kind != x._kind and not (x._kind == "double" and new._kind in ("integer", "logical")):
        raise NotSupportedError("replace_na() by a value of another kind")
    data = x._data.copy()
    data[where] = coerce(new, x._kind)._data[0]
    return Value(x._kind, data, x._attributes)


_WAYS = {"down": (1,), "up": (-1,), "downup": (1, -1), "updown": (-1, 1)}


@table_verb(masked=("...",))
@r_function()
def fill(data: Value, *dots: object, _direction: Item = "down") -> Value:
    """Return a table with missing values filled from the rows above or below."""
    own = columns(data)
    groups, _ = row_groups(data, groups_of(data))
    for name in choose_names(data, dots, "fill"):
        places, gap = np.arange(row_count(data)), is_missing(own[name])
        for way in _WAYS[coerce(_direction, "character")._data[0]]:
            for rows in groups:
                for before, here in pairwise(rows[::way]):
                    if gap[here] and not gap[before]:
                        places[here], gap[here] = places[before], False
        own[name] = slice_column(own[name], places)
    return same_rows(own, data)


# ---- tables made ---------------------------------------------------------------------------------


@r_function()
def tidyr_expand_grid(*dots: object, **named: object) -> Value:
    """Return a table of all combinations; the first variable varies slowest."""
    parts = arguments(dots, named)
    refuse_if(any(not name or is_frame(item) for name, item in parts), "expand_grid() of tables, or without names")
    for _, item in parts:
        check_column(item)
    sizes = [len(item) for _, item in parts]
    total = int(np.prod(sizes))
    grid = np.unravel_index(np.arange(total), sizes) if total else [np.zeros(0, dtype=np.int64)] * len(sizes)
    return tibble_of({name: slice_column(x, np.asarray(i)) for (name, x), i in zip(parts, grid, strict=True)}, total)
