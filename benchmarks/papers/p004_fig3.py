"""Paper 004, figure 3: both bounds of an irrelevant feature's gain by node size, beside the exact gains."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table, new_figure
from pyrrf.papers import entropy, expected_gain

MOST = 100
SHOWN = (2, 4, 6, 10, 20, 50, 100)
KINDS = ("lower", "midpoint", "upper")


def lines(options: Options, most: int) -> dict[str, list[float]]:
    """Return each line of the figure for 2 to `most` rows, and the exact gains of the nodes that the bounds are for."""
    n = np.arange(2, most + 1)
    found = {kind: expected_gain(n, 1, kind).tolist() for kind in KINDS}
    found["exact, one row of a class"] = expected_gain(n, 1, "exact").tolist()
    found["exact, equal classes"] = expected_gain(n, n // 2, "exact").tolist()
    found["parent entropy, one row of a class"] = [entropy(np.arange(rows) == 0) for rows in n]
    return found


def jobs(options: Options) -> list[Job]:
    return [Job("lines", lines, (MOST,))]


def report(answers: Answers) -> list[Grid]:
    """Return the lines at some sizes."""
    found = answers["lines"]
    cells = [[Cell(mean=line[n - 2]) for line in found.values()] for n in SHOWN]
    return [Grid("Figure 3: bits", [f"{n} rows" for n in SHOWN], list(found), cells, step=0.001, corner="node")]


def draw(answers: Answers) -> Pictures:
    """Draw the lines over the number of rows."""
    figure = new_figure(7, 4.5)
    panel = figure.subplots()
    styles = {"exact": "--", "parent": ":"}
    for name, line in answers["lines"].items():
        n = np.arange(2, len(line) + 2)
        panel.plot(n, line, styles.get(name.split(",")[0].split()[0], "-"), linewidth=1.3, label=name)
    panel.set(xlabel="rows of the node", ylabel="bits", xscale="log", ylim=(0, 1.02))
    panel.legend(frameon=False)
    return {"": figure}


TABLE = Table("004-fig3", "Figure 3: bounds of an irrelevant feature's gain", jobs, report, draw=draw)
