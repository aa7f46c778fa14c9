"""Tables II and III of Deng & Runger (2012): sizes of subsets, and what RF and C4.5 make of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from benchmarks.jobs.intervals import is_significant
from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.papers import comparators, regularized
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Table

REPLICATES = 10
WEKA_FOREST = "weka.classifiers.trees.RandomForest -I {trees} -K {candidates}"
SELECTORS = {
    "RRF, 100 trees": partial(regularized.rrf, ntree=100),
    "RRF, 200 trees": partial(regularized.rrf, ntree=200),
    "RBoost, 100 trees": partial(regularized.rboost, ntree=100),
    "RBoost, 200 trees": partial(regularized.rboost, ntree=200),
    "CFS": comparators.cfs,
    "FCBF": comparators.fcbf,
}
ALL_COLUMNS = ("All", *SELECTORS)
JUDGES = {"rf": "RF", "c45": "C4.5"}
# In the order of the time that a replicate takes, with seconds of the processor.
SETS = {
    "parkinsons": 5,
    "ionosphere": 6,
    "sonar": 6,
    "horse": 5,
    "auto": 6,
    "anneal": 10,
    "german": 12,
    "hillvalley_without_noise": 12,
    "musk": 12,
    "hypo": 20,
    "sick": 20,
    "arrhythmia": 40,
    "ada": 40,
    "waveform": 40,
    "madelon": 100,
    "arcene": 300,
}
# With factors or missing values, where Weka's trees are not pyrrf's.
OTHER_TREES = {"horse", "auto", "anneal", "german", "hypo", "sick", "arrhythmia"}


def read_paper() -> dict[tuple[str, str], dict[str, str]]:
    """Return the paper's figures by set and method ("All", "RRF", ...): size, rf, rf_mark, c45, c45_mark."""
    with Path(__file__).with_name("p000_tables2and3.csv").open() as stream:
        return {(line["set"], line["method"]): line for line in csv.DictReader(stream)}


def method_of(column: str) -> str:
    """Return the paper's name of a column of ours."""
    return column.split(",")[0]


Part: TypeAlias = "tuple[pd.DataFrame, np.ndarray]"


def subsets(options: Options, name: str, replicate: int, column: str) -> Iterator[tuple[Part, Part, int]]:
    """Yield training and test rows of each fold with the columns that are selected on the first, and a seed."""
    data = read_set(options.data, name)
    for fold, (train, test) in enumerate(regularized.two_folds(data, seed_of(name, replicate))):
        seed, select = seed_of(name, replicate, fold, column), SELECTORS.get(column)
        chosen = np.arange(data.x.shape[1]) if select is None else select(*train, seed)
        yield (train[0].iloc[:, chosen], train[1]), (test[0].iloc[:, chosen], test[1]), seed


def one_replicate(options: Options, name: str, replicate: int, column: str) -> dict[str, float]:
    """Select on each half of the rows and judge on the other one; means of the two."""
    answers = [
        {
            "size": train[0].shape[1],
            "rf": regularized.judge_by_forest(train, test, seed),
            "c45": regularized.judge_by_weka(comparators.J48, train, test),
        }
        for train, test, seed in subsets(options, name, replicate, column)
    ]
    return {what: float(np.mean([answer[what] for answer in answers])) for what in answers[0]}


def by_weka(options: Options, name: str, replicate: int, column: str) -> float:
    """Judge the same subsets by Weka's forest, of as many trees and candidates."""
    found = []
    for train, test, _ in subsets(options, name, replicate, column):
        forest = WEKA_FOREST.format(trees=regularized.JUDGE_TREES, candidates=regularized.candidates(train[0]))
        found.append(regularized.judge_by_weka(forest, train, test))
    return float(np.mean(found))


def jobs(options: Options) -> list[Job]:
    made = []
    for name, cost in SETS.items():
        if options.data is not None and not has_set(options.data, name):
            continue
        for replicate in range(1, options.count(REPLICATES) + 1):
            for column in ALL_COLUMNS:
                args = (name, replicate, column)
                made.append(Job(f"{name}/{column}/{replicate}", one_replicate, args, cost=cost))
                if column == "All" or name in OTHER_TREES:
                    made.append(Job(f"{name}/{column} by Weka/{replicate}", by_weka, args, cost=cost))
    return made


