"""Vectors on which arithmetic goes wrong: ties, gaps, denormal and huge numbers, 0 and -0, labels in no order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.random_calls import Chooser
from parity.values import R_NA_BITS

WORDS = ("a", "b", "B", "ab", "10", "9", "c d", "Zug", "x1", "x10", "x2", "")
# R's NA as it comes out of any arithmetic; as R writes it first it is a signalling NaN.
NA = np.array([R_NA_BITS | 1 << 51], dtype=np.uint64).view(np.float64)[0]
SMALL = (5e-324, 1.5e-310, 2.2250738585072014e-308, -4e-320, 0.0, -0.0)
LARGE = (1.7e308, -1.6e308, 8.9e307, 1e300)


# ---- vectors -------------------------------------------------------------------------------------


def length(choose: Chooser, least: int = 0) -> int:
    return max(least, choose.one_of(0, 1, 2, 3, 4, 5, 7, 10, 13, 20, 33, 60, 200))


def doubles(choose: Chooser, n: int | None = None, gaps: bool = True, wild: bool = True) -> np.ndarray:
    """Numbers of one awkward kind or of several; with `gaps` some are missing, with `wild` some infinite."""
    size = length(choose) if n is None else n
    kind = choose.between(0, 8 if wild else 6)
    values = choose.bits.normal(size) * choose.one_of(1.0, 10.0, 1e-3, 1e6)
    if kind == 1:
        values = np.round(values, choose.between(0, 2)) + 0.0
    elif kind == 2:
        values = np.floor(values)
    elif kind == 3:
        values = 1.0 + choose.bits.integers(9, size) * 2.0**-52
    elif kind == 4:
        values = values * 0.0 + choose.one_of(0.1, 3.0, -7.3)
    elif kind == 5:
        values = np.where(choose.bits.uniform(size) < 0.4, choose.one_of(0.0, -0.0), values)
    elif kind == 6:
        values = values + choose.one_of(1e9, 1e15, -1e12)
    elif kind == 7:
        values = values * 10.0 ** (choose.bits.integers(600, size) - 300.0)
    elif kind == 8:
        pool = np.array(SMALL + (LARGE if choose.chance(0.3) else ()))
        values = np.where(choose.bits.uniform(size) < 0.6, pool[choose.bits.integers(len(pool), size)], values)
    if wild and size and choose.chance(0.1):
        values[choose.between(0, size - 1)] = choose.one_of(np.inf, -np.inf)
    return with_gaps(choose, values) if gaps else values


def with_gaps(choose: Chooser, values: np.ndarray) -> np.ndarray:
    if choose.chance(0.25):
        values = np.where(choose.bits.uniform(len(values)) < choose.one_of(0.1, 0.5, 1.0), NA, values)
    return values


def whole(choose: Chooser, n: int | None = None, below: int = 0) -> np.ndarray:
    size = length(choose) if n is None else n
    most = below or choose.one_of(3, 10, 1000, 2**31 - 1)
    return choose.bits.integers(most, size) - choose.one_of(0, most // 2)


def flags(choose: Chooser, n: int | None = None) -> np.ndarray:
    return choose.bits.uniform(length(choose) if n is None else n) < choose.one_of(0.0, 0.3, 0.7, 1.0)


def any_numbers(choose: Chooser, n: int | None = None, gaps: bool = True, names: bool = True) -> Any:
    """Doubles, mostly; else whole numbers or flags; sometimes with names."""
    kind = choose.between(0, 9)
    values = whole(choose, n) if kind == 0 else flags(choose, n) if kind == 1 else doubles(choose, n, gaps)
    return (
        pd.Series(values, index=[f"n{i}" for i in range(len(values))])
        if names and len(values) and choose.chance(0.15)
        else values
    )


def words(choose: Chooser, n: int | None = None, gaps: bool = True) -> np.ndarray:
    size = length(choose) if n is None else n
    drawn = np.array(WORDS[: choose.between(1, len(WORDS))], dtype=object)
    values = drawn[choose.bits.integers(len(drawn), size)] if size else np.zeros(0, dtype=object)
    if gaps and choose.chance(0.2):
        values = np.where(choose.bits.uniform(size) < 0.3, None, values)
    return values if any(v is not None for v in values) else np.array(["a"] * max(size, 1), dtype=object)[:size]


def factors(choose: Chooser, n: int | None = None, gaps: bool = True) -> pd.Categorical:
    """A factor whose levels need not occur, nor be in order."""
    size, count = length(choose) if n is None else n, choose.between(1, 6)
    levels = [WORDS[i] for i in choose.bits.order(len(WORDS) - 1)[:count]]
    codes = choose.bits.integers(count, size)
    if gaps and choose.chance(0.2):
        codes = np.where(choose.bits.uniform(size) < 0.3, -1, codes)
    return pd.Categorical.from_codes(codes.tolist(), categories=levels, ordered=choose.chance(0.2))


def anything(choose: Chooser, n: int | None = None, gaps: bool = True) -> Any:
    kind = choose.between(0, 4)
    if kind == 0:
        return words(choose, n, gaps)
    return factors(choose, n, gaps) if kind == 1 else any_numbers(choose, n, gaps, names=False)


def matrices(choose: Chooser, gaps: bool = True, wild: bool = True, rows: int | None = None) -> Any:
    """A matrix or a data frame of numbers."""
    n, p = choose.one_of(1, 2, 3, 6, 10, 40) if rows is None else rows, choose.between(1, 6)
    values = np.column_stack([doubles(choose, n, gaps, wild) for _ in range(p)])
    return pd.DataFrame(values, columns=[f"v{j}" for j in range(p)]) if choose.chance(0.5) else values


def maybe(choose: Chooser, share: float = 0.5, **given: Any) -> dict[str, Any]:
    """Each argument with a chance."""
    return {name: value for name, value in given.items() if choose.chance(share)}
