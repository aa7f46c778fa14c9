"""Columns chosen by name, place, or a helper: select(), rename(), relocate(), pull(), across()."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.base.texts import grep
from pyrrf.r.indexing.subscripts import columns_of
from pyrrf.r.tidyverse.groups import checked, columns, current, extras, groups_of, same_rows, tibble_of, with_groups
from pyrrf.r.values.arguments import Mask, Named, flag, text
from pyrrf.r.values.attributes import is_list, known_names, names_of, row_count
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, objects, strings

_DATA: ContextVar[Value | None] = ContextVar("data", default=None)


class Places(Value):
    """Places of columns, from 1, that `!`, `&` and `|` take as sets."""

    __slots__ = ()

    def copy(self) -> Places:
        return Places(self._kind, self._data, self._attributes)

    def __invert__(self) -> Places:
        return _places_of([j + 1.0 for j in range(len(_names())) if j + 1 not in self._data])

    def __and__(self, other: Any) -> Places:
        return _places_of([v for v in self._data if v in _numbers(other)])

    def __or__(self, other: Any) -> Places:
        return _places_of(list(dict.fromkeys([*self._data, *_numbers(other)])))


def _places_of(numbers: list[float]) -> Places:
    return Places("integer", np.array(numbers, dtype=np.float64))


def _numbers(x: Any) -> list[float]:
    if not isinstance(x, Places):
        raise NotMovedError("select() by & or | of what is no helper")
    return [float(v) for v in x._data]


def _names() -> list[str]:
    data = _DATA.get()
    if data is None:
        raise RError("a helper of select() outside of a selection")
    return known_names(data)


def positions(data: Value) -> Mask:
    """Return a mask in which a column is its number."""
    names = known_names(data)
    return Mask(Value("list", objects(_places_of([j + 1.0]) for j in range(len(names))), {"names": strings(names)}))


def chosen(data: Value, dots: tuple[Any, ...]) -> list[tuple[int, str]]:
    """Return columns by what select() was given: places from 0, and their names afterwards."""
    names = known_names(data)
    token = _DATA.set(data)
    found: dict[int, str] = {}
    try:
        for number, item in enumerate(dots):
            label = item.name if isinstance(item, Named) else ""
            verb = item.value if isinstance(item, Named) else item
            wanted = verb(positions(data)) if callable(verb) and not isinstance(verb, Value) else verb
            if callable(wanted) and not isinstance(wanted, Value):
                raise NotMovedError("select() by a function outside of where()")
            places, left_out = _places(as_value(wanted), names)
            if left_out:
                found = found or (dict(enumerate(names)) if number == 0 else {})
                found = {j: name for j, name in found.items() if j not in places}
            else:
                many = label and len(places) > 1
                for at, j in enumerate(places):
                    new = f"{label}{at + 1}" if many else label or names[j]
                    if label:
                        found[j] = new
                    found.setdefault(j, new)
    finally:
        _DATA.reset(token)
    if len(set(found.values())) != len(found):
        raise RError("Names must be unique.")
    return list(found.items())


def _places(wanted: Value, names: list[str]) -> tuple[list[int], bool]:
    if wanted._kind == "NULL":
        return [], False
    if wanted._kind == "character":
        unknown = [name for name in wanted._data if name not in names]
        if unknown:
            raise RError(f"Can't subset columns that don't exist: {unknown[0]}")
        return [names.index(str(name)) for name in wanted._data], False
    if wanted._kind not in ("integer", "double") or wanted._attributes.keys() - {"names"}:
        raise NotMovedError("select() by a condition")
    numbers = coerced(wanted, "double")._data
    if names_of(wanted) is not None:
        raise NotMovedError("select() with names inside of c()")
    if (numbers < 0).any() and (numbers > 0).any():
        raise NotMovedError("select() with columns and left out columns in one c()")
    places = [int(abs(v)) - 1 for v in numbers if v]
    if any(j >= len(names) for j in places):
        raise RError("Can't subset columns past the end")
    return places, bool((numbers < 0).any())


def selected_names(data: Value, dots: tuple[Any, ...]) -> list[str]:
    """Return the names of the columns that dots choose."""
    names = names_of(data) or []
    return [str(names[j]) for j, _ in chosen(data, dots)]


@r_function(masked=("...",))
def select(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return some columns, with new names where these are given; the columns of the groups stay."""
    data = checked(_data, "select")
    picked = chosen(data, (*dots, *(Named(name, verb) for name, verb in named.items())))
    names = known_names(data)
    kept = [j for j, _ in picked]
    groups = [names.index(name) for name in groups_of(data) if names.index(name) not in kept]
    found = columns_of(data, integers(np.array([*groups, *kept], dtype=np.float64) + 1))
    labels = [*(names[j] for j in groups), *(name for _, name in picked)]
    made = Value("list", found._data, found._attributes | {"names": strings(labels)})
    if not groups_of(data):
        return made
    new = {names[j]: name for j, name in picked}
    return with_groups(made, [new.get(name, name) for name in groups_of(data)])


