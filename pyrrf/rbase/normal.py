"""The normal distribution's quantiles (R's qnorm): Wichura's AS 241, as in R and in Python's statistics."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.rbase.vectors import double, like, one_vector, recycled

_STANDARD = NormalDist()


def qnorm(p: Any, mean: float = 0.0, sd: float = 1.0) -> Any:
    """Quantiles of the normal distribution (R's ``qnorm``)."""
    vectors = [double(one_vector(p, "pass a column"), "p"), double(mean, "mean"), double(sd, "sd")]
    n = recycled(*vectors)
    columns = [np.resize(v, n).tolist() for v in vectors]
    found = np.array([_quantile(*row) for row in zip(*columns, strict=True)], dtype=np.float64)
    if (np.isnan(found) & ~np.isnan(np.array(columns)).any(axis=0)).any():
        warn("p is not from 0 to 1, or sd below 0: such quantiles are NaN")
    if np.ndim(p) and np.size(p) == n:
        return like(p, found)
    return found if any(np.ndim(v) for v in (p, mean, sd)) else float(found[0])


def _quantile(p: float, mean: float, sd: float) -> float:
    if not 0 <= p <= 1 or math.isnan(mean + sd):
        return math.nan
    if p in (0, 1):
        return math.copysign(math.inf, p - 0.5)
    if sd < 0:
        return math.nan
    return mean + sd * _STANDARD.inv_cdf(p) if sd else mean
