"""dplyr's verbs on data frames: each takes functions of a mask, in which a column is a name."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.base.chance import sample_int
from pyrrf.r.base.sums import sum as total
from pyrrf.r.indexing.replacement import recycled_column
from pyrrf.r.indexing.subscripts import columns_of, of_rows, places
from pyrrf.r.tidyverse.groups import (
    Verb,
    checked,
    columns,
    combined,
    current,
    extras,
    groups_of,
    keys_of,
    made,
    mask,
    part_of,
    ranks,
    row_groups,
    rows_at,
    same_rows,
    with_groups,
    within_rows,
)
from pyrrf.r.tidyverse.selection import select, selected_names
from pyrrf.r.values.arguments import Mask, Named, flag, named, number
from pyrrf.r.values.attributes import dim_of, inherits, is_frame, names_of, row_count
from pyrrf.r.values.coercion import one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, doubles, integers, is_null, strings
from pyrrf.rbase.numbers import round as rounded

# ---- groups --------------------------------------------------------------------------------------


@r_function(masked=("...",))
def group_by(_data: Any, *dots: Any, _add: Any = False, _drop: Any = True, **named: Any) -> Value:
    """Return a table whose rows belong to groups: by columns, or by what is computed."""
    data = checked(_data, "group_by")
    if not flag(_drop):
        raise NotMovedError("group_by() with .drop = FALSE")
    before = groups_of(data) if flag(_add) else []
    items = [item for item in dots if not isinstance(item, Named)]
    names = selected_names(data, tuple(items))
    if len(items) != len(dots):
        raise NotMovedError("group_by() of columns behind computed ones")
    if named:
        data = mutate(ungroup(data), **named)
    return with_groups(data, list(dict.fromkeys([*before, *names, *named])))


def ungroup(x: Any) -> Value:
    """Return a table without groups."""
    return with_groups(checked(x, "ungroup"), [])


# ---- rows ----------------------------------------------------------------------------------------


def _by_groups(data: Value) -> list[tuple[np.ndarray, Value]]:
    names = groups_of(data)
    return [(rows, part_of(data, rows)) for rows in row_groups(data, names)[0]]


@r_function(masked=("...",))
def filter(_data: Any, *dots: Any, _preserve: Any = False) -> Value:
    """Return the rows in which all conditions hold; a missing one does not."""
    data = checked(_data, "filter")
    if flag(_preserve):
        raise NotMovedError("filter() with .preserve")
    kept = np.zeros(row_count(data), dtype=bool)
    for rows, part in _by_groups(data):
        holds = np.ones(len(rows), dtype=bool)
        with within_rows(len(rows), part, tuple(groups_of(data))):
            for verb in dots:
                found = as_value(verb(mask(part)))
                if found._kind != "logical" or dim_of(found) is not None or len(found) not in (1, len(rows)):
                    raise RError("Input must be a logical vector of the size of the data, or of size 1.")
                holds &= np.resize(found._data, len(rows)) == 1
        kept[rows] = holds
    return rows_at(data, np.flatnonzero(kept))


def desc(x: Any) -> Value:
    """Return numbers that order values the other way round."""
    return doubles(-ranks(as_value(x)))


@r_function(masked=("...",))
def arrange(_data: Any, *dots: Any, _by_group: Any = False) -> Value:
    """Return the rows in the order of columns; missing values come last."""
    data = checked(_data, "arrange")
    if flag(_by_group):
        raise NotMovedError("arrange() with .by_group")
    n = row_count(data)
    keys: list[np.ndarray] = []
    bare = part_of(data, np.arange(n))
    with within_rows(n, bare):
        for verb in dots:
            found = as_value(verb(mask(bare)))
            parts = found._data if is_frame(found) else [found]
            if any(len(part) != n for part in parts):
                raise NotMovedError("arrange() by what is no column")
            keys += [ranks(part) for part in parts]
    return rows_at(data, np.lexsort(keys[::-1]) if keys else np.arange(n))


@r_function(masked=("...",))
def slice(_data: Any, *dots: Any) -> Value:
    """Return rows by their numbers; negative ones leave out."""
    data = checked(_data, "slice")
    if len(dots) != 1:
        raise NotMovedError("slice() with several arguments")
    verb = dots[0]

    def picked(part: Value) -> np.ndarray:
        found = as_value(verb(mask(part)) if callable(verb) else verb)
        if found._kind not in ("integer", "double"):
            raise NotMovedError("slice() by what are no numbers")
        at = places(found, row_count(part), None)
        return at[(at < row_count(part)) & (at >= 0)]

    return _sliced(data, picked)


def _sliced(data: Value, picked: Any) -> Value:
    """Return the rows that a function picks of each group, groups one after another."""
    found = [np.zeros(0, dtype=np.int64)]
    for rows, part in _by_groups(data):
        with within_rows(len(rows), part):
            found.append(rows[np.asarray(picked(part), dtype=np.int64)])
    return rows_at(data, np.concatenate(found))


def _size(n: Any, prop: Any, verb: str) -> Any:
    """Return a function that says how many of some rows are wanted."""
    if n is not None and prop is not None:
        raise RError("Must supply `n` or `prop`, but not both.")
    if prop is not None:
        share = number(prop)
        if share < 0:
            raise NotMovedError(f"{verb}() with a negative size")
        return lambda rows: int(np.floor(share * rows))
    size = 1.0 if n is None else number(n)
    if size < 0:
        raise NotMovedError(f"{verb}() with a negative size")
    return lambda rows: min(int(size), rows)


def slice_head(_data: Any, *dots: Any, n: Any = None, prop: Any = None) -> Value:
    """Return the first rows."""
    size = _size(n if not dots else dots[0], prop, "slice_head")
    return _sliced(checked(_data, "slice_head"), lambda part: np.arange(size(row_count(part))))


def slice_tail(_data: Any, *dots: Any, n: Any = None, prop: Any = None) -> Value:
    """Return the last rows."""
    size = _size(n if not dots else dots[0], prop, "slice_tail")
    return _sliced(
        checked(_data, "slice_tail"), lambda part: np.arange(row_count(part) - size(row_count(part)), row_count(part))
    )


@r_function(masked=("order_by",))
def slice_max(_data: Any, order_by: Verb, *dots: Any, n: Any = None, prop: Any = None, with_ties: Any = True) -> Value:
    """Return the rows with the greatest values, the greatest first."""
    return _extreme(_data, order_by, -1.0, (dots, n, prop, with_ties))


@r_function(masked=("order_by",))
def slice_min(_data: Any, order_by: Verb, *dots: Any, n: Any = None, prop: Any = None, with_ties: Any = True) -> Value:
    """Return the rows with the least values, the least first."""
    return _extreme(_data, order_by, 1.0, (dots, n, prop, with_ties))


def _extreme(_data: Any, order_by: Verb, sign: float, settings: tuple[Any, ...]) -> Value:
    dots, n, prop, ties = settings
    size = _size(n if not dots else dots[0], prop, "slice_max")

    def picked(part: Value) -> np.ndarray:
        values = sign * ranks(as_value(order_by(mask(part))))
        order = np.argsort(values, kind="stable")
        many = size(len(values))
        if not flag(ties):
            return order[:many]
        known = np.sort(values[~np.isnan(values)])
        within = np.searchsorted(known, known) + 1 <= many
        return order[: int(within.sum())]

    return _sliced(checked(_data, "slice_max"), picked)


@r_function(masked=("wt",))
def top_n(x: Any, n: Any, wt: Verb | None = None) -> Value:
    """Return the rows with the greatest values of a column; for a negative `n` the least."""
    data = checked(x, "top_n")
    many = number(n)

    def picked(part: Value) -> np.ndarray:
        column = as_value(wt(mask(part))) if wt is not None else part._data[-1]
        values = ranks(column) * (-1.0 if many > 0 else 1.0)
        known = np.sort(values[~np.isnan(values)])
        place = np.where(np.isnan(values), np.inf, np.searchsorted(known, values) + 1)
        return np.flatnonzero(place <= abs(many))

    kept = [rows[picked(part)] for rows, part in _by_groups(data)]
    return rows_at(data, np.sort(np.concatenate(kept)))


def _drawn(n: int, size: int, replace: Any, weight: Any) -> np.ndarray:
    if weight is not None:
        raise NotMovedError("rows drawn by weights")
    return np.asarray(sample_int(n, size, replace)._data - 1, dtype=np.int64)


@r_function(draws=True)
def sample_n(tbl: Any, size: Any, replace: Any = False, weight: Any = None) -> Value:
    """Return rows drawn by R's stream."""

    def picked(part: Value) -> np.ndarray:
        n, many = row_count(part), int(number(size))
        if many > n and not flag(replace):
            raise RError("size must be less or equal than the size of the data")
        return _drawn(n, many, replace, weight)

    return _sliced(checked(tbl, "sample_n"), picked)


