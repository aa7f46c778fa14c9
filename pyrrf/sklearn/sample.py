"""X and y as the estimators and selectors read them, once, with the checks of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_X_y, validate_data

from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.columns import read_columns
from pyrrf.data.identifiers import check_wide_factors, warn_identifiers
from pyrrf.data.predictors import Predictors, check_categories, check_varies, of_numbers, read_predictors
from pyrrf.data.response import check_response, without_decimals
from pyrrf.errors import bad
from pyrrf.selectors.credit import centre_near_one
from pyrrf.types import Floats, Ints, Labels, Positions


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """X and y."""

    rows: Any  # rows for other estimators: a table if it has categories, otherwise numbers
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
    rows = row_labels(X, y)  # a table of polars has no labels before it becomes one of pandas
    X, frame = read_columns(X, categorical)
    if isinstance(X, pd.DataFrame) and X.shape[1] == 0:  # scikit-learn fails without a word on X
        raise bad.empty("X has 0 columns; pass at least one")
    check_response(y, checks.get("y_numeric", False))
    check_rows(y, "y", rows, "X")
    y = without_decimals(y)
    if frame is None:
        with explain_refusals(estimator):
            values, y = validate_data(estimator, X, y, dtype=dtype, **checks)
        table = of_numbers(align(values), X)
    else:
        validate_data(estimator, X, y, skip_check_array=True)
        table = read_predictors(frame, "X", parallel)
        values, y = check_X_y(table.dense, y, dtype=dtype, estimator=estimator, **checks)
        table = replace(table, values=align(values))
    y = _plain_labels(align(y), checks.get("y_numeric", False))
    _check_columns(table, parallel)
    return Sample(rows=values if frame is None else frame, ncat=table.ncat, y=y, table=table, index=rows)


def _check_columns(table: Predictors, parallel: bool) -> None:
    """Refuse columns on which no forest can be grown, and warn of columns that name or count the rows."""
    if not parallel:
        check_categories(table, "X")
    check_wide_factors(table, "X")
    warn_identifiers(table, "X")
    if len(table.rows) > 1:  # one row is refused later, for its one class
        check_varies(table, "X")


@contextmanager
def explain_refusals(estimator: Any) -> Iterator[None]:
    """Add a remedy to errors on words that are not read, or on missing values and engine r: scikit-learn has none."""
    try:
        yield
    except ValueError as error:
        if "could not convert string to float" in str(error):
            remedy = (
                "pass a DataFrame, with categorical_features='from_dtype'; in a pipeline, after a step with "
                "set_output(transform='pandas')"
            )
            raise bad.type(
                f"X holds words that are not read as categories ({error}); {remedy}", "X", kind=ValueError
            ) from None
        if "Input X contains NaN" in str(error) and getattr(estimator, "engine", None) == "r":
            remedy = "impute X, or pass engine='parallel'"
            raise bad.missing(f"Input X contains NaN, which engine='r' does not accept; {remedy}", "X") from None
        raise


def align(array: Any) -> Any:
    """Return an array aligned for the core: arrays that Dask hands to a task start at any byte.

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


def coded_response(y: np.ndarray, numeric: bool) -> tuple[np.ndarray, int]:
    """Return a response as a selector grows trees for it, and its number of classes.

    Classes from 0, int32; or numbers of variance 1, float64, and 1.
    """
    if not numeric:
        codes, classes = pd.factorize(y, sort=True)
        return codes.astype(np.int32), len(classes)
    around = centre_near_one(y)
    spread = float(np.sqrt(np.mean(around**2)))
    return around / (spread if spread > 0 else 1.0), 1


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
