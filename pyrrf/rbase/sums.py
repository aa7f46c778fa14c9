"""R's sums and products of numbers, whole and running; arrays are of float64, NaN where one is missing."""

from __future__ import annotations

import functools
import math

import numpy as np

from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.vectors import whole_or_missing

_quiet = np.errstate(all="ignore")


@_quiet
def sum(*parts: np.ndarray) -> float:
    """Add up in order, each part in long double (R's ``sum``)."""
    arithmetic.check()
    return float(functools.reduce(np.add, [np.float64(arithmetic.long_total(values)) for values in parts]))


@_quiet
def prod(*parts: np.ndarray) -> float:
    """Multiply in order, each part in long double (R's ``prod``)."""
    arithmetic.check()
    products = [np.float64(np.cumprod(values, dtype=EXTENDED)[-1]) for values in parts if len(values)]
    return float(functools.reduce(np.multiply, products, np.float64(1)))


def trim(values: np.ndarray, share: float) -> np.ndarray:
    """Return the numbers in order, without a share of the smallest and of the largest."""
    low = math.floor(len(values) * share)
    return np.sort(values)[low : len(values) - low]


@_quiet
def weighted_mean(values: np.ndarray, weights: np.ndarray, is_whole: bool) -> float:
    """Return a weighted mean; NA where a product of whole numbers is beyond the integers (R's ``weighted.mean``)."""
    arithmetic.check()
    products = whole_or_missing(values * weights, is_whole)[weights != 0]
    return float(np.float64(arithmetic.long_total(products)) / np.float64(arithmetic.long_total(weights)))


@_quiet
def cumsum(values: np.ndarray) -> np.ndarray:
    """Add up value after value in long double (R's ``cumsum``)."""
    arithmetic.check()
    # R begins with 0, which takes the sign from -0.
    return np.asarray((np.cumsum(values, dtype=EXTENDED) + 0.0).astype(np.float64))


@_quiet
def cumprod(values: np.ndarray) -> np.ndarray:
    """Multiply value after value in long double (R's ``cumprod``)."""
    arithmetic.check()
    return np.asarray(np.cumprod(values, dtype=EXTENDED).astype(np.float64))


def cummax(values: np.ndarray) -> np.ndarray:
    """Return the largest value so far; a missing one makes the rest missing (R's ``cummax``)."""
    return _running_extremes(values, np.maximum)


def cummin(values: np.ndarray) -> np.ndarray:
    """Return the smallest value so far; a missing one makes the rest missing (R's ``cummin``)."""
    return _running_extremes(values, np.minimum)


def _running_extremes(values: np.ndarray, extreme: np.ufunc) -> np.ndarray:
    """Return the extremes so far; of equal ones R keeps the last, which shows in the sign of 0."""
    best = extreme.accumulate(values)
    place = np.maximum.accumulate(np.where(values == best, np.arange(len(values)), 0))
    return np.where(best == best, values[place], best)
