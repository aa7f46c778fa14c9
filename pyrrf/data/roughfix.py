"""na_roughfix: missing values replaced by medians and most frequent categories."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.errors import bad
from pyrrf.rbase.arithmetic import column_medians, median
from pyrrf.types import Column


def na_roughfix(object: Any) -> Any:
    """Replace missing values by medians and most frequent categories (R's ``na.roughfix``).

    Parameters
    ----------
    object : DataFrame, Series or array_like
        Numeric and categorical columns, or an array of numbers with one or two dimensions.

    Returns
    -------
    DataFrame, Series or ndarray
        A copy. A numeric column with missing values becomes float64, unless its dtype is a nullable
        integer and an odd number of values is known, as in R. If categories are equally frequent, the first
        level is used.

    Raises
    ------
    TypeError
        A column is neither numeric nor categorical, or an array has missing values but does not hold
        numbers.
    ValueError
        An array has more than two dimensions.

    See Also
    --------
    rrfImpute : Values by the proximities of a forest.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> pyrrf.na_roughfix(np.array([[1.0, 5.0], [np.nan, 6.0], [4.0, np.nan]]))
    array([[1. , 5. ],
           [2.5, 6. ],
           [4. , 5.5]])
    """
    if isinstance(object, pd.DataFrame):
        return _fix_frame(object)
    if isinstance(object, pd.Series):
        return _fix_series(object)
    if isinstance(object, pd.api.extensions.ExtensionArray):
        return _fix_series(pd.Series(object)).array
    return _fix_array(np.asarray(object))


def _fix_frame(frame: pd.DataFrame) -> pd.DataFrame:
    dtypes = frame.dtypes.tolist()
    for position, dtype in enumerate(dtypes):
        if not (isinstance(dtype, pd.CategoricalDtype) or _is_numeric(dtype)):
            raise bad.type(
                f"column {frame.columns[position]!r} of object has dtype {dtype}; na_roughfix() takes numbers and "
                "categories, so use astype('category') or astype(float)",
                "object",
            )
    missing = frame.isna().to_numpy().any(axis=0)
    doubles = np.array([dtype == np.float64 for dtype in dtypes], dtype=np.bool_)
    out = frame.copy()
    together = np.flatnonzero(missing & doubles)
    if len(together) and doubles.all():  # selecting columns would be the slowest step
        out[:] = _fill_columns(frame.to_numpy())
    elif len(together):
        out.iloc[:, together] = _fill_columns(frame.iloc[:, together].to_numpy())
    for position in np.flatnonzero(missing & ~doubles).tolist():
        column = frame.iloc[:, position]
        fixed = _fix_categories(column) if isinstance(column.dtype, pd.CategoricalDtype) else _fix_numbers(column)
        out.isetitem(position, fixed.array)
    return out


@cache
def _is_numeric(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)


def _fix_categories(column: Column) -> Column:
    levels = column.cat.categories
    if len(levels) == 0:
        raise bad.empty(f"column {column.name!r} of object has no categories; drop it", "object")
    codes = column.cat.codes.to_numpy()
    return column.fillna(levels[most_frequent(codes[codes >= 0], len(levels))])


def most_frequent(codes: np.ndarray, n_levels: int) -> int:
    """Return the code, from 0, that most rows have; the first of equal ones."""
    return int(np.bincount(codes, minlength=n_levels).argmax())


def _fix_numbers(column: Column) -> Column:
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    fixed = fill_numbers(values)
    # R's median of an even number of integers is a double.
    whole = pd.api.types.is_integer_dtype(column.dtype) and bool(np.isfinite(values).sum() % 2)
    series = pd.Series(fixed, index=column.index, name=column.name)
    return series.astype(column.dtype) if whole else series


def fill_numbers(values: np.ndarray) -> np.ndarray:
    """Replace NaN by the median of the known values."""
    missing = np.isnan(values)
    return np.where(missing, median(values[~missing]), values)


def _fill_columns(matrix: np.ndarray) -> np.ndarray:
    """Replace NaN by the median of the known values in each column."""
    return np.where(np.isnan(matrix), column_medians(matrix), matrix)


def _fix_series(series: Column) -> Column:
    if not series.isna().any():
        return series.copy()
    if not _is_numeric(series.dtype):
        raise bad.type(
            f"object has missing values and dtype {series.dtype}; na_roughfix() takes a Series of numbers, "
            "or categories in a DataFrame"
        )
    return _fix_numbers(series)


def _fix_array(array: np.ndarray) -> np.ndarray:
    if array.ndim > 2:
        raise bad.shape(f"object has {array.ndim} dimensions; pass at most 2")
    if not pd.isna(array).any():
        return array.copy()
    if array.dtype.kind != "f":
        raise bad.type(f"object has missing values and dtype {array.dtype}; na_roughfix() takes arrays of numbers")
    values = array.astype(np.float64)
    if values.ndim < 2:
        return fill_numbers(np.atleast_1d(values))
    return _fill_columns(values)
