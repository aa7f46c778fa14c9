"""How far the features repeat over seeds, with GRRFSelector and with StabilitySelector; write benchmarks/OVERLAP.md.

The mean Jaccard overlap of the subsets of each two seeds. --data names the folder with colon.csv.gz; --quick measures
made data with few trees.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.selection.summary import jaccard
from pyrrf.sklearn import GRRFSelector, StabilitySelector

# The overlap of the consensus is to be this many times that of one fit.
GOAL = 2.0
PAIRS = 50  # the default


def overlap(supports: np.ndarray) -> float:
    """Return the mean Jaccard overlap of each two subsets."""
    return jaccard([np.flatnonzero(support) for support in supports])


def row(name: str, supports: np.ndarray, threshold: str = "") -> list[str]:
    """Return a row of the table; subsets without any feature have no overlap."""
    sizes = supports.sum(axis=1)
    shared = f"{overlap(supports):.2f}" if sizes.any() else "-"
    return [name, threshold, f"{sizes.mean():.1f}", f"{sizes.min()} to {sizes.max()}", shared]


def most_frequent(consensus: StabilitySelector, count: int) -> np.ndarray:
    """Return the mask of the features that most halves select."""
    mask = np.zeros(len(consensus.selection_frequencies_), np.bool_)
    mask[np.argsort(-consensus.selection_frequencies_, kind="stable")[:count]] = True
    return mask


def measure(
    x: np.ndarray, y: np.ndarray, seeds: int, pairs: int, forest: dict[str, Any]
) -> tuple[list[list[str]], float]:
    """Return the rows of the table, and the overlap of subsets of one size divided by that of one fit."""
    alone, halves = [], []
    for seed in range(seeds):
        print(f"seed {seed} ...", file=sys.stderr)
        alone.append(GRRFSelector(random_state=seed, **forest).fit(x, y).support_)
        consensus = StabilitySelector(GRRFSelector(**forest), n_pairs=pairs, n_removals=0, random_state=seed)
        halves.append(consensus.fit(x, y))
    one = np.array(alone)
    count = round(one.sum(axis=1).mean())
    frequent = np.array([most_frequent(consensus, count) for consensus in halves])
    asked = [consensus.threshold_ for consensus in halves]
    rows = [
        row("GRRFSelector", one),
        row(f"StabilitySelector, the {count} features that most halves select", frequent),
        row(
            "StabilitySelector, the default threshold",
            np.array([consensus.support_ for consensus in halves]),
            f"{min(asked):.2f} to {max(asked):.2f}",
        ),
    ]
    return rows, overlap(frequent) / overlap(one)


def report(title: str, rows: list[list[str]], times: float, seeds: int, pairs: int) -> str:
    words = (
        f"; {title}.\nMean Jaccard overlap of the subsets of {seeds} seeds, two by two, with {pairs} pairs of halves. "
        f"The goal is\n{GOAL:g} times that of one fit, with subsets of its size; it is {times:.1f} times. The default "
        "threshold is the\nsmallest share of halves that keeps the expected number of noise features down to 1."
    )
    head = ["selector", "threshold", "features", "from seed to seed", "overlap"]
    return study.page("The same features with other seeds", "overlap", words, table(head, rows, words=2))


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    if options.quick:
        forest = {"guide": 20, "n_estimators": 10}
        return report("made data", *measure(*study.made(80, 60), 3, 5, forest), 3, 5)
    if options.data is None:
        sys.exit("pass --data FOLDER, which holds colon.csv.gz, or --quick")
    found = measure(*study.colon(options.data), options.seeds, PAIRS, {})
    return report("the colon data, defaults", *found, options.seeds, PAIRS)


main = study.command("overlap", run, __doc__, "made data and few trees", data="colon.csv.gz", seeds=10)


if __name__ == "__main__":
    sys.exit(main())
