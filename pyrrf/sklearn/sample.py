"""X and y as the estimators and selectors read them, once, with the checks of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_X_y, validate_data

from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.identifiers import warn_identifiers
from pyrrf.data.predictors import Predictors, check_varies, of_numbers
from pyrrf.data.response import check_response, without_decimals
from pyrrf.errors import bad
from pyrrf.selectors.credit import centred
from pyrrf.selectors.growing import TreeData
from pyrrf.sklearn.categories import as_frame, as_meant, as_rows, read_table, refusals_explained
from pyrrf.types import Floats, Ints, Labels, Positions


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """X and y."""

    rows: Any  # what another estimator can be fitted to: a table if it has categories, otherwise numbers
    ncat: Ints  # int32, shape (p,): 1 for a number, otherwise the number of categories
    y: np.ndarray
    table: Predictors  # the columns with their labels and categories: numbers, and codes of categories, from 1
    index: Labels | None  # of the rows, by X or else by y; None if neither has any

    @property
    def values(self) -> Floats:
        """The numbers and codes as an array, float64 or float32, shape (n, p); those of a sparse matrix are copied."""
        return self.table.dense


def read_sample(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    categorical: Any = "from_dtype",
    dtype: Any = np.float64,
    parallel: bool = True,
    **checks: Any,
) -> Sample:
    """Check X and y, and keep the number and the names of the features as attributes of the estimator.

    `categorical` is as the estimators' `categorical_features`. `parallel`: whether missing values of a category are one
    more category, as in engine parallel; refused otherwise. `checks` are other arguments of scikit-learn's
    ``check_X_y``.
    """
    source, rows, X = X, row_labels(X, y), as_rows(X)  # a table of polars has no labels before it becomes one of pandas
    check_response(y, checks.get("y_numeric", False))
    check_rows(y, "y", rows, "X")
    y = without_decimals(y)
    frame = as_frame(X, categorical)
    if frame is None:
        with refusals_explained(estimator):
            values, y = map(aligned, validate_data(estimator, X, y, dtype=dtype, **checks))
        y = _plain_labels(y, checks.get("y_numeric", False))
        table = of_numbers(values, X)
        return _checked(Sample(rows=values, ncat=table.ncat, y=y, table=table, index=rows))
    validate_data(estimator, X, y, skip_check_array=True)
    frame = as_meant(frame, source)
    table = read_table(frame, parallel)
    values, y = map(aligned, check_X_y(table.dense, y, dtype=dtype, estimator=estimator, **checks))
    y = _plain_labels(y, checks.get("y_numeric", False))
    table = replace(table, values=values)
    return _checked(Sample(rows=frame, ncat=table.ncat, y=y, table=table, index=rows))


def _checked(sample: Sample) -> Sample:
    """Return a sample in which some feature varies; one row is refused later, for its one class.

    Warn of columns that name or count the rows.
    """
    warn_identifiers(sample.table, "X")
    if len(sample.y) > 1:
        check_varies(sample.table, "X")
    return sample


def aligned(array: Any) -> Any:
    """Return an array that the core can read: those that Dask hands to a task start at any byte.

    Sparse matrices are aligned where they are read.
    """
    return array if hasattr(array, "tocsc") else np.require(array, requirements="A")


def part(table: Any, rows: Positions, features: Positions | Sequence[int] | None = None) -> Any:
    """Return some rows and features of X, counted from 0; all features by default. A sparse matrix stays sparse."""
    if isinstance(table, pd.DataFrame):
        return table.iloc[rows] if features is None else table.iloc[rows, list(features)]
    if hasattr(table, "tocsc"):
        # The few columns first, and then rows of these alone.
        return table[rows] if features is None else table[:, np.asarray(features)].tocsr()[rows]
    return table[rows] if features is None else table[np.ix_(rows, np.asarray(features))]


def tree_data(sample: Sample, rows: Positions, numeric: bool) -> TreeData:
    """Return what a selector grows trees on: some rows, and of them classes from 0, or numbers of variance 1."""
    y = sample.y[rows]
    if numeric:
        around = centred(y)
        spread = float(np.sqrt(np.mean(around**2)))
        response: np.ndarray = around / (spread if spread > 0 else 1.0)
        nclass = 1
    else:
        codes, classes = pd.factorize(y, sort=True)
        response, nclass = codes.astype(np.int32), len(classes)
    return TreeData(values=sample.table.take(rows).values, ncat=sample.ncat, response=response, nclass=nclass)


def check_several(y: np.ndarray, numeric: bool = False) -> None:
    """Raise ValueError if `y` holds one class or one number, of which nothing can be learned."""
    if len(pd.unique(y)) >= 2:
        return
    if numeric:
        raise bad.constant(f"y is constant ({y.tolist()[0]} in all rows); pass a target that varies")
    raise bad.constant(f"y has only one class, {y.tolist()[0]!r}; pass rows of at least two classes")


def _plain_labels(y: np.ndarray, numeric: bool) -> np.ndarray:
    """Return `y` in the byte order that pandas reads; raise TypeError if it must hold numbers, and does not."""
    if numeric and y.dtype.kind not in "biuf":
        raise bad.type(f"y must be numeric for regression, not of dtype {y.dtype}")
    plain = ("integer", "boolean", "floating", "mixed-integer-float")
    if y.dtype == object and pd.api.types.infer_dtype(y, skipna=False) in plain:
        y = np.array(y.tolist())  # scikit-learn does not know such objects as classes
    return y.astype(y.dtype.newbyteorder("="), copy=False)
