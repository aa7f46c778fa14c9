"""R's sums, products, means and extremes of vectors."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count, flag, warn
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
    recycled,
    whole_or_missing,
)

_quiet = np.errstate(all="ignore")


@_quiet
def sum(*x: Any, na_rm: bool = False) -> int | float:
    """Add up in order (R's ``sum``): doubles in long double, whole numbers and flags exactly.

    Parameters
    ----------
    *x : array_like
        A matrix or a data frame counts whole. The sums of several vectors are added as doubles.
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    int or float
        An int for whole numbers and flags.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sum([0.1] * 10)
    1.0
    >>> r.sum([True, False, True])
    2
    """
    parts = [known(numeric(part), na_rm) for part in x]
    if all(part.dtype.kind != "f" for part in parts):
        return builtins.sum(int(part.sum(dtype=np.int64)) for part in parts)
    arithmetic.check()
    return float(functools.reduce(np.add, [np.float64(arithmetic.long_total(part)) for part in parts]))


@_quiet
def prod(*x: Any, na_rm: bool = False) -> float:
    """Multiply in order, in long double (R's ``prod``).

    Parameters
    ----------
    *x : array_like
        The products of several vectors are multiplied as doubles.
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    float

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.prod([1, 2, 3])
    6.0
    """
    arithmetic.check()
    parts = [known(double(part), na_rm) for part in x]
    products = [np.float64(np.cumprod(part, dtype=EXTENDED)[-1]) for part in parts if len(part)]
    return float(functools.reduce(np.multiply, products, np.float64(1)))


@_quiet
def mean(x: Any, na_rm: bool = False, trim: float = 0.0) -> float:
    """Mean in long double, of doubles in two passes (R's ``mean``).

    Parameters
    ----------
    x : array_like
        A matrix counts whole; for a data frame pass its columns, or use ``colMeans``.
    na_rm : bool, default False
        Leave out missing values.
    trim : float, default 0.0
        Share of the sorted values that is left out at either end.

    Returns
    -------
    float
        NaN where there is nothing to average.

    Raises
    ------
    TypeError
        `x` holds strings, is a factor or is a data frame.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.mean([0.1, 0.2, 0.6])
    0.3
    """
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
    """Mean with weights (R's ``weighted.mean``).

    Parameters
    ----------
    x : array_like
    w : array_like, optional
        Equal weights by default; values of weight 0 do not count, not even missing ones.
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        The lengths differ.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.weighted_mean([1, 2, 4], [1, 1, 2])
    2.75
    """
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


def _by_column(running: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let a function of vectors take a data frame column by column; of a matrix, as in R, it makes a vector."""

    @functools.wraps(running)
    def each(x: Any) -> Any:
        if isinstance(x, pd.DataFrame):
            columns = [np.asarray(running(x.iloc[:, j].array)) for j in builtins.range(x.shape[1])]
            return pd.DataFrame(dict(enumerate(columns)), index=x.index).set_axis(x.columns, axis=1)
        return running(np.asarray(x).ravel(order="F") if np.ndim(x) == 2 else x)

    return each


@_by_column
@_quiet
def cumsum(x: Any) -> Any:
    """Add up value after value in long double (R's ``cumsum``).

    Parameters
    ----------
    x : array_like
        A matrix counts as one vector; of a data frame each column is taken by itself.

    Returns
    -------
    ndarray or Series
        Whole numbers stay whole; beyond 2147483647 they are NaN as in R, with a warning.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cumsum([1, 2, 3])
    array([1, 3, 6])
    """
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


@_by_column
@_quiet
def cumprod(x: Any) -> Any:
    """Multiply value after value in long double (R's ``cumprod``).

    Parameters
    ----------
    x : array_like
        A matrix counts as one vector; of a data frame each column is taken by itself.

    Returns
    -------
    ndarray or Series of float64

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cumprod([1, 2, 3])
    array([1., 2., 6.])
    """
    arithmetic.check()
    return like(x, np.cumprod(double(x), dtype=EXTENDED).astype(np.float64))


@_by_column
def cummax(x: Any) -> Any:
    """Return the largest value so far; a missing one makes the rest missing (R's ``cummax``).

    Parameters
    ----------
    x : array_like
        A matrix counts as one vector; of a data frame each column is taken by itself.

    Returns
    -------
    ndarray or Series

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cummax([1, 3, 2])
    array([1, 3, 3])
    """
    return _running(x, np.maximum)


@_by_column
def cummin(x: Any) -> Any:
    """Return the smallest value so far; a missing one makes the rest missing (R's ``cummin``).

    Parameters
    ----------
    x : array_like
        A matrix counts as one vector; of a data frame each column is taken by itself.

    Returns
    -------
    ndarray or Series

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cummin([2, 3, 1])
    array([2, 2, 1])
    """
    return _running(x, np.minimum)


def _running(x: Any, extreme: np.ufunc) -> Any:
    """Return the extremes so far; of equal ones R keeps the last, which shows in the sign of 0."""
    values = numeric(x)
    values = values.astype(np.int64) if values.dtype.kind == "b" else values
    best = extreme.accumulate(values)
    place = np.maximum.accumulate(np.where(values == best, np.arange(len(values)), 0))
    return like(x, np.where(best == best, values[place], best))


def _extreme(vectors: tuple[Any, ...], na_rm: bool, largest: bool) -> int | float:
    parts = [known(numeric(vector), na_rm) for vector in vectors]
    values = np.concatenate(
        [part.astype(np.float64) if part.dtype.kind == "f" else part for part in parts] or [np.zeros(0)]
    )
    if not len(values):
        warn(f"{'max' if largest else 'min'} of nothing is {'-Inf' if largest else 'Inf'}")
        return -math.inf if largest else math.inf
    # The first of equal ones, which shows in the sign of 0.
    found = values[values.argmax() if largest else values.argmin()]
    return float(found) if values.dtype.kind == "f" else int(found)


def max(*x: Any, na_rm: bool = False) -> int | float:
    """Largest value (R's ``max``).

    Parameters
    ----------
    *x : array_like
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    int or float
        NaN if a value is missing; minus infinity, with a warning, if there is none.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.max([2.5, 1.0])
    2.5
    """
    return _extreme(x, na_rm, True)


def min(*x: Any, na_rm: bool = False) -> int | float:
    """Smallest value (R's ``min``).

    Parameters
    ----------
    *x : array_like
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    int or float
        NaN if a value is missing; infinity, with a warning, if there is none.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.min([2.5, 1.0])
    1.0
    """
    return _extreme(x, na_rm, False)


def range(*x: Any, na_rm: bool = False, finite: bool = False) -> np.ndarray:
    """Smallest and largest value (R's ``range``).

    Parameters
    ----------
    *x : array_like
    na_rm : bool, default False
        Leave out missing values.
    finite : bool, default False
        Leave out infinite and missing values.

    Returns
    -------
    ndarray, shape (2,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.range([2.5, 1.0, 3.0])
    array([1., 3.])
    """
    parts = [numeric(part) for part in x]
    parts = [part[np.isfinite(part)] for part in parts] if flag(finite, "finite") else parts
    return np.array([min(*parts, na_rm=na_rm), max(*parts, na_rm=na_rm)])


@_quiet
def diff(x: Any, lag: int = 1, differences: int = 1) -> Any:
    """Differences of values that stand `lag` apart (R's ``diff``).

    Parameters
    ----------
    x : array_like
        Of a matrix, the differences of its rows.
    lag : int, default 1
    differences : int, default 1
        How often differences are taken.

    Returns
    -------
    ndarray or Series
        Of a Series, with the labels of the later values.

    Raises
    ------
    TypeError
        `x` holds strings, or is a factor or a data frame.
    ValueError
        `lag` or `differences` is no whole number of at least 1.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.diff([1, 4, 9, 16])
    array([3, 5, 7])
    """
    step, times = count(lag, "lag"), count(differences, "differences")
    if np.ndim(one_vector(x, "pass a column, or the matrix x.to_numpy()")) == 2:
        columns = [diff(column, step, times) for column in np.asarray(x).T]
        rows = len(np.asarray(x))
        return np.column_stack(columns) if columns and step * times < rows else np.asarray(x).ravel()[:0]
    values = numeric(x)
    if step * times >= len(values):
        return values[:0] if not isinstance(x, pd.Series) else x.iloc[:0]
    values = values.astype(np.int64) if values.dtype.kind == "b" else values
    whole = is_whole(x)
    for _ in builtins.range(times):
        values = whole_or_missing(values[step:] - values[:-step], whole)
    return pd.Series(values, index=x.index[step * times :]) if isinstance(x, pd.Series) else values


def _parallel(vectors: tuple[Any, ...], largest: bool, na_rm: bool) -> Any:
    """Extremes item by item; vectors are recycled, the first of equal values stays."""
    arrays = [numeric(v) for v in vectors]
    arrays = [a.astype(np.int64) if a.dtype.kind == "b" else a for a in arrays]
    n = recycled(*arrays)
    out, *others = (np.resize(a, n) for a in arrays)
    for other in others:
        better = other > out if largest else other < out
        gap = np.isnan(out) if na_rm else np.isnan(other)
        out = np.where(better | gap, other, out)
    whole = next((v for v in vectors if np.ndim(v) and len(np.atleast_1d(v)) == n), None)
    return like(vectors[0], out) if whole is None else like(whole, out)


def pmax(*vectors: Any, na_rm: bool = False) -> Any:
    """Largest value, item by item (R's ``pmax``).

    Parameters
    ----------
    *vectors : array_like
        Shorter ones are recycled.
    na_rm : bool, default False
        Take the known one where the other is missing.

    Returns
    -------
    ndarray, Series or float

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.pmax([1, 5, 3], 2)
    array([2, 5, 3])
    """
    return _parallel(vectors, True, na_rm)


def pmin(*vectors: Any, na_rm: bool = False) -> Any:
    """Smallest value, item by item (R's ``pmin``).

    Parameters
    ----------
    *vectors : array_like
        Shorter ones are recycled.
    na_rm : bool, default False
        Take the known one where the other is missing.

    Returns
    -------
    ndarray, Series or float

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.pmin([1, 5, 3], 2)
    array([1, 2, 2])
    """
    return _parallel(vectors, False, na_rm)
