"""dplyr's verbs on data frames: each takes functions of a mask, in which a column is a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from pyrrf.rbase.collate import coded_strings
from pyrrf.script.columns import recycled_column
from pyrrf.script.subscripts import columns_of, of_rows
from pyrrf.script.values import (
    NUMBERS,
    Mask,
    Named,
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    doubles,
    inherits,
    integers,
    is_factor,
    is_frame,
    is_missing,
    is_null,
    names_of,
    objects,
    one,
    row_count,
    strings,
)

_TIBBLE = ["tbl_df", "tbl", "data.frame"]
Verb = Callable[[Mask], Any]


class _Group:
    """The rows that a verb computes for: what n() and row_number() ask for."""

    def __init__(self, size: int) -> None:
        self.size = size


_CURRENT: ContextVar[_Group | None] = ContextVar("group", default=None)


@contextmanager
def _within(size: int) -> Iterator[None]:
    token = _CURRENT.set(_Group(size))
    try:
        yield
    finally:
        _CURRENT.reset(token)


# ---- tables and groups ---------------------------------------------------------------------------


def _checked(data: Any, verb: str) -> Value:
    found = as_value(data)
    if not is_frame(found):
        raise NotMovedError(f"{verb}() of what is no data frame")
    return found


def _groups(data: Value) -> list[str]:
    hidden = data._hidden
    return list(hidden[1]) if isinstance(hidden, tuple) and hidden[0] == "groups" else []


def _with_groups(data: Value, names: list[str]) -> Value:
    classes = [name for name in data._attributes["class"]._data if name != "grouped_df"]
    if names:
        classes = ["grouped_df", *_TIBBLE]
    elif inherits(data, "grouped_df"):
        classes = _TIBBLE
    return Value(
        "list", data._data, data._attributes | {"class": strings(classes)}, ("groups", names) if names else None
    )


def _frame(columns: dict[str, Any], n: int, like: Value) -> Value:
    """Return a table of the class of another, its rows counted."""
    about = {"names": strings(columns), "row.names": integers(np.arange(1, n + 1)), "class": like._attributes["class"]}
    return Value("list", objects(columns.values()), about, like._hidden)


def _columns(data: Value) -> dict[str, Any]:
    return {str(name): column for name, column in zip(names_of(data) or [], data._data, strict=True)}


def _ranks(column: Value) -> np.ndarray:
    """Return numbers in the order of a column's values, NaN where missing."""
    if column._kind in NUMBERS:
        return np.asarray(column._data)
    if column._kind != "character":
        raise NotMovedError("rows ordered by a list")
    gaps = is_missing(column)
    out = np.full(len(column), np.nan)
    if not gaps.all():
        out[~gaps] = coded_strings(column._data[~gaps], "x")[0]
    return out


def _keys(data: Value, names: list[str]) -> tuple[list[np.ndarray], list[int]]:
    """Return the rows of each group, groups in the order of their keys, and the first row of each."""
    if not names:
        return [np.arange(row_count(data))], [0]
    columns = _columns(data)
    ranks = [_ranks(columns[name]) for name in names]
    order = np.lexsort(ranks[::-1])
    rows: list[list[int]] = []
    last: tuple[Any, ...] | None = None
    for at in order.tolist():
        key = tuple(None if rank[at] != rank[at] else rank[at] for rank in ranks)
        if key != last:
            rows.append([])
            last = key
        rows[-1].append(at)
    found = [np.array(sorted(group)) for group in rows]
    return found, [int(group[0]) for group in found]


