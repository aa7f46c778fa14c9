"""Simulated truths: it is known which features tell, and which of these say the same."""

from __future__ import annotations

import math
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
    freedom: float = math.inf  # of Student's t, which the error of numbers has; few: judged on rows without error
    flips: float = 0.0  # the share of classes that are the other one, in place of a logistic error
    levels: tuple[int, ...] = ()  # of the factors among the first features, whose codes count from 0; 0 for numbers

    def block_of(self) -> np.ndarray:
        """Return the block of each feature, from 0; -1 for those that tell nothing."""
        found = np.full(self.columns, -1)
        found[: len(self.blocks)] = self.blocks
        return found

    def levels_of(self) -> np.ndarray:
        """Return how many levels each feature has; 0 for numbers."""
        found = np.zeros(self.columns, int)
        found[: len(self.levels)] = self.levels
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


# ---- for tuning: written down before anything ran on them, looked at since ------------------------------------------


def xor(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Two features that tell only together: whether exactly one is above its median."""
    x = draw.uniform(-1.0, 1.0, (n, p))
    return x, x[:, 0] * x[:, 1]


def copies(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Five features that add up, each with an exact copy and three noisy ones."""
    x = draw.standard_normal((n, p))
    told = x[:, :5].copy()
    x[:, 5:10] = told
    x[:, 10:25] = np.tile(told, 3) + 0.35 * x[:, 10:25]
    return x, told @ np.array([2.2, -1.8, 1.4, -1.0, 0.8])


def tails(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Six features: three straight, a step, and two by their sizes."""
    x = draw.standard_normal((n, p))
    sizes = np.abs(x[:, 4]) + np.minimum(x[:, 5] ** 2, 4.0)
    return x, 1.5 * x[:, 0] - 1.2 * x[:, 1] + x[:, 2] + 1.5 * (x[:, 3] > 0.3) + sizes


def rare(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """One row in twenty is of a class, where three features are large together, or a fourth and a fifth differ."""
    x = draw.standard_normal((n, p))
    return x, 1.6 * (x[:, 0] + x[:, 1] + np.maximum(x[:, 2], 0.0)) + 1.3 * np.abs(x[:, 3] - x[:, 4]) - 7.4


def sines(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Four features by waves of one to two periods, one of which is scaled by a fifth feature."""
    x = draw.random((n, p))
    wave = np.sin(2 * np.pi * x[:, :4] * np.array([1.0, 1.5, 2.0, 1.0]))
    return x, 2.0 * wave[:, 0] + 1.6 * wave[:, 1] + 1.2 * wave[:, 2] + 2.0 * wave[:, 3] * x[:, 4]


def alternating(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Neighbours have a correlation of .9, as in an autoregressive row; six, four apart, tell with signs in turns."""
    x = draw.standard_normal((n, p))
    for j in range(1, p):
        x[:, j] = 0.9 * x[:, j - 1] + np.sqrt(1 - 0.9**2) * x[:, j]
    told = np.arange(p // 2, p // 2 + 24, 4)
    x = np.hstack([x[:, told], np.delete(x, told, axis=1)])
    return x, 3.0 * x[:, :6] @ np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])


def suppressors(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Four signals under two disturbances, which two features of no effect of their own measure."""
    x = draw.standard_normal((n, p))
    signal, disturbance = draw.standard_normal((n, 4)), draw.standard_normal((n, 2))
    x[:, :4] = signal + 1.5 * disturbance[:, [0, 0, 1, 1]]
    x[:, 4:6] = disturbance + 0.2 * x[:, 4:6]
    return x, signal @ np.array([2.0, 1.5, 1.5, 1.0])


def with_factors(draw: np.random.Generator, n: int, p: int, levels: tuple[int, ...]) -> np.ndarray:
    """Return normal features, the first of which are codes of factors with so many levels, where these are not 0."""
    x = draw.standard_normal((n, p))
    for j, count in enumerate(levels):
        if count:
            x[:, j] = draw.integers(count, size=n)
    return x


def effects(codes: np.ndarray, count: int) -> np.ndarray:
    """Return the effect of each row's level: mean 0 and deviation 1 over the levels, the same in every draw."""
    found = np.random.default_rng(count).standard_normal(count)
    return ((found - found.mean()) / found.std())[codes.astype(int)]


# Factors with effects, two numbers with effects, then factors of noise.
FACTORS = (2, 4, 8, 12, 0, 0, 3, 20, 50, 100)
SLOPES = (5, 0, 3, 0, 2, 6, 12, 30, 60)


def factors(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Four factors and two numbers that add up, beside factors of up to 100 levels that tell nothing."""
    x = with_factors(draw, n, p, FACTORS)
    added = np.sum([effects(x[:, j], FACTORS[j]) for j in range(4)], axis=0)
    return x, 1.4 * added + 1.2 * x[:, 4] - 1.0 * x[:, 5]


def slopes(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """One factor turns the slope of a number; another one and a number add to it."""
    x = with_factors(draw, n, p, SLOPES)
    return x, 2.0 * effects(x[:, 0], 5) * x[:, 1] + 1.5 * effects(x[:, 2], 3) + x[:, 3]


def wide(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Four hidden causes, each behind five features of very many, which come in hundreds that share a cause weakly."""
    x = draw.standard_normal((n, p)) + 0.5 * np.repeat(draw.standard_normal((n, p // 100)), 100, axis=1)
    hidden = draw.standard_normal((n, 4))
    x[:, :20] = 1.5 * np.repeat(hidden, 5, axis=1) + 0.7 * draw.standard_normal((n, 20))
    return x, 4.0 * hidden @ np.array([1.0, 1.0, -1.0, 0.7])


def tall(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Eight weak features: four straight, a product of two, a step, and one by its size."""
    x = draw.standard_normal((n, p)) + 0.7 * draw.standard_normal((n, 1))
    straight = x[:, :4] @ np.array([0.9, -0.7, 0.5, -0.3])
    return x, straight + 0.5 * x[:, 4] * x[:, 5] + 0.9 * (x[:, 6] > 1.0) + 0.5 * np.abs(x[:, 7]) - 0.8


def ratios(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Features above 0; the ratio of two, and of the larger one of two to a fifth."""
    x = np.exp(0.5 * draw.standard_normal((n, p)))
    return x, 2.0 * x[:, 0] / x[:, 1] + 2.0 * np.maximum(x[:, 2], x[:, 3]) / x[:, 4]


def rings(draw: np.random.Generator, n: int, p: int) -> Drawn:
    """Whether a point in three dimensions is near a sphere, not inside or outside of it."""
    x = draw.standard_normal((n, p))
    return x, 6.0 * (0.45 - np.abs(np.sqrt((x[:, :3] ** 2).sum(axis=1)) - 1.55))


TRUTHS = {
    "linear": Truth("10 of 200 independent features add up", 200, 200, linear, tuple(range(10))),
    "blocks": Truth("5 of 100 blocks of 10 like features add up", 100, 1000, blocks, tuple(np.repeat(range(5), 10))),
    "interactions": Truth("2 features that tell together, 2 alone, of 50", 600, 50, interactions, tuple(range(4))),
    "sum": Truth("10 of 200 independent features add up", 200, 200, linear, tuple(range(10)), noise=3.0),
    "friedman": Truth("Friedman's function of 5 of 50", 200, 50, friedman, tuple(range(5)), noise=2.0),
    "steps": Truth(
        "3 of 60 blocks of 10 like features, by steps", 150, 600, steps, tuple(np.repeat(range(3), 10)), noise=1.0
    ),
    "xor": Truth("the signs of 2 of 60 together, 10 % flipped", 300, 60, xor, (0, 1), flips=0.1),
    "copies": Truth("5 of 100, each with an exact copy and 3 noisy ones", 150, 100, copies, tuple(range(5)) * 5),
    "tails": Truth("6 of 50; an error of Student's t, 2 df", 250, 50, tails, tuple(range(6)), noise=1.0, freedom=2.0),
    "rare": Truth("5 of 40; a class of 5 %", 1000, 40, rare, tuple(range(5))),
    "sines": Truth("waves of 5 of 40", 300, 40, sines, tuple(range(5)), noise=0.6),
    "alternating": Truth("6 of 120 autoregressive ones, signs in turns", 250, 120, alternating, tuple(range(6))),
    "suppressors": Truth(
        "4 of 60, and 2 that take noise out of these", 200, 60, suppressors, tuple(range(6)), noise=0.7
    ),
    "factors": Truth(
        "4 factors and 2 numbers of 40, 4 factors of noise", 400, 40, factors, tuple(range(6)), levels=FACTORS
    ),
    "slopes": Truth(
        "2 factors and 2 numbers of 35, 5 factors of noise", 300, 35, slopes, tuple(range(4)), noise=0.8, levels=SLOPES
    ),
    "wide": Truth("4 blocks of 5 of 5,000", 60, 5000, wide, tuple(np.repeat(range(4), 5))),
    "tall": Truth("8 weak ones of 30", 4000, 30, tall, tuple(range(8))),
    "ratios": Truth("ratios of 5 of 40", 250, 40, ratios, tuple(range(5)), noise=0.8),
    "rings": Truth("the distance in 3 of 30", 500, 30, rings, tuple(range(3))),
}


def rows_of(truth: Truth, draw: np.random.Generator, n: int, judging: bool = False) -> Drawn:
    """Draw n rows: features, and numbers with an error, or classes 0 and 1 by a logistic error or by flips.

    Rows for judging are without the error where its variance is infinite.
    """
    x, latent = truth.draw(draw, n, truth.columns)
    if truth.noise and math.isinf(truth.freedom):
        return x, latent + truth.noise * draw.standard_normal(n)
    if truth.noise:
        return x, latent + (0.0 if judging else truth.noise * draw.standard_t(truth.freedom, n))
    if truth.flips:
        return x, ((latent > 0) ^ (draw.random(n) < truth.flips)).astype(int)
    return x, (latent + draw.logistic(size=n) > 0).astype(int)


def recall(columns: np.ndarray, block: np.ndarray) -> float:
    """Return the share of the blocks that tell of which a feature was kept."""
    found = block[columns]
    return len(np.unique(found[found >= 0])) / len(np.unique(block[block >= 0]))


def false_selections(columns: np.ndarray, block: np.ndarray) -> int:
    """Return how many of the features kept tell nothing."""
    return int((block[columns] < 0).sum())
