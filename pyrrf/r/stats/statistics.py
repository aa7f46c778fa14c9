"""Quantiles, deviations, weighted means: what stats computes of a vector."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.mathematics import abs as absolute
from pyrrf.r.arithmetic.operators import operated
from pyrrf.r.base.sums import mean, middle, without_missing
from pyrrf.r.values.arguments import default_only, flag, number
from pyrrf.r.values.attributes import dim_of, is_factor, is_frame, is_list, is_missing, is_na_mark, names_of
from pyrrf.r.values.coercion import coerced
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


def weighted_mean(x: Any, w: Any = None, *, na_rm: Any = False) -> Value:
    """Return the mean by weights."""
    value = as_value(x)
    data = coerced(value, "double")._data
    weights = None if w is None else coerced(w, "double")._data
    if w is not None and is_factor(as_value(w)):
        raise RError("'sum' not meaningful for factors")
    if "character" in (value._kind, None if w is None else as_value(w)._kind):
        raise RError("non-numeric argument to binary operator")
    if weights is not None and len(weights) != len(data):
        raise RError("'x' and 'w' must have the same length")
    if weights is not None and len(dim_of(value) or ()) > 1 and dim_of(as_value(w)) not in (None, dim_of(value)):
        raise RError("non-conformable arrays")
    if weights is not None and is_factor(value):
        warn("'*' not meaningful for factors")
        return doubles(REAL_NA)
    if weights is None:
        return mean(Value(value._kind, value._data), na_rm=na_rm)
    if flag(na_rm):
        data, weights = data[~np.isnan(data)], weights[~np.isnan(data)]
    if np.isnan(weights).any():
        return doubles(REAL_NA)  # x * w has NA there, since a subscript is missing
    return doubles(sums.weighted_mean(data, weights, "double" not in (value._kind, as_value(w)._kind)))


def single_number(x: Any, na_rm: Any, function: Callable[[np.ndarray], Any]) -> Value:
    """Return one number of a vector, NA where something is missing."""
    value = as_value(x)
    if is_list(value):
        raise RError("is.atomic(x) is not TRUE")
    if value._kind == "character":
        raise NotMovedError("a variance of strings, which R may read as numbers")
    if is_factor(value) or value._kind not in NUMBERS:
        raise RError("need numeric data" if is_factor(value) else "is.numeric(x) is not TRUE")
    found = without_missing(Value(value._kind, value._data), na_rm)
    data = coerced(found, "double")._data
    if np.isnan(data).any() or not len(data):
        return doubles(REAL_NA)
    return doubles(function(data))


def refuse_factor(x: Value) -> None:
    """Refuse the variance of a factor, as R does."""
    if is_factor(x):
        raise RError("Calling var(x) on a factor x is defunct.")


def sd(x: Any, na_rm: Any = False) -> Value:
    """Return the standard deviation."""
    value = as_value(x)
    refuse_factor(value)
    if is_frame(value):
        raise RError("is.atomic(x) is not TRUE")
    return single_number(
        Value(value._kind, value._data), na_rm, lambda data: np.sqrt(moments.var(data)) if len(data) > 1 else REAL_NA
    )


@default_only("dots")
def median(x: Any, na_rm: Any = False, *dots: Any) -> Value:
    """Return the median; of whole numbers an integer where it is one."""
    value = as_value(x)
    if is_factor(value) or is_frame(value) or value._kind not in NUMBERS:
        raise RError("need numeric data")
    found = without_missing(Value(value._kind, value._data), na_rm)
    kept = {k: v for k, v in value._attributes.items() if k in ("class", "units", "tzone")}
    if not len(found) or bool(is_missing(found).any()):
        return Value(found._kind, np.array([missing_number(found._kind)]), kept)
    return middle(found, kept)


@default_only("dots")
def quantile(x: Any, probs: Any = None, na_rm: Any = False, names: Any = True, type: Any = 7, *dots: Any) -> Value:
    """Return quantiles, with their percentages as names."""
    value = as_value(x)
    if is_factor(value) or value._kind not in NUMBERS:
        raise RError("factors are not allowed" if is_factor(value) else "non-numeric argument")
    found = without_missing(Value(value._kind, value._data), na_rm)
    if bool(is_missing(found).any()):
        raise RError("missing values and NaN's not allowed if 'na.rm' is FALSE")
    at = np.array([0, 0.25, 0.5, 0.75, 1]) if probs is None else coerced(probs, "double")._data
    if ((at < -quantiles.SLACK) | (at > 1 + quantiles.SLACK)).any():
        raise RError("'probs' outside [0,1]")
    if found._kind != "double" and number(type) != 7:
        raise NotMovedError("quantile() of whole numbers by another type than 7")
    made = quantiles.quantile(coerced(found, "double")._data, at, int(number(type)))
    values = np.where(np.isnan(at), REAL_NA, made)
    if not len(found):
        values = np.full(len(values), REAL_NA)
    if not flag(names) or not len(at):
        return doubles(values)
    return doubles(values, {"names": strings(quantiles.percents(at))})


def IQR(x: Any, na_rm: Any = False, type: Any = 7) -> Value:
    """Return the distance of the quartiles."""
    found = quantile(x, doubles([0.25, 0.75]), na_rm, False, type)
    return doubles(found._data[1] - found._data[0])


def mad(x: Any, center: Any = None, constant: Any = 1.4826, na_rm: Any = False) -> Value:
    """Return the median distance from the median."""
    value = as_value(x)
    if is_list(value) or is_factor(value) or value._kind not in NUMBERS:
        raise RError("need numeric data")
    found = without_missing(Value(value._kind, value._data), na_rm)
    distances = absolute(operated("-", found, median(found) if center is None else center))
    return operated("*", constant, median(distances))


def fivenum(x: Any, na_rm: Any = True) -> Value:
    """Return minimum, hinges, median and maximum."""
    value = as_value(x)
    if value._kind not in NUMBERS or is_factor(value):
        raise NotMovedError("fivenum() of what are no numbers")
    if names_of(value) is not None:
        raise NotMovedError("fivenum() of values with names, which R keeps; unname() them")
    known = without_missing(value, na_rm)
    if not len(known) or bool(is_missing(known).any()):
        return logicals(np.full(5, np.nan))
    return doubles(quantiles.fivenum(coerced(known, "double")._data, known._kind != "double"))


def qnorm(p: Any, mean: Any = 0, sd: Any = 1, lower_tail: Any = True, log_p: Any = False) -> Value:
    """Return quantiles of the normal distribution."""
    if not flag(lower_tail) or flag(log_p):
        raise NotMovedError("qnorm() of upper tails or logarithms")
    values = [as_value(part) for part in (p, mean, sd)]
    if builtins.any(value._kind not in NUMBERS or is_factor(value) for value in values):
        raise RError("Non-numeric argument to mathematical function")
    n = builtins.max(map(len, values)) if builtins.all(map(len, values)) else 0
    columns = [np.resize(coerced(value, "double")._data, n) for value in values]
    found = normal.qnorm(*columns)
    found[np.any([is_na_mark(column) for column in columns], axis=0)] = REAL_NA
    return Value("double", found, values[0]._attributes if len(values[0]) == n else {})