def group_by(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return a table whose rows belong to groups: by columns, or by what is computed."""
    data = _checked(_data, "group_by")
    if named:
        data = mutate(data, **named)
    names = [*_selected_names(data, dots), *named]
    return _with_groups(data, names)


def ungroup(x: Any) -> Value:
    """Return a table without groups."""
    return _with_groups(_checked(x, "ungroup"), [])


# ---- columns -------------------------------------------------------------------------------------


def _positions(data: Value) -> Mask:
    names = [str(name) for name in names_of(data) or []]
    return Mask(Value("list", objects(integers([j + 1]) for j in range(len(names))), {"names": strings(names)}))


_NAMES: ContextVar[tuple[str, ...]] = ContextVar("names", default=())


def _chosen(data: Value, dots: tuple[Any, ...]) -> list[tuple[int, str]]:
    """Return columns by what select() was given: places from 0, and their names afterwards."""
    names = [str(name) for name in names_of(data) or []]
    token = _NAMES.set(tuple(names))
    found: dict[int, str] = {}
    try:
        for number, item in enumerate(dots):
            label = item.name if isinstance(item, Named) else ""
            verb = item.value if isinstance(item, Named) else item
            wanted = as_value(verb(_positions(data)) if callable(verb) else verb)
            places, left_out = _places(wanted, names)
            if left_out:
                found = found or (dict(enumerate(names)) if number == 0 else {})
                found = {j: name for j, name in found.items() if j not in places}
            else:
                many = label and len(places) > 1
                for at, j in enumerate(places):
                    found.setdefault(j, f"{label}{at + 1}" if many else label or names[j])
    finally:
        _NAMES.reset(token)
    return list(found.items())


def _places(wanted: Value, names: list[str]) -> tuple[list[int], bool]:
    if wanted._kind == "logical":
        # `!starts_with("x")`: the mark is turned by R's operator.
        raise NotMovedError("select() by a condition")
    if wanted._kind == "character":
        unknown = [name for name in wanted._data if name not in names]
        if unknown:
            raise RError(f"Can't subset columns that don't exist: {unknown[0]}")
        return [names.index(str(name)) for name in wanted._data], False
    numbers = coerced(wanted, "double")._data
    if (numbers < 0).any() and (numbers > 0).any():
        raise NotMovedError("select() with columns and left out columns in one c()")
    places = [int(abs(v)) - 1 for v in numbers if v]
    if any(j >= len(names) for j in places):
        raise RError("Can't subset columns past the end")
    return places, bool((numbers < 0).any())


def _selected_names(data: Value, dots: tuple[Any, ...]) -> list[str]:
    names = names_of(data) or []
    return [str(names[j]) for j, _ in _chosen(data, dots)]


def select(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return some columns, with new names where these are given; the columns of the groups stay."""
    data = _checked(_data, "select")
    chosen = _chosen(data, (*dots, *(Named(name, verb) for name, verb in named.items())))
    names = [str(name) for name in names_of(data) or []]
    kept = [j for j, _ in chosen]
    groups = [names.index(name) for name in _groups(data) if names.index(name) not in kept]
    found = (
        columns_of(data, integers(np.array([*groups, *kept]) + 1)) if groups or kept else columns_of(data, integers([]))
    )
    labels = strings([*(names[j] for j in groups), *(name for _, name in chosen)])
    return Value("list", found._data, found._attributes | {"names": labels}, data._hidden)


def _matching(test: Callable[[str], bool]) -> Value:
    return integers([j + 1.0 for j, name in enumerate(_NAMES.get()) if test(name)])


def starts_with(match: Any) -> Value:
    """Return the columns whose names begin with a text, in select()."""
    begun = str(one(match, "character")).lower()
    return _matching(lambda name: name.lower().startswith(begun))


def ends_with(match: Any) -> Value:
    """Return the columns whose names end with a text, in select()."""
    end = str(one(match, "character")).lower()
    return _matching(lambda name: name.lower().endswith(end))


def contains(match: Any) -> Value:
    """Return the columns whose names contain a text, in select()."""
    part = str(one(match, "character")).lower()
    return _matching(lambda name: part in name.lower())


def everything() -> Value:
    """Return all columns, in select()."""
    return _matching(lambda name: True)


def all_of(x: Any) -> Value:
    """Return the columns of these names, in select()."""
    return coerced(x, "character")


def any_of(x: Any) -> Value:
    """Return those columns of these names that there are, in select()."""
    wanted = set(coerced(x, "character")._data)
    return strings([name for name in _NAMES.get() if name in wanted])


one_of = all_of


def rename(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with new names of some columns."""
    data = _checked(_data, "rename")
    names = [str(name) for name in names_of(data) or []]
    new = list(names)
    items = [item for item in dots if isinstance(item, Named)] + [Named(name, verb) for name, verb in named.items()]
    if len(items) != len(dots) + len(named):
        raise RError("All renaming inputs must be named.")
    for j, name in _chosen(data, tuple(items)):
        new[j] = name
    groups = [new[names.index(name)] for name in _groups(data)]
    hidden = ("groups", groups) if groups else None
    return Value("list", data._data, data._attributes | {"names": strings(new)}, hidden)


def pull(_data: Any, var: Any = None) -> Any:
    """Return one column: the last one by default."""
    data = _checked(_data, "pull")
    at = len(data) - 1 if var is None else _chosen(data, (var,))[0][0]
    return data._data[at].copy()


# ---- rows ----------------------------------------------------------------------------------------


def _rows(data: Value, at: np.ndarray) -> Value:
    """Return some rows; dplyr counts them anew unless they have names."""
    columns = {name: of_rows(column, at) for name, column in _columns(data).items()}
    made = _frame(columns, len(at), data)
    rows = data._attributes["row.names"]
    if rows._kind == "character" and not inherits(data, "tbl_df"):
        return Value("list", made._data, made._attributes | {"row.names": strings(rows._data[at])}, made._hidden)
    return made


def filter(_data: Any, *dots: Any) -> Value:
    """Return the rows in which all conditions hold; a missing one does not."""
    data = _checked(_data, "filter")
    kept = np.zeros(row_count(data), dtype=bool)
    for rows in _keys(data, _groups(data))[0]:
        part = _part(data, rows)
        holds = np.ones(len(rows), dtype=bool)
        with _within(len(rows)):
            for verb in dots:
                found = as_value(verb(Mask(part)))
                if found._kind != "logical" or len(found) not in (1, len(rows)):
                    raise RError("Input must be a logical vector of the size of the data, or of size 1.")
                holds &= np.resize(found._data, len(rows)) == 1
        kept[rows] = holds
    return _rows(data, np.flatnonzero(kept))


def _part(data: Value, rows: np.ndarray) -> Value:
    if len(rows) == row_count(data):
        return data
    return _frame({name: of_rows(column, rows) for name, column in _columns(data).items()}, len(rows), data)


def desc(x: Any) -> Value:
    """Return numbers that order values the other way round."""
    return doubles(-_ranks(as_value(x)))


def arrange(_data: Any, *dots: Any) -> Value:
    """Return the rows in the order of columns; missing values come last."""
    data = _checked(_data, "arrange")
    with _within(row_count(data)):
        keys = [_ranks(as_value(verb(Mask(data)))) for verb in dots]
    return _rows(data, np.lexsort(keys[::-1]) if keys else np.arange(row_count(data)))


def slice(_data: Any, *dots: Any) -> Value:
    """Return rows by their numbers; negative ones leave out."""
    from pyrrf.script.subscripts import places

    data = _checked(_data, "slice")
    if _groups(data) or len(dots) != 1:
        raise NotMovedError("slice() of groups, or with several arguments")
    at = places(as_value(dots[0]), row_count(data), None)
    return _rows(data, at[at < row_count(data)])


def distinct(_data: Any, *dots: Any, _keep_all: Any = False) -> Value:
    """Return the rows that differ, the first of each kind."""
    data = _checked(_data, "distinct")
    chosen = select(data, *dots) if dots else data
    seen: dict[tuple[Any, ...], int] = {}
    ranks = [_ranks(column) for column in chosen._data]
    for at in range(row_count(data)):
        seen.setdefault(tuple(None if r[at] != r[at] else r[at] for r in ranks), at)
    return _rows(data if bool(as_value(_keep_all)) else chosen, np.array([*seen.values()], dtype=np.int64))


# ---- computed columns ----------------------------------------------------------------------------


def mutate(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with columns that are new, or computed anew, one after another."""
    data = _checked(_data, "mutate")
    items = [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]
    if any(not name for name, _ in items):
        raise NotMovedError("mutate() of an expression without a name")
    groups = _keys(data, _groups(data))[0]
    for name, verb in items:
        data = _computed(data, name, verb, groups)
    return data


def _computed(data: Value, name: str, verb: Verb, groups: list[np.ndarray]) -> Value:
    columns, parts = _columns(data), []
    for rows in groups:
        with _within(len(rows)):
            found = as_value(verb(Mask(_part(data, rows))))
        if is_null(found):
            columns.pop(name, None)
            return _same_rows(columns, data)
        if len(found) not in (1, len(rows)):
            raise RError(f"`{name}` must be size {len(rows)} or 1, not {len(found)}.")
        parts.append(recycled_column(found, len(rows)))
    columns[name] = parts[0] if len(parts) == 1 else _together(parts, groups, row_count(data))
    return _same_rows(columns, data)


def _same_rows(columns: dict[str, Any], data: Value) -> Value:
    about = data._attributes | {"names": strings(columns)}
    return Value("list", objects(columns.values()), about, data._hidden)


def _together(parts: list[Value], groups: list[np.ndarray], n: int) -> Value:
    """Return what was computed for groups as one column, in the order of the rows."""
    if any(is_factor(part) for part in parts) or len({part._kind for part in parts}) > 1:
        raise NotMovedError("mutate() by groups that give factors, or different kinds")
    data = objects([None] * n) if parts[0]._kind in ("character", "list") else np.zeros(n)
    for rows, part in zip(groups, parts, strict=True):
        data[rows] = part._data
    return Value(parts[0]._kind, data)


def transmute(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return the computed columns alone."""
    data = _checked(_data, "transmute")
    made = mutate(data, *dots, **named)
    names = [item.name for item in dots if isinstance(item, Named)] + [*named]
    return columns_of(made, strings([*_groups(data), *names]))


def summarise(_data: Any, *dots: Any, _groups_: Any = None, **named: Any) -> Value:
    """Return one row for each group."""
    data = _checked(_data, "summarise")
    items = [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]
    if any(not name for name, _ in items):
        raise NotMovedError("summarise() of an expression without a name")
    names = _groups(data)
    groups, first = _keys(data, names)
    columns = {name: of_rows(_columns(data)[name], np.array(first, dtype=np.int64)) for name in names}
    rows: list[dict[str, Any]] = [_summary(data, group, items) for group in groups]
    from pyrrf.script.vectors import c

    for name, _ in items:
        columns[name] = c(*[row[name] for row in rows]) if rows else doubles([])
    made = _frame(columns, len(groups), data)
    return _with_groups(made, names[:-1])


def _summary(data: Value, rows: np.ndarray, items: list[tuple[str, Verb]]) -> dict[str, Any]:
    part = _part(data, rows)
    found: dict[str, Any] = {}
    with _within(len(rows)):
        for name, verb in items:
            mask = Mask(part)
            mask._items.update(found)
            found[name] = as_value(verb(mask))
            if len(found[name]) != 1:
                raise NotMovedError("summarise() with several values for a group")
            found[name] = Value(found[name]._kind, found[name]._data, _unnamed(found[name]))
    return found


def _unnamed(x: Value) -> dict[str, Value]:
    return {name: part for name, part in x._attributes.items() if name not in ("names", "dim", "dimnames")}


summarize = summarise


def count(x: Any, *dots: Any, sort: Any = False, name: Any = None, **named: Any) -> Value:
    """Return how many rows each group has."""
    data = _checked(x, "count")
    label = "n" if name is None else str(one(name, "character"))
    grouped = group_by(data, *dots, **named)
    made = _with_groups(summarise(grouped, **{label: lambda m: n()}), _groups(data))
    made = Value("list", made._data, made._attributes | {"class": data._attributes["class"]}, data._hidden)
    return arrange(made, lambda m: desc(m[label])) if bool(as_value(sort)) else made


def tally(x: Any) -> Value:
    """Return how many rows each group has."""
    return summarise(x, n=lambda m: n())


# ---- in verbs ------------------------------------------------------------------------------------


def n() -> Value:
    """Return how many rows the group has."""
    group = _CURRENT.get()
    if group is None:
        raise RError("n() must only be used inside dplyr verbs.")
    return integers(group.size)


def row_number(x: Any = None) -> Value:
    """Return the numbers of the rows in the group."""
    if x is not None:
        raise NotMovedError("row_number() of a column")
    return integers(np.arange(1, int(n()) + 1))


def n_distinct(*dots: Any) -> Value:
    """Return how many different values there are."""
    ranks = [_ranks(as_value(item)) for item in dots]
    return integers(len({tuple(None if r[i] != r[i] else r[i] for r in ranks) for i in range(len(ranks[0]))}))


def first(x: Any) -> Any:
    """Return the first value."""
    return as_value(x)[[1]]


def last(x: Any) -> Any:
    """Return the last value."""
    found = as_value(x)
    return found[[len(found)]]


def if_else(condition: Any, true: Any, false: Any) -> Value:
    """Return values of one of two vectors of the same kind."""
    from pyrrf.script.vectors import ifelse

    test, yes, no = as_value(condition), as_value(true), as_value(false)
    if yes._kind != no._kind or is_factor(yes) or is_factor(no):
        raise NotMovedError("if_else() of different kinds, or of factors")
    return ifelse(Value("logical", test._data), yes, no)


def between(x: Any, left: Any, right: Any) -> Value:
    """Return whether values lie between two others."""
    found = as_value(x)
    return (found >= left) & (found <= right)