# ---- helpers -------------------------------------------------------------------------------------


def _matching(test: Callable[[str], bool]) -> Places:
    return _places_of([j + 1.0 for j, name in enumerate(_names()) if test(name)])


def _texts(match: Any, ignore_case: Any) -> tuple[list[str], Callable[[str], str]]:
    fold: Callable[[str], str] = str.lower if flag(ignore_case) else str
    return [fold(str(part)) for part in coerced(match, "character")._data], fold


def starts_with(match: Any, ignore_case: Any = True) -> Value:
    """Return the columns whose names begin with a text, in select()."""
    parts, fold = _texts(match, ignore_case)
    return _one_after_another(parts, lambda name, part: fold(name).startswith(part))


def ends_with(match: Any, ignore_case: Any = True) -> Value:
    """Return the columns whose names end with a text, in select()."""
    parts, fold = _texts(match, ignore_case)
    return _one_after_another(parts, lambda name, part: fold(name).endswith(part))


def contains(match: Any, ignore_case: Any = True) -> Value:
    """Return the columns whose names contain a text, in select()."""
    parts, fold = _texts(match, ignore_case)
    return _one_after_another(parts, lambda name, part: part in fold(name))


def _one_after_another(parts: list[str], test: Callable[[str, str], bool]) -> Places:
    found = [j + 1.0 for part in parts for j, name in enumerate(_names()) if test(name, part)]
    return _places_of(list(dict.fromkeys(found)))


def matches(match: Any, ignore_case: Any = True) -> Value:
    """Return the columns whose names match a pattern, in select()."""
    found = grep(match, strings(_names()), ignore_case=ignore_case)
    return _places_of([float(v) for v in found._data])


def num_range(prefix: Any, range: Any, width: Any = None) -> Value:
    """Return the columns whose names are a text and a number, in select()."""
    if width is not None:
        raise NotMovedError("num_range() with a width")
    wanted = [f"{text(prefix)}{int(v)}" for v in coerced(range, "double")._data]
    return _places_of([_names().index(name) + 1.0 for name in wanted if name in _names()])


def everything() -> Value:
    """Return all columns, in select()."""
    return _matching(lambda name: True)


def last_col() -> Value:
    """Return the last column, in select()."""
    return _places_of([float(len(_names()))])


def all_of(x: Any) -> Value:
    """Return the columns of these names, in select()."""
    wanted = as_value(x)
    return _places_of([j + 1.0 for j in _places(wanted, _names())[0]])


def any_of(x: Any) -> Value:
    """Return those columns of these names that there are, in select()."""
    return _places_of([_names().index(name) + 1.0 for name in coerced(x, "character")._data if name in _names()])


def one_of(*dots: Any) -> Value:
    """Return those columns of these names that there are, in select()."""
    return any_of(strings([name for part in dots for name in coerced(part, "character")._data]))


@r_function(called=("fn",), tilde=True)
def where(fn: Any) -> Value:
    """Return the columns for which a function is true, in select()."""
    data = _DATA.get()
    if data is None:
        raise RError("where() outside of a selection")
    return _places_of([j + 1.0 for j, column in enumerate(data._data) if flag(match_fun(fn)(column))])


# ---- names and order -----------------------------------------------------------------------------


