"""Processor time of CRAN randomForest against pyrrf.randomForest; write benchmarks/FORESTS.md.

Both grow the same forests, which is checked bit by bit. Everything runs on one thread. R with randomForest is needed.
--data names a folder with real data, NAME.csv.gz; --quick measures tiny data once.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from benchmarks import study
from benchmarks.data import read_real, real_file
from benchmarks.markdown import table
from benchmarks.shapes import Shape, make_data
from benchmarks.study import timed

SCRIPT = Path(__file__).with_name("call_random_forest.R")
SHAPES = [
    Shape(rows=200, columns=20, trees=500),
    Shape(rows=1_000, columns=50, trees=100),
    Shape(rows=60, columns=2_000, trees=200),
    Shape(rows=5_000, columns=20, trees=40),
    Shape(rows=5_000, columns=20, trees=40, kind="2 decimals"),
    Shape(rows=5_000, columns=20, trees=40, kind="0 decimals"),
    Shape(rows=2_000, columns=10, trees=40, kind="factors of 5 and 25"),
]
TARGETS = ("classes", "3 classes", "numbers")
REAL = [
    Shape(rows=3_067, columns=57, trees=100, kind="spambase"),
    Shape(rows=1_333, columns=500, trees=60, kind="madelon"),
    Shape(rows=41, columns=2_000, trees=200, kind="colon"),
]


def in_r(shape: Shape, x: np.ndarray, y: np.ndarray, repeats: int, folder: Path) -> tuple[float, np.ndarray]:
    """Return the least processor seconds of R's call, and its errors and importances."""
    sizes = (shape.rows, shape.columns, shape.trees, shape.mtry, shape.nodesize, int(shape.numbers), repeats)
    (folder / "meta").write_text(" ".join(map(str, sizes)))
    (folder / "levels").write_text(" ".join(map(str, shape.levels)))
    (folder / "x").write_bytes(x.tobytes(order="F"))
    (folder / "y").write_bytes(y.tobytes())
    done = subprocess.run(["Rscript", str(SCRIPT), str(folder)], capture_output=True, text=True, check=True)
    return float(done.stdout), np.fromfile(folder / "answer")


def predictors(shape: Shape, x: np.ndarray) -> Any:
    """Return x; with factors as a table."""
    if not any(shape.levels):
        return x
    columns = [
        pd.Categorical.from_codes(x[:, at].astype(int), [str(code) for code in range(levels)]) if levels else x[:, at]
        for at, levels in enumerate(shape.levels)
    ]
    return pd.DataFrame(dict(enumerate(columns)))


def here(shape: Shape, x: np.ndarray, y: np.ndarray, repeats: int) -> tuple[float, np.ndarray]:
    """Return the least processor seconds of pyrrf's call, and its errors and importances."""
    given, response = predictors(shape, x), y if shape.numbers else pd.Categorical(y)

    def grow() -> Any:
        return pyrrf.randomForest(given, response, ntree=shape.trees, mtry=shape.mtry, nodesize=shape.nodesize, seed=1)

    least, fit = min((timed(grow) for _ in range(repeats)), key=lambda one: one[0])
    errors = fit.mse if shape.numbers else fit.err_rate
    parts = [np.asarray(part).ravel(order="F") for part in (errors, fit.importance)]
    return least, np.concatenate(parts)


def measure(shape: Shape, repeats: int, real: Path | None) -> tuple[float, float]:
    """Return the seconds of both, on made data or those of a file; their answers are the same."""
    print(f"{shape} ...", file=sys.stderr)
    data = read_real(shape, real) if real else None
    x, y = (data.x, data.y) if data else make_data(shape)
    with tempfile.TemporaryDirectory() as folder:
        slow, theirs = in_r(shape, x, y, repeats, Path(folder))
    fast, ours = here(shape, x, y, repeats)
    if not np.array_equal(theirs, ours):
        raise SystemExit(f"{shape}: the answers of randomForest and pyrrf differ")
    return slow, fast


def report(found: dict[Shape, tuple[float, float]], repeats: int) -> str:
    ratios = {shape: slow / fast for shape, (slow, fast) in found.items()}
    worst, best = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
    words = (
        f";\nprocessor time of whole calls, one thread, the least of {repeats}. The forests are the same, bit by bit:\n"
        "errors and importances were compared. A ratio above 1: pyrrf is faster."
    )
    ends = f"Worst: {ratios[worst]:.1f} ({worst}). Best: {ratios[best]:.1f} ({best})."
    rows = [[str(s), f"{slow:.3f}", f"{fast:.3f}", f"{slow / fast:.1f}"] for s, (slow, fast) in found.items()]
    shown = table(["data", "randomForest, s", "pyrrf, s", "ratio"], rows, words=1)
    return study.page("Against CRAN randomForest", "forests", words, ends, shown)


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    shapes = [replace(shape, target=target) for target in TARGETS for shape in SHAPES]
    if options.quick:
        shapes = [replace(shape, rows=40, columns=min(shape.columns, 10), trees=3) for shape in shapes]
    else:
        shapes += [shape for shape in REAL if real_file(shape, options.data)]
    repeats = 1 if options.quick else options.repeats
    return report({shape: measure(shape, repeats, real_file(shape, options.data)) for shape in shapes}, repeats)


main = study.command(
    "forests", run, __doc__, "tiny data, once", data="real data; without it these are left out", repeats=3
)


if __name__ == "__main__":
    sys.exit(main())
