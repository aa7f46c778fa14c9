"""The shapes of data: rows and columns, what the columns hold, what is grown on them, and how it is measured."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shape:
    """One row of the tables; every peer gets the same trees, mtry and node size."""

    rows: int
    columns: int
    trees: int
    coef_reg: float = 0.9
    target: str = "classes"  # or "3 classes", "10 classes"; the others of TARGETS are regression
    kind: str = "normal"  # what the columns hold: a name of KINDS or FACTORS, or of a file with real data
    mapped: bool = False  # x is a memory map of float32, row by row
    # Of a file: "sorted", the rows by class, or "whole", all rows as they stand. Otherwise two thirds, shuffled.
    order: str = ""
    less: int = 0  # rows of the same data that are left out, so that the classes have other sizes

    @property
    def numbers(self) -> bool:
        """Whether this is regression."""
        return not self.target.endswith("classes")

    @property
    def classes(self) -> int:
        """The number of classes of a made response."""
        return int(self.target.split()[0]) if " " in self.target else 2

    @property
    def mtry(self) -> int:
        """R's default."""
        return max(self.columns // 3, 1) if self.numbers else math.isqrt(self.columns)

    @property
    def nodesize(self) -> int:
        """R's default: a node of so many cases is not split."""
        return 5 if self.numbers else 1

    @property
    def levels(self) -> list[int]:
        """For each column the levels of a factor, or 0 for numbers."""
        cycle = FACTORS.get(self.kind, (0,))
        return [cycle[column % len(cycle)] for column in range(self.columns)]

    @property
    def test_rows(self) -> int:
        """Rows set aside for the error: 5,000, fewer where there are many columns."""
        return max(50, min(5_000, 20_000_000 // self.columns))

    def __str__(self) -> str:
        notes = [self.kind] if self.kind != "normal" else []
        if self.order:
            notes.append(ORDERS[self.order])
        if self.less:
            notes.append(f"{self.less} row{'s' * (self.less > 1)} less")
        trees = f"{self.trees:,} tree{'s' * (self.trees > 1)}"
        return ", ".join([f"{self.rows:,} x {self.columns:,}", trees, self.target, *notes])


ORDERS = {"sorted": "sorted by class", "whole": "the whole file in its order"}
SHAPES = {
    "a": Shape(rows=100, columns=10_000, trees=1_000),
    "b": Shape(rows=20_000, columns=20, trees=50),
    "c": Shape(rows=2_000, columns=500, trees=100),
    "d": Shape(rows=8_000, columns=20, trees=50, target="numbers"),
    "e": Shape(rows=50_000, columns=20, trees=10, target="numbers"),
    "f": Shape(rows=200_000, columns=50, trees=10),
    "g": Shape(rows=100, columns=100_000, trees=100),
}


@dataclass(frozen=True)
class Case:
    """One shape, and how it is measured.

    `expected` is in seconds, for the whole case, on two cores with nothing else running.
    """

    shape: Shape
    group: str
    expected: int = 22
    memory: bool = False  # every call in a process of its own, so that its memory can be told
    threads: bool = False  # on every number of threads, ranger and scikit-learn too
    pair_trees: int | None = None  # CRAN RRF is slow here: it and engine r grow so many trees beside each other
    without: tuple[str, ...] = ()
    asked: bool = False  # measured only where it is named, because it takes long, or much memory

    def __str__(self) -> str:
        return str(self.shape)


# A maker draws columns; `of_columns` gives the same numbers again for the rows that are set aside.
Maker = Callable[[np.random.Generator, np.random.Generator, int, int], np.ndarray]


def _rounded(decimals: int) -> Maker:
    return lambda draw, of_columns, n, p: np.round(draw.standard_normal((n, p)), decimals)


def _one_hot(draw: np.random.Generator, of_columns: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Return five columns for each factor of five levels, of which one is 1."""
    return np.eye(5)[draw.integers(0, 5, (n, -(-p // 5)))].reshape(n, -1)[:, :p]


def _linked(draw: np.random.Generator, of_columns: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Return genotypes in blocks of 20 places; nine in ten are the same as at the first place of the block."""
    first = draw.binomial(2, np.repeat(of_columns.uniform(0.05, 0.5, -(-p // 20)), 20)[:p], (n, p))
    same = draw.random((n, p)) < 0.9
    return np.where(same, first[:, np.arange(p) // 20 * 20], first)


def _mixed(draw: np.random.Generator, of_columns: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Return numbers, prices, ages, counts and flags in turns."""
    kinds = [
        draw.standard_normal((n, p)), np.round(draw.lognormal(3, 1, (n, p)), 2), draw.integers(18, 90, (n, p)),
        draw.poisson(2.0, (n, p)), draw.integers(0, 2, (n, p)),
    ]  # fmt: skip
    return np.choose(np.arange(p) % 5, kinds)


KINDS: dict[str, Maker] = {
    "normal": lambda draw, of_columns, n, p: draw.standard_normal((n, p)),
    "6 decimals": _rounded(6),
    "4 decimals": _rounded(4),
    "2 decimals": _rounded(2),
    "0 decimals": _rounded(0),
    "integers 0 to 99": lambda draw, of_columns, n, p: draw.integers(0, 100, (n, p)),
    "binary": lambda draw, of_columns, n, p: draw.integers(0, 2, (n, p)),
    # 0, 1 or 2 rare alleles, which have a frequency of their own at each place
    "genotypes": lambda draw, of_columns, n, p: draw.binomial(2, of_columns.uniform(0.05, 0.5, p), (n, p)),
    "counts": lambda draw, of_columns, n, p: draw.poisson(of_columns.gamma(0.5, 20.0, p), (n, p)),
    "counts, mostly 0": lambda draw, of_columns, n, p: draw.poisson(0.15, (n, p)),
    "one-hot": _one_hot,
    "Likert": lambda draw, of_columns, n, p: draw.integers(1, 6, (n, p)),
    "genotypes in linkage": _linked,
    # seconds: ascending, with few ties
    "timestamps": lambda draw, of_columns, n, p: 1_700_000_000 + draw.exponential(60.0, (n, p)).cumsum(axis=0).round(),
    "mixed": _mixed,
}
# The levels of the columns, in turns; 0: normal, rounded to 2 decimals.
FACTORS = {
    "factors of 5 and 25": (0, 5, 25),
    "factors of 5 to 32": (0, 5, 8, 12, 20, 32),
    "factors of 32": (0, 32),
    "factors of 33": (0, 33),
}


@dataclass
class Data:
    """Rows to grow on, and rows set aside."""

    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray


def make_data(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y: five columns of x and noise, or its sign, or its classes of equal size."""
    draw = np.random.default_rng(1)
    x = make_columns(shape, shape.rows + shape.less, draw)
    y = respond(shape, x, x, draw)
    return x[shape.less :], y[shape.less :]


def make(shape: Shape) -> Data:
    """Return the data of a shape, with the rows set aside."""
    x, y = make_data(shape)
    draw = np.random.default_rng(2)
    x_test = make_columns(shape, shape.test_rows, draw)
    y_test = respond(shape, x_test, x, draw)
    return Data(x, y, x_test, y_test)


def make_columns(shape: Shape, rows: int, draw: np.random.Generator) -> np.ndarray:
    """Return so many rows of x, doubles."""
    if shape.kind not in FACTORS:
        return KINDS[shape.kind](draw, np.random.default_rng(0), rows, shape.columns).astype(float)
    x = np.round(draw.standard_normal((rows, shape.columns)), 2)
    for column, levels in enumerate(shape.levels):
        if levels:
            x[:, column] = draw.integers(0, levels, rows)
    return x


def signal(shape: Shape, x: np.ndarray, training: np.ndarray) -> np.ndarray:
    """Return what the response depends on, without noise."""
    if shape.kind == "normal":
        z = x[:, :5]
    else:
        z, base = _scrambled(shape, x), _scrambled(shape, training)
        z = (z - base.mean(axis=0)) / (base.std(axis=0) + 1e-9)
    return z[:, 0] * z[:, 1] + z[:, 2] if shape.target == "numbers, interaction" else z.sum(axis=1)


def _scrambled(shape: Shape, x: np.ndarray) -> np.ndarray:
    """Return the first five columns, with the levels of factors in another order than their codes."""
    z = x[:, :5].copy()
    for column, levels in enumerate(shape.levels[:5]):
        if levels:
            z[:, column] = z[:, column] * 7 % levels
    return z


def respond(shape: Shape, x: np.ndarray, training: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return the response: numbers, or the codes of classes."""
    clean = signal(shape, x, training)
    noisy = clean + draw.standard_normal(len(x))
    if shape.numbers:
        return np.round(noisy, 1) if shape.target == "numbers, 1 decimal" else noisy
    if shape.classes == 2:
        return (noisy > 0).astype(float)
    # The borders are those of the rows to grow on, and of no others.
    spread = math.sqrt(signal(shape, training, training).var() + 1)
    borders = spread * NORMAL_QUANTILES[shape.classes]
    return np.searchsorted(borders, noisy, side="left").astype(float)


# Where a normal variable is cut into 3 or 10 classes of equal size.
NORMAL_QUANTILES = {
    3: np.array([-0.430727, 0.430727]),
    4: np.array([-0.674490, 0.0, 0.674490]),
    5: np.array([-0.841621, -0.253347, 0.253347, 0.841621]),
    10: np.array([-1.281552, -0.841621, -0.524401, -0.253347, 0.0, 0.253347, 0.524401, 0.841621, 1.281552]),
}
