"""What dplyr's verbs share: tables and their groups, names as columns, vectors put together as vctrs does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from pyrrf.r.base.texts import _identical
from pyrrf.r.indexing.subscripts import of_rows
from pyrrf.r.values.arguments import Mask
from pyrrf.r.values.attributes import (
    dim_of,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_missing,
    is_na_mark,
    known_names,
    names_of,
    row_count,
    without_spec,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    logicals,
    missing_number,
    objects,
    strings,
)
from pyrrf.rbase.collate import coded_strings

TIBBLE = ["tbl_df", "tbl", "data.frame"]
Verb = Callable[[Mask], Any]


class Current:
    """The rows that a verb computes for: what n(), row_number() and across() ask for."""

    def __init__(self, size: int, data: Value | None = None, groups: tuple[str, ...] = ()) -> None:
        self.size, self.data, self.groups = size, data, groups


_CURRENT: ContextVar[Current | None] = ContextVar("group", default=None)


def current() -> Current | None:
    """Return the rows that a verb computes for; None outside of verbs."""
    return _CURRENT.get()


@contextmanager
def within_rows(size: int, data: Value | None = None, groups: tuple[str, ...] = ()) -> Iterator[None]:
    """Say which rows a verb computes for."""
    token = _CURRENT.set(Current(size, data, groups))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def mask(part: Value) -> Mask:
    """Return the names of a verb: the columns, and the table as `.data`."""
    found = Mask(part)
    found._items[".data"] = part
    return found


# ---- tables and groups ---------------------------------------------------------------------------


# Verbs that take columns by `[`, for which readr has a method.
_OF_PLAIN = set(
    "select select_if mutate mutate_at mutate_if mutate_all transmute summarise summarise_at summarise_if "
    "summarise_all drop_na as_tibble distinct relocate pivot_longer gather separate unite".split()
)


def checked(data: Any, verb: str) -> Value:
    """Return a data frame."""
    found: Value = as_value(data)
    if not is_frame(found):
        raise NotMovedError(f"{verb}() of what is no data frame")
    found = without_spec(found) if verb in _OF_PLAIN else found
    if any(name not in (*TIBBLE, "grouped_df", "spec_tbl_df") for name in found._attributes["class"]._data):
        raise NotMovedError(f"{verb}() of class {found._attributes['class']._data[0]}")
    return found


def columns(data: Value) -> dict[str, Any]:
    """Return the columns of a table by their names."""
    names = known_names(data)
    if len(set(names)) != len(names):
        raise NotMovedError("a table with columns of the same name")
    return dict(zip(names, data._data, strict=True))


def counted(n: int) -> Value:
    """Return the row names of rows that are but counted."""
    return integers(np.arange(1, n + 1)) if n else integers([])


def tibble_of(found: dict[str, Any], n: int) -> Value:
    """Return columns as a tibble."""
    about = {"names": strings(found), "row.names": counted(n), "class": strings(TIBBLE)}
    return Value("list", objects(found.values()), about)


def extras(data: Value) -> dict[str, Value]:
    """Return the attributes of a table that tables do not need, such as na.action."""
    return {k: v for k, v in data._attributes.items() if k not in ("names", "row.names", "class", "groups", ".drop")}


def groups_of(data: Value) -> list[str]:
    """Return the columns that make the groups of a table."""
    found = data._attributes.get("groups")
    return [] if found is None else [str(name) for name in (names_of(found) or [])[:-1]]


def with_groups(data: Value, names: list[str]) -> Value:
    """Return a table whose rows belong to the groups that some columns make."""
    about = {name: part for name, part in data._attributes.items() if name not in ("groups", "class", "row.names")}
    if not names:
        classes = TIBBLE if inherits(data, "grouped_df") else list(data._attributes["class"]._data)
        if inherits(data, "grouped_df"):
            about = {"names": about["names"]}
        return Value(
            "list", data._data, about | {"class": strings(classes), "row.names": data._attributes["row.names"]}
        )
    bare = Value("list", data._data, about | {"class": strings(TIBBLE), "row.names": counted(row_count(data))})
    rows, first = row_groups(bare, names)
    lists = Value(
        "list",
        objects(integers(group + 1.0) for group in rows),
        {"ptype": integers([]), "class": strings(["vctrs_list_of", "vctrs_vctr", "list"])},
    )
    own = columns(bare)
    keys = {name: of_rows(own[name], np.array(first, dtype=np.int64)) for name in names}
    groups = tibble_of({**keys, ".rows": lists}, len(rows))
    marked = Value("list", groups._data, groups._attributes | {".drop": logicals(True)})
    return Value("list", data._data, bare._attributes | {"class": strings(["grouped_df", *TIBBLE]), "groups": marked})


def made(found: dict[str, Any], n: int, like: Value) -> Value:
    """Return columns as a table of the class and groups of another, its rows counted."""
    about = {"names": strings(found), "row.names": counted(n), "class": like._attributes["class"], **extras(like)}
    table = Value("list", objects(found.values()), about)
    return with_groups(table, groups_of(like)) if inherits(like, "grouped_df") else table


def same_rows(found: dict[str, Any], data: Value) -> Value:
    """Return columns as a table with the rows and groups of another."""
    table = Value("list", objects(found.values()), data._attributes | {"names": strings(found)})
    return with_groups(table, groups_of(data)) if inherits(data, "grouped_df") else table


def rows_at(data: Value, at: np.ndarray) -> Value:
    """Return some rows; they are counted anew unless they have names."""
    at = at.astype(np.int64)
    table = made({name: of_rows(column, at) for name, column in columns(data).items()}, len(at), data)
    rows = data._attributes["row.names"]
    if rows._kind == "character" and not inherits(data, "tbl_df"):
        if len(set(at.tolist())) != len(at):
            raise NotMovedError("rows with names that stand twice")
        return Value("list", table._data, table._attributes | {"row.names": strings(rows._data[at])})
    return table


def part_of(data: Value, rows: np.ndarray) -> Value:
    """Return the rows of a group, without groups."""
    if len(rows) == row_count(data) and not inherits(data, "grouped_df"):
        return data
    return tibble_of({name: of_rows(column, rows) for name, column in columns(data).items()}, len(rows))


def ranks(column: Any) -> np.ndarray:
    """Return numbers in the order of a column's values, NaN where missing."""
    if not isinstance(column, Value) or dim_of(column) is not None:
        raise NotMovedError("rows ordered by a table")
    if column._kind in NUMBERS:
        return np.asarray(column._data)
    if column._kind != "character":
        raise NotMovedError("rows ordered by a list")
    gaps = is_missing(column)
    out = np.full(len(column), np.nan)
    if not gaps.all():
        out[~gaps] = coded_strings(column._data[~gaps], "x")[0]
    return out


