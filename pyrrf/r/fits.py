"""Fits: the lists that R has of forests, and the fits of pyrrf behind them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import warn
from pyrrf.r.call_text import deparsed_lines
from pyrrf.r.convert import categories, data_frame, from_robject, to_robject
from pyrrf.r.formats import Style
from pyrrf.r.looking import (
    classes,
    dim_of,
    dimnames_of,
    is_factor,
    is_frame,
    is_matrix,
    is_missing,
    names_of,
    row_names,
)
from pyrrf.r.values import NUMBERS, NotMovedError, RError, Value, as_value, is_null, objects, strings
from pyrrf.rds import build
from pyrrf.rds.code import parse_code
from pyrrf.rds.read_fit import read_fit
from pyrrf.rds.write_fit import write_fit
from pyrrf.result.result import ForestResult

FUNCTIONS = {"RRF", "randomForest"}
_ITEMS = Value.__dict__["_data"]
_ABOUT = Value.__dict__["_attributes"]
# What pyrrf warns of where R does, too; of all else R is silent.
_WARNINGS = {
    "invalid mtry": "invalid mtry: reset to within valid range",
    "maxnodes exceeds": "maxnodes exceeds its max value.",
    "proximity without newdata": "cannot return proximity without new data if random forest object does not already "
    "have proximity",
}


# ---- the list and what is behind it --------------------------------------------------------------


@dataclass(repr=False)
class Grown:
    """A fit of pyrrf, and what R's list of it holds otherwise: parts by name, "forest$ntree" for a part of a part."""

    fit: ForestResult
    changes: Mapping[str, Any] = field(default_factory=dict)
    list_: Value | None = None

    def __repr__(self) -> str:
        """Return what R's print() shows."""
        return fit_text(self.built(), self.fit)

    def built(self) -> Value:
        """Return R's list."""
        if self.list_ is None:
            made = _with_gaps(from_robject(write_fit(self.fit)))
            for name, value in self.changes.items():
                _replace(made, name.split("$"), value)
            self.list_ = made
        return self.list_


def _with_gaps(x: Any) -> Any:
    """Return a value with NA where the integers of an object that was built have R's mark of it."""
    if x._kind == "list":
        return Value("list", objects([_with_gaps(item) for item in x._data]), x._attributes)
    if x._kind not in ("integer", "logical") or not (x._data == build.INT_NA).any():
        return x
    return Value(x._kind, np.where(x._data == build.INT_NA, np.nan, x._data), x._attributes)


def object_of(x: Any) -> Any:
    """Return a value as an object of an .rds file; formulas keep their attributes and get the global environment."""
    if isinstance(x, Value) and x._kind == "list":
        about = {name: object_of(value) for name, value in x._attributes.items()}
        return build.make("VEC", [object_of(item) for item in x._data], about or None)
    made = to_robject(x)
    if x._kind == "language":
        _check_code(x)
    if x._kind in ("integer", "logical") and np.isnan(x._data).any():
        made.value = np.ma.masked_array(made.value, np.isnan(x._data))
    if x._kind == "language" and x._attributes:
        parts = {name: object_of(value) for name, value in x._attributes.items()}
        made.attributes = build.pairlist([*parts.items(), (".Environment", build.make("GLOBALENV"))])
        made.info.attributes = made.info.object = True
    return made


def _check_code(x: Value) -> None:
    """Refuse a call that cannot be written as an object."""
    try:
        parse_code(str(x._data[0]))
    except ValueError:
        raise ValueError(f"the call {str(x._data[0])[:60]}") from None


def _replace(made: Value, path: list[str], value: Any) -> None:
    """Put a part into a list that nobody else holds; a new one comes last."""
    if is_null(made):
        return
    names = list(made._attributes["names"]._data)
    if path[0] not in names and len(path) == 1 and path[0] == "na.action":
        data = objects([*made._data, value])
        object.__setattr__(made, "_data", data)
        object.__setattr__(made, "_attributes", made._attributes | {"names": strings([*names, path[0]])})
    elif path[0] in names and len(path) > 1:
        _replace(made._data[names.index(path[0])], path[1:], value)
    elif path[0] in names:
        at = names.index(path[0])
        made._data[at] = value(made._data[at]) if callable(value) else value


class Fit(Value):
    """R's list of a fit, which is made when a part of it is asked for."""

    __slots__ = ()

    def __init__(self, grown: Grown) -> None:
        super().__init__("list", None, None, grown)
        object.__setattr__(self, "_attributes", None)

    @property
    def _data(self) -> Any:
        own = _ITEMS.__get__(self)
        return self._hidden.built()._data if own is None else own

    @_data.setter
    def _data(self, new: Any) -> None:
        _ITEMS.__set__(self, new)

    @property
    def _attributes(self) -> Any:
        own = _ABOUT.__get__(self)
        return self._hidden.built()._attributes if own is None else own

    @_attributes.setter
    def _attributes(self, new: Any) -> None:
        _ABOUT.__set__(self, new)

    def copy(self) -> Value:
        """Return a value that can be changed on its own."""
        return Fit(self._hidden) if _ITEMS.__get__(self) is None else super().copy()


