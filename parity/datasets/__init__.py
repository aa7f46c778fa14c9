"""Data sets of the cases: real ones from `parity/data/`, simulated ones from `bits.py`.

A part is a NumPy array, a DataFrame or a pandas Categorical; `r_side.py` hands R the same doubles,
factors, logicals and strings.
"""

from __future__ import annotations

from functools import cache

# Each of these modules enters its data sets into MAKERS.
from parity.datasets import formula, missing, real, regression, simulated, worded  # noqa: F401
from parity.datasets.registry import MAKERS, DataSet


@cache
def load(name: str) -> DataSet:
    """The data set called `name`."""
    return DataSet(name, MAKERS[name]())
