"""Compares the engines: does engine="parallel" select as engine="r" does?

Their random draws differ, so forests cannot be compared one by one. Each run of `engines_data.py`
is grown with many seeds by both engines, and five metrics are compared: subset size, OOB error, the
frequency with which each feature is selected, the overlap of subsets, and the importance of each feature.

A metric is a list of contrasts, parallel less r: one contrast, or one per feature; for the overlap, the contrasts
between its means within engines and across engines. Each metric has two tests.

- Difference: a permutation test of the largest contrast in units of its standard error. Its level is
  exact and divided among all tests (Bonferroni).
- Equivalence: every contrast, with its 90 % interval, must lie within a bound (two one-sided tests at
  level 0.05 each). All contrasts must pass, so the level need not be divided.

Engine r runs with ``quirks=False``, because the parallel engine has none of the quirks: ties of votes and of
leaves are fair, class weights of 1 are exact, ``flagReg=0`` weighs the features of a regression. With
``quirks=True``, where among other things later classes win ties of votes too often, the OOB error of "ties"
was 0.001 higher over 12,000 seeds of engine r, 0.05 standard deviations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from parity.bits import Bits
from parity.engines_data import RUNS, Forests, grow
from parity.engines_ties import grow_with_fair_ties

SEEDS = 500
PERMUTATIONS = 9999
R_SEEDS = range(1, SEEDS + 1)
PARALLEL_SEEDS = range(100_001, 100_001 + SEEDS)

METRICS = ("size", "error", "frequency", "overlap", "importance")
FAMILY_LEVEL = 0.02
"""Probability that any test of differences rejects when the engines are the same procedure."""
LEVEL = FAMILY_LEVEL / (len(RUNS) * len(METRICS))
EQUIVALENCE_BOUND = 0.4
"""Bound of the equivalence tests, in standard deviations over seeds."""
ONE_SIDED_95 = 1.645
POWER = 0.9
Grower = Callable[..., Forests]


@dataclass(frozen=True)
class Control:
    """A run in which the parallel engine is told another rule, so that the tests must fail.

    Parameters
    ----------
    run : str
    changed : dict
        Arguments that the parallel engine gets instead.
    found : tuple of str
        Metrics whose test of differences must reject.
    grow : callable
        What grows the forests.
    """

    run: str
    changed: dict[str, Any]
    found: tuple[str, ...]
    grow: Grower = grow


CONTROLS = {
    "control: mtry 6 for 4": Control("continuous", {"mtry": 6}, ("size", "overlap")),
    "control: coefReg 0.9 for 0.85": Control("continuous", {"coefReg": 0.9}, ("size", "frequency", "overlap")),
    "control: coefReg 0.9 for 0.8": Control("ties", {"coefReg": 0.9}, ("size", "error", "frequency", "overlap")),
    "control: penalty='gain'": Control("ties", {"penalty": "gain"}, METRICS),
    "control: fair ties": Control("few rows, coefReg=1", {}, ("size", "overlap"), grow_with_fair_ties),
}


def splits(bits: Bits, count: int, half: int) -> np.ndarray:
    """Random halves: shape (count, 2 * half), True on the rows that count as R's."""
    order = np.argsort(bits.uniform(count, 2 * half), axis=1, kind="stable")
    return order < half


@cache
def _labellings() -> np.ndarray:
    """Rows that count as engine r's, for the permutation tests; the first labelling is the real one."""
    real = np.arange(2 * SEEDS) < SEEDS
    return np.vstack([real, splits(Bits(401), PERMUTATIONS, SEEDS)])


def jaccard(chosen: np.ndarray) -> np.ndarray:
    """Jaccard overlap of all pairs of subsets, shape (seeds, seeds)."""
    both = chosen.astype(float) @ chosen.T.astype(float)
    sizes = chosen.sum(axis=1)
    either = sizes[:, None] + sizes[None, :] - both
    return both / np.maximum(either, 1)