@r_function(draws=True)
def sample_frac(tbl: Any, size: Any = 1, replace: Any = False, weight: Any = None) -> Value:
    """Return a share of the rows, drawn by R's stream."""
    share = number(size)
    if share > 1 and not flag(replace):
        raise RError("size of sampled fraction must be less or equal to one")
    return _sliced(
        checked(tbl, "sample_frac"),
        lambda part: _drawn(
            row_count(part), int(np.asarray(rounded(row_count(part) * share)).ravel()[0]), replace, weight
        ),
    )


@r_function(draws=True)
def slice_sample(
    _data: Any, *dots: Any, n: Any = None, prop: Any = None, weight_by: Any = None, replace: Any = False
) -> Value:
    """Return rows drawn by R's stream."""
    if dots:
        raise NotMovedError("slice_sample() with arguments without names")
    if flag(replace):
        wide = (
            _size(None, prop, "slice_sample") if prop is not None else lambda rows: int(number(1 if n is None else n))
        )
        return _sliced(
            checked(_data, "slice_sample"), lambda part: _drawn(row_count(part), wide(row_count(part)), True, weight_by)
        )
    size = _size(n, prop, "slice_sample")
    return _sliced(
        checked(_data, "slice_sample"), lambda part: _drawn(row_count(part), size(row_count(part)), False, weight_by)
    )


