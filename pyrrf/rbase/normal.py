"""The normal distribution's quantiles (R's qnorm): Wichura's AS 241, as in R and in Python's statistics."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from pyrrf.checks import warn

_STANDARD = NormalDist()


def qnorm(p: np.ndarray, mean: np.ndarray, sd: np.ndarray) -> np.ndarray:
    """Return quantiles of the normal distribution, of vectors of one length (R's ``qnorm``)."""
    quantiles = np.array([_quantile(*row) for row in zip(p.tolist(), mean.tolist(), sd.tolist(), strict=True)])
    if (np.isnan(quantiles) & ~np.isnan(p + mean + sd)).any():
        warn("p is not from 0 to 1, or sd below 0: such quantiles are NaN")
    return quantiles


def _quantile(p: float, mean: float, sd: float) -> float:
    if not 0 <= p <= 1 or math.isnan(mean + sd):
        return math.nan
    if p in (0, 1):
        return math.copysign(math.inf, p - 0.5)
    if sd < 0:
        return math.nan
    return mean + sd * _STANDARD.inv_cdf(p) if sd else mean
