"""Tables from R as `parity.export` wrote them, and what the makers of data sets share."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DATA = Path(__file__).parent.parent / "data"
CLASSES = "abcdefgh"


def read_table(name: str) -> pd.DataFrame:
    """A table that `python -m parity.export` wrote: every double as in R, factors with their levels."""
    schema = json.loads((DATA / "schema.json").read_text())[name]["columns"]
    with (DATA / f"{name}.csv").open(newline="") as lines:
        rows = list(csv.reader(lines))
    columns = {}
    for index, column in enumerate(rows[0]):
        values = [row[index] for row in rows[1:]]
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
