"""dplyr's verbs on data frames: each takes functions of a mask, in which a column is a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any

import numpy as np

from pyrrf.r.base.chance import sample_int
from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.base.sums import sum as total
from pyrrf.r.base.vectors import list as list_
from pyrrf.r.indexing.replacement import recycled_column
from pyrrf.r.indexing.subscripts import columns_of, places
from pyrrf.r.tidyverse.groups import (
    Verb,
    by_groups,
    check_column,
    columns,
    combine_vectors,
    current,
    evaluate,
    extras,
    groups_of,
    keys_of,
    mask,
    named_items,
    ranks,
    rebuild_table,
    rows_at,
    rows_by_key,
    rows_of_columns,
    same_rows,
    table_verb,
    with_groups,
)
from pyrrf.r.tidyverse.selection import choose, choose_names, functions_of, select
from pyrrf.r.tidyverse.vectors import min_rank
from pyrrf.r.values.arguments import Mask, Named, flag, named, number
from pyrrf.r.values.coercion import attrs, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, known_as, r_function
from pyrrf.r.values.kinds import inherits, is_frame, is_list, is_null
from pyrrf.r.values.labels import dim_of, names_of, row_count
from pyrrf.r.values.vector import Value, as_value, doubles, integers, objects, strings
from pyrrf.rbase.numbers import round as rounded

# ---- groups --------------------------------------------------------------------------------------


@table_verb(unsupported="_drop", masked=("...",))
@r_function()
def group_by(_data: Value, *dots: object, _add: Flag = False, _drop: Flag = True, **named: object) -> Value:
    """Return a table with groups of rows: by columns, or by computed values."""
    before = groups_of(_data) if _add else []
    refuse_if(any(isinstance(item, Named) for item in dots), "group_by() of columns behind computed ones")
    names = choose_names(_data, dots, "group_by")
    if named:
        _data = mutate(ungroup(_data), **named)
    return with_groups(_data, list(dict.fromkeys([*before, *names, *named])))


@table_verb()
@r_function()
def ungroup(x: Value) -> Value:
    """Return a table without groups."""
    return with_groups(x, [])


# ---- rows ----------------------------------------------------------------------------------------


@table_verb(unsupported="_preserve", masked=("...",))
@r_function()
def filter(_data: Value, *dots: object, _preserve: Flag = False) -> Value:
    """Return the rows in which all conditions hold; a missing one does not."""

    def holds(group: Value) -> np.ndarray:
        n = row_count(group)
        held = np.ones(n, dtype=bool)
        for verb in dots:
            condition = evaluate(verb, mask(group))
            if condition._kind != "logical" or dim_of(condition) is not None or len(condition) not in (1, n):
                raise RError("Input must be a logical vector of the size of the data, or of size 1.")
            held &= np.resize(condition._data, n) == 1
        return held

    wanted = [rows[held] for rows, held in by_groups(_data, holds)]
    return rows_at(_data, np.sort(np.concatenate([[], *wanted])))


@r_function()
def desc(x: Item) -> Value:
    """Return numbers that order values the other way round."""
    return doubles(-ranks(x))


@table_verb(unsupported="_by_group", masked=("...",))
@r_function()
def arrange(_data: Value, *dots: object, _by_group: Flag = False) -> Value:
    """Return the rows in the order of columns; missing values come last."""
    n = row_count(_data)
    values = by_groups(ungroup(_data), lambda table: [evaluate(verb, mask(table)) for verb in dots])[0][1]
    parts = [column for value in values for column in (value._data if is_frame(value) else [value])]
    refuse_if(any(len(column) != n for column in parts), "arrange() by something other than a column")
    return rows_at(_data, np.lexsort([ranks(column) for column in parts[::-1]]) if parts else np.arange(n))


def _row_verb(**facts: Any) -> Callable[[Callable[..., np.ndarray]], Callable[..., Value]]:
    """Return a decorator that makes a verb of a function returning the rows of a group to keep, from 0."""

    def decorate(choose_rows: Callable[..., np.ndarray]) -> Callable[..., Value]:
        @table_verb(**facts)
        @wraps(choose_rows)
        def verb(data: Value, *dots: object, **named: object) -> Value:
            groups = by_groups(data, lambda group: choose_rows(group, *dots, **named))
            return rows_at(data, np.concatenate([[], *(rows[inside] for rows, inside in groups)]))

        return verb

    return decorate


@_row_verb(masked=("...",))
@r_function()
def slice(_data: Value, *dots: object) -> np.ndarray:
    """Return rows by their numbers; negative ones leave out."""
    refuse_if(len(dots) != 1, "slice() with several arguments")
    numbers = evaluate(dots[0], mask(_data))
    refuse_if(numbers._kind not in ("integer", "double"), "slice() by something other than numbers")
    indices = places(numbers, row_count(_data), None)
    return indices[(indices < row_count(_data)) & (indices >= 0)]


def _size(group: Value, n: object, prop: object, most: bool = True) -> int:
    """Return the number of rows to take of a group: one by default; with `most` at most all."""
    stop_if(n is not None and prop is not None, "Must supply `n` or `prop`, but not both.")
    rows = row_count(group)
    size = number(1 if n is None else n) if prop is None else np.floor(number(prop) * rows)
    refuse_if(size < 0, "rows by a negative size")
    return min(int(size), rows) if most else int(size)


@_row_verb(unsupported="dots")
@r_function()
def slice_head(_data: Value, *dots: object, n: object = None, prop: object = None) -> np.ndarray:
    """Return the first rows."""
    return np.arange(_size(_data, n, prop))


@_row_verb(unsupported="dots")
@r_function()
def slice_tail(_data: Value, *dots: object, n: object = None, prop: object = None) -> np.ndarray:
    """Return the last rows."""
    return np.arange(row_count(_data))[row_count(_data) - _size(_data, n, prop) :]


def _extreme_rows(name: str, sign: int, doc: str) -> Callable[..., Value]:
    def pick(
        _data: Value, order_by: Verb, *dots: object, n: object = None, prop: object = None, with_ties: Flag = True
    ) -> np.ndarray:
        values = sign * ranks(as_value(order_by(mask(_data))))
        many = _size(_data, n, prop)
        if with_ties:
            known = np.sort(values[~np.isnan(values)])
            many = int((np.searchsorted(known, known) < many).sum())
        return np.argsort(values, kind="stable")[:many]

    return _row_verb(unsupported="dots", masked=("order_by",))(known_as(pick, name, doc))


slice_max = _extreme_rows("slice_max", -1, "Return the rows with the greatest values, the greatest first.")
slice_min = _extreme_rows("slice_min", 1, "Return the rows with the least values, the least first.")


@table_verb(masked=("wt",))
@r_function()
def top_n(x: Value, n: Number, wt: Verb | None = None) -> Value:
    """Return the rows with the greatest values of a column; for a negative `n` the least."""

    def among_first(m: Mask) -> Value:
        column = m[".data"]._data[-1] if wt is None else as_value(wt(m))
        return min_rank(doubles(ranks(column) * (-1 if n > 0 else 1))) <= abs(n)

    return filter(x, among_first)


def _draw_places(n: int, size: int, replace: bool) -> np.ndarray:
    return sample_int(n, size, replace)._data.astype(np.int64) - 1


@_row_verb(unsupported="weight", does="draws")
@r_function()
def sample_n(tbl: Value, size: Whole, replace: Flag = False, weight: object = None) -> np.ndarray:
    """Return rows drawn by R's stream."""
    stop_if(size > row_count(tbl) and not replace, "size must be less or equal than the size of the data")
    return _draw_places(row_count(tbl), size, replace)