@r_function(masked=("...",))
def distinct(_data: Any, *dots: Any, _keep_all: Any = False) -> Value:
    """Return the rows that differ, the first of each kind."""
    data = checked(_data, "distinct")
    if extras(data):
        raise NotMovedError("distinct() of a table with further attributes")
    picked = select(data, *dots) if dots else data
    seen: dict[tuple[Any, ...], int] = {}
    for at, key in enumerate(keys_of(list(picked._data))):
        seen.setdefault(key, at)
    return rows_at(data if flag(_keep_all) else picked, np.array([*seen.values()], dtype=np.int64))


# ---- computed columns ----------------------------------------------------------------------------


def _items(dots: tuple[Any, ...], named: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]


@r_function(masked=("...",))
def mutate(_data: Any, *dots: Any, _keep: Any = None, _before: Any = None, _after: Any = None, **named: Any) -> Value:
    """Return a table with columns that are new, or computed anew, one after another."""
    data = checked(_data, "mutate")
    if _keep is not None or _before is not None or _after is not None:
        raise NotMovedError("mutate() with .keep, .before or .after")
    if any(name in groups_of(data) for name, _ in _items(dots, named)):
        raise RError("Can't modify grouping columns.")
    groups = row_groups(data, groups_of(data))[0]
    for name, verb in _items(dots, named):
        data = _computed(data, name, verb, groups)
    return data


