"""R's sums and means of rows and columns, and functions applied to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase import arithmetic
from pyrrf.rbase.vectors import matrix

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
    """Sum of each row, in long double (R's ``rowSums``)."""
    return _margin(x, True, na_rm, False)


def rowMeans(x: Any, na_rm: bool = False) -> Any:
    """Mean of each row, in long double and one pass (R's ``rowMeans``)."""
    return _margin(x, True, na_rm, True)


def colSums(x: Any, na_rm: bool = False) -> Any:
    """Sum of each column, in long double (R's ``colSums``)."""
    return _margin(x, False, na_rm, False)


def colMeans(x: Any, na_rm: bool = False) -> Any:
    """Mean of each column, in long double and one pass (R's ``colMeans``)."""
    return _margin(x, False, na_rm, True)
