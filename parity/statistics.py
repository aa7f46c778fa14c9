"""The statistical comparison: do unrelated seeds select alike in R and in pyrrf?

R runs with seeds 1 to 100 and pyrrf with seeds 1001 to 1100, so no forest is the same. For each data
set four things are compared: subset size, OOB error, selection frequency by feature, and the Jaccard
overlap of subsets within and across the sides. Each has a permutation test at a level shared out over
the whole table, and the smallest change that the test finds with 90 % power, found by simulation.
Sizes and errors also have an equivalence test.

The power is in `power.py`. `make parity` writes the tables (`tables.py`) to RESULTS.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from parity.bits import Bits
from parity.datasets import load
from parity.store import RECORDED

R_SEEDS = range(1, 101)
PY_SEEDS = range(1001, 1101)
SETS: dict[str, dict[str, Any]] = {
    "sonar": {"ntree": 40},
    "fgl": {"ntree": 40, "coefReg": 0.6},
    "votes": {"ntree": 40},
    "imports_aspiration": {"ntree": 40},
    "wide": {"ntree": 40},
    "inexact5": {"ntree": 40, "coefReg": 0.7, "mtry": 3},
}
"""Data sets of the comparison and the arguments that both sides get."""

METRICS = ("size", "error", "frequency", "overlap")
LEVEL = 0.05 / (len(SETS) * len(METRICS))
"""Level of one test; all tests together err with probability 0.05 at most (Bonferroni)."""

EQUIVALENCE_BOUND = 0.5
"""Bound of the equivalence test, in standard deviations over seeds."""

PERMUTATIONS = 9999
RECORDED_FILE = RECORDED / "statistics.json"


@dataclass
class Runs:
    """What one side gave on one data set.

    Parameters
    ----------
    chosen : ndarray of bool, shape (seeds, p)
        The subset of each seed.
    error : ndarray of float64, shape (seeds,)
        OOB error after the last tree.
    """

    chosen: np.ndarray
    error: np.ndarray

    @classmethod
    def of(cls, fits: Iterable[tuple[Iterable[int], float]], p: int) -> Runs:
        """Runs from pairs of feature positions (from 0) and error."""
        pairs = [(list(features), error) for features, error in fits]
        chosen = np.zeros((len(pairs), p), dtype=bool)
        for row, (features, _) in enumerate(pairs):
            chosen[row, features] = True
        return cls(chosen, np.array([error for _, error in pairs]))


def run_r(r: Any, name: str) -> Runs:
    """R's runs, live; `r` is an RSide."""
    parts, args = load(name).parts, SETS[name]
    for part in ("x", "y"):
        r.ro.globalenv[part] = r.to_r(parts[part])
    given = "".join(f", {key} = {value!r}" for key, value in args.items())
    r.ro.r(f"one <- function(s) {{ set.seed(s); f <- RRF(x, y{given}); list(f$feaSet, f$err.rate[f$ntree, 1]) }}")
    fits = r.ro.r(f"lapply({R_SEEDS.start}:{R_SEEDS.stop - 1}, one)")
    return Runs.of([(np.asarray(fit[0], dtype=int) - 1, float(fit[1][0])) for fit in fits], parts["x"].shape[1])


def run_pyrrf(name: str) -> Runs:
    """pyrrf's runs."""
    from pyrrf import RRF

    parts = load(name).parts
    fits = [RRF(parts["x"], parts["y"], seed=seed, **SETS[name]) for seed in PY_SEEDS]
    pairs = [(np.asarray(fit.feaSet, dtype=int), float(np.asarray(fit.err_rate)[-1, 0])) for fit in fits]
    return Runs.of(pairs, parts["x"].shape[1])


def write_recorded(runs: dict[str, Runs]) -> None:
    """Store R's runs for machines without R."""
    plain = {
        name: [[np.flatnonzero(row).tolist(), error] for row, error in zip(r.chosen, r.error.tolist(), strict=True)]
        for name, r in runs.items()
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(fits, separators=(',', ':'))}" for name, fits in plain.items())
    RECORDED_FILE.write_text(f"{{\n{lines}\n}}\n")


