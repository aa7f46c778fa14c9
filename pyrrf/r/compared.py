"""Comparisons, sets and lengths with R's rules for what is missing."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.collate import coded_strings
from pyrrf.r.order import match, unique
from pyrrf.r.text import as_character
from pyrrf.r.vectors import atomic, missing

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(x: Any, sign: str, y: Any) -> Any:
    """Compare item by item as R does: factors by their labels, and what is missing is missing in the answer.

    Strings are smaller or larger in the order of `pyrrf.set_collate`.

    Parameters
    ----------
    x : scalar or array_like
    sign : {"==", "!=", "<", "<=", ">", ">="}
    y : scalar or array_like

    Returns
    -------
    bool or ndarray
        Of bool; of float64 with NaN where R has NA.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.compare([1, float("nan")], ">", 0)
    array([ 1., nan])
    """
    left, right = atomic(x), atomic(y)
    if any(isinstance(side, pd.Categorical) or side.dtype == object for side in (left, right)):
        left, right = as_character(left), as_character(right)
    n = 0 if not len(left) or not len(right) else max(len(left), len(right))
    left, right = left[np.arange(n) % max(1, len(left))], right[np.arange(n) % max(1, len(right))]
    gaps = missing(left) | missing(right)
    found = np.zeros(n, dtype=bool)
    left, right = left[~gaps], right[~gaps]
    if left.dtype == object and sign not in ("==", "!="):
        left, right = np.split(coded_strings(np.concatenate([left, right]), "x")[0], 2)
    found[~gaps] = _OPERATORS[sign](left, right)
    if gaps.any():
        return np.where(gaps, np.nan, found)
    return bool(found[0]) if np.ndim(x) == 0 and np.ndim(y) == 0 else found


def length(x: Any) -> int:
    """Return the number of items, of a table that of its columns (R's ``length``).

    Parameters
    ----------
    x : object

    Returns
    -------
    int

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.length(None), r.length(5), r.length([1, 2])
    (0, 1, 2)
    """
    if x is None:
        return 0
    if isinstance(x, pd.DataFrame):
        return x.shape[1]
    return int(np.size(x)) if isinstance(x, np.ndarray) else (len(x) if np.ndim(x) or isinstance(x, dict) else 1)


def setdiff(x: Any, y: Any) -> np.ndarray:
    """Items of `x` that are not in `y`, each once (R's ``setdiff``).

    Parameters
    ----------
    x, y : array_like

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.setdiff([3, 1, 2, 1], [2])
    array([3, 1])
    """
    found = _distinct(x)
    return found[match(found, y) < 0]


def intersect(x: Any, y: Any) -> np.ndarray:
    """Items of `x` that are in `y`, each once (R's ``intersect``).

    Parameters
    ----------
    x, y : array_like

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.intersect([3, 1, 2, 1], [1, 3])
    array([3, 1])
    """
    found = _distinct(x)
    return found[match(found, y) >= 0]


def union(x: Any, y: Any) -> np.ndarray:
    """Items of both, each once (R's ``union``).

    Parameters
    ----------
    x, y : array_like

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.union([3, 1], [1, 2])
    array([3, 1, 2])
    """
    sides = [_distinct(x), _distinct(y)]
    if any(side.dtype == object for side in sides):
        sides = [as_character(side) for side in sides]
    return np.asarray(unique(np.concatenate(sides)))


def _distinct(x: Any) -> np.ndarray:
    """Return the distinct items; of a factor the labels."""
    found = atomic(x)
    return np.asarray(unique(as_character(found) if isinstance(found, pd.Categorical) else found))
