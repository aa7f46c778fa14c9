"""Functions of stats over groups: aggregate, ave, reorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyrrf.r.base.factors import as_factor, factor, interaction
from pyrrf.r.base.frames import as_data_frame, complete_cases, data_frame, make_frame, row_ids
from pyrrf.r.base.functional import match_fun
from pyrrf.r.base.grouping import rows_of_group, rows_of_groups, tapply, without_names
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sums import mean
from pyrrf.r.base.vectors import c
from pyrrf.r.indexing.replacement import put
from pyrrf.r.indexing.subscripts import ALL, items, of_rows, taken
from pyrrf.r.values.arguments import flag, named
from pyrrf.r.values.coercion import bare, coerce, wider
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Given, Item, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_frame, is_list, is_missing
from pyrrf.r.values.labels import dim_of, known_names, matrix_of, names_of, row_count
from pyrrf.r.values.vector import Value, as_value, copy, integers, objects, strings

_Column = tuple[str, Value]
_Summary = Callable[[Value], Item]
"""A function of a script for a group, with its further arguments."""


@r_function(called=("FUN",))
def reorder(
    x: Value, X: Value, FUN: object = None, *dots: object, order: Given = None, decreasing: object = False
) -> Value:
    """Return a factor with its levels ordered by the value of a function for them: the mean by default."""
    scores = tapply(X, x, mean if FUN is None else FUN, *dots)
    names = names_of(sort(scores, decreasing=decreasing, na_last=True))
    releveled = factor(x, levels=strings(names or []), ordered=inherits(x, "ordered") if order is None else flag(order))
    return Value(releveled._kind, releveled._data, releveled._attributes | {"scores": scores})


@r_function(repeats=True, called=("FUN",))
def ave(x: Value, *dots: object, FUN: object = None) -> Value:
    """Return for each item the value of a function for its group: the mean by default."""
    function = mean if FUN is None else match_fun(FUN)
    if not dots:
        return put(x, function(x), ...)
    factor = interaction(*dots)
    groups = rows_of_groups(np.resize(factor._data, len(x)), len(factor_levels(factor)))
    values = [as_value(function(rows_of_group(x, rows))) for rows in groups]
    for rows, value in zip(groups, values, strict=True):
        if len(rows):
            x = put(x, value, integers(rows + 1))
    return x


@r_function(formula=True, repeats=True, unsupported="drop subset", called=("FUN", "na_action"))
def aggregate(
    x: Value, by: Value | None = None, FUN: object = None, *dots: object, data: Value | None = None,
    simplify: Flag = True, drop: Flag = True, na_action: object = None, subset: object = None, **named: object,
) -> Value:  # fmt: skip
    """Return a data frame with the value of a function for each group of rows."""
    more = {name.replace(".", "_"): item for name, item in named.items()}
    given = match_fun(FUN)

    def function(group: Value) -> Item:
        return copy(as_value(given(group, *dots, **more)))

    if x._kind == "language":
        return _by_formula(str(x._data[0]), by if data is None else data, na_action, function, simplify)
    if by is not None and by._kind == "language" and data is None:
        return _by_formula(str(by._data[0]), x, na_action, function, simplify)
    table = x
    if not is_frame(x):
        flat = not is_list(x) and dim_of(x) is None
        table = make_frame([without_names(x)], ["x"], row_ids(len(x))) if flat else as_data_frame(x)
    if by is None or not is_list(by):
        raise RError("'by' must be a list")
    stop_if(not row_count(table), "no rows to aggregate")
    stop_if(any(len(item) != row_count(table) for item in by._data), "arguments must have same length")
    labels = [str(name) if name else f"Group.{k + 1}" for k, name in enumerate(names_of(by) or [""] * len(by))]
    columns = list(zip(map(str, names_of(table) or []), table._data, strict=True))
    return _aggregate(columns, list(zip(labels, by._data, strict=True)), function, simplify)


def _by_formula(text: str, frame: object, na_action: object, function: _Summary, simplify: bool) -> Value:
    """Return groups of a formula of names: ``y ~ g + h``, ``cbind(x, y) ~ g``, ``. ~ g``, ``y ~ .``."""
    if not isinstance(frame, Value) or not is_frame(frame):
        raise NotSupportedError("aggregate() of a formula without a data frame")
    way = "na_omit" if na_action is None else getattr(na_action, "__name__", "")
    refuse_if(way not in ("na_omit", "na_pass"), "aggregate() with another na.action")
    left, right = (term.strip() for term in text.split("~", 1))
    names = known_names(frame)
    groups = [term.strip().strip("`") for term in right.split("+")]
    if groups == ["."]:
        groups = [name for name in names if name not in _responses(left, names, [])]
    wanted = _responses(left, names, groups)
    refuse_if(not set(groups) <= set(names) or not set(wanted) <= set(names), f"aggregate() with the formula {text}")
    used = taken(frame, strings(dict.fromkeys([*wanted, *groups])))
    if way == "na_omit":
        used = taken(used, complete_cases(used), ALL, drop=False)
    columns = dict(zip(names_of(used) or [], used._data, strict=True))
    responses = [(name, columns[name]) for name in wanted]
    if left == "." or left.startswith("cbind("):
        responses = _one_kind(responses)
    stop_if(not row_count(used), "no rows to aggregate")
    return _aggregate(responses, [(name, columns[name]) for name in groups], function, simplify)


def _one_kind(columns: list[_Column]) -> list[_Column]:
    """Return columns of one kind, as in the matrix that cbind() makes of them."""
    if any(is_list(column) or dim_of(column) is not None for _, column in columns):
        raise NotSupportedError("cbind() of lists or matrices in a formula")
    kind = wider(*(column._kind for _, column in columns))
    return [(name, coerce(bare(column), kind)) for name, column in columns]


def _responses(left: str, names: list[str], groups: list[str]) -> list[str]:
    if left == ".":
        return [name for name in names if name not in groups]
    inner = left[len("cbind(") : -1] if left.startswith("cbind(") and left.endswith(")") else left
    return [term.strip().strip("`") for term in inner.split(",")]


def _aggregate(columns: list[_Column], groups: list[_Column], function: _Summary, simplify: bool) -> Value:
    """Return a row for each combination of groups that has rows, the first grouping varying fastest."""
    refuse_if(any(dim_of(item) is not None for _, item in groups), "aggregate() by a table or a matrix")
    data_frame(*[named(name, item) for name, item in groups if classes(item)])  # refuses the classes that R does
    keys = [as_factor(without_names(item)) for _, item in groups]
    known = ~np.any([is_missing(item) for _, item in groups], axis=0)
    joint = np.zeros(len(known))
    for key in keys[::-1]:
        joint = joint * len(factor_levels(key)) + (key._data - 1)
    rows = [np.flatnonzero(known & (joint == code)) for code in np.unique(joint[known])]
    first = np.array([group[0] for group in rows], dtype=np.int64)
    parts = [of_rows(without_names(item), first) for _, item in groups]
    for _, column in columns:
        refuse_if(dim_of(column) is not None, "aggregate() of a data frame with matrices in it")
        plain = without_names(column)
        parts.append(_values_of([function(items(plain, integers(group + 1))) for group in rows], simplify))
    return make_frame(parts, [name for name, _ in [*groups, *columns]], row_ids(len(rows)))


def _values_of(values: Sequence[Item], simplify: bool) -> Value:
    """Return the values of a function for the groups: a vector, a matrix with a row for each, or a list."""
    sizes = {len(item) if isinstance(item, Value) else 1 for item in values}
    refuse_if(sizes == {1} and any(dim_of(item) is not None for item in values), "tables of one value for groups")
    if not simplify or len(sizes) != 1 or sizes == {0}:
        return Value("list", objects(values))
    refuse_if(any(not isinstance(item, Value) or is_list(item) for item in values), "aggregate() that gives lists")
    (size,) = sizes
    if size == 1:
        return c(*[without_names(item) if "class" in item._attributes else bare(item) for item in values])
    flat = unlist(Value("list", objects(map(bare, values))))
    return matrix_of(flat._kind, flat._data.reshape((len(values), size)), (None, names_of(values[0])))
