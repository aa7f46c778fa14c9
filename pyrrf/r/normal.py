"""The normal distribution's quantiles (R's qnorm): Wichura's AS 241, as in R and in Python's statistics."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

_STANDARD = NormalDist()


def qnorm(p: Any, mean: float = 0.0, sd: float = 1.0) -> Any:
    """Quantiles of the normal distribution (R's ``qnorm``).

    Parameters
    ----------
    p : float or array_like of float
        Probabilities.
    mean, sd : float, default 0.0 and 1.0

    Returns
    -------
    float or ndarray of float64
        NaN outside of 0 to 1.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.qnorm(0.975)
    1.9599639845400536
    """
    if np.ndim(p):
        return np.array([qnorm(value, mean, sd) for value in np.asarray(p, dtype=np.float64).tolist()])
    if not 0 <= p <= 1:
        return math.nan
    if p in (0, 1):
        return math.copysign(math.inf, p - 0.5)
    return mean + sd * _STANDARD.inv_cdf(float(p))
