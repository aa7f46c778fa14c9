"""Data of random programs: columns of every type, awkward responses, rows in awkward orders, new rows of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.chooser import Chooser

ALIGNED = ("x", "y", "weights", "strata")
"""Parts with a row for each row of the training data."""

LABELS = (
    tuple("abcdefghij"),
    ("10", "9", "2", "1", "100", "0"),
    ("b", "a", "c"),
    ("yes", "no"),
    ("a b", " ", "c", "d e"),
    ("", "x", "y"),
    ("é", "ß", "z", "Ω"),
    ("TRUE", "FALSE", "T"),
    ("1e5", "100000", "0x1"),
    ("B", "a", "A", "b"),
)
NAMES = ("a b", "é", "1", "X1", "if", "x.1", "T", "V1", "a")
NEAR = 2.0**-52
LARGEST = float(np.finfo(np.float64).max)


def random_parts(choose: Chooser, kind: str) -> dict[str, Any]:
    """Parts of a program of a kind ("classes", "numbers" or "alone"): x, y, weights, strata, new rows and their y."""
    n, p = _size(choose)
    codes = _codes(choose, n)
    if choose.chance(0.3):
        codes = np.sort(codes)
    x = _table(choose, codes, p)
    new = _new_rows(choose, x, choose.between(1, 6))
    if isinstance(x, pd.DataFrame) and not isinstance(x.index, pd.RangeIndex):
        new.index = [f"t{i}" for i in range(len(new))]
    y = _classes(choose, codes) if kind == "classes" else _numbers(choose, codes)
    parts = {"x": x, "new": new, "weights": _weights(choose, n), "strata": _strata(choose, n, y)}
    if kind != "alone":
        take = choose.bits.integers(n, len(new)) if n else np.zeros(0, int)
        parts |= {"y": y, "newy": (pd.Categorical(y) if kind == "classes" else y)[take]}
    return parts | (odd_rows(choose, x, new) if isinstance(x, pd.DataFrame) else {})


def _size(choose: Chooser) -> tuple[int, int]:
    n = choose.one_of(1, 2, 3, *[choose.between(4, 12)] * 4, *[choose.between(10, 40)] * 6, choose.between(40, 150))
    p = choose.one_of(1, 1, 2, 3, *[choose.between(2, 6)] * 3, choose.between(5, 14), choose.between(10, 40))
    return n, p


def _codes(choose: Chooser, n: int) -> np.ndarray:
    """Classes 0 to k - 1, even or not, of which some may have one row."""
    count = min(choose.one_of(1, 2, 2, 2, 3, 3, 4, 5, 8), n)
    codes = choose.bits.integers(count, n)
    if choose.chance(0.3):
        codes = np.where(choose.bits.uniform(n) < 0.8, 0, codes)
    codes[:count] = np.arange(count)
    return codes[choose.bits.order(n)]


# ---- columns -------------------------------------------------------------------------------------


def _table(choose: Chooser, codes: np.ndarray, p: int) -> Any:
    """A matrix of numbers, or a data frame of columns of any type."""
    n = len(codes)
    if choose.chance(0.25):
        plain = np.column_stack([_number_column(choose, codes) for _ in range(p)])
        return plain.astype(np.int64) if choose.chance(0.1) and np.abs(plain).max() < 1e6 else plain
    columns: list[Any] = []
    for _ in range(p):
        copied = columns and choose.chance(0.12)
        columns.append(_again(choose, columns) if copied else _column(choose, codes))
    names = [f"x{j}" for j in range(p)]
    if choose.chance(0.15):
        names = [NAMES[j] if j < len(NAMES) else names[j] for j in range(p)]
    table = pd.concat([pd.Series(column) for column in columns], axis=1)
    table.columns = names
    if choose.chance(0.15):
        table.index = [f"r{j}" for j in choose.bits.order(n)]
    return table


def _column(choose: Chooser, codes: np.ndarray) -> Any:
    kind = choose.between(0, 19)
    if kind >= 9:
        return _number_column(choose, codes)
    if kind >= 4:
        return _factor_column(choose, codes)
    n = len(codes)
    if kind == 3:
        return choose.bits.integers(choose.one_of(2, 5, 1000), n) - choose.one_of(0, 2)
    if kind == 2:
        return choose.bits.uniform(n) < choose.one_of(0.1, 0.5)
    if kind == 1 and choose.chance(0.5):
        return np.array(choose.one_of(*LABELS), dtype=object)[choose.bits.integers(2, n)]
    if kind == 1 and choose.chance(0.2):
        return np.datetime64("2001-02-03") + choose.bits.integers(9, n)
    return choose.bits.integers(2, n) * 1.0


def _number_column(choose: Chooser, codes: np.ndarray) -> np.ndarray:
    n = len(codes)
    values = choose.bits.normal(n) + choose.one_of(0.0, 1.0, 3.0) * (codes % 3)
    kind = choose.between(0, 15)
    if kind < 5:
        return values
    if kind < 8:
        return np.round(values, choose.between(0, 2)) + 0.0
    if kind == 8:
        return np.where(values > 0.5, 1.5, choose.one_of(np.array([0.0, -0.0]), np.array([-0.0, 0.0]))[codes % 2])
    if kind == 9:
        return np.full(n, choose.one_of(0.0, 1.0, -3.7))
    if kind == 10:
        return 1.0 + choose.bits.integers(5, n) * NEAR
    if kind == 11:
        return values * choose.one_of(1e300, 1e-300, 1e154, 5e-324, 1e9)
    if kind == 12:
        return np.round(values) * choose.one_of(1e-310, 1e15, 3.3) + choose.one_of(0.0, 1e9)
    if kind == 13:
        return np.where(choose.bits.uniform(n) < 0.7, 0.0, values)
    return codes * 1.0 + (choose.bits.integers(2, n) if kind == 14 else 0)


def _factor_column(choose: Chooser, codes: np.ndarray) -> pd.Categorical:
    """A factor of 1 to 32 levels (53 of randomForest, one more now and then), of which some may not occur."""
    size = choose.one_of(1, 2, 3, 4, 5, choose.between(2, 12), choose.between(9, 33), choose.one_of(*choose.levels))
    used = choose.one_of(size, size, max(size - 1, 1), max(size // 2, 1))
    drawn = (choose.bits.integers(used, len(codes)) + choose.one_of(0, 1) * codes) % used
    words = choose.one_of(*LABELS)
    levels = list(words[:size]) if size <= len(words) and choose.chance(0.5) else [f"L{i}" for i in range(size)]
    if used < size and choose.chance(0.5):
        drawn = size - 1 - drawn
    return pd.Categorical.from_codes(drawn, categories=levels, ordered=choose.chance(0.2))


def _again(choose: Chooser, columns: list[Any]) -> Any:
    """A column that is there already, or its mirror image."""
    column = choose.one_of(*columns)
    flips = isinstance(column, np.ndarray) and column.dtype.kind == "f" and choose.chance(0.3)
    return -column if flips else column


# ---- rows ----------------------------------------------------------------------------------------


def _classes(choose: Chooser, codes: np.ndarray) -> Any:
    """A factor, strings or logicals; now and then a level without rows."""
    count = int(codes.max()) + 1
    if count == 2 and choose.chance(0.1):
        return codes == 1
    words = choose.one_of(
        *[words for words in LABELS if len(words) >= count and ("" not in words or choose.chance(0.1))]
    )
    if choose.chance(0.1):
        return np.array(words, dtype=object)[codes]
    levels = list(words[: count + (choose.chance(0.03) and len(words) > count)])
    return pd.Categorical.from_codes(codes, categories=levels, ordered=choose.chance(0.1))


def _numbers(choose: Chooser, codes: np.ndarray) -> np.ndarray:
    n = len(codes)
    kind = choose.between(0, 9)
    values = codes + choose.one_of(0.1, 1.0, 3.0) * choose.bits.normal(n)
    if kind == 0:
        return codes * 1.0
    if kind == 1:
        return np.full(n, choose.one_of(0.0, 1.0, -2.5, 0.1, LARGEST))
    if kind == 2:
        return np.round(values).astype(np.int64)
    if kind == 3:
        return np.where(values > 0.5, values, choose.one_of(0.0, -0.0))
    scale = choose.one_of(1.0, 1.0, 1e-3, 1e4, 1e100, 1e-200, 1e154, 1e308)
    with np.errstate(over="ignore"):
        far = (values if kind < 8 else np.round(values, 1) + 0.0) * scale + choose.one_of(0.0, 0.0, -50.0, 1e7)
    return np.clip(far, -LARGEST, LARGEST)


def _weights(choose: Chooser, n: int) -> list[float]:
    weights = np.array(choose.vector(n, 0.05, 3.0))
    return np.where(choose.bits.uniform(n) < 0.3, 1.0, weights) if choose.chance(0.5) else weights


def _strata(choose: Chooser, n: int, y: Any) -> Any:
    count = choose.between(1, 3)
    made = pd.Categorical.from_codes(choose.bits.integers(count, n), categories=["u", "v", "w"][:count])
    return y if choose.chance(0.2) and isinstance(y, pd.Categorical) else made


# ---- new rows ------------------------------------------------------------------------------------


def _rows(x: Any, rows: np.ndarray) -> Any:
    return x.iloc[rows].reset_index(drop=True) if isinstance(x, pd.DataFrame) else x[rows]


def _new_rows(choose: Chooser, x: Any, count: int) -> Any:
    """Rows of x, or rows whose cells are drawn from it column by column; numbers now and then moved."""
    n = len(x)
    if choose.chance(0.2):
        return _rows(x, choose.bits.integers(n, count))
    if isinstance(x, pd.DataFrame):
        columns = [x.iloc[choose.bits.integers(n, count), j].reset_index(drop=True) for j in range(x.shape[1])]
        columns = [c + choose.one_of(0.0, 0.3) if c.dtype.kind == "f" else c for c in columns]
        made = pd.concat(columns, axis=1)
        made.columns = x.columns
        return made
    drawn = np.column_stack([x[choose.bits.integers(n, count), j] for j in range(x.shape[1])])
    return drawn + choose.one_of(0.0, 0.3) if drawn.dtype.kind == "f" else drawn


def odd_rows(choose: Chooser, x: pd.DataFrame, new: pd.DataFrame) -> dict[str, Any]:
    """New rows in other forms: columns in another order, one more, one less; levels in another order, unseen or fewer;
    one row; missing values."""
    p = x.shape[1]
    extra = new.copy()
    extra["extra"] = np.arange(len(new)) * 1.0
    odd: dict[str, Any] = {
        "swapped": new.iloc[:, choose.bits.order(p)],
        "extra": extra,
        "short": new.iloc[:, : max(p - 1, 1)],
        "one": _rows(new, np.array([0])),
        "matrix": _rows(x, choose.bits.integers(len(x), 2)),
    }
    odd["levels"] = _with_levels(choose, new)
    odd["holed"] = _holed(choose, new)
    return odd


def _with_levels(choose: Chooser, table: pd.DataFrame) -> pd.DataFrame:
    """The table with the levels of its factors in another order, with one more, or only those that occur."""
    columns = []
    for j in range(table.shape[1]):
        column = table.iloc[:, j]
        if isinstance(column.dtype, pd.CategoricalDtype):
            levels = list(column.cat.categories)
            kind = choose.between(0, 2)
            changed = [levels[i] for i in choose.bits.order(len(levels))] if kind == 0 else [*levels, "unseen"]
            column = column.cat.remove_unused_categories() if kind == 2 else column.cat.set_categories(changed)
            if kind == 1 and choose.chance(0.3):
                column = pd.Series(pd.Categorical(["unseen"] * len(column), categories=changed))
        columns.append(column)
    made = pd.concat(columns, axis=1)
    made.columns = table.columns
    return made


def _holed(choose: Chooser, table: pd.DataFrame) -> pd.DataFrame:
    """The table with a missing value in some of its columns of numbers and factors."""
    columns = []
    for j in range(table.shape[1]):
        column = table.iloc[:, j]
        if choose.chance(0.4) and (column.dtype.kind == "f" or isinstance(column.dtype, pd.CategoricalDtype)):
            column = column.where(np.arange(len(column)) != choose.between(0, len(column) - 1))
        columns.append(column)
    made = pd.concat(columns, axis=1)
    made.columns = table.columns
    return made
