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


def selected_columns(x: pd.DataFrame, fit: Any) -> pd.DataFrame:
    """The columns that a fit selected."""
    return x.iloc[:, fit.feaSet]


def folds(x: Any, y: Any, k: int) -> np.ndarray:
    """The experiments of the guided forest: in each fold an ordinary forest guides, and randomForest is grown on what
    was kept."""
    x, codes = np.asarray(x), np.asarray(y.codes)
    fold = pyrrf.sample(np.resize(np.arange(k), len(x)))
    out = np.zeros((k, 4), order="F")
    for i in range(k):
        train, rest = fold != i, fold == i
        ordinary = pyrrf.RRF(x[train], y[train], flagReg=0, ntree=10)
        importance = ordinary.importance / ordinary.importance.max()
        guided = pyrrf.RRF(x[train], y[train], coefReg=0.5 + 0.5 * importance, ntree=10)
        kept = guided.feaSet
        everything = pyrrf.randomForest(x[train], y[train], ntree=10)
        few = pyrrf.randomForest(x[train][:, kept], y[train], ntree=10, importance=True)
        wrong = [
            np.sum(pyrrf.predict(forest, rows).cat.codes.to_numpy() != codes[rest])
            for forest, rows in ((everything, x[rest]), (few, x[rest][:, kept]))
        ]
        out[i] = len(kept), *wrong, few.importance.to_numpy().max()
    return out


def mapped(fit: Any, y: Any, k: int) -> np.ndarray:
    """Distances on the map of MDSplot, eigenvalues and goodness of fit, to nine decimals.

    Eigenvectors have no sign of their own, and LAPACK's last bits differ from build to build, so
    this is the one answer that is not compared bit by bit.
    """
    from matplotlib import pyplot as plt

    shown = pyrrf.MDSplot(fit, y, k=k)
    plt.close("all")
    points = shown.points.to_numpy()
    distances = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
    values = [*distances[np.triu_indices(len(points), 1)], *shown.eig[:k], *shown.GOF]
    return np.array([f"{value:.9f}" for value in values], dtype=object)


def drawn_margins(fit: Any) -> pd.Series:
    """The points of a plot of margins."""
    from matplotlib import pyplot as plt

    data = pyrrf.plot(pyrrf.margin(fit)).data
    plt.close("all")
    return data


def margins_of_votes(fit: Any, y: Any) -> pd.Series:
    """Margins from a table of votes."""
    return pyrrf.margin(fit.votes, y)


SCRIPTS: dict[str, Callable[..., Any]] = {
    "mapped": mapped,
    "drawn_margins": drawn_margins,
    "margins_of_votes": margins_of_votes,
    "help_x": help_x,
    "help_class": help_class,
    "weights": weights,
    "kept": selected_columns,
    "folds": folds,
}
