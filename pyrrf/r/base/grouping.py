"""What is computed for groups of items: split, tapply, by, rowsum, stack."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.factors import as_factor, factor, interaction
from pyrrf.r.base.frames import counted, framed
from pyrrf.r.base.functional import given, match_fun
from pyrrf.r.base.joining import rbind
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sets import match, unique
from pyrrf.r.base.types import is_vector
from pyrrf.r.base.vectors import c, rep
from pyrrf.r.indexing.subscripts import ALL, items, picked, taken
from pyrrf.r.values.attributes import (
    bare,
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_levels,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    known_names,
    made,
    names_of,
    row_count,
    row_names,
    without,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Flag, r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    integers,
    is_null,
    null,
    objects,
    strings,
)

# ---- groups --------------------------------------------------------------------------------------


def _codes(index: Value) -> tuple[list[Value], list[str]]:
    """Return factors and their names, of one vector or of a list of them."""
    if is_list(index):
        names = [str(name or "") for name in names_of(index) or [""] * len(index)]
        return [as_factor(without_names(item)) for item in index._data], names
    return [as_factor(without_names(index))], [""]


def without_names(x: Value) -> Value:
    """Return a value without names."""
    return without(x, "names")


def rows_of_groups(codes: np.ndarray, n: int) -> list[np.ndarray]:
    """Return the rows, from 0, of each of n groups."""
    return [np.flatnonzero(codes == at + 1) for at in range(n)]


@r_function(unsupported="dots")
def split(x: Value, f: Value, drop: Flag = False, *dots: object, sep: object = ".", lex_order: object = False) -> Value:
    """Return a list of the items, or the rows, of each group."""
    factor = _grouping(f, drop, sep, lex_order)
    levels = factor_levels(factor)
    size = row_count(x) if is_frame(x) else len(x)
    if is_null(x):
        raise RError("first argument must be a vector")
    if not len(factor) and size:
        raise RError("group length is 0 but data length > 0")
    if len(factor) and size % len(factor):
        warn("data length is not a multiple of split variable")
    codes = np.resize(factor._data, size)
    parts = [rows_of_group(x, rows) for rows in rows_of_groups(codes, len(levels))]
    return Value("list", objects(parts), {"names": strings(levels)})


def _grouping(f: Value, drop: bool, sep: object = ".", lex_order: object = False) -> Value:
    """Return the factor that split() goes by."""
    if f._kind == "language":
        raise NotMovedError("split() by a formula")
    if is_list(f):
        return interaction(f, drop=drop, sep=sep, lex_order=lex_order)
    if not is_factor(f):
        return as_factor(without_names(f))
    return factor(f) if drop else f


def rows_of_group(x: Value, rows: np.ndarray) -> Value:
    """Return some items of a vector, or rows of a data frame."""
    at = integers(rows + 1) if len(rows) else Value("integer", np.zeros(0))
    return taken(x, at, ALL, drop=False) if is_frame(x) else items(x, at)


@r_function()
def unsplit(value: Value, f: Value, drop: Flag = False) -> Value:
    """Return the items, or the rows, of groups in the order in which they stood."""
    factor = _grouping(f, drop)
    groups = rows_of_groups(factor._data, len(factor_levels(factor)))
    sizes = [row_count(part) if is_frame(part) else len(part) for part in value._data]
    if sizes != [len(group) for group in groups]:
        raise NotMovedError("unsplit() of parts of other sizes than the groups")
    order = np.argsort(np.concatenate(groups), kind="stable") + 1.0
    if np.isnan(factor._data).any():
        raise NotMovedError("unsplit() by a factor with missing values")
    used = [part for part in value._data if not is_frame(part) or row_count(part)]
    if is_frame(value._data[0]):
        labels = [label for part in used for label in row_names(part)]
        joint = taken(rbind(*used), integers(order), ALL, drop=False)
        joint._attributes["row.names"] = strings(labels[int(i) - 1] for i in order)
        return joint
    if any(names_of(part) is not None for part in used):
        raise NotMovedError("unsplit() of vectors with names")
    return items(c(*used), integers(order))


@r_function(repeats=True)
def tapply(
    X: Value,
    INDEX: Value,
    FUN: object = None,
    *dots: object,
    default: object = None,
    simplify: Flag = True,
    **named: object,
) -> Value:
    """Return what a function gives for each group: an array of one number each, or a list."""
    if is_null(FUN) or default is not None:
        raise NotMovedError("tapply() without a function, or with a default")
    function = match_fun(FUN)
    if is_null(X):
        raise RError("first argument must be a vector")
    if is_frame(X):
        raise NotMovedError("tapply() of a data frame; name one of its columns")
    factors, labels = _codes(INDEX)
    if not factors:
        raise RError("'INDEX' is of length zero")
    if any(len(part) != len(X) for part in factors):
        raise RError("arguments must have same length")
    shape = [len(factor_levels(part)) for part in factors]
    joint = np.zeros(len(X))
    for part, size in zip(factors[::-1], shape[::-1], strict=True):
        joint = joint * size + (part._data - 1)
    groups = [np.flatnonzero(joint == at) for at in range(int(np.prod(shape)))]
    more = {name.replace(".", "_"): item for name, item in named.items()}
    found = [given(function(rows_of_group(X, rows), *dots, **more)) if len(rows) else None for rows in groups]
    names = strings(labels) if any(labels) else None
    about = {"dim": integers(shape), "dimnames": dimnames_value([factor_levels(f) or None for f in factors], names)}
    known = [item for item in found if item is not None]
    if simplify and all(isinstance(item, Value) and len(item) == 1 and not is_list(item) for item in known):
        return _array_of(found, about)
    return Value("list", objects(null() if item is None else item for item in found), about)


def _array_of(found: list[Value | None], about: dict[str, Value]) -> Value:
    known = np.array([item is not None for item in found])
    if not known.any():
        return Value("logical", np.full(len(found), np.nan), about)
    flat = unlist(Value("list", objects(bare(item) for item in found if item is not None)))
    spread = picked(flat, np.where(known, np.cumsum(known) - 1, -1))
    return Value(spread._kind, spread._data, about)


@r_function(repeats=True)
def by(data: object, INDICES: object, FUN: object, *dots: object) -> Value:
    """Refuse: what by() gives is not moved."""
    raise NotMovedError("by(); split() and lapply() are")


@r_function()
def stack(x: Value, *dots: object) -> Value:
    """Return the vectors of a list below each other, beside the names of where they are from."""
    labels = names_of(x)
    if dots or not is_list(x) or labels is None:
        raise NotMovedError("stack() of other than a list with names, or with a selection")
    if not all(bool(is_vector(item)) for item in x._data):
        raise NotMovedError("stack() of what holds other than vectors")
    flat = unlist(Value("list", x._data))
    names = factor(strings(labels), levels=strings(dict.fromkeys(labels)))
    column = rep(names, integers([len(item) for item in x._data]))
    rows = names_of(flat)
    own = rows is not None and len(set(rows)) == len(rows)
    return framed([bare(flat), column], ["values", "ind"], strings(rows or []) if own else counted(len(flat)))


@r_function()
def rowsum(x: Value, group: Value, reorder: Flag = True, *dots: object, na_rm: Flag = False) -> Value:
    """Return the sums of the rows of each group."""
    if not is_frame(x) and x._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    if len(group) != (dim_of(x) or (len(x),))[0]:
        raise RError("incorrect length for 'group'")
    if bool(is_missing(group).any()):
        warn("missing values for 'group'")
        raise NotMovedError("rowsum() by missing values")
    known = sort(unique(group)) if reorder else unique(group)
    at = match(group, known)._data.astype(np.int64) - 1
    labels = [*coerced(known, "character")._data]
    if is_frame(x):
        columns = [Value(_sum_kind(c._kind), _summed(c, at, len(known), na_rm)[:, 0]) for c in x._data]
        return framed(columns, known_names(x), strings(labels))
    grid = as_matrix(x)
    return made(_sum_kind(grid._kind), _summed(grid, at, len(known), na_rm), [labels, dimnames_of(grid)[1]])


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
