"""Paper 003, table 2: the gene sets at hand, beside what the paper prints of them."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.jobs.sets import read_set
from benchmarks.papers import genes
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.printed import printed
from benchmarks.papers.table import Table

# Examples, features, classes, in the order of the table; its names of the breast sets and of nci are longer.
TABLE2 = printed("003 table 2")


def shape(options: Options, name: str) -> dict[str, list[int]]:
    """Return examples, features and classes of a set, and the examples of each class."""
    data = read_set(options.data, name)
    _, sizes = np.unique(data.y, return_counts=True)
    return {"shape": [*data.values.shape, sizes.size], "classes": sorted(sizes.tolist(), reverse=True)}


def jobs(options: Options) -> list[Job]:
    """Return a job for each set at hand."""
    return [Job(name, shape, (name,)) for name in TABLE2 if name in genes.sets_of(options)]


def report(answers: Answers) -> list[Grid]:
    """Return the sizes as text, which are no means to be judged; bold where the paper has another one."""
    cells = []
    for name, one in answers.items():
        pairs = zip(one["shape"], TABLE2[name], strict=True)
        told = [Cell(text=f"{a}" if a == b else f"**{a}**", paper_text=f"{b}") for a, b in pairs]
        cells.append([*told, Cell(text=", ".join(map(str, one["classes"])))])
    columns = ["examples", "features", "classes", "examples of each class"]
    return [Grid("Table 2: the gene sets", list(answers), columns, cells, corner="set")]


TABLE = Table("003-table2", "Table 2: the gene sets", jobs, report)
