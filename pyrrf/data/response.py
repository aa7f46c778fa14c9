"""What a response holds where nobody says so: one rule for the selectors and the command.

R's functions have R's own rule: numbers are numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_text, warn, whole_letters
from pyrrf.data.inputs import as_floats, check_readable, infer

# Whole numbers of more values than this mean regression, not classes.
MOST_CLASSES = 20


def numbers_or_classes(y: Any) -> tuple[bool, int]:
    """Return whether a response holds numbers, and where that is in doubt, of how many whole numbers.

    Numbers are numbers if one has a fraction, or if there are more than `MOST_CLASSES` different ones; the latter may
    be codes of classes, and are in doubt. Words, truth values and categories are classes, whatever they look like.

    Parameters
    ----------
    y : array_like, shape (n,)

    Returns
    -------
    tuple of bool and int

    Examples
    --------
    >>> from pyrrf.data.response import numbers_or_classes
    >>> numbers_or_classes([1, 2, 2]), numbers_or_classes([1.5, 2, 2]), numbers_or_classes(range(1000))
    ((False, 0), (True, 0), (True, 1000))
    """
    values = _plain(y)
    if values.dtype.kind not in "iuf":
        return False, 0
    if (values != np.floor(values)).any():
        return True, 0
    found = len(np.unique(values))
    return found > MOST_CLASSES, found if found > MOST_CLASSES else 0


def check_response(y: Any) -> None:
    """Refuse a response that nothing can be learned of, before anybody makes numbers or labels of it.

    What scikit-learn has a word on is left to it: None, no vector, complex, NaN and infinite numbers.

    Parameters
    ----------
    y : object

    Raises
    ------
    TypeError
        It holds dates, time differences, bytes, other objects, or words mixed with numbers.
    ValueError
        It is masked somewhere, lacks labels or numbers that no NaN stands for, or holds whole numbers beyond float64
        or text with a lone surrogate.

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
            _check_values(y)


def _check_values(y: Any) -> None:
    values = y if isinstance(y, pd.Series | pd.DataFrame | pd.api.extensions.ExtensionArray) else np.asarray(y)
    _check_missing(y, values)
    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]  # of which scikit-learn warns
    if isinstance(values, np.ndarray) and values.dtype.kind == "V":
        check_readable("structured", "y")
    if values.ndim != 1 or not len(values) or (isinstance(values, np.ndarray) and values.dtype.kind in "biufc"):
        return
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        check_text(values.tolist(), "y")
        return
    series = pd.Series(values)
    if isinstance(series.dtype, pd.CategoricalDtype):
        check_text(series.cat.categories, "y")
        if (kind := infer(series.cat.categories)) not in ("string", "boolean", "integer", "floating", "empty"):
            raise TypeError(f"y holds categories of {kind} values; pass y.astype(str)")
        return
    kind = infer(series)
    check_readable(kind, "y")
    if kind == "string":
        check_text(series, "y")
    if kind in ("integer", "mixed-integer-float"):
        as_floats(series, "y")  # which refuses whole numbers beyond float64


def _check_missing(y: Any, values: Any) -> None:
    """Raise ValueError if `y` is masked somewhere, or lacks labels or numbers that no NaN stands for.

    scikit-learn refuses NaN, but sees neither masks nor pandas' NA, and takes None for a label.
    """
    if np.ma.isMaskedArray(y):
        missing = np.ma.getmaskarray(y)
    else:
        objects = not isinstance(values, np.ndarray) or values.dtype == object
        missing = np.asarray(pd.isna(values) if objects else False)
    if missing.any():
        raise ValueError(f"Input y contains NaN or other missing values, {int(missing.sum())} in all; drop their rows")


def holds_numbers(y: Any, remedy: str) -> bool:
    """Return whether a response holds numbers; warn where that is in doubt.

    Parameters
    ----------
    y : array_like, shape (n,)
    remedy : str
        What to do, after "y holds 30 different whole numbers and is read as numbers, not as classes; ".
    """
    check_response(y)
    numeric, doubtful = numbers_or_classes(y)
    if doubtful:
        warn(f"y holds {doubtful} different whole numbers and is read as numbers, not as classes; {remedy}")
    return numeric


def _plain(y: Any) -> np.ndarray:
    """Return y as an array, of objects if it holds categories; numbers of nullable types and of objects are numbers."""
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype):
        return np.empty(0, object)
    if isinstance(dtype, pd.api.extensions.ExtensionDtype) and pd.api.types.is_any_real_numeric_dtype(dtype):
        return np.asarray(pd.Series(y).to_numpy(np.float64, na_value=np.nan))
    values = np.asarray(y)
    return pd.Series(values).infer_objects().to_numpy() if values.dtype == object and values.ndim == 1 else values
