"""Expressions evaluated among the columns of a table: with, subset, transform, within."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base.frames import data_frame
from pyrrf.r.indexing.subscripts import taken
from pyrrf.r.values.arguments import Mask, Named, flag
from pyrrf.r.values.attributes import dim_of, dimnames_of, inherits, is_frame, is_list, names_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, logicals, objects, strings

Verb = Callable[[Mask], Any]


@r_function(masked=("expr",), hands_on=True)
def with_(data: Any, expr: Verb) -> Any:
    """Return an expression in which names may be columns of a table, or items of a list."""
    source = as_value(data)
    if source._kind in ("logical", "character"):
        raise RError(f"invalid 'envir' argument of type '{source._kind}'")
    if source._kind in ("integer", "double"):
        raise NotMovedError("with() of a number, which names an environment")
    return as_value(expr(Mask(source)))


def _positions(frame: Value) -> Mask:
    """Return a mask in which a column is its number: what `select` of subset() is evaluated in."""
    names = dimnames_of(frame)[1] or []
    return Mask(Value("list", objects([integers([j + 1]) for j in range(len(names))]), {"names": strings(names)}))


@r_function(masked=("subset", "select"))
def subset(x: Any, subset: Verb | None = None, select: Verb | None = None, drop: Any = False) -> Value:
    """Return the rows, or items, in which a condition holds, and some of the columns."""
    value = as_value(x)
    if is_frame(value) or len(dim_of(value) or ()) == 2:
        rows = logicals([1.0] * (dim_of(value) or (0,))[0]) if subset is None else _condition(subset(_columns(value)))
        columns = logicals(1.0) if select is None else as_value(select(_positions(value)))
        found: Value = taken(value, rows, columns, drop=flag(drop))
        return found
    empty = Mask(Value("list", objects([]), {"names": strings([])}))
    if subset is None:
        raise RError('argument "subset" is missing, with no default')
    return taken(value, _condition(subset(empty)))


def _columns(x: Value) -> Mask:
    return Mask(x if is_frame(x) else Value("list", objects([]), {"names": strings([])}))


def _condition(found: Any) -> Value:
    value = as_value(found)
    if value._kind != "logical":
        raise RError("'subset' must be logical")
    return Value("logical", np.where(np.isnan(value._data), 0.0, value._data))


@r_function(masked=("...",))
def transform(_data: Any, *dots: Any, **named: Any) -> Value:
    """Return a data frame with columns that are new, or computed anew, all from the old ones."""
    frame = as_value(_data)
    if not is_frame(frame):
        raise NotMovedError("transform() of what is no data frame")
    if inherits(frame, "tbl_df") or inherits(frame, "data.table"):
        raise NotMovedError("transform() of a tibble or a data.table")
    mask = Mask(frame)
    items = [(item.name, item.value) for item in dots if isinstance(item, Named)] + [*named.items()]
    if len(items) != len(dots) + len(named):
        raise NotMovedError("transform() of an expression without a name")
    found = [(name, as_value(verb(mask))) for name, verb in items]
    made: Value = frame.copy()
    known = names_of(frame) or []
    for name, column in found:
        if name in known:
            made[[name]] = column
    new = [Named(name, column) for name, column in found if name not in known]
    return data_frame(made, *new) if found else made


def within(data: Any, *steps: Named) -> Value:
    """Return a table, or a list, with what statements assign; new columns come last, the last one first."""
    value = as_value(data)
    if not is_list(value):
        raise RError("no applicable method for 'within'")
    columns = dict(zip(names_of(value) or [], value._data, strict=False))
    if len(columns) < len(value) or None in columns:
        raise NotMovedError("within() of columns with equal or missing names")
    before = dict(columns)
    new: list[str] = []
    for step in steps:
        scope = Value("list", objects(columns.values()), {"names": strings(columns)})
        found = as_value(step.value(Mask(scope)))
        if step.name not in columns and step.name not in new:
            new.append(step.name)
        columns[step.name] = found
    made: Value = value.copy()
    for name, column in columns.items():
        if name not in new and column is not before[name]:
            made[[name]] = column
    for name in reversed(new):
        if not is_null(columns[name]):
            made[[name]] = columns[name]
    return made
