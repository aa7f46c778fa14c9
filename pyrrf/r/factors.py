"""What scripts do with factors: their levels and codes, and how many limits lie below a number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import warn
from pyrrf.rbase.factors import factor
from pyrrf.rbase.numbers import read_numbers
from pyrrf.rbase.vectors import MOST_INTEGER, atomic, double


def as_factor(x: Any) -> pd.Categorical:
    """Values as a factor; a factor stays as it is (R's ``as.factor``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    Categorical

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.as_factor(["b", "a"]).categories)
    ['a', 'b']
    """
    values = atomic(x)
    return values if isinstance(values, pd.Categorical) else factor(x)


def droplevels(x: Any) -> Any:
    """Drop the levels that do not occur (R's ``droplevels``).

    Parameters
    ----------
    x : Categorical, Series or DataFrame

    Returns
    -------
    Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.droplevels(r.factor(["a"], levels=["a", "b"])).categories)
    ['a']
    """
    if isinstance(x, pd.DataFrame):
        kinds = {name: isinstance(x[name].dtype, pd.CategoricalDtype) for name in x}
        dropped: dict[Any, Any] = {name: droplevels(x[name]) for name, is_factor in kinds.items() if is_factor}
        return x.assign(**dropped)
    if not isinstance(atomic(x), pd.Categorical):
        raise TypeError("x is not a factor; pass factor(x)")
    return factor(as_factor(x))


def relevel(x: Any, ref: Any) -> pd.Categorical:
    """Make another level the first (R's ``relevel``).

    Parameters
    ----------
    x : Categorical or Series
    ref : object
        The level that becomes the first.

    Returns
    -------
    Categorical

    Raises
    ------
    ValueError
        `ref` is no level, or the levels are ordered.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.relevel(r.factor(["a", "b"]), "b").categories)
    ['b', 'a']
    """
    found = as_factor(x)
    if found.ordered:
        raise ValueError("x has ordered levels, for which R has no relevel(); pass factor(x, levels, ordered=True)")
    if ref not in found.categories:
        raise ValueError(f"ref is {ref!r}, which is not a level; the levels are {list(found.categories)}")
    return found.reorder_categories([ref, *(level for level in found.categories if level != ref)])


def levels(x: Any) -> np.ndarray | None:
    """Levels of a factor, in their order (R's ``levels``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray or None
        None where `x` is no factor.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.levels(r.factor(["b", "a"])).tolist()
    ['a', 'b']
    """
    found = atomic(x)
    return found.categories.to_numpy() if isinstance(found, pd.Categorical) else None


def nlevels(x: Any) -> int:
    """Count the levels (R's ``nlevels``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    int

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.nlevels(r.factor(["b", "a"]))
    2
    """
    found = levels(x)
    return 0 if found is None else len(found)


def as_numeric(x: Any) -> np.ndarray:
    """Values as doubles; of a factor the codes, from 1 (R's ``as.numeric``).

    Parameters
    ----------
    x : array_like
        Strings are read as numbers, to the bits that R reads; what is none becomes NaN.

    Returns
    -------
    ndarray of float64, shape (n,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_numeric(r.factor([10, 20, 10]))
    array([1., 2., 1.])
    """
    found = atomic(x)
    if isinstance(found, pd.Categorical):
        return np.where(found.codes < 0, math.nan, found.codes + 1.0)
    if found.dtype == object:
        numbers, is_number = read_numbers(found.tolist())
        is_number &= found != "NA"
        if not is_number.all():
            warn(f"{int((~is_number).sum())} of {len(found)} texts in x are not numbers; they become NaN")
        return numbers
    return found.astype(np.float64)


def as_integer(x: Any) -> np.ndarray:
    """Values as whole numbers, cut off towards 0; of a factor the codes, from 1 (R's ``as.integer``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray of int64, or of float64 where values are missing

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_integer([1.9, -1.9])
    array([ 1, -1])
    """
    cut_off: np.ndarray = np.trunc(as_numeric(x)) + 0.0
    beyond = ~(np.abs(cut_off) < 2.0**31)
    if (beyond & ~np.isnan(cut_off)).any():
        warn(f"numbers in x are beyond {MOST_INTEGER}, which is NA in R; pass them as floats")
    cut_off[beyond] = math.nan
    return cut_off if np.isnan(cut_off).any() else cut_off.astype(np.int64)


def counts(found: pd.Categorical) -> np.ndarray:
    """How often each level occurs, int64, shape (k,)."""
    return np.bincount(found.codes[found.codes >= 0], minlength=len(found.categories)).astype(np.int64)


def findInterval(
    x: Any, vec: Any, rightmost_closed: bool = False, all_inside: bool = False, left_open: bool = False
) -> np.ndarray:
    """How many limits are at most as large as each number (R's ``findInterval``).

    Parameters
    ----------
    x : array_like
    vec : array_like
        The limits, sorted.
    rightmost_closed : bool, default False
        Whether the last limit belongs to the last interval (with `left_open`, the first to the first).
    all_inside : bool, default False
        Count numbers outside to the outermost intervals.
    left_open : bool, default False
        Whether intervals are open on the left, so that only smaller limits count.

    Returns
    -------
    ndarray of int64, or of float64 where numbers are missing
        From 0, as many as limits.

    Raises
    ------
    ValueError
        `vec` is not sorted.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.findInterval([0.5, 1.0, 9.0], [1, 2, 3])
    array([0, 1, 3])
    """
    values, limits = double(x), double(vec, "vec")
    if np.isnan(limits).any() or (np.diff(limits) < 0).any():
        raise ValueError("vec must be sorted and without missing values; pass sort(vec)")
    n = len(limits)
    found = np.searchsorted(limits, values, side="left" if left_open else "right")
    if n:
        below, above = found == 0, found == n
        found = np.where(below & (all_inside | (rightmost_closed & (values == limits[0]))), 1, found)
        found = np.where(above & (all_inside | (rightmost_closed & (values == limits[-1]))), n - 1, found)
    gaps = np.isnan(values)
    return np.where(gaps, math.nan, found) if gaps.any() else found.astype(np.int64)


def interaction_codes(found: list[pd.Categorical]) -> np.ndarray:
    """One code for the levels of several factors, the first varying fastest; -1 where one is missing."""
    out, size = np.zeros(len(found[0]), dtype=np.int64), 1
    gaps = np.zeros(len(out), dtype=bool)
    for one in found:
        out += one.codes.astype(np.int64) * size
        gaps |= one.codes < 0
        size *= len(one.categories)
    out[gaps] = -1
    return out
