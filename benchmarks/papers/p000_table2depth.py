"""Paper 000, algorithm 1 goes depth first: what that and ties by the lowest index change of RRF's F (Table II)."""

from __future__ import annotations

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import read_set
from benchmarks.papers import regularized
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p000_tables2and3 import read_paper
from benchmarks.papers.table import Table

REPLICATES = 20
TREES = 100
# Sets of numbers without missing values, which trees split in two in either program: name, time beside the others.
SETS = {
    "parkinsons": 1.0,
    "ionosphere": 1.0,
    "sonar": 1.0,
    "hillvalley_without_noise": 2.0,
    "musk": 2.0,
    "madelon": 10.0,
    "arcene": 4.0,
}
RULES = {
    "breadth first": {},
    "depth first": {"growth": "depth"},
    "depth first, first of equals": {"growth": "depth", "ties": "first"},
    "another seed": {},
}


def one_replicate(options: Options, name: str, replicate: int) -> dict[str, dict[str, float]]:
    """Return means over the two folds: features, those that are not in F breadth first, accuracy of RF on F."""
    data, found = read_set(options.data, name), {rule: [] for rule in RULES}
    for train, test in regularized.two_folds(data, seed_of("000 depth", name, replicate)):
        seed = seed_of("000 depth", name, replicate, len(found["breadth first"]))
        first: set[int] = set()
        for rule, told in RULES.items():
            chosen = regularized.rrf(*train, seed + (rule == "another seed"), TREES, **told).tolist()
            first = first or set(chosen)
            parts = [(x.iloc[:, chosen], y) for x, y in (train, test)]
            accuracy = regularized.judge_by_forest(parts[0], parts[1], seed)
            found[rule].append((len(chosen), len(set(chosen) - first), accuracy))
    fields = ("features", "others", "accuracy")
    return {rule: dict(zip(fields, np.mean(rows, axis=0).tolist(), strict=True)) for rule, rows in found.items()}


def jobs(options: Options) -> list[Job]:
    replicates = range(1, options.count(REPLICATES) + 1)
    return [
        Job(f"{name}/{replicate}", one_replicate, (name, replicate), cost=cost)
        for name, cost in SETS.items()
        for replicate in replicates
    ]


def report(answers: Answers) -> list[Grid]:
    """Return sizes of F, what of it is new, accuracies, and differences on the same folds."""

    def cells(name: str, field: str, rules: list[str], less: str = "") -> list[Cell]:
        found = answers.below(name)
        return [Cell.over([one[rule][field] - (one[less][field] if less else 0) for one in found]) for rule in rules]

    rules, names, paper = list(RULES), list(SETS), read_paper()
    others = rules[1:]
    sizes = [
        [*cells(name, "features", rules), Cell(text=paper[regularized.NAMES.get(name, name), "RRF"]["size"])]
        for name in names
    ]
    new = [cells(name, "others", others) for name in names]
    accuracy = [cells(name, "accuracy", rules) for name in names]
    less = [cells(name, "accuracy", others, rules[0]) for name in names]
    return [
        Grid(f"RRF, {TREES} trees: features selected", names, [*rules, "paper"], sizes, 0.1, "set"),
        Grid("Features that are not in F breadth first", names, others, new, 0.1, "set"),
        Grid("RF on them: accuracy", names, rules, accuracy, 0.001, "set"),
        Grid("Accuracy less that breadth first, on the same folds", names, others, less, 0.001, "set"),
    ]


TABLE = Table("000-table2depth", "Table II, RRF depth first", jobs, report)
