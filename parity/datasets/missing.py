"""Data with missing values, and data with a column of each type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.bits import Bits
from parity.datasets.registry import dataset
from parity.datasets.regression import levelled
from parity.datasets.simulated import blobs, with_factors
from parity.datasets.tables import labels, read_table, split


def punched(seed: int, table: pd.DataFrame, share: float) -> pd.DataFrame:
    """The table with about `share` of the values of each column missing, the last column whole."""
    bits, out = Bits(seed), table.copy()
    for position in range(table.shape[1] - 1):
        gone = bits.uniform(len(table)) < share
        column = table.iloc[:, position]
        if isinstance(column.dtype, pd.CategoricalDtype):
            codes = np.where(gone, -1, column.cat.codes)
            out.isetitem(position, pd.Categorical.from_codes(codes, dtype=column.dtype))
        else:
            out.isetitem(position, np.where(gone, np.nan, column.to_numpy(dtype=np.float64)))
    return out


@dataset
def missing_numbers() -> dict[str, Any]:
    """Numeric frame; integers have medians between two values."""
    parts = blobs(101, (22, 20, 18), 5, decimals=1)
    table = pd.DataFrame(parts["x"], columns=[f"x{j}" for j in range(5)])
    table["x3"] = np.round(table["x3"] * 4) + 0.0
    x = punched(102, table, 0.15)
    # An even number of known values, so that the median is a mean.
    known = np.flatnonzero(x["x0"].notna())
    x.loc[known[: len(known) % 2], "x0"] = np.nan
    return {"x": x, "y": parts["y"], "matrix": x.to_numpy(), "vector": x["x1"].to_numpy()}


@dataset
def missing_factors() -> dict[str, Any]:
    """Factors, one of them with a level without cases, beside numbers."""
    parts = with_factors(103, (26, 30), (3, 5))
    table = parts["x"]
    table["f1_5"] = pd.Categorical(table["f1_5"], categories=[*table["f1_5"].cat.categories, "never"])
    x = punched(104, table, 0.2)
    return {"x": x, "y": parts["y"], "data": x.assign(y=parts["y"])}


@dataset
def missing_ordered() -> dict[str, Any]:
    """Two ordered factors, the first column and another, and a factor."""
    parts = with_factors(105, (24, 24), (4, 3), noise=2)
    table = parts["x"]
    for name in ("f0_4", "x1"):
        codes = table[name].cat.codes if name == "f0_4" else np.clip(np.round(table[name]), -2, 2).astype(int) + 2
        table[name] = pd.Categorical.from_codes(np.asarray(codes), categories=list("abcde"), ordered=True)
    table = table[["f0_4", "x1", "f1_3", "x0"]]
    x = punched(106, table, 0.15)
    return {"x": x, "y": parts["y"], "data": x.assign(y=parts["y"])}


@dataset
def each_type() -> dict[str, Any]:
    """A number, an integer, a logical, a factor and an ordered factor."""
    bits = Bits(107)
    codes = np.repeat([0, 1, 2], [20, 18, 16])[bits.order(54)]
    x = pd.DataFrame(
        {
            "number": np.round(bits.normal(54) + codes, 1) + 0.0,
            "count": bits.integers(5, 54) + codes,
            "flag": bits.uniform(54) < 0.3 + 0.2 * codes,
            "colour": pd.Categorical.from_codes(
                (bits.integers(2, 54) + codes) % 4, categories=["red", "blue", "green", "grey"]
            ),
            "size": pd.Categorical.from_codes(
                np.minimum(bits.integers(3, 54) + codes, 3), categories=["S", "M", "L", "XL"], ordered=True
            ),
        }
    )
    return {"x": x, "y": labels(codes), "w": np.round(bits.uniform(54) * 3) / 2}


@dataset
def small_frame() -> dict[str, Any]:
    """The rows of "small" with names for the columns."""
    parts = split(blobs(2, (16, 14, 15), 5, decimals=1), 3)
    names = [f"x{j}" for j in range(5)]
    return parts | {part: pd.DataFrame(parts[part], columns=names) for part in ("x", "xtest")}


@dataset
def two_subsets() -> dict[str, Any]:
    """All columns and all but the last."""
    parts = blobs(1, (31, 29), 6)
    return parts | {"part": parts["x"][:, :5]}


@dataset
def missing_slope() -> dict[str, Any]:
    """A numeric response, a factor among the predictors."""
    parts = levelled(108, 50, (4,), noise=3)
    x = punched(109, parts["x"], 0.15)
    whole = parts["x"][["x0", "x1"]]
    matrix = x.drop(columns="f0_4").to_numpy()
    return {"x": x, "y": parts["y"], "two": whole, "matrix": matrix, "data": x.assign(y=parts["y"])}


@dataset
def missing_air() -> dict[str, Any]:
    """R's airquality with values taken out at random."""
    table = read_table("airquality")
    return {"x": punched(110, table.drop(columns="Ozone"), 0.2), "y": table["Ozone"].to_numpy()}