def _computed(data: Value, name: str, verb: Verb, groups: list[np.ndarray]) -> Value:
    found, parts = columns(data), []
    for rows in groups:
        part = part_of(data, rows)
        with within_rows(len(rows), part, tuple(groups_of(data))):
            parts.append(as_value(verb(mask(part)) if callable(verb) else verb))
    if not name:
        return _spliced(data, parts, groups)
    if any(not isinstance(part, Value) for part in parts):
        raise NotMovedError("mutate() that gives functions")
    if all(is_null(part) for part in parts):
        found.pop(name, None)
        return same_rows(found, data)
    if any(is_frame(part) for part in parts):
        raise NotMovedError("mutate() of a data frame with a name")
    full = [_stretched(part, len(rows), name) for part, rows in zip(parts, groups, strict=True)]
    found[name] = full[0] if len(full) == 1 else _together(full, groups, row_count(data))
    return same_rows(found, data)


def _stretched(part: Value, n: int, name: str) -> Value:
    rows = (dim_of(part) or (len(part),))[0]
    if rows not in (1, n):
        raise RError(f"`{name}` must be size {n} or 1, not {rows}.")
    return part.copy() if rows == n else recycled_column(part, n)


def _spliced(data: Value, parts: list[Any], groups: list[np.ndarray]) -> Value:
    """Return a table with the columns of across()."""
    if any(not is_frame(part) for part in parts):
        raise NotMovedError("mutate() of an expression without a name")
    found = columns(data)
    for name in names_of(parts[0]) or []:
        own = [columns(part)[str(name)] for part in parts]
        full = [_stretched(part, len(rows), str(name)) for part, rows in zip(own, groups, strict=True)]
        found[str(name)] = full[0] if len(full) == 1 else _together(full, groups, row_count(data))
    return same_rows(found, data)


def _together(parts: list[Value], groups: list[np.ndarray], n: int) -> Value:
    """Return what was computed for groups as one column, in the order of the rows."""
    joined = combined([Value(part._kind, part._data, _unnamed(part)) for part in parts])
    back = np.empty(n, dtype=np.int64)
    back[np.concatenate(groups)] = np.arange(n)
    return Value(joined._kind, joined._data[back], joined._attributes)


