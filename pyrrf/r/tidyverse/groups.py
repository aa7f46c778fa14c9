"""Shared code of dplyr's verbs: tables and their groups, data masks, vectors combined as vctrs does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pyrrf.r.base.frames import row_ids
from pyrrf.r.indexing.subscripts import of_rows
from pyrrf.r.values.arguments import Mask, Named
from pyrrf.r.values.coercion import attrs, coerce, factor_labels, without, without_spec
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_none
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list, is_missing, is_na_mark
from pyrrf.r.values.labels import dim_of, known_names, names_of, row_count
from pyrrf.r.values.same import are_identical
from pyrrf.r.values.vector import KINDS, NUMBERS, Value, as_value, integers, logicals, missing_number, objects, strings
from pyrrf.rbase.collate import coded_strings

TIBBLE = ["tbl_df", "tbl", "data.frame"]
Verb = Callable[[Mask], object]
"""An expression in which columns are names."""
_Result = TypeVar("_Result")
_Key = TypeVar("_Key")


class Current(NamedTuple):
    """The current rows of a verb, and the grouping columns."""

    data: Value
    groups: Sequence[str]


_CURRENT: ContextVar[Current | None] = ContextVar("group", default=None)


def current(function: str) -> Current:
    """Return the current rows and groups for n(), row_number() and across(); stop outside of verbs."""
    scope = _CURRENT.get()
    scope = stop_none(scope, f"{function}() must only be used inside dplyr verbs.")
    return scope


def is_in_verb() -> bool:
    """Whether a verb computes."""
    return _CURRENT.get() is not None


def evaluate(verb: object, scope: Mask) -> Any:
    """Return the value of an expression of columns, or a plain value unchanged."""
    return as_value(verb(scope) if callable(verb) else verb)


def mask(table: Value) -> Mask:
    """Return the names of a verb: the columns, and the table as `.data`."""
    names = Mask(table)
    names._items[".data"] = table
    return names


def named_items(dots: Iterable[object], named: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return the names ('' without one) and expressions of the arguments in R's ``...``."""
    return [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]


# ---- tables and groups ---------------------------------------------------------------------------


def require_table(data: object, verb: str, plain: bool = False) -> Value:
    """Return a data frame; a `plain` one, without readr's class, if the verb takes columns by `[`."""
    table = as_value(data)
    refuse_if(not is_frame(table), f"{verb}() of something other than a data frame")
    table = without_spec(table) if plain else table
    if any(name not in (*TIBBLE, "grouped_df", "spec_tbl_df") for name in table._attributes["class"]._data):
        raise NotSupportedError(f"{verb}() of class {table._attributes['class']._data[0]}")
    return table


