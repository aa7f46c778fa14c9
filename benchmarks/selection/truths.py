"""Simulated truths: it is known which features tell, and which of these say the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

TEST_ROWS = 1000
BLOCK = 10  # features of one block that say about the same
WITHIN = 0.9  # correlation within a block

Drawn = tuple[
    np.ndarray, np.ndarray
]  # features (n, p); latent values (n,): the class by sign, but for noise, or numbers


@dataclass(frozen=True)
class Truth:
    """How rows are drawn, and what tells."""

    title: str
    rows: int  # to train on
    columns: int
    draw: Callable[[np.random.Generator, int, int], Drawn]  # generator, rows, columns
    blocks: tuple[int, ...]  # for each of the first features, the block that it belongs to; the others tell nothing
    noise: float = 0.0  # deviation of the error of numbers; 0 for classes

    def block_of(self) -> np.ndarray:
        """Return the block of each feature, from 0; -1 for those that tell nothing."""
        found = np.full(self.columns, -1)
        found[: len(self.blocks)] = self.blocks
        return found


def linear(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Ten independent features that add up, the last with two fifths of the weight of the first."""
    x = draw.standard_normal((n, p))
    return x, x[:, :10] @ np.linspace(2.0, 0.8, 10)


def blocks(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Features in blocks that say about the same, as genes do; five blocks add up."""
    hidden = draw.standard_normal((n, p // BLOCK))
    noise = draw.standard_normal((n, p))
    x = np.sqrt(WITHIN) * np.repeat(hidden, BLOCK, axis=1) + np.sqrt(1 - WITHIN) * noise
    return x, 2.0 * hidden[:, :5] @ np.array([1.0, -1.0, 1.0, -1.0, 1.0])


def interactions(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Two features whose signs tell only together, one that tells by its size, and one that tells straight on."""
    x = draw.standard_normal((n, p))
    size = np.abs(x[:, 3]) - np.sqrt(2 / np.pi)
    return x, 2.0 * np.sign(x[:, 0] * x[:, 1]) + 2.0 * x[:, 2] + 2.0 * size


def friedman(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Friedman's first function (1991): a product, a square and two straight features."""
    x = draw.random((n, p))
    return x, 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]


def steps(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Features in blocks of ten that say about the same; two blocks by steps, a third only where the first is high."""
    x, _ = blocks(draw, n, p)
    first, second, third = x[:, 0], x[:, BLOCK], x[:, 2 * BLOCK]
    return x, 2.0 * (first > 0) + 1.5 * (second > 0.5) + np.where(first > 0, third, 0.0)


TRUTHS = {
    "linear": Truth("10 of 200 independent features add up", 200, 200, linear, tuple(range(10))),
    "blocks": Truth("5 of 100 blocks of 10 like features add up", 100, 1000, blocks, tuple(np.repeat(range(5), 10))),
    "interactions": Truth("2 features that tell together, 2 alone, of 50", 600, 50, interactions, tuple(range(4))),
    "sum": Truth("10 of 200 independent features add up", 200, 200, linear, tuple(range(10)), noise=3.0),
    "friedman": Truth("Friedman's function of 5 of 50", 200, 50, friedman, tuple(range(5)), noise=2.0),
    "steps": Truth(
        "3 of 60 blocks of 10 like features, by steps", 150, 600, steps, tuple(np.repeat(range(3), 10)), noise=1.0
    ),
}


def rows_of(truth: Truth, draw: np.random.Generator, n: int) -> Drawn:
    """Draw n rows: features, and numbers with a normal error, or classes 0 and 1 by a logistic one."""
    x, latent = truth.draw(draw, n, truth.columns)
    if truth.noise:
        return x, latent + truth.noise * draw.standard_normal(n)
    return x, (latent + draw.logistic(size=n) > 0).astype(int)


def recall(columns: np.ndarray, block: np.ndarray) -> float:
    """Return the share of the blocks that tell of which a feature was kept."""
    found = block[columns]
    return len(np.unique(found[found >= 0])) / len(np.unique(block[block >= 0]))


def false_selections(columns: np.ndarray, block: np.ndarray) -> int:
    """Return how many of the features kept tell nothing."""
    return int((block[columns] < 0).sum())
