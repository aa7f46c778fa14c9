"""Processor time of the companions of RRF(), of R's package and pyrrf's, on the same data; writes COMPANIONS.md.

Everything runs on one thread. R with RRF is needed. --quick measures tiny data once.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

import pyrrf
from benchmarks import study
from benchmarks.markdown import table
from pyrrf.plots.charts import importance_dots
from pyrrf.rbase.scaling import scale_proximities

SCRIPT = Path(__file__).with_suffix(".R")
SECONDS = 0.05  # a call that takes less is repeated within one measurement
LONG = 1.0  # a call that takes more is made once
FEW = 10  # trees where each call grows several forests
MOST_NEAR = 2_000  # rows whose proximities are asked for
Call = Callable[[], object]


@dataclass(frozen=True)
class Shape:
    """Made data, and the forest that is grown on them; no classes: the response is a number."""

    rows: int
    columns: int
    classes: int
    trees: int

    @property
    def near(self) -> bool:
        """Whether proximities are asked for."""
        return self.rows <= MOST_NEAR

    def __str__(self) -> str:
        target = f"{self.classes} classes" if self.classes else "numbers"
        return f"{self.rows:,} rows x {self.columns:,} features, {target}, {self.trees} trees"


SHAPES = [
    Shape(150, 5, 3, 100),
    Shape(2_000, 10, 5, 50),
    Shape(1_000, 10, 0, 50),
    Shape(6_000, 5, 200, 40),
    Shape(100, 3_000, 2, 50),
]


@dataclass(frozen=True, eq=False)
class Data:
    """The predictors, the response, and the predictors with a twentieth of their values missing."""

    x: pd.DataFrame
    y: Any
    gaps: pd.DataFrame


def made(shape: Shape) -> Data:
    draw = np.random.default_rng(shape.rows + shape.columns)
    x = draw.standard_normal((shape.rows, shape.columns))
    signal = x[:, :3].sum(axis=1) + draw.standard_normal(shape.rows)
    y: Any = signal
    if shape.classes:
        bounds = np.quantile(signal, np.arange(1, shape.classes) / shape.classes)
        y = pd.Categorical(np.digitize(signal, bounds).astype(str))
    frame = pd.DataFrame(x, columns=[f"x{at}" for at in range(1, shape.columns + 1)])
    return Data(frame, y, frame.mask(draw.random(x.shape) < 0.05))


# ---- R -----------------------------------------------------------------------------------------------


def in_r(shape: Shape, data: Data, repeats: int, folder: Path) -> dict[str, float]:
    """Return the seconds of each function."""
    for name, value in vars(data).items():
        pyrrf.write_rds(value, folder / f"{name}.rds")
    meta = (shape.trees, int(shape.near), int(shape.near), SECONDS, LONG, repeats)
    (folder / "meta").write_text(" ".join(map(str, meta)))
    command = ["Rscript", "--vanilla", str(SCRIPT), str(folder)]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=one_thread)
    pairs = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    return {name: float(seconds) for name, seconds in pairs}


# ---- pyrrf -------------------------------------------------------------------------------------------


def calls(shape: Shape, data: Data, folder: Path) -> dict[str, Call]:
    """Return the same calls as companions.R has."""
    x, y, gaps = data.x, data.y, data.gaps
    fit = pyrrf.RRF(x, y, ntree=shape.trees, importance=True, seed=1)
    file = folder / "fit_of_r.rds"
    found: dict[str, Call] = {
        "predict": lambda: pyrrf.predict(fit, x),
        "importance": lambda: pyrrf.importance(fit),
        "varImpPlot, its numbers": lambda: importance_dots(pyrrf.importance(fit).iloc[:, -2:], 30, ordered=True),
        "partialPlot, its numbers": lambda: pyrrf.partialPlot(fit, x, "x1", plot=False),
        "na_roughfix": lambda: pyrrf.na_roughfix(gaps),
        "treesize": lambda: pyrrf.treesize(fit),
        "getTree": lambda: pyrrf.getTree(fit, 1),
        "getTree, labels": lambda: pyrrf.getTree(fit, 1, labelVar=True),
        "varUsed": lambda: pyrrf.varUsed(fit),
        "combine": lambda: pyrrf.combine(fit, fit),
        "read_rds": lambda: pyrrf.read_rds(file),
        "write_rds": lambda: pyrrf.write_rds(fit, folder / "written.rds"),
    }
    if shape.classes:
        found["predict, shares"] = lambda: pyrrf.predict(fit, x, type="prob")
        found["margin"] = lambda: pyrrf.margin(fit)
    return found | (of_proximities(shape, data) if shape.near else {}) | (refits(data, fit) if shape.near else {})


def of_proximities(shape: Shape, data: Data) -> dict[str, Call]:
    close = pyrrf.RRF(data.x, data.y, ntree=shape.trees, proximity=True, seed=1)
    found: dict[str, Call] = {
        "predict, proximity": lambda: pyrrf.predict(close, data.x, proximity=True),
        "MDSplot, its numbers": lambda: scale_proximities(close.proximity, 2),
    }
    if shape.classes:
        found["outlier"] = lambda: pyrrf.outlier(close)
        found["classCenter"] = seeded(lambda: pyrrf.classCenter(data.x, data.y, close.proximity))
    return found


def refits(data: Data, fit: Any) -> dict[str, Call]:
    x, y, gaps = data.x, data.y, data.gaps
    return {
        "grow": seeded(lambda: pyrrf.grow(fit, FEW)),
        "rrfImpute": seeded(lambda: pyrrf.rrfImpute(gaps, y, iter=2, ntree=FEW)),
        "rrfcv": seeded(lambda: pyrrf.rrfcv(x, y, cv_fold=3, ntree=FEW)),
        "tuneRRF": seeded(lambda: pyrrf.tuneRRF(x, y, ntreeTry=FEW, trace=False, plot=False)),
    }


def seeded(call: Call) -> Call:
    def both() -> object:
        pyrrf.set_seed(1)
        return call()

    return both


def least(call: Call, repeats: int) -> float:
    """Return the least seconds of a call."""

    def spent(times: int) -> float:
        return study.timed(lambda: [call() for _ in range(times)])[0]

    times = 1
    while (taken := spent(times)) < SECONDS:
        times *= 2
    again = 0 if taken > LONG else repeats - 1
    return min([taken, *(spent(times) for _ in range(again))]) / times


# ---- the page ----------------------------------------------------------------------------------------


def measure(shape: Shape, repeats: int) -> dict[str, tuple[float, float]]:
    """Return the seconds of R and pyrrf for each function."""
    print(f"{shape} ...", file=sys.stderr)
    data = made(shape)
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1), contextlib.redirect_stdout(io.StringIO()):
        folder = Path(name)
        theirs = in_r(shape, data, repeats, folder)
        ours = {function: least(call, repeats) for function, call in calls(shape, data, folder).items()}
    if theirs.keys() != ours.keys():
        raise SystemExit(f"companions.R and companions.py differ in {sorted(theirs.keys() ^ ours.keys())}")
    return {function: (theirs[function], ours[function]) for function in ours}


def ratio(both: tuple[float, float]) -> float:
    """Return how many times as long as pyrrf R takes, as it is shown."""
    return round(both[0] / both[1], 2)


def grid(shape: Shape, found: dict[str, tuple[float, float]]) -> str:
    rows = [[name, *(f"{1000 * s:.3g}" for s in both), f"{ratio(both):.2f}"] for name, both in found.items()]
    return f"## {shape}\n\n{table(['function', 'R, ms', 'pyrrf, ms', 'ratio'], rows, words=1)}"


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    shapes = [replace(shape, rows=40, columns=5, trees=40) for shape in SHAPES[:3]] if options.quick else SHAPES
    repeats = 1 if options.quick else options.repeats
    found = {shape: measure(shape, repeats) for shape in shapes}
    slower = [name for functions in found.values() for name, both in functions.items() if ratio(both) < 1]
    words = (
        f";\nprocessor time of a call, one thread, the least of {repeats}; of calls above {LONG:g} s that of one. "
        "A ratio above 1: pyrrf is faster.\n"
        "Slower are mostly calls of less than a millisecond, which make tables of pandas where R makes lists, and\n"
        "read_rds of small files: R is done when it has read the parts of a fit, which here are also checked and\n"
        "become tables. write_rds compresses at gzip's level 5, R at 6, whose files are 1 to 2 % smaller; it puts a\n"
        "whole file in the place of the old one, R overwrites it. MDSplot, partialPlot and varImpPlot do not\n"
        "draw here.\n\n"
        f"Slower than R: {len(slower)} of {sum(map(len, found.values()))}."
    )
    return study.page("The companions of RRF()", "companions", words, *(grid(*each) for each in found.items()))


main = study.command("companions", run, __doc__, "tiny data, once", repeats=3)


if __name__ == "__main__":
    sys.exit(main())