def keys_of(parts: list[Any]) -> list[tuple[Any, ...]]:
    """Return the values of each row as something that can be compared, None where missing."""
    found = [ranks(part) for part in parts]
    if any(part._kind == "double" and (np.isnan(part._data) & ~is_na_mark(part._data)).any() for part in parts):
        raise NotMovedError("NaN among keys")
    return list(zip(*[[None if v != v else v for v in rank.tolist()] for rank in found], strict=True))


def row_groups(data: Value, names: list[str]) -> tuple[list[np.ndarray], list[int]]:
    """Return the rows of each group, groups in the order of their keys, and the first row of each."""
    if not names:
        return [np.arange(row_count(data))], [0]
    own = columns(data)
    parts = [own[name] for name in names]
    found: dict[tuple[Any, ...], list[int]] = {}
    for at, key in enumerate(keys_of(parts)):
        found.setdefault(key, []).append(at)
    ordered = sorted(found, key=lambda key: tuple((v is None, v) if v is not None else (True, 0.0) for v in key))
    rows = [np.array(found[key]) for key in ordered]
    return rows, [int(group[0]) for group in rows]


# ---- vectors put together ------------------------------------------------------------------------


def combined(parts: list[Any]) -> Value:
    """Return vectors one below the other, of the type that vctrs finds for them.

    Raises
    ------
    NotMovedError
        They are of kinds that vctrs does not put together, or of classes that are not known here.
    """
    kept = [part for part in parts if not _is_unspecified(part)]
    if not kept:
        return Value("logical", np.full(sum(map(len, parts)), np.nan))
    if any(not isinstance(part, Value) or dim_of(part) is not None or names_of(part) is not None for part in kept):
        raise NotMovedError("columns with names, matrices or tables put together")
    if any(is_factor(part) for part in kept):
        return _combined_factors(parts, kept)
    marks = {tuple(part._attributes) for part in kept}
    same = all(_same_marks(part, kept[0]) for part in kept)
    if len(marks) > 1 or not same:
        raise NotMovedError("columns of different classes put together")
    kinds = {part._kind for part in kept}
    if len(kinds) > 1 and (not kinds <= set(NUMBERS) or kept[0]._attributes):
        raise RError(f"Can't combine columns of type {' and '.join(sorted(kinds))}.")
    kind = max(kinds, key=KINDS.index)
    data = [_filled(part, kind) for part in parts]
    return Value(kind, np.concatenate(data), kept[0]._attributes)


def _same_marks(x: Value, y: Value) -> bool:
    return all(_identical(x._attributes[name], y._attributes[name]) for name in x._attributes)


def _is_unspecified(part: Any) -> bool:
    plain = isinstance(part, Value) and part._kind == "logical" and not part._attributes
    return plain and bool(np.isnan(part._data).all())


def _filled(part: Value, kind: str) -> np.ndarray:
    if _is_unspecified(part) and kind != "logical":
        return gaps(len(part), kind)
    return coerced(Value(part._kind, part._data), kind)._data


def gaps(n: int, kind: str) -> np.ndarray:
    """Return missing values of a kind."""
    if kind == "list":
        raise NotMovedError("lists with gaps")
    return objects([None] * n) if kind == "character" else np.full(n, missing_number(kind))


def _combined_factors(parts: list[Any], kept: list[Value]) -> Value:
    if not all(is_factor(part) for part in kept):
        if all(is_factor(part) or (part._kind == "character" and not part._attributes) for part in kept):
            texts = [gaps(len(p), "character") if _is_unspecified(p) else _labels(p)._data for p in parts]
            return strings(np.concatenate(texts))
        raise RError("Can't combine factors and numbers.")
    levels = list(dict.fromkeys(level for part in kept for level in factor_levels(part)))
    ordered = [inherits(part, "ordered") for part in kept]
    if (any(ordered) and any(factor_levels(part) != levels for part in kept)) or len(set(ordered)) > 1:
        raise NotMovedError("ordered factors put together")
    place = {level: at + 1.0 for at, level in enumerate(levels)}
    texts = [gaps(len(p), "character") if _is_unspecified(p) else _labels(p)._data for p in parts]
    codes = [np.nan if text is None else place[text] for text in np.concatenate(texts)]
    return (
        integers(np.array(codes), {"levels": strings(levels), "class": kept[0]._attributes["class"]})
        if codes
        else kept[0]
    )


def _labels(part: Value) -> Value:
    return factor_labels(part) if is_factor(part) else part
