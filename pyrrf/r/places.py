"""Which positions a subscript of R selects."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.looking import (
    is_factor,
)
from pyrrf.r.values import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
)

ALL = slice(None)


def is_all(subscript: Any) -> bool:
    """Whether nothing stands in R's place of a subscript: ``:``, or ``...`` where Python takes no colon."""
    return subscript is ... or (isinstance(subscript, slice) and subscript == ALL)


def places(subscript: Any, n: int, names: list[str | None] | None, stretch: bool = True) -> np.ndarray:
    """Return the positions from 0 that a subscript selects; -1 where it is missing or names nothing.

    Parameters
    ----------
    subscript : object
    n : int
        How many items there are.
    names : list of str or None
    stretch : bool, default True
        Whether positions beyond the end are allowed.

    Raises
    ------
    RError
        Positive and negative positions are mixed, or one is beyond the end of a matrix.
    """
    if is_all(subscript):
        return np.arange(n)
    found = as_value(subscript)
    if not isinstance(found, Value) or found._kind not in (*NUMBERS, "NULL", "character"):
        raise RError(f"invalid subscript type '{found._kind if isinstance(found, Value) else 'closure'}'")
    if found._kind == "character":
        return _named_places(found._data, names, stretch)
    if found._kind == "logical" and not is_factor(found):
        return _true_places(found._data, n, stretch)
    return _numbered_places(found._data, n, stretch)


def _named_places(wanted: np.ndarray, names: list[str | None] | None, stretch: bool) -> np.ndarray:
    known: dict[str | None, int] = {}
    for at, name in enumerate(names or []):
        known.setdefault(name, at)
    known.pop("", None)
    known.pop(None, None)
    out = np.array([known.get(name, -1) for name in wanted], dtype=np.int64)
    if not stretch and (out < 0).any():
        raise RError("subscript out of bounds")
    return out


def _true_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    if len(wanted) > n and not stretch:
        raise RError("(subscript) logical subscript too long")
    size = max(n, len(wanted))
    wide = np.resize(wanted, size)
    at = np.flatnonzero(wide != 0)
    return np.where(np.isnan(wide[at]), -1, at)


_FAR = 2.0**60  # behind every item that memory can hold


def _numbered_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    if np.isinf(wanted).any():
        raise NotMovedError("an infinite subscript is not moved")
    gaps = np.isnan(wanted)
    whole = np.trunc(np.clip(np.where(gaps, 0, wanted), -_FAR, _FAR)).astype(np.int64)
    if (whole < 0).any():
        if (whole > 0).any() or gaps.any():
            raise RError("can't mix positive and negative subscripts")
        left = np.ones(n, dtype=bool)
        gone = -whole[(whole < 0) & (whole >= -n)] - 1
        left[gone] = False
        return np.flatnonzero(left)
    if not stretch and (whole > n).any():
        raise RError("subscript out of bounds")
    return np.asarray((whole - 1)[(whole > 0) | gaps], dtype=np.int64)