@_row_verb(unsupported="weight", does="draws")
@r_function()
def sample_frac(tbl: Value, size: Number = 1, replace: Flag = False, weight: object = None) -> np.ndarray:
    """Return a share of the rows, drawn by R's stream."""
    stop_if(size > 1 and not replace, "size of sampled fraction must be less or equal to one")
    return _draw_places(row_count(tbl), int(np.ravel(rounded(row_count(tbl) * size))[0]), replace)


@_row_verb(unsupported="dots weight_by", does="draws")
@r_function()
def slice_sample(
    _data: Value, *dots: object, n: object = None, prop: object = None, weight_by: object = None, replace: Flag = False
) -> np.ndarray:
    """Return rows drawn by R's stream."""
    return _draw_places(row_count(_data), _size(_data, n, prop, most=not replace), replace)


@table_verb(plain=True, masked=("...",))
@r_function()
def distinct(_data: Value, *dots: object, _keep_all: Flag = False) -> Value:
    """Return the rows that differ, the first of each kind."""
    refuse_if(extras(_data), "distinct() of a table with further attributes")
    selection = select(_data, *dots) if dots else _data
    first = [rows[0] for rows in rows_by_key(keys_of([*selection._data])).values()]
    return rows_at(_data if _keep_all else selection, np.array(first))


