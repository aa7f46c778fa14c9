"""What dplyr's verbs share: tables and their groups, names as columns, vectors put together as vctrs does."""

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
    """The rows that a verb computes for, and the columns that make their group."""

    data: Value
    groups: Sequence[str]


_CURRENT: ContextVar[Current | None] = ContextVar("group", default=None)


def current(function: str) -> Current:
    """Return what n(), row_number() and across() ask for; outside of verbs they stop."""
    found = _CURRENT.get()
    found = stop_none(found, f"{function}() must only be used inside dplyr verbs.")
    return found


def is_in_verb() -> bool:
    """Whether a verb computes."""
    return _CURRENT.get() is not None


def evaluated(verb: object, scope: Mask) -> Any:
    """Return what an expression gives among columns, or the value that stands in its place."""
    return as_value(verb(scope) if callable(verb) else verb)


def mask(part: Value) -> Mask:
    """Return the names of a verb: the columns, and the table as `.data`."""
    found = Mask(part)
    found._items[".data"] = part
    return found


def named_items(dots: Iterable[object], named: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return the arguments that R's ``...`` would hold, names ('' without one) and expressions."""
    return [(item.name, item.value) if isinstance(item, Named) else ("", item) for item in dots] + [*named.items()]


# ---- tables and groups ---------------------------------------------------------------------------


def checked(data: object, verb: str, plain: bool = False) -> Value:
    """Return a data frame; if the verb takes columns by `[`, for which readr has a method, a `plain` one."""
    found = as_value(data)
    refuse_if(not is_frame(found), f"{verb}() of something other than a data frame")
    found = without_spec(found) if plain else found
    if any(name not in (*TIBBLE, "grouped_df", "spec_tbl_df") for name in found._attributes["class"]._data):
        raise NotSupportedError(f"{verb}() of class {found._attributes['class']._data[0]}")
    return found


def table_verb(
    plain: bool = False, grouped: bool = True, **facts: Any
) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Say what a function does, as `r_function`, whose first argument is a data frame as `checked` returns it.

    Unless `grouped`, a table of groups, or with further attributes, is refused.
    """

    def marked(function: Callable[..., _Result]) -> Callable[..., _Result]:
        converted = r_function(**facts)(function)
        first = next(iter(signature(function).parameters))

        @wraps(converted)
        def called(*args: Any, **named: Any) -> _Result:
            data = checked(args[0] if args else named.pop(first, None), function.__name__, plain)
            if not grouped and (groups_of(data) or extras(data)):
                raise NotSupportedError(f"{function.__name__}() of groups, or of a table with further attributes")
            return converted(data, *args[1:], **named)

        return called

    return marked


def columns(data: Value) -> dict[str, Value]:
    """Return the columns of a table by their names."""
    names = known_names(data)
    refuse_if(len(set(names)) != len(names), "a table with columns of the same name")
    return dict(zip(names, data._data, strict=True))


def check_column(x: Item) -> None:
    """Refuse what dplyr takes for no vector: a formula, and a list with a class."""
    if isinstance(x, Value) and (x._kind == "language" or (is_list(x) and not inherits(x, "data.frame", "AsIs"))):
        for name in classes(x):
            raise NotSupportedError(f"a column of class {name}")


def of_columns(found: Mapping[str, Value], about: Mapping[str, Value]) -> Value:
    """Return columns as a table with the attributes of another."""
    return Value("list", objects(found.values()), {**about, "names": strings(found)})


def tibble_of(found: Mapping[str, Value], n: int) -> Value:
    """Return columns as a tibble."""
    return of_columns(found, {"row.names": row_ids(n), "class": strings(TIBBLE)})


def extras(data: Value) -> dict[str, Value]:
    """Return the attributes of a table that tables do not need, such as na.action."""
    return without(data, "names", "row.names", "class", "groups", ".drop")._attributes


def groups_of(data: Value) -> list[str]:
    """Return the columns that make the groups of a table."""
    found = data._attributes.get("groups")
    return [] if found is None else known_names(found)[:-1]


def with_groups(data: Value, names: Sequence[str]) -> Value:
    """Return a table whose rows belong to the groups that some columns make."""
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


def rows_of_columns(data: Value, at: np.ndarray, names: Sequence[str] | None = None) -> dict[str, Value]:
    """Return rows, by their places from 0, of some columns; of all without `names`."""
    own = columns(data)
    return {name: sliced(own[name], at) for name in (own if names is None else names)}


def sliced(column: Value, at: np.ndarray) -> Value:
    """Return items of a column by their places from 0, as vctrs takes them."""
    refuse_if(inherits(column, "AsIs") and len(classes(column)) > 1, "rows of what has a class, as well as that of I()")
    refuse_if(len(dim_of(column) or ()) == 1, "rows of an array of one dimension, such as a table")
    return _with_zone(of_rows(column, at))


def _with_zone(x: Value) -> Value:
    """Return a column as vctrs makes it anew: times then say that their zone is that of the place."""
    if not inherits(x, "POSIXct") or "tzone" in x._attributes:
        return x
    return Value(x._kind, x._data, x._attributes | {"tzone": strings("")})


def made(found: Mapping[str, Value], n: int, like: Value) -> Value:
    """Return columns as a table of the class and groups of another, its rows counted."""
    return same_rows(found, Value("list", like._data, like._attributes | {"row.names": row_ids(n)}))


def same_rows(found: Mapping[str, Value], data: Value) -> Value:
    """Return columns as a table with the rows and groups of another."""
    return with_groups(of_columns(found, data._attributes), groups_of(data))


def rows_at(data: Value, at: np.ndarray) -> Value:
    """Return some rows; they are counted anew unless they have names."""
    at = at.astype(np.int64)
    table = made(rows_of_columns(data, at), len(at), data)
    rows = data._attributes["row.names"]
    if rows._kind == "character" and not inherits(data, "tbl_df"):
        refuse_if(len(set(at.tolist())) != len(at), "rows with names that stand twice")
        return Value("list", table._data, table._attributes | {"row.names": strings(rows._data[at])})
    return table


def by_groups(data: Value, computed: Callable[[Value], _Result]) -> list[tuple[np.ndarray, _Result]]:
    """Return the rows of each group, and what a verb computes for them."""
    found, names = [], groups_of(data)
    for rows in row_groups(data, names)[0]:
        part = tibble_of(rows_of_columns(data, rows), len(rows)) if names else data
        token = _CURRENT.set(Current(part, names))
        try:
            found.append((rows, computed(part)))
        finally:
            _CURRENT.reset(token)
    return found


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
    """Return the values of each row as something that can be compared, None where missing."""
    found = [ranks(part) for part in parts]
    if any(part._kind == "double" and (np.isnan(part._data) & ~is_na_mark(part._data)).any() for part in parts):
        raise NotSupportedError("NaN among keys")
    return list(zip(*[[None if v != v else v for v in rank.tolist()] for rank in found], strict=True))


def rows_by_key(keys: Iterable[_Key]) -> dict[_Key, list[int]]:
    """Return the rows of each key, from 0."""
    found: dict[_Key, list[int]] = {}
    for at, key in enumerate(keys):
        found.setdefault(key, []).append(at)
    return found


def row_groups(data: Value, names: Sequence[str]) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the rows of each group, groups in the order of their keys, and the first row of each."""
    if not names:
        return [np.arange(row_count(data))], np.zeros(1, dtype=np.int64)
    own = columns(data)
    found = rows_by_key(keys_of([own[name] for name in names]))
    ordered = sorted(found, key=lambda key: [(v is None, v or 0.0) for v in key])
    return [np.array(found[key]) for key in ordered], np.array([found[key][0] for key in ordered], dtype=np.int64)


# ---- vectors put together ------------------------------------------------------------------------


def combined(parts: Sequence[Value]) -> Value:
    """Return vectors one below the other, of the type that vctrs finds for them."""
    known = [part for part in parts if not _is_unspecified(part)]
    if not known:
        return Value("logical", np.full(sum(map(len, parts)), np.nan))
    if any(not isinstance(part, Value) or dim_of(part) is not None or names_of(part) is not None for part in known):
        raise NotSupportedError("columns with names, matrices or tables put together")
    if any(map(is_factor, known)):
        return _combined_factors(parts, known)
    refuse_if(any(not _same_marks(part, known[0]) for part in known), "columns of different classes put together")
    kinds = {part._kind for part in known}
    if len(kinds) > 1 and (not kinds <= set(NUMBERS) or known[0]._attributes):
        raise RError(f"Can't combine columns of type {' and '.join(sorted(kinds))}.")
    kind = max(kinds, key=KINDS.index)
    return _with_zone(Value(kind, np.concatenate([_fill_gaps(part, kind) for part in parts]), known[0]._attributes))


def _same_marks(x: Value, y: Value) -> bool:
    ours, theirs = x._attributes, y._attributes
    return list(ours) == list(theirs) and all(are_identical(ours[name], theirs[name]) for name in ours)


def _is_unspecified(part: Value) -> bool:
    plain = isinstance(part, Value) and part._kind == "logical" and not part._attributes
    return plain and bool(np.isnan(part._data).all())


def _fill_gaps(part: Value, kind: str) -> np.ndarray:
    if _is_unspecified(part) and kind != "logical":
        return gaps(len(part), kind)
    return coerce(factor_labels(part) if is_factor(part) else part, kind)._data


def gaps(n: int, kind: str) -> np.ndarray:
    """Return missing values of a kind."""
    refuse_if(kind == "list", "lists with gaps")
    return objects([None] * n) if kind == "character" else np.full(n, missing_number(kind))


def _combined_factors(parts: Sequence[Value], known: Sequence[Value]) -> Value:
    if any(not is_factor(part) and (part._kind != "character" or part._attributes) for part in known):
        raise RError("Can't combine factors and numbers.")
    if not {"factor", "ordered"}.issuperset(name for part in known for name in classes(part)):
        raise NotSupportedError("factors of further classes put together")
    texts = np.concatenate([_fill_gaps(part, "character") for part in parts])
    if not all(map(is_factor, known)):
        return strings(texts)
    levels = list(dict.fromkeys(level for part in known for level in factor_levels(part)))
    ordered = [inherits(part, "ordered") for part in known]
    if (any(ordered) and any(factor_levels(part) != levels for part in known)) or len(set(ordered)) > 1:
        raise NotSupportedError("ordered factors put together")
    if not len(texts):
        return known[0]
    place = {level: at + 1.0 for at, level in enumerate(levels)} | {None: np.nan}
    about = {"levels": strings(levels), "class": known[0]._attributes["class"]}
    return integers([place[text] for text in texts], about)
