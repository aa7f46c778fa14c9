"""Data sets of the cases: real ones from `data/`, simulated ones from `bits.py`.

A part is a NumPy array, a DataFrame or a pandas Categorical; `r_side.py` hands R the same doubles,
factors, logicals and strings.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DATA = Path(__file__).parent / "data"
CLASSES = "abcdefgh"
MAKERS: dict[str, Callable[[], dict[str, Any]]] = {}

Maker = Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class DataSet:
    """A data set by parts ("x", "y", and where needed "xtest", "ytest", "strata", ...)."""

    name: str
    parts: dict[str, Any]

    def digest(self) -> str:
        """Hash of all parts: values, labels and column types."""
        state = hashlib.sha256()
        for name, part in self.parts.items():
            state.update(f"{name}:{type(part).__name__}".encode())
            _digest_part(state, part)
        return state.hexdigest()


def _digest_part(state: Any, part: Any) -> None:
    if isinstance(part, pd.DataFrame):
        if not only_counts(part.index):
            state.update("|".join(map(str, part.index)).encode())
        for at, column in enumerate(part.columns):
            state.update(str(column).encode())
            _digest_part(state, part.iloc[:, at].array)
    elif isinstance(part, pd.Categorical):
        state.update(f"{list(map(str, part.categories))}{part.ordered}".encode())
        state.update(np.asarray(part.codes, dtype=np.int64).tobytes())
    else:
        array = np.asarray(part)
        if array.dtype.kind in "biuf":
            state.update(f"{array.shape}{array.dtype.kind}".encode())
            state.update(array.astype(np.float64).tobytes())
        else:
            state.update("|".join(map(str, array.tolist())).encode())


def dataset(maker: Maker) -> Maker:
    """Register a function that makes the parts of a data set; its name is the data set's."""
    MAKERS[maker.__name__] = maker
    return maker


@cache
def load(name: str) -> DataSet:
    """The data set called `name`."""
    # Imported late: these modules register their data sets with the decorator above.
    from parity import (  # noqa: F401
        datasets_formula,
        datasets_missing,
        datasets_real,
        datasets_regression,
        datasets_simulated,
    )

    return DataSet(name, MAKERS[name]())


def read_table(name: str) -> pd.DataFrame:
    """A table that `python -m parity.export` wrote: every double as in R, factors with their levels."""
    schema = json.loads((DATA / "schema.json").read_text())[name]["columns"]
    with (DATA / f"{name}.csv").open(newline="") as lines:
        rows = list(csv.reader(lines))
    columns = {}
    for at, column in enumerate(rows[0]):
        values = [row[at] for row in rows[1:]]
        kind = schema[column]
        if kind["kind"] == "number":
            columns[column] = np.array([float(v) for v in values])
        else:
            ordered = kind["kind"] == "ordered"
            columns[column] = pd.Categorical(values, categories=kind["levels"], ordered=ordered)
    return pd.DataFrame(columns)


def only_counts(index: pd.Index) -> bool:
    """Whether an index counts rows, trees or nodes, from 0 or 1, and holds no labels."""
    return isinstance(index, pd.RangeIndex) and index.step == 1 and index.start in (0, 1)


def labels(codes: np.ndarray, levels: str | list[str] = CLASSES, count: int | None = None) -> pd.Categorical:
    """Classes from codes; the levels are the first `count` of `levels`."""
    names = list(levels)[: count if count is not None else int(codes.max()) + 1]
    return pd.Categorical.from_codes(codes, categories=names)


def split(parts: dict[str, Any], every: int) -> dict[str, Any]:
    """Every `every`-th row becomes xtest and ytest."""
    x, y = parts["x"], parts["y"]
    held = np.arange(len(y)) % every == 0
    take = (
        (lambda t, rows: t[rows].reset_index(drop=True)) if isinstance(x, pd.DataFrame) else (lambda t, rows: t[rows])
    )
    return {"x": take(x, ~held), "y": y[~held], "xtest": take(x, held), "ytest": y[held]}
