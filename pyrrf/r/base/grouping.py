"""What is computed for groups of items: split, tapply, by, rowsum, stack."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.factors import as_factor, factor, interaction
from pyrrf.r.base.frames import counted, framed
from pyrrf.r.base.functional import match_fun
from pyrrf.r.base.joining import rbind
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sets import match, unique
from pyrrf.r.base.types import is_vector
from pyrrf.r.base.vectors import c, rep
from pyrrf.r.indexing.subscripts import ALL, items, picked, taken
from pyrrf.r.values.arguments import default_only, flag
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_levels,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    known_names,
    names_of,
    row_count,
)
from pyrrf.r.values.attributes import row_names as labels_of_rows
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    copy,
    integers,
    is_null,
    null,
    objects,
    strings,
)

# ---- groups --------------------------------------------------------------------------------------


def _codes(INDEX: Any) -> tuple[builtins.list[Value], builtins.list[str]]:
    """Return factors and their names, of one vector or of a list of them."""
    value = as_value(INDEX)
    if is_list(value):
        names = [str(name or "") for name in names_of(value) or [""] * len(value)]
        return [as_factor(without_names(item)) for item in value._data], names
    return [as_factor(without_names(value))], [""]


def without_names(x: Value) -> Value:
    """Return a value without names."""
    if "names" in x._attributes:
        return Value(x._kind, x._data, {k: v for k, v in x._attributes.items() if k != "names"})
    return x


def rows_of_groups(codes: np.ndarray, n: int) -> builtins.list[np.ndarray]:
    """Return the rows, from 0, of each of n groups."""
    return [np.flatnonzero(codes == at + 1) for at in range(n)]


@default_only("dots")
def split(x: Any, f: Any, drop: Any = False, *dots: Any, sep: Any = ".", lex_order: Any = False) -> Value:
    """Return a list of the items, or the rows, of each group."""
    value = as_value(x)
    factor = _grouping(f, drop, sep, lex_order)
    levels = factor_levels(factor)
    size = row_count(value) if is_frame(value) else len(value)
    if is_null(value):
        raise RError("first argument must be a vector")
    if not len(factor) and size:
        raise RError("group length is 0 but data length > 0")
    if len(factor) and size % len(factor):
        warn("data length is not a multiple of split variable")
    codes = np.resize(factor._data, size)
    parts = [rows_of_group(value, rows) for rows in rows_of_groups(codes, len(levels))]
    return Value("list", objects(parts), {"names": strings(levels)})


def _grouping(f: Any, drop: Any = False, sep: Any = ".", lex_order: Any = False) -> Value:
    """Return the factor that split() goes by."""
    value = as_value(f)
    if value._kind == "language":
        raise NotMovedError("split() by a formula")
    if is_list(value):
        return interaction(value, drop=drop, sep=sep, lex_order=lex_order)
    if not is_factor(value):
        return as_factor(without_names(value))
    return factor(value) if flag(drop) else value


def rows_of_group(x: Value, rows: np.ndarray) -> Value:
    """Return some items of a vector, or rows of a data frame."""
    at = integers(rows + 1) if len(rows) else Value("integer", np.zeros(0))
    return taken(x, at, ALL, drop=False) if is_frame(x) else items(x, at)


def unsplit(value: Any, f: Any, drop: Any = False) -> Value:
    """Return the items, or the rows, of groups in the order in which they stood."""
    parts = as_value(value)
    factor = _grouping(f, drop)
    groups = rows_of_groups(factor._data, len(factor_levels(factor)))
    if len(groups) != len(parts) or any(len(p) != len(g) for p, g in _sized_pairs(parts, groups)):
        raise NotMovedError("unsplit() of parts of other sizes than the groups")
    order = np.argsort(np.concatenate(groups), kind="stable") + 1.0
    if np.isnan(factor._data).any():
        raise NotMovedError("unsplit() by a factor with missing values")
    used = [part for part in parts._data if not is_frame(part) or row_count(part)]
    if is_frame(parts._data[0]):
        joint = rbind(*used)
        labels = [label for part in used for label in labels_of_rows(part)]
        made = taken(joint, integers(order), ALL, drop=False)
        rows = strings([labels[int(i) - 1] for i in order])
        return Value("list", made._data, made._attributes | {"row.names": rows})
    if any(names_of(part) is not None for part in used):
        raise NotMovedError("unsplit() of vectors with names")
    return items(c(*used), integers(order))


def _sized_pairs(parts: Value, groups: builtins.list[np.ndarray]) -> builtins.list[tuple[Any, np.ndarray]]:
    rows = [counted(row_count(part)) if is_frame(part) else part for part in parts._data]
    return builtins.list(zip(rows, groups, strict=True))


@r_function(repeats=True, called=("FUN",))
def tapply(
    X: Any, INDEX: Any, FUN: Any = None, *dots: Any, default: Any = None, simplify: Any = True, **named: Any
) -> Value:
    """Return what a function gives for each group: an array of one number each, or a list."""
    if is_null(FUN) or default is not None:
        raise NotMovedError("tapply() without a function, or with a default")
    value, function = as_value(X), match_fun(FUN)
    if is_null(value):
        raise RError("first argument must be a vector")
    if is_frame(value):
        raise NotMovedError("tapply() of a data frame; name one of its columns")
    factors, labels = _codes(INDEX)
    if not factors:
        raise RError("'INDEX' is of length zero")
    if any(len(part) != len(value) for part in factors):
        raise RError("arguments must have same length")
    shape = tuple(len(factor_levels(part)) for part in factors)
    joint = np.zeros(len(value))
    for part, size in zip(factors[::-1], shape[::-1], strict=True):
        joint = joint * size + (part._data - 1)
    groups = [np.flatnonzero(joint == at) for at in range(int(np.prod(shape)))]
    more = {name.replace(".", "_"): item for name, item in named.items()}
    found = [
        copy(as_value(function(rows_of_group(value, rows), *dots, **more))) if len(rows) else None for rows in groups
    ]
    names = strings(labels) if any(labels) else None
    about = {"dim": integers(shape), "dimnames": dimnames_value([factor_levels(f) or None for f in factors], names)}
    if flag(simplify) and all(
        item is None or (isinstance(item, Value) and len(item) == 1 and not is_list(item)) for item in found
    ):
        return _array_of(found, about)
    return Value("list", objects([null() if item is None else item for item in found]), about)


def _array_of(found: builtins.list[Any], about: dict[str, Value]) -> Value:
    known = [item for item in found if item is not None]
    if not known:
        return Value("logical", np.full(len(found), np.nan), about)
    flat = unlist(Value("list", objects([Value(item._kind, item._data) for item in known])))
    places = np.cumsum([item is not None for item in found]) - 1
    at = np.where([item is not None for item in found], places, -1)
    spread = picked(flat, at)
    return Value(spread._kind, spread._data, about)


@r_function(repeats=True, called=("FUN",))
def by(data: Any, INDICES: Any, FUN: Any, *dots: Any) -> Value:
    """Refuse: what by() gives is not moved."""
    raise NotMovedError("by(); split() and lapply() are")


def stack(x: Any, *dots: Any) -> Value:
    """Return the vectors of a list below each other, beside the names of where they are from."""
    value = as_value(x)
    labels = names_of(value)
    if dots or not is_list(value) or labels is None:
        raise NotMovedError("stack() of other than a list with names, or with a selection")
    kept = [at for at, item in enumerate(value._data) if bool(is_vector(item))]
    if len(kept) != len(value):
        raise NotMovedError("stack() of what holds other than vectors")
    flat = unlist(Value("list", value._data))
    sizes = integers([len(item) for item in value._data])
    names = factor(strings(labels), levels=strings(dict.fromkeys(labels)))
    rows = names_of(flat)
    own = rows is not None and len(set(rows)) == len(rows)
    bare = Value(flat._kind, flat._data)
    return framed([bare, rep(names, sizes)], ["values", "ind"], strings(rows or []) if own else counted(len(flat)))


def rowsum(x: Any, group: Any, reorder: Any = True, *dots: Any, na_rm: Any = False) -> Value:
    """Return the sums of the rows of each group."""
    value, groups = as_value(x), as_value(group)
    if not is_frame(value) and value._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    if len(groups) != (row_count(value) if is_frame(value) else (dim_of(value) or (len(value),))[0]):
        raise RError("incorrect length for 'group'")
    known = unique(groups)
    if bool(is_missing(groups).any()):
        warn("missing values for 'group'")
        raise NotMovedError("rowsum() by missing values")
    known = sort(known) if flag(reorder) else known
    at = match(groups, known)._data.astype(np.int64) - 1
    labels = [*coerced(known, "character")._data]
    if is_frame(value):
        columns = [Value(_sum_kind(c._kind), _summed(c, at, len(known), flag(na_rm))[:, 0]) for c in value._data]
        return framed(columns, known_names(value), strings(labels))
    grid = as_matrix(value)
    found = _summed(grid, at, len(known), flag(na_rm))
    names = dimnames_value([labels, dimnames_of(grid)[1]])
    return Value(_sum_kind(grid._kind), found.ravel(order="F"), {"dim": integers(found.shape), "dimnames": names})


def _sum_kind(kind: str) -> str:
    return "double" if kind == "double" else "integer"


def _summed(x: Value, at: np.ndarray, n: int, na_rm: bool) -> np.ndarray:
    """Return sums in plain doubles, one after another, as R's rowsum() makes them."""
    grid = x._data.reshape((len(at), -1), order="F")
    found = np.zeros((n, grid.shape[1]))
    if na_rm:
        grid = np.where(np.isnan(grid), 0.0, grid)
    np.add.at(found, at, grid)
    return found
