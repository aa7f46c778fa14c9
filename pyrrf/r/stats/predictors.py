"""Data frames and matrices as pyrrf's functions take them, and calls of these functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pyrrf.checks import warn
from pyrrf.r.values.coercion import bare, cells_of
from pyrrf.r.values.convert import data_frame
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Item
from pyrrf.r.values.kinds import is_frame, kind_of
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix, names_of, row_names
from pyrrf.r.values.vector import NUMBERS, Value, as_value, objects

# Warnings of pyrrf that R gives, too; of all else R is silent.
_WARNINGS = {
    "invalid mtry": "invalid mtry: reset to within valid range",
    "maxnodes exceeds": "maxnodes exceeds its max value.",
    "proximity without newdata": "cannot return proximity without new data if random forest object does not already "
    "have proximity",
}


# ---- calls of pyrrf ------------------------------------------------------------------------------


def call_port(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Call a function of pyrrf: of its warnings those of R remain.

    Raises
    ------
    RError
        It refuses the call where R does so, in words that are known.
    NotSupportedError
        It refuses the call, as R may or for a reason of its own.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args, **named)
        except (ValueError, TypeError, ImportError, KeyError) as error:
            if in_r := vars(error).get("in_r"):
                raise RError(in_r) from error
            raise NotSupportedError(f"{function.__name__}(): {error}") from error
    for item in caught:
        text = next((text for start, text in _WARNINGS.items() if str(item.message).startswith(start)), None)
        if text:
            warn(text)
    return result


@dataclass(frozen=True)
class Table:
    """Predictors for pyrrf, and the labels that R sees."""

    values: Any
    frame: bool
    rows: list[str | None] | None
    columns: list[str | None] | None

    @property
    def labels(self) -> list[str]:
        """Return the names of the rows; their numbers where they have none."""
        n = len(self.values)
        return [str(i + 1) for i in range(n)] if self.rows is None else [str(row) for row in self.rows]


def table_of(x: Item, what: str = "x", otherwise: str = "argument is of length zero") -> Table:
    """Return a data frame or a matrix of numbers for pyrrf.

    Raises
    ------
    RError
        It is neither.
    NotSupportedError
        A column is a list or a matrix, or the matrix holds text.
    """
    x = as_value(x)
    if is_frame(x):
        x = Value("list", objects(map(_flat, x._data)), x._attributes)
        for name, column in zip(names_of(x) or [], x._data, strict=True):
            if column._kind not in (*NUMBERS, "character") or dim_of(column) is not None:
                raise NotSupportedError(f"column {name} of {what} is no vector")
        labels = row_names(x)
        return Table(data_frame(x).set_axis(pd.Index(labels, dtype=object), axis=0), True, labels, names_of(x))
    if not is_matrix(x):
        raise RError(otherwise)
    if x._kind not in NUMBERS:
        raise NotSupportedError(f"{what} is a matrix of kind {x._kind}")
    rows, columns = dimnames_of(x)
    values: Any = cells_of(x)
    if columns is not None:
        values = pd.DataFrame(values, columns=pd.Index(columns, dtype=object))
    return Table(values, False, rows, columns)


def _flat(column: Item) -> Item:
    """Return a matrix of one column of numbers, as scale() gives it, as a vector."""
    one = (dim_of(column) or ())[1:] == (1,) and kind_of(column) in ("integer", "double")
    return bare(column) if one else column
