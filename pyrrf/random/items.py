"""Items drawn from a vector: R's sample and sample.int."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import flag
from pyrrf.errors import bad
from pyrrf.random.laws import whole
from pyrrf.random.stream import drawing
from pyrrf.types import Positions


def sample(x: Any, size: int | None = None, replace: bool = False, prob: Any = None) -> Any:
    """Draw items (R's ``sample``).

    Parameters
    ----------
    x : int or array_like
        Items to draw from; a number n of at least 1 means 1, 2, ..., n, as in R. A factor is a
        ``pd.Categorical`` or a Series of that type.
    size : int, optional
        Number of items to draw; all by default.
    replace : bool, default False
        Whether an item can be drawn more than once.
    prob : array_like of float, optional
        Weights of the items; equal by default.

    Returns
    -------
    ndarray, shape (size,)
        A Categorical of all levels if `x` is a factor.

    Raises
    ------
    TypeError
        An argument has a wrong type.
    ValueError
        There are fewer items than `size` without `replace`, or `prob` does not fit.

    Notes
    -----
    In R a vector of one number, c(5), stands for 1:5. Here only a number does; [5] has one item.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> pyrrf.sample(5)
    array([1, 4, 3, 5, 2])
    >>> pyrrf.sample(["a", "b", "c"], 2).tolist()
    ['a', 'c']
    """
    items, n = _items(x)
    chosen = _choose(n, size, replace, prob)
    if items is None:
        return chosen + 1
    return items[chosen] if isinstance(items, pd.Categorical) else np.asarray(items[chosen])


def sample_int(n: int, size: int | None = None, replace: bool = False, prob: Any = None) -> Positions:
    """Draw from 1, 2, ..., n (R's ``sample.int``).

    Parameters
    ----------
    n : int
        The largest number; a fraction is cut off.
    size : int, optional
        Number of draws; `n` by default.
    replace : bool, default False
        Whether a number can be drawn more than once.
    prob : array_like of float, optional
        Weights of the numbers; equal by default.

    Returns
    -------
    ndarray of int64, shape (size,)

    Raises
    ------
    TypeError, ValueError
        As for `sample`.

    Examples
    --------
    >>> from pyrrf.random import sample_int, set_seed
    >>> set_seed(1)
    >>> sample_int(5, 2)
    array([1, 4])
    """
    return _choose(whole(n, "n"), size, replace, prob) + 1


def _choose(n: int, size: Any, replace: Any, prob: Any) -> Positions:
    """Draw positions from 0 to n - 1."""
    draws = n if size is None else whole(size, "size")
    again = flag(replace, "replace")
    if draws > n and not again:
        raise bad.range(f"size is {draws}, but x has {n} items; pass a smaller size or replace=True")
    if draws and not n:
        raise bad.empty("x has no items; pass at least one")
    weights = None if prob is None else _weights(prob, n, draws, again)
    with drawing() as stream:
        return stream.sample(n, draws, again, weights)


def _items(x: Any) -> tuple[np.ndarray | pd.Categorical | None, int]:
    """Return the items and their number; None stands for 1..n."""
    if np.ndim(x) == 0 and isinstance(x, int | float | np.number) and not isinstance(x, bool):
        if np.isfinite(x) and x >= 1:
            return None, int(x)
        return np.array([x]), 1
    if np.ndim(x) != 1:
        raise bad.type(f"x must be a number or a vector, not {x!r}")
    if isinstance(x, pd.Series | pd.Index):
        x = x.array if isinstance(x.dtype, pd.CategoricalDtype) else x.to_numpy()
    items = x if isinstance(x, pd.Categorical) else np.asarray(x)
    return items, len(items)


def _weights(prob: Any, n: int, draws: int, replace: bool) -> np.ndarray:
    weights = np.asarray(prob)
    if weights.dtype.kind not in "biuf":
        raise bad.type(f"prob must hold numbers, not {prob!r}")
    weights = weights.astype(np.float64)
    if weights.shape != (n,):
        raise bad.length(f"prob has shape {weights.shape}; pass one weight for each of {n} items")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise bad.range("prob must hold finite weights of 0 or more; replace NaN, infinite and negative ones")
    positive = int((weights > 0).sum())
    if positive == 0 or (not replace and draws > positive):
        raise bad.range(
            f"prob has {positive} positive weights, too few to draw {draws} items; pass a smaller size or replace=True"
        )
    return weights
