"""Power of the statistical comparison, by simulation from the runs themselves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from parity.bits import Bits
from parity.statistics import Comparison, frequency_difference, jaccard, mean_difference, overlap_gap

POWER = 0.9
SIMULATIONS = 400


@cache
def detectable(comparison: Comparison, metric: str) -> float:
    """Smallest change of a metric that its test finds with 90 % power.

    Both sides are drawn anew from all 200 runs, one side is changed by a growing amount, and the
    share of rejections is counted. The unit is that of `CHANGES`.
    """
    limit = comparison.threshold(metric)
    amounts = CHANGES[metric].amounts
    at = bisect_left(amounts, POWER, key=lambda amount: rejections(comparison, metric, amount, limit))
    return amounts[at] if at < len(amounts) else float("inf")


def equivalence_power(comparison: Comparison, metric: str) -> float:
    """Share of random splits, where nothing differs, that the equivalence test finds equivalent."""
    return float(comparison.equivalent(metric)[1:].mean())


def rejections(comparison: Comparison, metric: str, amount: float, limit: float) -> float:
    """Share of simulated comparisons, one side changed by `amount`, that the test rejects."""
    bits = Bits(202)
    half = len(comparison.r.error)
    real = (np.arange(2 * half) < half)[None, :]
    hits = 0
    for _ in range(SIMULATIONS):
        rows = bits.integers(2 * half, 2 * half)
        hits += CHANGES[metric].statistic(comparison, rows, amount, bits, real) > limit
    return hits / SIMULATIONS


def _shifted(metric: str) -> Callable[..., float]:
    def statistic(comparison: Comparison, rows: np.ndarray, amount: float, bits: Bits, real: np.ndarray) -> float:
        values = getattr(comparison, metric)
        drawn = values[rows] + np.where(real[0], 0, amount * values.std(ddof=1))
        return float(mean_difference(drawn, real)[0])

    return statistic


def _rarer(comparison: Comparison, rows: np.ndarray, amount: float, bits: Bits, real: np.ndarray) -> float:
    """One feature, the one chosen nearest to half of the time, loses or gains `amount` of frequency."""
    chosen = comparison.chosen[rows]
    frequency = comparison.chosen.mean(axis=0)
    feature = int(np.argmin(np.abs(frequency - 0.5)))
    f = frequency[feature]
    side = ~real[0]
    u = bits.uniform(int(side.sum()))
    column = chosen[side, feature]
    changed = (column & (u >= amount / f)) if f >= 0.5 else (column | (u < amount / (1 - f)))
    chosen[side, feature] = changed
    return float(frequency_difference(chosen, real)[0])


def _swapped(comparison: Comparison, rows: np.ndarray, amount: float, bits: Bits, real: np.ndarray) -> float:
    """Each chosen feature is swapped, with probability `amount`, for the next one in the table."""
    chosen = comparison.chosen[rows]
    side = ~real[0]
    part = chosen[side]
    moves = part & (bits.uniform(*part.shape) < amount)
    chosen[side] = (part & ~moves) | np.roll(moves, 1, axis=1)
    return float(overlap_gap(jaccard(chosen), real)[0])


@dataclass(frozen=True)
class Change:
    """How one side is changed in the power simulation, by which amounts, and the unit of an amount."""

    statistic: Callable[..., float]
    amounts: tuple[float, ...]
    unit: str


CHANGES = {
    "size": Change(_shifted("size"), tuple(i / 20 for i in range(1, 41)), "SD of size over seeds"),
    "error": Change(_shifted("error"), tuple(i / 20 for i in range(1, 41)), "SD of error over seeds"),
    "frequency": Change(_rarer, tuple(i / 50 for i in range(1, 26)), "change of one feature's frequency"),
    "overlap": Change(_swapped, tuple(i / 50 for i in range(1, 51)), "share of chosen features swapped"),
}
