"""RRF and GRRF as the scripts of paper 003's first author run them: the guide, F, and the forest that judges F.

The guide is an ordinary forest of trees with replacement; RRF and GRRF are grown without; F is what has a
MeanDecreaseGini above 0; the judging forest is like the guide, on the columns of F. `forest` stands for `ntree`,
`engine` and `seed`, as `pyrrf.RRF` takes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import pyrrf


def gini(fit: pyrrf.RRFResult) -> np.ndarray:
    """Return the decrease of the Gini index by each feature."""
    return fit.importance["MeanDecreaseGini"].to_numpy()


def guide(x: np.ndarray, y: np.ndarray, **forest: Any) -> np.ndarray:
    """Return the normalised importance of each feature in an ordinary forest (eq 3)."""
    found = gini(pyrrf.RRF(x, y, flagReg=0, keep_forest=False, **forest))
    return found / found.max()


def coefficients(importance: np.ndarray, penalty: float, gamma: float) -> np.ndarray:
    """Return coefReg of each feature (eq 5); `penalty` is lambda."""
    return (1 - gamma) * penalty + gamma * importance


def select(x: np.ndarray, y: np.ndarray, coef: np.ndarray, **forest: Any) -> np.ndarray:
    """Return F, ascending, of a regularized forest with these coefficients."""
    fit = pyrrf.RRF(x, y, flagReg=1, replace=False, coefReg=coef, keep_forest=False, **forest)
    return np.flatnonzero(gini(fit) > 0)


def wrong(
    train: tuple[np.ndarray, np.ndarray], test: tuple[np.ndarray, np.ndarray], columns: Any, **forest: Any
) -> np.ndarray:
    """Return which test rows an ordinary forest on some columns gets wrong; `train` and `test` are (x, y)."""
    parts = [np.asfortranarray(x[:, columns]) for x, _ in (train, test)]
    fit = pyrrf.RRF(parts[0], train[1], flagReg=0, **forest)
    return np.asarray(pyrrf.predict(fit, parts[1])) != test[1]
