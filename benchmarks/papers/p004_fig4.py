"""Paper 004, figure 4: how the gains of three features of Simple are distributed, with and without node complexity."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.rogers_gunn import simple, split_nodes
from benchmarks.papers.table import Pictures, Table, new_figure
from pyrrf.papers import node_complexity

TREES, BINS = 5000, 100
FEATURES = {0: "feature 1", 1: "feature 2, tells most", 2: "feature 3, irrelevant"}
WEIGHTS = ("each node counts 1", "each node counts its complexity")


def densities(options: Options, trees: int, bag: bool) -> dict[str, Any]:
    """Return histograms of the gains of each feature, steps of .01 bits, and the share of perfect splits."""
    seed = seed_of("004-fig4")
    nodes = split_nodes(simple(np.random.default_rng(seed)), trees, seed, bag)
    answer: dict[str, Any] = {}
    for weights, words in zip((np.ones(nodes.gain.size), node_complexity(nodes.counts)), WEIGHTS, strict=True):
        for feature in FEATURES:
            own = nodes.feature == feature
            share, _ = np.histogram(nodes.gain[own], BINS, (0, 1), weights=weights[own])
            total = weights[own].sum()
            perfect = (weights[own] * (nodes.gain[own] > 1 - 1e-9)).sum() / total
            mean = (weights[own] * nodes.gain[own]).sum() / total
            answer[f"{feature}, {words}"] = {"share": (share / total).tolist(), "perfect": perfect, "mean": mean}
    return answer


def jobs(options: Options) -> list[Job]:
    """Return the one job; a trial has fewer trees."""
    return [Job("trees", densities, (TREES if options.splits is None else 100 * options.splits, True))]


def report(answers: Answers) -> list[Grid]:
    """Return means, and how much stands at a gain of one bit: the spike at the right end."""
    found = answers["trees"]
    grids = []
    for key, title in (("perfect", "share of gains of 1 bit, the spike at the right end"), ("mean", "mean gain, bits")):
        cells = [[Cell(mean=found[f"{feature}, {words}"][key]) for words in WEIGHTS] for feature in FEATURES]
        grids.append(Grid(f"Figure 4: {title}", list(FEATURES.values()), WEIGHTS, cells, step=0.01))
    return grids


def draw(answers: Answers) -> Pictures:
    """Draw the six panels."""
    figure = new_figure(10, 5)
    panels = figure.subplots(2, 3, sharex=True, sharey="row")
    middle = (np.arange(BINS) + 0.5) / BINS
    for row, words in enumerate(WEIGHTS):
        for column, (feature, title) in enumerate(FEATURES.items()):
            panel = panels[row, column]
            share = answers["trees"][f"{feature}, {words}"]["share"]
            panel.fill_between(middle, np.array(share) * BINS, step="mid", linewidth=0)
            panel.set(title="" if row else title, xlabel="information gain, bits" if row else "", xlim=(0, 1))
        panels[row, 0].set_ylabel(f"density\n{words}")
    return {"": figure}


TABLE = Table("004-fig4", "Figure 4: densities of the gains", jobs, report, draw=draw)
