"""A path tried on folds: what each gamma keeps on the training rows, and its score on the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import PredefinedSplit

from pyrrf.checks import flag
from pyrrf.fit.path import features_split
from pyrrf.fit.reading import Data
from pyrrf.sklearn.calls import shared_data
from pyrrf.sklearn.guided import consult, guided_fit
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.private import check_method_params
from pyrrf.sklearn.sample import part
from pyrrf.types import Floats, Positions

# Rows to learn from, and rows to judge by.
Split = tuple[Positions, Positions]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tried:
    """A path on one fold."""

    scores: Floats  # float64, shape (k,)
    supports: np.ndarray  # bool, shape (k, p)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trial:
    """A path that is to be tried."""

    options: Any  # estimator with the parameters of `GRRFSelector`, for one thread
    data: Data
    rows: Any  # ndarray or DataFrame, shape (n, p): X for estimators
    y: np.ndarray
    gammas: list[float]
    seed: int  # each fold starts with it
    judge: Any  # clones of it are fitted to the columns kept
    scorer: Any
    # fit_params, score_params: metadata of all rows, for the judge and the scorer
    fit_params: dict[str, Any]
    score_params: dict[str, Any]

    def on(self, splits: list[Split], n_jobs: int | None, verbose: int) -> list[Tried]:
        """Try the path on each split; joblib shares them out."""
        return share_out(Trial.on_one, (self,), [(split,) for split in splits], n_jobs, "path" if verbose else "")

    def on_one(self, split: Split) -> Tried:
        """Try the path on one split."""
        supports = self.supports(split[0])
        scores: dict[bytes, float] = {}
        for support in supports:
            # Gammas that keep the same are judged once.
            if support.tobytes() not in scores:
                scores[support.tobytes()] = self.score(support, split)
        return Tried(scores=np.array([scores[support.tobytes()] for support in supports]), supports=supports)

    def supports(self, train: Positions) -> np.ndarray:
        """Return what each gamma keeps of some rows, bool, shape (k, p)."""
        data = self.data.take(train)
        if not data.x.varies():  # a rare value may be missing in a part of the rows: no tree can split them
            return np.zeros((len(self.gammas), data.shape[1]), bool)
        shared = shared_data(self.options, data)
        guidance = consult(self.options, shared, part(self.rows, train), self.y[train], self.seed)
        return np.array([features_split(guided_fit(shared, guidance, gamma)) for gamma in self.gammas])

    def score(self, support: np.ndarray, split: Split) -> float:
        """Return the score of some features on one split."""
        train, test = split
        params = check_method_params(self.rows, self.score_params, indices=test)
        return float(self.scorer(self.fitted(support, train), self.columns(support, test), self.y[test], **params))

    def fitted(self, support: np.ndarray, train: Positions) -> Any:
        """Return the judge, fitted to some features of some rows; without a feature, one that guesses from y."""
        if support.any():
            judge = clone(self.judge)
            params = check_method_params(self.rows, self.fit_params, indices=train)
        else:
            judge = DummyRegressor() if self.data.labels is None else DummyClassifier()
            params = {}
        return judge.fit(self.columns(support, train), self.y[train], **params)

    def columns(self, support: np.ndarray, rows: Positions) -> Any:
        """Return some features of some rows; without a feature, a column of zeros."""
        if support.any():
            return part(self.rows, rows, np.flatnonzero(support))
        return np.zeros((len(rows), 1))


# ---- folds of the training part of a fold ----------------------------------------------------------


def one_scorer(judge: Any, scoring: Any) -> Any:
    """Return the scorer of the subsets; raise TypeError for several of them."""
    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise TypeError(f"scoring must be the name of one score, or a callable, not {scoring!r}")
    return check_scoring(judge, scoring=scoring)


def has_splits(cv: Any) -> bool:
    """Whether `cv` holds splits of all rows, which stay the same whatever rows it is asked to split."""
    return isinstance(cv, PredefinedSplit) or (isinstance(cv, Iterable) and not hasattr(cv, "split"))


def splits_of(cv: Any, rows: Any, y: np.ndarray, split_params: dict[str, Any]) -> list[Split]:
    """Return the splits of some rows, as positions; raise ValueError if there are none, or one is of other rows."""
    splits = [(_positions(one, len(y)), _positions(other, len(y))) for one, other in cv.split(rows, y, **split_params)]
    if not splits:
        raise ValueError("cv holds no splits; pass at least one pair of training rows and test rows")
    return splits


def _positions(given: Any, n: int) -> Positions:
    """Return the rows of a part of a split, given as positions or as a mask."""
    found = np.asarray(given)
    if found.dtype == np.bool_ and found.shape == (n,):
        found = np.flatnonzero(found)
    if found.ndim != 1 or not found.size or found.dtype.kind not in "iu" or found.min() < -n or found.max() >= n:
        raise ValueError(f"cv must hold pairs of training rows and test rows, each of some of 0 to {n - 1}")
    return found % n


def checked_nested(nested: Any, cv: Any) -> bool:
    """Return whether the whole choice is scored; raise ValueError for splits that no training part has of its own."""
    wanted = flag(nested, "nested")
    if wanted and has_splits(cv):
        raise ValueError(
            "cv holds splits of all rows, which cannot split the training part of a fold; pass a splitter, or "
            "nested=False"
        )
    return wanted


def splits_within(cv: Any, rows: Any, y: np.ndarray, train: Positions, split_params: dict[str, Any]) -> list[Split]:
    """Return the splits of a training part, as positions in all rows."""
    params = check_method_params(rows, split_params, indices=train)
    return [(train[one], train[other]) for one, other in splits_of(cv, part(rows, train), y[train], params)]
