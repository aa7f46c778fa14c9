"""Beyond paper 004: its threshold as a test, on features that are noise; the same threshold for the gamma of GRRF.

Noise: which share of the irrelevant features each way to measure and to compare keeps. Gamma: GRRF with the gamma of
`gamma_threshold` at the root of the training rows, beside the choice of gamma by 5-fold cross-validation, on gene sets
with as many columns of normal noise as genes. The forests are those of engine parallel.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.rogers_gunn import Sample, simple
from benchmarks.papers.table import Table
from pyrrf.papers import ComplexityForestClassifier, gamma_threshold

NAME = "004-threshold"
SAMPLES, SPLITS, NTREE, FOLDS = 20, 15, 500, 5
SETS = ("colon", "leukemia", "prostate")
GAMMAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
WAYS: dict[str, dict[str, Any]] = {
    "exact, level .05": {"sampling": "measured", "threshold": "exact"},
    "exact mean": {"sampling": "measured", "threshold": "exact", "level": None},
    "mid-point": {"sampling": "measured", "threshold": "midpoint"},
    "exact, level .05, parallel": {"sampling": "parallel", "threshold": "exact"},
    "exact, level .05, cart": {"sampling": "cart", "threshold": "exact"},
    "exact, level .05, on bags": {"sampling": "measured", "threshold": "exact", "evaluation_bootstrap": True},
}
# Rows, features, share of the first class; None: Simple, with its two relevant features.
CASES: dict[str, tuple[int, int, float] | None] = {
    "100 rows, 20 features": (100, 20, 0.5),
    "200 rows, 50 features, 1 : 4": (200, 50, 0.2),
    "Simple": None,
}


# ---- noise ---------------------------------------------------------------------------------------


def noise(options: Options, case: str, number: int) -> dict[str, Any]:
    """Return the share of irrelevant features that each way keeps, and of relevant ones."""
    seed, shape = seed_of(NAME, case, number), CASES[case]
    rng, relevant = np.random.default_rng(seed), 0
    if shape is None:
        rows, relevant = simple(rng), 2
    else:
        rows = Sample(rng.random(shape[:2]), (rng.random(shape[0]) < shape[2]).astype(int))
    answer = {}
    for way, arguments in WAYS.items():
        forest = ComplexityForestClassifier(100, random_state=seed, **arguments)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that no feature is kept: as it should be
            kept = forest.fit(rows.x, rows.y).support_
        answer[way] = [float(kept[relevant:].mean()), float(kept[:relevant].mean()) if relevant else None]
    return answer


# ---- gamma ---------------------------------------------------------------------------------------


def select(x: np.ndarray, y: np.ndarray, importance: np.ndarray, gamma: float, **forest: Any) -> np.ndarray:
    """Return what GRRF selects."""
    return grrf.select(x, y, grrf.coefficients(importance, 1.0, gamma), **forest)


def by_validation(x: np.ndarray, y: np.ndarray, **forest: Any) -> float:
    """Return the largest gamma of the grid whose error in cross-validation is least."""
    wrong = np.zeros(len(GAMMAS))
    for inside, outside in StratifiedKFold(FOLDS, shuffle=True, random_state=forest["seed"]).split(x, y):
        part, rest = ((np.asfortranarray(x[rows]), y[rows]) for rows in (inside, outside))
        importance = grrf.guide(*part, **forest)
        for k, gamma in enumerate(GAMMAS):
            wrong[k] += grrf.wrong(part, rest, select(*part, importance, gamma, **forest), **forest).sum()
    return GAMMAS[int(np.flatnonzero(wrong <= wrong.min() + 1e-9)[-1])]


def one_split(options: Options, name: str, split: int, ntree: int) -> dict[str, Any]:
    """Return gamma, features, noise among them and error, by the threshold, by cross-validation and without a guide."""
    data, seed = read_set(options.data, name), seed_of(NAME, name, split)
    n, p = data.values.shape
    x = np.hstack([data.values, np.random.default_rng(seed).normal(size=(n, p))])
    parts = genes.read_splits(options.data)[name, split]
    train, test = ((np.asfortranarray(x[rows]), data.y[rows]) for rows in parts)
    forest = {"ntree": ntree, "seed": seed, "engine": "parallel"}
    importance = grrf.guide(*train, **forest)
    rows, first = train[1].size, int((train[1] == train[1][0]).sum())
    candidates, usual = int(np.sqrt(2 * p)), float(importance[p:].mean())
    chosen = {
        "gamma 0": 0.0,
        "threshold": gamma_threshold(rows, first, candidates=candidates, importance=usual),
        "cross-validation": by_validation(*train, **forest),
    }
    answer = {}
    for way, gamma in chosen.items():
        columns = select(*train, importance, gamma, **forest)
        error = float(grrf.wrong(train, test, columns, **forest).mean())
        answer[way] = [gamma, columns.size, int((columns >= p).sum()), error]
    return answer


# ---- the report ----------------------------------------------------------------------------------


def jobs(options: Options) -> list[Job]:
    """Return the samples of noise, then the splits of the gene sets at hand."""
    made = [Job(f"noise/{case}/{i}", noise, (case, i)) for case in CASES for i in range(1, options.count(SAMPLES) + 1)]
    for name in SETS:
        if has_set(options.data, name) and has_set(options.data, "grrf_splits"):
            splits = range(1, options.count(SPLITS) + 1)
            made += [Job(f"gamma/{name}/{split}", one_split, (name, split, NTREE), cost=3) for split in splits]
    return made


def report(answers: Answers) -> list[Grid]:
    """Return shares kept, then what each gamma gives."""
    cells = [[Cell.over([one[way][0] for one in answers.below(f"noise/{case}")]) for way in WAYS] for case in CASES]
    grids = [Grid("Share of the irrelevant features that is kept", list(CASES), list(WAYS), cells, step=0.01)]
    cells = [[Cell.over([one[way][1] for one in answers.below("noise/Simple")]) for way in WAYS]]
    grids.append(Grid("Share of the relevant features that is kept", ["Simple"], list(WAYS), cells, step=0.01))
    ways, columns = ("gamma 0", "threshold", "cross-validation"), ("gamma", "features", "noise among them", "error")
    rows = [(name, way) for name in SETS for way in ways]
    cells = [
        [Cell.over([one[way][k] for one in answers.below(f"gamma/{name}")]) for k in range(4)] for name, way in rows
    ]
    names = [f"{name}, {way}" for name, way in rows]
    return [*grids, Grid("GRRF with gamma of the threshold and by cross-validation", names, columns, cells, step=0.01)]


TABLE = Table(NAME, "Beyond the paper: the threshold as a test, and for GRRF", jobs, report)
