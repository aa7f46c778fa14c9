"""Variances, covariances and correlations, and columns brought to one scale."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import beginning
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.stats.statistics import refuse_factor, single_number
from pyrrf.r.values.attributes import (
    cells_of,
    dim_of,
    dimnames_of,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    made,
    names_part,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.vector import NUMBERS, NotMovedError, RError, Value, as_value, doubles, is_null
from pyrrf.rbase import moments
from pyrrf.rbase.vectors import REAL_NA


@r_function()
def var(x: Value, y: Value | None = None, na_rm: Flag = False, use: Text | None = None) -> Value:
    """Return the variance, or the covariances of columns."""
    refuse_factor(x)
    if is_null(x):
        raise RError("'x' is NULL")
    if is_frame(x) or len(dim_of(x) or ()) > 1 or y is not None:
        if any(is_frame(side) and as_matrix(side)._kind not in NUMBERS for side in (x, y)):
            raise NotMovedError("var() of text or factors, which R makes missing with a warning")
        return cov(x, y, "na.or.complete" if use is None and na_rm else use)
    if use not in (None, "complete.obs", "na.or.complete") or (use is not None and is_missing(x).all()):
        raise NotMovedError("var() of a vector with this use; na.rm leaves out what is missing")
    if is_list(x):
        raise RError("is.atomic(x) is not TRUE")
    if len(x) < 2:
        return doubles(REAL_NA)
    return single_number(x, na_rm or use is not None, moments.var)


def _grid(x: Value) -> np.ndarray:
    found = as_matrix(x)
    if found._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    return cells_of(coerced(found, "double", keep=True))


def _related(correlate: bool, x: Value, y: Value | None, use: str | None, method: Value | None) -> Value:
    sides = [x] if y is None else [x, y]
    if any(not is_frame(side) and (side._kind not in NUMBERS or is_factor(side)) for side in sides):
        raise RError("'x' must be numeric")
    how = "everything" if use is None else beginning(use, "use", moments.USES)
    way = "pearson" if method is None else str(coerced(method, "character")._data[0])
    way = beginning(way, "method", moments.METHODS)
    flat = [len(dim_of(side) or ()) < 2 for side in sides]
    if flat == [True]:
        raise RError("supply both 'x' and 'y' or a matrix-like 'x'")
    grids = [
        coerced(side, "double")._data[:, None] if vector else _grid(side)
        for side, vector in zip(sides, flat, strict=True)
    ]
    if len(grids[0]) != len(grids[-1]):
        raise RError("incompatible dimensions")
    try:
        found = moments.related(grids[0], grids[1] if len(grids) > 1 else None, how, way, correlate)
    except ValueError as error:
        raise RError(str(error)) from None
    if all(flat):
        return doubles(found[0])
    labels = [None if vector else dimnames_of(side)[1] for side, vector in zip(sides, flat, strict=True)]
    # R ranks a single row by its number, and loses the names.
    ranked = way != "pearson" and how != "pairwise.complete.obs" and _complete_rows(grids, how) == 1
    return made("double", found, (None, None) if ranked else (labels[0], labels[-1]))


def _complete_rows(grids: list[np.ndarray], use: str) -> int:
    gaps = np.isnan(np.hstack(grids)).any(axis=1)
    return len(gaps) - (int(gaps.sum()) if use in ("complete.obs", "na.or.complete") else 0)


@r_function()
def cor(x: Value, y: Value | None = None, use: Text | None = None, method: Value | None = None) -> Value:
    """Return correlations."""
    return _related(True, x, y, use, method)


@r_function()
def cov(x: Value, y: Value | None = None, use: Text | None = None, method: Value | None = None) -> Value:
    """Return covariances."""
    return _related(False, x, y, use, method)


@r_function()
def scale(x: Value, center: Value | bool = True, scale: Value | bool = True) -> Value:
    """Return columns less their means, by their standard deviations."""
    table = as_matrix(x)
    labels, p = dimnames_of(table)[1], dim_of(table)[1]  # type: ignore[index]
    given = {"scaled:center": as_value(center), "scaled:scale": as_value(scale)}
    for name, part in given.items():
        if part._kind != "logical" and len(part) != p:
            raise RError(f"length of '{name[7:]}' must equal the number of columns of 'x'")
    found, numbers = moments.scaled(_grid(table), *map(_told, given.values()))
    # A matrix without items keeps no class in R's arithmetic.
    about = {key: part for key, part in table._attributes.items() if len(table) or key != "class"}
    for name, part in numbers.items():
        about[name] = doubles(part, names_part(labels)) if given[name]._kind == "logical" else given[name]
    kind = "double" if numbers or table._kind == "double" else "integer"
    return Value(kind, found.ravel(order="F"), about)


def _told(value: Value) -> bool | np.ndarray:
    return bool(value) if value._kind == "logical" else coerced(value, "double")._data
