"""Costs of features, and groups of features that share one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_scalar

from pyrrf.checks import numbers
from pyrrf.data.alignment import per_label
from pyrrf.errors import bad
from pyrrf.types import Floats, Ints, Labels, PerFeature, PerLabel


def resolve_costs(feature_cost: PerLabel | None, flagReg: int, columns: Labels) -> Floats | None:
    """Return the cost of each feature, float64, shape (p,); 1 for a feature that a dict or Series does not name.

    Raises
    ------
    TypeError, ValueError
        The costs are not numbers of at least 1, name something other than a column, or there are not p of them. Also
        with flagReg=0, where no feature is selected.
    """
    if feature_cost is None:
        return None
    _needs_regularization("feature_cost", flagReg)
    costs = numbers(per_label(feature_cost, "feature_cost", columns, 1.0), "feature_cost")
    if costs.min() < 1:
        raise bad.range(
            f"feature_cost must be at least 1, but the lowest is {costs.min():.6g}; rescale all costs so that it is 1"
        )
    return costs


def resolve_groups(feature_groups: PerFeature | None, flagReg: int, columns: Labels) -> Ints | None:
    """Return, for each feature, the position of the first feature of its group, int32, shape (p,).

    A feature that a dict or Series does not name, or whose label is missing, is a group of its own.

    Raises
    ------
    TypeError, ValueError
        A label cannot be hashed, a name is no column, or there are not p labels. Also with flagReg=0.
    """
    if feature_groups is None:
        return None
    _needs_regularization("feature_groups", flagReg)
    first: dict[Any, int] = {}
    groups = np.arange(len(columns), dtype=np.int32)
    for position, label in enumerate(per_label(feature_groups, "feature_groups", columns, None)):
        missing = is_scalar(label) and pd.isna(label)
        if not isinstance(label, Hashable):
            raise bad.type(f"feature_groups must hold one label per feature, not {label!r}")
        if not missing:
            groups[position] = first.setdefault(label, position)
    return groups


def charge(coefficients: Floats, costs: Floats | None) -> Floats:
    """Return the coefficients divided by the costs, float64, shape (p,).

    Raises
    ------
    ValueError
        A coefficient is negative: its division would favour expensive features.
    """
    if costs is None:
        return coefficients
    if coefficients.min() < 0:
        raise bad.range(f"coefReg must not be negative with feature_cost, but holds {coefficients.min():.6g}")
    return coefficients / costs


def _needs_regularization(name: str, flagReg: int) -> None:
    if flagReg != 1:
        raise bad.conflict(f"{name} needs flagReg=1; with flagReg=0 no feature is selected")
