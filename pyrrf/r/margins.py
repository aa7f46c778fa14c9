"""R's sums and means of rows and columns, and functions applied to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import choice, warn
from pyrrf.rbase import arithmetic
from pyrrf.rbase.vectors import double, matrix

_quiet = np.errstate(all="ignore")


@_quiet
def _margin(x: Any, rows: bool, na_rm: bool, means: bool) -> Any:
    """Return sums or means of rows or columns; a mean of nothing is NaN, a sum of nothing 0."""
    arithmetic.check()
    values = matrix(x)
    values = values.T if rows else values
    number: Any = len(values)
    if na_rm:
        missing = np.isnan(values)
        number = len(values) - missing.sum(axis=0)
        values = np.where(missing, 0.0, values)
    sums = arithmetic.column_totals(values)
    out = (sums / number if means else sums).astype(np.float64)
    if not isinstance(x, pd.DataFrame):
        return out
    return pd.Series(out, index=x.index if rows else x.columns)


def rowSums(x: Any, na_rm: bool = False) -> Any:
    """Sum of each row, in long double (R's ``rowSums``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    ndarray of float64, shape (n,), or Series
        A Series with the labels of the rows for a data frame.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rowSums([[1, 2], [3, 4]])
    array([3., 7.])
    """
    return _margin(x, True, na_rm, False)


def rowMeans(x: Any, na_rm: bool = False) -> Any:
    """Mean of each row, in long double and one pass (R's ``rowMeans``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    ndarray of float64, shape (n,), or Series
        A Series with the labels of the rows for a data frame.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rowMeans([[1, 2], [3, 4]])
    array([1.5, 3.5])
    """
    return _margin(x, True, na_rm, True)


_OPERATIONS: dict[str, np.ufunc] = {"-": np.subtract, "+": np.add, "*": np.multiply, "/": np.divide}


@_quiet
def sweep(x: Any, MARGIN: int, STATS: Any, FUN: str = "-") -> Any:
    """Subtract a number from each row (1) or column (2), or compute otherwise with it (R's ``sweep``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    MARGIN : int
        1 or 2.
    STATS : array_like
        One number for each row or column, or for all; others are recycled, with a warning.
    FUN : str, default '-'
        Or '+', '*', '/'.

    Returns
    -------
    ndarray or DataFrame of float64, shape (n, p)

    Raises
    ------
    ValueError
        `MARGIN` or `FUN` is something else.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sweep([[1, 2], [3, 5]], 2, [1, 2])
    array([[0., 0.],
           [2., 3.]])
    """
    choice(FUN, "FUN", _OPERATIONS)
    if MARGIN not in (1, 2):
        raise ValueError(f"MARGIN must be 1 for rows or 2 for columns, not {MARGIN!r}")
    values, numbers = matrix(x), double(STATS, "STATS")
    extent = values.shape[MARGIN - 1]
    if not len(numbers) or len(numbers) > extent or extent % len(numbers):
        warn(f"STATS has {len(numbers)} numbers for {extent} rows or columns; pass one for each")
    # R recycles down the rows, or across the columns.
    shape = values.shape if MARGIN == 1 else values.shape[::-1]
    cells = np.resize(numbers, values.size) if len(numbers) else np.full(values.size, np.nan)
    grid = cells.reshape(shape, order="F")
    out = _OPERATIONS[FUN](values, grid if MARGIN == 1 else grid.T)
    return pd.DataFrame(out, index=x.index, columns=x.columns) if isinstance(x, pd.DataFrame) else out


def colSums(x: Any, na_rm: bool = False) -> Any:
    """Sum of each column, in long double (R's ``colSums``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    ndarray of float64, shape (p,), or Series
        A Series with the names of the columns for a data frame.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.colSums([[1, 2], [3, 4]])
    array([4., 6.])
    """
    return _margin(x, False, na_rm, False)


def colMeans(x: Any, na_rm: bool = False) -> Any:
    """Mean of each column, in long double and one pass (R's ``colMeans``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    na_rm : bool, default False
        Leave out missing values.

    Returns
    -------
    ndarray of float64, shape (p,), or Series
        A Series with the names of the columns for a data frame.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.colMeans([[1, 2], [3, 4]])
    array([2., 3.])
    """
    return _margin(x, False, na_rm, True)