# ---- computed columns ----------------------------------------------------------------------------


@table_verb(plain=True, unsupported="_keep _before _after", masked=("...",))
@r_function()
def mutate(
    _data: Value, *dots: object, _keep: object = None, _before: object = None, _after: object = None, **named: object
) -> Value:
    """Return a table with columns that are new, or computed anew, one after another."""
    items = named_items(dots, named)
    stop_if(any(name in groups_of(_data) for name, _ in items), "Can't modify grouping columns.")
    for name, verb in items:
        _data = _compute_column(_data, name, verb)
    return _data


def _compute_column(data: Value, name: str, verb: object) -> Value:
    groups = by_groups(data, lambda group: evaluate(verb, mask(group)))
    by_name, rows = columns(data), [rows for rows, _ in groups]
    new = _new_columns(name, [column for _, column in groups])
    if not new:
        by_name.pop(name, None)
    for label, parts in new.items():
        check_column(parts[0])
        full = [_recycle(column, len(group_rows), label) for column, group_rows in zip(parts, rows, strict=True)]
        by_name[label] = full[0] if len(full) == 1 else _join_groups(full, rows)
    return same_rows(by_name, data)


def _new_columns(name: str, parts: Sequence[Value]) -> dict[str, list[Value]]:
    """Return new columns, in pieces by group: a named one, or those of across(); none for NULL."""
    if not name:
        refuse_if(not all(map(is_frame, parts)), "mutate() of an expression without a name")
        return {label: [columns(table)[label] for table in parts] for label in columns(parts[0])}
    refuse_if(not all(isinstance(table, Value) for table in parts), "mutate() that gives functions")
    if all(map(is_null, parts)):
        return {}
    refuse_if(any(map(is_frame, parts)), "mutate() of a data frame with a name")
    return {name: [*parts]}


def _recycle(column: Value, n: int, name: str) -> Value:
    rows = (dim_of(column) or (len(column),))[0]
    stop_if(rows not in (1, n), f"`{name}` must be size {n} or 1, not {rows}.")
    return column.copy() if rows == n else recycled_column(column, n)


def _join_groups(parts: Sequence[Value], groups: Sequence[np.ndarray]) -> Value:
    """Return the values computed for groups as one column, in the order of the rows."""
    joined = combine_vectors([_drop_names(column) for column in parts])
    return Value(joined._kind, joined._data[np.argsort(np.concatenate(groups))], joined._attributes)


def _drop_names(x: Value) -> Value:
    refuse_if(dim_of(x) is not None or inherits(x, "table"), "matrices or tables as columns of groups")
    return without(x, "names")


@table_verb(plain=True, masked=("...",))
@r_function()
def transmute(_data: Value, *dots: object, **named: object) -> Value:
    """Return the computed columns alone."""
    names = [name for name, _ in named_items(dots, named)]
    refuse_if(not all(names), "transmute() of an expression without a name")
    groups = groups_of(_data)
    table = columns_of(mutate(_data, *dots, **named), strings(dict.fromkeys([*groups, *names])))
    return with_groups(table, groups)


