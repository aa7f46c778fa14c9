"""R's distributions of whole numbers: rbinom, rpois, rgeom, rnbinom, rmultinom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.errors import bad
from pyrrf.random.laws import R_INT_MAX, count, describe_law, number_of_draws, parameter
from pyrrf.random.stream import drawing


def rbinom(n: int, size: Any, prob: Any) -> np.ndarray:
    """Draw from binomial distributions (R's ``rbinom``).

    Parameters
    ----------
    n : int
        Number of draws, or a vector of this length.
    size : int or array_like of int
        Numbers of trials, below 2147483647; a vector is recycled.
    prob : float or array_like
        Chance of success; a vector is recycled.

    Returns
    -------
    ndarray of int64, shape (n,)
        float64 if some arguments describe no distribution; these give NaN, with a warning.

    Raises
    ------
    TypeError
        An argument is not a number.
    ValueError
        `n` is negative or not finite, or a `size` is too large.

    Examples
    --------
    >>> from pyrrf.random import rbinom, set_seed
    >>> set_seed(1)
    >>> rbinom(3, 10, 0.5)
    array([4, 4, 5])
    """
    return count("binomial", n, parameter(size, "size"), parameter(prob, "prob"))


@describe_law("int64, or float64 where a number is no R integer, or NaN, with a warning")
def rpois(n: int, lambda_: Any) -> np.ndarray:
    """Draw from Poisson distributions (R's ``rpois``).

    lambda_ : float or array_like
        Mean (R's `lambda`); a vector is recycled.

    >>> rpois(3, 4)
    array([3, 3, 4])
    """
    return count("poisson", n, parameter(lambda_, "lambda_"))


@describe_law("int64, or float64 as for `rpois`")
def rgeom(n: int, prob: Any) -> np.ndarray:
    """Draw failures before the first success, from geometric distributions (R's ``rgeom``).

    prob : float or array_like
        Chance of success; a vector is recycled.

    >>> rgeom(3, 0.2)
    array([ 2,  2, 12])
    """
    return count("geometric", n, parameter(prob, "prob"))


def rnbinom(n: int, size: Any, prob: Any = None, mu: Any = None) -> np.ndarray:
    """Draw from negative binomial distributions (R's ``rnbinom``).

    Parameters
    ----------
    n : int
        Number of draws, or a vector of this length.
    size : float or array_like
        Successes that are waited for, or the dispersion; a vector is recycled.
    prob : float or array_like, optional
        Chance of success.
    mu : float or array_like, optional
        Mean, in place of `prob`.

    Returns
    -------
    ndarray of int64, shape (n,)
        Failures; float64 as for `rpois`.

    Raises
    ------
    TypeError
        An argument is not a number.
    ValueError
        `n` is negative or not finite, or not one of `prob` and `mu` is given.

    Examples
    --------
    >>> from pyrrf.random import rnbinom, set_seed
    >>> set_seed(1)
    >>> rnbinom(3, 3, 0.5)
    array([3, 2, 2])
    """
    if (prob is None) == (mu is None):
        raise bad.absent("prob or mu must be given, one of both")
    if mu is None:
        return count("negative_binomial", n, parameter(size, "size"), parameter(prob, "prob"))
    return count("negative_binomial_of_mean", n, parameter(size, "size"), parameter(mu, "mu"))


def rmultinom(n: int, size: int, prob: Any) -> np.ndarray | pd.DataFrame:
    """Draw from a multinomial distribution (R's ``rmultinom``).

    Parameters
    ----------
    n : int
        Number of draws.
    size : int
        How many items fall into the classes in each draw, below 2147483647.
    prob : array_like of float, shape (k,)
        Weights of the classes; they need not sum to 1. A Series has names for them.

    Returns
    -------
    ndarray of int32, shape (k, n), or DataFrame
        How many fall into each class, one column a draw; a DataFrame, with a row for each name, if `prob` is a Series.

    Raises
    ------
    TypeError
        An argument is not a number.
    ValueError
        An argument is out of its range, or no weight is positive.

    Examples
    --------
    >>> from pyrrf.random import rmultinom, set_seed
    >>> set_seed(1)
    >>> rmultinom(3, 10, [1, 2, 1])
    array([[2, 3, 1],
           [6, 3, 4],
           [2, 4, 5]], dtype=int32)
    """
    draws, items = number_of_draws(n), number_of_draws(size)
    if items >= R_INT_MAX:
        raise bad.range(f"size must be below {R_INT_MAX}, not {size!r}")
    weights = parameter(prob, "prob")
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise bad.range("prob must hold finite weights of 0 or more, some of them positive")
    # Sums from the left as in R, not in pairs.
    chances = weights / np.cumsum(weights)[-1]
    table = np.empty((len(weights), draws), dtype=np.int32)
    with drawing() as stream:
        for j in range(draws):
            table[:, j] = stream.multinomial(items, chances)
    return pd.DataFrame(table, index=prob.index) if isinstance(prob, pd.Series) else table
