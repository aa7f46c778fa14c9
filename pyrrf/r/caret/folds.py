"""What scripts take from caret: folds and partitions of rows, from R's stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import random as _random
from pyrrf.checks import count, number, warn
from pyrrf.r.values.vector import RError
from pyrrf.rbase.factors import as_factor, counts, cut, factor
from pyrrf.rbase.quantiles import quantile
from pyrrf.rbase.text import as_character
from pyrrf.rbase.vectors import atomic


def _numbered(word: str, n: int) -> list[str]:
    """Words with numbers from 1, padded to one width with zeros."""
    return [f"{word}{i:0{len(str(n))}d}" for i in range(1, n + 1)]


def _is_numeric(y: Any) -> bool:
    return not isinstance(y, pd.Categorical) and y.dtype.kind in "if"


def _grouped(y: Any, groups: int) -> pd.Categorical:
    """Numbers in groups by their quantiles."""
    if np.isnan(y).any():
        raise RError("missing values and NaN's not allowed if 'na.rm' is FALSE")
    limits = np.unique(quantile(y.astype(np.float64), np.linspace(0, 1, groups)))
    # A single limit is a number of intervals to cut().
    if len(limits) == 1 and limits[0] < 2:
        raise RError("invalid number of intervals")
    groups_of_y: pd.Categorical = cut(y, limits, include_lowest=True)
    return groups_of_y


def createFolds(y: Any, k: int = 10, list: bool = True, returnTrain: bool = False) -> Any:
    """Folds of rows with the classes of `y` spread over them (caret's ``createFolds``)."""
    values, number_of_folds = atomic(y, "y"), count(k, "k")
    fold = _folds(values, number_of_folds)
    if not list:
        return fold
    used = np.unique(fold)
    names = _numbered("Fold", len(used))
    keep = np.not_equal if returnTrain else np.equal
    return {name: np.flatnonzero(keep(fold, f)) for name, f in zip(names, used, strict=True)}


def _folds(values: Any, k: int) -> np.ndarray:
    """Draw the fold of each row, from 1, class by class."""
    if _is_numeric(values):
        values = _grouped(values, min(max(len(values) // k, 2), 5))
    n = len(values)
    if k >= n:
        return np.arange(1, n + 1)
    classes = factor(as_character(values))
    fold = np.zeros(n, dtype=np.int64)
    for code, size in enumerate(counts(classes).tolist()):
        rows = np.flatnonzero(classes.codes == code)
        if size < k:
            fold[rows] = _random.sample(k, size)
            continue
        places = np.tile(np.arange(1, k + 1), size // k)
        if size % k:
            places = np.concatenate([places, _random.sample(k, size % k)])
        fold[rows] = _random.sample(places)
    return fold


def createMultiFolds(y: Any, k: int = 10, times: int = 5) -> dict[str, np.ndarray]:
    """Training rows of repeated folds (caret's ``createMultiFolds``)."""
    out = {}
    for repetition in _numbered("Rep", count(times, "times")):
        folds = createFolds(y, k, returnTrain=True)
        out.update({f"{name}.{repetition}": rows for name, rows in folds.items()})
    return out


def createDataPartition(y: Any, times: int = 1, p: float = 0.5, list: bool = True, groups: int | None = None) -> Any:
    """Random parts of the rows, class by class (caret's ``createDataPartition``)."""
    values = atomic(y, "y")
    if len(values) < 2:
        raise ValueError(f"y has {len(values)} rows; pass at least 2")
    classes = _partitioned(values, groups)
    parts = [np.flatnonzero(classes.codes == code) for code in range(len(classes.categories))]
    parts += [np.flatnonzero(classes.codes < 0)]
    parts = [rows for rows in parts if len(rows)]
    share = number(p, "p")
    if not 0 <= share <= 1:
        raise ValueError(f"p must be from 0 to 1, not {p!r}")
    drawn = [_drawn(parts, share) for _ in range(count(times, "times"))]
    if list:
        return dict(zip(_numbered("Resample", len(drawn)), drawn, strict=True))
    return drawn[0] if len(drawn) == 1 else np.column_stack(drawn)


def _partitioned(values: Any, groups: int | None) -> pd.Categorical:
    if _is_numeric(values):
        return _grouped(values, max(2, min(5, len(values)) if groups is None else int(groups)))
    classes = as_factor(values)
    sizes = counts(classes)
    if (sizes == 0).any():
        warn("classes of y have no rows and are ignored")
        classes = factor(as_character(classes))
    if (sizes == 1).any():
        warn("classes of y have a single row, which is in every partition")
    return classes


def _drawn(parts: list[np.ndarray], share: float) -> np.ndarray:
    chosen = [rows if len(rows) == 1 else _random.sample(rows, math.ceil(len(rows) * share)) for rows in parts]
    return np.sort(np.concatenate(chosen))


def createResample(y: Any, times: int = 10, list: bool = True) -> Any:
    """Bootstrap samples of the rows (caret's ``createResample``)."""
    n = len(atomic(y, "y"))
    drawn = [np.sort(_random.sample(n, n, replace=True)) - 1 for _ in range(count(times, "times"))]
    return dict(zip(_numbered("Resample", len(drawn)), drawn, strict=True)) if list else np.column_stack(drawn)
