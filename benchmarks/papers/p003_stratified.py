"""Paper 003, table 3: sizes and errors of RRF(1) on splits that keep the classes' shares, and on splits that do not."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p003_tables3to6 import TABLE3
from benchmarks.papers.table import Table

NAME = "003-stratified"
SETS = ("colon", "leukemia", "prostate")
SPLITS = 100
# How far the larger class's share of the training rows is from that of stratified splits.
SHARES = {"smaller by .04": (-1.0, -0.04), "about as in all rows": (-0.04, 0.04), "larger by .04": (0.04, 1.0)}


def training_rows(y: np.ndarray, seed: int, stratified: bool) -> np.ndarray:
    """Return two thirds of the rows, rounded up class by class as in the paper's splits, or as many drawn of all."""
    draw = np.random.default_rng(seed)
    share = [-(-2 * np.sum(y == one) // 3) for one in np.unique(y)]
    if not stratified:
        return draw.permutation(y.size)[: sum(share)]
    parts = zip(np.unique(y), share, strict=True)
    return np.concatenate([draw.permutation(np.flatnonzero(y == one))[:rows] for one, rows in parts])


def one_split(options: Options, name: str, number: int, ntree: int) -> dict[str, list[float]]:
    """Return size, error and the share of the larger class in training, on a split of each kind."""
    data, found = read_set(options.data, name), {}
    for kind, stratified in (("stratified", True), ("drawn", False)):
        seed = seed_of(NAME, name, number, kind)
        rows = training_rows(data.y, seed, stratified)
        rest = np.setdiff1d(np.arange(data.y.size), rows)
        train, test = ((np.asfortranarray(data.values[part]), data.y[part]) for part in (rows, rest))
        forest = {"ntree": ntree, "engine": options.engine, "seed": seed}
        columns = grrf.select(*train, np.ones(data.values.shape[1]), **forest)
        share = np.unique(train[1], return_counts=True)[1].max() / rows.size
        found[kind] = [float(columns.size), float(grrf.wrong(train, test, columns, **forest).mean()), float(share)]
    return found


def jobs(options: Options) -> list[Job]:
    """Return the splits of each set at hand."""
    numbers = range(1, options.count(SPLITS) + 1)
    sets = [name for name in SETS if has_set(options.data, name)] or SETS
    return [Job(f"{n}/{k}", one_split, (n, k, genes.NTREE), cost=genes.SETS[n]) for n in sets for k in numbers]


def by_share(found: list[dict[str, list[float]]], least: float, most: float) -> Cell:
    """Return the mean size on the drawn splits whose share is so far from the stratified one, and how many they are."""
    kept = [one["drawn"][0] for one in found if least <= one["drawn"][2] - one["stratified"][2] < most]
    return Cell(text=f"{Cell.over(kept).markdown(1)}, {len(kept)} splits")


def report(answers: Answers) -> list[Grid]:
    """Return sizes and errors by the kind of split, beside the paper's as text, since its splits are others."""
    rows, sizes, errors = [name for name in SETS if answers.below(name)], [], []
    for name in rows:
        found = answers.below(name)
        size, error = TABLE3[name][:2]
        for grid, k, paper in ((sizes, 0, f"{size}"), (errors, 1, f"{error:.3f}".replace("0.", ".", 1))):
            kinds = [Cell.over([one[kind][k] for one in found]) for kind in ("stratified", "drawn")]
            gap = Cell.over([one["stratified"][k] - one["drawn"][k] for one in found])
            grid.append([*kinds, gap, Cell(text=paper)])
    shares = [[by_share(answers.below(name), *ends) for ends in SHARES.values()] for name in rows]
    columns = ["stratified", "drawn from all rows", "difference", "paper"]
    return [
        Grid("Features selected by RRF(1)", rows, columns, sizes, step=1, corner="set"),
        Grid("Errors of forests on them", rows, columns, errors, corner="set"),
        Grid("Features on drawn splits, by the larger class's share", rows, list(SHARES), shares, step=1, corner="set"),
    ]


TABLE = Table(NAME, "Table 3 by stratified and other splits", jobs, report, engines=genes.ENGINES)
