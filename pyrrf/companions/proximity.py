"""outlier and classCenter: measures that are computed from proximities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_finite, count
from pyrrf.companions.forwarded import read_matrix
from pyrrf.data.alignment import check_columns_as_rows, check_rows, row_labels
from pyrrf.data.inputs import Factor, as_factor, check_length
from pyrrf.errors import bad
from pyrrf.rbase.arithmetic import mad, max_col, median, order_decreasing, row_sums
from pyrrf.rbase.collate import collating
from pyrrf.result.record import class_index
from pyrrf.result.result import ClassificationResult, ForestResult
from pyrrf.result.summaries import require_proximity
from pyrrf.types import Column, Labels


def _square(values: Any, name: str) -> np.ndarray:
    """Return a square matrix of finite numbers as float64."""
    matrix = np.asarray(values)
    if matrix.dtype.kind not in "biuf":
        raise bad.type(f"{name} must be a matrix of numbers, not of dtype {matrix.dtype}")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise bad.shape(f"{name} must be a square matrix, not of shape {matrix.shape}")
    check_columns_as_rows(values, name)
    matrix = matrix.astype(np.float64)
    check_finite(matrix, name, "pass proximities")
    return matrix


def _rows(values: Any, n: int) -> Labels:
    return values.index if isinstance(values, pd.DataFrame) else pd.RangeIndex(n)


def outlier(x: Any, cls: Any = None) -> Column:
    """Return the distance of each row from the rows of its class (R's ``outlier``).

    The measure is n divided by the sum of squared proximities to the rows of the class. Its median
    in the class is subtracted, and the result is divided by its mad in the class.

    Parameters
    ----------
    x : ForestResult, or array_like or DataFrame, shape (n, n)
        Fit with proximities, for classes or unsupervised; or a matrix of proximities.
    cls : array_like, shape (n,), optional
        Class of each row of a matrix; one class for all by default.

    Returns
    -------
    Series of float, shape (n,)
        NaN or infinite where the mad of a class is 0, as in R.

    Raises
    ------
    TypeError
        `x` is a regression fit or does not hold numbers.
    ValueError
        There are no proximities, the matrix is not square, or a class has one row.

    See Also
    --------
    MDSplot : The proximities as a picture.
    classCenter : The middle of each class.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, proximity=True, seed=1)
    >>> pyrrf.outlier(fit).nlargest(3).index.tolist()
    [119, 129, 133]
    """
    if isinstance(x, ForestResult):
        if cls is not None:
            raise bad.conflict("cls is only for a matrix of proximities; a fit has its own classes")
        if x.type == "regression":
            raise bad.type(
                "x must be a fit for classes or an unsupervised one; outlier() has no measure for regression"
            )
        near = require_proximity(x, "x")
        return _outlier(near.to_numpy(), near.index, x.response if isinstance(x, ClassificationResult) else None)
    matrix = _square(x, "x")
    with collating("C"):  # No answer depends on the order of the classes.
        factor = None if cls is None else as_factor(cls, "cls")
    if factor is not None:
        check_length(len(factor.codes), len(matrix), "cls", "x")
        check_rows(cls, "cls", row_labels(x))
    return _outlier(matrix, _rows(x, len(matrix)), factor)


def _outlier(near: np.ndarray, rows: Labels, factor: Factor | None) -> Column:
    n = len(near)
    codes = np.zeros(n, dtype=np.int64) if factor is None else factor.codes
    out = np.full(n, np.nan)
    for code in np.unique(codes).tolist():
        inside = np.flatnonzero(codes == code)
        if len(inside) == 1:
            level = "" if factor is None else f" {factor.levels[code]!r}"
            raise bad.levels(f"class{level} has one row, so it has no measure; drop it or merge it with another", "cls")
        sums = row_sums(_among(near, inside) ** 2)
        measure = n / np.where(sums == 0, 1.0, sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            out[inside] = (measure - median(measure)) / mad(measure)
    return pd.Series(out, index=rows)


def _among(near: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the proximities of some rows to each other; copying in memory order is fast."""
    if len(rows) == len(near):
        return near
    if not near.flags.c_contiguous:
        return _among(near.T, rows).T if near.flags.f_contiguous else near[np.ix_(rows, rows)]
    whole_rows_cost_more = 8 * len(rows) < len(near)
    return near[np.ix_(rows, rows)] if whole_rows_cost_more else near.take(rows, axis=0).take(rows, axis=1)


def classCenter(x: Any, label: Any, prox: Any, nNbr: int | None = None) -> pd.DataFrame:
    """Return a prototype of each class (R's ``classCenter``).

    For each class, the row with most neighbours of that class is found, with ties broken at random.
    The prototype is the median of those neighbours.

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
        Numeric predictors.
    label : array_like, shape (n,)
        Classes.
    prox : array_like or DataFrame, shape (n, n)
        Proximities.
    nNbr : int, optional
        Number of nearest neighbours of a row, itself included; by default the size of the smallest
        class less 1.

    Returns
    -------
    DataFrame, shape (nclass, p)
        Classes in the order in which they first appear.

    Raises
    ------
    TypeError
        `x` or `prox` does not hold numbers.
    ValueError
        Shapes differ, or `nNbr` is less than 2 (where R takes the wrong rows) or more than n.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, proximity=True, seed=1)
    >>> pyrrf.classCenter(x, species, fit.proximity)
                Sepal.Length  Sepal.Width  Petal.Length  Petal.Width
    setosa              5.00          3.4           1.5          0.2
    versicolor          5.85          2.8           4.3          1.3
    virginica           6.50          3.0           5.6          2.0
    """
    check_rows(prox, "prox", row_labels(x))
    values, columns = _numeric_columns(x)
    near, factor = _square(prox, "prox"), as_factor(label, "label")
    check_length(len(factor.codes), len(values), "label", "x")
    check_length(len(near), len(values), "prox", "x")
    check_rows(label, "label", row_labels(x, prox))
    classes = list(dict.fromkeys(factor.codes.tolist()))
    neighbours = _neighbour_count(nNbr, factor, len(near))
    index = np.stack([order_decreasing(row)[:neighbours] for row in near])
    votes = np.stack([(factor.codes[index] == code).sum(axis=1) for code in classes])
    modes = max_col(votes.astype(np.float64))
    centres = []
    for code, mode in zip(classes, modes, strict=True):
        members = index[mode][factor.codes[index[mode]] == code]
        centres.append([median(column) for column in values[members].T])
    names = class_index(*[factor.levels[code] for code in classes])
    return pd.DataFrame(centres, index=names, columns=columns)


def _numeric_columns(x: Any) -> tuple[np.ndarray, Labels]:
    if isinstance(x, pd.DataFrame):
        for name, dtype in x.dtypes.items():
            if not pd.api.types.is_numeric_dtype(dtype):
                raise bad.type(f"column {name!r} of x has dtype {dtype}; medians need numbers, so drop it", "x")
        return x.to_numpy(dtype=np.float64), x.columns
    matrix = read_matrix(x)
    return matrix, pd.RangeIndex(matrix.shape[1])


def _neighbour_count(nNbr: int | None, factor: Factor, n: int) -> int:
    if nNbr is None:
        sizes = np.bincount(factor.codes)
        smallest = int(sizes[sizes > 0].min())
        if smallest < 3:
            raise bad.range(
                f"the smallest class of label has {smallest} row(s), too few for the default; pass nNbr", "nNbr"
            )
        return smallest - 1
    wanted = count(nNbr, "nNbr", minimum=2)
    if wanted > n:
        raise bad.range(f"nNbr is {wanted}, but prox has {n} rows; pass at most {n}")
    return wanted