@r_function(masked=("...",))
def transmute(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return the computed columns alone."""
    data = checked(_data, "transmute")
    if any(not isinstance(item, Named) for item in dots):
        raise NotMovedError("transmute() of an expression without a name")
    made_ = mutate(data, *dots, **named)
    names = [*groups_of(data), *(name for name, _ in _items(dots, named))]
    return (
        with_groups(columns_of(made_, strings(dict.fromkeys(names))), groups_of(data))
        if groups_of(data)
        else columns_of(made_, strings(dict.fromkeys(names)))
    )


@r_function(masked=("...",))
def summarise(_data: Any, *dots: Any, _groups: Any = None, **named: Any) -> Value:
    """Return one row for each group."""
    data = checked(_data, "summarise")
    names = groups_of(data)
    groups, first = row_groups(data, names)
    if not groups:
        raise NotMovedError("summarise() of a grouped table without rows")
    own = columns(data)
    found: dict[str, Any] = {name: of_rows(own[name], np.array(first, dtype=np.int64)) for name in names}
    rows = [_summary(data, group, _items(dots, named)) for group in groups]
    for name in rows[0]:
        if any(name not in row for row in rows):
            raise NotMovedError("summarise() with other columns by group")
        own_names = [names_of(row[name]) for row in rows]
        bare = combined([Value(row[name]._kind, row[name]._data, _unnamed(row[name])) for row in rows])
        if any(part is not None for part in own_names):
            if any(part is None for part in own_names):
                raise NotMovedError("summarise() of values of which some have names")
            labels = strings([label for part in own_names for label in part or []])
            bare = Value(bare._kind, bare._data, bare._attributes | {"names": labels})
        found[name] = bare
    left = _left_groups(names, _groups)
    classes = data._attributes["class"]._data
    about = {"class": strings([name for name in classes if name != "grouped_df"])}
    table = made(found, len(groups), Value("list", data._data, about))
    return with_groups(table, left) if left else table


def _left_groups(names: list[str], how: Any) -> list[str]:
    word = "drop_last" if is_null(how) else str(one(how, "character"))
    if word not in ("drop_last", "drop", "keep"):
        raise NotMovedError(f"summarise() with .groups = {word!r}")
    return {"drop_last": names[:-1], "drop": [], "keep": names}[word]


def _summary(data: Value, rows: np.ndarray, items: list[tuple[str, Verb]]) -> dict[str, Any]:
    part = part_of(data, rows)
    found: dict[str, Any] = {}
    with within_rows(len(rows), part, tuple(groups_of(data))):
        for name, verb in items:
            scope = Mask(part)
            scope._items.update(found)
            value = as_value(verb(scope) if callable(verb) else verb)
            if not name and not is_frame(value):
                raise NotMovedError("summarise() of an expression without a name")
            if name and is_frame(value):
                raise NotMovedError("summarise() of a data frame with a name")
            for label, item in columns(value).items() if not name else [(name, value)]:
                if not isinstance(item, Value) or len(item) != 1:
                    raise NotMovedError("summarise() with several values for a group, or none")
                _unnamed(item)
                found[label] = item
    return found


def _unnamed(x: Value) -> dict[str, Value]:
    if dim_of(x) is not None or inherits(x, "table"):
        raise NotMovedError("matrices or tables as columns of groups")
    return {name: part for name, part in x._attributes.items() if name != "names"}


summarize = summarise


def _weighted(wt: Any) -> Verb:
    if wt is None:
        return lambda m: n()

    return lambda m: total(wt(m), na_rm=True)


@r_function(masked=("...", "wt"))
def count(x: Any, *dots: Any, wt: Any = None, sort: Any = False, name: Any = None, **named_: Any) -> Value:
    """Return how many rows each group has."""
    data = checked(x, "count")
    label = "n" if name is None else str(one(name, "character"))
    grouped = group_by(data, *dots, _add=True, **named_)
    if label in groups_of(grouped):
        raise NotMovedError("count() of a column n")
    found = summarise(grouped, named(label, _weighted(wt)), _groups="drop")
    like = Value("list", data._data, {"class": ungroup(data)._attributes["class"], **extras(data)})
    found = made(columns(found), row_count(found), like)
    found = arrange(found, lambda m: desc(m[label])) if flag(sort) else found
    return with_groups(found, groups_of(data)) if groups_of(data) else found


@r_function(masked=("wt",))
def tally(x: Any, wt: Any = None, sort: Any = False, name: Any = None) -> Value:
    """Return how many rows each group has."""
    label = "n" if name is None else str(one(name, "character"))
    found = summarise(x, named(label, _weighted(wt)))
    return arrange(found, lambda m: desc(m[label])) if flag(sort) else found


@r_function(masked=("...", "wt"))
def add_count(x: Any, *dots: Any, wt: Any = None, sort: Any = False, name: Any = None) -> Value:
    """Return a table with a column of how many rows the group of each row has."""
    data = checked(x, "add_count")
    label = "n" if name is None else str(one(name, "character"))
    if groups_of(data) or label in columns(data) or flag(sort):
        raise NotMovedError("add_count() of groups, sorted, or with a column n")
    grouped = with_groups(data, selected_names(data, dots)) if dots else data
    found = mutate(grouped, named(label, _weighted(wt)))
    return made(columns(found), row_count(found), data)


# ---- in verbs ------------------------------------------------------------------------------------


def n() -> Value:
    """Return how many rows the group has."""
    rows = current()
    if rows is None:
        raise RError("n() must only be used inside dplyr verbs.")
    return integers(rows.size)
