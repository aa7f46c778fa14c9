"""R's products of matrices and their triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase.arithmetic import matrix_product
from pyrrf.rbase.vectors import given_labels, named_matrix


def _plain(x: Any) -> np.ndarray:
    values = np.asarray(x, dtype=np.float64)
    if values.ndim > 2:
        raise ValueError(f"a vector or a matrix is needed, not {values.ndim} dimensions")
    return values


def matmul(x: Any, y: Any) -> Any:
    """Multiply matrices as the BLAS that comes with R does, sum by sum (R's ``%*%``).

    Parameters
    ----------
    x, y : array_like, Series or DataFrame
        Vectors are rows or columns, whichever fits, as in R.

    Returns
    -------
    ndarray or DataFrame, shape (n, m)
        A DataFrame where rows or columns have names.

    Raises
    ------
    ValueError
        The shapes do not fit.

    Notes
    -----
    Each sum goes from the first product to the last, as in the reference BLAS. An R that was linked to OpenBLAS or MKL
    may have other last digits.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.matmul([[1, 2], [3, 4]], [1, 1]).tolist()
    [[3.0], [7.0]]
    """
    a, b = _plain(x), _plain(y)
    if a.ndim == 1:
        rows = b.ndim == 2 and b.shape[0] != len(a)
        a = a[:, None] if rows else a[None, :]
    if b.ndim == 1:
        b = b[:, None] if len(b) == a.shape[1] else b[None, :]
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"matrices of {a.shape} and {b.shape} cannot be multiplied")
    return named_matrix(matrix_product(a, b), _names(x, 0), _names(y, 1))


def _names(x: Any, axis: int) -> Any:
    return given_labels(x.axes[axis]) if isinstance(x, pd.DataFrame) else None


def crossprod(x: Any, y: Any = None) -> Any:
    """Multiply the transpose of a matrix by another one, or by itself (R's ``crossprod``).

    Parameters
    ----------
    x : array_like or DataFrame
    y : array_like or DataFrame, optional

    Returns
    -------
    ndarray or DataFrame

    Raises
    ------
    ValueError
        The shapes do not fit.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.crossprod([[1, 2], [3, 4]]).tolist()
    [[10.0, 14.0], [14.0, 20.0]]
    """
    a: Any = x if isinstance(x, pd.DataFrame) else _plain(x)
    a = a[:, None] if np.ndim(a) == 1 else a
    return matmul(a.T, a if y is None else y)


def upper_tri(x: Any, diag: bool = False) -> np.ndarray:
    """Say which cells of a matrix stand above its diagonal (R's ``upper.tri``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    diag : bool, default False
        With the diagonal.

    Returns
    -------
    ndarray of bool, shape (n, p)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.upper_tri([[1, 2], [3, 4]]).tolist()
    [[False, True], [False, False]]
    """
    return np.triu(np.ones(np.shape(x), dtype=bool), 0 if diag else 1)


def lower_tri(x: Any, diag: bool = False) -> np.ndarray:
    """Say which cells of a matrix stand below its diagonal (R's ``lower.tri``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
    diag : bool, default False
        With the diagonal.

    Returns
    -------
    ndarray of bool, shape (n, p)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.lower_tri([[1, 2], [3, 4]]).tolist()
    [[False, False], [True, False]]
    """
    return np.tril(np.ones(np.shape(x), dtype=bool), 0 if diag else -1)


def which_cells(x: Any) -> pd.DataFrame:
    """Return where the cells of a matrix are that hold, column by column (R's ``which(arr.ind = TRUE)``).

    Parameters
    ----------
    x : array_like of bool or DataFrame, shape (n, p)

    Returns
    -------
    DataFrame of int64, shape (k, 2)
        Columns "row" and "col", counted from 1 as in R; the names of the rows, if there are any.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.which_cells([[True, False], [True, True]]).to_numpy().tolist()
    [[1, 1], [2, 1], [2, 2]]
    """
    columns, rows = np.nonzero(np.asarray(x, dtype=bool).T)
    names = _names(x, 0)
    index = None if names is None else names[rows]
    return pd.DataFrame({"row": rows + 1, "col": columns + 1}, index=index)


def divide(x: float, y: float) -> float:
    """Divide one number by another one; by 0 that is infinite or NaN, as in R (R's ``/``).

    Parameters
    ----------
    x, y : float

    Returns
    -------
    float

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.divide(1, 0), r.divide(0, 0)
    (inf, nan)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(x) / np.float64(y))
