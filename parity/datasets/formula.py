"""Tables for the formula interface: rows with labels, some with missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.datasets.registry import dataset
from parity.datasets.tables import read_table


def with_labels(table: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """The table with row labels, because R names the rows that are left by where they stood."""
    return table.set_axis([f"{prefix}{i}" for i in range(1, len(table) + 1)])


def holes(table: pd.DataFrame, every: dict[str, int]) -> pd.DataFrame:
    """The table with a missing value in every so many rows of a column."""
    out = table.copy()
    for index, (column, step) in enumerate(every.items()):
        missing = np.arange(len(out)) % step == index + 1
        out[column] = out[column].where(~missing)
    return out


@dataset
def formula_swiss() -> dict[str, Any]:
    """47 provinces, numbers only; `new` has missing values, `gone` nothing else."""
    table = with_labels(read_table("swiss"), "p")
    new = holes(table.iloc[::3], {"Education": 5, "Catholic": 4, "Fertility": 3})
    gone = new.assign(Education=np.nan).iloc[:3]
    holed = holes(table, {"Education": 9, "Catholic": 8, "Fertility": 11})
    test = table.iloc[1::6][["Education", "Catholic"]]
    half = np.arange(len(table)) % 2 == 0
    return {"data": table, "holed": holed, "new": new, "gone": gone, "test": test, "half": half}


@dataset
def formula_iris() -> dict[str, Any]:
    """Names with dots and a factor; every third row for training."""
    table = with_labels(read_table("iris"), "i")
    new = holes(table.iloc[1::9], {"Petal.Width": 5, "Sepal.Length": 4})
    holed = holes(table.iloc[::3], {"Petal.Width": 9, "Sepal.Length": 7, "Species": 10})
    gone = new.assign(**{"Petal.Width": np.nan}).iloc[:2]
    lacking = new.drop(columns="Petal.Width")
    return {"data": table.iloc[::3], "new": new, "holed": holed, "gone": gone, "gone_column": lacking}


@dataset
def formula_cars() -> dict[str, Any]:
    """Numbers and factors, one of 22 levels; `new` has a missing factor."""
    table = with_labels(read_table("imports85"), "c")
    new = holes(table.iloc[2::9], {"make": 6, "horsepower": 5})
    return {"data": table.iloc[::2], "new": new}


@dataset
def formula_types() -> dict[str, Any]:
    """Strings, logicals, an ordered factor and integers as predictors."""
    table = with_labels(read_table("iris").iloc[::2], "t")
    x = table["Sepal.Length"].to_numpy()
    grade = np.where(x > 6, "top", np.where(x > 5.2, "mid", "low"))
    table["grade"] = pd.Categorical(grade, ["low", "mid", "top"], ordered=True)
    table["word"] = np.where(table["Petal.Width"] > 1.2, "long", "Short").astype(object)
    table["flag"] = table["Sepal.Width"] > 3
    table["count"] = np.arange(len(table)) % 7
    return {"data": table, "new": table.iloc[::4]}
