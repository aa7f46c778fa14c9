"""Columns that name or count the rows, which no new row can be predicted by."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import shown, warn
from pyrrf.data.predictors import Predictors
from pyrrf.types import Floats

# Categories beyond this share of the rows name rows. Of fewer rows nothing is said.
_SHARE, _FEWEST = 0.5, 20


def warn_identifiers(table: Predictors, name: str) -> None:
    """Warn of categories of which most rows have one of their own, and of whole numbers that count the rows.

    Numbers count the rows if all of them differ and span at most twice as many values as there are rows; where half of
    the columns do so, they are ranks. Numbers with fractions, and arrays, whose columns have no names, are not looked
    at.

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
    >>> str(caught[0].message)
    "column(s) 'id' of X number the rows; drop them, unless the order of the rows means something"
    """
    n = len(table.rows)
    if not table.named or table.sparse or n < _FEWEST:
        return
    for at, coded in table.coded.items():
        values = len(np.unique(table.values[:, at])) if coded.kind == "factor" and coded.ncat > _SHARE * n else 0
        if values > _SHARE * n:
            warn(
                f"column {table.columns[at]!r} of {name} has {values} categories in {n} rows: it names rows, and "
                "splits by it follow chance; drop it, merge its categories, or, if they are numbers, pass it as numbers"
            )
    counting = [at for at in range(table.values.shape[1]) if at not in table.coded and _counts(table.values[:, at])]
    if 0 < len(counting) <= max(1, table.values.shape[1] // 2):
        warn(
            f"column(s) {shown(table.columns[counting].tolist())} of {name} number the rows; drop them, unless the "
            "order of the rows means something"
        )


def _counts(column: Floats) -> bool:
    """Whether all values differ, are whole, and are as close as numbers of rows."""
    n = len(column)
    # Most columns end here.
    if not (column[:_FEWEST] == np.floor(column[:_FEWEST])).all() or not np.ptp(column) < 2 * n:
        return False
    return bool((column == np.floor(column)).all()) and len(np.unique(column)) == n
