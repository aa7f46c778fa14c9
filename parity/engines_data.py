"""Data sets on which the engines are compared, and the calls that grow forests on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from parity.datasets.regression import levelled, surface
from parity.datasets.simulated import blobs, with_factors
from pyrrf import GRRF, RRF


def continuous() -> dict[str, Any]:
    """Two classes, no equal values."""
    return blobs(301, (60, 60), 20, 6, shift=0.9)


def ties() -> dict[str, Any]:
    """Three classes, about six different values per column."""
    return blobs(302, (40, 40, 40), 24, 6, decimals=0)


def factors() -> dict[str, Any]:
    """Two classes; factors of 2 to 20 levels beside numbers with ties."""
    return with_factors(303, (70, 70), (2, 3, 5, 9, 12, 20), 6)


def factors_three() -> dict[str, Any]:
    """Three classes; all subsets of up to ten levels, random ones of twelve."""
    return with_factors(304, (30, 30, 30), (3, 6, 8, 12), 8)


def wide() -> dict[str, Any]:
    """More columns than rows, as genes."""
    return blobs(305, (25, 25), 300, 8, shift=1.4)


def few_rows() -> dict[str, Any]:
    """Few rows, and many features that part the classes: they split a node equally well."""
    return blobs(308, (8, 8), 100, 60, shift=4.0)


def slope() -> dict[str, Any]:
    """Numbers as response, no equal values."""
    return surface(306, 120, 16)


def slope_levels() -> dict[str, Any]:
    """A response of integers; factors of 2 to 20 levels beside numbers with ties."""
    parts = levelled(307, 140, (2, 4, 7, 12, 20), 8)
    return {"x": parts["x"], "y": np.round(parts["y"]) + 0.0}


@dataclass(frozen=True)
class Run:
    """A data set and the call.

    Parameters
    ----------
    make : callable
        Makes x and y.
    arguments : dict
        Of the call.
    call : callable
        RRF or GRRF.
    """

    make: Callable[[], dict[str, Any]]
    arguments: dict[str, Any] = field(default_factory=dict)
    call: Callable[..., Any] = RRF


RUNS = {
    "continuous": Run(continuous, {"ntree": 30, "coefReg": 0.85}),
    "ties": Run(ties, {"ntree": 30}),
    "ties, flagReg=0": Run(ties, {"ntree": 2, "flagReg": 0}),
    "factors": Run(factors, {"ntree": 30}),
    "factors, three classes": Run(factors_three, {"ntree": 6}),
    "wide": Run(wide, {"ntree": 30}),
    "wide, guided": Run(wide, {"ntree": 30, "gamma": 0.5}, GRRF),
    "wide, flagReg=0": Run(wide, {"ntree": 10, "flagReg": 0}),
    "few rows, coefReg=1": Run(few_rows, {"ntree": 6, "coefReg": 1.0}),
    "wide, coefReg=1": Run(wide, {"ntree": 15, "coefReg": 1.0}),
    "ties, coefReg=0.5": Run(ties, {"ntree": 30, "coefReg": 0.5}),
    "ties, guided": Run(ties, {"ntree": 10, "gamma": 0.3}, GRRF),
    "regression": Run(slope, {"ntree": 20, "coefReg": 0.2}),
    "regression, ties and factors": Run(slope_levels, {"ntree": 20, "coefReg": 0.1}),
}


@dataclass
class Forests:
    """Results of one engine.

    Parameters
    ----------
    chosen : ndarray of bool, shape (seeds, p)
        The subset of each seed.
    error : ndarray of float64, shape (seeds,)
        OOB error, or mean squared error, after the last tree.
    importance : ndarray of float64, shape (seeds, p)
        Mean decrease in impurity.
    """

    chosen: np.ndarray
    error: np.ndarray
    importance: np.ndarray


@cache
def _data(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return make()


def grow(run: Run, seeds: Iterable[int], **changed: Any) -> Forests:
    """Forests of a run, one per seed; `changed` are further arguments of the call."""
    parts = _data(run.make)
    chosen, error, importance = [], [], []
    for seed in seeds:
        fit = run.call(parts["x"], parts["y"], seed=seed, **{**run.arguments, **changed})
        by_feature = fit.outcome.importance[:, -1]
        chosen.append(np.isin(np.arange(len(by_feature)), fit.feaSet))
        error.append(fit.mse.iloc[-1] if fit.type == "regression" else fit.err_rate.iloc[-1, 0])
        importance.append(by_feature)
    return Forests(np.array(chosen), np.array(error), np.array(importance))
