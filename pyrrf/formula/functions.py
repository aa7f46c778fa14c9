"""R's functions of a vector that formulas know, rounded as R rounds them.

R calls the C library for logarithms and powers, and so do these functions, through `math`. NumPy has its
own code, which may differ in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.collate import sorted_strings
from pyrrf.types import Column


def _numbers(x: Any) -> np.ndarray:
    """Return values as float64, with NaN for missing ones."""
    if isinstance(x, pd.Series):
        return x.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(x, dtype=np.float64)


def _like(x: Any, values: np.ndarray) -> Any:
    return pd.Series(values, index=x.index) if isinstance(x, pd.Series) else values


def _each(exact: Callable[..., float], limits: Callable[..., Any], *arguments: Any) -> Any:
    """Apply a function of `math` to each value, or NumPy's where `math` raises an error, as for log(0)."""
    broadcast = np.broadcast_arrays(*[_numbers(a) for a in arguments])
    out = np.empty(broadcast[0].shape)
    with np.errstate(all="ignore"):
        for at, values in enumerate(zip(*[b.ravel().tolist() for b in broadcast], strict=True)):
            try:
                out.flat[at] = exact(*values)
            except (ValueError, OverflowError):
                out.flat[at] = limits(*values)
    return _like(next((a for a in arguments if isinstance(a, pd.Series)), None), out)


def _unary(name: str) -> Callable[[Any], Any]:
    exact, limits = getattr(math, name), getattr(np, name)

    def function(x: Any) -> Any:
        return _each(exact, limits, x)

    return function


_LN, _LOG2, _LOG10 = _unary("log"), _unary("log2"), _unary("log10")


def log(x: Any, base: float = math.e) -> Any:
    """R's log(): to any base, natural by default."""
    if base == math.e:
        return _LN(x)
    if base in (2, 10):
        return _LOG2(x) if base == 2 else _LOG10(x)
    return _LN(x) / math.log(base)


def power(x: Any, y: Any) -> Any:
    """R's ``x^y``: a square is a product, the rest is the C library's pow."""
    if np.ndim(y) == 0 and y == 2:
        # Squares of squares of a whole number of Python would soon fill the memory.
        x = float(x) if isinstance(x, int) else x
        return x * x
    return _each(math.pow, np.power, x, y)


def compare(operation: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """Compare as R does: the result is missing where a side is missing."""
    result = operation(x, y)
    missing = pd.isna(x) | pd.isna(y)
    if not isinstance(result, pd.Series) or not np.any(missing):
        return result
    return result.astype("boolean").mask(missing)


def identity(x: Any) -> Any:
    """R's I()."""
    return x


def as_numeric(x: Any) -> Any:
    """R's as.numeric(): categories become codes from 1."""
    if isinstance(x, pd.Series) and isinstance(x.dtype, pd.CategoricalDtype):
        codes = x.cat.codes.to_numpy()
        return _like(x, np.where(codes < 0, np.nan, codes + 1.0))
    return _like(x, _numbers(x))


def factor(x: Any) -> Any:
    """R's factor(): the values that occur become sorted levels, strings in the order of `set_collate`."""
    return _categories(x, ordered=None)


def as_factor(x: Any) -> Any:
    """R's as.factor(): like factor(), but a factor keeps its levels."""
    return x if isinstance(getattr(x, "dtype", None), pd.CategoricalDtype) else factor(x)


def ordered(x: Any) -> Any:
    """R's ordered(): like factor(), with ordered levels."""
    return _categories(x, ordered=True)


def _categories(x: Any, ordered: bool | None) -> Column:
    series = pd.Series(x)
    if isinstance(series.dtype, pd.CategoricalDtype):
        kept = series.cat.remove_unused_categories()
        return kept.cat.as_ordered() if ordered else kept
    known = series.dropna().unique().tolist()
    are_strings = all(isinstance(value, str) for value in known)
    levels = sorted_strings(known, str(series.name or "x")) if are_strings else sorted(known)
    return series.astype(object).astype(pd.CategoricalDtype(levels, bool(ordered)))


def ifelse(test: Any, yes: Any, no: Any) -> Any:
    """R's ifelse(): `yes` where `test` holds, `no` where it does not, missing where `test` is missing."""
    known = pd.Series(test).astype("boolean")
    missing = known.isna().to_numpy()
    values = np.where(known.fillna(False).to_numpy(dtype=bool), np.asarray(yes), np.asarray(no))
    out = pd.Series(values, index=known.index)
    return out.where(~missing) if missing.any() else out


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "I": identity,
    "log": log,
    "log2": _LOG2,
    "log10": _LOG10,
    "log1p": _unary("log1p"),
    "exp": _unary("exp"),
    "expm1": _unary("expm1"),
    "sqrt": lambda x: _like(x, np.sqrt(_numbers(x))),
    "abs": np.abs,
    "sin": _unary("sin"),
    "cos": _unary("cos"),
    "tan": _unary("tan"),
    "floor": np.floor,
    "ceiling": np.ceil,
    "factor": factor,
    "as_factor": as_factor,
    "as_numeric": as_numeric,
    "ordered": ordered,
    "ifelse": ifelse,
}
"""Functions by their name in a formula, with underscores for R's dots."""
