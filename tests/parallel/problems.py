"""What the tests of engine parallel share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import pyrrf

KINDS = ("classes", "numbers")


def data(kind: str, n: int = 120, p: int = 8, seed: int = 0) -> tuple[np.ndarray, Any]:
    """Predictors of which the first two matter, and classes (two thirds, one third) or numbers."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, p))
    signal = x[:, 0] + x[:, 1] + 0.3 * generator.standard_normal(n)
    return x, signal if kind == "numbers" else np.where(signal > np.quantile(signal, 2 / 3), "high", "low")


def fit(x: Any, y: Any, /, **arguments: Any) -> Any:
    """A fit of engine parallel with few trees and a seed."""
    return pyrrf.RRF(x, y, **{"ntree": 25, "seed": 1, "engine": "parallel", **arguments})


def same(one: Any, other: Any) -> bool:
    """Whether two fits agree in all that was computed from the rows and columns."""
    parts = ("predicted", "oob_times", "importance", "used", "votes")
    return all(
        np.array_equal(getattr(one.outcome, part), getattr(other.outcome, part), equal_nan=True)
        for part in parts
        if getattr(one.outcome, part, None) is not None
    )


def leaf(tree: pd.DataFrame, row: np.ndarray, ncat: np.ndarray) -> int:
    """Node from 1 in which a row ends, one step at a time from getTree()'s table."""
    node = 1
    while tree.loc[node, "split var"] > 0:
        feature, point = int(tree.loc[node, "split var"]) - 1, tree.loc[node, "split point"]
        value = row[feature]
        if np.isnan(value):
            left = bool(tree.loc[node, "missing left"])
        elif ncat[feature] > 32:
            left = int(value) in tree.loc[node, "levels left"]
        elif ncat[feature] > 1:
            left = bool(int(point) >> (int(value) - 1) & 1)
        else:
            left = value <= point
        node = int(tree.loc[node, "left daughter" if left else "right daughter"])
    return node
