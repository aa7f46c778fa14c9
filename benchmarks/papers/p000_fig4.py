"""Figure 4 of Deng & Runger (2012): errors of RF along SVM-RFE's elimination, and on the features of RRF."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import read_set
from benchmarks.papers import comparators, regularized, weka
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table, new_figure

SPLITS = 10
RUNS = 10  # of RRF on each split, as in the paper
TREES = (100, 200)
PAPER_SECONDS = {"musk": {"SVM-RFE": 109, "RRF": 4}, "arrhythmia": {"SVM-RFE": 442, "RRF": 6}}
SETS = {"musk": 1, "arrhythmia": 3}  # name: time of a split beside the others


def eliminate(options: Options, name: str, split: int) -> dict[str, Any]:
    """Return the error of a forest with the best 1, 2, ... features of SVM-RFE, and the ranking's processor time."""
    data, seed = read_set(options.data, name), seed_of(name, split)
    train, test = next(regularized.two_folds(data, seed))
    before = weka.running().processor_seconds()
    ranking = comparators.svm_ranking(*train)
    seconds = weka.running().processor_seconds() - before
    errors = []
    for size in range(1, len(ranking) + 1):
        parts = [(x.iloc[:, ranking[:size]], y) for x, y in (train, test)]
        errors.append(1 - regularized.judge_by_forest(*parts, seed_of(name, split, size)))
    return {"errors": errors, "seconds": seconds}


def select(options: Options, name: str, split: int, ntree: int) -> dict[str, Any]:
    """Return size and error of each run of RRF on a split, and its processor time."""
    data, runs, seconds = read_set(options.data, name), [], []
    train, test = next(regularized.two_folds(data, seed_of(name, split)))
    for run in range(RUNS):
        seed, before = seed_of(name, split, ntree, run), time.process_time()
        chosen = regularized.rrf(*train, seed, ntree)
        seconds.append(time.process_time() - before)
        parts = [(x.iloc[:, chosen], y) for x, y in (train, test)]
        runs.append([len(chosen), 1 - regularized.judge_by_forest(*parts, seed)])
    return {"runs": runs, "seconds": float(np.mean(seconds))}


def jobs(options: Options) -> list[Job]:
    made = []
    for name, cost in SETS.items():
        for split in range(1, options.count(SPLITS) + 1):
            made.append(Job(f"{name}/svm/{split}", eliminate, (name, split), cost=20 * cost))
            made += [Job(f"{name}/rrf{ntree}/{split}", select, (name, split, ntree), cost=cost) for ntree in TREES]
    return made


def known_sets(answers: Answers) -> list[str]:
    """Return the sets whose splits are all answered by both methods."""
    folders = ["svm", *(f"rrf{ntree}" for ntree in TREES)]
    counts = {name: {len(answers.below(f"{name}/{folder}")) for folder in folders} for name in SETS}
    return [name for name in SETS if len(counts[name]) == 1 and counts[name] != {0}]


def curves(answers: Answers, name: str) -> np.ndarray:
    """Return errors along the elimination, one row a split, one column a number of features."""
    return np.array([answer["errors"] for answer in answers.below(f"{name}/svm")])


def points(answers: Answers, name: str, ntree: int) -> np.ndarray:
    """Return mean size and mean error of RRF on each split."""
    return np.array([np.mean(answer["runs"], axis=0) for answer in answers.below(f"{name}/rrf{ntree}")])


def report(answers: Answers) -> list[Grid]:
    known = known_sets(answers)
    columns = ["SVM-RFE: least error", "with features", "its error with all"]
    for ntree in TREES:
        columns += [f"RRF, {ntree} trees: features", "error", "error - SVM-RFE's least", "- SVM-RFE's at that size"]
    lines = [[Cell.over(values) for values in compare(answers, name)] for name in known]
    errors = Grid("Figure 4: errors of RF, means over the splits", known, columns, lines, 0.01, "set")
    titles = ["SVM-RFE", *(f"RRF, {ntree} trees" for ntree in TREES)]
    times = Grid(
        "Seconds of the processor for one selection", known, titles, [seconds(answers, name) for name in known]
    )
    return [errors, times]


def compare(answers: Answers, name: str) -> list[np.ndarray]:
    """Return the columns of a set's line, a value for each split."""
    errors = curves(answers, name)
    least = errors.min(axis=1)
    found = [least, errors.argmin(axis=1) + 1.0, errors[:, -1]]
    for ntree in TREES:
        sizes, own = points(answers, name, ntree).T
        at_size = errors[np.arange(len(errors)), np.rint(sizes).astype(int) - 1]
        found += [sizes, own, own - least, own - at_size]
    return found


def seconds(answers: Answers, name: str) -> list[Cell]:
    """Return the times; the paper's, on another machine, are not judged."""
    cells = []
    for folder in ("svm", *(f"rrf{ntree}" for ntree in TREES)):
        mean = float(np.mean([answer["seconds"] for answer in answers.below(f"{name}/{folder}")]))
        paper = PAPER_SECONDS[name]["SVM-RFE" if folder == "svm" else "RRF"]
        cells.append(Cell(text=f"{mean:.2g}", paper_text=str(paper)))
    return cells


def draw(answers: Answers) -> Pictures:
    """Draw errors over the number of eliminated features, RRF as points with standard errors over the splits."""
    figure = new_figure(10, 4)
    for panel, name in zip(figure.subplots(1, len(SETS)), SETS, strict=True):
        panel.set(title=name, xlabel="features eliminated", ylabel="error of RF")
        if name not in known_sets(answers):
            continue
        errors = curves(answers, name)
        splits, p = errors.shape
        panel.plot(p - np.arange(1, p + 1), errors.mean(axis=0), ".", markersize=3, color="C1", label="SVM-RFE")
        for ntree, colour in zip(TREES, ("C0", "C2"), strict=True):
            found = points(answers, name, ntree)
            size, error = found.mean(axis=0)
            size_se, error_se = found.std(axis=0, ddof=1) / np.sqrt(splits) if splits > 1 else (0, 0)
            panel.errorbar(p - size, error, error_se, size_se, "o", color=colour, label=f"RRF, {ntree} trees")
        panel.legend()
    return {"": figure}


TABLE = Table("000-fig4", "Figure 4: SVM-RFE and RRF on musk and arrhythmia", jobs, report, draw=draw)
