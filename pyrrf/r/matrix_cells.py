"""Cells of a matrix or array that another matrix names, and the places of those that are TRUE."""

from __future__ import annotations

import numpy as np

from pyrrf.r.looking import (
    dim_of,
    dimnames_of,
    is_frame,
)
from pyrrf.r.matrices import cells_of, made
from pyrrf.r.methods import default
from pyrrf.r.subscripts import items
from pyrrf.r.values import (
    NotMovedError,
    RError,
    Value,
)


def cells(x: Value, subscript: Value) -> Value:
    """Return ``x[m]`` for a matrix of subscripts."""
    if is_frame(x):
        if subscript._kind == "logical" and dim_of(subscript) != dim_of(x):
            raise NotMovedError("a data frame with a logical matrix of another shape as subscript")
        x = default("as.matrix")(x)
    return items(Value(x._kind, x._data), cell_places(x, subscript))


def cell_places(x: Value, subscript: Value) -> Value:
    """Return the places, from 1, of the cells that a matrix of subscripts selects."""
    shape = dim_of(x)
    width = (dim_of(subscript) or (0, 0))[1]
    if is_frame(subscript):
        raise NotMovedError("a data frame as subscript")
    if subscript._kind == "logical" or shape is None or width != len(shape):
        return Value(subscript._kind, subscript._data)
    grid = cells_of(subscript)
    labels = dimnames_of(x)
    if subscript._kind == "character":
        at = np.column_stack([_label_places(grid[:, k], labels[k]) for k in range(width)])
    else:
        at = np.trunc(grid)
    if (at < 0).any():
        raise RError("negative values are not allowed in a matrix subscript")
    if (at > np.array(shape)).any():
        raise RError("subscript out of bounds")
    at = at[~(at == 0).any(axis=1)]
    steps = np.cumprod([1, *shape[:-1]])
    return Value("integer", ((at - 1) * steps).sum(axis=1) + 1)


def _label_places(wanted: np.ndarray, labels: list[str | None] | None) -> np.ndarray:
    known = {label: i + 1.0 for i, label in reversed(list(enumerate(labels or [])))}
    if any(label is not None and label not in known for label in wanted):
        raise RError("subscript out of bounds")
    return np.array([np.nan if label is None else known[label] for label in wanted], dtype=np.float64)


def places_of_cells(x: Value, at: np.ndarray) -> Value:
    """Return rows and columns of cells: ``which(x, arr.ind = TRUE)``."""
    shape = dim_of(x) or ()
    found = np.column_stack(np.unravel_index(at, shape, order="F")) + 1.0
    labels = dimnames_of(x)[0]
    rows = None if labels is None or not len(at) else [labels[int(i) - 1] for i in found[:, 0]]
    old = x._attributes.get("dimnames")
    own = None if old is None else old._attributes.get("names")
    names = ["row", "col"] if len(shape) == 2 else [f"dim{k + 1}" for k in range(len(shape))]
    if own is not None and any(own._data):
        names = [str(name) for name in own._data]
    return made("integer", found, (rows, names))
