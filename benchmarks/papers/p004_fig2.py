"""Paper 004, figure 2: what an irrelevant feature gains at nodes of both classes' rows, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table, new_figure
from pyrrf.papers import expected_gain

MOST = 25  # rows of each class; gains are exact up to 50 rows
SHOWN = (1, 2, 3, 5, 10, 25)
SIZES = (4, 6, 12, 20, 50)


def gains(options: Options, most: int, sizes: list[int]) -> dict[str, Any]:
    """Return the expected gains at nodes of i positive and j negative rows, 1 to `most`, and at those of some sizes."""
    positive, negative = np.meshgrid(np.arange(1, most + 1), np.arange(1, most + 1), indexing="ij")
    surface = expected_gain(positive + negative, positive, "exact").tolist()
    return {"surface": surface} | {str(n): expected_gain(n, np.arange(1, n), "exact").tolist() for n in sizes}


def jobs(options: Options) -> list[Job]:
    return [Job("gains", gains, (MOST, list(SIZES)))]


def report(answers: Answers) -> list[Grid]:
    """Return some of the values, and where they are largest and least at a node of n rows."""
    found = answers["gains"]
    cells = [[Cell(mean=found["surface"][i - 1][j - 1]) for j in SHOWN] for i in SHOWN]
    rows, words = [f"{i} positive" for i in SHOWN], [f"{j} negative" for j in SHOWN]
    ends = []
    for n in SIZES:
        line = np.array(found[str(n)])
        places = [Cell(text=f"{at + 1}") for at in (line.argmax(), line.argmin())]
        ends.append([*places, *(Cell(mean=value) for value in (line.max(), line[n // 2 - 1], line.min()))])
    columns = ["rows of a class at the largest", "at the least", "largest", "with equal classes", "least"]
    return [
        Grid("Figure 2: expected gain of an irrelevant feature, bits", rows, words, cells, step=0.001),
        Grid("Figure 2 in words: the largest with equal classes", [f"n = {n}" for n in SIZES], columns, ends),
    ]


def draw(answers: Answers) -> Pictures:
    """Draw the surface as the figure has it, and its contours."""
    table = np.array(answers["gains"]["surface"])
    rows = np.arange(1, len(table) + 1)
    figure = new_figure(7, 5.5)
    panel = figure.add_subplot(projection="3d")
    panel.plot_surface(*np.meshgrid(rows, rows, indexing="ij"), table, cmap="viridis", linewidth=0.2, edgecolor="white")
    panel.set(xlabel="positive rows", ylabel="negative rows", zlabel="expected gain, bits", zlim=(0, 1))
    panel.view_init(elev=25, azim=45)
    return {"": figure}


TABLE = Table("004-fig2", "Figure 2: expected gain by both classes' rows", jobs, report, draw=draw)
