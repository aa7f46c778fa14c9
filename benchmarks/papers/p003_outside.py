"""Paper 003's figures that lie outside our intervals: again with other random numbers, and C4.5 on other orders.

The paper's splits are ours, too, so that both sides differ by the random numbers of the forests alone, if by nothing
else. Several runs a split tell how far those move the mean over the splits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p003_tables3to6 import SHOWN, TABLE4, TABLE5, TABLE6
from benchmarks.papers.table import Table

# Sets and methods with a figure outside.
CELLS = (
    ("colon", "RRF(.9)"),
    ("srbct", "GRRF(.1)"),
    ("adenocarcinoma", "RRF(.9)"),
    ("breast2", "GRRF(.1)"),
    ("brain", "varSelRF"),
    ("breast3", "varSelRF"),
)
RUNS = (1, 2)  # of each split
PAPER = {"features": TABLE4, "error of a forest": TABLE5, "error of C4.5": TABLE6}
OTHER = ("columns descending", "columns in random order")
OUTSIDE = 2.0  # deviations
COST = {"varSelRF": 8.0}  # beside the others


def again(options: Options, name: str, number: int, ntree: int, method: str, run: int) -> dict[str, float]:
    """Select once more on a split; return size and errors, those of C4.5 with its columns in three orders."""
    from benchmarks.papers import comparators

    split, seed = genes.Split(options.data, name, number), seed_of(name, number, method, "run", run)
    forest: dict[str, Any] = {"ntree": ntree, "engine": options.engine}
    if method == "varSelRF":
        columns = comparators.varselrf(split.x, split.y, seed, engine=options.engine)
    else:
        penalty, gamma = genes.TABLE[method]
        guide = grrf.guide(split.x, split.y, seed=seed_of(seed, "guide"), **forest) if gamma else np.ones(1)
        coef = grrf.coefficients(np.broadcast_to(guide, split.x.shape[1]), penalty, gamma)
        columns = grrf.select(split.x, split.y, coef, seed=seed, **forest)
    train, test = (split.x, split.y), (split.x_test, split.y_test)
    error = grrf.wrong(train, test, columns, seed=seed_of(seed, "error"), **forest).mean()
    orders = [columns, columns[::-1], np.random.default_rng(seed).permutation(columns)]
    right = comparators.predict(comparators.J48, train, test, [order.tolist() for order in orders])
    errors = [1 - float(np.mean(one)) for one in right]
    found = {"features": float(len(columns)), "error of a forest": float(error)}
    return found | dict(zip(("error of C4.5", *OTHER), errors, strict=True))


def jobs(options: Options) -> list[Job]:
    """Return both runs of each split."""
    return [
        Job(f"{name}/{method}/{n}/{run}", again, (name, n, genes.NTREE, method, run), cost=COST.get(method, 1.0))
        for name, method in CELLS
        if name in genes.sets_of(options)
        for n in range(1, options.count(genes.SPLITS) + 1)
        for run in RUNS
    ]


def runs_of(answers: Answers, name: str, method: str, what: str) -> np.ndarray:
    """Return a figure of both runs of each split that has them, (splits, runs)."""
    keys = [[f"{name}/{method}/{n}/{run}" for run in RUNS] for n in range(1, genes.SPLITS + 1)]
    found = [[answers[key][what] for key in pair] for pair in keys if all(key in answers for key in pair)]
    return np.array(found).reshape(-1, len(RUNS))


def deviation(found: np.ndarray) -> float:
    """Return how far random numbers alone move the mean over the paper's splits of one run: its standard deviation."""
    return float(np.sqrt(found.var(axis=1, ddof=1).mean() / genes.SPLITS))


def compared(answers: Answers, what: str) -> Grid:
    """Return the mean of our runs, the deviation of one run and the paper's figure in such deviations."""
    cells, rows = [], []
    for name, method in CELLS:
        found = runs_of(answers, name, method, what)
        if not len(found):
            continue
        rows.append(f"{name}, {method}")
        paper, moved = PAPER[what][name][SHOWN.index(method)], deviation(found)
        # The paper's is the mean of one run.
        off = (paper - found.mean()) / (moved * np.sqrt(1 + 1 / len(RUNS)))
        step = 1 if what == "features" else 0.001
        digits = 0 if step == 1 else 3
        told = f"{off:+.1f}"
        cells.append(
            [
                Cell(mean=float(found.mean())),
                Cell(mean=moved),
                Cell(text=f"{paper:.{digits}f}".replace("0.", ".", 1)),
                Cell(text=f"**{told}**" if abs(off) > OUTSIDE else told),
            ]
        )
    columns = ["mean of our runs", "deviation of a run", "paper", "off by deviations"]
    title = f"{what[0].upper()}{what[1:]}, by random numbers alone"
    return Grid(title, rows, columns, cells, step=0.1 if what == "features" else 0.001, corner="set, method")


def report(answers: Answers) -> list[Grid]:
    """Return sizes and errors beside the paper's, then C4.5 with its columns in other orders."""
    names = [pair for pair in CELLS if len(runs_of(answers, *pair, "features"))]
    errors = ("error of C4.5", *OTHER)
    cells = [[Cell.over(runs_of(answers, *pair, order).mean(axis=1)) for order in errors] for pair in names]
    rows, columns = [f"{name}, {method}" for name, method in names], ["columns ascending", *OTHER]
    orders = Grid("Error of C4.5 by the order of the columns", rows, columns, cells, corner="set, method")
    return [*(compared(answers, what) for what in PAPER), orders]


TABLE = Table(
    "003-outside",
    "Figures of tables 4 to 6 outside, with other random numbers",
    jobs,
    report,
    engines=("r",),
)
