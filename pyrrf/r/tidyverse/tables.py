"""Tibbles, row names as a column, dplyr's joins, bind_rows() and bind_cols()."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pyrrf.r.base.attributes import put_rownames
from pyrrf.r.base.frames import row_ids
from pyrrf.r.base.joining import code_label
from pyrrf.r.indexing.replacement import recycled_column
from pyrrf.r.tidyverse.groups import (
    check_column,
    columns,
    combine_vectors,
    evaluate,
    extras,
    gaps,
    groups_of,
    keys_of,
    named_items,
    of_columns,
    rebuild_table,
    require_table,
    rows_at,
    rows_by_key,
    slice_column,
    table_verb,
    tibble_of,
)
from pyrrf.r.values.arguments import UNKNOWN_CODE, Mask, arguments, codes, named
from pyrrf.r.values.coercion import attrs, coerce, without_spec
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import inherits, is_factor, is_frame, is_list, is_null
from pyrrf.r.values.labels import dim_of, known_names, names_of, row_count, row_names
from pyrrf.r.values.vector import Value, logicals, objects, strings

# ---- tibbles -------------------------------------------------------------------------------------


@r_function(in_order=True, masked=("...",), dots_in_order=True)
def tibble(*dots: object, deparsed: Iterable[str] | None = None, **named: object) -> Value:
    """Return a tibble; each column may use those before it."""
    labels = iter([code_label(argument) for argument in codes(deparsed, dots)])
    by_name: dict[str, Value] = {}
    for name, verb in named_items(dots, named):
        label = name or next(labels, "")
        label = "" if label == UNKNOWN_CODE else label
        value = evaluate(verb, Mask(of_columns(by_name, {})))
        check_column(value)
        if not label and is_frame(value):
            by_name |= columns(require_table(value, "tibble"))
            continue
        if not label or is_frame(value) or not isinstance(value, Value) or label in by_name:
            raise NotSupportedError("tibble() of an expression without a name")
        if not is_null(value):
            by_name[label] = value
    sizes = {name: (dim_of(column) or (len(column),))[0] for name, column in by_name.items()}
    n = max([size for size in sizes.values() if size != 1], default=1 if sizes else 0)
    stop_if(any(size not in (1, n) for size in sizes.values()), "Tibble columns must have compatible sizes.")
    wide = {name: column.copy() if sizes[name] == n else recycled_column(column, n) for name, column in by_name.items()}
    return tibble_of(wide, n)


@r_function(unsupported="dots")
def as_tibble(x: Value, *dots: object, rownames: Text | None = None) -> Value:
    """Return a data frame, or a list, as a tibble."""
    if is_list(x) and not is_frame(x) and names_of(x) is not None and "class" not in x._attributes:
        return tibble(*[named(str(name), item) for name, item in zip(names_of(x) or [], x._data, strict=True)])
    refuse_if(not is_frame(x) or inherits(x, "grouped_df"), "as_tibble() of a vector, a matrix, a table or groups")
    by_name = columns(require_table(x, "as_tibble", plain=True))
    if rownames is not None:
        by_name = {rownames: strings(row_names(x)), **by_name}
    return of_columns(by_name, tibble_of({}, row_count(x))._attributes | extras(without_spec(x)))


@r_function()
def tbl_df(data: object) -> Value:
    """Return a table as a tibble, by dplyr's old name of `as_tibble()`."""
    return as_tibble(data)