def overlap_means(overlap: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean overlap within the left half, within the right half and across, for each split."""
    half = left.shape[1] // 2
    a = left.astype(float)
    within_left = np.einsum("ij,ij->i", a @ overlap, a) - half
    across = (a @ overlap).sum(axis=1) - within_left - half
    within_right = overlap.sum() - 2 * across - within_left - 2 * half
    pairs = half * (half - 1)
    return within_left / pairs, within_right / pairs, across / half**2


def mean_contrasts(values: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Mean on the right less mean on the left of each column, shape (labellings, columns)."""
    half = left.shape[1] // 2
    sums = left.astype(float) @ values
    return (values.sum(axis=0) - 2 * sums) / half


def overlap_contrasts(overlap: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Mean overlap across less that within the left, less that within the right, less the mean of both."""
    within_left, within_right, across = overlap_means(overlap, left)
    return np.column_stack([across - within_left, across - within_right, across - (within_left + within_right) / 2])


@cache
def grow_r(run: str) -> Forests:
    """Forests of engine r."""
    return grow(RUNS[run], R_SEEDS, engine="r", quirks=False)


def grow_parallel(run: str, grower: Grower = grow, **changed: Any) -> Forests:
    """Forests of the parallel engine, or of another `grower`; `changed` are arguments that it gets instead."""
    return grower(RUNS[run], PARALLEL_SEEDS, engine="parallel", **changed)


@dataclass(eq=False)
class Comparison:
    """Both engines on one run, and the tests.

    Parameters
    ----------
    name : str
        Run.
    r, parallel : Forests
        One forest per seed, with as many seeds for each engine.
    """

    name: str
    r: Forests
    parallel: Forests

    @cached_property
    def overlap(self) -> np.ndarray:
        """Overlap of the subsets of all pairs of seeds, those of engine r first."""
        return jaccard(np.vstack([self.r.chosen, self.parallel.chosen]))

    @cache  # noqa: B019 (a comparison lives as long as the session)
    def values(self, metric: str) -> np.ndarray:
        """Values averaged over seeds, shape (2 * seeds, columns); a seed's mean overlap with its own engine."""
        if metric == "overlap":
            return np.concatenate([_own_overlap(self.r.chosen), _own_overlap(self.parallel.chosen)])[:, None]
        sides = [_columns(side, metric) for side in (self.r, self.parallel)]
        return np.vstack(sides).astype(float)

    @cache  # noqa: B019
    def contrasts(self, metric: str) -> np.ndarray:
        """Contrasts for each labelling, shape (labellings, contrasts); the first row is the observed one."""
        if metric == "overlap":
            return overlap_contrasts(self.overlap, _labellings())
        return mean_contrasts(self.values(metric), _labellings())

    def spread(self, metric: str) -> np.ndarray:
        """Standard deviation over seeds within engines, one a contrast."""
        values = self.values(metric)
        variances = [side.var(axis=0, ddof=1) for side in (values[:SEEDS], values[SEEDS:])]
        return np.broadcast_to(np.sqrt(np.mean(variances, axis=0)), self.contrasts(metric).shape[1])

    def standard_error(self, metric: str) -> np.ndarray:
        """Standard deviation of each contrast over the labellings; 1 where all seeds agree."""
        deviation = self.contrasts(metric)[1:].std(axis=0)
        return np.where(deviation > 0, deviation, 1.0)

    @cache  # noqa: B019
    def statistics(self, metric: str) -> np.ndarray:
        """Largest contrast in standard errors for each labelling; the first is the observed one."""
        return np.abs(self.contrasts(metric) / self.standard_error(metric)).max(axis=1)

    def p_value(self, metric: str) -> float:
        """Share of labellings, the real one included, that are as extreme as the real one."""
        statistics = self.statistics(metric)
        return float(np.mean(statistics >= statistics[0] - 1e-12))

    def differences(self, metric: str) -> np.ndarray:
        """Observed contrasts in standard deviations over seeds; 0 where all seeds agree."""
        spread = self.spread(metric)
        return self.contrasts(metric)[0] / np.where(spread > 0, spread, 1.0)

    @cache  # noqa: B019
    def equivalents(self, metric: str) -> np.ndarray:
        """Whether all intervals lie within the bound, for each labelling; the first is the observed one."""
        margin = ONE_SIDED_95 * self.standard_error(metric)
        varies = self.contrasts(metric).std(axis=0) > 0
        inside = np.abs(self.contrasts(metric)) + margin < EQUIVALENCE_BOUND * self.spread(metric)
        return (inside | ~varies).all(axis=1)

    def equivalence_power(self, metric: str) -> float:
        """Share of random labellings, where nothing differs, that the equivalence test finds equivalent."""
        return float(self.equivalents(metric)[1:].mean())

    def detectable(self, metric: str) -> float:
        """Shift of one contrast, in standard deviations over seeds, that the difference test finds with power 0.9.

        The contrasts of random labellings stand for the noise; of the contrasts the least visible counts.
        """
        error, spread = self.standard_error(metric), self.spread(metric)
        limit = np.quantile(self.statistics(metric)[1:], 1 - LEVEL)
        shifts = limit * error - np.quantile(self.contrasts(metric)[1:], 1 - POWER, axis=0)
        return float((shifts[spread > 0] / spread[spread > 0]).max())


def _columns(side: Forests, metric: str) -> np.ndarray:
    """One row per seed."""
    if metric == "size":
        return side.chosen.sum(axis=1)[:, None]
    return {"error": side.error[:, None], "frequency": side.chosen, "importance": side.importance}[metric]


def _own_overlap(chosen: np.ndarray) -> np.ndarray:
    """Mean overlap of each subset with the others, shape (seeds,)."""
    overlap = jaccard(chosen)
    return (overlap.sum(axis=1) - np.diag(overlap)) / (len(chosen) - 1)
