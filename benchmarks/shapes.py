"""What is measured: the sizes of the data, and what is grown on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Shape:
    """One row of the tables; every peer gets the same trees, mtry and node size."""

    rows: int
    columns: int
    trees: int
    coef_reg: float = 0.9
    target: str = "classes"  # or "numbers": regression

    @property
    def numbers(self) -> bool:
        """Whether this is regression."""
        return self.target == "numbers"

    @property
    def mtry(self) -> int:
        """R's default."""
        return max(self.columns // 3, 1) if self.numbers else math.isqrt(self.columns)

    @property
    def nodesize(self) -> int:
        """R's default: a node of so many cases is not split."""
        return 5 if self.numbers else 1

    def __str__(self) -> str:
        return f"{self.rows:,} x {self.columns:,}, {self.trees:,} trees, {self.target}"


SHAPES = {
    "a": Shape(rows=100, columns=10_000, trees=1_000),
    "b": Shape(rows=20_000, columns=20, trees=50),
    "c": Shape(rows=2_000, columns=500, trees=100),
    "d": Shape(rows=8_000, columns=20, trees=50, target="numbers"),
    "e": Shape(rows=50_000, columns=20, trees=10, target="numbers"),
    "f": Shape(rows=200_000, columns=50, trees=10),
    "g": Shape(rows=100, columns=100_000, trees=100),
}
QUICK_SHAPES = {
    "tiny": Shape(rows=60, columns=30, trees=20),
    "tiny numbers": Shape(rows=60, columns=30, trees=20, target="numbers"),
}


def make_data(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return x, normal, and y: five columns of x and noise, or the two classes of its sign."""
    generator = np.random.default_rng(1)
    x = generator.standard_normal((shape.rows, shape.columns))
    signal = x[:, :5].sum(axis=1) + generator.standard_normal(shape.rows)
    return x, signal if shape.numbers else (signal > 0).astype(float)


def write_data(folder: Path, shape: Shape) -> None:
    """Write x, column by column, and y as doubles, which Python and R read without a loss."""
    x, y = make_data(shape)
    x.ravel(order="F").tofile(folder / "x.bin")
    y.tofile(folder / "y.bin")
