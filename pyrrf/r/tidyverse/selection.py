"""Columns chosen by name, place, or a helper: select(), rename(), relocate(), pull(), across()."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar

import numpy as np

from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.base.texts import grep
from pyrrf.r.indexing.subscripts import columns_of
from pyrrf.r.tidyverse.groups import (
    columns,
    current,
    evaluate,
    extras,
    groups_of,
    named_items,
    same_rows,
    table_verb,
    tibble_of,
    with_groups,
)
from pyrrf.r.values.arguments import Mask, flag
from pyrrf.r.values.coercion import coerce, one
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Text, known_as, r_function
from pyrrf.r.values.kinds import is_list, is_null
from pyrrf.r.values.labels import known_names, names_of, row_count
from pyrrf.r.values.vector import Value, as_value, integers, logicals, objects, strings

_DATA: ContextVar[Value | None] = ContextVar("data", default=None)


class Places(Value):
    """Column numbers, from 1; `!`, `&` and `|` are set operations."""

    __slots__ = ()

    def copy(self) -> Places:
        """Return an independent copy."""
        return Places(self._kind, self._data, self._attributes)

    def __invert__(self) -> Places:
        return _places_of(place for place in range(1, len(_names()) + 1) if place not in self._data)

    def __and__(self, other: object) -> Places:
        return _places_of(place for place in self._data if place in _numbers(other))

    def __or__(self, other: object) -> Places:
        return _places_of(dict.fromkeys([*self._data, *_numbers(other)]))


def _places_of(numbers: Iterable[float]) -> Places:
    return Places("integer", np.array([*numbers], dtype=np.float64))


def _numbers(x: object) -> np.ndarray:
    if not isinstance(x, Places):
        raise NotSupportedError("select() by & or | of something other than a helper")
    return x._data


def _table() -> Value:
    data = _DATA.get()
    data = stop_none(data, "a helper of select() outside of a selection")
    return data


def _names() -> list[str]:
    return known_names(_table())


def _places_wanted(data: Value, verb: object) -> Value:
    """Return the value of an expression in which columns are their numbers."""
    names = known_names(data)
    places = Value("list", objects(_places_of([j + 1]) for j in range(len(names))), {"names": strings(names)})
    token = _DATA.set(data)
    try:
        wanted = evaluate(verb, Mask(places))
    finally:
        _DATA.reset(token)
    refuse_if(not isinstance(wanted, Value), "select() by a function outside of where()")
    return wanted


def choose(data: Value, dots: Iterable[object], named: Mapping[str, object] | None = None) -> list[tuple[int, str]]:
    """Return the columns that select() chooses: indices from 0, and their new names."""
    names = known_names(data)
    new_names: dict[int, str] = {}
    for number, (label, verb) in enumerate(named_items(dots, named or {})):
        places, left_out = _places(_places_wanted(data, verb), names)
        if left_out:
            new_names = new_names or (dict(enumerate(names)) if number == 0 else {})
            new_names = {j: name for j, name in new_names.items() if j not in places}
        elif label:
            new_names |= {j: f"{label}{suffix}" if len(places) > 1 else label for suffix, j in enumerate(places, 1)}
        else:
            new_names |= {j: names[j] for j in places if j not in new_names}
    stop_if(len(set(new_names.values())) != len(new_names), "Names must be unique.")
    return list(new_names.items())


def _places(wanted: Value, names: list[str]) -> tuple[list[int], bool]:
    """Return indices of columns from 0, and whether they are excluded."""
    if wanted._kind == "NULL":
        return [], False
    if wanted._kind == "character":
        unknown = [name for name in wanted._data if name not in names]
        if unknown:
            raise RError(f"Can't subset columns that don't exist: {unknown[0]}")
        return [names.index(name) for name in wanted._data], False
    if wanted._kind not in ("integer", "double") or wanted._attributes.keys() - {"names"}:
        raise NotSupportedError("select() by a condition")
    numbers = wanted._data
    refuse_if(names_of(wanted) is not None, "select() with names inside of c()")
    refuse_if((numbers < 0).any() and (numbers > 0).any(), "select() with columns and left out columns in one c()")
    places = [int(abs(v)) - 1 for v in numbers if v]
    stop_if(any(j >= len(names) for j in places), "Can't subset columns past the end")
    return places, bool((numbers < 0).any())


def choose_names(data: Value, dots: Iterable[object], verb: str) -> list[str]:
    """Return the names of columns chosen as in select(); refuse new names."""
    names = known_names(data)
    columns_by_index = choose(data, dots)
    refuse_if(any(names[j] != name for j, name in columns_by_index), f"{verb}() with new names")
    return [name for _, name in columns_by_index]


@table_verb(plain=True, masked=("...",))
@r_function()
def select(_data: Value, *dots: object, **named: object) -> Value:
    """Return some columns, optionally renamed; grouping columns are kept."""
    new_names = dict(choose(_data, dots, named))
    names = known_names(_data)
    groups = {j: names[j] for j in map(names.index, groups_of(_data)) if j not in new_names}
    table = columns_of(_data, integers([j + 1 for j in (*groups, *new_names)]))
    return _with_names(table, [*groups.values(), *new_names.values()], _data, new_names)


def _with_names(table: Value, names: Sequence[str], data: Value, changes: Mapping[int, str]) -> Value:
    """Return columns with new names; the groups of `data` take those that changed."""
    old = known_names(data)
    groups = [changes.get(old.index(name), name) for name in groups_of(data)]
    return with_groups(Value("list", table._data, table._attributes | {"names": strings(names)}), groups)


# ---- helpers -------------------------------------------------------------------------------------


def _name_helper(name: str, test: Callable[[str, str], bool], doc: str) -> Callable[..., Value]:
    def helper(match: Value, ignore_case: Flag = True) -> Value:
        fold: Callable[[str], str] = str.lower if ignore_case else str
        parts = [fold(str(word)) for word in coerce(match, "character")._data]
        places = [place for word in parts for place, name in enumerate(_names(), 1) if test(fold(name), word)]
        return _places_of(dict.fromkeys(places))

    return r_function(name, doc)(helper)


starts_with = _name_helper("starts_with", str.startswith, "Return columns whose names begin with a text, in select().")
ends_with = _name_helper("ends_with", str.endswith, "Return columns whose names end with a text, in select().")
contains = _name_helper("contains", str.__contains__, "Return columns whose names contain a text, in select().")


@r_function()
def matches(match: object, ignore_case: object = True) -> Value:
    """Return the columns whose names match a pattern, in select()."""
    return _places_of(grep(match, strings(_names()), ignore_case=ignore_case)._data)


@r_function(unsupported="width")
def num_range(prefix: Text, range: Value, width: object = None) -> Value:
    """Return the columns whose names are a text and a number, in select()."""
    return any_of(strings([f"{prefix}{int(number)}" for number in coerce(range, "double")._data]))


@r_function()
def everything() -> Value:
    """Return all columns, in select()."""
    return _places_of(range(1, len(_names()) + 1))


@r_function()
def last_col() -> Value:
    """Return the last column, in select()."""
    return _places_of([len(_names())])


@r_function()
def all_of(x: Value) -> Value:
    """Return the columns of these names, in select()."""
    return _places_of([j + 1 for j in _places(x, _names())[0]])


@r_function()
def any_of(x: Value) -> Value:
    """Return the existing columns of these names, in select()."""
    names = _names()
    return _places_of([names.index(name) + 1 for name in coerce(x, "character")._data if name in names])


@r_function()
def one_of(*dots: Value) -> Value:
    """Return the existing columns of these names, in select()."""
    return any_of(strings([name for vector in dots for name in coerce(vector, "character")._data]))


@r_function(called=("fn",))
def where(fn: object) -> Value:
    """Return the columns for which a function is true, in select()."""
    return _places_of([place for place, column in enumerate(_table()._data, 1) if flag(match_fun(fn)(column))])


# ---- names and order -----------------------------------------------------------------------------


@table_verb(masked=("...",))
@r_function()
def rename(_data: Value, *dots: object, **named: object) -> Value:
    """Return a table with new names of some columns."""
    stop_if(not all(label for label, _ in named_items(dots, named)), "All renaming inputs must be named.")
    return _rename_columns(_data, dict(choose(_data, dots, named)))


def _rename_columns(data: Value, changes: dict[int, str]) -> Value:
    names = known_names(data)
    new = [changes.get(j, name) for j, name in enumerate(names)]
    stop_if(len(set(new)) != len(new), "Names must be unique.")
    return _with_names(data, new, data, changes)


@table_verb(masked=("_cols",), called=("_fn",))
@r_function()
def rename_with(_data: Value, _fn: object, _cols: object = None, *dots: object, **named: object) -> Value:
    """Return a table with names that a function makes of the old ones."""
    names = known_names(_data)
    places = [*range(len(names))] if _cols is None else [j for j, _ in choose(_data, (_cols,))]
    new = call(match_fun(_fn), [strings([names[j] for j in places])], dots, named)
    return _rename_columns(_data, dict(zip(places, map(str, coerce(new, "character")._data), strict=True)))


@r_function(called=("_funs",))
def rename_all(_tbl: object, _funs: object, *dots: object, **named: object) -> Value:
    """Return a table with names that a function makes of the old ones."""
    return rename_with(_tbl, _funs, None, *dots, **named)


@table_verb(plain=True, masked=("...", "_before", "_after"))
@r_function()
def relocate(_data: Value, *dots: object, _before: object = None, _after: object = None, **named: object) -> Value:
    """Return a table with some columns in another position: first by default."""
    if named or (_before is not None and _after is not None):
        raise NotSupportedError("relocate() with new names, or with .before and .after")
    refuse_if(extras(_data), "relocate() of a table with further attributes")
    moving = [j for j, _ in choose(_data, dots)]
    place = 0
    if _before is not None:
        place = min(j for j, _ in choose(_data, (_before,)))
    elif _after is not None:
        place = max(j for j, _ in choose(_data, (_after,))) + 1
    staying = [j for j in range(len(_data)) if j not in moving]
    order = [j for j in staying if j < place] + moving + [j for j in staying if j >= place]
    items = list(columns(_data).items())
    return same_rows(dict(items[j] for j in order), _data)


@table_verb(masked=("var",))
@r_function()
def pull(_data: Value, var: object = None) -> Value:
    """Return one column: the last one by default."""
    if var is None:
        return _data._data[-1].copy()
    wanted = _places_wanted(_data, var)
    if wanted._kind != "character" and one(wanted, "double") < 0:
        return _data._data[len(_data) + int(one(wanted, "double"))].copy()
    return _data._data[_places(wanted, known_names(_data))[0][0]].copy()


# ---- across() ------------------------------------------------------------------------------------


def functions_of(fns: object) -> list[tuple[str, Callable[..., object]]]:
    """Return functions with their names; '' for a single one."""
    functions = as_value(fns)
    if is_null(functions):
        return [("", lambda x: x)]
    if not is_list(functions):
        return [("", match_fun(functions))]
    names = names_of(functions) or [""] * len(functions)
    return [
        (name or f"{j}", match_fun(item)) for j, (name, item) in enumerate(zip(names, functions._data, strict=True), 1)
    ]


def _across(cols: object, verb: str) -> dict[str, Value]:
    """Return the chosen columns of the current rows; all but the grouping columns by default."""
    table, groups = current(verb)
    data = columns_of(table, strings([name for name in known_names(table) if name not in groups]))
    own = columns(data)
    return own if cols is None else {name: own[name] for name in choose_names(data, (cols,), verb)}


@r_function(masked=("_cols",), called=("_fns",))
def across(
    _cols: object = None, _fns: object = None, *dots: object, _names: Text | None = None, **named: object
) -> Value:
    """Return functions of some columns as new columns, inside of mutate() or summarise()."""
    own = _across(_cols, "across")
    form = _names or ("{.col}_{.fn}" if is_list(as_value(_fns)) else "{.col}")
    answers: dict[str, Value] = {}
    for name, column in own.items():
        for number, (label, function) in enumerate(functions_of(_fns), 1):
            new = form.replace("{.col}", name).replace("{col}", name)
            new = new.replace("{.fn}", label or f"{number}").replace("{fn}", label or f"{number}")
            refuse_if("{" in new, "across() with computed names")
            answers[new] = as_value(call(function, [column], dots, named))
    return tibble_of(answers, max(map(len, answers.values()), default=0))


def _any_all(verb: str, decisive: float) -> Callable[..., Value]:
    @r_function(masked=("_cols",), called=("_fns",))
    def check_columns(_cols: object = None, _fns: object = None) -> Value:
        own, functions = _across(_cols, verb), functions_of(_fns)
        tests = [as_value(function(column)) for column in own.values() for _, function in functions]
        refuse_if(any(test._kind != "logical" for test in tests), f"{verb}() of values that are not logical")
        flags = np.array([test._data for test in tests]).reshape(len(tests), row_count(current(verb).data))
        open_ = np.where(np.isnan(flags).any(axis=0), np.nan, 1 - decisive)
        return logicals(np.where((flags == decisive).any(axis=0), decisive, open_))

    return known_as(check_columns, verb, f"Return where a condition holds for {verb[3:]} of some columns.")


if_any, if_all = _any_all("if_any", 1.0), _any_all("if_all", 0.0)
