"""Variances, covariances and correlations, and columns brought to one scale."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.arguments import flag
from pyrrf.r.coercion import coerced, one
from pyrrf.r.looking import (
    dim_of,
    dimnames_of,
    dimnames_value,
    is_factor,
    is_frame,
    is_list,
    is_missing,
)
from pyrrf.r.matrices import as_matrix
from pyrrf.r.statistics import refuse_factor, single_number
from pyrrf.r.values import (
    NUMBERS,
    REAL_NA,
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


def _related(function: Callable[..., Any], x: Any, y: Any, use: Any, method: Any) -> Value:
    first = as_value(x)
    for side in (first, as_value(y) if not is_null(y) else first):
        if not is_frame(side) and (side._kind not in NUMBERS or is_factor(side)):
            raise RError("'x' must be numeric")
    how = "everything" if is_null(use) else str(one(use, "character"))
    way = "pearson" if is_null(method) else str(coerced(method, "character")._data[0])
    flat = len(dim_of(first) or ()) < 2
    if flat and not is_null(y) and len(dim_of(as_value(y)) or ()) < 2:
        pair = coerced(first, "double")._data, coerced(y, "double")._data
        if len(pair[0]) != len(pair[1]):
            raise RError("incompatible dimensions")
        if len(pair[0]) < 2:
            return doubles(REAL_NA)
        return doubles(_marked(np.array([float(function(*pair, use=how, method=way))]), *pair))
    if flat and is_null(y):
        raise RError("supply both 'x' and 'y' or a matrix-like 'x'")
    sides = [first, first if is_null(y) else as_value(y)]
    grids = [_grid(side) if len(dim_of(side) or ()) > 1 else coerced(side, "double")._data[:, None] for side in sides]
    if len(grids[0]) != len(grids[1]):
        raise RError("incompatible dimensions")
    grid = function(grids[0], None if is_null(y) else grids[1], use=how, method=way)
    found = np.asarray(grid, dtype=np.float64).reshape([part.shape[1] for part in grids])
    labels = [dimnames_of(side)[1] if len(dim_of(side) or ()) > 1 else None for side in sides]
    about = {"dim": integers(found.shape)}
    if labels != [None, None]:
        about["dimnames"] = dimnames_value(labels)
    return Value("double", _marked(found.ravel(order="F"), *grids), about)


def _marked(found: np.ndarray, *data: np.ndarray) -> np.ndarray:
    """Return results in which what is not known is NA; R has NaN for infinite values only."""
    gaps = np.isnan(found)
    if gaps.any() and not builtins.any(np.isinf(part).any() for part in data):
        found[gaps] = REAL_NA
    elif gaps.any() and builtins.any(np.isnan(part).any() for part in data):
        raise NotMovedError("correlations of infinite and missing values")
    return found


def cor(x: Any, y: Any = None, use: Any = None, method: Any = None) -> Value:
    """Return correlations."""
    return _related(moments.cor, x, y, use, method)


def cov(x: Any, y: Any = None, use: Any = None, method: Any = None) -> Value:
    """Return covariances."""
    return _related(moments.cov, x, y, use, method)


def scale(x: Any, center: Any = True, scale: Any = True) -> Value:
    """Return columns less their means, by their standard deviations."""
    made = as_matrix(x)
    given = [_told(part) for part in (center, scale)]
    for what, part in (("center", given[0]), ("scale", given[1])):
        if not isinstance(part, bool) and len(part) != dim_of(made)[1]:  # type: ignore[index]
            raise RError(f"length of '{what}' must equal the number of columns of 'x'")
    found = moments.scale(pd.DataFrame(_grid(made)), center=given[0], scale=given[1])
    labels = dimnames_of(made)[1]
    # A matrix without items keeps no class in R's arithmetic.
    about = {key: part for key, part in made._attributes.items() if len(made) or key != "class"}
    names = {} if labels is None else {"names": strings(labels)}
    for name, part in found.attrs.items():
        about[name] = doubles(list(part.values()), names)
    return Value("double", found.to_numpy(dtype=np.float64).ravel(order="F"), about)


def _told(part: Any) -> Any:
    value = as_value(part)
    return bool(value) if value._kind == "logical" else coerced(value, "double")._data
