"""Paper 003's gene sets: the splits, and the jobs that its tables 3 to 6 and its figures 2 and 3 share.

One guide a split, and `NTREE` trees in every forest (see `grrf.py`). The penalty multiplies the criterion, as in CRAN's
RRF since 1.2.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.papers import grrf

STORE = "003-genes"
ENGINES = ("r", "parallel")
NTREE = 1000
SPLITS = 100  # the paper's
# Those that take least come first, with their seconds of "forests"; the names are those of the paper's tables.
SETS = {
    "leukemia": 0.3,
    "lymphoma": 0.5,
    "colon": 0.4,
    "srbct": 0.7,
    "brain": 1.1,
    "prostate": 0.9,
    "adenocarcinoma": 1.0,
    "breast2": 1.3,
    "breast3": 1.6,
    "nci": 2.2,
}
TABLE = {"RRF(1)": (1.0, 0.0), "RRF(.9)": (0.9, 0.0), "GRRF(.1)": (1.0, 0.1), "GRRF(.2)": (1.0, 0.2)}  # lambda, gamma
GRID = {f"RRF(.{i})": (i / 10, 0.0) for i in range(1, 9)} | {"GRRF(0)": (1.0, 0.0)}
GRID |= {f"GRRF(.{i})": (1.0, i / 10) for i in range(3, 10)}
SELECTORS = {"varSelRF": "varselrf", "LASSO": "lasso", "SVM-RFE": "svm_rfe"}  # functions of comparators.py


class Split:
    """One of the paper's 100 parts of a set in training and test rows."""

    def __init__(self, folder: Path | None, name: str, number: int) -> None:
        data, parts = read_set(folder, name), read_splits(folder)
        train, test = parts[name, number]
        self.name, self.number = name, number
        self.x, self.y = np.asfortranarray(data.values[train]), data.y[train]
        self.x_test, self.y_test = data.values[test], data.y[test]

    def forest(self, options: Options, ntree: int, *what: str) -> dict[str, Any]:
        """Return the arguments of a forest: the engine that was asked for and the seed of its name."""
        return {"ntree": ntree, "engine": options.engine, "seed": seed_of(self.name, self.number, *what)}

    def guide(self, options: Options, ntree: int) -> np.ndarray:
        """Return the importances of the guide."""
        return grrf.guide(self.x, self.y, **self.forest(options, ntree, "guide"))

    def select(self, options: Options, what: str, coef: np.ndarray, ntree: int) -> np.ndarray:
        """Return what a regularized forest selects on the training rows."""
        return grrf.select(self.x, self.y, coef, **self.forest(options, ntree, what))

    def error(self, options: Options, what: str, columns: np.ndarray, ntree: int) -> float:
        """Return the error on the test rows of an ordinary forest on some columns."""
        train, test = (self.x, self.y), (self.x_test, self.y_test)
        return float(grrf.wrong(train, test, columns, **self.forest(options, ntree, what, "error")).mean())


@lru_cache(maxsize=1)
def read_splits(folder: Path | None) -> dict[tuple[str, int], tuple[np.ndarray, np.ndarray]]:
    """Return training and test rows, counted from 0, by set and number (from 1)."""
    if folder is None or not has_set(folder, "grrf_splits"):
        raise FileNotFoundError(f"grrf_splits.csv.gz is not in {folder}; --data names the folder that holds it")
    table = pd.read_csv(folder / "grrf_splits.csv.gz")
    rows = table["samples"].map(lambda text: np.array(text.split(), dtype=int) - 1)
    parts = dict(zip(zip(table["set"], table["rep"], table["part"], strict=True), rows, strict=True))
    names = {(name, int(number)) for name, number, _ in parts}
    return {(name, number): (parts[name, number, "train"], parts[name, number, "test"]) for name, number in names}


def forests(options: Options, name: str, number: int, ntree: int, settings: dict[str, list[float]]) -> dict[str, Any]:
    """Select by RRF and GRRF with several settings (lambda, gamma) and one guide; judge each by a forest."""
    split, answer = Split(options.data, name, number), {}
    importance = split.guide(options, ntree)
    for method, (penalty, gamma) in settings.items():
        columns = split.select(options, method, grrf.coefficients(importance, penalty, gamma), ntree)
        answer[method] = {"columns": columns.tolist(), "error": split.error(options, method, columns, ntree)}
    return answer


def whole(options: Options, name: str, number: int, ntree: int) -> dict[str, Any]:
    """Judge all features by a forest."""
    split = Split(options.data, name, number)
    return {"All": {"error": split.error(options, "All", np.arange(split.x.shape[1]), ntree)}}


def compare(options: Options, name: str, number: int, ntree: int, method: str) -> dict[str, Any]:
    """Select by another method and judge by a forest; None where the method fails or selects nothing."""
    from benchmarks.papers import comparators  # R, Weka and scikit-learn: for those who compare

    split = Split(options.data, name, number)
    try:
        columns = getattr(comparators, SELECTORS[method])(split.x, split.y, seed_of(name, number, method))
    except RuntimeError as trouble:
        return {method: {"columns": None, "error": None, "trouble": str(trouble)}}
    if not len(columns):
        return {method: {"columns": [], "error": None, "trouble": "nothing selected"}}
    return {method: {"columns": [int(j) for j in columns], "error": split.error(options, method, columns, ntree)}}


def c45(options: Options, name: str, number: int, *selected: dict[str, Any]) -> dict[str, float]:
    """Judge what was selected by C4.5 (Weka's J48)."""
    from benchmarks.papers import comparators

    split = Split(options.data, name, number)
    chosen = {method: one["columns"] for found in selected for method, one in found.items() if one["columns"]}
    train, test = (split.x, split.y), (split.x_test, split.y_test)
    right = comparators.predict(comparators.J48, train, test, list(chosen.values()))
    return {method: 1 - float(np.mean(one)) for method, one in zip(chosen, right, strict=True)}


def sets_of(options: Options) -> list[str]:
    """Return the sets at hand."""
    return [name for name in SETS if has_set(options.data, name)] or list(SETS)


def on_splits(answers: Answers, name: str, method: str, field: str, splits: int = SPLITS) -> list[float | None]:
    """Return the error, or the number of columns, of a method on each split of a set; None where there is none."""
    key = method if method in SELECTORS else "all" if method == "All" else "forests" if method in TABLE else "grid"
    found = (answers.get(f"{name}/{n}/{key}", {}).get(method) for n in range(1, splits + 1))
    return [_value(one, field) for one in found]


def _value(one: dict[str, Any] | None, field: str) -> float | None:
    if one is None or one[field] is None:
        return None
    return float(len(one[field])) if field == "columns" else one[field]


def forest_jobs(
    options: Options, key: str, settings: dict[str, tuple[float, float]], cost: float, splits: int = SPLITS
) -> list[Job]:
    """Return the jobs of some settings, set by set."""
    listed = {method: list(pair) for method, pair in settings.items()}
    return [
        Job(f"{name}/{number}/{key}", forests, (name, number, NTREE, listed), cost=cost * SETS[name])
        for name in sets_of(options)
        for number in range(1, options.count(splits) + 1)
    ]
