"""Variances, covariances and correlations, and columns brought to one scale."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.checks import beginning
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.stats.statistics import refuse_factor, single_number
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import dim_of, dimnames_of, dimnames_value, is_factor, is_frame, is_list, is_missing
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    strings,
)
from pyrrf.rbase import moments
from pyrrf.rbase.vectors import REAL_NA


def var(x: Any, y: Any = None, na_rm: Any = False, use: Any = None) -> Value:
    """Return the variance, or the covariances of columns."""
    value = as_value(x)
    refuse_factor(value)
    if is_null(value):
        raise RError("'x' is NULL")
    if is_frame(value) or len(dim_of(value) or ()) > 1 or not is_null(y):
        if any(is_frame(side) and as_matrix(side)._kind not in NUMBERS for side in (value, as_value(y))):
            raise NotMovedError("var() of text or factors, which R makes missing with a warning")
        return cov(x, y, "na.or.complete" if is_null(use) and flag(na_rm) else use)
    if not is_null(use):
        if one(use, "character") not in ("complete.obs", "na.or.complete") or is_missing(value).all():
            raise NotMovedError("var() of a vector with this use; na.rm leaves out what is missing")
        na_rm = True
    if is_list(value):
        raise RError("is.atomic(x) is not TRUE")
    if len(value) < 2:
        return doubles(REAL_NA)
    return single_number(value, na_rm, lambda data: moments.var(data) if len(data) > 1 else REAL_NA)


def _grid(x: Value) -> np.ndarray:
    made = as_matrix(x)
    if made._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    return coerced(made, "double")._data.reshape(dim_of(made), order="F")


def _related(correlate: bool, x: Any, y: Any, use: Any, method: Any) -> Value:
    first = as_value(x)
    for side in (first, as_value(y) if not is_null(y) else first):
        if not is_frame(side) and (side._kind not in NUMBERS or is_factor(side)):
            raise RError("'x' must be numeric")
    how = "everything" if is_null(use) else beginning(str(one(use, "character")), "use", moments.USES)
    way = "pearson" if is_null(method) else str(coerced(method, "character")._data[0])
    way = beginning(way, "method", moments.METHODS)
    sides = [first] if is_null(y) else [first, as_value(y)]
    flat = [len(dim_of(side) or ()) < 2 for side in sides]
    if flat == [True]:
        raise RError("supply both 'x' and 'y' or a matrix-like 'x'")
    grids = [
        coerced(side, "double")._data[:, None] if bare else _grid(side) for side, bare in zip(sides, flat, strict=True)
    ]
    if len(grids[0]) != len(grids[-1]):
        raise RError("incompatible dimensions")
    try:
        found = moments.related(grids[0], grids[1] if len(grids) > 1 else None, how, way, correlate)
    except ValueError as error:
        raise RError(str(error)) from None
    if builtins.all(flat):
        return doubles(found[0])
    about = {"dim": integers(found.shape)}
    labels = [None if bare else dimnames_of(side)[1] for side, bare in zip(sides, flat, strict=True)]
    # R ranks a single row by its number, and loses the names.
    ranked = way != "pearson" and how != "pairwise.complete.obs" and _complete_rows(grids, how) == 1
    if labels != [None] * len(labels) and not ranked:
        about["dimnames"] = dimnames_value([labels[0], labels[-1]])
    return Value("double", found.ravel(order="F"), about)


def _complete_rows(grids: list[np.ndarray], use: str) -> int:
    gaps = np.isnan(np.hstack(grids)).any(axis=1)
    return len(gaps) - (int(gaps.sum()) if use in ("complete.obs", "na.or.complete") else 0)


def cor(x: Any, y: Any = None, use: Any = None, method: Any = None) -> Value:
    """Return correlations."""
    return _related(True, x, y, use, method)


def cov(x: Any, y: Any = None, use: Any = None, method: Any = None) -> Value:
    """Return covariances."""
    return _related(False, x, y, use, method)


def scale(x: Any, center: Any = True, scale: Any = True) -> Value:
    """Return columns less their means, by their standard deviations."""
    made = as_matrix(x)
    labels, p = dimnames_of(made)[1], dim_of(made)[1]  # type: ignore[index]
    given = {"scaled:center": as_value(center), "scaled:scale": as_value(scale)}
    for name, part in given.items():
        if part._kind != "logical" and len(part) != p:
            raise RError(f"length of '{name[7:]}' must equal the number of columns of 'x'")
    found, numbers = moments.scaled(_grid(made), *map(_told, given.values()))
    # A matrix without items keeps no class in R's arithmetic.
    about = {key: part for key, part in made._attributes.items() if len(made) or key != "class"}
    names = {} if labels is None else {"names": strings(labels)}
    for name, part in numbers.items():
        about[name] = doubles(part, names) if given[name]._kind == "logical" else given[name]
    kind = "double" if numbers or made._kind == "double" else "integer"
    return Value(kind, found.ravel(order="F"), about)


def _told(value: Value) -> bool | np.ndarray:
    return bool(value) if value._kind == "logical" else coerced(value, "double")._data
