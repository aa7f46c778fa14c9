"""Rows with missing values: which they are, left out, kept or refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.values.attributes import (
    cells_of,
    counted_rows,
    dim_of,
    dimnames_of,
    dimnames_value,
    is_frame,
    is_list,
    is_matrix,
    is_missing,
    names_of,
    names_part,
    row_count,
)
from pyrrf.r.values.attributes import row_names as labels_of_rows
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, doubles, integers, is_null, logicals, strings


def frame_test(x: Value, test: Callable[[Value], np.ndarray]) -> Value:
    """Return a matrix of a test for each cell: ``is.na`` of a data frame."""
    if any(dim_of(column) is not None for column in x._data):
        raise NotMovedError("is.na() of a data frame with matrices in it")
    flat = np.concatenate([np.zeros(0), *map(test, x._data)])
    labels = None if counted_rows(x) else labels_of_rows(x)
    dim = integers([row_count(x), len(x)])
    return logicals(flat, {"dim": dim, "dimnames": dimnames_value([labels, names_of(x)])})


@r_function()
def complete_cases(*dots: Value) -> Value:
    """Return which rows have no missing value."""
    given = [item for item in dots if not is_null(item)]
    gaps = [_gaps_by_row(part) for item in given for part in (item._data if is_list(item) else [item])]
    if not gaps:
        raise RError("no input has determined the number of cases")
    if len(set(map(len, gaps))) > 1:
        raise RError("not all arguments have the same length")
    return logicals(~np.any(gaps, axis=0))


def _gaps_by_row(part: Value) -> np.ndarray:
    if is_frame(part):
        return np.asarray(np.any([_gaps_by_row(column) for column in part._data], axis=0))
    shape = dim_of(part)
    gaps = is_missing(part)
    return gaps if shape is None or len(shape) < 2 else np.asarray(gaps.reshape(shape, order="F").any(axis=1))


@r_function()
def na_omit(object: Value, *dots: object, **ignored: object) -> Value:
    """Return rows, or items, without missing values; what was left out is noted as "na.action"."""
    return _omitted(object, "omit")


@r_function()
def na_exclude(object: Value, *dots: object, **ignored: object) -> Value:
    """Return rows without missing values, noted for functions that fill gaps again."""
    return _omitted(object, "exclude")


@r_function()
def na_pass(object: Item, *dots: object) -> Item:
    """Return a table as it is."""
    return object


@r_function()
def na_fail(object: Value, *dots: object) -> Value:
    """Return a table without missing values.

    Raises
    ------
    RError
        It has some.
    """
    if any(bool(is_missing(part).any()) for part in (object._data if is_list(object) else [object])):
        raise RError("missing values in object")
    return object


def _omitted(x: Value, kind: str) -> Value:
    if is_list(x) and not is_frame(x):
        return x
    if is_frame(x):
        gone = np.flatnonzero(complete_cases(x)._data == 0) if len(x) else np.zeros(0, dtype=np.int64)
        labels: list[str | None] | None = labels_of_rows(x)
    elif is_matrix(x):
        cells = np.flatnonzero(is_missing(x))
        gone = np.array([*dict.fromkeys((cells % cells_of(x).shape[0]).tolist())], dtype=np.int64)
        labels = dimnames_of(x)[0]
    else:
        gone, labels = np.flatnonzero(is_missing(x)), names_of(x)
    if not len(gone):
        return taken(x, logicals(np.ones(row_count(x))), ALL, drop=False) if is_frame(x) else x
    left = integers(-(gone + 1.0))
    found = taken(x, left) if dim_of(x) is None else taken(x, left, ALL, drop=False)
    about = {"class": strings(kind)} | names_part(None if labels is None else [labels[i] for i in gone])
    # The places in an array are doubles.
    action = (integers if dim_of(x) is None or is_frame(x) else doubles)(gone + 1.0, about)
    return Value(found._kind, found._data, found._attributes | {"na.action": action})
