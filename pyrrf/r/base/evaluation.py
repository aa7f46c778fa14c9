"""Expressions evaluated among the columns of a table: with, subset, transform, within."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from pyrrf.r.base.frames import data_frame
from pyrrf.r.indexing.subscripts import taken
from pyrrf.r.values.arguments import Mask, Named, arguments
from pyrrf.r.values.errors import refuse_if, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Item, r_function
from pyrrf.r.values.kinds import inherits, is_frame, is_list, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, names_of
from pyrrf.r.values.vector import Value, as_value, integers, logicals, objects, strings

Verb = Callable[[Mask], object]


@r_function(masked=("expr",), hands_on=True)
def with_(data: Value, expr: Verb) -> Item:
    """Return an expression in which names may be columns of a table, or items of a list."""
    stop_if(data._kind in ("logical", "character"), f"invalid 'envir' argument of type '{data._kind}'")
    refuse_if(data._kind in ("integer", "double"), "with() of a number, which names an environment")
    return as_value(expr(Mask(data)))


def _mask(columns: Mapping[str, object]) -> Mask:
    return Mask(Value("list", objects(columns.values()), {"names": strings(columns)}))


@r_function(masked=("subset", "select"))
def subset(x: Value, subset: Verb | None = None, select: Verb | None = None, drop: Flag = False) -> Value:
    """Return the rows, or items, in which a condition holds, and some of the columns."""
    mask = Mask(x) if is_frame(x) else _mask({})
    shape = dim_of(x) or ()
    # Of a matrix with a class R knows the items alone.
    if len(shape) == 2 and (is_frame(x) or "class" not in x._attributes):
        rows = logicals([1.0] * shape[0]) if subset is None else _condition(subset(mask))
        # In `select` a column is its number.
        names = dimnames_of(x)[1] or []
        numbers = Mask(Value("list", objects(integers(j + 1) for j in range(len(names))), {"names": strings(names)}))
        return taken(x, rows, logicals(1.0) if select is None else as_value(select(numbers)), drop=drop)
    subset = stop_none(subset, 'argument "subset" is missing, with no default')
    return taken(x, _condition(subset(mask)))


def _condition(condition: object) -> Value:
    value = as_value(condition)
    stop_if(value._kind != "logical", "'subset' must be logical")
    return Value("logical", np.where(np.isnan(value._data), 0.0, value._data))


@r_function(masked=("...",))
def transform(_data: Value, *dots: object, **named: Verb) -> Value:
    """Return a data frame with columns that are new, or computed anew, all from the old ones."""
    refuse_if(not is_frame(_data), "transform() of something other than a data frame")
    refuse_if(inherits(_data, "data.table"), "transform() of a data.table")
    items = arguments(dots, named)
    refuse_if(not all(name for name, _ in items), "transform() of an expression without a name")
    mask = Mask(_data)
    columns = [(name, as_value(verb(mask))) for name, verb in items]
    made = _data.copy()
    known = names_of(_data) or []
    for name, column in columns:
        if name in known:
            made[[name]] = column
    new = [Named(name, column) for name, column in columns if name not in known]
    return data_frame(made, *new) if columns else made


@r_function()
def within(data: Value, *steps: Named) -> Value:
    """Return a table, or a list, after assignments in it; new columns come last, the last one first."""
    stop_if(not is_list(data), "no applicable method for 'within'")
    names = names_of(data) or []
    refuse_if(len(set(names)) < len(data) or None in names, "within() of columns with equal or missing names")
    before = {str(name): column for name, column in zip(names, data._data, strict=True)}
    columns = dict(before)
    for step in steps:
        columns[step.name] = as_value(step.value(_mask(columns)))
    made = data.copy()
    for name, column in before.items():
        if columns[name] is not column:
            made[[name]] = columns[name]
    for name in reversed([name for name in columns if name not in before]):
        if not is_null(columns[name]):
            made[[name]] = columns[name]
    return made
