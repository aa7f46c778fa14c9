"""Paper 003, section 3: how many gains a node can have, which features tie there, and what forests select in it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import pyrrf
from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Table
from pyrrf.papers import distinct_gains
from pyrrf.papers.complexity.expected_gain import gain_distribution

NAME = "003-theorem1"
SIZES = (2, 4, 6, 10, 20, 42)  # 42 rows train the forests of colon
TRIED = 44  # features that a node of colon tries: the root of 2,000
FEW = 10  # rows of a small node, as the paper has them
SPLITS = 10
METHODS = ("RRF(1)", "GRRF(.1)")


def counts(options: Options, sizes: list[int], tried: int) -> dict[str, dict[str, float]]:
    """Return of nodes of equal classes how many gains there are, and how often irrelevant features share them."""
    found = {}
    for n in sizes:
        gain, chance = gain_distribution(n, n // 2, "gini")
        found[str(n)] = {
            "theorem 1": int(distinct_gains(n)),
            "splits": int(distinct_gains(n, kind="splits")),
            "gains": int(distinct_gains(n, kind="exact")),
            "of best cuts": gain.size,
            "arrangements": math.comb(n, n // 2) // 2,
            "tie": float(chance @ chance),
            # Each feature of gain g is among the best where no other has more.
            "best": float(tried * chance @ np.cumsum(chance) ** (tried - 1)),
        }
    return found


def entries(fit: pyrrf.RRFResult, x: np.ndarray) -> dict[str, list[int]]:
    """Return the rows of each node that was split, and of the node where each feature came into F."""
    splits, first, trees = [], {}, fit.forest.trees
    for tree in range(fit.ntree):
        part = slice(*trees.offset[tree : tree + 2])
        left, feature, point = trees.left[part], trees.split_var[part] - 1, trees.split_point[part]
        inside = {0: np.flatnonzero(fit.inbag.to_numpy()[:, tree])}
        # Nodes are split in the order of their numbers.
        for node in np.flatnonzero(left).tolist():
            rows = inside.pop(node)
            below = x[rows, feature[node]] <= point[node]
            inside[left[node] - 1], inside[left[node]] = rows[below], rows[~below]
            splits.append(rows.size)
            first.setdefault(int(feature[node]), rows.size)
    return {"splits": splits, "entries": list(first.values())}


def small_nodes(options: Options, name: str, number: int, ntree: int, few: int) -> dict[str, dict[str, float]]:
    """Return the share of splits, and of features selected, that are of nodes of `few` rows or less."""
    split, found = genes.Split(options.data, name, number), {}
    importance = split.guide(options, ntree)
    for method in METHODS:
        coef = grrf.coefficients(importance, *genes.TABLE[method])
        forest: dict[str, Any] = split.forest(options, ntree, method)
        fit = pyrrf.RRF(split.x, split.y, flagReg=1, replace=False, coefReg=coef, keep_inbag=True, **forest)
        sizes = {kind: np.array(rows) for kind, rows in entries(fit, split.x).items()}
        found[method] = {kind: float((rows <= few).mean()) for kind, rows in sizes.items()}
        found[method]["features"] = float(sizes["entries"].size)
    return found


def jobs(options: Options) -> list[Job]:
    """Return the counts, and the first splits of each set."""
    found = [Job("counts", counts, (list(SIZES), TRIED))]
    numbers = range(1, options.count(SPLITS) + 1)
    return found + [
        Job(f"{n}/{k}", small_nodes, (n, k, genes.NTREE, FEW), cost=genes.SETS[n])
        for n in genes.sets_of(options)
        for k in numbers
    ]


def report(answers: Answers) -> list[Grid]:
    """Return the counts of nodes by size; then what the forests of the gene sets do in small nodes."""
    found = answers.get("counts", {})
    whole = ("theorem 1", "splits", "gains", "of best cuts")
    cells = [
        [
            *(Cell(text=str(one[kind])) for kind in whole),
            Cell(text=f"1 in {one['arrangements']:,}"),
            *(Cell(mean=one[kind]) for kind in ("tie", "best")),
        ]
        for one in found.values()
    ]
    columns = ["gains by theorem 1", "splits", "gains of all splits", "gains of best cuts"]
    columns += ["chance of a perfect split", "chance that two features tie", f"of {TRIED} features, the best ones"]
    rows = [f"{n} rows" for n in found]
    grids = [Grid("Theorem 1, and irrelevant features at nodes of equal classes", rows, columns, cells, corner="node")]
    cells = []
    names = [name for name in genes.SETS if answers.below(name)]
    for name in names:
        one = answers.below(name)
        kinds = [(method, kind) for method in METHODS for kind in ("splits", "entries", "features")]
        cells.append([Cell.over([each[method][kind] for each in one]) for method, kind in kinds])
    words = (f"splits in nodes of {FEW} rows or less", "features that come in there", "features")
    columns = [f"{method}: {word}" for method in METHODS for word in words]
    return [*grids, Grid("Share of what forests do in small nodes", names, columns, cells, step=0.01, corner="set")]


TITLE = "Theorem 1: gains in small nodes, and what is selected there"
TABLE = Table(NAME, TITLE, jobs, report, engines=genes.ENGINES)
