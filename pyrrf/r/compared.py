"""Comparisons, sets and lengths with R's rules for what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.ordering import duplicated, match
from pyrrf.rbase.text import as_character
from pyrrf.rbase.typed import compared
from pyrrf.rbase.vectors import atomic, vector


def compare(x: Any, sign: str, y: Any) -> Any:
    """Compare item by item as R does: factors by their labels, and what is missing is missing in the answer.

    Strings are smaller or larger in the order of `pyrrf.set_collate`, ordered factors in that of their levels.

    Parameters
    ----------
    x : scalar or array_like
    sign : {"==", "!=", "<", "<=", ">", ">="}
    y : scalar or array_like

    Returns
    -------
    bool or ndarray
        Of bool; of float64 with NaN where R has NA. Levels without an order are neither smaller nor larger, with a
        warning.

    Raises
    ------
    TypeError, ValueError
        An ordered factor is compared with one without order, or of other levels.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.compare([1, float("nan")], ">", 0)
    array([ 1., nan])
    """
    found = compared(sign, vector(x), vector(y)).plain
    return bool(found[0]) if np.ndim(x) == 0 and np.ndim(y) == 0 and found.dtype == bool else found


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
    found, other = _distinct(x), _distinct(y)
    kept = found[match(found, other) >= 0]
    text = other.dtype == object and found.dtype != object
    return as_character(kept) if text else kept.astype(np.result_type(kept, other)) if kept.dtype != object else kept


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
    given = [atomic(side) for side in (x, y)]
    text = any(isinstance(side, pd.Categorical) or side.dtype == object for side in given)
    joined = np.concatenate([as_character(side) for side in (x, y)] if text else given)
    return np.asarray(joined[~duplicated(joined)])


def _distinct(x: Any) -> np.ndarray:
    """Return the distinct items; of a factor the labels."""
    found = atomic(x)
    labels = as_character(found) if isinstance(found, pd.Categorical) else found
    return np.asarray(labels[~duplicated(labels)])
