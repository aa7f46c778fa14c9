"""Importances that guide a forest: of an ordinary forest, of another fit, or numbers; and their scaling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, number, numbers
from pyrrf.data.alignment import by_name
from pyrrf.errors import bad
from pyrrf.rbase.elementary import power as r_power
from pyrrf.result.result import ForestResult
from pyrrf.types import Floats, Labels

_DECREASE = ("MeanDecreaseGini", "IncNodePurity")
_PERMUTED = ("MeanDecreaseAccuracy", "%IncMSE")


def weight(gamma: object) -> float:
    """Return gamma, a number of 0 or more."""
    return number(gamma, "gamma", least=0)


def is_measure(guide: Any) -> bool:
    """Whether a guide is an ordinary forest of the call's own, judged by a measure or by R's default.

    Raises
    ------
    ValueError
        It is a text that names no measure.
    """
    if isinstance(guide, str) and guide not in _DECREASE + _PERMUTED:
        raise bad.choice(
            f"guide must be one of {', '.join(_DECREASE + _PERMUTED)}, importances or a fit, not {guide!r}"
        )
    return guide is None or isinstance(guide, str)


def is_permuted(guide: Any) -> bool:
    """Whether a measure needs permutations."""
    return isinstance(guide, str) and guide in _PERMUTED


def importance_of_fit(fit: ForestResult, guide: str | None) -> Floats:
    """Return the importances of a fit by a measure; the decrease in impurity by default."""
    return np.asarray(fit.outcome.importance[:, -2 if is_permuted(guide) else -1])


def read_guide(guide: Any, columns: Labels) -> Floats:
    """Return the importances that a guide is or has, float64, shape (p,).

    Raises
    ------
    ValueError
        It is a fit on other features, or has not one number for each feature.
    """
    if isinstance(guide, ForestResult):
        if not guide.columns.equals(columns):
            raise bad.columns("guide is a fit on other columns than x; fit it on the same ones")
        return importance_of_fit(guide, None)
    if isinstance(guide, pd.DataFrame):
        guide = guide.iloc[:, -1]
    values = numbers(array_of(by_name(guide, "guide", columns), "guide").ravel(), "guide")
    if len(values) != len(columns):
        raise bad.length(f"guide has {len(values)} values; pass one for each of {len(columns)} features")
    return values


def scale_importances(values: Floats, normalize: Any) -> Floats:
    """Return importances over the largest: as they are, from the smallest on, or raised to a power.

    Parameters
    ----------
    values : ndarray of float64, shape (p,)
    normalize : {"max", "minmax"} or float

    Raises
    ------
    ValueError
        None is above 0, all are the same, or `normalize` is something else.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.fit.guided_weights import scale_importances
    >>> [scale_importances(np.array([1.0, 2.0, 4.0]), way).tolist() for way in ("minmax", 2)]
    [[0.0, 0.3333333333333333, 1.0], [0.0625, 0.25, 1.0]]
    """
    low, high = float(values.min()), float(values.max())
    if high <= 0:
        raise bad.constant("all importances of the ordinary forest are 0, so they cannot guide; call RRF()", "guide")
    if isinstance(normalize, str) and normalize == "minmax":
        if low == high:
            raise bad.constant("guide has one value for all features, so normalize='minmax' divides by 0; pass 'max'")
        return np.asarray((values - low) / (high - low))
    shares = np.asarray(values / high)
    if isinstance(normalize, str):
        if normalize != "max":
            raise bad.choice(f"normalize must be 'max', 'minmax' or a power, not {normalize!r}")
        return shares
    power = number(normalize, "normalize")
    if power <= 0 or low < 0:
        raise bad.range(f"normalize={normalize!r} raises to a power; it must be above 0, and no importance below 0")
    return np.asarray(r_power(shares, power))