@table_verb(plain=True, masked=("...",))
@r_function()
def summarise(_data: Value, *dots: object, _groups: Text | None = None, **named: object) -> Value:
    """Return one row for each group."""
    items, names = named_items(dots, named), groups_of(_data)
    left = {None: names[:-1], "drop_last": names[:-1], "drop": [], "keep": names}
    refuse_if(_groups not in left, f"summarise() with .groups = {_groups!r}")
    groups = by_groups(_data, lambda group: _summary(group, items))
    refuse_if(not groups, "summarise() of a grouped table without rows")
    new = rows_of_columns(_data, np.concatenate([rows[:1] for rows, _ in groups]), names)
    summaries = [summary for _, summary in groups]
    for name in summaries[0]:
        refuse_if(any(name not in summary for summary in summaries), "summarise() with other columns by group")
        new[name] = _stack_values([summary[name] for summary in summaries])
    classes = strings([name for name in _data._attributes["class"]._data if name != "grouped_df"])
    return with_groups(rebuild_table(new, len(groups), Value("list", _data._data, {"class": classes})), left[_groups])


def _summary(group: Value, items: Sequence[tuple[str, object]]) -> dict[str, Value]:
    by_name: dict[str, Value] = {}
    for name, verb in items:
        scope = Mask(group)
        scope._items.update(by_name)
        value = evaluate(verb, scope)
        check_column(value)
        refuse_if(not name and not is_frame(value), "summarise() of an expression without a name")
        refuse_if(name and is_frame(value), "summarise() of a data frame with a name")
        for label, item in [(name, value)] if name else columns(value).items():
            if not isinstance(item, Value) or len(item) != 1:
                raise NotSupportedError("summarise() with several values for a group, or none")
            by_name[label] = item
    return by_name


def _stack_values(parts: Sequence[Value]) -> Value:
    """Concatenate the single values of groups to one column, with their names."""
    joined = combine_vectors([_drop_names(column) for column in parts])
    labels = [names_of(column) for column in parts]
    if all(label is None for label in labels):
        return joined
    refuse_if(None in labels, "summarise() of values of which some have names")
    names = strings([label for column in labels for label in column or []])
    return Value(joined._kind, joined._data, joined._attributes | {"names": names})


summarize = summarise


def _counts(label: str, wt: Verb | None) -> Named:
    return named(label, lambda m: n() if wt is None else total(wt(m), na_rm=True))


def _sorted_by(table: Value, label: str, sort: bool) -> Value:
    return arrange(table, lambda m: desc(m[label])) if sort else table


@table_verb(masked=("...", "wt"))
@r_function()
def count(
    x: Value, *dots: object, wt: Verb | None = None, sort: Flag = False, name: Text = "n", **named_: object
) -> Value:
    """Count the rows of each group."""
    grouped = group_by(x, *dots, _add=True, **named_)
    refuse_if(name in groups_of(grouped), "count() of a column n")
    counts = summarise(grouped, _counts(name, wt), _groups="drop")
    like = Value("list", x._data, attrs(ungroup(x), "class") | extras(x))
    counts = _sorted_by(rebuild_table(columns(counts), row_count(counts), like), name, sort)
    return with_groups(counts, groups_of(x))


@r_function(masked=("wt",))
def tally(x: Value, wt: Verb | None = None, sort: Flag = False, name: Text = "n") -> Value:
    """Count the rows of each group."""
    return _sorted_by(summarise(x, _counts(name, wt)), name, sort)


@table_verb(unsupported="sort", masked=("...", "wt"))
@r_function()
def add_count(x: Value, *dots: object, wt: Verb | None = None, sort: Flag = False, name: Text = "n") -> Value:
    """Return a table with a column of the group size of each row."""
    refuse_if(groups_of(x) or name in columns(x), "add_count() of groups, or with a column n")
    table = mutate(with_groups(x, choose_names(x, dots, "add_count")), _counts(name, wt))
    return rebuild_table(columns(table), row_count(table), x)


# ---- many columns at once ------------------------------------------------------------------------


