"""How far the features repeat over seeds: GRRFSelector beside StabilitySelector; write benchmarks/OVERLAP.md.

The mean Jaccard overlap of the subsets of each two seeds. --data names the folder with colon.csv.gz; --quick measures
made data with few trees and writes no file.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paths import colon, made
from benchmarks.report import origin
from pyrrf.sklearn import GRRFSelector, StabilitySelector

REPORT = Path(__file__).with_name("OVERLAP.md")
# The overlap of the consensus is to be this many times that of one fit.
GOAL = 2.0


def overlap(supports: np.ndarray) -> float:
    """Return the mean over pairs of |A and B| / |A or B|, two empty subsets being the same."""
    shares = [(a & b).sum() / max((a | b).sum(), 1) if (a | b).any() else 1.0 for a, b in combinations(supports, 2)]
    return float(np.mean(shares))


def line(name: str, supports: np.ndarray, thresholds: list[float]) -> str:
    """Return a line of the table."""
    sizes = supports.sum(axis=1)
    asked = f"{min(thresholds):.2f} to {max(thresholds):.2f}" if thresholds else ""
    return f"| {name} | {asked} | {sizes.mean():.1f} | {sizes.min()} to {sizes.max()} | {overlap(supports):.2f} |"


def measure(x: np.ndarray, y: np.ndarray, seeds: int, pairs: int, forest: dict[str, Any]) -> tuple[list[str], float]:
    """Return the lines of the table, and how many times the overlap of one fit that of the consensus is."""
    alone, stable, thresholds = [], [], []
    for seed in range(seeds):
        print(f"seed {seed} ...", file=sys.stderr)
        alone.append(GRRFSelector(random_state=seed, **forest).fit(x, y).support_)
        consensus = StabilitySelector(GRRFSelector(**forest), n_pairs=pairs, n_removals=0, random_state=seed).fit(x, y)
        stable.append(consensus.support_)
        thresholds.append(consensus.threshold_)
    one, many = np.array(alone), np.array(stable)
    lines = [line("GRRFSelector", one, []), line(f"StabilitySelector, {pairs} pairs", many, thresholds)]
    return lines, overlap(many) / overlap(one)


def report(title: str, lines: list[str], times: float, seeds: int) -> str:
    return "\n".join(
        [
            "# The same features with other seeds",
            "",
            f"Made by `python -m benchmarks.overlap`. {origin()}; {title}.",
            f"Mean Jaccard overlap of the subsets of {seeds} seeds, two by two. The goal is {GOAL:g} times that of",
            f"one fit; it is {times:.1f} times. The threshold is the smallest share of halves that keeps the expected",
            "number of false selections down to 1, if these are r-concave.",
            "",
            "| selector | threshold | features | from seed to seed | overlap |",
            "| --- | --- | ---: | ---: | ---: |",
            *lines,
            "",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with colon.csv.gz")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="made data and few trees: shows that it runs")
    options = parser.parse_args(arguments)
    if options.quick:
        forest = {"guide_n_estimators": 20, "n_estimators": 10}
        print(report("made data", *measure(*made(80, 60), 3, 5, forest), 3))
        return 0
    if options.data is None:
        parser.error("pass --data FOLDER, which holds colon.csv.gz, or --quick")
    lines, times = measure(*colon(options.data), options.seeds, 50, {})
    REPORT.write_text(report("the colon data, defaults", lines, times, options.seeds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
