"""Dimensions of a value and the labels along them: names, dimnames, row names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pyrrf.r.values.errors import refuse_if
from pyrrf.r.values.kinds import is_frame
from pyrrf.r.values.vector import Value, integers, null, objects, strings


def names_of(x: Value) -> list[str | None] | None:
    """Return the names: of a vector, the columns of a frame, the labels of an array of one dimension."""
    names = x._attributes.get("names")
    shape = dim_of(x)
    if shape is not None and len(shape) == 1 and (names is None or "dimnames" in x._attributes):
        return dimnames_of(x)[0]
    return None if names is None else list(names._data)


def names_part(labels: Iterable[str | None] | None) -> dict[str, Value]:
    """Return names as an attribute; of None no attribute."""
    return {} if labels is None else {"names": strings(labels)}


def known_names(x: Value) -> list[str]:
    """Return the names of the items or columns, none without names; a missing one is refused."""
    names = names_of(x) or []
    refuse_if(is_frame(x) and len(names) < len(x), "a data frame without names")
    refuse_if(None in names, "a column or an item whose name is NA")
    return [str(name) for name in names]


def kept_names(x: Value) -> dict[str, Value]:
    """Return the names as an attribute, if there are any: those of an array of one dimension, too."""
    labels = names_of(x)
    return {} if labels is None else {"names": strings(labels)}


def dim_of(x: object) -> tuple[int, ...] | None:
    """Return the dim attribute; of a data frame its rows and columns."""
    if not isinstance(x, Value):
        return None
    if is_frame(x):
        return row_count(x), len(x)
    dim = x._attributes.get("dim")
    return None if dim is None else tuple(int(n) for n in dim._data)


def is_matrix(x: object) -> bool:
    """Return whether the value has two dimensions, and is no data frame."""
    return isinstance(x, Value) and not is_frame(x) and len(dim_of(x) or ()) == 2


def dimnames_of(x: Value) -> list[list[str | None] | None]:
    """Return the labels of each dimension; None where there are none."""
    if is_frame(x):
        return [row_names(x), names_of(x)]
    dimnames = x._attributes.get("dimnames")
    shape = dim_of(x) or ()
    if dimnames is None:
        return [None] * len(shape)
    return [None if labels._kind == "NULL" else list(labels._data) for labels in dimnames._data]


def dimnames_value(labels: Iterable[Sequence[str | None] | None], names: Value | None = None) -> Value:
    """Return dimnames as R stores them."""
    parts = [null() if texts is None else strings(texts) for texts in labels]
    return Value("list", objects(parts), None if names is None else {"names": names})


def dimnames_names(x: Value) -> Value | None:
    """Return the names of the dimensions."""
    dimnames = x._attributes.get("dimnames")
    return None if dimnames is None else dimnames._attributes.get("names")


def dimnames_along(x: Value, axes: Sequence[int]) -> Value | None:
    """Return the dimnames of some dimensions, with their names."""
    dimnames = x._attributes.get("dimnames")
    if dimnames is None:
        return None
    names = dimnames_names(x)
    index = np.array(axes, dtype=np.int64)
    return Value("list", dimnames._data[index], None if names is None else {"names": strings(names._data[index])})


def row_count(frame: Value) -> int:
    """Return the number of rows of a data frame."""
    rows = frame._attributes.get("row.names")
    return 0 if rows is None else len(rows)


def row_names(frame: Value) -> list[str | None]:
    """Return the names of a data frame's rows, as text."""
    rows = frame._attributes.get("row.names")
    if rows is None:
        return []
    if rows._kind == "character":
        return list(rows._data)
    return [None if number != number else str(int(number)) for number in rows._data.tolist()]


def counted_rows(frame: Value) -> bool:
    """Return whether R only counts the rows: they were never chosen from others, and have no names."""
    rows = frame._attributes["row.names"]
    plain = rows._kind == "integer" and rows._hidden != "given"
    return plain and np.array_equal(rows._data, np.arange(1, len(rows) + 1))


def matrix_of(kind: str, grid: np.ndarray, labels: Any = (None, None), names: Value | None = None) -> Value:
    """Return a matrix of a kind, with labels if there are any."""
    about = {"dim": integers(grid.shape)}
    if any(texts is not None for texts in labels):
        about["dimnames"] = dimnames_value(labels, names)
    return Value(kind, grid.ravel(order="F"), about)
