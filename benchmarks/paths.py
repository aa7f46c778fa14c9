"""Processor time of a path of ten gammas beside ten fits of GRRFSelector; write benchmarks/PATHS.md.

Both give the same forests, which is checked. Everything runs on one thread. --data names the folder with colon.csv.gz;
--quick measures tiny data once and writes no file.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from benchmarks.report import origin
from pyrrf.sklearn import GRRFSelector, grrf_path
from pyrrf.sklearn.path import gamma_grid

REPORT = Path(__file__).with_name("PATHS.md")
GAMMAS = 10
GOAL = 0.6
# Trees of the guide and of each regularized forest: the defaults, and as many, where the guide is the smallest part.
TREES = [(5_000, 500), (500, 500)]

T = TypeVar("T")


def made(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that five columns tell apart, with noise."""
    draw = np.random.default_rng(rows + columns)
    x = draw.standard_normal((rows, columns))
    return x, (x[:, :5].sum(axis=1) + draw.standard_normal(rows) > 0).astype(int)


def colon(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the colon data, whose last column is the class."""
    table = pd.read_csv(folder / "colon.csv.gz")
    return table.iloc[:, :-1].to_numpy(float), pd.factorize(table.iloc[:, -1])[0]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the processor seconds that work takes, and what it returns."""
    started = time.process_time()
    found = work()
    return time.process_time() - started, found


def fits(x: np.ndarray, y: np.ndarray, options: dict[str, Any]) -> list[GRRFSelector]:
    return [GRRFSelector(gamma=gamma, **options).fit(x, y) for gamma in gamma_grid(GAMMAS).tolist()]


def measure(x: np.ndarray, y: np.ndarray, options: dict[str, Any], repeats: int) -> tuple[float, float]:
    """Return the least seconds of ten fits and of a path, by turns; their forests are the same."""
    alone, together = [], []
    for _ in range(repeats):
        seconds, selectors = timed(lambda: fits(x, y, options))
        alone.append(seconds)
        seconds, path = timed(lambda: grrf_path(x, y, gammas=GAMMAS, **options))
        together.append(seconds)
        assert [selector.result_ for selector in selectors] == path.fits
    return min(alone), min(together)


def line(name: str, x: np.ndarray, y: np.ndarray, options: dict[str, Any], repeats: int) -> str:
    """Return a line of the table."""
    print(f"{name}, {options} ...", file=sys.stderr)
    alone, together = measure(x, y, options, repeats)
    guide, trees = options["guide_n_estimators"], options["n_estimators"]
    cells = [f"{name}, {len(y):,} x {x.shape[1]:,}", options["engine"], f"{guide:,} + {GAMMAS} x {trees:,}"]
    cells += [f"{alone:.2f}", f"{together:.2f}", f"{together / alone:.2f}"]
    return f"| {' | '.join(cells)} |"


def report(lines: list[str], repeats: int) -> str:
    head = ["data", "engine", "trees", f"{GAMMAS} fits, s", "path, s", "ratio"]
    return "\n".join(
        [
            "# A path beside independent fits",
            "",
            f"Made by `python -m benchmarks.paths`. {origin()};",
            f"processor time, one thread, the least of {repeats} by turns.",
            f"`grrf_path` grows the guide once and ranks the columns once; its forests are those of {GAMMAS} fits of",
            f"`GRRFSelector`, bit for bit. The goal is a ratio of at most {GOAL:g} with the default trees, the upper",
            "line of each pair. With as few trees in the guide as in each forest, the lower, a path saves the least.",
            "At least 94 % of a path's time is the growing of trees, of which it saves guides alone: with g seconds",
            f"for it and r for a forest the ratio is (g + {GAMMAS} r) / ({GAMMAS} (g + r)), 0.7 where r is twice g.",
            "",
            f"| {' | '.join(head)} |",
            "| --- | --- | --- | ---: | ---: | ---: |",
            *lines,
            "",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with colon.csv.gz")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="tiny data, once: shows that it runs")
    parser.add_argument("--output", type=Path, default=REPORT)
    options = parser.parse_args(arguments)
    tables = {"made": made(60, 8) if options.quick else made(300, 100)}
    if options.data:
        tables["colon"] = colon(options.data)
    repeats = 1 if options.quick else options.repeats
    forests = [
        {"engine": engine, "guide_n_estimators": guide, "n_estimators": trees, "random_state": 1}
        for engine in ("parallel", "r")
        for guide, trees in ([(20, 10)] if options.quick else TREES)
    ]
    lines = [line(name, x, y, forest, repeats) for name, (x, y) in tables.items() for forest in forests]
    if options.quick:
        print(report(lines, repeats))
    else:
        options.output.write_text(report(lines, repeats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
