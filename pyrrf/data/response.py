"""Classification or regression: the rule by which selectors and the command guess the type of a response.

R's functions use R's own rule: a numeric response always means regression.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, check_text, warn, whole_letters
from pyrrf.data.columns import as_float_column
from pyrrf.data.inputs import as_floats, check_readable, infer
from pyrrf.data.tables import check_stored, plain_column
from pyrrf.errors import bad
from pyrrf.types import Column

# Whole numbers with at most _FEW distinct values are classes. With at most _SEVERAL they are if each value has several
# rows; with more, if the values have no gap and each has at least _FOLDS rows. docs/input.md has the error rate.
_FEW, _SEVERAL, _FOLDS = 3, 20, 5


def numbers_or_classes(y: Any) -> tuple[bool, int]:
    """Return whether a response is numeric, and the number of distinct whole numbers if this is doubtful, or else 0.

    Words, truth values and categories are classes, and so are few whole numbers with several rows each: a value of a
    single row is rarely a class. Doubtful are classes that may be counts or ratings (some have fewer than 5 rows, or
    they do not count from 0 or 1), and numeric responses that may be codes of classes.

    Parameters
    ----------
    y : array_like, shape (n,)

    Returns
    -------
    tuple of bool and int

    Examples
    --------
    >>> from pyrrf.data.response import numbers_or_classes
    >>> numbers_or_classes([1, 2, 2]), numbers_or_classes([1.5, 2, 2]), numbers_or_classes([3, 4, 5, 6] * 9)
    ((False, 0), (True, 0), (False, 4))
    """
    values = _plain(y)
    if values.dtype.kind not in "iuf":
        return False, 0
    if (values != np.floor(values)).any():
        return True, 0
    distinct, rows = np.unique(values, return_counts=True)
    return guess_of_whole(len(distinct), distinct[0], distinct[-1], rows.min()) if len(distinct) else (False, 0)


def guess_of_whole(values: int, least: float, largest: float, rarest: int) -> tuple[bool, int]:
    """Return the answer of `numbers_or_classes` from a summary of whole numbers.

    The summary: number of distinct values, the smallest and the largest, and the number of rows of the rarest.
    """
    counted = bool(least in (0, 1) and largest - least + 1 == values)
    if values <= _FEW:
        return False, 0
    if values <= _SEVERAL:
        numeric = bool(rarest < 2)
        return numeric, values if numeric or rarest < _FOLDS or not counted else 0
    numeric = not counted or bool(rarest < _FOLDS)
    return numeric, values if not numeric or rarest > 1 else 0


def check_response(y: Any, numeric: bool = False) -> None:
    """Refuse a response that cannot be learned, before it is converted to numbers or labels.

    scikit-learn refuses these itself: None, responses that are not vectors, complex, NaN and infinite numbers.

    Parameters
    ----------
    y : object
    numeric : bool, default False
        Whether it must hold numbers. scikit-learn would convert words, and would not name the argument.

    Raises
    ------
    TypeError
        It holds dates, time differences, bytes, other objects, words mixed with numbers, or words in a regression.
    ValueError
        It has masked values, or missing values other than NaN, or holds whole numbers beyond float64 or text with a
        lone surrogate.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.data.response import check_response
    >>> check_response(np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"))
    Traceback (most recent call last):
    ...
    TypeError: y holds datetime64 values; pass categories, strings, booleans or numbers
    """
    if y is not None:
        with whole_letters("y"):
            _check_values(y, numeric)


def without_decimals(y: Any) -> Any:
    """Return a response of decimals as float64, and any other as it is."""
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    values = y if isinstance(y, pd.Series) else array_of(y, "y")
    return as_float_column(pd.Series(values)) if values.ndim == 1 and values.dtype.kind not in "biufcUSV" else y


def _check_values(y: Any, numeric: bool) -> None:
    check_stored(y, "y")
    values = y if isinstance(y, pd.Series | pd.DataFrame | pd.api.extensions.ExtensionArray) else array_of(y, "y")
    _check_missing(y, values)
    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]  # scikit-learn warns of this shape
    if isinstance(values, np.ndarray) and values.dtype.kind == "V":
        check_readable("structured", "y")
    if values.ndim != 1 or not len(values) or (isinstance(values, np.ndarray) and values.dtype.kind in "biufc"):
        return
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        check_text(values.tolist(), "y")
        return
    _check_kind(plain_column(pd.Series(values)), numeric)


def _check_kind(series: Column, numeric: bool) -> None:
    """Refuse values that are neither labels nor numbers, and words where they must be numbers."""
    coded = isinstance(series.dtype, pd.CategoricalDtype)
    if coded:
        check_text(series.cat.categories, "y")
    kind = infer(series.cat.categories if coded else series)
    if numeric and kind == "string":
        raise bad.type("y holds words, and regression needs numbers; make numbers of them, or classify")
    if coded:
        if kind not in ("string", "boolean", "integer", "floating", "empty"):
            raise bad.type(f"y holds categories of {kind} values; pass y.astype(str)")
        return
    if kind == "decimal":
        return
    check_readable(kind, "y")
    if kind == "string":
        check_text(series, "y")
    if kind in ("integer", "mixed-integer-float"):
        as_floats(series, "y")  # refuses whole numbers beyond float64


def _check_missing(y: Any, values: Any) -> None:
    """Raise ValueError if `y` has masked values, or missing values other than NaN.

    scikit-learn refuses NaN, but ignores masks and pandas' NA, and reads None as a label.
    """
    if np.ma.isMaskedArray(y):
        missing = np.ma.getmaskarray(y)
    else:
        objects = not isinstance(values, np.ndarray) or values.dtype == object
        missing = np.asarray(pd.isna(values) if objects else False)
    if missing.any():
        raise bad.missing(
            f"Input y contains NaN or other missing values, {int(missing.sum())} in all; drop their rows", "y"
        )


def holds_numbers(y: Any, remedy: str) -> bool:
    """Return whether a response holds numbers; warn where that is in doubt.

    Parameters
    ----------
    y : array_like, shape (n,)
    remedy : str
        What to do, after "y has 30 distinct whole numbers, and classification is assumed; ".
    """
    check_response(y)
    numeric, doubtful = numbers_or_classes(y)
    if doubtful:
        assumed = "regression" if numeric else "classification"
        warn(f"y has {doubtful} distinct whole numbers, and {assumed} is assumed; {remedy}")
    return numeric


def _plain(y: Any) -> np.ndarray:
    """Return y as an array, of objects if it holds categories; numbers of nullable types and of objects are numbers."""
    y = without_decimals(plain_column(y) if isinstance(y, pd.Series) else y)
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype):
        return np.empty(0, object)
    if isinstance(dtype, pd.api.extensions.ExtensionDtype) and pd.api.types.is_any_real_numeric_dtype(dtype):
        return np.asarray(pd.Series(y).to_numpy(np.float64, na_value=np.nan))
    values = np.asarray(y)
    return pd.Series(values).infer_objects().to_numpy() if values.dtype == object and values.ndim == 1 else values
