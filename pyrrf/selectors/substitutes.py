"""Features that could replace others: rank correlations, and the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.types import Floats, Positions

# Columns ranked at a time; blocks avoid a second table as large as the first.
_BLOCK = 1024
# Least correlation and share of a substitute in the table, and the most lines of a feature.
CORRELATED, REPLACES, _MOST = 0.7, 0.4, 10
_ROUNDING = 1e-9


def rank_correlations(table: Any, columns: Positions) -> Floats:
    """Return Spearman's correlations of some columns, counted from 0, with all columns, shape (k, p).

    A missing value counts as the middle rank. The correlation is 0 for a constant column and for a column without
    numbers; categories without an order have no correlation.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.substitutes import rank_correlations
    >>> rank_correlations(np.array([[1.0, 9.0, 5.0], [2.0, 4.0, 5.0], [3.0, 1.0, 5.0]]), np.array([0]))
    array([[ 1., -1.,  0.]])
    """
    p = table.shape[1]
    if not len(columns):
        return np.zeros((0, p))
    chosen = _centred_ranks(table, np.asarray(columns, np.int64))
    blocks = (np.arange(start, min(start + _BLOCK, p)) for start in range(0, p, _BLOCK))
    correlations = np.concatenate([chosen.T @ _centred_ranks(table, block) for block in blocks], axis=1)
    return np.asarray(np.clip(correlations, -1.0, 1.0))


def _centred_ranks(table: Any, columns: Positions) -> Floats:
    """Return centred ranks, each column scaled to length 1, float64, shape (n, k)."""
    if isinstance(table, pd.DataFrame):
        frame = pd.DataFrame({index: _numbers(table.iloc[:, column]) for index, column in enumerate(columns)})
    else:
        own = table[:, columns]
        frame = pd.DataFrame(own.toarray() if hasattr(own, "toarray") else own)
    ranks = frame.rank()
    centred = np.nan_to_num((ranks - ranks.mean()).to_numpy(np.float64))
    length = np.sqrt((centred**2).sum(axis=0))
    return np.asarray(centred / np.where(length > 0, length, 1.0))


def _numbers(column: Any) -> Any:
    """Return a column as numbers: an ordered categorical by its order, values without an order as missing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy(np.float64)
        return np.where(codes >= 0, codes, np.nan) if column.cat.ordered else np.full(len(codes), np.nan)
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.to_numpy(np.float64, na_value=np.nan)
    return np.full(len(column), np.nan)


def substitutes_table(kept: Positions, correlations: Floats, shares: Floats, labels: Any) -> pd.DataFrame:
    """Return the dropped features that could stand for kept ones.

    Of each kept feature with all features, shape (k, p): the correlations, and how much more often each of them is kept
    without it (`shares`).
    """
    lines = []
    for feature, correlation, share in zip(kept.tolist(), correlations, shares, strict=True):
        listed = (np.abs(correlation) >= CORRELATED - _ROUNDING) | (share >= REPLACES - _ROUNDING)
        listed[kept] = False
        others = np.flatnonzero(listed)
        best = others[np.lexsort((-np.abs(correlation[others]), -share[others]))][:_MOST]
        lines += [(labels[feature], labels[other], correlation[other], share[other]) for other in best]
    columns = {"feature": object, "substitute": object, "correlation": np.float64, "replaces": np.float64}
    values = list(zip(*lines, strict=True)) if lines else [()] * len(columns)
    table = pd.DataFrame(dict(zip(columns, values, strict=True)))
    return table.astype({"correlation": np.float64, "replaces": np.float64})