def table_verb(
    plain: bool = False, grouped: bool = True, **facts: Any
) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Decorate as `r_function` a verb whose first argument is a data frame, checked by `require_table`.

    Unless `grouped`, a table of groups, or with further attributes, is refused.
    """

    def decorate(function: Callable[..., _Result]) -> Callable[..., _Result]:
        declared = r_function(**facts)(function)
        first = next(iter(signature(function).parameters))

        @wraps(declared)
        def wrapper(*args: Any, **named: Any) -> _Result:
            data = require_table(args[0] if args else named.pop(first, None), function.__name__, plain)
            if not grouped and (groups_of(data) or extras(data)):
                raise NotSupportedError(f"{function.__name__}() of groups, or of a table with further attributes")
            return declared(data, *args[1:], **named)

        return wrapper

    return decorate


def columns(data: Value) -> dict[str, Value]:
    """Return the columns of a table by their names."""
    names = known_names(data)
    refuse_if(len(set(names)) != len(names), "a table with columns of the same name")
    return dict(zip(names, data._data, strict=True))


def check_column(x: Item) -> None:
    """Refuse values that are not vectors for dplyr: a formula, and a list with a class."""
    if isinstance(x, Value) and (x._kind == "language" or (is_list(x) and not inherits(x, "data.frame", "AsIs"))):
        for name in classes(x):
            raise NotSupportedError(f"a column of class {name}")


def of_columns(by_name: Mapping[str, Value], about: Mapping[str, Value]) -> Value:
    """Build a table of columns, with the attributes of another."""
    return Value("list", objects(by_name.values()), {**about, "names": strings(by_name)})


def tibble_of(by_name: Mapping[str, Value], n: int) -> Value:
    """Build a tibble of columns."""
    return of_columns(by_name, {"row.names": row_ids(n), "class": strings(TIBBLE)})


def extras(data: Value) -> dict[str, Value]:
    """Return the additional attributes of a table, such as na.action."""
    return without(data, "names", "row.names", "class", "groups", ".drop")._attributes


def groups_of(data: Value) -> list[str]:
    """Return the grouping columns of a table."""
    groups = data._attributes.get("groups")
    return [] if groups is None else known_names(groups)[:-1]


def with_groups(data: Value, names: Sequence[str]) -> Value:
    """Return a table grouped by some columns."""
    if not names:
        plain = attrs(data, "names", "row.names") | {"class": strings(TIBBLE)}
        return Value("list", data._data, plain) if inherits(data, "grouped_df") else data
    n = row_count(data)
    table = Value("list", data._data, without(data, "groups")._attributes | {"row.names": row_ids(n)})
    rows, first = row_groups(table, names)
    about = {"ptype": integers([]), "class": strings(["vctrs_list_of", "vctrs_vctr", "list"])}
    places = Value("list", objects([integers(group + 1.0) for group in rows]), about)
    keys = tibble_of({**rows_of_columns(table, first, names), ".rows": places}, len(rows))
    groups = Value("list", keys._data, keys._attributes | {".drop": logicals(True)})
    return Value("list", data._data, table._attributes | {"class": strings(["grouped_df", *TIBBLE]), "groups": groups})


def rows_of_columns(data: Value, places: np.ndarray, names: Sequence[str] | None = None) -> dict[str, Value]:
    """Return rows, by their indices from 0, of some columns; of all without `names`."""
    own = columns(data)
    return {name: slice_column(own[name], places) for name in (own if names is None else names)}


def slice_column(column: Value, places: np.ndarray) -> Value:
    """Return items of a column by their indices from 0, as vctrs slices them."""
    refuse_if(inherits(column, "AsIs") and len(classes(column)) > 1, "rows of what has a class, as well as that of I()")
    refuse_if(len(dim_of(column) or ()) == 1, "rows of an array of one dimension, such as a table")
    return _with_zone(of_rows(column, places))


def _with_zone(x: Value) -> Value:
    """Return a column as vctrs rebuilds it: times without a time zone get an empty one."""
    if not inherits(x, "POSIXct") or "tzone" in x._attributes:
        return x
    return Value(x._kind, x._data, x._attributes | {"tzone": strings("")})


def rebuild_table(by_name: Mapping[str, Value], n: int, like: Value) -> Value:
    """Build a table of columns, with the class and groups of another and automatic row names."""
    return same_rows(by_name, Value("list", like._data, like._attributes | {"row.names": row_ids(n)}))


def same_rows(by_name: Mapping[str, Value], data: Value) -> Value:
    """Build a table of columns, with the row names and groups of another."""
    return with_groups(of_columns(by_name, data._attributes), groups_of(data))


def rows_at(data: Value, places: np.ndarray) -> Value:
    """Return some rows, with automatic row names unless they have names."""
    places = places.astype(np.int64)
    table = rebuild_table(rows_of_columns(data, places), len(places), data)
    rows = data._attributes["row.names"]
    if rows._kind == "character" and not inherits(data, "tbl_df"):
        refuse_if(len(set(places.tolist())) != len(places), "rows with names that stand twice")
        return Value("list", table._data, table._attributes | {"row.names": strings(rows._data[places])})
    return table


def by_groups(data: Value, computed: Callable[[Value], _Result]) -> list[tuple[np.ndarray, _Result]]:
    """Return the rows of each group, and the value that a verb computes for them."""
    answers, names = [], groups_of(data)
    for rows in row_groups(data, names)[0]:
        group = tibble_of(rows_of_columns(data, rows), len(rows)) if names else data
        token = _CURRENT.set(Current(group, names))
        try:
            answers.append((rows, computed(group)))
        finally:
            _CURRENT.reset(token)
    return answers


def ranks(column: object) -> np.ndarray:
    """Return numbers in the order of a column's values, NaN where missing."""
    if not isinstance(column, Value) or dim_of(column) is not None:
        raise NotSupportedError("rows ordered by a table")
    if column._kind in NUMBERS:
        return np.asarray(column._data)
    refuse_if(column._kind != "character", "rows ordered by a list")
    gaps = is_missing(column)
    out = np.full(len(column), np.nan)
    if not gaps.all():
        out[~gaps] = coded_strings(column._data[~gaps], "x")[0]
    return out


