"""Processor time of predictions of pyrrf, scikit-learn and scikit-learn-intelex; write benchmarks/PREDICTION.md.

Each package predicts with a forest that it grew itself: of 100 trees, without regularization and on one thread. The
packages take turns, and a ratio is the median of those of the turns. scikit-learn-intelex is left out where it is not
installed. --quick measures tiny data once.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import ensemble

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.study import timed
from benchmarks.tables import show
from pyrrf.sklearn import RRFClassifier, RRFRegressor

TREES = 100
PYRRF, SKLEARN, INTELEX = "pyrrf", "scikit-learn", "scikit-learn-intelex"
OTHERS = (SKLEARN, INTELEX)
Predict = Callable[[np.ndarray], Any]
Seconds = dict[str, list[float]]  # of each package, turn by turn


@dataclass(frozen=True)
class Size:
    """Rows that a forest grows on, rows that are predicted, and their columns."""

    grown: int
    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows:,} x {self.columns:,}"


SIZES = [Size(20_000, 100_000, 20), Size(1_000, 1_000, 5_000)]
FEW = [Size(40, 50, 5)]


def forests(numbers: bool, trees: int) -> dict[str, Any]:
    """Return a forest of each package that is here; all try as many features in a node."""
    shared = {"n_estimators": trees, "max_features": "sqrt", "n_jobs": 1, "random_state": 1}
    own = RRFRegressor if numbers else RRFClassifier
    name = "RandomForestRegressor" if numbers else "RandomForestClassifier"
    made = {PYRRF: own(coef_reg=None, **shared), SKLEARN: getattr(ensemble, name)(**shared)}
    if importlib.util.find_spec("sklearnex") is None:
        print(f"sklearnex is not here: {INTELEX} is left out.", file=sys.stderr)
        return made
    from sklearnex import ensemble as intelex

    return made | {INTELEX: getattr(intelex, name)(**shared)}


def grown(size: Size, numbers: bool, trees: int) -> dict[str, Predict]:
    """Grow the forests; return what predicts with each: the mean, or the shares of the classes."""
    draw = np.random.default_rng(1)
    x = draw.standard_normal((size.grown, size.columns))
    y = x[:, 0] + x[:, 1] * x[:, 2] + draw.standard_normal(size.grown) / 2
    made = forests(numbers, trees)
    for forest in made.values():
        forest.fit(x, y if numbers else (y > 0).astype(int))
    return {name: forest.predict if numbers else forest.predict_proba for name, forest in made.items()}


def take_turns(packages: dict[str, Predict], x: np.ndarray, turns: int) -> Seconds:
    """Return the seconds of each turn; a turn before them is not counted."""
    seconds: Seconds = {name: [] for name in packages}
    for turn in range(turns + 1):
        for name, predict in packages.items():
            taken, _ = timed(lambda predict=predict: predict(x))
            seconds[name] += [taken] if turn else []
    return seconds


def row_of(seconds: Seconds) -> list[str]:
    """Return the milliseconds of each package, and how many times longer the others take than pyrrf."""
    cells = [show(1000 * statistics.median(seconds[name])) if name in seconds else "" for name in (PYRRF, *OTHERS)]
    for name in OTHERS:
        ratios = [other / own for other, own in zip(seconds.get(name, []), seconds[PYRRF], strict=False)]
        cells.append(f"{statistics.median(ratios):.1f}" if ratios else "")
    return cells


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    sizes, trees, turns = (FEW, 3, 1) if options.quick else (SIZES, TREES, options.repeats)
    rows = []
    for size in sizes:
        for numbers in (False, True):
            print(f"{size}, {'numbers' if numbers else 'classes'} ...", file=sys.stderr)
            packages = grown(size, numbers, trees)
            for kind in (np.float64, np.float32):
                x = np.random.default_rng(2).standard_normal((size.rows, size.columns)).astype(kind)
                found = row_of(take_turns(packages, x, turns))
                rows.append([f"{size}, {'numbers' if numbers else 'two classes'}, {kind.__name__}", *found])
    words = (
        f";\nprocessor time of `predict_proba`, for numbers `predict`, of {trees} trees on one thread, medians of "
        f"{turns} turns. The\nforests are ordinary ones, "
        "grown on 20,000 and 1,000 rows. A ratio above 1: pyrrf is faster."
    )
    head = ["data", *(f"{name}, ms" for name in (PYRRF, *OTHERS)), *(f"{name} / pyrrf" for name in OTHERS)]
    return study.page("Predictions", "prediction", words, table(head, rows, words=1))


main = study.command("prediction", run, __doc__, "tiny data, once", repeats=5)


if __name__ == "__main__":
    sys.exit(main())
