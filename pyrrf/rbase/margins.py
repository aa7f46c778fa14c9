"""R's sums and means of rows and columns."""

from __future__ import annotations

import numpy as np

from pyrrf.rbase import arithmetic

_quiet = np.errstate(all="ignore")


@_quiet
def column_sums(values: np.ndarray, na_rm: bool) -> np.ndarray:
    """Return column sums, in long double; of nothing 0 (R's ``colSums``, and ``rowSums`` of the turned matrix)."""
    arithmetic.check()
    return np.asarray(arithmetic.column_totals(_known_values(values, na_rm)).astype(np.float64))


@_quiet
def column_means(values: np.ndarray, na_rm: bool) -> np.ndarray:
    """Return the mean of each column, in long double and one pass; of nothing NaN (R's ``colMeans``)."""
    arithmetic.check()
    number = (~np.isnan(values)).sum(axis=0) if na_rm else len(values)
    return np.asarray((arithmetic.column_totals(_known_values(values, na_rm)) / number).astype(np.float64))


def _known_values(values: np.ndarray, na_rm: bool) -> np.ndarray:
    return np.where(np.isnan(values), 0.0, values) if na_rm else values
