"""Whether a table has anything to split."""

from __future__ import annotations

import numpy as np

from pyrrf._core.records import SparseColumns
from pyrrf.data.inputs import Predictors

# Values of x per pass; few, because the first pass mostly decides.
_VALUES_AT_ONCE = 1 << 16


def varies(table: Predictors) -> bool:
    """Whether a column has more than one value, so that a split exists."""
    values = table.values
    return _sparse_varies(values) if isinstance(values, SparseColumns) else _any_varies(values)


def check_varies(table: Predictors, name: str) -> None:
    """Raise ValueError if every column is constant, so that no split exists."""
    if not varies(table):
        raise ValueError(f"all columns of {name} are constant, so no tree can split; pass a column that varies")


def _any_varies(values: np.ndarray) -> bool:
    n, p = values.shape
    step = max(1, _VALUES_AT_ONCE // n)
    return any(_varies(values[:, start : start + step]) for start in range(0, p, step))


def _sparse_varies(columns: SparseColumns) -> bool:
    stored, sizes = columns.values, np.diff(columns.start)
    full = sizes == columns.shape[0]
    # A stored value that is not 0 stands beside a 0, unless its column is full.
    if (np.repeat(~full, sizes) & (stored != 0)).any():
        return True
    return any(_varies(stored[columns.start[at] : columns.start[at + 1], None]) for at in np.flatnonzero(full))


def _varies(columns: np.ndarray) -> bool:
    """Whether a column has more than one value; NaN counts as a value."""
    first = columns[0]
    return bool(((columns != first) & ~(np.isnan(columns) & np.isnan(first))).any())
