"""RRF and RBoost as Deng & Runger (2012) ran them, and what judges the features that a method selects."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

import pyrrf
from benchmarks.jobs.sets import DataSet
from benchmarks.papers import comparators
from pyrrf.papers import RBoostClassifier

PENALTY = 0.5  # section VI
JUDGE_TREES = 200  # section VI
# Files that have another name in the paper's table I.
NAMES = {"ionosphere": "iono", "hillvalley_without_noise": "HillValley"}


def rrf(X: pd.DataFrame, y: np.ndarray, seed: int, ntree: int, **how: str) -> np.ndarray:
    """Select by RRF: information gain, multiplied by 1/2 outside F; ceil(sqrt(M)) new features a node; growth, ties."""
    fit = pyrrf.RRF(
        X,
        y,
        ntree=ntree,
        mtry=candidates(X),
        coefReg=PENALTY,
        criterion="entropy",
        penalty="gain",
        keep_forest=False,
        engine="parallel",
        seed=seed,
        **how,
    )
    return np.sort(fit.feaSet)


def rboost(X: pd.DataFrame, y: np.ndarray, seed: int, ntree: int) -> np.ndarray:
    """Select by RBoost with the same rule, its bags drawn by weight."""
    return np.flatnonzero(RBoostClassifier(ntree, penalty=PENALTY, random_state=seed).fit(X, y).support_)


def candidates(X: pd.DataFrame) -> int:
    """Return the paper's number of features that a node tries."""
    return math.ceil(math.sqrt(X.shape[1]))


def judge_by_forest(train: tuple[pd.DataFrame, np.ndarray], test: tuple[pd.DataFrame, np.ndarray], seed: int) -> float:
    """Return the accuracy of an ordinary forest of 200 trees, which split by information gain as Weka's do."""
    X, y = train
    fit = pyrrf.RRF(
        X,
        y,
        flagReg=0,
        ntree=JUDGE_TREES,
        mtry=candidates(X),
        criterion="entropy",
        engine="parallel",
        seed=seed,
    )
    return float(np.mean(np.asarray(pyrrf.predict(fit, test[0])) == test[1]))


def judge_by_weka(
    classifier: str, train: tuple[pd.DataFrame, np.ndarray], test: tuple[pd.DataFrame, np.ndarray]
) -> float:
    """Return the accuracy of a classifier of Weka."""
    return float(comparators.predict(classifier, train, test)[0].mean())


def two_folds(data: DataSet, seed: int) -> Iterator[tuple[tuple[pd.DataFrame, np.ndarray], ...]]:
    """Yield (train, test) and the same with the parts exchanged; classes are split in halves."""
    for train, test in StratifiedKFold(2, shuffle=True, random_state=seed).split(data.x, data.y):
        yield tuple((data.x.iloc[rows], data.y[rows]) for rows in (train, test))
