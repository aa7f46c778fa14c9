"""R's round() and signif(), as they are since R 4.0.0."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.vectors import double, like, numeric

_quiet = np.errstate(all="ignore")
# The largest power of ten of a double, and the digits that a double surely holds.
_MOST = 308
_DIGITS = 15
_LOG10_2 = 0.301029995663981195213738894724
# signif() leaves a number alone from here on.
_SIGNIFICANT = 22


def power_of_ten(n: int) -> float:
    """R's 10^n for whole n: by squaring, so that above 1e22 it is not always the nearest double."""
    out, square, left = 1.0, 10.0, abs(n)
    while left:
        out = out * square if left & 1 else out
        left >>= 1
        square = square * square if left else square
    return 1.0 / out if n < 0 else out


def _with_digits(x: Any, digits: Any, function: Callable[[Any, float], Any]) -> Any:
    """Return a vector rounded item by item to several numbers of digits, which are recycled."""
    places, values = double(digits, "digits"), numeric(x)
    n = max(len(values), len(places)) if len(values) and len(places) else 0
    places, values = np.resize(places, n), np.resize(values, n)
    out = [np.asarray(function(values[i : i + 1], float(place)))[0] for i, place in enumerate(places)]
    found = np.array(out, dtype=np.float64) if out else np.zeros(0)
    return like(x, found) if np.size(x) == n and np.ndim(x) else found


@_quiet
def round(x: Any, digits: Any = 0) -> Any:
    """Round to decimals (R's ``round``): the nearer of the two neighbours in double, or the even one.

    Parameters
    ----------
    x : array_like
    digits : int or array_like of int, default 0
        Decimals; below 0 tens, hundreds, ... Several are taken in turn.

    Returns
    -------
    float, ndarray, Series or DataFrame
        Whole numbers stay whole for `digits` of 0 and more.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.round([0.15, 2.675, -0.5, 1.005], 2)
    array([ 0.15,  2.67, -0.5 ,  1.  ])
    """
    if np.ndim(digits):
        return _with_digits(x, digits, round)
    values = numeric(x)
    if values.dtype.kind in "bi" and digits >= 0:
        return like(x, values.astype(np.int64))
    return like(x, _rounded(values.astype(np.float64), float(digits)))


def _rounded(values: np.ndarray, digits: float) -> np.ndarray:
    if math.isnan(digits):
        return values + digits
    if digits > _MOST + _DIGITS:
        return values
    if digits < -_MOST:
        return np.where(np.isfinite(values) & (values != 0), 0.0, values)
    if digits == 0:
        return np.asarray(np.rint(values))
    places = math.floor(digits + 0.5)
    out = values.copy()
    sizes = np.abs(values)
    exponents = np.frexp(sizes)[1] - 1
    rounds = np.isfinite(values) & (values != 0) & ~(_LOG10_2 * (0.5 + exponents) + places > _DIGITS)
    out[rounds] = np.copysign(_nearer(sizes[rounds], places), values[rounds])
    return out


def _nearer(sizes: np.ndarray, places: int) -> np.ndarray:
    """Return the nearer decimal of positive numbers; of two equally near ones the even."""
    first, second = power_of_ten(min(places, _MOST)), power_of_ten(max(places - _MOST, 0))
    scaled = sizes * first * second
    low = np.floor(scaled)
    below, above = low / first / second, np.ceil(scaled) / first / second
    to_above, to_below = above - sizes, sizes - below
    up = (to_above < to_below) | ((np.fmod(low, 2.0) == 1) & (to_above == to_below))
    return np.where(up, above, below)


@_quiet
def signif(x: Any, digits: Any = 6) -> Any:
    """Round to significant digits (R's ``signif``).

    Parameters
    ----------
    x : array_like
    digits : int or array_like of int, default 6
        Several are taken in turn.

    Returns
    -------
    float, ndarray, Series or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.signif([123456.0, 0.00123456], 3)
    array([1.23e+05, 1.23e-03])
    """
    if np.ndim(digits):
        return _with_digits(x, digits, signif)
    values = double(x)
    if math.isnan(digits):
        return like(x, values + digits)
    # C's round() takes halves away from 0.
    places = max(1, math.floor(digits + 0.5)) if math.isfinite(digits) else (_SIGNIFICANT + 1 if digits > 0 else 1)
    if places > _SIGNIFICANT:
        return like(x, values)
    rounded = [math.copysign(_significant(abs(v), places), v) if v and math.isfinite(v) else v for v in values.tolist()]
    return like(x, np.array(rounded, dtype=np.float64))


def _significant(size: float, digits: int) -> float:
    log = math.log10(size)
    power = digits - 1 - math.floor(log)
    if abs(log) >= _MOST - 2:
        return _significant_at_the_ends(size, digits, power, log)
    second = power_of_ten(power - _MOST) if power > _MOST else 1.0
    if power > 0:
        first = power_of_ten(min(power, _MOST))
        return float(np.rint(size * first * second)) / first / second
    first = power_of_ten(-power)
    return float(np.rint(size / first)) * first


def _significant_at_the_ends(size: float, digits: int, power: int, log: float) -> float:
    """Numbers near the largest or the smallest double, scaled in two steps."""
    part = digits + (_SIGNIFICANT if power > 0 else -_SIGNIFICANT)
    first, second = np.float64(power_of_ten(part)), np.float64(power_of_ten(power - part))
    scaled = size * first * second
    if _MOST - log >= power_of_ten(-digits):
        scaled += 0.5
    return float(np.floor(scaled) / first / second)
