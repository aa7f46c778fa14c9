"""The data sets of R and RRF that pyrrf ships, with R's types."""

from __future__ import annotations

import numpy as np

from pyrrf import datasets
from pyrrf.r.values.convert import frame_of
from pyrrf.r.values.errors import NotSupportedError
from pyrrf.r.values.functions import Text, r_function
from pyrrf.r.values.labels import row_names
from pyrrf.r.values.vector import Value, doubles, integers, objects, strings
from pyrrf.rbase.vectors import REAL_NA

# All of its columns are doubles, whole or not.
_DOUBLES = {"mtcars"}
# Its rows have their numbers as names.
_NAMED_ROWS = {"imports85"}


@r_function()
def dataset(name: Text) -> Value:
    """Return a data set of R: iris, airquality, mtcars, swiss or imports85, as ``data(iris)`` puts it into the script.

    Others are refused; write them in R with ``saveRDS()`` and read them with `readRDS`.
    """
    load = getattr(datasets, f"load_{name}", None)
    if load is None:
        raise NotSupportedError(
            f"the data set {name} is not shipped; in R: saveRDS({name}, '{name}.rds'), then readRDS() it"
        )
    made = frame_of(load())
    rows = {"row.names": strings(row_names(made))} if name in _NAMED_ROWS else {}
    columns = objects([_column(column, name in _DOUBLES) for column in made._data])
    return Value("list", columns, made._attributes | rows)


def _column(column: Value, double: bool) -> Value:
    """Return a column with R's type: whole numbers are integers but where all columns are doubles."""
    if column._kind not in ("integer", "double") or column._attributes:
        return column
    gaps = np.isnan(column._data)
    if double or (column._data != np.trunc(column._data))[~gaps].any():
        return doubles(np.where(gaps, REAL_NA, column._data))
    return integers(np.where(gaps, np.nan, column._data))
