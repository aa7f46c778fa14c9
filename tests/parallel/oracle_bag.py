"""What the slow forest of `oracle.py` is given, its random numbers, and the bags of its trees."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pyrrf._core.criteria import Criterion, Penalty

COUNTED_UP_TO = 128  # rows; equal numbers then share the number of smaller ones, otherwise their rank
SAMPLINGS = 11

# ---- chance ----------------------------------------------------------------------------------------------------------

LOW_64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """SplitMix64's finalizer."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & LOW_64
    value = (value ^ value >> 27) * 0x94D049BB133111EB & LOW_64
    return value ^ value >> 31


def word(key: int, i: int) -> int:
    """Number i of a stream."""
    return mix(key + (i + 1) * GOLDEN & LOW_64)


def halves(seed: int, stream: int) -> Iterator[int]:
    """The 32-bit numbers that a tree's bag is drawn from, the low half of each word first."""
    key = word(word(seed, 0), stream) | 1
    for i in itertools.count():
        both = word(key, i)
        yield both & 2**32 - 1
        yield both >> 32


def unit(bits: int) -> float:
    """Between 0 and 1."""
    return ((bits >> 11) + 0.5) * 2.0**-53


def whole_weights(probability: np.ndarray) -> list[int]:
    """Probabilities as whole numbers; the sum is taken from left to right, as in C."""
    total = functools.reduce(operator.add, probability.tolist())
    return [int(chance / total * 2.0**52) for chance in probability.tolist()]


# ---- what is given ---------------------------------------------------------------------------------------------------


@dataclass
class Task:
    """The arguments of a fit; numbers have one class."""

    x: np.ndarray  # (n, p); level k of a factor, from 1, as k; NaN is a missing number
    ncat: np.ndarray
    y: np.ndarray
    nclass: int
    mtry: int
    coef_reg: np.ndarray
    nodesize: int = 1
    max_nodes: int = 2**31 - 1
    flag_reg: int = 1
    entropy: bool = False
    penalize_gain: bool = False
    draw_from_all: bool = False
    max_depth: int = 0
    use_depth: bool = False
    draw_until_split: bool = False
    ties_first: bool = False
    depth_first: bool = False
    feature_group: np.ndarray | None = None
    row_weight: np.ndarray | None = None
    classwt: np.ndarray | None = None
    # Of a forest:
    ntree: int = 1
    replace: bool = True
    sampsize: list[int] = field(default_factory=list)
    strata: np.ndarray | None = None
    cutoff: np.ndarray | None = None

    @property
    def numbers(self) -> bool:
        return self.y.dtype.kind == "f"

    @property
    def codes(self) -> np.ndarray:
        return np.zeros(len(self.y), int) if self.numbers else self.y

    @property
    def criterion(self) -> Criterion:
        return Criterion.ENTROPY if self.entropy else Criterion.OF_R

    @property
    def penalty(self) -> Penalty:
        return Penalty.GAIN if self.penalize_gain else Penalty.CRITERION

    @property
    def gains(self) -> bool:
        """Whether coefficients multiply the decrease of impurity, not the criterion."""
        return self.numbers or self.entropy or self.penalize_gain

    def groups_of(self, features: Iterable[int]) -> set[int]:
        """The features, and those that enter F with them."""
        group = np.arange(len(self.ncat)) if self.feature_group is None else self.feature_group
        return {other for feature in features for other in np.flatnonzero(group == group[feature]).tolist()}

    def class_weight(self) -> list[float]:
        if self.classwt is None:
            return [1.0] * self.nclass
        n, sizes = len(self.y), np.bincount(self.y, minlength=self.nclass)
        raw = [float(w) / add(self.classwt) * n / int(size) for w, size in zip(self.classwt, sizes, strict=True)]
        return [1.0 if abs(w - 1.0) < 1e-14 else w for w in raw]

    def draw_weight(self, row_weight: np.ndarray | None) -> list[float]:
        """What a drawn row counts for; row weights have mean 1."""
        by_class = self.class_weight()
        of_row = np.ones(len(self.y)) if row_weight is None else row_weight * (len(self.y) / add(row_weight))
        return [by_class[k] * float(w) for k, w in zip(self.codes, of_row, strict=True)]

    def counts_alone(self) -> bool:
        """Classes without weights: every sum is a whole number, and equal values share a key."""
        return not self.numbers and not self.weighted()

    def weighted(self) -> bool:
        return self.row_weight is not None or set(self.class_weight()) != {1.0}


def add(values: Any) -> float:
    """From the left, unlike the sums of numpy and of Python 3.12."""
    total = 0.0
    for value in values:
        total += float(value)
    return total


def v_log_v(v: float) -> float:
    return v * math.log2(v) if v > 0 else 0.0


def keys_of(column: np.ndarray, shared: bool) -> np.ndarray:
    """By which a cut is known: the key of the last row left of it."""
    if not shared:
        key = np.empty(len(column), int)
        key[np.argsort(column, kind="stable")] = np.arange(len(column))
        return key
    present = np.sort(column[~np.isnan(column)])
    return np.searchsorted(np.unique(present) if len(column) > COUNTED_UP_TO else present, column)


# ---- the bag ---------------------------------------------------------------------------------------------------------


@dataclass
class Bag:
    """Rows of a tree: how often each was drawn, and what it weighs then."""

    count: list[int]
    weight: list[float]
    total: list[float]  # by class, added draw by draw

    @property
    def rows(self) -> list[int]:
        return [row for row, weight in enumerate(self.weight) if weight > 0]


def fill_bag(task: Task, draws: Any, row_weight: np.ndarray | None) -> Bag:
    n, draw_weight = len(task.y), task.draw_weight(row_weight)
    bag = Bag([0] * n, [0.0] * n, [0.0] * task.nclass)
    for row in draws:
        bag.count[row] += 1
        bag.weight[row] += draw_weight[row]
        bag.total[task.codes[row]] += draw_weight[row]
    return bag


def draw_rows(rows: list[int], size: int, replace: bool, chance: Iterator[int]) -> list[int]:
    pool, drawn = list(rows), []
    for _ in range(size):
        at = len(pool) * next(chance) >> 32
        drawn.append(pool[at])
        if not replace:
            pool[at] = pool[-1]
            pool.pop()
    return drawn


def draw_bag(task: Task, seed: int, tree: int) -> Bag:
    """Again while no row has a weight."""
    chance = halves(seed, tree)
    return next(bag for bag in (draw_weighted(task, chance) for _ in itertools.count()) if any(bag.total))


def draw_weighted(task: Task, chance: Iterator[int]) -> Bag:
    """Of all rows, again while a class is missing; or a fixed number from each stratum."""
    everyone = list(range(len(task.y)))
    if task.strata is not None:
        groups = [[row for row in everyone if task.strata[row] == s] for s in range(len(task.sampsize))]
        parts = [draw_rows(rows, size, task.replace, chance) for rows, size in zip(groups, task.sampsize, strict=True)]
        return fill_bag(task, itertools.chain(*parts), task.row_weight)
    for _ in range(SAMPLINGS):
        bag = fill_bag(task, draw_rows(everyone, task.sampsize[0], task.replace, chance), task.row_weight)
        if 0.0 not in bag.total:
            break
    return bag