@r_function()
def tribble(*dots: Value, names: object = None) -> Value:
    """Return a tibble from values that are given row by row."""
    labels = [str(name) for name in coerce(names, "character")._data]
    p = len(labels)
    stop_if(not p or len(dots) % p, "Data must be rectangular.")
    by_name = {label: combine_vectors(dots[j::p]) for j, label in enumerate(labels)}
    refuse_if(any(len(item) != 1 for item in dots), "tribble() of vectors")
    return tibble_of(by_name, len(dots) // p)


# ---- names of rows -------------------------------------------------------------------------------


def _with_first(data: Value, name: str, column: Value) -> Value:
    """Return a table with a new first column and automatic row names."""
    stop_if(name in columns(data), f"Column name `{name}` must not be duplicated.")
    refuse_if(groups_of(data), "names of rows as a column of groups")
    return of_columns({name: column, **columns(data)}, attrs(data, "class") | {"row.names": row_ids(row_count(data))})


@table_verb()
@r_function()
def rownames_to_column(_data: Value, var: Text = "rowname") -> Value:
    """Return a table with the names of its rows as the first column."""
    return _with_first(_data, var, strings(row_names(_data)))


@table_verb()
@r_function()
def rowid_to_column(_data: Value, var: Text = "rowid") -> Value:
    """Return a table with the numbers of its rows as the first column."""
    return _with_first(_data, var, row_ids(row_count(_data)))


@table_verb()
@r_function()
def column_to_rownames(_data: Value, var: Text = "rowname") -> Value:
    """Return a table with a column as the names of its rows."""
    by_name = columns(_data)
    if _data._attributes["row.names"]._kind == "character" or inherits(_data, "tbl_df") or var not in by_name:
        raise NotSupportedError("column_to_rownames() of a table with names, or a tibble")
    labels = coerce(by_name.pop(var), "character")
    return put_rownames(of_columns(by_name, _data._attributes), labels)


@table_verb()
@r_function()
def remove_rownames(_data: Value) -> Value:
    """Return a table without names of its rows."""
    return of_columns(columns(_data), _data._attributes | {"row.names": row_ids(row_count(_data))})


# ---- joins ---------------------------------------------------------------------------------------


def _by(x: Value, y: Value, by: Value | None) -> tuple[list[str], list[str]]:
    """Return the key columns of both tables."""
    own, other = known_names(x), known_names(y)
    if by is None:
        shared = [name for name in own if name in other]
        stop_if(not shared, "`by` must be supplied when `x` and `y` have no common variables.")
        return shared, shared
    refuse_if(by._kind != "character" or not len(by), "a join by no columns, or by a list")
    second = [str(name) for name in by._data]
    first = [str(name) if name else other for name, other in zip(names_of(by) or second, second, strict=True)]
    unknown = [name for name in first if name not in own] + [name for name in second if name not in other]
    if unknown:
        raise RError(f"Join columns must be present in data: {unknown[0]}")
    return first, second


def _pairs(x: Value, y: Value, first: Sequence[str], second: Sequence[str]) -> tuple[list[list[int]], list[Value]]:
    """Return the rows of `y` that match each row of `x`, and the key columns of both, concatenated."""
    own, other = columns(x), columns(y)
    below = [_key(own[a], other[b]) for a, b in zip(first, second, strict=True)]
    keys, n = keys_of(below), row_count(x)
    rows_of_y = rows_by_key(keys[n:])
    return [rows_of_y.get(key, []) for key in keys[:n]], below


def _key(a: Value, b: Value) -> Value:
    stop_if({a._kind, b._kind} == {"logical", "character"}, "Can't join on columns of incompatible types.")
    keys = combine_vectors([a, b])
    refuse_if(is_factor(keys) and None in keys._attributes["levels"]._data, "a join on a factor with NA as a level")
    return keys


def _join(name: str, keeps_x: bool, keeps_y: bool, doc: str) -> Callable[..., Value]:
    """Return a join; unmatched rows are kept of one table, of both or of none."""

    def join(
        x: Value, y: Value, by: Value | None = None, copy: Flag = False, suffix: Value | None = None, *,
        keep: object = None,
    ) -> Value:  # fmt: skip
        x, y = require_table(x, name), require_table(y, name)
        ends = [".x", ".y"] if suffix is None else list(coerce(suffix, "character")._data)
        stop_if(len(ends) != 2, "`suffix` must be a character vector of length 2.")
        first, second = _by(x, y, by)
        pairs, below = _pairs(x, y, first, second)
        rows = [(i, j) for i, partners in enumerate(pairs) for j in (partners or [-1] * keeps_x)]
        used = {j for _, j in rows}
        rows += [(-1, j) for j in range(row_count(y)) if keeps_y and j not in used]
        at_x, at_y = np.array(rows, dtype=np.int64).reshape(-1, 2).T
        at_key = np.where(at_x < 0, row_count(x) + at_y, at_x)
        keys = {key: slice_column(column, at_key) for key, column in zip(first, below, strict=True)}
        rest = {key: column for key, column in columns(y).items() if key not in second}
        by_name: dict[str, Value] = {}
        for key, column in columns(x).items():
            new = key + ends[0] if key in rest and key not in keys else key
            by_name[new] = keys[key] if key in keys else slice_column(column, at_x)
        for key, column in rest.items():
            new = key + ends[1] if key in columns(x) else key
            refuse_if(new in by_name, "a join that gives columns of equal names")
            by_name[new] = slice_column(column, at_y)
        return rebuild_table(by_name, len(rows), x)

    return r_function(name, doc, unsupported="copy keep")(join)


left_join = _join("left_join", True, False, "Return all rows of `x` with the columns of `y` where the keys agree.")
right_join = _join("right_join", False, True, "Return all rows of `y` with the columns of `x` where the keys agree.")
inner_join = _join("inner_join", False, False, "Return the rows of both tables whose keys agree.")
full_join = _join("full_join", True, True, "Return the rows of both tables, side by side where the keys agree.")


def _filtering_join(name: str, wanted: bool, doc: str) -> Callable[..., Value]:
    @table_verb()
    @r_function(name, doc)
    def filter_rows(x: Value, y: Value, by: Value | None = None) -> Value:
        pairs, _ = _pairs(x, y, *_by(x, require_table(y, "a join"), by))
        return rows_at(x, np.flatnonzero([bool(partners) == wanted for partners in pairs]))

    return filter_rows


semi_join = _filtering_join("semi_join", True, "Return the rows of `x` whose keys `y` has.")
anti_join = _filtering_join("anti_join", False, "Return the rows of `x` whose keys `y` does not have.")


# ---- one below the other -------------------------------------------------------------------------


@r_function(dots_in_order=True)
def bind_rows(*dots: object, _id: Text | None = None, **named: object) -> Value:
    """Return tables one below the other; columns go together by their names."""
    parts = _tables(arguments(dots, named))
    refuse_if(not parts, "bind_rows() of nothing")
    tables, sizes = [table for _, table in parts], [row_count(table) for _, table in parts]
    by_name: dict[str, Value] = {}
    if _id is not None:
        labels = [label for label, _ in parts]
        refuse_if(any(labels) and not all(labels), "bind_rows() with .id, and names of some tables")
        by_name[_id] = strings(np.repeat([label or f"{i}" for i, label in enumerate(labels, 1)], sizes).tolist())
    own = [columns(table) for table in tables]
    for name in dict.fromkeys(name for table in own for name in table):
        by_name[name] = combine_vectors(
            [table.get(name, logicals(gaps(n, "logical"))) for table, n in zip(own, sizes, strict=True)]
        )
    return _with_rows(rebuild_table(by_name, sum(sizes), tables[0]), tables)


def _tables(items: Iterable[tuple[str, Any]]) -> list[tuple[str, Value]]:
    """Return tables with their names; lists of tables are flattened."""
    out: list[tuple[str, Value]] = []
    for name, item in items:
        if is_frame(item):
            out.append((name, item))
        elif is_list(item):
            out += zip(map(str, names_of(item) or [""] * len(item)), item._data, strict=True)
        elif not is_null(item):
            raise NotSupportedError("bind_rows() of vectors")
    refuse_if(not all(is_frame(table) for _, table in out), "bind_rows() of lists that are no tables")
    refuse_if(any(inherits(table, "grouped_df") for _, table in out), "bind_rows() of groups")
    return [(name, require_table(table, "bind_rows")) for name, table in out]


def _has_row_names(table: Value) -> bool:
    return table._attributes["row.names"]._kind == "character" and not inherits(table, "tbl_df")


def _with_rows(bound: Value, tables: Sequence[Value]) -> Value:
    """Return a table with the names of the rows of others, if these have names."""
    named = [_has_row_names(table) for table in tables]
    if not any(named):
        return bound
    labels = [label for table in tables for label in table._attributes["row.names"]._data]
    refuse_if(not all(named) or len(set(labels)) != len(labels), "bind_rows() with names of some rows")
    return Value("list", bound._data, bound._attributes | {"row.names": strings(labels)})


@r_function(dots_in_order=True)
def bind_cols(*dots: object, **named: object) -> Value:
    """Return tables side by side."""
    parts = [(name, item) for name, item in arguments(dots, named) if not is_null(item)]
    if not parts or any(is_frame(item) == bool(name) for name, item in parts):
        raise NotSupportedError("bind_cols() of vectors without names, of lists, or of tables with names")
    frames = [item for _, item in parts if is_frame(item)]
    refuse_if(not frames or any(map(_has_row_names, frames)), "bind_cols() without tables, or of rows with names")
    if any(inherits(table, "grouped_df") or inherits(table, "spec_tbl_df") for table in frames):
        raise NotSupportedError("bind_cols() of groups, or of what readr read")
    pairs: list[tuple[str, Value]] = []
    for name, item in parts:
        check_column(item)
        pairs += columns(require_table(item, "bind_cols")).items() if is_frame(item) else [(name, item)]
    n = row_count(frames[0])
    if any((dim_of(column) or (len(column),))[0] != n for _, column in pairs):
        raise NotSupportedError("bind_cols() of tables of different sizes")
    names = [name for name, _ in pairs]
    labels = [f"{name}...{number}" if names.count(name) > 1 else name for number, name in enumerate(names, 1)]
    about = attrs(frames[0], "class") | {"names": strings(labels), "row.names": row_ids(n)}
    return Value("list", objects(column for _, column in pairs), about)