def mark(values: list[float], all_values: list[float]) -> str:
    """Return "+" or "-" where a subset is better or worse than all features by the paired t-test, else "="."""
    if len(values) < 2 or len(values) != len(all_values):
        return "="
    differences = np.subtract(values, all_values)
    return "-+"[int(differences.mean() > 0)] if is_significant(differences) else "="


class Report:
    """The grids, from the answers and the paper's figures."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.paper = read_paper()
        self.sets = [name for name in SETS if answers.below(f"{name}/All")]
        self.rows = [regularized.NAMES.get(name, name) for name in self.sets]

    def values(self, name: str, column: str, what: str) -> list[float]:
        """Return the replicates of a cell."""
        return [answer[what] for answer in self.answers.below(f"{name}/{column}")]

    def papers(self, name: str, column: str, what: str) -> str:
        """Return what the paper prints."""
        return self.paper[regularized.NAMES.get(name, name), method_of(column)][what]

    def figures(self, title: str, what: str, columns: tuple[str, ...], step: float) -> Grid:
        """Return means beside the paper's."""
        cells = [
            [Cell.over(self.values(name, column, what), float(self.papers(name, column, what))) for column in columns]
            for name in self.sets
        ]
        return Grid(title, self.rows, columns, cells, step, "set")

    def by_weka(self) -> Grid:
        """Return what Weka's own forest makes of the same subsets; a check of ours that is not counted."""

        def cell(name: str, column: str) -> Cell | None:
            values = self.answers.below(f"{name}/{column} by Weka")
            paper = float(self.papers(name, column, "rf"))
            return Cell(text=Cell.over(values, paper).markdown(0.001)) if values else None

        title = "Table III, RF: the same subsets judged by Weka's own forest (not counted)"
        cells = [[cell(name, column) for column in ALL_COLUMNS] for name in self.sets]
        return Grid(title, self.rows, ALL_COLUMNS, cells, 0.001, "set")

    def marks(self, what: str) -> Grid:
        """Return the paired t-tests, and their sums."""
        ours = [
            [mark(self.values(name, column, what), self.values(name, "All", what)) for column in SELECTORS]
            for name in self.sets
        ]
        theirs = [[self.papers(name, column, f"{what}_mark") for column in SELECTORS] for name in self.sets]
        lines = [
            [Cell(text=one, paper_text=other) for one, other in zip(*pair, strict=True)]
            for pair in zip(ours, theirs, strict=True)
        ]
        sums = [
            Cell(text=win_lose_tie(one), paper_text=win_lose_tie(other))
            for one, other in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
        ]
        title = f"Table III, {JUDGES[what]}: against all features, paired t-test at .05, and win/lose/tie on these sets"
        return Grid(title, [*self.rows, "win/lose/tie"], tuple(SELECTORS), [*lines, sums], 1, "set")


def win_lose_tie(marks: tuple[str, ...]) -> str:
    """Count the marks."""
    return "/".join(str(marks.count(sign)) for sign in "+-=")


def report(answers: Answers) -> list[Grid]:
    made = Report(answers)
    grids = [made.figures("Table II: features selected", "size", tuple(SELECTORS), 0.1)]
    for what, judge in JUDGES.items():
        grids += [made.figures(f"Table III, {judge}: accuracy", what, ALL_COLUMNS, 0.001), made.marks(what)]
    return [*grids, made.by_weka(), inside(grids)]


def inside(grids: list[Grid]) -> Grid:
    """Count for each column the sets whose figure lies in our interval."""
    known = [grid for grid in grids if grid.judged()]
    lines = []
    for grid in known:
        line = []
        for column in ALL_COLUMNS:
            cells = [cell for name, cell in grid.judged() if name.endswith(f" {column}")]
            within = sum(cell.is_inside(grid.step) for cell in cells)
            line.append(Cell(text=f"{within} of {len(cells)}") if cells else None)
        lines.append(line)
    return Grid("Figures of the paper inside our intervals", [grid.title for grid in known], ALL_COLUMNS, lines)


TABLE = Table("000-tables2and3", "Tables II and III: features selected, accuracy of RF and C4.5", jobs, report)
