"""Tables put together: dplyr's joins, bind_rows() and bind_cols()."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.indexing.subscripts import of_rows
from pyrrf.r.tidyverse.groups import checked, columns, combined, counted, keys_of, made, rows_at
from pyrrf.r.values.arguments import arguments, text
from pyrrf.r.values.attributes import dim_of, inherits, is_factor, is_frame, is_list, names_of, row_count
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, is_null, objects, strings


def _by(x: Value, y: Value, by: Any) -> tuple[list[str], list[str]]:
    if is_null(by):
        shared = [str(name) for name in names_of(x) or [] if name in (names_of(y) or [])]
        if not shared:
            raise RError("`by` must be supplied when `x` and `y` have no common variables.")
        return shared, shared
    found = as_value(by)
    if found._kind != "character" or not len(found):
        raise NotMovedError("a join by no columns, or by a list")
    second = [str(name) for name in found._data]
    first = [str(name) if name else other for name, other in zip(names_of(found) or second, second, strict=True)]
    for names, table in ((first, x), (second, y)):
        for name in names:
            if name not in (names_of(table) or []):
                raise RError(f"Join columns must be present in data: {name}")
    return first, second


def _pairs(x: Value, y: Value, first: list[str], second: list[str]) -> tuple[list[list[int]], list[Value]]:
    """Return the rows of `y` that each row of `x` meets, and the key columns of both, one below the other."""
    own, other = columns(x), columns(y)
    below = [_key(own[a], other[b]) for a, b in zip(first, second, strict=True)]
    keys = keys_of(list(below))
    n = row_count(x)
    met: dict[tuple[Any, ...], list[int]] = {}
    for at, key in enumerate(keys[n:]):
        met.setdefault(key, []).append(at)
    return [met.get(key, []) for key in keys[:n]], below


def _key(a: Value, b: Value) -> Value:
    if {a._kind, b._kind} == {"logical", "character"}:
        raise RError("Can't join on columns of incompatible types.")
    found = combined([a, b])
    if is_factor(found) and None in found._attributes["levels"]._data:
        raise NotMovedError("a join on a factor with NA as a level")
    return found


def _joined(x: Any, y: Any, by: Any, how: str, settings: tuple[Any, ...]) -> Value:
    copy, suffix, keep = settings
    first_, second_ = checked(x, f"{how}_join"), checked(y, f"{how}_join")
    if copy is not None or keep is not None:
        raise NotMovedError(f"{how}_join() with copy or keep")
    ends = [".x", ".y"] if is_null(suffix) else [str(part) for part in coerced(suffix, "character")._data]
    first, second = _by(first_, second_, by)
    pairs, below = _pairs(first_, second_, first, second)
    left = how in ("left", "full")
    at_x = [i for i, met in enumerate(pairs) for _ in (met or ([-1] if left else []))]
    at_y = [j for met in pairs for j in (met or ([-1] if left else []))]
    used = set(at_y)
    alone = [j for j in range(row_count(second_)) if j not in used] if how in ("right", "full") else []
    rows_x, rows_y = np.array([*at_x, *([-1] * len(alone))]), np.array([*at_y, *alone])
    n = row_count(first_)
    places = np.array([*at_x, *[n + j for j in alone]], dtype=np.int64)
    keys = {name: of_rows(column, places) for name, column in zip(first, below, strict=True)}
    rest_y = [name for name in columns(second_) if name not in second]
    found: dict[str, Any] = {}
    for name, column in columns(first_).items():
        new = name if name in first else name + ends[0] * (name in rest_y)
        found[new] = keys[name] if name in first else of_rows(column, rows_x.astype(np.int64))
    for name in rest_y:
        new = name + ends[1] * (name in columns(first_))
        if new in found:
            raise NotMovedError("a join that gives columns of equal names")
        found[new] = of_rows(columns(second_)[name], rows_y.astype(np.int64))
    return made(found, len(places), first_)


def left_join(x: Any, y: Any, by: Any = None, copy: Any = None, suffix: Any = None, *, keep: Any = None) -> Value:
    """Return all rows of `x` with the columns of `y` where the keys agree."""
    return _joined(x, y, by, "left", (copy, suffix, keep))


def right_join(x: Any, y: Any, by: Any = None, copy: Any = None, suffix: Any = None, *, keep: Any = None) -> Value:
    """Return all rows of `y` with the columns of `x` where the keys agree."""
    return _joined(x, y, by, "right", (copy, suffix, keep))


def inner_join(x: Any, y: Any, by: Any = None, copy: Any = None, suffix: Any = None, *, keep: Any = None) -> Value:
    """Return the rows of both tables whose keys agree."""
    return _joined(x, y, by, "inner", (copy, suffix, keep))


def full_join(x: Any, y: Any, by: Any = None, copy: Any = None, suffix: Any = None, *, keep: Any = None) -> Value:
    """Return the rows of both tables, side by side where the keys agree."""
    return _joined(x, y, by, "full", (copy, suffix, keep))


def _kept(x: Any, y: Any, by: Any, wanted: bool) -> Value:
    first_, second_ = checked(x, "a join"), checked(y, "a join")
    pairs, _ = _pairs(first_, second_, *_by(first_, second_, by))
    return rows_at(first_, np.flatnonzero([bool(met) == wanted for met in pairs]))


def semi_join(x: Any, y: Any, by: Any = None) -> Value:
    """Return the rows of `x` whose keys `y` has."""
    return _kept(x, y, by, True)


def anti_join(x: Any, y: Any, by: Any = None) -> Value:
    """Return the rows of `x` whose keys `y` does not have."""
    return _kept(x, y, by, False)


# ---- one below the other -------------------------------------------------------------------------


@r_function(dots_in_order=True)
def bind_rows(*dots: Any, _id: Any = None, **named: Any) -> Value:
    """Return tables one below the other; columns go together by their names."""
    parts = _tables(arguments(dots, named))
    if not parts:
        raise NotMovedError("bind_rows() of nothing")
    sizes = [row_count(table) for _, table in parts]
    names = list(dict.fromkeys(name for _, table in parts for name in columns(table)))
    found: dict[str, Any] = {}
    if _id is not None:
        labels = [label or f"{at + 1}" for at, (label, _) in enumerate(parts)]
        if any(label for label, _ in parts) and not all(label for label, _ in parts):
            raise NotMovedError("bind_rows() with .id, and names of some tables")
        found[text(_id)] = strings([label for label, n in zip(labels, sizes, strict=True) for _ in range(n)])
    for name in names:
        own = [columns(table).get(name) for _, table in parts]
        gap = [Value("logical", np.full(n, np.nan)) for n in sizes]
        found[name] = combined([g if part is None else part for part, g in zip(own, gap, strict=True)])
    return _with_rows(found, [table for _, table in parts])


def _tables(given: list[tuple[str, Any]]) -> list[tuple[str, Value]]:
    out: list[tuple[str, Value]] = []
    for name, item in given:
        if is_null(item):
            continue
        if is_list(item) and not is_frame(item):
            inner = names_of(item) or [""] * len(item)
            if any(not is_frame(part) for part in item._data):
                raise NotMovedError("bind_rows() of lists that are no tables")
            out += [(str(label), checked(part, "bind_rows")) for label, part in zip(inner, item._data, strict=True)]
        elif is_frame(item):
            out.append((name, checked(item, "bind_rows")))
        else:
            raise NotMovedError("bind_rows() of vectors")
    if any(inherits(table, "grouped_df") for _, table in out):
        raise NotMovedError("bind_rows() of groups")
    return out


def _with_rows(found: dict[str, Any], tables: list[Value]) -> Value:
    n = sum(row_count(table) for table in tables)
    like = tables[0]
    table = made(found, n, like)
    texts = [t._attributes["row.names"]._kind == "character" and not inherits(t, "tbl_df") for t in tables]
    if not any(texts):
        return table
    labels = [label for t in tables for label in t._attributes["row.names"]._data]
    if not all(texts) or len(set(labels)) != len(labels) or inherits(like, "tbl_df"):
        raise NotMovedError("bind_rows() with names of some rows, or names that stand twice")
    return Value("list", table._data, table._attributes | {"row.names": strings(labels)})


@r_function(dots_in_order=True)
def bind_cols(*dots: Any, **named: Any) -> Value:
    """Return tables side by side."""
    parts = [(name, item) for name, item in arguments(dots, named) if not is_null(item)]
    if not parts or any(not is_frame(item) and not name for name, item in parts):
        raise NotMovedError("bind_cols() of vectors without names, or of lists")
    pairs: list[tuple[str, Any]] = []
    for name, item in parts:
        if is_frame(item):
            if name:
                raise NotMovedError("bind_cols() of tables with names")
            pairs += columns(checked(item, "bind_cols")).items()
        else:
            pairs.append((name, item))
    frames = [item for _, item in parts if is_frame(item)]
    if not frames or any(t._attributes["row.names"]._kind == "character" and not inherits(t, "tbl_df") for t in frames):
        raise NotMovedError("bind_cols() without tables, or of rows with names")
    if any(inherits(t, "grouped_df") or inherits(t, "spec_tbl_df") for t in frames):
        raise NotMovedError("bind_cols() of groups, or of what readr read")
    n = row_count(frames[0])
    if any((dim_of(column) or (len(column),))[0] != n for _, column in pairs):
        raise NotMovedError("bind_cols() of tables of different sizes")
    names = [name for name, _ in pairs]
    labels = [f"{name}...{at + 1}" if names.count(name) > 1 else name for at, name in enumerate(names)]
    about = {"names": strings(labels), "row.names": counted(n), "class": frames[0]._attributes["class"]}
    return Value("list", objects(column for _, column in pairs), about)
