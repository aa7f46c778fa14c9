"""R's sums, products, means and extremes of vectors."""

from __future__ import annotations

import builtins
import functools
import math
from typing import Any

import numpy as np

from pyrrf.checks import flag, warn
from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.vectors import (
    MOST_INTEGER,
    double,
    is_whole,
    known,
    like,
    numeric,
    one_vector,
    whole_or_missing,
)

_quiet = np.errstate(all="ignore")


@_quiet
def sum(*x: Any, na_rm: bool = False) -> int | float:
    """Add up in order (R's ``sum``): doubles in long double, whole numbers and flags exactly."""
    parts = [known(numeric(part), na_rm) for part in x]
    if all(part.dtype.kind != "f" for part in parts):
        return builtins.sum(int(part.sum(dtype=np.int64)) for part in parts)
    arithmetic.check()
    return float(functools.reduce(np.add, [np.float64(arithmetic.long_total(part)) for part in parts]))


@_quiet
def prod(*x: Any, na_rm: bool = False) -> float:
    """Multiply in order, in long double (R's ``prod``)."""
    arithmetic.check()
    parts = [known(double(part), na_rm) for part in x]
    products = [np.float64(np.cumprod(part, dtype=EXTENDED)[-1]) for part in parts if len(part)]
    return float(functools.reduce(np.multiply, products, np.float64(1)))


@_quiet
def mean(x: Any, na_rm: bool = False, trim: float = 0.0) -> float:
    """Mean in long double, of doubles in two passes (R's ``mean``)."""
    one_vector(x, "pass a column, or use colMeans()")
    arithmetic.check()
    values = known(numeric(x), na_rm)
    if trim >= 0.5 and len(values):
        return arithmetic.median(values.astype(np.float64))
    if trim > 0 and len(values):
        values = _trimmed(values, trim)
    if values.dtype.kind == "f":
        return arithmetic.mean(values)
    return float(EXTENDED(int(values.sum(dtype=np.int64))) / len(values)) if len(values) else math.nan


@_quiet
def weighted_mean(x: Any, w: Any = None, na_rm: bool = False) -> float:
    """Mean with weights (R's ``weighted.mean``)."""
    if w is None:
        return mean(x, na_rm)
    arithmetic.check()
    values, weights = numeric(x), numeric(w, "w")
    whole = is_whole(x) and is_whole(w, "w")
    if len(values) != len(weights):
        raise ValueError(f"w has {len(weights)} weights for {len(values)} values of x; pass one for each")
    kept = ~np.isnan(values) if flag(na_rm, "na_rm") else np.full(len(values), True)
    values, weights = values[kept], weights[kept]
    products = whole_or_missing(values.astype(np.float64) * weights, whole)[weights != 0]
    return float(np.float64(arithmetic.long_total(products)) / np.float64(arithmetic.long_total(weights)))


def _trimmed(values: np.ndarray, trim: float) -> np.ndarray:
    """Return what is left between the smallest and the largest."""
    if np.isnan(values).any():
        return np.array([math.nan])
    n = len(values)
    low = math.floor(n * trim)
    return np.sort(values)[low : n - low]


@_quiet
def cumsum(x: Any) -> Any:
    """Add up value after value in long double (R's ``cumsum``)."""
    values = numeric(x)
    if not is_whole(x):
        arithmetic.check()
        # R begins with 0, which takes the sign from -0.
        return like(x, (np.cumsum(values, dtype=EXTENDED) + 0.0).astype(np.float64))
    # Where some are missing, whole numbers come as float64, which adds them exactly as well.
    sums = np.cumsum(values, dtype=values.dtype if values.dtype.kind == "f" else np.int64)
    beyond = np.abs(sums) > MOST_INTEGER
    if beyond.any():
        warn(f"cumsum of whole numbers is above {MOST_INTEGER}, which is NA in R; pass floats to add doubles")
        sums = np.where(np.cumsum(beyond) > 0, math.nan, sums)
    return like(x, sums)


@_quiet
def cumprod(x: Any) -> Any:
    """Multiply value after value in long double (R's ``cumprod``)."""
    arithmetic.check()
    return like(x, np.cumprod(double(x), dtype=EXTENDED).astype(np.float64))


def cummax(x: Any) -> Any:
    """Return the largest value so far; a missing one makes the rest missing (R's ``cummax``)."""
    return _running(x, np.maximum)


def cummin(x: Any) -> Any:
    """Return the smallest value so far; a missing one makes the rest missing (R's ``cummin``)."""
    return _running(x, np.minimum)


def _running(x: Any, extreme: np.ufunc) -> Any:
    """Return the extremes so far; of equal ones R keeps the last, which shows in the sign of 0."""
    values = numeric(x)
    values = values.astype(np.int64) if values.dtype.kind == "b" else values
    best = extreme.accumulate(values)
    place = np.maximum.accumulate(np.where(values == best, np.arange(len(values)), 0))
    return like(x, np.where(best == best, values[place], best))
