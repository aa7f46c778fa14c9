"""Quantiles, deviations, weighted means: what stats computes of a vector."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.mathematics import abs as absolute
from pyrrf.r.arithmetic.operators import operated
from pyrrf.r.base.sums import mean, middle, without_missing
from pyrrf.r.values.attributes import bare, dim_of, is_factor, is_frame, is_list, is_missing, is_na_mark, kept, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Flag, Whole, r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    logicals,
    missing_number,
    strings,
)
from pyrrf.rbase import moments, normal, quantiles, sums
from pyrrf.rbase.vectors import REAL_NA


@r_function()
def weighted_mean(x: Value, w: Value | None = None, *, na_rm: Flag = False) -> Value:
    """Return the mean by weights."""
    data = coerced(x, "double")._data
    if w is None:
        if x._kind == "character":
            raise RError("non-numeric argument to binary operator")
        return mean(bare(x), na_rm=na_rm)
    weights = coerced(w, "double")._data
    if is_factor(w):
        raise RError("'sum' not meaningful for factors")
    if "character" in (x._kind, w._kind):
        raise RError("non-numeric argument to binary operator")
    if len(weights) != len(data):
        raise RError("'x' and 'w' must have the same length")
    if len(dim_of(x) or ()) > 1 and dim_of(w) not in (None, dim_of(x)):
        raise RError("non-conformable arrays")
    if is_factor(x):
        warn("'*' not meaningful for factors")
        return doubles(REAL_NA)
    if na_rm:
        data, weights = data[~np.isnan(data)], weights[~np.isnan(data)]
    if np.isnan(weights).any():
        return doubles(REAL_NA)  # x * w has NA there, since a subscript is missing
    return doubles(sums.weighted_mean(data, weights, "double" not in (x._kind, w._kind)))


def single_number(x: Value, na_rm: bool, function: Callable[[np.ndarray], float]) -> Value:
    """Return one number of a vector, NA where something is missing or less than two items are left."""
    if is_list(x):
        raise RError("is.atomic(x) is not TRUE")
    if x._kind == "character":
        raise NotMovedError("a variance of strings, which R may read as numbers")
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("need numeric data" if is_factor(x) else "is.numeric(x) is not TRUE")
    data = coerced(without_missing(bare(x), na_rm), "double")._data
    if np.isnan(data).any() or len(data) < 2:
        return doubles(REAL_NA)
    return doubles(function(data))


def refuse_factor(x: Value) -> None:
    """Refuse the variance of a factor, as R does."""
    if is_factor(x):
        raise RError("Calling var(x) on a factor x is defunct.")


@r_function()
def sd(x: Value, na_rm: Flag = False) -> Value:
    """Return the standard deviation."""
    refuse_factor(x)
    if is_frame(x):
        raise RError("is.atomic(x) is not TRUE")
    return single_number(bare(x), na_rm, lambda data: float(np.sqrt(moments.var(data))))


@r_function(unsupported="dots")
def median(x: Value, na_rm: Flag = False, *dots: object) -> Value:
    """Return the median; of whole numbers an integer where it is one."""
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("need numeric data")
    found = without_missing(bare(x), na_rm)
    about = kept(x, "class", "units", "tzone")
    if not len(found) or bool(is_missing(found).any()):
        return Value(found._kind, np.array([missing_number(found._kind)]), about)
    return middle(found, about)


@r_function(unsupported="dots")
def quantile(
    x: Value, probs: Value | None = None, na_rm: Flag = False, names: Flag = True, type: Whole = 7, *dots: object
) -> Value:
    """Return quantiles, with their percentages as names."""
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("factors are not allowed" if is_factor(x) else "non-numeric argument")
    found = without_missing(bare(x), na_rm)
    if bool(is_missing(found).any()):
        raise RError("missing values and NaN's not allowed if 'na.rm' is FALSE")
    at = np.array([0, 0.25, 0.5, 0.75, 1]) if probs is None else coerced(probs, "double")._data
    if ((at < -quantiles.SLACK) | (at > 1 + quantiles.SLACK)).any():
        raise RError("'probs' outside [0,1]")
    if found._kind != "double" and type != 7:
        raise NotMovedError("quantile() of whole numbers by another type than 7")
    made = quantiles.quantile(coerced(found, "double")._data, at, type)
    values = np.where(np.isnan(at) | (len(found) == 0), REAL_NA, made)
    return doubles(values, {"names": strings(quantiles.percents(at))} if names and len(at) else None)


@r_function()
def IQR(x: Value, na_rm: Flag = False, type: Whole = 7) -> Value:
    """Return the distance of the quartiles."""
    found = quantile(x, doubles([0.25, 0.75]), na_rm, False, type)
    return doubles(found._data[1] - found._data[0])


@r_function()
def mad(x: Value, center: Value | None = None, constant: Value | float = 1.4826, na_rm: Flag = False) -> Value:
    """Return the median distance from the median."""
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("need numeric data")
    found = without_missing(bare(x), na_rm)
    distances = absolute(operated("-", found, median(found) if center is None else center))
    return operated("*", constant, median(distances))


@r_function()
def fivenum(x: Value, na_rm: Flag = True) -> Value:
    """Return minimum, hinges, median and maximum."""
    if x._kind not in NUMBERS or is_factor(x):
        raise NotMovedError("fivenum() of what are no numbers")
    if names_of(x) is not None:
        raise NotMovedError("fivenum() of values with names, which R keeps; unname() them")
    known = without_missing(x, na_rm)
    if not len(known) or bool(is_missing(known).any()):
        return logicals(np.full(5, np.nan))
    return doubles(quantiles.fivenum(coerced(known, "double")._data, known._kind != "double"))


@r_function(unsupported="lower_tail log_p")
def qnorm(
    p: Value, mean: Value | float = 0, sd: Value | float = 1, lower_tail: Flag = True, log_p: Flag = False
) -> Value:
    """Return quantiles of the normal distribution."""
    values = [as_value(part) for part in (p, mean, sd)]
    if any(value._kind not in NUMBERS or is_factor(value) for value in values):
        raise RError("Non-numeric argument to mathematical function")
    n = max(map(len, values)) if all(map(len, values)) else 0
    columns = [np.resize(coerced(value, "double")._data, n) for value in values]
    found = normal.qnorm(*columns)
    found[np.any([is_na_mark(column) for column in columns], axis=0)] = REAL_NA
    return Value("double", found, values[0]._attributes if len(values[0]) == n else {})
