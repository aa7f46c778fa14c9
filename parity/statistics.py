"""The statistical comparison: do CRAN RRF and pyrrf grow the same forests on average, from unrelated seeds?

R grew the runs of `RUNS` with seeds 1 to 10,000, and what it gave is recorded: mean and standard deviation (SD) of each
statistic of a forest. pyrrf grows them with 500 other seeds, once by each engine, so no forest is the same and none
need be. Differences of means are counted in R's SD, so all have the same standard error. Two things are asked of them:

- none is significant, at a level that is shared out over all of the lane (Bonferroni);
- each is, with its 90 % interval, within `EQUIVALENCE_BOUND` (two one-sided tests at level 0.05). With so many seeds
  all that is not significant is.

`power.py` measures which faults this sees and how often it rejects a build that has none.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from statistics import NormalDist
from typing import Any

import numpy as np

import pyrrf
from parity.datasets.regression import levelled, surface
from parity.datasets.simulated import blobs, with_factors
from parity.store import RECORDED

R_SEEDS = range(1, 10_001)
LIVE_SEEDS = range(1, 201)
"""Seeds that are asked of R anew where it is: the record must be what it answers."""

SEEDS = 500
FIRST_SEED = {"r": 100_001, "parallel": 200_001}
RECORDED_FILE = RECORDED / "statistics.json"

# ---- what is grown -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A data set and a call, the same on both sides.

    Parameters
    ----------
    make : callable
        Makes x and y; without y the call is unsupervised.
    arguments : dict
        Of the call, by pyrrf's names.
    call : {"RRF", "GRRF", "randomForest"}
    engines : tuple of str
        Engines of pyrrf that are compared with R.
    """

    make: Callable[[], dict[str, Any]]
    arguments: dict[str, Any] = field(default_factory=dict)
    call: str = "RRF"
    engines: tuple[str, ...] = ("r", "parallel")


def _without_response(parts: dict[str, Any]) -> dict[str, Any]:
    return {"x": parts["x"]}


RUNS = {
    "classes": Run(partial(blobs, 501, (30, 30), 10, 4, shift=0.7), {"ntree": 40}),
    "ties": Run(partial(blobs, 502, (25, 25, 25), 10, 5, decimals=0), {"ntree": 40}),
    "factors": Run(partial(with_factors, 503, (40, 40), (2, 3, 5, 9), 6), {"ntree": 40, "coefReg": 0.85}),
    "guided": Run(partial(blobs, 504, (30, 30), 12, 4, shift=0.8), {"ntree": 40, "gamma": 0.3}, "GRRF"),
    "no replacement": Run(partial(blobs, 505, (36, 36), 10, 4, shift=0.7), {"ntree": 40, "replace": False}),
    "numbers": Run(partial(surface, 506, 60, 20), {"ntree": 40, "coefReg": 0.5, "mtry": 12}),
    "numbers of factors": Run(partial(levelled, 507, 60, (2, 4, 7), 6), {"ntree": 40, "coefReg": 0.1}),
    "randomForest": Run(partial(blobs, 508, (30, 30), 10, 4, shift=0.7), {"ntree": 40}, "randomForest", ("r",)),
    "randomForest, numbers": Run(partial(surface, 509, 60, 10), {"ntree": 40}, "randomForest", ("r",)),
    # R's synthetic rows all copy row 1, engine parallel's do not: docs/differences/parallel.md, "unsupervised mode".
    "unsupervised": Run(
        lambda: _without_response(blobs(510, (15, 15), 8, 4, shift=0.7)),
        {"ntree": 40, "coefReg": 0.9, "keep_forest": True},
        engines=("r",),
    ),
}
SIDES = [(name, engine) for name, run in RUNS.items() for engine in run.engines]


@cache
def data(name: str) -> dict[str, Any]:
    """x and y of a run."""
    return RUNS[name].make()


# ---- statistics of a forest ----------------------------------------------------------------------

R_STATISTICS = """pyrrf_statistics <- function(fit, y) {
    decrease <- fit$importance[, ncol(fit$importance)]
    error <- if (fit$type == "regression") fit$mse[fit$ntree] else {
        own <- if (fit$type == "unsupervised") 1 else as.integer(y)
        votes <- mean(fit$votes[cbind(seq_len(nrow(fit$votes)), own)], na.rm = TRUE)
        if (fit$type == "unsupervised") votes else c(fit$err.rate[fit$ntree, 1], votes)
    }
    shared <- c(error, mean(fit$forest$ndbigtree), sum(decrease), max(decrease))
    if (!inherits(fit, "RRF")) return(c(shared, rank(decrease, ties.method = "min") - 1))
    c(shared, length(fit$feaSet), seq_along(decrease) %in% fit$feaSet)
}"""


R_CALLS = {"RRF": "RRF", "GRRF": "pyrrf_grrf", "randomForest": "randomForest::randomForest"}


def statistics_of(fit: Any, own: np.ndarray | int) -> np.ndarray:
    """Statistics of one forest, in the order of `names`; `own` is the class of each row, from 0."""
    outcome = fit.outcome
    decrease = outcome.importance[:, -1]
    if fit.type == "regression":
        errors = [outcome.mse[-1]]
    else:
        total = outcome.votes.sum(axis=1)
        votes = (outcome.votes[np.arange(len(total)), own][total > 0] / total[total > 0]).mean()
        errors = [votes] if fit.type == "unsupervised" else [outcome.err_rate[-1, 0], votes]
    shared = [*errors, pyrrf.treesize(fit, terminal=False).mean(), decrease.sum(), decrease.max()]
    if fit.function == "randomForest":
        return np.array([*shared, *(decrease[:, None] > decrease).sum(axis=1)], float)
    return np.array([*shared, len(fit.feaSet), *np.isin(np.arange(len(decrease)), fit.feaSet)], float)


