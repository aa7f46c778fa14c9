"""Paper 004, figure 5: how fast the mean confidence interval of a feature's gain narrows as trees are added."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p004_tables3and4 import jobs as all_jobs
from benchmarks.papers.rogers_gunn import NAMES, STORE, one_trial
from benchmarks.papers.table import Pictures, Table, new_figure

MARKS = (1, 10, 20, 50, 100)


def jobs(options: Options) -> list[Job]:
    """Return the trials of tables 3 and 4, whose answers hold the widths."""
    return [job for job in all_jobs(options) if job.function is one_trial]


def widths(answers: Answers, name: str) -> np.ndarray:
    """Return the mean width after each tree, (trials, trees)."""
    return np.array([answer["widths"] for answer in answers.below(name)])


def present(answers: Answers) -> list[str]:
    return [name for name in NAMES if answers.below(name)]


def report(answers: Answers) -> list[Grid]:
    """Return the widths after some numbers of trees; the paper prints none."""
    names = present(answers)
    cells = [[Cell.over(widths(answers, name)[:, mark - 1]) for mark in MARKS] for name in names]
    columns = [f"{mark} trees" if mark > 1 else "1 tree" for mark in MARKS]
    title = "Figure 5: mean width of the 95 % intervals, bits"
    return [Grid(title, [NAMES[name] for name in names], columns, cells, step=0.01, corner="set")]


def draw(answers: Answers) -> Pictures:
    """Draw the widths over the number of trees."""
    figure = new_figure(7, 4.5)
    panel = figure.subplots()
    for name in present(answers):
        line = widths(answers, name).mean(axis=0)
        panel.plot(np.arange(1, line.size + 1), line, linewidth=1.3, label=NAMES[name])
    panel.set(xlabel="trees", ylabel="mean width of the interval, bits", ylim=(0, None))
    panel.legend(frameon=False)
    return {"": figure}


TABLE = Table("004-fig5", "Figure 5: intervals over the number of trees", jobs, report, store=STORE, draw=draw)
