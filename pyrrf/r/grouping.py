"""What is computed for groups of rows: split, tapply, aggregate; and for whole rows and columns."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arguments import default_only, flag
from pyrrf.r.coercion import coerced, wider
from pyrrf.r.factors import as_factor
from pyrrf.r.facts import r_function
from pyrrf.r.frames import as_data_frame, counted, framed
from pyrrf.r.functional import match_fun
from pyrrf.r.gaps import complete_cases
from pyrrf.r.lists import unlist
from pyrrf.r.looking import (
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
    refuse_two_gaps,
    row_count,
)
from pyrrf.r.looking import row_names as labels_of_rows
from pyrrf.r.places import ALL
from pyrrf.r.subscripts import items, of_rows, taken
from pyrrf.r.values import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    copy,
    doubles,
    integers,
    is_null,
    null,
    objects,
    strings,
)
from pyrrf.rbase import margins

# ---- rows and columns ----------------------------------------------------------------------------


def _margin(x: Any, na_rm: Any, function: Callable[..., Any], axis: int) -> Value:
    from pyrrf.r.matrices import as_matrix

    value = as_value(x)
    if not is_frame(value) and len(dim_of(value) or ()) < 2:
        raise RError("'x' must be an array of at least two dimensions")
    if not is_frame(value) and len(dim_of(value) or ()) > 2:
        raise NotMovedError("sums of an array of more than two dimensions")
    grid = as_matrix(value)
    if grid._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    cells = coerced(grid, "double")._data.reshape(dim_of(grid), order="F")
    if not flag(na_rm):
        for line in cells.T if axis else cells:
            refuse_two_gaps(line)
    found = function(cells if axis else cells.T, flag(na_rm))
    labels = dimnames_of(grid)[axis]
    return doubles(found, {} if labels is None else {"names": strings(labels)})


def colSums(x: Any, na_rm: Any = False) -> Value:
    """Return the sum of each column."""
    return _margin(x, na_rm, margins.column_sums, 1)


def colMeans(x: Any, na_rm: Any = False) -> Value:
    """Return the mean of each column."""
    return _margin(x, na_rm, margins.column_means, 1)


def rowSums(x: Any, na_rm: Any = False) -> Value:
    """Return the sum of each row."""
    return _margin(x, na_rm, margins.column_sums, 0)


def rowMeans(x: Any, na_rm: Any = False) -> Value:
    """Return the mean of each row."""
    return _margin(x, na_rm, margins.column_means, 0)


# ---- groups --------------------------------------------------------------------------------------


def _codes(INDEX: Any) -> tuple[builtins.list[Value], builtins.list[str]]:
    """Return factors and their names, of one vector or of a list of them."""
    value = as_value(INDEX)
    if is_list(value):
        names = [str(name or "") for name in names_of(value) or [""] * len(value)]
        return [as_factor(_bare(item)) for item in value._data], names
    return [as_factor(_bare(value))], [""]


def _bare(x: Value) -> Value:
    if "names" in x._attributes:
        return Value(x._kind, x._data, {k: v for k, v in x._attributes.items() if k != "names"})
    return x


def _rows_of_groups(codes: np.ndarray, n: int) -> builtins.list[np.ndarray]:
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
    parts = [_part(value, rows) for rows in _rows_of_groups(codes, len(levels))]
    return Value("list", objects(parts), {"names": strings(levels)})


def _grouping(f: Any, drop: Any = False, sep: Any = ".", lex_order: Any = False) -> Value:
    """Return the factor that split() goes by."""
    from pyrrf.r.factors import factor, interaction

    value = as_value(f)
    if value._kind == "language":
        raise NotMovedError("split() by a formula")
    if is_list(value):
        return interaction(value, drop=drop, sep=sep, lex_order=lex_order)
    if not is_factor(value):
        return as_factor(_bare(value))
    return factor(value) if flag(drop) else value


def _part(x: Value, rows: np.ndarray) -> Value:
    at = integers(rows + 1) if len(rows) else Value("integer", np.zeros(0))
    return taken(x, at, ALL, drop=False) if is_frame(x) else items(x, at)


def unsplit(value: Any, f: Any, drop: Any = False) -> Value:
    """Return the items, or the rows, of groups in the order in which they stood."""
    from pyrrf.r.joining import rbind
    from pyrrf.r.vectors import c

    parts = as_value(value)
    factor = _grouping(f, drop)
    groups = _rows_of_groups(factor._data, len(factor_levels(factor)))
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


@r_function(repeats=True)
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
    if any(len(factor) != len(value) for factor in factors):
        raise RError("arguments must have same length")
    shape = tuple(len(factor_levels(factor)) for factor in factors)
    joint = np.zeros(len(value))
    for factor, size in zip(factors[::-1], shape[::-1], strict=True):
        joint = joint * size + (factor._data - 1)
    groups = [np.flatnonzero(joint == at) for at in range(int(np.prod(shape)))]
    more = {name.replace(".", "_"): item for name, item in named.items()}
    found = [copy(as_value(function(_part(value, rows), *dots, **more))) if len(rows) else None for rows in groups]
    names = strings(labels) if any(labels) else None
    about = {"dim": integers(shape), "dimnames": dimnames_value([factor_levels(f) or None for f in factors], names)}
    if flag(simplify) and all(
        item is None or (isinstance(item, Value) and len(item) == 1 and not is_list(item)) for item in found
    ):
        return _array_of(found, about)
    return Value("list", objects([null() if item is None else item for item in found]), about)


def _array_of(found: builtins.list[Any], about: dict[str, Value]) -> Value:
    from pyrrf.r.subscripts import picked

    known = [item for item in found if item is not None]
    if not known:
        return Value("logical", np.full(len(found), np.nan), about)
    flat = unlist(Value("list", objects([Value(item._kind, item._data) for item in known])))
    places = np.cumsum([item is not None for item in found]) - 1
    at = np.where([item is not None for item in found], places, -1)
    spread = picked(flat, at)
    return Value(spread._kind, spread._data, about)


@r_function(repeats=True)
def ave(x: Any, *dots: Any, FUN: Any = None) -> Value:
    """Return for each item what a function gives for its group: the mean by default."""
    from pyrrf.r.factors import interaction
    from pyrrf.r.replacement import put
    from pyrrf.r.statistics import mean

    value: Value = as_value(x)
    function = mean if FUN is None else match_fun(FUN)
    if not dots:
        return put(value, function(value), ...)
    factor = interaction(*dots)
    groups = _rows_of_groups(np.resize(factor._data, len(value)), len(factor_levels(factor)))
    found = [as_value(function(_part(value, rows))) for rows in groups]
    for rows, part in zip(groups, found, strict=True):
        if len(rows):
            value = put(value, part, integers(rows + 1))
    return value


@r_function(repeats=True)
def by(data: Any, INDICES: Any, FUN: Any, *dots: Any) -> Value:
    """Refuse: what by() gives is not moved."""
    raise NotMovedError("by(); split() and lapply() are")


def stack(x: Any, *dots: Any) -> Value:
    """Return the vectors of a list below each other, beside the names of where they are from."""
    from pyrrf.r.factors import factor
    from pyrrf.r.types import is_vector
    from pyrrf.r.vectors import rep

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
    from pyrrf.r.matrices import as_matrix
    from pyrrf.r.ordering import match, sort, unique

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


@r_function(formula=True, repeats=True)
def aggregate(
    x: Any,
    by: Any = None,
    FUN: Any = None,
    *dots: Any,
    data: Any = None,
    simplify: Any = True,
    drop: Any = True,
    na_action: Any = None,
    subset: Any = None,
    **named: Any,
) -> Value:
    """Return a data frame with what a function gives for each group of rows."""
    value = as_value(x)
    if not flag(drop) or subset is not None:
        raise NotMovedError("aggregate() with drop or subset")
    more = {name.replace(".", "_"): item for name, item in named.items()}
    rest = (match_fun(FUN), dots, more, flag(simplify))
    if value._kind == "language" or (data is None and as_value(by)._kind == "language"):
        text, source = (value, by if data is None else data) if value._kind == "language" else (as_value(by), value)
        return _by_formula(str(text._data[0]), as_value(source), na_action, *rest)
    if not is_frame(value):
        value = (
            as_data_frame(value)
            if is_list(value) or dim_of(value) is not None
            else framed([_bare(value)], ["x"], counted(len(value)))
        )
    groups = as_value(by)
    if not is_list(groups):
        raise RError("'by' must be a list")
    if not row_count(value):
        raise RError("no rows to aggregate")
    if any(len(item) != row_count(value) for item in groups._data):
        raise RError("arguments must have same length")
    labels = [str(name) if name else f"Group.{k + 1}" for k, name in enumerate(names_of(groups) or [""] * len(groups))]
    columns = builtins.list(zip(map(str, names_of(value) or []), value._data, strict=True))
    return _aggregated(columns, builtins.list(zip(labels, groups._data, strict=True)), *rest)


def _by_formula(text: str, frame: Value, na_action: Any, *rest: Any) -> Value:
    """Return groups of a formula of names: ``y ~ g + h``, ``cbind(x, y) ~ g``, ``. ~ g``, ``y ~ .``."""
    if not is_frame(frame):
        raise NotMovedError("aggregate() of a formula without a data frame")
    way = "na_omit" if na_action is None else getattr(na_action, "__name__", "")
    if way not in ("na_omit", "na_pass"):
        raise NotMovedError("aggregate() with another na.action")
    left, right = (part.strip() for part in text.split("~", 1))
    names = known_names(frame)
    groups = [part.strip().strip("`") for part in right.split("+")]
    if groups == ["."]:
        groups = [name for name in names if name not in _responses(left, names, [])]
    wanted = _responses(left, names, groups)
    if not set(groups) <= set(names) or not set(wanted) <= set(names):
        raise NotMovedError(f"aggregate() with the formula {text}")
    used = taken(frame, strings(dict.fromkeys([*wanted, *groups])))
    if way == "na_omit":
        used = taken(used, complete_cases(used), ALL, drop=False)
    columns = dict(zip(names_of(used) or [], used._data, strict=True))
    found = [(name, columns[name]) for name in wanted]
    if left == "." or left.startswith("cbind("):
        found = _one_kind(found)
    if not row_count(used):
        raise RError("no rows to aggregate")
    return _aggregated(found, [(name, columns[name]) for name in groups], *rest)


def _one_kind(columns: builtins.list[tuple[str, Value]]) -> builtins.list[tuple[str, Value]]:
    """Return columns as those of the matrix that cbind() makes of them."""
    if any(is_list(column) or dim_of(column) is not None for _, column in columns):
        raise NotMovedError("cbind() of lists or matrices in a formula")
    bare = [(name, Value(column._kind, column._data)) for name, column in columns]
    kind = wider(*(column._kind for _, column in bare))
    return [(name, coerced(column, kind)) for name, column in bare]


def _responses(left: str, names: builtins.list[str], groups: builtins.list[str]) -> builtins.list[str]:
    if left == ".":
        return [name for name in names if name not in groups]
    inner = left[len("cbind(") : -1] if left.startswith("cbind(") and left.endswith(")") else left
    return [part.strip().strip("`") for part in inner.split(",")]


def _aggregated(
    columns: builtins.list[tuple[str, Value]],
    groups: builtins.list[tuple[str, Value]],
    function: Callable[..., Any],
    dots: tuple[Any, ...],
    more: dict[str, Any],
    simplify: bool,
) -> Value:
    """Return a row for each combination of groups that has rows, the first grouping varying fastest."""
    keys = [as_factor(_bare(item)) for _, item in groups]
    known = ~np.any([is_missing(item) for _, item in groups], axis=0)
    joint = np.zeros(len(known))
    for key in keys[::-1]:
        joint = joint * len(factor_levels(key)) + (key._data - 1)
    rows = [np.flatnonzero(known & (joint == code)) for code in np.unique(joint[known])]
    first = np.array([group[0] for group in rows], dtype=np.int64)
    made_ = [of_rows(_bare(item), first) for _, item in groups]
    for _, column in columns:
        if dim_of(column) is not None:
            raise NotMovedError("aggregate() of a data frame with matrices in it")
        bare = _bare(column)
        found = [copy(as_value(function(items(bare, integers(group + 1)), *dots, **more))) for group in rows]
        made_.append(_values_of(found, simplify))
    return framed(made_, [name for name, _ in [*groups, *columns]], counted(len(rows)))


def _values_of(found: builtins.list[Any], simplify: bool) -> Value:
    """Return what a function gave for the groups: a vector, a matrix with a row for each, or a list."""
    from pyrrf.r.vectors import c

    sizes = {len(item) if isinstance(item, Value) else 1 for item in found}
    if not simplify or len(sizes) != 1 or sizes == {0}:
        return Value("list", objects(found))
    if any(not isinstance(item, Value) or is_list(item) for item in found):
        raise NotMovedError("aggregate() with a function that gives lists")
    (size,) = sizes
    if size == 1:
        bare = [_bare(item) if "class" in item._attributes else Value(item._kind, item._data) for item in found]
        made: Value = c(*bare)
        return made
    flat = unlist(Value("list", objects([Value(item._kind, item._data) for item in found])))
    grid = flat._data.reshape((len(found), size)).ravel(order="F")
    about = {"dim": integers([len(found), size])}
    labels = names_of(found[0])
    if labels is not None:
        about["dimnames"] = dimnames_value([None, labels])
    return Value(flat._kind, grid, about)
