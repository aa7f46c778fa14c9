"""Paper 002: selection inside the folds that judge it, the tree as a filter, and trees of sets of many features."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import DataSet, read_set
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p002_table1 import EPSILON, PAPER, fresh_error, network, printed, selector, shape, tree
from benchmarks.papers.table import Table
from pyrrf.papers import ChowLiuSelector

REPLICATES = 20  # of the selection inside the folds
SLOW, SLOW_REPLICATES = "spambase", 5  # the set whose replicates take ten times as long, and how many it has
FILTERED = 20  # replicates of the filter
# Sets of 100 to 1,000 features.
MANY = ("hillvalley_without_noise", "musk", "madelon", "mnist_t10k")


# ---- jobs ----------------------------------------------------------------------------------------


def inside(data: DataSet, replicate: int, seed: int) -> dict[str, float]:
    """Return error, features and sets tried of selections on nine parts of ten, means over the ten folds."""
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    rows = []
    for train, test in folds.split(data.values, data.y):
        found = selector("CLT", seed_of("002", data.name, replicate), EPSILON).fit(data.values[train], data.y[train])
        columns = found.selected_
        fit = network(seed).fit(data.values[np.ix_(train, columns)], data.y[train])
        said = fit.predict(data.values[np.ix_(test, columns)])
        rows.append((100 * (1 - balanced_accuracy_score(data.y[test], said)), len(columns), found.n_evaluations_))
    error, features, tried = np.mean(rows, axis=0).tolist()
    return {"error": error, "features": features, "tried": tried}


def by_folds(options: Options, name: str, replicate: int) -> dict[str, Any]:
    """Return errors on the same ten folds: selected inside them, on all rows, and with all features."""
    data, seed = read_set(options.data, name), seed_of("002 fresh", name, replicate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = selector("CLT", seed_of("002", name, replicate), EPSILON).fit(data.values, data.y)
        return {
            "inside": inside(data, replicate, seed),
            "outside": {"error": fresh_error(data, found.selected_.tolist(), seed), "features": int(found.n_features_)},
            "all": fresh_error(data, list(range(data.x.shape[1])), seed),
        }


def as_filter(options: Options, name: str, replicates: int) -> dict[str, Any]:
    """Return the label's children in the tree of all rows, and the errors with them and with all features."""
    data = read_set(options.data, name)
    columns = ChowLiuSelector().fit(data.values, data.y).selected_.tolist()
    seeds = [seed_of("002 fresh", name, replicate) for replicate in range(1, replicates + 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        errors = [
            [fresh_error(data, chosen, seed) for seed in seeds] for chosen in (columns, list(range(data.x.shape[1])))
        ]
    return {"names": [str(data.x.columns[column]) for column in columns], "errors": errors[0], "all": errors[1]}


def jobs(options: Options) -> list[Job]:
    found = [Job(f"tree/{name}/20", tree, (name, 20), cost=2) for name in MANY]
    found += [Job(f"filter/{name}", as_filter, (name, options.count(FILTERED)), cost=2) for name in PAPER]
    # Replicate by replicate, so that what an unfinished run has is of all sets.
    for replicate in range(1, options.count(REPLICATES) + 1):
        for name in PAPER:
            if name != SLOW or replicate <= SLOW_REPLICATES:
                cost = 100 if name == SLOW else 10
                found.append(Job(f"folds/{name}/{replicate}", by_folds, (name, replicate), cost=cost))
    return found


# ---- report --------------------------------------------------------------------------------------


def folds_grid(answers: Answers) -> Grid:
    """Return errors by where features are selected."""
    cells = []
    for name in PAPER:
        found = answers.below(f"folds/{name}")
        within, without, whole = ([one[where] for one in found] for where in ("inside", "outside", "all"))
        errors = [[one["error"] for one in part] for part in (without, within)]
        cells.append(
            [
                Cell.over(whole),
                *map(Cell.over, errors),
                Cell.over([a - b for b, a in zip(*errors, strict=True)]),
                Cell.over([a - b for a, b in zip(errors[1], whole, strict=True)]),
                *(Cell.over([one["features"] for one in part]) for part in (without, within)),
                Cell.over([one["tried"] for one in within]),
                printed(PAPER[name]["error"][1]),
            ]
        )
    columns = (
        "all features",
        "CLT outside",
        "CLT inside",
        "inside - outside",
        "inside - all features",
        "features outside",
        "features inside",
        "sets tried inside",
        "paper",
    )
    title = "CLT inside the folds: balanced error rate, percent, on the same ten folds"
    return Grid(title, list(PAPER), columns, cells, step=0.1, corner="set")


def filter_grid(answers: Answers) -> Grid:
    """Return the label's children as the features."""
    cells = []
    for name, paper in PAPER.items():
        found = answers.get(f"filter/{name}", {"names": [], "errors": [], "all": []})
        cells.append(
            [
                Cell(text=", ".join(found["names"])),
                Cell.over(found["errors"]),
                Cell.over(found["all"]),
                printed(paper["error"][1]),
            ]
        )
    columns = ("the label's children", "error with them", "with all features", "paper's CLT")
    return Grid("The tree as a filter: balanced error rate, percent", list(PAPER), columns, cells, 0.1, "set")


def many_grid(answers: Answers) -> Grid:
    """Return the figures of trees of many features."""
    rows, cells = [], []
    for name in MANY:
        features = len(answers.get(f"tree/{name}/20", {"names": []})["names"])
        rows.append(name)
        cells.append([Cell(text=str(features)), *(round_off(cell) for cell in shape(answers, name, 20, False))])
    columns = ("features", "children of an inner node", "their variance", "children of the label", "depth")
    return Grid("Trees of 100 to 1,000 features; the paper: 1.61 to 2.63 children", rows, columns, cells, 0.01, "set")


def round_off(cell: Cell) -> Cell:
    """Return the cell without an interval: a tree has no replicates."""
    return Cell(text="-") if np.isnan(cell.mean) else Cell(text=f"{cell.mean:.2f}")


def report(answers: Answers) -> list[Grid]:
    return [folds_grid(answers), filter_grid(answers), many_grid(answers)]


TABLE = Table("002-table1folds", "Selection inside the folds, and other trees", jobs, report)
