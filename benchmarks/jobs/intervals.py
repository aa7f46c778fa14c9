"""Means over replicates: how sure they are, and how they are printed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.95


def half_width(values: Sequence[float]) -> float:
    """Return half the width of Student's 95 % interval of a mean; infinite for a single value."""
    n = len(values)
    if n < 2:
        return math.inf
    return float(stdtrit(n - 1, (1 + LEVEL) / 2) * np.std(values, ddof=1) / math.sqrt(n))


def difference(values: Sequence[float], mean: float, variance: float, trials: int) -> tuple[float, float]:
    """Return the mean less another's, and half the width of Welch's 95 % interval, by the variance of its trials."""
    n, own, other = len(values), float(np.var(values, ddof=1)) / len(values), variance / trials
    gap = float(np.mean(values)) - mean
    if own + other == 0:
        return gap, 0.0
    freedom = (own + other) ** 2 / (own**2 / (n - 1) + other**2 / (trials - 1))
    return gap, float(stdtrit(freedom, (1 + LEVEL) / 2) * math.sqrt(own + other))


def is_significant(differences: Sequence[float]) -> bool:
    """Whether the paired t-test at .05 finds a difference: whether 0 lies outside the interval of its mean."""
    # Equal differences have no width but that of rounding.
    return abs(float(np.mean(differences))) > half_width(differences) + 1e-12


def number(value: float, step: float) -> str:
    """Return a number down to the digit `step`, without a zero before the point: .175."""
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{round(value, digits) + 0.0:.{digits}f}"  # + 0.0: no "-0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
