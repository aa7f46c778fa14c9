"""The data on disk, where every peer reads them: made ones, real ones, and a memory map."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.shapes import FACTORS, KINDS, Data, Shape, make, respond

CHUNK = 50_000  # rows of a memory map that are made at a time


def is_real(shape: Shape) -> bool:
    """Whether the columns come from a file."""
    return shape.kind not in KINDS and shape.kind not in FACTORS


def real_file(shape: Shape, folder: Path | None) -> Path | None:
    """Return the file of a shape with real data, or None where it is not at hand."""
    if folder is None:
        return None
    file = _digits() if shape.kind == "digits" else folder / f"{shape.kind}.csv.gz"
    return file if file.exists() else None


def _digits() -> Path:
    """Return the file that scikit-learn has; the last column is the class, no row has the names."""
    found = importlib.util.find_spec("sklearn")
    return Path(found.origin if found and found.origin else "sklearn").parent / "datasets" / "data" / "digits.csv.gz"


def read_real(shape: Shape, file: Path) -> Data:
    """Return the data of a table whose last column is the class: two thirds to grow on, the rest set aside.

    Of a whole file all rows are grown on, and the error is that of a third of them.
    """
    head = None if shape.kind == "digits" else 0
    table = pd.read_csv(file, header=head, dtype={"class": str}, keep_default_na=False, na_values=[""])
    shuffled = np.random.default_rng(1).permutation(len(table))
    used, aside = np.split(shuffled, [len(table) * 2 // 3])
    if shape.order == "whole":
        used = np.arange(len(table))
    used = used[shape.less :]
    x = table.iloc[:, :-1].to_numpy(float)
    y = pd.Categorical(table.iloc[:, -1]).codes.astype(float)
    if shape.order == "sorted":
        used = used[np.argsort(y[used], kind="stable")]
    if x[used].shape != (shape.rows, shape.columns):
        raise ValueError(
            f"{file} gives {len(used)} x {x.shape[1]}, not {shape.rows} x {shape.columns} as in benchmarks/cases.py"
        )
    return Data(x[used], y[used], x[aside], y[aside])


def write_data(folder: Path, shape: Shape, real: Path | None = None) -> None:
    """Write x, column by column, and y as doubles, which Python and R read without a loss; and the rows set aside."""
    if shape.mapped:
        data = _write_map(folder / "x.bin", shape)
    else:
        data = read_real(shape, real) if real else make(shape)
        data.x.ravel(order="F").tofile(folder / "x.bin")
    data.y.tofile(folder / "y.bin")
    data.x_test.ravel(order="F").tofile(folder / "x_test.bin")
    data.y_test.tofile(folder / "y_test.bin")
    facts = {
        "rows": shape.rows,
        "test_rows": len(data.y_test),
        "columns": shape.columns,
        "numbers": shape.numbers,
        "mapped": shape.mapped,
        # R takes a list of one as a number.
        "levels": shape.levels if any(shape.levels) else [],
    }
    (folder / "data.json").write_text(json.dumps(facts))


def _write_map(file: Path, shape: Shape) -> Data:
    """Write x as float32, row by row, as a program does that collects rows; return everything else."""
    draw = np.random.default_rng(1)
    y = []
    with file.open("wb") as stream:
        for first in range(0, shape.rows, CHUNK):
            x = draw.standard_normal((min(CHUNK, shape.rows - first), shape.columns), dtype=np.float32)
            x.tofile(stream)
            y.append(respond(shape, x, x, draw))
    x_test = draw.standard_normal((shape.test_rows, shape.columns), dtype=np.float32)
    y_test = respond(shape, x_test, x_test, draw)
    return Data(np.empty(0), np.concatenate(y), x_test.astype(float), y_test)
