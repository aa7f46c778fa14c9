"""Fits: R's lists of forests, and the fits of pyrrf they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pyrrf.r.files.robjects import from_robject, object_of
from pyrrf.r.formatting.deparse import deparsed_lines, matched_call
from pyrrf.r.formatting.formats import Style
from pyrrf.r.values.convert import categories
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.kinds import classes, is_factor, is_frame, is_missing, is_null
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.partial import Absent
from pyrrf.r.values.vector import Value, as_value, objects, strings
from pyrrf.rds import build
from pyrrf.rds.write_fit import write_fit
from pyrrf.result.result import ForestResult

FUNCTIONS = {"RRF", "randomForest"}
Changes: TypeAlias = "dict[str, Value | Callable[[Value], Value]]"
"""Changed parts of R's list, by path ("forest$ntree"): a value, or a function of pyrrf's value."""
_ITEMS = Value.__dict__["_data"]
_ABOUT = Value.__dict__["_attributes"]


# ---- the list and what is behind it --------------------------------------------------------------


@dataclass(repr=False)
class Grown:
    """A fit of pyrrf, and the parts in which R's list differs."""

    fit: ForestResult
    changes: Changes = field(default_factory=dict)
    list_: Value | None = None

    def __repr__(self) -> str:
        """Return the text of R's print()."""
        return fit_text(self.build_list(), self.fit)

    def build_list(self) -> Value:
        """Return R's list."""
        if self.list_ is None:
            list_ = _with_gaps(from_robject(write_fit(self.fit)))
            for name, value in self.changes.items():
                _replace(list_, name.split("$"), value)
            self.list_ = list_
        return self.list_


def _with_gaps(x: Value) -> Value:
    """Return a value with NA for R's integer NA in an object that was built."""
    if x._kind == "list":
        return Value("list", objects([_with_gaps(item) for item in x._data]), x._attributes)
    if x._kind not in ("integer", "logical") or not (x._data == build.INT_NA).any():
        return x
    return Value(x._kind, np.where(x._data == build.INT_NA, np.nan, x._data), x._attributes)


def _replace(target: Value, path: list[str], value: Value | Callable[[Value], Value]) -> None:
    """Replace a part of an unshared list; a new part is appended."""
    if is_null(target):
        return
    names = list(target._attributes["names"]._data)
    if path == ["na.action"] and path[0] not in names:
        data = objects([*target._data, value])
        object.__setattr__(target, "_data", data)
        object.__setattr__(target, "_attributes", target._attributes | {"names": strings([*names, path[0]])})
    elif path[0] in names and len(path) > 1:
        _replace(target._data[names.index(path[0])], path[1:], value)
    elif path[0] in names:
        place = names.index(path[0])
        target._data[place] = value if isinstance(value, Value) else value(target._data[place])


class Fit(Value):
    """R's list of a fit, built when a part of it is first used."""

    __slots__ = ()

    def __init__(self, grown: Grown) -> None:
        super().__init__("list", None, None, grown)
        object.__setattr__(self, "_attributes", None)

    @property
    def _data(self) -> np.ndarray:
        own = _ITEMS.__get__(self)
        return self._hidden.build_list()._data if own is None else own

    @_data.setter
    def _data(self, new: np.ndarray) -> None:
        _ITEMS.__set__(self, new)

    @property
    def _attributes(self) -> dict[str, Value]:
        own = _ABOUT.__get__(self)
        return self._hidden.build_list()._attributes if own is None else own

    @_attributes.setter
    def _attributes(self, new: dict[str, Value]) -> None:
        _ABOUT.__set__(self, new)

    def copy(self) -> Value:
        """Return a value that can be changed on its own."""
        return Fit(self._hidden) if _is_whole(self) else super().copy()


def _is_whole(x: Value) -> bool:
    """Whether no part of a fit was read or changed."""
    return isinstance(x, Fit) and _ITEMS.__get__(x) is None


def call_of(function: str, text: str, formals: Iterable[str], after: Iterable[str] = ()) -> Value:
    """Return the call of a fit from its text in the script; an empty text is an unknown call."""
    if not text:
        return Absent("the call of a fit whose arguments, or whose function, were handed over")
    return matched_call(function, text, formals, after)


def is_fit(x: object) -> bool:
    """Whether a value is a fit of RRF() or randomForest()."""
    return not FUNCTIONS.isdisjoint(classes(x))


def fit_of(x: Value) -> ForestResult:
    """Return the fit of pyrrf behind a list of R.

    Raises
    ------
    RError
        It is no fit.
    NotSupportedError
        Its parts are inconsistent.
    """
    if not is_fit(x):
        raise RError("object not of class RRF")
    known = x._hidden
    if isinstance(known, Grown) and (_is_whole(x) or known.build_list()._data is x._data):
        return known.fit
    from pyrrf.rds.read_fit import read_fit  # few scripts change a fit

    try:
        fit = read_fit(object_of(x), classes(x))
    except (ValueError, TypeError) as error:
        raise NotSupportedError(f"a fit whose parts were changed: {error}") from None
    object.__setattr__(x, "_hidden", Grown(fit, {}, Value("list", x._data, x._attributes)))
    return fit


def part(x: Value, *path: str) -> Value | None:
    """Return a part of a list by its exact name, or a part of a part; None where R has NULL."""
    value = x
    for name in path:
        names = names_of(value) or []
        if name not in names:
            return None
        value = value._data[names.index(name)]
    return None if is_null(value) else value


def fit_text(x: Value, fit: ForestResult) -> str:
    """Return the text of R's print() for a fit."""
    lines, call = repr(fit).split("\n"), part(x, "call")
    if call is not None and len(lines) > 2:
        lines[2] = " " + " ".join(deparsed_lines(str(call._data[0]))) + " "
    return "\n".join(lines)


def has_missing(x: Value) -> bool:
    """Whether a value, or a column of a data frame, has missing values."""
    if is_frame(x):
        return any(bool(is_missing(column).any()) for column in x._data)
    return bool(is_missing(x).any())


def vector_of(x: object) -> Any:
    """Convert an argument for pyrrf: NULL to None, one value to a Python scalar, names to an index."""
    value = as_value(x)
    if not isinstance(value, Value):
        return value
    if is_null(value):
        return None
    if is_factor(value):
        return categories(value)
    data, names = value._data, names_of(value)
    if value._kind == "logical" and not np.isnan(data).any():
        data = data.astype(bool)
    if names is not None:
        return pd.Series(data, index=pd.Index(names, dtype=object))
    if len(data) == 1:
        return data[0] if value._kind == "character" else data[0].item()
    return data


def print_RRF(x: Value, usual: Style, changes: Mapping[str, object], more: Mapping[str, object]) -> str:
    """Return the text of print() for a fit."""
    return fit_text(x, fit_of(x))