def _is_whole(x: Value) -> bool:
    """Whether no part of a fit was asked for or changed by its own."""
    return isinstance(x, Fit) and _ITEMS.__get__(x) is None


def is_fit(x: Any) -> bool:
    """Whether a value is a fit of RRF() or randomForest()."""
    return isinstance(x, Value) and bool(FUNCTIONS & set(classes(x)))


def fit_of(x: Any, message: str = "object not of class RRF") -> ForestResult:
    """Return the fit of pyrrf that a list of R stands for.

    Raises
    ------
    RError
        It is no fit.
    NotMovedError
        It is one whose parts do not go together.
    """
    if not is_fit(x):
        raise RError(message)
    known = x._hidden
    if isinstance(known, Grown) and (_is_whole(x) or known.built()._data is x._data):
        return known.fit
    try:
        fit = read_fit(object_of(x), classes(x))
    except (ValueError, TypeError) as error:
        raise NotMovedError(f"a fit whose parts were changed: {error}") from None
    object.__setattr__(x, "_hidden", Grown(fit, {}, Value("list", x._data, x._attributes)))
    return fit


def part(x: Value, *path: str) -> Value | None:
    """Return a part of a list by its exact name, or a part of a part; None where R has NULL."""
    found: Any = x
    for name in path:
        names = names_of(found) or []
        if name not in names:
            return None
        found = found._data[names.index(name)]
    return None if is_null(found) else found


def fit_text(x: Value, fit: ForestResult) -> str:
    """Return what R's print() shows of a fit."""
    shown, call = repr(fit).split("\n"), part(x, "call")
    if call is not None and len(shown) > 2:
        shown[2] = " " + " ".join(deparsed_lines(str(call._data[0]))) + " "
    return "\n".join(shown)


# ---- calls of pyrrf ------------------------------------------------------------------------------


def asked(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Call a function of pyrrf: of its warnings those of R remain, and what it refuses is not moved.

    Raises
    ------
    NotMovedError
        It refuses the call, as R does or for a reason of its own.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = function(*args, **named)
        except (ValueError, TypeError, ImportError, KeyError) as error:
            raise NotMovedError(f"{function.__name__}(): {error}") from error
    for item in told:
        text = next((text for start, text in _WARNINGS.items() if str(item.message).startswith(start)), None)
        if text:
            warn(text)
    return found


@dataclass(frozen=True)
class Table:
    """Predictors for pyrrf, and the labels that R sees."""

    values: Any
    frame: bool
    rows: list[str | None] | None
    columns: list[str | None] | None

    @property
    def labels(self) -> list[str]:
        """Names of the rows; their numbers where they have none."""
        n = len(self.values)
        return [str(i + 1) for i in range(n)] if self.rows is None else [str(row) for row in self.rows]


def table_of(x: Any, what: str = "x", otherwise: str = "argument is of length zero") -> Table:
    """Return a data frame or a matrix of numbers for pyrrf.

    Raises
    ------
    RError
        It is neither.
    NotMovedError
        A column is a list or a matrix, or the matrix holds text.
    """
    x = as_value(x)
    if is_frame(x):
        x = Value("list", objects([_flat(column) for column in x._data]), x._attributes)
        for name, column in zip(names_of(x) or [], x._data, strict=True):
            if column._kind not in (*NUMBERS, "character") or dim_of(column) is not None:
                raise NotMovedError(f"column {name} of {what} is no vector")
        return Table(
            data_frame(x).set_axis(pd.Index(row_names(x), dtype=object), axis=0), True, row_names(x), names_of(x)
        )
    if not is_matrix(x):
        raise RError(otherwise)
    if x._kind not in NUMBERS:
        raise NotMovedError(f"{what} is a matrix of kind {x._kind}")
    rows, columns = dimnames_of(x)
    values: Any = x._data.reshape(dim_of(x) or (), order="F")
    if columns is not None:
        values = pd.DataFrame(values, columns=pd.Index(columns, dtype=object))
    return Table(values, False, rows, columns)


def _flat(column: Any) -> Any:
    """Return a matrix of one column of numbers, as scale() gives it, as a vector."""
    shape = dim_of(column) or ()
    one = len(shape) == 2 and shape[1] == 1 and isinstance(column, Value) and column._kind in ("integer", "double")
    return Value(column._kind, column._data) if one else column


def has_missing(x: Value) -> bool:
    """Whether a value, or a column of a data frame, has missing values."""
    if is_frame(x):
        return any(bool(is_missing(column).any()) for column in x._data)
    return bool(is_missing(x).any())


def vector_of(x: Any) -> Any:
    """Return an argument for pyrrf: NULL as None, one value as Python's own, names as an index, a factor as such."""
    x = as_value(x)
    if not isinstance(x, Value):
        return x
    if is_null(x):
        return None
    if is_factor(x):
        return categories(x)
    data = x._data.astype(bool) if x._kind == "logical" and not np.isnan(x._data).any() else x._data
    names = names_of(x)
    if names is not None:
        return pd.Series(data, index=pd.Index(names, dtype=object))
    if len(data) == 1:
        return data[0] if x._kind == "character" else data[0].item()
    return data


def print_RRF(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of a fit."""
    return fit_text(x, fit_of(x))
