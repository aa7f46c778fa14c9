"""What is computed for groups of rows: split, tapply, aggregate; and for whole rows and columns."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r import margins
from pyrrf.script.factors import as_factor
from pyrrf.script.frames import complete_cases, counted, framed
from pyrrf.script.functional import match_fun, simplified
from pyrrf.script.lists import unlist
from pyrrf.script.subscripts import ALL, items, of_rows, taken
from pyrrf.script.values import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    copy,
    dim_of,
    dimnames_of,
    dimnames_value,
    doubles,
    factor_levels,
    flag,
    integers,
    is_factor,
    is_frame,
    is_list,
    names_of,
    null,
    objects,
    row_count,
    strings,
    wider,
)

# ---- rows and columns ----------------------------------------------------------------------------


def _margin(x: Any, na_rm: Any, function: Callable[..., Any], axis: int) -> Value:
    from pyrrf.script.matrices import as_matrix

    value = as_value(x)
    if not is_frame(value) and dim_of(value) is None:
        raise RError("'x' must be an array of at least two dimensions")
    grid = as_matrix(value)
    if grid._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    cells = coerced(grid, "double")._data.reshape(dim_of(grid), order="F")
    found = np.asarray(function(cells, na_rm=flag(na_rm)), dtype=np.float64)
    labels = dimnames_of(value)[axis]
    return doubles(found, {} if labels is None else {"names": strings(labels)})


def colSums(x: Any, na_rm: Any = False, dims: Any = 1) -> Value:
    """Return the sum of each column."""
    return _margin(x, na_rm, margins.colSums, 1)


def colMeans(x: Any, na_rm: Any = False, dims: Any = 1) -> Value:
    """Return the mean of each column."""
    return _margin(x, na_rm, margins.colMeans, 1)


def rowSums(x: Any, na_rm: Any = False, dims: Any = 1) -> Value:
    """Return the sum of each row."""
    return _margin(x, na_rm, margins.rowSums, 0)


def rowMeans(x: Any, na_rm: Any = False, dims: Any = 1) -> Value:
    """Return the mean of each row."""
    return _margin(x, na_rm, margins.rowMeans, 0)


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


def split(x: Any, f: Any, drop: Any = False, *dots: Any) -> Value:
    """Return a list of the items, or the rows, of each group."""
    value = as_value(x)
    factors, _ = _codes(f)
    if len(factors) > 1:
        from pyrrf.script.factors import interaction

        factors = [interaction(*factors)]
    levels = factor_levels(factors[0])
    size = row_count(value) if is_frame(value) else len(value)
    codes = np.resize(factors[0]._data, size)
    groups = _rows_of_groups(codes, len(levels))
    kept = [at for at, rows in enumerate(groups) if len(rows) or not flag(drop)]
    parts = [_part(value, groups[at]) for at in kept]
    return Value("list", objects(parts), {"names": strings([levels[at] for at in kept])})


def _part(x: Value, rows: np.ndarray) -> Value:
    at = integers(rows + 1) if len(rows) else Value("integer", np.zeros(0))
    return taken(x, at, ALL, drop=False) if is_frame(x) else items(x, at)


def unsplit(value: Any, f: Any) -> Value:
    """Return the items of groups in the order in which they stood."""
    from pyrrf.script.vectors import c

    parts = as_value(value)
    factor = as_factor(f)
    groups = _rows_of_groups(factor._data, len(factor_levels(factor)))
    joint = c(*[Value(p._kind, p._data, {k: v for k, v in p._attributes.items() if k != "names"}) for p in parts._data])
    order = np.argsort(np.concatenate(groups), kind="stable")
    return items(joint, integers(order + 1))


def tapply(
    X: Any, INDEX: Any, FUN: Any = None, *dots: Any, default: Any = None, simplify: Any = True, **named: Any
) -> Value:
    """Return what a function gives for each group: an array of one number each, or a list."""
    if FUN is None or default is not None:
        raise NotMovedError("tapply() without a function, or with a default")
    value, function = as_value(X), match_fun(FUN)
    factors, labels = _codes(INDEX)
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
    about = {"dim": integers(shape), "dimnames": dimnames_value([factor_levels(f) for f in factors], names)}
    if flag(simplify) and all(
        item is None or (isinstance(item, Value) and len(item) == 1 and not is_list(item)) for item in found
    ):
        return _array_of(found, about)
    return Value("list", objects([null() if item is None else item for item in found]), about)


def _array_of(found: builtins.list[Any], about: dict[str, Value]) -> Value:
    from pyrrf.script.subscripts import picked

    known = [item for item in found if item is not None]
    flat = unlist(Value("list", objects([Value(item._kind, item._data) for item in known])))
    places = np.cumsum([item is not None for item in found]) - 1
    at = np.where([item is not None for item in found], places, -1)
    spread = picked(flat, at)
    return Value(spread._kind, spread._data, about)


def ave(x: Any, *dots: Any, FUN: Any = None) -> Value:
    """Return for each item what a function gives for its group: the mean by default."""
    from pyrrf.script.replacement import put
    from pyrrf.script.statistics import mean

    value, function = as_value(x), mean if FUN is None else match_fun(FUN)
    if len(dots) != 1:
        raise NotMovedError("ave() of other than one grouping")
    factor = as_factor(dots[0])
    for rows in _rows_of_groups(factor._data, len(factor_levels(factor))):
        if len(rows):
            value = put(value, function(_part(value, rows)), integers(rows + 1))
    return value


def by(data: Any, INDICES: Any, FUN: Any, *dots: Any) -> Value:
    """Refuse: what by() gives is not moved."""
    raise NotMovedError("by(); split() and lapply() are")


def aggregate(
    x: Any,
    by: Any = None,
    FUN: Any = None,
    *dots: Any,
    data: Any = None,
    simplify: Any = True,
    drop: Any = True,
    na_action: Any = None,
    **named: Any,
) -> Value:
    """Return a data frame with what a function gives for each group of rows."""
    value = as_value(x)
    more = {name.replace(".", "_"): item for name, item in named.items()}
    if value._kind == "language":
        frame = as_value(by if data is None else data)
        return _by_formula(str(value._data[0]), frame, match_fun(FUN), dots, more)
    if is_frame(value):
        columns = dict(zip(map(str, names_of(value) or []), value._data, strict=True))
    else:
        columns = {"x": value}
    groups = as_value(by)
    if not is_list(groups):
        raise RError("'by' must be a list")
    labels = [str(name) if name else f"Group.{k + 1}" for k, name in enumerate(names_of(groups) or [""] * len(groups))]
    return _aggregated(columns, dict(zip(labels, groups._data, strict=True)), match_fun(FUN), dots, more)


def _by_formula(
    text: str, frame: Value, function: Callable[..., Any], dots: tuple[Any, ...], more: dict[str, Any]
) -> Value:
    left, right = (part.strip() for part in text.split("~", 1))
    names = [str(name) for name in names_of(frame) or []]
    groups = [part.strip().strip("`") for part in right.split("+")]
    if groups == ["."]:
        groups = [name for name in names if name not in _responses(left, names, [])]
    wanted = _responses(left, names, groups)
    if not set(groups) <= set(names) or not set(wanted) <= set(names):
        raise NotMovedError(f"aggregate() with the formula {text}")
    used = taken(frame, strings([*wanted, *groups]))
    kept = taken(used, complete_cases(used), ALL, drop=False)
    columns = dict(zip([*wanted, *groups], kept._data, strict=True))
    if left.startswith("cbind("):
        kind = wider(*(columns[name]._kind for name in wanted))
        columns |= {name: Value(kind, coerced(columns[name], kind)._data) for name in wanted}
    return _aggregated(
        {name: columns[name] for name in wanted}, {name: columns[name] for name in groups}, function, dots, more
    )


def _responses(left: str, names: builtins.list[str], groups: builtins.list[str]) -> builtins.list[str]:
    if left == ".":
        return [name for name in names if name not in groups]
    inner = left[len("cbind(") : -1] if left.startswith("cbind(") and left.endswith(")") else left
    return [part.strip().strip("`") for part in inner.split(",")]


def _aggregated(
    columns: dict[str, Value],
    groups: dict[str, Value],
    function: Callable[..., Any],
    dots: tuple[Any, ...],
    more: dict[str, Any],
) -> Value:
    """Return a row for each combination of groups that has rows, the first grouping varying fastest."""
    keys = [as_factor(_bare(item)) for item in groups.values()]
    known = ~np.any([np.isnan(key._data) for key in keys], axis=0)
    joint = np.zeros(len(known))
    for key in keys[::-1]:
        joint = joint * len(factor_levels(key)) + (key._data - 1)
    used = np.unique(joint[known])
    rows = [np.flatnonzero(known & (joint == code)) for code in used]
    first = np.array([group[0] for group in rows], dtype=np.int64)
    made_ = [of_rows(_bare(item), first) for item in groups.values()]
    for column in columns.values():
        found = [copy(as_value(function(items(_bare(column), integers(group + 1)), *dots, **more))) for group in rows]
        made_.append(_values_of(found))
    return framed(made_, [*groups, *columns], counted(len(rows)))


def _values_of(found: builtins.list[Any]) -> Value:
    if all(isinstance(item, Value) and len(item) == 1 and not is_list(item) for item in found):
        bare = [item if is_factor(item) else Value(item._kind, item._data, _dated(item)) for item in found]
        from pyrrf.script.vectors import c

        return c(*bare)
    whole = simplified(Value("list", objects(found)))
    if len(dim_of(whole) or ()) == 2:
        from pyrrf.script.matrices import t

        return t(whole)
    raise NotMovedError("aggregate() with results of different lengths")


def _dated(item: Value) -> dict[str, Value]:
    return {k: v for k, v in item._attributes.items() if k in ("class", "units", "tzone")}
