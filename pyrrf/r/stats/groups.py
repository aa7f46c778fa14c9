"""Functions of stats over groups: aggregate, ave, reorder."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base.factors import as_factor, factor, interaction
from pyrrf.r.base.frames import as_data_frame, counted, framed
from pyrrf.r.base.functional import match_fun
from pyrrf.r.base.gaps import complete_cases
from pyrrf.r.base.grouping import rows_of_group, rows_of_groups, tapply, without_names
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sums import mean
from pyrrf.r.base.vectors import c
from pyrrf.r.indexing.replacement import put
from pyrrf.r.indexing.subscripts import ALL, items, of_rows, taken
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_value,
    factor_levels,
    inherits,
    is_frame,
    is_list,
    is_missing,
    known_names,
    names_of,
    row_count,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, copy, integers, objects, strings


@r_function(called=("FUN",))
def reorder(x: Any, X: Any, FUN: Any = None, *dots: Any, order: Any = None, decreasing: Any = False) -> Value:
    """Return a factor with its levels in the order of what a function gives for them: the mean by default."""
    value = as_value(x)
    scores = tapply(X, value, mean if FUN is None else FUN, *dots)
    falls = inherits(value, "ordered") if order is None else flag(order)
    names = names_of(sort(scores, decreasing=decreasing, na_last=True))
    found = factor(value, levels=strings(names or []), ordered=falls)
    return Value(found._kind, found._data, found._attributes | {"scores": scores})


@r_function(repeats=True, called=("FUN",))
def ave(x: Any, *dots: Any, FUN: Any = None) -> Value:
    """Return for each item what a function gives for its group: the mean by default."""
    value: Value = as_value(x)
    function = mean if FUN is None else match_fun(FUN)
    if not dots:
        return put(value, function(value), ...)
    factor = interaction(*dots)
    groups = rows_of_groups(np.resize(factor._data, len(value)), len(factor_levels(factor)))
    found = [as_value(function(rows_of_group(value, rows))) for rows in groups]
    for rows, part in zip(groups, found, strict=True):
        if len(rows):
            value = put(value, part, integers(rows + 1))
    return value


@r_function(formula=True, repeats=True, called=("FUN", "na_action"))
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
            else framed([without_names(value)], ["x"], counted(len(value)))
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
    keys = [as_factor(without_names(item)) for _, item in groups]
    known = ~np.any([is_missing(item) for _, item in groups], axis=0)
    joint = np.zeros(len(known))
    for key in keys[::-1]:
        joint = joint * len(factor_levels(key)) + (key._data - 1)
    rows = [np.flatnonzero(known & (joint == code)) for code in np.unique(joint[known])]
    first = np.array([group[0] for group in rows], dtype=np.int64)
    made_ = [of_rows(without_names(item), first) for _, item in groups]
    for _, column in columns:
        if dim_of(column) is not None:
            raise NotMovedError("aggregate() of a data frame with matrices in it")
        bare = without_names(column)
        found = [copy(as_value(function(items(bare, integers(group + 1)), *dots, **more))) for group in rows]
        made_.append(_values_of(found, simplify))
    return framed(made_, [name for name, _ in [*groups, *columns]], counted(len(rows)))


def _values_of(found: builtins.list[Any], simplify: bool) -> Value:
    """Return what a function gave for the groups: a vector, a matrix with a row for each, or a list."""
    sizes = {len(item) if isinstance(item, Value) else 1 for item in found}
    if not simplify or len(sizes) != 1 or sizes == {0}:
        return Value("list", objects(found))
    if any(not isinstance(item, Value) or is_list(item) for item in found):
        raise NotMovedError("aggregate() with a function that gives lists")
    (size,) = sizes
    if size == 1:
        bare = [without_names(item) if "class" in item._attributes else Value(item._kind, item._data) for item in found]
        made: Value = c(*bare)
        return made
    flat = unlist(Value("list", objects([Value(item._kind, item._data) for item in found])))
    grid = flat._data.reshape((len(found), size)).ravel(order="F")
    about = {"dim": integers([len(found), size])}
    labels = names_of(found[0])
    if labels is not None:
        about["dimnames"] = dimnames_value([None, labels])
    return Value(flat._kind, grid, about)
