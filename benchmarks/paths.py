"""Processor time of a path of ten gammas against ten fits of GRRFSelector; write benchmarks/PATHS.md.

Both give the same forests, which is checked. Everything runs on one thread. --data names the folder with colon.csv.gz;
--quick measures tiny data once.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.study import timed
from pyrrf.sklearn import GRRFSelector, RRFClassifier, grrf_path
from pyrrf.sklearn.path import gamma_grid

GAMMAS = 10
GOAL = 0.6
# Trees of the guide and of each regularized forest: the defaults, and as many, where the guide is the smallest part.
TREES = [(5_000, 500), (500, 500)]


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


def row(name: str, x: np.ndarray, y: np.ndarray, options: dict[str, Any], repeats: int) -> list[str]:
    """Return a row of the table."""
    print(f"{name}, {options} ...", file=sys.stderr)
    alone, together = measure(x, y, options, repeats)
    guide, trees = options["guide"], options["n_estimators"]
    cells = [f"{name}, {len(y):,} x {x.shape[1]:,}", options["forest"].engine, f"{guide:,} + {GAMMAS} x {trees:,}"]
    return [*cells, f"{alone:.2f}", f"{together:.2f}", f"{together / alone:.2f}"]


WORDS = f"""\
`grrf_path` grows the guide once and ranks the columns once; its forests are those of {GAMMAS} fits of
`GRRFSelector`, bit for bit. The goal is a ratio of at most {GOAL:g} with the default trees, the upper
line of each pair. With as few trees in the guide as in each forest, the lower, a path saves the least.
At least 94 % of a path's time is the growing of trees, of which it saves guides alone: with g seconds
for it and r for a forest the ratio is (g + {GAMMAS} r) / ({GAMMAS} (g + r)), 0.7 where r is twice g."""


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    repeats = 1 if options.quick else options.repeats
    forests = [
        {"forest": RRFClassifier(engine=engine), "guide": guide, "n_estimators": trees, "random_state": 1}
        for engine in ("parallel", "r")
        for guide, trees in ([(20, 10)] if options.quick else TREES)
    ]
    data = study.made_and_colon(options)
    rows = [row(name, x, y, forest, repeats) for name, (x, y) in data.items() for forest in forests]
    head = ["data", "engine", "trees", f"{GAMMAS} fits, s", "path, s", "ratio"]
    words = f";\nprocessor time, one thread, the least of {repeats} by turns.\n{WORDS}"
    return study.page("A path against independent fits", "paths", words, table(head, rows, words=3))


main = study.command("paths", run, __doc__, "tiny data, once", data="colon.csv.gz", repeats=3)


if __name__ == "__main__":
    sys.exit(main())
