"""Paper 001, figure 2, row 1: error over the time of training; and what ties by the lowest index change."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p001_madelon import (
    FOREST,
    MTRY,
    NORM,
    SHOWN,
    TARGET_TREES,
    TEST_SET,
    TITLES,
    UNIFORM,
    Way,
    errors,
    grow_forest,
    split,
)
from benchmarks.papers.table import Pictures, Table, new_figure
from pyrrf.papers import LESSClassifier

RUNS = 30
LEVERAGE = Way("leverage", 5)
# Ways to draw, and how many times the root of the number of features a tree draws.
WAYS = [(FOREST, 1), (UNIFORM, 1), (NORM, 1), (LEVERAGE, 1), (LEVERAGE, 4)]
TIES = ("random", "first")


# ---- jobs ----------------------------------------------------------------------------------------


def label(way: Way, times: int) -> str:
    return way.name + (f", {times} times the features" if times > 1 else "")


def key(name: str, way: Way, times: int, ties: str) -> str:
    return f"{name}/{way.kind}-{times}-{ties}"


def grow(x: np.ndarray, y: np.ndarray, kind: str, rank: int, mtry: int, ties: str, n_trees: int, seed: int) -> Any:
    """Return the trees; the scores are computed here, since their time counts."""
    if kind == "forest":
        return grow_forest(x, y, n_trees, seed)
    less = LESSClassifier(
        rank or None, n_trees, scores=kind, max_features=mtry, ties=ties, n_jobs=1, random_state=seed
    )  # fmt: skip
    return less.fit(x, y).estimators_


def timed(
    options: Options, name: str, kind: str, rank: int, mtry: int, ties: str, sizes: list[int], runs: int
) -> dict[str, Any]:
    """Return errors and nodes tree by tree, and seconds of the processor for ensembles of these sizes, of each run."""
    answer: dict[str, list[list[float]]] = {"errors": [], "nodes": [], "seconds": []}
    for run in range(1, runs + 1):
        x, y, new, wanted = split(options.data, name, 0 if name in TEST_SET else run)
        seed, seconds, trees = seed_of("001 fig2", name, kind, rank, mtry, run), [], []
        for size in sizes:
            begun = time.process_time()
            trees = grow(x, y, kind, rank, mtry, ties, size, seed)
            seconds.append(time.process_time() - begun)
        answer["seconds"].append(seconds)
        answer["errors"].append(errors(trees, new, wanted))
        answer["nodes"].append(np.cumsum([tree.left.size for tree in trees]).tolist())
    return answer


def jobs(options: Options) -> list[Job]:
    """Return the ways, set by set; then leverage scores with ties by the lowest index."""
    found = []
    for name in TITLES:
        for way, times in WAYS:
            args = (name, way.kind, way.rank, times * MTRY[name][0], "random", list(SHOWN), options.count(RUNS))
            found.append(Job(key(name, way, times, "random"), timed, args, cost=2 * times))
        args = (name, LEVERAGE.kind, LEVERAGE.rank, MTRY[name][0], "first", [SHOWN[-1]], options.count(RUNS))
        found.append(Job(key(name, LEVERAGE, 1, "first"), timed, args))
    return found


# ---- what they tell ------------------------------------------------------------------------------


def target_of(answers: Answers, name: str) -> float | None:
    """Return the mean error of the forest with 25 trees."""
    forest = answers.get(key(name, FOREST, 1, "random"))
    return None if forest is None else float(np.mean([errors[TARGET_TREES - 1] for errors in forest["errors"]]))


def until(answer: dict[str, Any], target: float) -> tuple[int, float] | None:
    """Return the trees after which the mean error is at most the target, and the mean seconds that they take.

    Between two sizes that were timed the seconds lie on a line.
    """
    reached = np.flatnonzero(np.mean(answer["errors"], axis=0) <= target + 1e-9)  # both are means, rounded apart
    if not reached.size:
        return None
    trees = int(reached[0]) + 1
    return trees, float(np.interp(trees, SHOWN, np.mean(answer["seconds"], axis=0)))


def reached_cell(answer: dict[str, Any] | None, target: float | None) -> Cell:
    if answer is None or target is None:
        return Cell()
    found = until(answer, target)
    if found is None:
        return Cell(text=f"not with {SHOWN[-1]} trees")
    return Cell(text=f"{found[1]:.2g} s, {found[0]} tree{'s' * (found[0] > 1)}")


def report(answers: Answers) -> list[Grid]:
    """Return seconds until the forest's error, then seconds and errors of ensembles, then the two kinds of ties."""
    names = [label(*way) for way in WAYS]
    cells = [
        [reached_cell(answers.get(key(name, *way, "random")), target_of(answers, name)) for way in WAYS]
        for name in TITLES
    ]
    grids = [Grid("Until the error of our forest with 25 trees", list(TITLES.values()), names, cells, corner="set")]
    for name, title in TITLES.items():
        columns = [f"{trees} trees" if trees > 1 else "1 tree" for trees in SHOWN]
        found = [answers.get(key(name, *way, "random")) for way in WAYS]
        seconds = [
            [] if one is None else [Cell.over(list(column)) for column in zip(*one["seconds"], strict=True)]
            for one in found
        ]
        errors = [
            [] if one is None else [Cell.over([run[trees - 1] for run in one["errors"]]) for trees in SHOWN]
            for one in found
        ]
        empty = [Cell()] * len(SHOWN)
        grids.append(Grid(f"{title}: seconds", names, columns, [row or empty for row in seconds], step=0.01))
        grids.append(Grid(f"{title}: errors", names, columns, [row or empty for row in errors]))
    return [*grids, ties_grid(answers, "errors", 0.001), ties_grid(answers, "nodes", 10)]


def ties_grid(answers: Answers, what: str, step: float) -> Grid:
    """Return errors or nodes of leverage scores by how ties are decided."""
    rows = []
    for name in TITLES:
        found = [answers.get(key(name, LEVERAGE, 1, ties), {}) for ties in TIES]
        rows.append([Cell.over([run[-1] for run in one.get(what, [])]) for one in found])
    title = f"{LEVERAGE.name}, {SHOWN[-1]} trees: {what} by which of equal splits wins"
    return Grid(title, list(TITLES.values()), TIES, rows, step, "set")


def draw(answers: Answers) -> Pictures:
    """Draw the errors over the seconds, as in the paper's row 1."""
    figure = new_figure(12, 3.4)
    panels = figure.subplots(1, len(TITLES))
    for panel, (name, title) in zip(panels, TITLES.items(), strict=True):
        panel.set(title=title, xlabel="seconds", ylabel="error", xscale="log")
        for way in WAYS:
            answer = answers.get(key(name, *way, "random"))
            if answer is not None:
                errors, seconds = (np.mean(answer[field], axis=0) for field in ("errors", "seconds"))
                at = errors[np.array(SHOWN) - 1]
                panel.plot(seconds, at, marker="o", markersize=3, linewidth=1, label=label(*way))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(WAYS))
    return {"": figure}


TABLE = Table("001-fig2", "Figure 2, row 1: error over the time of training", jobs, report, draw=draw)
