"""R's quantiles and fivenum; arrays are of float64 without missing values."""

from __future__ import annotations

import math

import numpy as np

from pyrrf.errors import bad
from pyrrf.rbase import arithmetic
from pyrrf.rbase.numbers import format_numbers, power_of_ten
from pyrrf.rbase.numbers import round as rounded
from pyrrf.rbase.vectors import whole_or_missing

_quiet = np.errstate(all="ignore")
# Distance beyond 0 and 1 at which a probability may lie.
SLACK = 100 * float(np.finfo(np.float64).eps)
# Significant digits of the names of quantiles.
_DIGITS = 7


@_quiet
def quantile(values: np.ndarray, probs: np.ndarray, kind: int = 7) -> np.ndarray:
    """Return quantiles of R's nine types; a missing probability has a missing quantile (R's ``quantile``)."""
    if kind not in range(1, 10):
        raise bad.range(f"type must be a whole number from 1 to 9, not {kind!r}")
    out = np.full(len(probs), math.nan)
    asked = ~np.isnan(probs)
    out[asked] = arithmetic.quantile(values, np.clip(probs[asked], 0.0, 1.0), kind)
    return out


def percents(probs: np.ndarray) -> list[str]:
    """Return the names of quantiles, 7 significant digits; many of them get one format."""
    shares = 100 * np.clip(probs, 0.0, 1.0)
    if len(probs) < 100:
        texts = [_percent_text(p) for p in shares.tolist()]
    else:
        texts = [text.strip() for text in format_numbers(shares.tolist())]
    return ["" if math.isnan(p) else f"{text}%" for p, text in zip(shares.tolist(), texts, strict=True)]


def _percent_text(value: float) -> str:
    """Return R's formatC(format = "fg"): significant digits, never scientific."""
    if value == 0 or math.isnan(value):
        return "0"
    power = math.floor(math.log10(value) + 1e-12)
    if power < -4:
        return f"{value:.{_DIGITS - 1 - power}f}".rstrip("0")
    first = float(rounded(value / power_of_ten(power) + 1e-12, _DIGITS - 1))
    if power > 0 and first >= 10:
        value, power = first * power_of_ten(power), power + 1
    return f"{value:.{max(_DIGITS, power + 1)}g}"


@_quiet
def fivenum(values: np.ndarray, is_whole: bool = False) -> np.ndarray:
    """Return minimum, lower hinge, median, upper hinge, maximum of at least one number (R's ``fivenum``)."""
    n, ordered = len(values), np.sort(values)
    hinge = math.floor((n + 3) / 2) / 2
    places = np.array([1, hinge, (n + 1) / 2, n + 1 - hinge, n])
    low, high = np.floor(places).astype(np.int64) - 1, np.ceil(places).astype(np.int64) - 1
    return np.asarray(0.5 * whole_or_missing(ordered[low] + ordered[high], is_whole))
