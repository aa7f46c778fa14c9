"""R's functions of a vector that formulas know; those of numbers are those of pyrrf.r."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r import elementary
from pyrrf.r.collate import sorted_strings
from pyrrf.types import Column


def _numbers(x: Any) -> np.ndarray:
    """Return values as float64, with NaN for missing ones."""
    if isinstance(x, pd.Series):
        return x.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(x, dtype=np.float64)


def _like(x: Any, values: np.ndarray) -> Any:
    return pd.Series(values, index=x.index) if isinstance(x, pd.Series) else values


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
    "log": elementary.log,
    "log2": elementary.log2,
    "log10": elementary.log10,
    "log1p": elementary.log1p,
    "exp": elementary.exp,
    "expm1": elementary.expm1,
    "sqrt": elementary.sqrt,
    "abs": np.abs,
    "sin": elementary.sin,
    "cos": elementary.cos,
    "tan": elementary.tan,
    "floor": np.floor,
    "ceiling": np.ceil,
    "factor": factor,
    "as_factor": as_factor,
    "as_numeric": as_numeric,
    "ordered": ordered,
    "ifelse": ifelse,
}
"""Functions by their name in a formula, with underscores for R's dots."""