def keys_of(parts: Sequence[Value]) -> list[tuple[float | None, ...]]:
    """Return the values of each row as comparable keys, None where missing."""
    rank_columns = [ranks(column) for column in parts]
    if any(column._kind == "double" and (np.isnan(column._data) & ~is_na_mark(column._data)).any() for column in parts):
        raise NotSupportedError("NaN among keys")
    return list(zip(*[[None if v != v else v for v in rank.tolist()] for rank in rank_columns], strict=True))


def rows_by_key(keys: Iterable[_Key]) -> dict[_Key, list[int]]:
    """Return the rows of each key, from 0."""
    places: dict[_Key, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places


def row_groups(data: Value, names: Sequence[str]) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the rows of each group, groups in the order of their keys, and the first row of each."""
    if not names:
        return [np.arange(row_count(data))], np.zeros(1, dtype=np.int64)
    own = columns(data)
    places = rows_by_key(keys_of([own[name] for name in names]))
    ordered = sorted(places, key=lambda key: [(v is None, v or 0.0) for v in key])
    return [np.array(places[key]) for key in ordered], np.array([places[key][0] for key in ordered], dtype=np.int64)


# ---- vectors put together ------------------------------------------------------------------------


def combine_vectors(parts: Sequence[Value]) -> Value:
    """Concatenate vectors, of the common type that vctrs has for them."""
    known = [item for item in parts if not _is_unspecified(item)]
    if not known:
        return Value("logical", np.full(sum(map(len, parts)), np.nan))
    if any(not isinstance(item, Value) or dim_of(item) is not None or names_of(item) is not None for item in known):
        raise NotSupportedError("columns with names, matrices or tables put together")
    if any(map(is_factor, known)):
        return _combine_factors(parts, known)
    refuse_if(any(not _same_marks(item, known[0]) for item in known), "columns of different classes put together")
    kinds = {item._kind for item in known}
    if len(kinds) > 1 and (not kinds <= set(NUMBERS) or known[0]._attributes):
        raise RError(f"Can't combine columns of type {' and '.join(sorted(kinds))}.")
    kind = max(kinds, key=KINDS.index)
    return _with_zone(Value(kind, np.concatenate([_fill_gaps(item, kind) for item in parts]), known[0]._attributes))


def _same_marks(x: Value, y: Value) -> bool:
    ours, theirs = x._attributes, y._attributes
    return list(ours) == list(theirs) and all(are_identical(ours[name], theirs[name]) for name in ours)


def _is_unspecified(vector: Value) -> bool:
    plain = isinstance(vector, Value) and vector._kind == "logical" and not vector._attributes
    return plain and bool(np.isnan(vector._data).all())


def _fill_gaps(vector: Value, kind: str) -> np.ndarray:
    if _is_unspecified(vector) and kind != "logical":
        return gaps(len(vector), kind)
    return coerce(factor_labels(vector) if is_factor(vector) else vector, kind)._data


def gaps(n: int, kind: str) -> np.ndarray:
    """Return missing values of a kind."""
    refuse_if(kind == "list", "lists with gaps")
    return objects([None] * n) if kind == "character" else np.full(n, missing_number(kind))


def _combine_factors(parts: Sequence[Value], known: Sequence[Value]) -> Value:
    if any(not is_factor(vector) and (vector._kind != "character" or vector._attributes) for vector in known):
        raise RError("Can't combine factors and numbers.")
    if not {"factor", "ordered"}.issuperset(name for vector in known for name in classes(vector)):
        raise NotSupportedError("factors of further classes put together")
    texts = np.concatenate([_fill_gaps(vector, "character") for vector in parts])
    if not all(map(is_factor, known)):
        return strings(texts)
    levels = list(dict.fromkeys(level for vector in known for level in factor_levels(vector)))
    ordered = [inherits(vector, "ordered") for vector in known]
    if (any(ordered) and any(factor_levels(vector) != levels for vector in known)) or len(set(ordered)) > 1:
        raise NotSupportedError("ordered factors put together")
    if not len(texts):
        return known[0]
    place = {level: code + 1.0 for code, level in enumerate(levels)} | {None: np.nan}
    about = {"levels": strings(levels), "class": known[0]._attributes["class"]}
    return integers([place[text] for text in texts], about)
