"""Figure 3 of Deng & Runger (2012): accuracy of C4.5, naive Bayes and RF while random features are added."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import DataSet, read_set
from benchmarks.origin import ROOT
from benchmarks.papers import comparators, regularized
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table, new_figure

SPLITS = 20
SETS = {"vehicle": 1.5, "ionosphere": 1, "waveform": 8}  # name: time of a split beside the others
VEHICLE = ROOT / "parity/data/vehicle.csv"  # that of R's mlbench
CLASSIFIERS = {"C4.5": comparators.J48, "NB": comparators.NAIVE_BAYES}
JUDGES = (*CLASSIFIERS, "RF")


def read(folder: Path | None, name: str) -> DataSet:
    """Read a set: Vehicle, which comes with the project, or one of the folder."""
    if name != "vehicle":
        return read_set(folder, name)
    table = pd.read_csv(VEHICLE)
    return DataSet(name, table.iloc[:, :-1], table.iloc[:, -1].to_numpy(str))


def one_split(options: Options, name: str, split: int) -> dict[str, list[float]]:
    """Return the accuracies on half of the rows with 1, 2, ... features in a random order, learned on the others."""
    data, seed = read(options.data, name), seed_of(name, split)
    train, test = next(regularized.two_folds(data, seed))
    order = np.random.default_rng(seed).permutation(data.x.shape[1])
    sets = [order[:size].tolist() for size in range(1, len(order) + 1)]
    found = {
        judge: [float(right.mean()) for right in comparators.predict(classifier, train, test, sets)]
        for judge, classifier in CLASSIFIERS.items()
    }
    found["RF"] = [
        regularized.judge_by_forest(*((x.iloc[:, chosen], y) for x, y in (train, test)), seed) for chosen in sets
    ]
    return found


def jobs(options: Options) -> list[Job]:
    splits = range(1, options.count(SPLITS) + 1)
    return [
        Job(f"{name}/{split}", one_split, (name, split), cost=cost) for name, cost in SETS.items() for split in splits
    ]


def curves(answers: Answers, name: str, judge: str) -> np.ndarray:
    """Return accuracies, one row a split, one column a number of features."""
    return np.array([answer[judge] for answer in answers.below(name)])


def report(answers: Answers) -> list[Grid]:
    """Return the curves as numbers, and what their last third adds."""
    grids, added = [], []
    known = [name for name in SETS if answers.below(name)]
    for name in known:
        lines = {judge: curves(answers, name, judge) for judge in JUDGES}
        p = lines["RF"].shape[1]
        sizes = sorted({*range(1, min(p, 10)), *range(10, p, 4), p})
        cells = [[Cell.over(lines[judge][:, size - 1]) for judge in JUDGES] for size in sizes]
        grids.append(
            Grid(f"Figure 3 on {name}: accuracy", [str(size) for size in sizes], JUDGES, cells, 0.01, "features")
        )
        before = 2 * p // 3
        added.append([Cell.over(line[:, -1] - line[:, before - 1]) for line in lines.values()])
    title = "Figure 3 in words: what the last third of the features adds to the accuracy"
    return [*grids, Grid(title, known, JUDGES, added, 0.001, "set")]


def draw(answers: Answers) -> Pictures:
    """Draw the mean curves with bands of their 95 % intervals."""
    figure = new_figure(14, 4)
    for panel, name in zip(figure.subplots(1, len(SETS), squeeze=False)[0], SETS, strict=True):
        panel.set(title=name, xlabel="random features", ylabel="accuracy")
        if not answers.below(name):
            continue
        for judge, colour in zip(JUDGES, ("C1", "C2", "C0"), strict=True):
            cells = [Cell.over(column) for column in curves(answers, name, judge).T]
            mean, half = (np.array([getattr(cell, field) for cell in cells]) for field in ("mean", "half"))
            sizes = np.arange(1, len(mean) + 1)
            panel.plot(sizes, mean, color=colour, label=judge)
            if np.isfinite(half).all():
                panel.fill_between(sizes, mean - half, mean + half, color=colour, alpha=0.2, linewidth=0)
        panel.legend(loc="lower right")
    return {"": figure}


TABLE = Table("000-fig3", "Figure 3: accuracy over random features", jobs, report, draw=draw)
