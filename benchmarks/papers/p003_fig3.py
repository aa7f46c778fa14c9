"""Paper 003, Figure 3: seconds of RF, GRRF and varSelRF on the whole of each gene set; its values are not printed."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import read_set
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table, new_figure

REPLICATES = 5
GAMMA = 0.2  # as in the script of the first author
METHODS = ("RF", "GRRF", "varSelRF")


def seconds(options: Options, name: str, replicate: int, ntree: int, gamma: float) -> dict[str, float]:
    """Return the processor's seconds of each method, on one thread; GRRF's with its guide."""
    from benchmarks.papers import comparators

    data, seed = read_set(options.data, name), seed_of(name, replicate, "time")
    x, y, forest = data.values, data.y, {"ntree": ntree, "engine": options.engine, "seed": seed}
    begun = time.process_time()
    guide = grrf.guide(x, y, **forest)
    found = {"RF": time.process_time() - begun}
    grrf.select(x, y, grrf.coefficients(guide, 1.0, gamma), **forest)
    found["GRRF"] = time.process_time() - begun
    begun = time.process_time()
    comparators.varselrf(x, y, seed, engine=options.engine)
    return found | {"varSelRF": time.process_time() - begun}


def jobs(options: Options) -> list[Job]:
    """Return the replicates of each set."""
    replicates = range(1, options.count(REPLICATES) + 1)
    sets = genes.sets_of(options)
    return [Job(f"{n}/{r}", seconds, (n, r, genes.NTREE, GAMMA), cost=genes.SETS[n]) for n in sets for r in replicates]


def report(answers: Answers) -> list[Grid]:
    """Return the seconds, and how often RF's time each method takes."""
    rows = list(genes.SETS)
    times = [[Cell.over([one[method] for one in answers.below(name)]) for method in METHODS] for name in rows]
    ratios = [
        [Cell.over([one[method] / one["RF"] for one in answers.below(name)]) for method in METHODS[1:]] for name in rows
    ]
    headings = ["GRRF / RF", "varSelRF / RF"]
    return [
        Grid("Figure 3: seconds of the processor", rows, METHODS, times, step=0.1, corner="set"),
        Grid("Figure 3: beside RF", rows, headings, ratios, step=1, corner="set"),
    ]


def draw(answers: Answers) -> Pictures:
    """Draw the seconds as bars."""
    figure = new_figure(9, 4)
    panel = figure.subplots()
    at = np.arange(len(genes.SETS))
    for i, method in enumerate(METHODS):
        found = [[one[method] for one in answers.below(name)] for name in genes.SETS]
        panel.bar(at + 0.27 * (i - 1), [np.mean(one) if one else np.nan for one in found], 0.25, label=method)
    panel.set_xticks(at, list(genes.SETS), rotation=30, ha="right")
    panel.set(ylabel="seconds of the processor", yscale="log")
    panel.legend()
    return {"": figure}


TABLE = Table("003-fig3", "Figure 3: time of RF, GRRF and varSelRF", jobs, report, engines=genes.ENGINES, draw=draw)
