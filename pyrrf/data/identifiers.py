"""Columns that cannot predict new rows: names or numbers of rows, and factors of too many levels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from pyrrf.checks import quote, warn
from pyrrf.data.predictors import MAX_CATEGORIES, Predictors
from pyrrf.errors import bad
from pyrrf.types import Floats

# Maximum share of categories among the rows; number of rows below which there is no warning.
_SHARE, _FEWEST = 0.5, 20
# Maximum levels of a factor in engine parallel; mean number of rows per level below which there is a warning.
_MAX_WIDE, _ROWS_PER_LEVEL = 65536, 10
# Whether all rows were checked before. Each thread has its own flag; filters of warnings are not kept per thread.
_WARNED: ContextVar[bool] = ContextVar("_WARNED", default=False)


@contextmanager
def already_warned() -> Iterator[None]:
    """Silence these warnings: all rows were checked before, and each part of them would repeat the warning."""
    before = _WARNED.set(True)
    try:
        yield
    finally:
        _WARNED.reset(before)


def warn_once(message: str) -> None:
    """Warn, unless all rows were looked at before."""
    if not _WARNED.get():
        warn(message)


def check_wide_factors(table: Predictors, name: str) -> None:
    """Raise ValueError for a factor with too many levels, and warn of one with many for the number of rows."""
    for index, column in table.coded.items():
        what = f"column {table.columns[index]!r} of {name} has {column.ncat} categories"
        if column.ncat > _MAX_WIDE:
            raise bad.levels(f"{what}, more than {_MAX_WIDE}; merge categories, or drop the column")
        if _WARNED.get() or column.ncat <= MAX_CATEGORIES or column.ncat * _ROWS_PER_LEVEL <= len(table.rows):
            continue
        if not _warn_of_names(table, index, name):
            warn(
                f"{what} in {len(table.rows)} rows, fewer than {_ROWS_PER_LEVEL} rows per category on average: splits "
                "between them are mostly by chance, and impurity-based importance overrates the column; merge rare "
                "categories, or check the column by permutation importance"
            )


def warn_identifiers(table: Predictors, name: str) -> None:
    """Warn of columns with more categories than half of the rows, and of columns that look like row numbers.

    Factors with more than 32 levels are not checked: `check_wide_factors` warns of them.

    Whole numbers look like row numbers if all differ and their range is at most twice the number of rows. If this holds
    for more than half of the columns, they are ranks. Numbers with fractions are not checked, nor
    are arrays, whose columns have no names.

    Parameters
    ----------
    table : Predictors
    name : str
        Argument that the message shows.

    Examples
    --------
    >>> import warnings
    >>> import pandas as pd
    >>> from pyrrf.data.identifiers import warn_identifiers
    >>> from pyrrf.data.predictors import read_predictors
    >>> people = pd.DataFrame({"id": range(100, 140), "age": [30, 31, 30, 29] * 10})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_identifiers(read_predictors(people, "X"), "X")
    >>> str(caught[0].message).partition(";")[0]
    "column(s) 'id' of X look like row numbers (distinct whole numbers)"
    """
    n = len(table.rows)
    if _WARNED.get() or not table.named or table.sparse or n < _FEWEST:
        return
    for index, coded in table.coded.items():
        if coded.kind == "factor" and coded.ncat <= MAX_CATEGORIES:
            _warn_of_names(table, index, name)
    head = table.values[:_FEWEST]
    # This test excludes most columns.
    whole = np.flatnonzero((head == np.floor(head)).all(axis=0))
    counting = [index for index in whole.tolist() if index not in table.coded and _counts(table.values[:, index])]
    if 0 < len(counting) <= max(1, table.values.shape[1] // 2):
        warn(
            f"column(s) {quote(table.columns[counting].tolist())} of {name} look like row numbers (distinct whole "
            "numbers); drop them, unless the order of the rows carries information"
        )


def _warn_of_names(table: Predictors, at: int, name: str) -> bool:
    """Warn if there are more categories than half of the rows; return whether this is so."""
    sizes, n = np.unique(table.values[:, at], return_counts=True)[1], len(table.rows)
    if len(sizes) <= _SHARE * n:
        return False
    what = "it identifies rows" if (sizes == 1).sum() > _SHARE * n else "few rows share one"
    warn(
        f"column {table.columns[at]!r} of {name} has {len(sizes)} categories in {n} rows: {what}, and splits on it "
        "do not generalize; drop it, merge its categories, or convert it to numbers if that is what it holds"
    )
    return True


def _counts(column: Floats) -> bool:
    """Return whether the values are distinct whole numbers in a range as narrow as that of row numbers."""
    n = len(column)
    if not np.ptp(column) < 2 * n:
        return False
    return bool((column == np.floor(column)).all()) and len(np.unique(column)) == n