@r_function(masked=("...",))
def rename(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with new names of some columns."""
    data = checked(_data, "rename")
    items = [item for item in dots if isinstance(item, Named)] + [Named(name, verb) for name, verb in named.items()]
    if len(items) != len(dots) + len(named):
        raise RError("All renaming inputs must be named.")
    return _renamed(data, dict(chosen(data, tuple(items))))


def _renamed(data: Value, changes: dict[int, str]) -> Value:
    names = known_names(data)
    new = [changes.get(j, name) for j, name in enumerate(names)]
    if len(set(new)) != len(new):
        raise RError("Names must be unique.")
    made = Value("list", data._data, data._attributes | {"names": strings(new)})
    return with_groups(made, [new[names.index(name)] for name in groups_of(data)]) if groups_of(data) else made


@r_function(masked=("_cols",), called=("_fn",), tilde=True)
def rename_with(_data: Any, _fn: Any, _cols: Any = None, *dots: Any, **named: Any) -> Value:
    """Return a table with names that a function makes of the old ones."""
    data = checked(_data, "rename_with")
    names = known_names(data)
    places = [*range(len(names))] if _cols is None else [j for j, _ in chosen(data, (_cols,))]
    new = call(match_fun(_fn), [strings([names[j] for j in places])], dots, named)
    return _renamed(data, dict(zip(places, map(str, coerced(new, "character")._data), strict=True)))


@r_function(called=("_funs",), tilde=True)
def rename_all(_tbl: Any, _funs: Any, *dots: Any, **named: Any) -> Value:
    """Return a table with names that a function makes of the old ones."""
    return rename_with(_tbl, _funs, None, *dots, **named)


@r_function(masked=("...", "_before", "_after"))
def relocate(_data: Any, *dots: Any, _before: Any = None, _after: Any = None, **named: Any) -> Value:
    """Return a table with some columns elsewhere: first by default."""
    data = checked(_data, "relocate")
    if named or (_before is not None and _after is not None):
        raise NotMovedError("relocate() with new names, or with .before and .after")
    if extras(data):
        raise NotMovedError("relocate() of a table with further attributes")
    n = len(data)
    moving = [j for j, _ in chosen(data, dots)]
    if _before is not None:
        at = min(j for j, _ in chosen(data, (_before,)))
    elif _after is not None:
        at = max(j for j, _ in chosen(data, (_after,))) + 1
    else:
        at = 0
    order = [j for j in range(at) if j not in moving] + moving + [j for j in range(at, n) if j not in moving]
    found = list(columns(data).items())
    return same_rows(dict(found[j] for j in order), data)


@r_function(masked=("var",))
def pull(_data: Any, var: Any = None) -> Any:
    """Return one column: the last one by default."""
    data = checked(_data, "pull")
    if var is None:
        return data._data[-1].copy()
    token = _DATA.set(data)
    try:
        wanted = as_value(var(positions(data)) if callable(var) else var)
    finally:
        _DATA.reset(token)
    if wanted._kind != "character" and one(wanted, "double") < 0:
        return data._data[len(data) + int(one(wanted, "double"))].copy()
    return data._data[_places(wanted, known_names(data))[0][0]].copy()


# ---- across() ------------------------------------------------------------------------------------


def functions_of(fns: Any) -> list[tuple[str, Any]]:
    """Return functions with their names; the name of one alone is ''."""
    found = as_value(fns)
    if is_null(found):
        return [("", lambda x: x)]
    if not is_list(found):
        return [("", match_fun(found))]
    names = names_of(found) or [""] * len(found)
    return [
        (name or f"{at + 1}", match_fun(item)) for at, (name, item) in enumerate(zip(names, found._data, strict=True))
    ]


def _across(cols: Any, verb: str) -> tuple[Value, list[str]]:
    rows = current()
    if rows is None or rows.data is None:
        raise RError(f"{verb}() must only be used inside dplyr verbs.")
    kept = [name for name in names_of(rows.data) or [] if name not in rows.groups]
    data = columns_of(rows.data, strings(kept))
    if cols is None:
        return data, [str(name) for name in kept]
    picked = chosen(data, (cols,))
    if any(kept[j] != name for j, name in picked):
        raise NotMovedError(f"{verb}() with new names")
    return data, [name for _, name in picked]


@r_function(masked=("_cols",), called=("_fns",), tilde=True)
def across(_cols: Any = None, _fns: Any = None, *dots: Any, _names: Any = None, **named: Any) -> Value:
    """Return what functions give for some columns, as columns, inside of mutate() or summarise()."""
    data, names = _across(_cols, "across")
    functions = functions_of(_fns)
    plain = not is_list(as_value(_fns)) or is_null(_fns)
    form = ("{.col}" if plain else "{.col}_{.fn}") if _names is None else text(_names)
    found: dict[str, Any] = {}
    own = columns(data)
    for name in names:
        for number, (label, function) in enumerate(functions):
            new = form.replace("{.col}", name).replace("{col}", name)
            label = label or f"{number + 1}"
            new = new.replace("{.fn}", label).replace("{fn}", label)
            if "{" in new:
                raise NotMovedError("across() with computed names")
            found[new] = as_value(call(function, [own[name]], dots, named))
    return tibble_of(found, max((len(column) for column in found.values()), default=0))


def _any_all(cols: Any, fns: Any, verb: str) -> np.ndarray:
    data, names = _across(cols, verb)
    own = columns(data)
    tests = [as_value(function(own[name])) for name in names for _, function in functions_of(fns)]
    if any(test._kind != "logical" for test in tests):
        raise NotMovedError(f"{verb}() of what is not logical")
    return np.array([test._data for test in tests]).reshape(len(tests), row_count(data))


@r_function(masked=("_cols",), called=("_fns",), tilde=True)
def if_any(_cols: Any = None, _fns: Any = None) -> Value:
    """Return where a condition holds for any of some columns."""
    found = _any_all(_cols, _fns, "if_any")
    gap = np.isnan(found).any(axis=0)
    return Value("logical", np.where((found == 1).any(axis=0), 1.0, np.where(gap, np.nan, 0.0)))


@r_function(masked=("_cols",), called=("_fns",), tilde=True)
def if_all(_cols: Any = None, _fns: Any = None) -> Value:
    """Return where a condition holds for all of some columns."""
    found = _any_all(_cols, _fns, "if_all")
    gap = np.isnan(found).any(axis=0)
    return Value("logical", np.where((found == 0).any(axis=0), 0.0, np.where(gap, np.nan, 1.0)))


__all__ = ["chosen", "functions_of", "selected_names"]
