"""Records: the base of fits, which are compared and pickled."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.portable import plain_parts, rebuild_parts
from pyrrf.formula.terms import Terms
from pyrrf.result.forest import Forest
from pyrrf.result.remedies import Answering
from pyrrf.result.stored import read_state, to_state
from pyrrf.types import Floats, Labels


def equal_parts(a: Any, b: Any) -> bool:
    """Whether two components are the same, value by value; NaN equals NaN."""
    # Before the types are compared, because a memory map is an array of another type.
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal_parts(a[key], b[key]) for key in a)
    if isinstance(a, pd.Index | pd.Series | pd.DataFrame):
        return bool(a.equals(b))
    if isinstance(a, Forest):
        return equal_parts(a.comparable_parts(), b.comparable_parts())
    if is_dataclass(a):
        return all(equal_parts(getattr(a, one.name), getattr(b, one.name)) for one in fields(a) if one.compare)
    return bool(a == b)


def one_based(n: int) -> pd.RangeIndex:
    """Return the labels 1..n, as R counts trees."""
    return pd.RangeIndex(1, n + 1)


class Record(Answering):
    """An object that compares and pickles its stored parts, without the components built from them."""

    def __getstate__(self) -> dict[str, Any]:
        return to_state(plain_parts(self._parts()))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(rebuild_parts(read_state(state, "fit")))

    def _parts(self) -> dict[str, Any]:
        """Return the attributes that were set, without cached properties."""
        cls = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(cls, name, None), cached_property)
        }

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return equal_parts(self._comparable_parts(), other._comparable_parts())

    def _comparable_parts(self) -> dict[str, Any]:
        """Return the parts that must be equal in equal objects."""
        return self._parts()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False, kw_only=True)
class FitMetadata:
    """Parts that fits of all kinds have."""

    call: str
    ntree: int
    mtry: int
    coefReg: Floats  # float64, shape (p,): ones in a forest of `randomForest`
    quirks: bool
    engine: str  # {"r", "parallel"}
    # rows, columns: labels of x
    rows: Labels
    columns: Labels
    named: bool  # whether the columns have names of their own
    terms: Terms | None
    arguments: dict[str, Any]  # the arguments of the call, for `grow`


def frame_or_none(values: np.ndarray | None, rows: Labels, columns: Labels) -> pd.DataFrame | None:
    """Return values with their labels; None if they were not asked for."""
    return None if values is None else pd.DataFrame(values, index=rows, columns=columns)


def class_index(*parts: Any) -> Labels:
    """Return class labels as column labels; booleans stay Python values."""
    dtype = object if any(isinstance(p, bool) for p in parts) else None
    index: Labels = pd.Index(list(parts), dtype=dtype)
    return index
