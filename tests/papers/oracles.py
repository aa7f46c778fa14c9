"""What tests of the papers' systems share: impurities and best cuts by definition, a table of mixed columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np
import pandas as pd


def entropy(weights: Iterable[float]) -> float:
    """Bits of classes with these weights."""
    parts = list(weights)
    return -sum(w / sum(parts) * math.log2(w / sum(parts)) for w in parts if w > 0)


def gini(weights: Iterable[float]) -> float:
    """The Gini index of classes with these weights."""
    parts = list(weights)
    return 1 - sum((w / sum(parts)) ** 2 for w in parts)


def best_gain(
    column: np.ndarray,
    y: np.ndarray,
    impurity: Callable[[list[float]], float] = entropy,
    weight: np.ndarray | list[float] | None = None,
) -> float:
    """By how much the best cut of a column lowers the impurity, by trying all; rows weigh 1 / n by default."""
    weights = np.full(len(y), 1 / len(y)) if weight is None else np.asarray(weight)

    def of_part(rows: np.ndarray) -> float:
        parts = [weights[rows & (y == label)].sum() for label in np.unique(y)]
        return sum(parts) * impurity(parts) if sum(parts) else 0.0

    cuts = (column <= cut for cut in np.unique(column)[:-1])
    return of_part(column == column) - min(of_part(left) + of_part(~left) for left in cuts)


def gains_of_orders(n: int, i: int, impurity: Callable[[list[float]], float] = entropy) -> list[float]:
    """What the best cut gains in each order of n rows, i of which are of one class."""
    gains = []
    for places in combinations(range(n), i):
        cuts = [(k, sum(place < k for place in places)) for k in range(1, n)]
        below = [k * impurity([j, k - j]) + (n - k) * impurity([i - j, n - k - i + j]) for k, j in cuts]
        gains.append(max(0.0, impurity([i, n - i]) - min(below) / n))
    return gains


def mixed_table() -> tuple[pd.DataFrame, np.ndarray]:
    """A column of noise, one of categories, one of numbers that miss values; the last two decide the class."""
    rng = np.random.default_rng(2)
    colour, number = rng.choice(["red", "green", "blue", "grey"], 150), rng.standard_normal(150)
    number[::7] = np.nan
    frame = pd.DataFrame({"noise": rng.random(150), "colour": pd.Categorical(colour), "number": number})
    return frame, np.where(np.isin(colour, ["red", "blue"]) ^ (np.nan_to_num(number) > 0), "a", "b")
