"""Pieces of users' scripts in Python; `r_side.R` has the same in R."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pyrrf


def help_x(n: int) -> np.ndarray:
    """The predictors of the help page's example."""
    return pyrrf.runif(n * n).reshape(n, n, order="F")


def help_class(x: np.ndarray) -> pd.Categorical:
    """The response of the help page's example."""
    score = x[:, 0] * x[:, 0] + x[:, -1] * x[:, -1]
    return pd.Categorical.from_codes((score > np.median(score)).astype(int), categories=["0", "1"])


def weights(fit: Any, gamma: float) -> pd.Series:
    """Coefficients of the guided idiom with lambda0 = 1."""
    gini = fit.importance["MeanDecreaseGini"]
    return (1 - gamma) + gamma * (gini / gini.max())


def kept(x: pd.DataFrame, fit: Any) -> pd.DataFrame:
    """The columns that a fit selected."""
    return x.iloc[:, fit.feaSet]


SCRIPTS: dict[str, Callable[..., Any]] = {
    "help_x": help_x,
    "help_class": help_class,
    "weights": weights,
    "kept": kept,
}
