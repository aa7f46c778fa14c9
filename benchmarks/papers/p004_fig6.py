"""Paper 004, figure 6: the gains of Simple's features, and what an irrelevant one is expected to gain."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.rogers_gunn import TREES, simple, split_nodes
from benchmarks.papers.table import Pictures, Table, new_figure
from pyrrf.papers import expected_gain, node_complexity

SAMPLES = 100
KINDS = ("lower", "upper", "midpoint", "exact")
WAYS = ("distinct rows", "bags")
IRRELEVANT = 7


def measures(options: Options, sample: int) -> dict[str, Any]:
    """Return each feature's average gain, and the averages of what an irrelevant one is expected to gain there."""
    seed = seed_of("004-fig6", sample)
    rows = simple(np.random.default_rng(seed))
    answer: dict[str, Any] = {}
    for way in WAYS:
        nodes = split_nodes(rows, TREES, seed, bag=way == "bags")
        weight, p = node_complexity(nodes.counts), rows.x.shape[1]
        total = np.bincount(nodes.feature, weight, p)

        def average(values: np.ndarray, nodes=nodes, weight=weight, total=total, p=p) -> list[float]:
            return (np.bincount(nodes.feature, weight * values, p) / total).tolist()

        n, i = nodes.counts.sum(axis=1), nodes.counts[:, 0]
        answer[way] = {kind: average(expected_gain(n, i, kind)) for kind in KINDS} | {"gain": average(nodes.gain)}
    return answer


def jobs(options: Options) -> list[Job]:
    """Return one job a sample."""
    return [Job(f"sample/{sample}", measures, (sample,)) for sample in range(1, options.count(SAMPLES) + 1)]


def within(answer: dict[str, list[float]], low: str, high: str) -> int:
    """Return how many irrelevant features have gains between two expectations."""
    return sum(
        answer[low][feature] <= answer["gain"][feature] <= answer[high][feature] for feature in range(2, 2 + IRRELEVANT)
    )


def above(answer: dict[str, list[float]], kind: str, features: range) -> int:
    return sum(answer["gain"][feature] > answer[kind][feature] for feature in features)


def report(answers: Answers) -> list[Grid]:
    """Return how many features are where the figure has them."""
    found = answers.below("sample")
    columns = ["irrelevant, within the bounds (of 7)", "samples with all 7 within", "above the mid-point"]
    columns += ["above the exact mean", "relevant, above the upper bound (of 2)"]
    cells = [
        [
            Cell.over([within(one[way], "lower", "upper") for one in found]),
            Cell.over([within(one[way], "lower", "upper") == IRRELEVANT for one in found]),
            Cell.over([above(one[way], "midpoint", range(2, 9)) for one in found]),
            Cell.over([above(one[way], "exact", range(2, 9)) for one in found]),
            Cell.over([above(one[way], "upper", range(2)) for one in found]),
        ]
        for way in WAYS
    ]
    counts = Grid("Figure 6: features, counted", WAYS, columns, cells, step=0.1, corner="measured on")
    kinds = ["gain", *KINDS]
    cells = [[Cell.over([np.mean(one[way][kind][2:]) for one in found]) for kind in kinds] for way in WAYS]
    title = "Irrelevant features: what they gain, and what they are expected to gain, bits"
    return [counts, Grid(title, WAYS, kinds, cells, step=0.001, corner="measured on")]


def draw(answers: Answers) -> Pictures:
    """Draw the first sample as the figure has it, on distinct rows and on bags."""
    figure = new_figure(9, 3.8)
    panels = figure.subplots(1, 2, sharey=True)
    for panel, way in zip(panels, WAYS, strict=True):
        one = answers["sample/1"][way]
        places = np.arange(1, len(one["gain"]) + 1)
        panel.bar(places, one["gain"], color="0.75", label="average gain")
        for kind, style in (("upper", "v"), ("exact", "D"), ("lower", "^")):
            panel.plot(places, one[kind], style, markersize=4, label=f"irrelevant feature, {kind}")
        panel.set(title=f"measured on {way}", xlabel="feature", xticks=places)
    panels[0].set_ylabel("bits")
    panels[1].legend(frameon=False)
    return {"": figure}


TABLE = Table("004-fig6", "Figure 6: gains between the bounds", jobs, report, draw=draw)
