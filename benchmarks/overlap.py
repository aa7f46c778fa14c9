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


def overlap(supports: np.ndarray) -> float:
    """Return the mean Jaccard overlap of each two subsets."""
    return jaccard([np.flatnonzero(support) for support in supports])


def row(name: str, supports: np.ndarray, thresholds: list[float]) -> list[str]:
    """Return a row of the table."""
    sizes = supports.sum(axis=1)
    asked = f"{min(thresholds):.2f} to {max(thresholds):.2f}" if thresholds else ""
    return [name, asked, f"{sizes.mean():.1f}", f"{sizes.min()} to {sizes.max()}", f"{overlap(supports):.2f}"]


def measure(
    x: np.ndarray, y: np.ndarray, seeds: int, pairs: int, forest: dict[str, Any]
) -> tuple[list[list[str]], float]:
    """Return the rows of the table, and how many times the overlap of one fit that of the consensus is."""
    alone, stable, thresholds = [], [], []
    for seed in range(seeds):
        print(f"seed {seed} ...", file=sys.stderr)
        alone.append(GRRFSelector(random_state=seed, **forest).fit(x, y).support_)
        consensus = StabilitySelector(GRRFSelector(**forest), n_pairs=pairs, n_removals=0, random_state=seed).fit(x, y)
        stable.append(consensus.support_)
        thresholds.append(consensus.threshold_)
    one, many = np.array(alone), np.array(stable)
    rows = [row("GRRFSelector", one, []), row(f"StabilitySelector, {pairs} pairs", many, thresholds)]
    return rows, overlap(many) / overlap(one)


def report(title: str, rows: list[list[str]], times: float, seeds: int) -> str:
    words = (
        f"; {title}.\nMean Jaccard overlap of the subsets of {seeds} seeds, two by two. The goal is {GOAL:g} times "
        f"that of\none fit; it is {times:.1f} times. The threshold is the smallest share of halves that keeps the "
        "expected\nnumber of selected noise features down to 1."
    )
    head = ["selector", "threshold", "features", "from seed to seed", "overlap"]
    return study.page("The same features with other seeds", "overlap", words, table(head, rows, words=2))


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    if options.quick:
        forest = {"guide": 20, "n_estimators": 10}
        return report("made data", *measure(*study.made(80, 60), 3, 5, forest), 3)
    if options.data is None:
        sys.exit("pass --data FOLDER, which holds colon.csv.gz, or --quick")
    found = measure(*study.colon(options.data), options.seeds, 50, {})
    return report("the colon data, defaults", *found, options.seeds)


main = study.command("overlap", run, __doc__, "made data and few trees", data="colon.csv.gz", seeds=10)


if __name__ == "__main__":
    sys.exit(main())
