"""A path tried on folds: the features that each gamma keeps on training rows, and its score on the others."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import PredefinedSplit, check_cv

from pyrrf.checks import array_of, count, flag
from pyrrf.data.identifiers import already_warned
from pyrrf.errors import bad
from pyrrf.fit.reading import Data
from pyrrf.sklearn.calls import shared_data
from pyrrf.sklearn.guided import SilentGuideError, consult, guided_features
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.private import check_method_params
from pyrrf.sklearn.sample import part
from pyrrf.types import Floats, Positions

# Rows to learn from, and rows to judge by.
Split = tuple[Positions, Positions]
# A forest inside a fold ends where this many trees, or a fifth of all, brought no new feature. Then it keeps a tenth
# fewer features than whole; the gamma taken changes less than with another seed.
_QUIET = 100
# Trees of each forest of a rehearsal.
REHEARSED = 25
# From so many folds on, the folds split each other's training parts; with fewer, these have too few rows.
FEWEST_FOLDS = 4


@dataclass(frozen=True, eq=False)
class Fold:
    """A part of the rows to learn from, and parts of the others that judge."""

    train: Positions
    tests: list[Positions]
    whole: bool = False  # whether all trees are grown, and not until no new feature enters F


@dataclass(frozen=True, eq=False, kw_only=True)
class Tried:
    """A path on one fold."""

    scores: Floats  # float64, shape (m, k): by each part of the other rows
    supports: np.ndarray  # bool, shape (k, p)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trial:
    """A path that is to be tried."""

    options: Any  # a guided selector, for one thread
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

    def on(self, folds: list[Fold], n_jobs: int | None, verbose: int) -> list[Tried]:
        """Try the path on each fold; joblib shares them out."""
        return share_out(Trial.on_one, (self,), [(fold,) for fold in folds], n_jobs, "fold" if verbose else "")

    def on_one(self, fold: Fold) -> Tried:
        """Try the path on one fold."""
        supports = self.supports(fold)
        scores: dict[bytes, list[float]] = {}
        for support in supports:
            # Gammas that keep the same are judged once.
            if support.tobytes() not in scores:
                judge = self.fit_judge(support, fold.train)
                scores[support.tobytes()] = [self.score(judge, support, test) for test in fold.tests]
        return Tried(scores=np.array([scores[support.tobytes()] for support in supports]).T, supports=supports)

    def supports(self, fold: Fold) -> np.ndarray:
        """Return masks of the features that each gamma keeps by the training rows, bool, shape (k, p)."""
        train, data = fold.train, self.data.take(fold.train)
        nothing = np.zeros((len(self.gammas), data.shape[1]), bool)
        if not data.x.varies():  # a rare value may be missing in a part of the rows: no tree can split them
            return nothing
        shared = shared_data(self.options._forest_for(data.labels is None), data)
        try:
            guidance = consult(self.options, shared, part(self.rows, train), self.y[train], self.seed)
        except SilentGuideError:
            return nothing
        ntree = shared.call.ntree
        quiet = ntree if fold.whole else max(_QUIET, ntree // 5)
        return np.array([guided_features(shared, guidance, gamma, quiet) for gamma in self.gammas])

    def score(self, judge: Any, support: np.ndarray, test: Positions) -> float:
        """Return the score of a fitted judge of some features on some rows."""
        params = check_method_params(self.rows, self.score_params, indices=test)
        return as_score(self.scorer(judge, self.columns(support, test), self.y[test], **params))

    def rehearse(self, judge: Any, splits: list[Split]) -> None:
        """Raise the errors of the first scores at once, and ValueError for a score that is not a number.

        Each split is tried with few trees and one gamma, the smallest, which keeps most.
        """
        few = min(REHEARSED, self.options._forest_for(self.data.labels is None).n_estimators)
        # On this thread: so few trees are grown before a cluster has its data.
        options = clone(self.options).set_params(guide=few, n_estimators=few, n_jobs=1)
        short = replace(self, options=options, judge=judge, gammas=[min(self.gammas)])
        for number, (train, test) in enumerate(splits):
            with warnings.catch_warnings():
                # They come again where they count.
                warnings.simplefilter("ignore")
                score = short.on_one(Fold(train, [test])).scores.item()
            if not np.isfinite(score):
                raise bad.undefined(
                    f"scoring returns {score} on the {len(test)} test rows of split {number}; pass another scoring, or "
                    "a cv with larger or stratified folds"
                )

    @already_warned()
    def fit_judge(self, support: np.ndarray, train: Positions) -> Any:
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
    if isinstance(scoring, type) or not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise bad.type(f"scoring must be a single scorer name, a callable or None, not {scoring!r}")
    if scoring is None and not hasattr(judge, "score"):
        raise bad.type(f"judge must have a score(), unless scoring is given, unlike {judge!r}", "judge")
    return check_scoring(judge, scoring=scoring)


def as_score(score: Any) -> float:
    """Return the score of a scorer as float; raise TypeError if it is no number."""
    try:
        return float(score)
    except (TypeError, ValueError):
        raise bad.type(f"scoring must return a number, not {score!r}") from None


def read_cv(cv: Any, y: np.ndarray, classifier: bool) -> Any:
    """Return the splitter that `cv` is or stands for; a number means folds, of which scikit-learn says how."""
    if isinstance(cv, str | bytes):
        raise bad.type(f"cv must be a number of folds, a splitter or a list of splits, not {cv!r}")
    return check_cv(count(cv, "cv", 2) if isinstance(cv, int | np.integer) else cv, y, classifier=classifier)


def check_groups(groups: Any, y: np.ndarray) -> None:
    """Raise ValueError unless groups of rows are one for each row."""
    if groups is not None and array_of(groups, "groups").shape[:1] != y.shape:
        raise bad.shape(f"groups must hold one group per row of X ({len(y)}), not {groups!r}")


def has_splits(cv: Any) -> bool:
    """Whether `cv` holds splits of all rows, which are the same for any rows."""
    return isinstance(cv, PredefinedSplit) or (isinstance(cv, Iterable) and not hasattr(cv, "split"))


def splits_of(cv: Any, rows: Any, y: np.ndarray, split_params: dict[str, Any]) -> list[Split]:
    """Return the splits of some rows, as positions; raise ValueError if there are none, or one is of other rows."""
    try:
        with warnings.catch_warnings():
            # A fold may lack a class. Where that matters, whoever judges by the folds refuses them.
            warnings.filterwarnings("ignore", "The least populated class")
            splits = [(train, test) for train, test in cv.split(rows, y, **split_params)]
    except TypeError as error:
        raise bad.type(f"cv must yield (train, test) pairs of row positions: {error}") from error
    except ValueError as error:
        reason = str(error).rstrip(".")
        if "'groups'" in reason and split_params.get("groups") is None:
            raise bad.absent(f"groups is missing, but cv={cv!r} needs them; pass fit(X, y, groups=...)") from error
        raise bad.rows(f"cv cannot split {len(y)} rows: {reason}; pass a cv with fewer folds") from error
    if not splits:
        raise bad.empty("cv yields no splits; pass at least one (train, test) pair of row positions")
    return [(_positions(one, len(y)), _positions(other, len(y))) for one, other in splits]


def _positions(given: Any, n: int) -> Positions:
    """Return the rows of a part of a split, given as positions or as a mask."""
    rows = array_of(given, "cv")
    if rows.dtype == np.bool_ and rows.shape == (n,):
        rows = np.flatnonzero(rows)
    if rows.dtype.kind not in "iu" or rows.ndim != 1 or not rows.size or rows.min() < -n or rows.max() >= n:
        raise bad.range(f"cv must yield (train, test) pairs of non-empty arrays of row positions from 0 to {n - 1}")
    return rows % n


def checked_nested(nested: Any, cv: Any) -> bool:
    """Return whether the whole choice is scored; raise ValueError for splits that no training part has of its own."""
    wanted = flag(nested, "nested")
    if wanted and has_splits(cv):
        raise bad.conflict(
            "nested=True needs to split the training rows of each fold, but cv is a fixed list of splits; pass a "
            "splitter such as KFold, or nested=False"
        )
    return wanted


def splits_within(cv: Any, rows: Any, y: np.ndarray, train: Positions, split_params: dict[str, Any]) -> list[Split]:
    """Return the splits of a training part, as positions in all rows."""
    params = check_method_params(rows, split_params, indices=train)
    return [(train[one], train[other]) for one, other in splits_of(cv, part(rows, train), y[train], params)]


def check_learnable(folds: list[Fold], y: np.ndarray) -> None:
    """Raise ValueError if y is one class, or one number, in all training rows of a fold."""
    for fold in folds:
        if len(set(y[fold.train].tolist())) < 2:
            raise bad.constant(
                f"y is {y[fold.train].tolist()[0]!r} in all {len(fold.train)} training rows of a fold; pass a cv that "
                "shuffles or stratifies, or has fewer folds",
                "cv",
            )


def are_folds(splits: list[Split], n: int) -> bool:
    """Whether splits of n rows are at least four, no two judge by one row, and each learns from all others.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import KFold, TimeSeriesSplit
    >>> from pyrrf.sklearn.fold_scoring import are_folds
    >>> [are_folds(list(cv.split(np.zeros((12, 1)))), 12) for cv in (KFold(4), KFold(3), TimeSeriesSplit(4))]
    [True, False, False]
    """
    if len(splits) < FEWEST_FOLDS:
        return False
    judged = np.concatenate([test for _, test in splits])
    whole = all(np.array_equal(np.sort(np.concatenate(split)), np.arange(n)) for split in splits)
    return whole and len(np.unique(judged)) == len(judged)


def in_pairs(splits: list[Split]) -> tuple[list[Fold], list[list[tuple[int, int]]]]:
    """Return folds with the training rows common to two splits, judged by the test rows of either.

    So each fold's training part is split by the other folds, and each path serves two of them.

    Returns
    -------
    folds : list of Fold
    where : list of list of tuple of int
        Of each split: the folds inside its training part, and which of their two parts judges.
    """
    folds, where = list[Fold](), [list[tuple[int, int]]() for _ in splits]
    for one, other in combinations(range(len(splits)), 2):
        where[one].append((len(folds), 1))
        where[other].append((len(folds), 0))
        train = np.intersect1d(splits[one][0], splits[other][0])
        folds.append(Fold(train, [splits[one][1], splits[other][1]]))
    return folds, where


def inside(
    cv: Any, rows: Any, y: np.ndarray, splits: list[Split], split_params: dict[str, Any]
) -> tuple[list[Fold], list[list[tuple[int, int]]]]:
    """Return folds of the training part of each split, and where they are, as `in_pairs` does."""
    if are_folds(splits, len(y)):
        return in_pairs(splits)
    folds, where = list[Fold](), list[list[tuple[int, int]]]()
    for train, _ in splits:
        within = splits_within(cv, rows, y, train, split_params)
        where.append([(len(folds) + index, 0) for index in range(len(within))])
        folds += [Fold(one, [other]) for one, other in within]
    return folds, where
