"""R's quantiles and what is made of them: median, mad, IQR, fivenum, summary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase import arithmetic
from pyrrf.rbase.numbers import format_numbers, power_of_ten
from pyrrf.rbase.numbers import round as rounded
from pyrrf.rbase.ordering import sort
from pyrrf.rbase.vectors import double, known, named, numeric, one_vector, whole_or_missing
from pyrrf.rbase.vectors import names as names_of

_quiet = np.errstate(all="ignore")
# How far beyond 0 and 1 a probability may lie.
SLACK = 100 * float(np.finfo(np.float64).eps)
# Significant digits of the names of quantiles.
_DIGITS = 7


def quantile(x: Any, probs: Any = None, na_rm: bool = False, names: bool = True, type: int = 7) -> Any:
    """Quantiles of R's nine types (R's ``quantile``)."""
    values = known(double(one_vector(x, "pass a column")), na_rm)
    if np.isnan(values).any():
        raise ValueError("x holds missing values; drop them with na_rm=True")
    shares = np.linspace(0, 1, 5) if probs is None else double(probs, "probs")
    if (shares < -SLACK).any() or (shares > 1 + SLACK).any():
        raise ValueError(f"probs must be from 0 to 1, not {probs!r}")
    if type not in range(1, 10):
        raise ValueError(f"type must be a whole number from 1 to 9, not {type!r}")
    shares = np.clip(shares, 0.0, 1.0)
    out = _quantiles(values, shares, type)
    if probs is not None and np.ndim(probs) == 0:
        return float(out[0])
    return pd.Series(out, index=_percents(shares), dtype=np.float64) if names and len(out) else out


@_quiet
def _quantiles(values: np.ndarray, probs: np.ndarray, kind: int) -> np.ndarray:
    """Quantiles; a missing probability has a missing quantile."""
    out = np.full(len(probs), math.nan)
    asked = ~np.isnan(probs)
    out[asked] = arithmetic.quantile(values, probs[asked], kind)
    return out


def _percents(probs: np.ndarray) -> list[str]:
    """Return the names of quantiles, 7 significant digits; many of them get one format."""
    percents = 100 * probs
    if len(probs) < 100:
        texts = [_shown(p) for p in percents.tolist()]
    else:
        texts = [text.strip() for text in format_numbers(percents.tolist())]
    return ["" if math.isnan(p) else f"{text}%" for p, text in zip(percents.tolist(), texts, strict=True)]


def _shown(value: float) -> str:
    """R's formatC(format = "fg"): significant digits, never scientific."""
    if value == 0 or math.isnan(value):
        return "0"
    power = math.floor(math.log10(value) + 1e-12)
    if power < -4:
        return f"{value:.{_DIGITS - 1 - power}f}".rstrip("0")
    first = rounded(value / power_of_ten(power) + 1e-12, _DIGITS - 1)
    if power > 0 and first >= 10:
        value, power = first * power_of_ten(power), power + 1
    return f"{value:.{max(_DIGITS, power + 1)}g}"


def median(x: Any, na_rm: bool = False) -> float:
    """Middle value, or the mean of the two middle ones (R's ``median``)."""
    return arithmetic.median(known(double(one_vector(x, "pass a column")), na_rm))


def mad(x: Any, center: float | None = None, constant: float = 1.4826, na_rm: bool = False) -> float:
    """Median distance from the median, made comparable with ``sd`` (R's ``mad``)."""
    values = known(numeric(one_vector(x, "pass a column")), na_rm)
    middle = arithmetic.median(values.astype(np.float64)) if center is None else center
    with np.errstate(all="ignore"):
        distances = np.abs(values - middle)
    if values.dtype.kind == "i" and isinstance(middle, int) | (center is None and len(values) % 2 == 1):
        distances = whole_or_missing(distances.astype(np.int64))
    return constant * arithmetic.median(distances.astype(np.float64))


@_quiet
def fivenum(x: Any, na_rm: bool = True) -> Any:
    """Minimum, lower hinge, median, upper hinge, maximum (R's ``fivenum``)."""
    values = double(one_vector(x, "pass a column"))
    if not na_rm and np.isnan(values).any():
        return np.full(5, math.nan)
    ordered = sort(x)
    n = len(ordered)
    if n == 0:
        return np.full(5, math.nan)
    hinge = math.floor((n + 3) / 2) / 2
    places = np.array([1, hinge, (n + 1) / 2, n + 1 - hinge, n])
    low, high = np.floor(places).astype(np.int64) - 1, np.ceil(places).astype(np.int64) - 1
    values = numeric(ordered) * 1
    labels = names_of(ordered)
    return named(0.5 * whole_or_missing(values[low] + values[high]), None if labels is None else labels[low])
