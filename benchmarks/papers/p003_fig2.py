"""Paper 003, Figure 2: sizes and errors of RRF over lambda and of GRRF over gamma."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers import genes
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p003_tables3to6 import TABLE3
from benchmarks.papers.table import Pictures, Table, new_figure

# As the figure has them, from the strongest penalty to the weakest.
RRF = [f"RRF(.{i})" for i in range(1, 10)] + ["RRF(1)"]
GRRF = [f"GRRF(.{i})" for i in range(9, 0, -1)] + ["GRRF(0)"]
SPLITS = 25  # the first of the paper's


def jobs(options: Options) -> list[Job]:
    """Return the settings of the tables, which are shared with them, and the others."""
    known = genes.forest_jobs(options, "forests", genes.TABLE, cost=1.0, splits=SPLITS)
    return known + genes.forest_jobs(options, "grid", genes.GRID, cost=4.0, splits=SPLITS)


def on_splits(answers: Answers, name: str, method: str, field: str) -> list[float | None]:
    """Return the error, or the number of columns, of a method on each split of the figure; None where there is none."""
    return genes.on_splits(answers, name, method, field, SPLITS)


def means(answers: Answers, name: str, methods: list[str], field: str) -> np.ndarray:
    """Return the means of a line of the figure; NaN where nothing is known."""
    return np.array([Cell.over(on_splits(answers, name, method, field)).mean for method in methods])


def said(answers: Answers, name: str) -> list[Cell]:
    """Return for a set what the paper says of the figure in words."""
    cells = []
    for methods in (RRF, GRRF):
        cells.append(Cell(text=f"{np.sum(np.diff(means(answers, name, methods, 'columns')) >= 0)} of 9"))
        cells.append(Cell(text=f"{np.ptp(means(answers, name, methods, 'error')):.3f}".replace("0.", ".", 1)))
    for field in ("columns", "error"):
        pairs = zip(*(on_splits(answers, name, method, field) for method in ("RRF(1)", "GRRF(0)")), strict=True)
        cells.append(Cell.over([a - b for a, b in pairs if a is not None and b is not None]))
    return cells


def report(answers: Answers) -> list[Grid]:
    """Return the four panels, and what the paper says of them in words."""
    grids, rows = [], list(TABLE3)
    for part, methods in (("RRF", RRF), ("GRRF", GRRF)):
        for field, title, step in (("columns", "features selected", 1), ("error", "errors of forests", 0.001)):
            cells = [[Cell.over(on_splits(answers, name, method, field)) for method in methods] for name in rows]
            grids.append(Grid(f"Figure 2, {part}, {title}", rows, methods, cells, step=step, corner="set"))
    columns = ["RRF: steps that add features", "errors: largest - least", "GRRF: steps", "errors: largest - least"]
    columns += ["RRF(1) - GRRF(0): features", "errors"]
    title = "Figure 2 in words: fewer features with more penalty; errors of GRRF move less; RRF(1) is GRRF(0)"
    return [*grids, Grid(title, rows, columns, [said(answers, name) for name in rows], corner="set")]


def draw(answers: Answers) -> Pictures:
    """Draw the four panels as the figure has them."""
    figure = new_figure(10, 8)
    panels = figure.subplots(2, 2)
    for column, methods in enumerate((RRF, GRRF)):
        for row, (field, title) in enumerate(
            (("columns", "features selected"), ("error", "error of a forest on them"))
        ):
            panel = panels[row, column]
            for i, name in enumerate(TABLE3):
                line = means(answers, name, methods, field)
                panel.plot(range(len(methods)), line, marker="osv^D"[i % 5], markersize=4, linewidth=1, label=name)
            ends = [method.partition("(")[2].rstrip(")") for method in methods]
            panel.set_xticks(range(len(methods)), ends)
            panel.set(xlabel=("$\\lambda$ of RRF", "$\\gamma$ of GRRF")[column], ylabel=title)
            if field == "columns":
                panel.set_yscale("log")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return {"": figure}


TABLE = Table(
    "003-fig2",
    "Figure 2: RRF over lambda, GRRF over gamma",
    jobs,
    report,
    engines=genes.ENGINES,
    store=genes.STORE,
    draw=draw,
)
