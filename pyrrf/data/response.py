"""What a response holds where nobody says so: one rule for the selectors and the command.

R's functions have R's own rule: numbers are numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import warn

# Whole numbers of more values than this are taken as numbers, not as classes.
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


def holds_numbers(y: Any, remedy: str) -> bool:
    """Return whether a response holds numbers; warn where that is in doubt.

    Parameters
    ----------
    y : array_like, shape (n,)
    remedy : str
        What to do, after "y holds 30 different whole numbers and is read as numbers, not as classes; ".
    """
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
