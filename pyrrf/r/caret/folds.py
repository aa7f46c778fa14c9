"""What scripts take from caret: folds and partitions of rows, from R's stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf import random as _random
from pyrrf.checks import count, number, warn
from pyrrf.r.base.factors import as_factor, cut, factor
from pyrrf.r.base.types import as_character
from pyrrf.r.values.attributes import factor_levels, is_factor
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import RError, Value, doubles
from pyrrf.rbase.quantiles import quantile


def _numbered(word: str, n: int) -> list[str]:
    """Words with numbers from 1, padded to one width with zeros."""
    return [f"{word}{i:0{len(str(n))}d}" for i in range(1, n + 1)]


def _is_numeric(y: Value) -> bool:
    return y._kind in ("integer", "double") and not is_factor(y)


def _grouped(y: Value, groups: int) -> Value:
    """Numbers in groups by their quantiles."""
    values = coerced(y, "double")._data
    if np.isnan(values).any():
        raise RError("missing values and NaN's not allowed if 'na.rm' is FALSE")
    limits = np.unique(quantile(values, np.linspace(0, 1, groups)))
    return cut(doubles(values), doubles(limits), include_lowest=True)


def createFolds(y: Any, k: int = 10, list: bool = True, returnTrain: bool = False) -> Any:
    """Folds of rows with the classes of `y` spread over them (caret's ``createFolds``)."""
    fold = _folds(y, count(k, "k"))
    if not list:
        return fold
    used = np.unique(fold)
    names = _numbered("Fold", len(used))
    keep = np.not_equal if returnTrain else np.equal
    return {name: np.flatnonzero(keep(fold, f)) for name, f in zip(names, used, strict=True)}


def _folds(y: Value, k: int) -> np.ndarray:
    """Draw the fold of each row, from 1, class by class."""
    n = len(y)
    groups = _grouped(y, min(max(n // k, 2), 5)) if _is_numeric(y) else y
    if k >= n:
        return np.arange(1, n + 1)
    classes = factor(as_character(groups))
    fold = np.zeros(n, dtype=np.int64)
    for code in range(1, len(factor_levels(classes)) + 1):
        rows = np.flatnonzero(classes._data == code)
        size = len(rows)
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
    if len(y) < 2:
        raise ValueError(f"y has {len(y)} rows; pass at least 2")
    classes = _partitioned(y, groups)
    parts = [np.flatnonzero(classes._data == code + 1) for code in range(len(factor_levels(classes)))]
    parts += [np.flatnonzero(np.isnan(classes._data))]
    parts = [rows for rows in parts if len(rows)]
    share = number(p, "p")
    if not 0 <= share <= 1:
        raise ValueError(f"p must be from 0 to 1, not {p!r}")
    drawn = [_drawn(parts, share) for _ in range(count(times, "times"))]
    if list:
        return dict(zip(_numbered("Resample", len(drawn)), drawn, strict=True))
    return drawn[0] if len(drawn) == 1 else np.column_stack(drawn)


def _partitioned(y: Value, groups: int | None) -> Value:
    if _is_numeric(y):
        return _grouped(y, max(2, min(5, len(y)) if groups is None else int(groups)))
    classes = as_factor(y)
    sizes = [np.sum(classes._data == code + 1) for code in range(len(factor_levels(classes)))]
    if 0 in sizes:
        warn("classes of y have no rows and are ignored")
        classes = factor(as_character(classes))
    if 1 in sizes:
        warn("classes of y have a single row, which is in every partition")
    return classes


def _drawn(parts: list[np.ndarray], share: float) -> np.ndarray:
    chosen = [rows if len(rows) == 1 else _random.sample(rows, math.ceil(len(rows) * share)) for rows in parts]
    return np.sort(np.concatenate(chosen))


def createResample(y: Any, times: int = 10, list: bool = True) -> Any:
    """Bootstrap samples of the rows (caret's ``createResample``)."""
    n = len(y)
    drawn = [np.sort(_random.sample(n, n, replace=True)) - 1 for _ in range(count(times, "times"))]
    return dict(zip(_numbered("Resample", len(drawn)), drawn, strict=True)) if list else np.column_stack(drawn)