def read_recorded(name: str) -> Runs:
    """R's runs as recorded."""
    return Runs.of(json.loads(RECORDED_FILE.read_text())[name], load(name).parts["x"].shape[1])


# ---- tests ---------------------------------------------------------------------------------------


def splits(bits: Bits, count: int, half: int) -> np.ndarray:
    """Random halves: shape (count, 2 * half), True on the rows that count as R's."""
    order = np.argsort(bits.uniform(count, 2 * half), axis=1, kind="stable")
    return order < half


def mean_difference(values: np.ndarray, left: np.ndarray) -> np.ndarray:
    """|mean on the left - mean on the right| for each split, shape (splits,)."""
    half = left.shape[1] // 2
    sums = left @ values
    return np.abs(2 * sums - values.sum()) / half


def frequency_difference(chosen: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Largest difference of a feature's selection frequency for each split."""
    half = left.shape[1] // 2
    counts = left.astype(float) @ chosen.astype(float)
    return np.abs(2 * counts - chosen.sum(axis=0)).max(axis=1) / half


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


def overlap_gap(overlap: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Mean overlap within the halves less that across; large when the sides differ."""
    within_left, within_right, across = overlap_means(overlap, left)
    return (within_left + within_right) / 2 - across


@dataclass(eq=False)
class Comparison:
    """Both sides on one data set, and the tests.

    Parameters
    ----------
    name : str
        Data set.
    r, py : Runs
    """

    name: str
    r: Runs
    py: Runs

    @cached_property
    def left(self) -> np.ndarray:
        """Random halves for the permutation tests; the first is the real one."""
        half = len(self.r.error)
        real = np.arange(2 * half) < half
        return np.vstack([real, splits(Bits(101), PERMUTATIONS, half)])

    @cached_property
    def chosen(self) -> np.ndarray:
        """Subsets of both sides, R's first."""
        return np.vstack([self.r.chosen, self.py.chosen])

    @cached_property
    def error(self) -> np.ndarray:
        """OOB errors of both sides, R's first."""
        return np.concatenate([self.r.error, self.py.error])

    @cached_property
    def size(self) -> np.ndarray:
        """Subset sizes of both sides, R's first."""
        return self.chosen.sum(axis=1).astype(float)

    @cache  # noqa: B019 (a comparison lives as long as the session)
    def statistics(self, metric: str) -> np.ndarray:
        """Statistic of a metric for every split; the first is the observed one."""
        if metric in ("size", "error"):
            return mean_difference(getattr(self, metric), self.left)
        if metric == "frequency":
            return frequency_difference(self.chosen, self.left)
        return overlap_gap(jaccard(self.chosen), self.left)

    def p_value(self, metric: str) -> float:
        """Share of splits, the real one included, that are as extreme as the real one."""
        found = self.statistics(metric)
        return float(np.mean(found >= found[0] - 1e-12))

    def threshold(self, metric: str) -> float:
        """Value of the statistic that the test rejects beyond."""
        return float(np.quantile(self.statistics(metric)[1:], 1 - LEVEL))

    def differences(self, metric: str) -> np.ndarray:
        """Difference of means (pyrrf - R) in standard deviations within sides, for every split."""
        values, left = getattr(self, metric), self.left.astype(float)
        half = len(self.r.error)
        mean_r, mean_py = left @ values / half, (1 - left) @ values / half
        squares_r, squares_py = left @ values**2, (1 - left) @ values**2
        spread = (squares_r + squares_py - half * (mean_r**2 + mean_py**2)) / (2 * half - 2)
        return (mean_py - mean_r) / np.sqrt(spread)

    def equivalent(self, metric: str) -> np.ndarray:
        """Whether the 90 % interval of the difference is within the bound, for every split."""
        margin = 1.645 * np.sqrt(2 / len(self.r.error))
        return np.abs(self.differences(metric)) + margin < EQUIVALENCE_BOUND
