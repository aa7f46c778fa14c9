"""Data with numbers as response: R's Boston, airquality, swiss, mtcars, Servo, imports85, and simulated sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.bits import Bits
from parity.datasets.registry import dataset
from parity.datasets.tables import read_table, split

# ---- real data -----------------------------------------------------------------------------------


def with_number(table: pd.DataFrame, response: str, drop: tuple[str, ...] = ()) -> dict[str, Any]:
    """x and y of a table whose response is a number."""
    return {"x": table.drop(columns=[response, *drop]), "y": table[response].to_numpy()}


@dataset
def boston() -> dict[str, Any]:
    """Every second row of Boston."""
    return with_number(read_table("boston").iloc[::2].reset_index(drop=True), "medv")


@dataset
def boston_split() -> dict[str, Any]:
    return split(boston(), 3)


@dataset
def airquality() -> dict[str, Any]:
    return with_number(read_table("airquality"), "Ozone")


@dataset
def swiss() -> dict[str, Any]:
    return with_number(read_table("swiss"), "Fertility")


@dataset
def mtcars() -> dict[str, Any]:
    return with_number(read_table("mtcars"), "mpg")


@dataset
def servo() -> dict[str, Any]:
    """Four factors and no number."""
    return with_number(read_table("servo"), "Class")


@dataset
def imports_price() -> dict[str, Any]:
    """Factors, one of 22 levels, an ordered factor and numbers."""
    return with_number(read_table("imports85"), "price")


@dataset
def imports_price_split() -> dict[str, Any]:
    return split(imports_price(), 4)


# ---- simulated data ------------------------------------------------------------------------------


def surface(
    seed: int, n: int, p: int, *, decimals: int | None = None, response_decimals: int | None = None
) -> dict[str, Any]:
    """Normal columns; the response depends on the first four, `decimals` bring ties in x or y."""
    bits = Bits(seed)
    x = bits.normal(n, p)
    if decimals is not None:
        x = np.round(x, decimals) + 0.0
    first = np.hstack([x, np.zeros((n, 4))])
    y = 3 * first[:, 0] + first[:, 1] * first[:, 1] + first[:, 2] * (first[:, 3] > 0) + bits.normal(n)
    return {"x": x, "y": y if response_decimals is None else np.round(y, response_decimals) + 0.0}


def levelled(seed: int, n: int, levels: tuple[int, ...], noise: int = 2) -> dict[str, Any]:
    """A frame with one factor for each entry of `levels`, then numeric columns; levels shift the response."""
    bits = Bits(seed)
    y = bits.normal(n)
    columns: dict[str, Any] = {}
    for index, size in enumerate(levels):
        codes = bits.integers(size, n)
        y = y + ((codes * 7 + index) % size) / size * 3
        columns[f"f{index}_{size}"] = pd.Categorical.from_codes(codes, categories=[f"L{i:02d}" for i in range(size)])
    for index in range(noise):
        columns[f"x{index}"] = np.round(bits.normal(n) + 0.3 * y, 1) + 0.0
    return {"x": pd.DataFrame(columns), "y": y}


@dataset
def slope() -> dict[str, Any]:
    return surface(101, 80, 6)


@dataset
def slope_split() -> dict[str, Any]:
    return split(surface(102, 105, 6), 3)


@dataset
def slope_small() -> dict[str, Any]:
    """Few rows, for proximities."""
    return split(surface(103, 45, 5, decimals=1), 3)


@dataset
def slope_labelled() -> dict[str, Any]:
    """Rows and columns with labels; new data have the columns in another order and one more."""
    parts = surface(104, 40, 4)
    x = pd.DataFrame(parts["x"], columns=["north", "east", "south", "west"], index=[f"row {i}" for i in range(40)])
    new = x.iloc[::5, [2, 0, 3, 1]].set_axis([f"new {i}" for i in range(8)]).assign(extra=0.5)
    test = x.iloc[1::6].set_axis([f"test {i}" for i in range(7)])
    return {"x": x, "y": parts["y"], "new": new, "xtest": test, "ytest": parts["y"][1::6]}


@dataset
def slope_ties() -> dict[str, Any]:
    """Few integers in x and in y: the order of equal values decides how sums round."""
    return surface(105, 120, 8, decimals=0, response_decimals=0)


@dataset
def slope_tenths() -> dict[str, Any]:
    return surface(106, 150, 6, decimals=1, response_decimals=2)


@dataset
def slope_duplicates() -> dict[str, Any]:
    """Every row three times, every column twice, so that features and values tie exactly."""
    parts = surface(107, 25, 4)
    x = np.repeat(np.hstack([parts["x"], parts["x"], -parts["x"]]), 3, axis=0)
    return {"x": x, "y": np.repeat(parts["y"], 3)}


@dataset
def slope_counts() -> dict[str, Any]:
    """A response of four numbers: R warns."""
    parts = surface(108, 70, 5)
    return {"x": parts["x"], "y": np.clip(np.round(parts["y"] / 3), 0, 3) + 0.0}


@dataset
def slope_constant() -> dict[str, Any]:
    """A response of one number: nothing can be explained, and every tree is a root."""
    parts = surface(109, 30, 3)
    return {"x": parts["x"], "y": np.full(30, 2.5)}


@dataset
def slope_columns_constant() -> dict[str, Any]:
    """Some columns constant, and one that differs in one row."""
    parts = surface(110, 60, 7)
    parts["x"][:, [1, 4, 6]] = [2.5, 0.0, -1.0]
    parts["x"][:, 3] = 1.0
    parts["x"][17, 3] = 4.0
    return parts


@dataset
def slope_wide() -> dict[str, Any]:
    """Fewer rows than columns."""
    return surface(111, 30, 200)


@dataset
def slope_wide_ties() -> dict[str, Any]:
    return surface(112, 28, 90, decimals=0, response_decimals=1)


@dataset
def slope_one_column() -> dict[str, Any]:
    return split(surface(113, 60, 1), 5)


@dataset
def slope_two_rows() -> dict[str, Any]:
    return {"x": np.array([[1.0, 2.0], [3.0, 2.0]]), "y": np.array([1.0, 4.0])}


@dataset
def slope_six_rows() -> dict[str, Any]:
    return surface(114, 6, 3)


@dataset
def slope_seventeen_rows() -> dict[str, Any]:
    return surface(130, 17, 4)


@dataset
def slope_huge() -> dict[str, Any]:
    """The middle of two values of the first column is beyond the largest double."""
    parts = surface(131, 40, 1)
    return {"x": (1.0 + 0.7 * parts["x"] / parts["x"].max()) * 1e308, "y": parts["y"]}


@dataset
def slope_sorted() -> dict[str, Any]:
    """Rising, falling, organ-pipe, saw-tooth and nearly constant columns with ties (R's quicksort)."""
    n = 300
    i = np.arange(n)
    shapes = [i // 7, (n - i) // 5, np.minimum(i, n - i) // 3, i % 17, (i * 37) % 101, i == 150, (i % 2) * i]
    return {"x": np.column_stack(shapes).astype(float), "y": ((i * 53) % 89) / 8.0 + i // 40}


@dataset
def slope_extremes() -> dict[str, Any]:
    """Responses far from 0, and huge, tiny and subnormal columns."""
    parts = surface(115, 70, 5)
    x = parts["x"]
    x[:, 0] *= 1e300
    x[:, 1] *= 1e-308
    x[:, 2] = np.round(x[:, 2]) * 5e-324
    x[:, 3] = np.where(x[:, 3] > 0, 0.0, -0.0)
    x[::3, 3] = 1.0
    x[:, 4] = np.round(x[:, 4], 1) * 1e16 + 1.0
    return {"x": x, "y": parts["y"] + 1e9}


@dataset
def slope_neighbours() -> dict[str, Any]:
    """Adjacent doubles: their mean rounds to one of them."""
    parts = surface(116, 60, 3)
    steps = np.round(parts["x"] * 2).astype(int)
    return {"x": (np.full(steps.shape, 1.0).view(np.int64) + steps).view(np.float64), "y": parts["y"]}


@dataset
def slope_overflow() -> dict[str, Any]:
    """The mean of two values is beyond the largest double."""
    parts = surface(117, 50, 3)
    x = np.round(parts["x"], 1)
    x[:, 0] = np.where(x[:, 0] > 0, 1.7e308, 1.2e308)
    x[::7, 0] = -1.5e308
    return {"x": x, "y": parts["y"]}


@dataset
def slope_squares_overflow() -> dict[str, Any]:
    """Responses of which some sums have squares beyond the largest double."""
    parts = surface(132, 60, 4)
    x = np.round(parts["x"], 1)
    return split({"x": x, "y": parts["y"] / np.abs(parts["y"]).max() * 2e153}, 6)


@dataset
def largest_doubles() -> dict[str, Any]:
    """Responses all of which are the largest double: their variance is 0, and the running means of a node are not."""
    x = np.arange(3.0)[:, None]
    return {
        "x": x,
        "y": np.full(3, np.finfo(np.float64).max),
        "xtest": x + 0.5,
        "ytest": np.array([1e308, -1e308, 0.0]),
    }


@dataset
def signed_zeros() -> dict[str, Any]:
    """Columns of which 0 is the least and the largest value, with either sign first."""
    zeros = np.repeat([0.0, -0.0], 20)
    x = pd.DataFrame({"a": zeros, "b": -zeros, "c": surface(134, 40, 1)["x"][:, 0]})
    return {"x": x, "y": x["c"].to_numpy() * 2.0}


@dataset
def levels_sums_overflow() -> dict[str, Any]:
    """Responses of which the sums of a level overflow, one way or the other; between them lies no point."""
    n = 36
    codes = np.arange(n) % 3
    parts = surface(133, n, 2)
    x = pd.DataFrame({"level": pd.Categorical.from_codes(codes, list("abc")), "a": parts["x"][:, 0]})
    return {"x": x, "y": np.array([0.85e308, -0.85e308, 1.0])[codes]}


@dataset
def levels_few() -> dict[str, Any]:
    return split(levelled(118, 130, (2, 3, 4, 7, 9)), 4)


@dataset
def levels_many() -> dict[str, Any]:
    return split(levelled(119, 140, (12, 20)), 4)


@dataset
def levels_32() -> dict[str, Any]:
    """32 levels fill the word that codes a split; its sign bit is used."""
    return split(levelled(120, 200, (32, 31)), 5)


@dataset
def levels_only() -> dict[str, Any]:
    return levelled(121, 90, (2, 5, 11), noise=0)


@dataset
def levels_mixed() -> dict[str, Any]:
    """Factors with unused levels, an ordered factor, logicals and integers."""
    parts = levelled(122, 90, (6, 5, 3))
    x, bits = parts["x"], Bits(123)
    old = x["f0_6"].array
    x["f0_6"] = old.set_categories([*old.categories[:2], "gone", *old.categories[2:], "last"])
    x["f1_5"] = x["f1_5"].cat.as_ordered()
    x["flag"] = bits.uniform(len(x)) < 0.5
    x["count"] = bits.integers(6, len(x))
    return split(parts, 3)


@dataset
def middling_slope() -> dict[str, Any]:
    return surface(124, 600, 12, decimals=2)


@dataset
def levels_53() -> dict[str, Any]:
    """As many levels as randomForest takes; more than RRF does."""
    return split(levelled(130, 200, (53, 40, 33)), 5)


@dataset
def levels_54() -> dict[str, Any]:
    """One level more than randomForest takes."""
    return levelled(131, 160, (54, 3))


@dataset
def slope_whole() -> dict[str, Any]:
    """Integers as response: R's mean() of them is not corrected."""
    parts = surface(132, 70, 5)
    return {"x": parts["x"], "y": np.round(parts["y"] * 3).astype(np.int32)}


@dataset
def slope_two_values() -> dict[str, Any]:
    """A response of two numbers: in most nodes all gains are nothing but rounding. R warns."""
    parts = surface(133, 90, 5, decimals=1)
    return {"x": parts["x"], "y": (parts["y"] > np.median(parts["y"])) + 0.0}


@dataset
def levels_two_values() -> dict[str, Any]:
    """The same with factors: points that another feature has left send all rows to one side."""
    parts = levelled(134, 90, (2, 3, 5, 8))
    return {"x": parts["x"], "y": (parts["y"] > np.median(parts["y"])) * 0.3}


@dataset
def slope_far() -> dict[str, Any]:
    """A response far from 0: R grows trees on its distances from the mean."""
    parts = surface(135, 80, 6, decimals=2)
    return {"x": parts["x"], "y": parts["y"] * 1e-3 + 1e7}


# ---- without response ----------------------------------------------------------------------------


@dataset
def unlabelled_split() -> dict[str, Any]:
    """No response is used; xtest has rows of its own."""
    return split(surface(125, 60, 6, decimals=1), 4)


@dataset
def unlabelled_levels() -> dict[str, Any]:
    return levelled(126, 50, (3, 6, 12))
