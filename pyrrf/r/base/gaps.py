"""Rows with missing values: which they are, left out, kept or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.values.attributes import (
    counted_rows,
    dim_of,
    dimnames_of,
    dimnames_value,
    is_frame,
    is_list,
    is_missing,
    names_of,
    row_count,
)
from pyrrf.r.values.attributes import row_names as labels_of_rows
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, doubles, integers, is_null, logicals, strings


def frame_test(x: Value, test: Callable[[Value], np.ndarray]) -> Value:
    """Return a matrix of a test for each cell: ``is.na`` of a data frame."""
    n, p = row_count(x), len(x)
    if any(dim_of(column) is not None for column in x._data):
        raise NotMovedError("is.na() of a data frame with matrices in it")
    flat = np.concatenate([test(column).astype(np.float64) for column in x._data]) if p else np.zeros(0)
    labels = labels_of_rows(x) if not counted_rows(x) else None
    return Value("logical", flat, {"dim": integers([n, p]), "dimnames": dimnames_value([labels, names_of(x)])})


def complete_cases(*dots: Any) -> Value:
    """Return which rows have no missing value."""
    gone: np.ndarray | None = None
    for item in map(as_value, dots):
        for part in item._data if is_list(item) else [] if is_null(item) else [item]:
            found = _gaps_by_row(part)
            if gone is not None and len(gone) != len(found):
                raise RError("not all arguments have the same length")
            gone = found if gone is None else gone | found
    if gone is None:
        raise RError("no input has determined the number of cases")
    return Value("logical", (~gone).astype(np.float64))


def _gaps_by_row(part: Value) -> np.ndarray:
    if is_frame(part):
        return np.asarray(np.any([_gaps_by_row(column) for column in part._data], axis=0))
    shape = dim_of(part)
    gaps = is_missing(part)
    return gaps if shape is None or len(shape) < 2 else np.asarray(gaps.reshape(shape, order="F").any(axis=1))


def na_omit(object: Any, *dots: Any, **ignored: Any) -> Value:
    """Return rows, or items, without missing values; what was left out is noted as "na.action"."""
    return _omitted(object, "omit")


def na_exclude(object: Any, *dots: Any, **ignored: Any) -> Value:
    """Return rows without missing values, noted for functions that fill gaps again."""
    return _omitted(object, "exclude")


def na_pass(object: Any, *dots: Any) -> Value:
    """Return a table as it is."""
    value: Value = as_value(object)
    return value


def na_fail(object: Any, *dots: Any) -> Value:
    """Return a table without missing values.

    Raises
    ------
    RError
        It has some.
    """
    value: Value = as_value(object)
    if any(bool(is_missing(part).any()) for part in (value._data if is_list(value) else [value])):
        raise RError("missing values in object")
    return value


def _omitted(x: Any, kind: str) -> Value:
    value: Value = as_value(x)
    if is_list(value) and not is_frame(value):
        return value
    shape = dim_of(value)
    if is_frame(value):
        gone = np.flatnonzero(complete_cases(value)._data == 0) if len(value) else np.zeros(0, dtype=np.int64)
        labels: Any = labels_of_rows(value)
    elif shape is not None and len(shape) == 2:
        gone = np.array([*dict.fromkeys((np.flatnonzero(is_missing(value)) % shape[0]).tolist())], dtype=np.int64)
        labels = dimnames_of(value)[0]
    else:
        gone, labels = np.flatnonzero(is_missing(value)), names_of(value)
    if not len(gone):
        whole: Value = value
        if is_frame(value):
            whole = taken(value, logicals(np.ones(row_count(value))), ALL, drop=False)
        return whole
    left = integers(-(gone + 1.0))
    found = taken(value, left) if shape is None else taken(value, left, ALL, drop=False)
    about = {"class": strings(kind)}
    if labels is not None:
        about["names"] = strings([labels[i] for i in gone])
    action = doubles(gone + 1.0, about) if shape is not None and not is_frame(value) else integers(gone + 1, about)
    return Value(found._kind, found._data, found._attributes | {"na.action": action})
