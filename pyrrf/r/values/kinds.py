"""Questions about a value: its classes, whether it is a factor, a table, a list, which items are missing."""

from __future__ import annotations

import numpy as np

from pyrrf.r.values.vector import KINDS, NUMBERS, Value

# The mark of R's NA among the NaN of doubles.
_LOW_WORD = 1954


def kind_of(x: object) -> str:
    """Return the kind of a value; "function" for functions."""
    return x._kind if isinstance(x, Value) else "function"


def is_null(x: object) -> bool:
    """Return whether a value is NULL, or Python's None."""
    return x is None or (isinstance(x, Value) and x._kind == "NULL")


def classes(x: object) -> list[str]:
    """Return the class attribute; for a function of R, such as a result of ``ecdf``, the one that R holds."""
    if not isinstance(x, Value):
        return getattr(x, "class_in_r", []) if callable(x) else []
    names = x._attributes.get("class")
    return [] if names is None else list(names._data)


def inherits(x: object, *names: str) -> bool:
    """Return whether the class attribute holds one of some names."""
    return not set(names).isdisjoint(classes(x))


def is_factor(x: object) -> bool:
    """Return whether the value is a factor."""
    return inherits(x, "factor")


def is_frame(x: object) -> bool:
    """Return whether the value is a data frame."""
    return inherits(x, "data.frame")


def is_list(x: object) -> bool:
    """Return whether the value is a list, such as a data frame."""
    return kind_of(x) == "list"


def factor_levels(x: Value) -> list[str | None]:
    """Return the levels of a factor."""
    levels = x._attributes.get("levels")
    return [] if levels is None else list(levels._data)


def is_missing(x: Value) -> np.ndarray:
    """Return where values are missing, NaN too, shape (n,)."""
    if x._kind in NUMBERS:
        return np.isnan(x._data)
    if x._kind == "character":
        return np.array([item is None for item in x._data], dtype=bool)
    if x._kind == "list":
        single = [isinstance(item, Value) and len(item) == 1 and item._kind in KINDS[1:5] for item in x._data]
        return np.array(
            [ok and bool(is_missing(item)[0]) for ok, item in zip(single, x._data, strict=True)], dtype=bool
        )
    return np.zeros(len(x), dtype=bool)


def is_na_mark(values: np.ndarray) -> np.ndarray:
    """Return where doubles are R's NA, not another NaN."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == _LOW_WORD)
