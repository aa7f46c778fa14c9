"""Simulated data: each set brings about one thing that RRF treats in its own way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.bits import Bits
from parity.datasets.registry import dataset
from parity.datasets.tables import labels, split


def blobs(
    seed: int, counts: tuple[int, ...], p: int, informative: int = 3, *, shift: float = 1.2, decimals: int | None = None
) -> dict[str, Any]:
    """Classes of the given sizes; the first columns have class means, `decimals` brings ties."""
    bits = Bits(seed)
    codes = np.repeat(np.arange(len(counts)), counts)[bits.order(sum(counts))]
    x = bits.normal(len(codes), p)
    for column in range(min(informative, p)):
        x[:, column] += shift * ((codes * (column + 1)) % len(counts))
    if decimals is not None:
        x = np.round(x, decimals) + 0.0
    return {"x": x, "y": labels(codes)}


def with_factors(seed: int, counts: tuple[int, ...], levels: tuple[int, ...], noise: int = 2) -> dict[str, Any]:
    """A frame with one factor for each entry of `levels`, then numeric noise."""
    bits = Bits(seed)
    n = sum(counts)
    codes = np.repeat(np.arange(len(counts)), counts)[bits.order(n)]
    columns: dict[str, Any] = {}
    for index, size in enumerate(levels):
        drawn = bits.integers(size, n)
        pulled = (drawn // 2 * 2 + codes) % size
        code = np.where(bits.uniform(n) < 0.4, pulled, drawn)
        names = [f"L{i:02d}" for i in range(size)]
        columns[f"f{index}_{size}"] = pd.Categorical.from_codes(code, categories=names)
    for index in range(noise):
        columns[f"x{index}"] = np.round(bits.normal(n) + 0.5 * codes, 1) + 0.0
    return {"x": pd.DataFrame(columns), "y": labels(codes)}


@dataset
def two() -> dict[str, Any]:
    return blobs(1, (31, 29), 6)


@dataset
def two_split() -> dict[str, Any]:
    return split(blobs(1, (44, 46), 6), 3)


@dataset
def small() -> dict[str, Any]:
    """Few rows, for proximities; few trees make many ties between votes."""
    return split(blobs(2, (16, 14, 15), 5, decimals=1), 3)


@dataset
def logical_response() -> dict[str, Any]:
    parts = blobs(3, (22, 33), 4)
    return {"x": parts["x"], "y": np.asarray(parts["y"].codes == 1)}


@dataset
def text_response() -> dict[str, Any]:
    """Strings that sort differently by case and by locale."""
    parts = blobs(4, (15, 15, 15, 15), 4)
    names = np.array(["beta", "Alpha", "alpha", "_x"], dtype=object)
    return {"x": parts["x"], "y": names[parts["y"].codes]}


@dataset
def unsorted_levels() -> dict[str, Any]:
    """Levels in an order of their own."""
    parts = blobs(5, (20, 18, 22), 5)
    return {"x": parts["x"], "y": labels(parts["y"].codes.astype(int), ["zeta", "mid", "alpha"])}


@dataset
def inexact2() -> dict[str, Any]:
    """freq / n * n / freq is an ulp below 1 for the class of 14 rows (of 55), and x has ties."""
    return blobs(6, (14, 41), 6, decimals=1)


@dataset
def inexact2_integers() -> dict[str, Any]:
    """An ulp above 1 for the class of 7 rows (of 43), and x of few integers."""
    return blobs(7, (7, 36), 5, decimals=0)


@dataset
def inexact3() -> dict[str, Any]:
    """Weights above, below and above 1."""
    return blobs(8, (7, 23, 56), 6, decimals=1)


@dataset
def inexact5() -> dict[str, Any]:
    """All five weights below 1."""
    return blobs(9, (7, 14, 28, 30, 31), 8, decimals=0)


@dataset
def inexact_no_ties() -> dict[str, Any]:
    return blobs(10, (14, 41), 6)


@dataset
def inexact_factor() -> dict[str, Any]:
    return with_factors(11, (14, 41), (3, 6, 12))


@dataset
def inexact_factor3() -> dict[str, Any]:
    return with_factors(12, (13, 15, 57), (4, 7, 14))


@dataset
def ties_tenths() -> dict[str, Any]:
    return blobs(13, (40, 40), 8, decimals=1)


@dataset
def ties_integers() -> dict[str, Any]:
    return blobs(14, (33, 33, 34), 8, decimals=0)


@dataset
def binary() -> dict[str, Any]:
    """All columns 0 or 1."""
    parts = blobs(15, (45, 45), 10)
    return {"x": (parts["x"] > 0.5).astype(float), "y": parts["y"]}


@dataset
def exclusive_or() -> dict[str, Any]:
    """The class is the exclusive or of the first three columns."""
    bits = Bits(16)
    x = bits.integers(2, 96, 9)
    return {"x": x.astype(float), "y": labels(x[:, 0] ^ x[:, 1] ^ x[:, 2])}


@dataset
def constant_columns() -> dict[str, Any]:
    parts = blobs(17, (30, 34), 7)
    parts["x"][:, [0, 3, 6]] = [2.5, 0.0, -1.0]
    return parts


@dataset
def constant_in_class() -> dict[str, Any]:
    """Columns that differ in one row only."""
    parts = blobs(18, (30, 30), 5)
    parts["x"][:, 1:4] = 1.0
    parts["x"][7, 1], parts["x"][22, 2], parts["x"][40, 3] = 0.0, 2.0, 5.0
    return parts


@dataset
def duplicate_rows() -> dict[str, Any]:
    parts = blobs(19, (14, 13), 5)
    return {"x": np.repeat(parts["x"], 3, axis=0), "y": labels(np.repeat(parts["y"].codes.astype(int), 3))}


@dataset
def contradicting_rows() -> dict[str, Any]:
    """Equal rows of different classes: nodes that no split can clean, tied leaves."""
    parts = blobs(20, (15, 15), 3, decimals=0)
    x = np.vstack([parts["x"], parts["x"]])
    codes = parts["y"].codes.astype(int)
    return {"x": x, "y": labels(np.concatenate([codes, 1 - codes]))}


@dataset
def duplicate_columns() -> dict[str, Any]:
    """Every column twice, so that features tie exactly."""
    parts = blobs(21, (36, 36), 4)
    return {"x": np.hstack([parts["x"], parts["x"], -parts["x"]]), "y": parts["y"]}


@dataset
def sorted_columns() -> dict[str, Any]:
    """Rising, falling, organ-pipe, saw-tooth and nearly constant columns with ties (R's quicksort)."""
    n = 300
    i = np.arange(n)
    shapes = [i // 7, (n - i) // 5, np.minimum(i, n - i) // 3, i % 17, (i * 37) % 101, i == 150, (i % 2) * i]
    codes = ((i // 25) + (i % 3 == 0)) % 3
    return {"x": np.column_stack(shapes).astype(float), "y": labels(codes)}


@dataset
def extremes() -> dict[str, Any]:
    """Huge, tiny, subnormal values and both zeros; the mean of two huge values overflows."""
    parts = blobs(22, (30, 30), 6)
    x = parts["x"]
    x[:, 0] = np.where(x[:, 0] > 0.6, 1.7e308, 1.2e308) * np.where(x[:, 1] > 0, 1, 0.9)
    x[:, 1] *= 1e-308
    x[:, 2] = np.round(x[:, 2]) * 5e-324
    x[:, 3] = np.where(x[:, 3] > 0, 0.0, -0.0)
    x[::3, 3] = 1.0
    x[:, 4] = np.round(x[:, 4], 1) * 1e16 + 1.0
    return parts


@dataset
def neighbours() -> dict[str, Any]:
    """Adjacent doubles: their mean rounds to one of them."""
    parts = blobs(23, (30, 30), 3)
    steps = np.round(parts["x"] * 2).astype(int)
    x = np.full(steps.shape, 1.0)
    return {"x": (x.view(np.int64) + steps).view(np.float64), "y": parts["y"]}


def _classes(seed: int, count: int, n: int) -> dict[str, Any]:
    sizes = tuple(n // count + (i % 3) for i in range(count))
    return blobs(seed, sizes, 6, informative=4, decimals=2)


@dataset
def classes3() -> dict[str, Any]:
    return _classes(24, 3, 72)


@dataset
def classes4() -> dict[str, Any]:
    return _classes(25, 4, 80)


@dataset
def classes5() -> dict[str, Any]:
    return _classes(26, 5, 90)


@dataset
def classes6() -> dict[str, Any]:
    return _classes(27, 6, 96)


@dataset
def classes7() -> dict[str, Any]:
    return _classes(28, 7, 98)


@dataset
def classes8() -> dict[str, Any]:
    return split(_classes(29, 8, 120), 4)


@dataset
def rare_class() -> dict[str, Any]:
    """Two rows of 60 in one class: many bags miss it, and after the first such bag ten more are drawn."""
    return blobs(30, (58, 2), 5)


@dataset
def rare_classes() -> dict[str, Any]:
    return blobs(31, (1, 4, 50, 3), 5, decimals=1)


@dataset
def wide() -> dict[str, Any]:
    return blobs(32, (16, 14), 200, informative=8)


@dataset
def wide_ties() -> dict[str, Any]:
    return blobs(33, (11, 9, 12), 120, informative=6, decimals=0)


@dataset
def single_column() -> dict[str, Any]:
    return split(blobs(34, (35, 35), 1), 5)


@dataset
def single_factor() -> dict[str, Any]:
    return with_factors(35, (30, 30), (6,), noise=0)


@dataset
def two_columns() -> dict[str, Any]:
    return blobs(36, (25, 25, 25), 2, decimals=1)


@dataset
def factors_small() -> dict[str, Any]:
    """Factors of 2 to 9 levels, two classes: all partitions are searched."""
    return split(with_factors(37, (60, 60), (2, 3, 4, 5, 7, 9)), 4)


@dataset
def factors_small3() -> dict[str, Any]:
    return split(with_factors(38, (40, 40, 45), (2, 3, 4, 6, 8)), 4)


@dataset
def factors_only() -> dict[str, Any]:
    """No numeric column at all."""
    return with_factors(39, (45, 50), (2, 5, 10, 13), noise=0)


@dataset
def factor10() -> dict[str, Any]:
    """Ten levels: the last exhaustive search, two classes."""
    return with_factors(40, (50, 50), (10, 10))


@dataset
def factor10_3() -> dict[str, Any]:
    return with_factors(41, (35, 35, 35), (10, 10))


@dataset
def factor11() -> dict[str, Any]:
    """Eleven levels: sorted proportions with two classes."""
    return with_factors(42, (50, 50), (11, 12))


@dataset
def factor11_3() -> dict[str, Any]:
    """Eleven levels, three classes: 512 random splits."""
    return with_factors(43, (35, 35, 35), (11, 12))


@dataset
def factor20() -> dict[str, Any]:
    return split(with_factors(44, (70, 70), (20, 25)), 4)


@dataset
def factor20_3() -> dict[str, Any]:
    return split(with_factors(45, (50, 45, 45), (20, 25)), 4)


@dataset
def factor31() -> dict[str, Any]:
    return with_factors(46, (70, 70), (31, 3))


@dataset
def factor32() -> dict[str, Any]:
    """32 levels fill the word that codes a split; its sign bit is used."""
    return split(with_factors(47, (80, 80), (32, 32)), 5)


@dataset
def factor32_3() -> dict[str, Any]:
    return split(with_factors(48, (55, 55, 55), (32, 32)), 5)


@dataset
def empty_levels() -> dict[str, Any]:
    """Levels that no row has, in the middle and at the end."""
    parts = with_factors(49, (40, 44), (6, 14))
    for column, extra in (("f0_6", ["gone"]), ("f1_14", ["gone", "never"])):
        old = parts["x"][column].array
        old = old.set_categories([*old.categories[:2], *extra, *old.categories[2:], "last"])
        parts["x"][column] = old
    return parts


@dataset
def cycled_levels() -> dict[str, Any]:
    """New data with the levels of training in another order (a cycle of three)."""
    parts = split(with_factors(50, (40, 40, 40), (3, 5), noise=1), 4)
    new = parts["xtest"].copy()
    for column in ("f0_3", "f1_5"):
        levels = list(new[column].cat.categories)
        new[column] = new[column].cat.reorder_categories(levels[1:3] + levels[:1] + levels[3:])
    return {**parts, "cycled": new}


@dataset
def part_of_levels() -> dict[str, Any]:
    """An ordered factor that has fewer levels, or others first, in new data."""
    parts = with_factors(58, (40, 40), (5, 3), noise=1)
    parts["x"]["f0_5"] = parts["x"]["f0_5"].cat.as_ordered()
    out = split(parts, 4)
    new = out["xtest"][out["xtest"]["f0_5"] > "L01"].reset_index(drop=True)
    fewer = new.assign(f0_5=new["f0_5"].cat.remove_categories(["L00", "L01"]))
    return {**out, "fewer": fewer}


@dataset
def renamed_columns() -> dict[str, Any]:
    """A test set whose columns have other names and another order of types."""
    parts = split(blobs(59, (30, 30), 3, decimals=1), 4)
    x = pd.DataFrame(parts["x"], columns=["a", "b", "c"])
    return {"x": x, "y": parts["y"], "xtest": pd.DataFrame(parts["xtest"], columns=["c", "q", "a"])}


@dataset
def same_names() -> dict[str, Any]:
    """Two columns share a name; predict takes the first."""
    parts = blobs(60, (30, 30), 4)
    return {"x": pd.DataFrame(parts["x"], columns=["a", "b", "a", "c"]), "y": parts["y"]}


@dataset
def two_rows() -> dict[str, Any]:
    return {"x": np.array([[1.0, 2.0], [3.0, 2.0]]), "y": labels(np.array([0, 1]))}


@dataset
def three_rows() -> dict[str, Any]:
    return {"x": np.array([[1.0, 2.0], [3.0, 2.0], [2.0, 5.0]]), "y": labels(np.array([0, 1, 1]))}


@dataset
def mixed_columns() -> dict[str, Any]:
    """Numbers, integers, logicals, an ordered factor and a factor."""
    parts = with_factors(51, (45, 45), (4, 5), noise=2)
    x = parts["x"]
    bits = Bits(52)
    x["f1_5"] = x["f1_5"].cat.as_ordered()
    x["flag"] = bits.uniform(len(x)) < 0.5
    x["count"] = bits.integers(6, len(x)) + parts["y"].codes
    return split({"x": x, "y": parts["y"]}, 3)


@dataset
def text_columns() -> dict[str, Any]:
    """A character column becomes the codes of its sorted strings, in each table for itself."""
    parts = with_factors(53, (40, 40), (3,), noise=2)
    words = np.array(["pear", "Apple", "fig", "apple", "Zebra"], dtype=object)
    x = parts["x"]
    x["word"] = words[(Bits(54).integers(5, len(x)) + parts["y"].codes) % 5]
    out = split({"x": x, "y": parts["y"]}, 4)
    out["fewer"] = out["xtest"][out["xtest"]["word"] != "Apple"].reset_index(drop=True)
    return out


@dataset
def strata() -> dict[str, Any]:
    """A stratum that is not the class."""
    parts = blobs(55, (40, 50), 6)
    return {**parts, "strata": labels(Bits(56).integers(3, 90), ["north", "south", "west"])}


@dataset
def middling() -> dict[str, Any]:
    return blobs(57, (130, 140, 130), 12, informative=5, decimals=2)


@dataset
def help_page() -> dict[str, Any]:
    """The help page makes its own data, from R's stream."""
    return {}


@dataset
def factor40() -> dict[str, Any]:
    """Forty levels: more than RRF takes."""
    return split(with_factors(48, (90, 90), (40, 33)), 4)


@dataset
def factor53() -> dict[str, Any]:
    """As many levels as randomForest takes, two classes."""
    return split(with_factors(49, (120, 110), (53, 48)), 4)


@dataset
def factor53_3() -> dict[str, Any]:
    """As many levels as randomForest takes, three classes: 512 random splits."""
    return split(with_factors(50, (80, 70, 80), (53, 35, 6)), 4)


@dataset
def factor54() -> dict[str, Any]:
    """One level more than randomForest takes."""
    return with_factors(51, (60, 60), (54,))


@dataset
def one_of_many() -> dict[str, Any]:
    """A class of one row among 200."""
    return blobs(52, (199, 1), 4)


@dataset
def absent_levels() -> dict[str, Any]:
    """Two classes whose weights are not exact, and a factor of many levels, most of which a node lacks.

    New rows have levels together that no row has; `late` begins with one that reaches a leaf without cases.
    """
    bits, n, n_new = Bits(60), 193, 60
    codes = np.repeat([0, 1], (112, 81))[bits.order(n)]
    many = bits.integers(22, n)
    few = (many // 3 + bits.integers(3, n)) % 4
    drawn = {"many": (many, 22), "few": (few, 4), "three": (bits.integers(3, n), 3)}
    levels = {name: [f"L{i:02d}" for i in range(size)] for name, (_, size) in drawn.items()}
    x = pd.DataFrame({name: labels(code, levels[name]) for name, (code, _) in drawn.items()})
    new = pd.DataFrame({name: labels(bits.integers(len(own), n_new), own) for name, own in levels.items()})
    late = new[9:].reset_index(drop=True)
    return {"x": x, "y": labels(codes), "xtest": new, "ytest": labels(bits.integers(2, n_new)), "late": late}