@r_function(masked=("...",))
def vars(*dots: object) -> Value:
    """Return a selection of columns for the verbs that end in ``_at``."""
    return Value("list", objects(dots), {"class": strings("vars")})


@r_function()
def funs(*dots: object, **named_: object) -> Value:
    """Return functions for the verbs that end in ``_at``, ``_if`` and ``_all``."""
    return list_(*dots, **named_)


def _all(data: Value) -> list[str]:
    """Return the columns other than the grouping columns."""
    return [name for name in columns(data) if name not in groups_of(data)]


def _at(data: Value, wanted: object) -> list[str]:
    dots = wanted._data if isinstance(wanted, Value) and inherits(wanted, "vars") else (wanted,)
    return [name for _, name in choose(data, dots) if name not in groups_of(data)]


def _if(data: Value, predicate: object) -> list[str]:
    """Return the columns for which a function or a flag is true."""
    own, flags = columns(data), as_value(predicate)
    if callable(flags) or flags._kind != "logical":
        return [name for name in _all(data) if flag(match_fun(predicate)(own[name]))]
    refuse_if(len(flags) != len(data) or groups_of(data), "columns by flags of another length, or with groups")
    return [name for name, wanted in zip(own, flags._data, strict=True) if wanted == 1]


def _verbs(names: Sequence[str], funs_: object, dots: Sequence[object], named_: Mapping[str, object]) -> list[Named]:
    """Return expressions of new columns: each of some functions of each of some columns."""
    functions_ = as_value(funs_)
    functions = functions_of(functions_)
    labelled = is_list(functions_) and names_of(functions_) is not None
    refuse_if(not labelled and len(functions) > 1, "functions without names for several columns")

    def verb(function: Callable[..., object], name: str) -> Callable[[Mask], object]:
        return lambda m: call(function, [m[name]], dots, named_)

    expressions = []
    for label, function in functions:
        for name in names:
            new = name if not labelled else label if len(names) == 1 else f"{name}_{label}"
            expressions.append(named(new, verb(function, name)))
    refuse_if(len({item.name for item in expressions}) != len(expressions), "columns of equal names")
    return expressions


def _scoped_forms(verb: Callable[..., Value], what: str) -> Iterator[Callable[..., Value]]:
    """Yield the forms of a verb for many columns."""

    def at(_tbl: Value, _vars: object, _funs: object, *dots: object, **named: object) -> Value:
        return verb(_tbl, *_verbs(_at(_tbl, _vars), _funs, dots, named))

    def if_(_tbl: Value, _predicate: object, _funs: object, *dots: object, **named: object) -> Value:
        return verb(_tbl, *_verbs(_if(_tbl, _predicate), _funs, dots, named))

    def all_(_tbl: Value, _funs: object, *dots: object, **named: object) -> Value:
        return verb(_tbl, *_verbs(_all(_tbl), _funs, dots, named))

    forms: list[tuple[str, Callable[..., Value], str]] = [
        ("at", at, "some columns"),
        ("if", if_, "the columns for which a condition holds"),
        ("all", all_, "all columns"),
    ]
    for end, form, which in forms:
        callables = ("_predicate", "_funs") if end == "if" else ("_funs",)
        yield table_verb(plain=True, called=callables)(known_as(form, f"{verb.__name__}_{end}", f"{what} of {which}."))


mutate_at, mutate_if, mutate_all = _scoped_forms(mutate, "Return a table with functions")
summarise_at, summarise_if, summarise_all = _scoped_forms(summarise, "Return a row for each group, functions")
summarize_at, summarize_if, summarize_all = summarise_at, summarise_if, summarise_all


@table_verb(plain=True, called=("_predicate",))
@r_function()
def select_if(_tbl: Value, _predicate: object) -> Value:
    """Return the columns for which a condition holds."""
    refuse_if(groups_of(_tbl), "select_if() of groups")
    return select(_tbl, strings(_if(_tbl, _predicate)))


# ---- in verbs ------------------------------------------------------------------------------------


@r_function()
def n() -> Value:
    """Return the number of rows of the group."""
    return integers(row_count(current("n").data))
