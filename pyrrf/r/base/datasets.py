"""The data sets of R and RRF that pyrrf ships, with R's types."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf import datasets
from pyrrf.r.values.arguments import text
from pyrrf.r.values.attributes import row_names
from pyrrf.r.values.convert import frame_of
from pyrrf.r.values.vector import NotMovedError, Value, integers, objects, strings
from pyrrf.rbase.vectors import REAL_NA

# All of its columns are doubles, whole or not.
_DOUBLES = {"mtcars"}


# Its rows have their numbers as names.
_NAMED_ROWS = {"imports85"}


def dataset(name: Any) -> Value:
    """Return a data set of R: iris, airquality, mtcars, swiss or imports85; what ``data(iris)`` puts into the script.

    Others are refused; write them in R with ``saveRDS()`` and read them with `readRDS`.
    """
    wanted = text(name)
    load = getattr(datasets, f"load_{wanted}", None)
    if load is None:
        raise NotMovedError(
            f"the data set {wanted} is not shipped; in R: saveRDS({wanted}, '{wanted}.rds'), then readRDS() it"
        )
    made = frame_of(load())
    columns = objects([_column(column, wanted) for column in made._data])
    about = dict(made._attributes)
    if wanted in _NAMED_ROWS:
        about["row.names"] = strings(row_names(made))
    return Value("list", columns, about)


def _column(column: Value, name: str) -> Value:
    if column._kind not in ("integer", "double") or column._attributes:
        return column
    known = column._data[~np.isnan(column._data)]
    if name in _DOUBLES or (known != np.trunc(known)).any():
        return Value("double", np.where(np.isnan(column._data), REAL_NA, column._data))
    return integers(np.where(np.isnan(column._data), np.nan, column._data))