def names(name: str) -> list[str]:
    """Return the names of the statistics of a run."""
    run, parts = RUNS[name], data(name)
    votes = "votes for a row's own class"
    if "y" not in parts:
        errors = [votes]
    else:
        errors = ["squared error"] if np.asarray(parts["y"]).dtype.kind == "f" else ["error", votes]
    shared = [*errors, "nodes of a tree", "sum of importances", "largest importance"]
    feature = "rank of feature" if run.call == "randomForest" else "selection of feature"
    by_feature = [f"{feature} {j}" for j in range(parts["x"].shape[1])]
    return shared + ([] if run.call == "randomForest" else ["subset size"]) + by_feature


# ---- both sides ----------------------------------------------------------------------------------


@dataclass(eq=False)
class Moments:
    """R's results over its seeds: mean and SD of each statistic, and the mean over `LIVE_SEEDS`."""

    mean: np.ndarray
    sd: np.ndarray
    live: np.ndarray


def grow_r(r: Any, name: str, seeds: Iterable[int]) -> np.ndarray:
    """R's statistics, shape (seeds, statistics); `r` is an RSide."""
    from parity.r_side import R_NAMES

    run = RUNS[name]
    for piece, table in data(name).items():
        r.ro.globalenv[piece] = r.factored(piece, table)
    values = {key: str(value).upper() if isinstance(value, bool) else value for key, value in run.arguments.items()}
    given = [f"{R_NAMES.get(key, key)} = {value}" for key, value in values.items()]
    call = f"{R_CALLS[run.call]}({', '.join([*data(name), *given])})"
    r.ro.r(R_STATISTICS)
    own = "y" if "y" in data(name) else "NULL"
    one = f"function(s) {{ set.seed(s); pyrrf_statistics({call}, {own}) }}"
    return np.array(r.ro.r(f"sapply(c({','.join(map(str, seeds))}), {one})")).T


def grow(name: str, seeds: Iterable[int], **changed: Any) -> np.ndarray:
    """pyrrf's statistics, shape (seeds, statistics); `changed` are arguments that it gets instead."""
    run, call = RUNS[name], getattr(pyrrf, RUNS[name].call)
    arguments = {**run.arguments, **changed}
    own = getattr(data(name).get("y"), "codes", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # unsupervised: all synthetic rows are row 1
        fits = (call(*data(name).values(), seed=seed, **arguments) for seed in seeds)
        return np.array([statistics_of(fit, own) for fit in fits])


def record(r: Any) -> None:
    """Store R's moments for machines without R; needs minutes."""
    lines = []
    for name in RUNS:
        runs = grow_r(r, name, R_SEEDS)
        moments = {"mean": runs.mean(axis=0), "sd": runs.std(axis=0), "live": runs[: len(LIVE_SEEDS)].mean(axis=0)}
        lines.append(f"{json.dumps(name)}: {json.dumps({key: value.tolist() for key, value in moments.items()})}")
    RECORDED_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


@cache
def recorded(name: str) -> Moments:
    """R's moments as recorded."""
    return Moments(**{key: np.array(value) for key, value in json.loads(RECORDED_FILE.read_text())[name].items()})


# ---- tests ---------------------------------------------------------------------------------------

FAMILY_LEVEL = 0.05
"""Probability that the lane rejects anything when both sides are the same procedure, at most."""

EQUIVALENCE_BOUND = 0.25
"""Largest difference, in SD, that is taken for none."""

STANDARD_ERROR = math.sqrt(1 / SEEDS + 1 / len(R_SEEDS))
"""Of a difference of means in SD."""

SMALLEST_SD = math.sqrt(0.05 * 0.95)
"""Least SD of a selection or a rank: of rarer features the counts over seeds are not near normal."""

TESTS = sum(len(names(name)) for name, _ in SIDES)
LIMIT = NormalDist().inv_cdf(1 - FAMILY_LEVEL / TESTS / 2) * STANDARD_ERROR
"""A difference beyond this, in SD, is rejected."""

EQUIVALENCE_LIMIT = EQUIVALENCE_BOUND - NormalDist().inv_cdf(0.95) * STANDARD_ERROR
"""Up to this the 90 % interval of a difference is within the bound."""


def differences(name: str, ours: np.ndarray) -> np.ndarray:
    """pyrrf's mean less R's for each statistic, in R's SD; `ours` has shape (seeds, statistics)."""
    r = recorded(name)
    by_feature = np.arange(len(r.sd)) >= len(r.sd) - data(name)["x"].shape[1]
    return (ours.mean(axis=0) - r.mean) / np.where(by_feature, np.maximum(r.sd, SMALLEST_SD), r.sd)


def rejected(name: str, ours: np.ndarray) -> list[str]:
    """The statistics whose difference is significant, in words."""
    pairs = zip(names(name), differences(name, ours), strict=True)
    return [f"{what}: {difference:+.3f} SD" for what, difference in pairs if abs(difference) > LIMIT]


def block(name: str, engine: str, number: int = 0, **changed: Any) -> np.ndarray:
    """pyrrf's statistics over one block of seeds; the lane's own is block 0."""
    first = FIRST_SEED[engine] + number * SEEDS
    engines = {} if engine == "r" else {"engine": engine}
    return grow(name, range(first, first + SEEDS), **engines, **changed)
