"""Scores of the sizes of an elimination and of a guess from y, on folds; the choice of a size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm, t
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from pyrrf.checks import count
from pyrrf.data.identifiers import already_warned
from pyrrf.data.predictors import varying
from pyrrf.errors import bad
from pyrrf.fit.progress import Progress
from pyrrf.selectors.elimination import Elimination, EliminationRule, eliminate, next_size
from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.rules import choose_by_rule
from pyrrf.selectors.units import Units
from pyrrf.sklearn.fold_scoring import Split, as_score, read_cv, splits_of, splits_within
from pyrrf.sklearn.forests import RRFClassifier, RRFRegressor
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.sample import Sample, coded_response, part
from pyrrf.types import Floats, Positions

# Sizes that are judged: all up to the first number, above it each at most this share of the next larger one.
_EACH, _SHARE = 6, 0.7
# Trees of the default judge: so many rows in all of them together, between a least number and a largest one; and the
# rows that each of them draws at most.
_TREE_ROWS, _TREES, _BAG = 50_000, (50, 100), 5_000
# Level of the test against a guess from y. It is lower than .05, since the best of all sizes is tested: on 24 sets of
# noise 3 had less than .05, and 1 less than .01.
_LEVEL = 0.01
# Remedy where a fold has too few rows.
_REMEDY = "pass a cv with fewer folds, or more rows"
# Seeds of forests and of folds are below this.
SEEDS = 1 << 31


@dataclass(frozen=True, eq=False)
class EliminationJob:
    """Data and settings of an elimination, as workers get them."""

    sample: Sample
    numeric: bool
    weight: Floats | None
    units: Units
    rule: EliminationRule
    seed: int
    most: int  # of so many units the columns vary

    def rounds(self) -> list[int]:
        """Return the sizes that the rounds have, the largest first."""
        sizes = [min(self.rule.pool, len(self.units))]
        while sizes[-1] > 1:
            sizes.append(next_size(sizes[-1], self.rule.step))
        return sizes

    def sizes_to_judge(self) -> list[int]:
        """Return the sizes that folds judge, the largest first."""
        sizes, least = [min(self.rule.pool, self.most)], max(1, int(self.units.never_dropped.sum()))
        while sizes[-1] > least:
            size = sizes[-1]
            sizes.append(max(least, size - 1 if size <= _EACH else max(_EACH, int(_SHARE * size))))
        return sizes

    def eliminate(self, rows: Positions, n_jobs: int | None, shown: bool = False) -> Elimination:
        """Return the path by some rows of positive weight."""
        weight = None if self.weight is None else self.weight[rows] / self.weight[rows].mean()
        data = TreeData.of(self.sample.table, rows, *coded_response(self.sample.y[rows], self.numeric))
        sizes = self.rounds()
        progress = Progress(len(sizes), delay=0.0, unit="round", name="elimination") if shown else None
        try:
            return eliminate(
                data, self.rule, weight=weight, units=self.units, seed=self.seed, n_jobs=n_jobs,
                watch=lambda size: progress(sizes.index(size)) if progress else None,
            )  # fmt: skip
        finally:
            if progress:
                progress.close()


# ---- folds ---------------------------------------------------------------------------------------


def splitter_of(cv: Any, task: EliminationJob, rows: Positions) -> Any:
    """Return a splitter. Of a number the folds are of rows in random order."""
    if not (cv is None or isinstance(cv, int | np.integer)):
        return read_cv(cv, task.sample.y[rows], not task.numeric)
    folds = 5 if cv is None else count(cv, "cv", 2)
    return (KFold if task.numeric else StratifiedKFold)(folds, shuffle=True, random_state=task.seed % SEEDS)


def folds_of(splitter: Any, task: EliminationJob, rows: Positions, grouped: dict[str, Any], fixed: bool) -> list[Split]:
    """Return the splits of some rows; `fixed`: whether they are a list of splits of all rows."""
    sample = task.sample
    if not fixed:
        return splits_within(splitter, sample.rows, sample.y, rows, grouped)
    every = np.arange(len(sample.y))  # splits of all rows, also of those that count nothing
    splits = [(every[one], every[other]) for one, other in splits_of(splitter, sample.rows, sample.y, {})]
    return [(one[np.isin(one, rows)], other[np.isin(other, rows)]) for one, other in splits]


def named_splits(splits: list[Split], inner: list[list[Split]]) -> dict[str, Split]:
    """Return splits, and those of their training parts behind them, by their names in messages."""
    outer = {f"fold {number} of cv": split for number, split in enumerate(splits, start=1)}
    return outer | {
        f"fold {number} of the training part of {name}": split
        for name, within in zip(outer, inner, strict=False)  # none, unless the whole choice is scored
        for number, split in enumerate(within, start=1)
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class TriedSizes:
    """The sizes on one fold, and behind them a guess from y alone."""

    scores: Floats  # float64, shape (k + 1,)
    # Of each row that was not fitted, less the squared error; None where `scoring` or an estimator was given.
    gains: Floats | None  # float64, shape (k + 1, rows)
    rows: Positions  # rows that judge


@dataclass(frozen=True, eq=False, kw_only=True)
class SizeTrial:
    """Sizes that are to be tried."""

    task: EliminationJob
    judge: Any  # clones of it are fitted to the features kept; None for forests that take weights
    scorer: Any  # None for their own score
    sizes: list[int]

    def on(self, splits: dict[str, Split], n_jobs: int | None, unit: str) -> list[TriedSizes]:
        """Try the sizes on each split; joblib shares them out."""
        return share_out(SizeTrial.on_one, (self,), list(splits.items()), n_jobs, unit)

    def on_one(self, name: str, split: Split) -> TriedSizes:
        """Try the sizes on one split; raise ValueError at the first score that is not a number."""
        path = self.task.eliminate(split[0], 1)
        subsets = [path.order[: path.ends[min(size, len(path.ends)) - 1]] for size in self.sizes]
        tried = []
        for size, columns in zip(self.sizes, subsets, strict=True):
            tried.append(self.judge_rows(self.fit_judge(split[0], columns), columns, split[1]))
            if not np.isfinite(tried[-1][0]):
                raise bad.undefined(
                    f"scoring returns {tried[-1][0]} on {name} for subset size {size}; pass another scoring, or a cv "
                    "with fewer folds",
                    "scoring",
                )
        tried.append(self.judge_rows(self.guess(split[0]), subsets[-1], split[1]))
        scores = np.array([score for score, _ in tried])
        gains = None if self.scorer else np.array([gains for _, gains in tried])
        return TriedSizes(scores=scores, gains=gains, rows=split[1])

    @already_warned()
    def fit_judge(self, rows: Positions, columns: Positions) -> Any:
        """Return the judge, fitted to some features of some rows; where none of them varies, a guess."""
        sample = self.task.sample
        if not varying(sample.table.select(columns).take(rows).dense).any():
            return self.guess(rows)
        numeric, seed = self.task.numeric, self.task.seed % SEEDS
        judge = default_judge(numeric, len(rows), seed) if self.judge is None else clone(self.judge)
        return judge.fit(part(sample.rows, rows, columns), sample.y[rows], **self.weights(rows))

    def guess(self, rows: Positions) -> Any:
        """Return an estimator that guesses from y alone: the commonest class, and the shares of all, or the mean."""
        dummy = DummyRegressor() if self.task.numeric else DummyClassifier(strategy="prior")
        return dummy.fit(np.zeros((len(rows), 1)), self.task.sample.y[rows], **self.weights(rows))

    def weights(self, rows: Positions) -> dict[str, Floats]:
        """Return the weights of some rows, for the judge."""
        weight = self.task.weight
        return {} if weight is None or self.judge is not None else {"sample_weight": weight[rows]}

    def judge_rows(self, fitted: Any, columns: Positions, rows: Positions) -> tuple[float, Floats | None]:
        """Return the score on some rows, and the gain of each of them."""
        X, y = part(self.task.sample.rows, rows, columns), self.task.sample.y[rows]
        if self.scorer is not None:
            return self._by_scorer(fitted, X, y), None
        if self.task.numeric:
            predicted = fitted.predict(X)
            return float(r2_score(y, predicted)), -((y - predicted) ** 2)
        shares = fitted.predict_proba(X)
        hit = y[:, np.newaxis] == fitted.classes_
        score = accuracy_score(y, fitted.classes_[shares.argmax(axis=1)])
        return float(score), -((hit - shares) ** 2).sum(axis=1)

    def _by_scorer(self, fitted: Any, X: Any, y: np.ndarray) -> float:
        """Return the score; NaN for a guess that `scoring` does not read, as one of decision functions alone."""
        try:
            return as_score(self.scorer(fitted, X, y))
        except (AttributeError, ValueError):
            if isinstance(fitted, DummyClassifier | DummyRegressor):
                return float("nan")
            raise

    def check(self, splits: dict[str, Split]) -> None:
        """Raise ValueError, before the folds take their time, where one of them cannot be judged."""
        y = self.task.sample.y
        for name, (train, test) in splits.items():
            if not len(train) or not len(test):
                raise bad.rows(f"{name} has no training or no test rows of positive weight; {_REMEDY}", "cv")
            if len(pd.unique(y[train])) < 2:
                one = "value of y" if self.task.numeric else "class"
                raise bad.rows(f"{name} has only one {one} in its training rows; {_REMEDY} of another one", "cv")
            if self.scorer is None and self.task.numeric and len(test) < 2:
                raise bad.rows(f"{name} has one test row, but R² needs two; {_REMEDY}", "cv")
        if self.scorer is not None:
            self._check_scorer(splits)

    def _check_scorer(self, splits: dict[str, Split]) -> None:
        """Score one feature on the first fold, and a guess on all of them."""
        names, (train, test) = list(splits), next(iter(splits.values()))
        first = np.flatnonzero(self.task.sample.table.take(train).varying())[:1]
        score, _ = self.judge_rows(self.fit_judge(train, first), first, test)
        guesses = [self.judge_rows(self.guess(train), first, test)[0] for train, test in splits.values()]
        known = np.isfinite(guesses)
        if not np.isfinite(score) or (known.any() and not known.all()):
            name = names[0 if not np.isfinite(score) else int(known.argmin())]
            raise bad.undefined(
                f"scoring gives no finite score on {name}; pass another scoring, or a cv with fewer folds"
            )


def default_judge(numeric: bool, rows: int, seed: int) -> Any:
    """Return the forest that judges on folds of so many rows."""
    trees = int(np.clip(_TREE_ROWS // rows, *_TREES))
    forest = RRFRegressor if numeric else RRFClassifier
    return forest(trees, coef_reg=None, max_samples=_BAG if rows > _BAG else None, random_state=seed)


# ---- which size is taken -------------------------------------------------------------------------


def best_size(tried: list[TriedSizes], sizes: list[int], rule: str) -> int:
    """Return the position of the size that the rule takes."""
    table = scores_to_compare(tried) if rule == "paired" else scores_of(tried)
    return choose_by_rule(table[:-1], sizes, -np.array(sizes, dtype=np.float64), rule, table[-1])


def beats_guess(tried: list[TriedSizes], numeric: bool = False) -> bool:
    """Whether some size does better than a guess from y: the best one, row by row or fold by fold, by Student's t.

    Class probabilities of a forest on one or two features can be worse than the shares of the classes, although its
    classes are right more often: then the shares of right rows decide, with the level divided by the number of sizes.
    """
    table = scores_to_compare(tried)
    more = table[table[:-1].mean(axis=1).argmax()] - table[-1]
    n = len(more)
    if np.isnan(more).any():  # `scoring` reads no guess
        return True
    if n < 2 or not more.std():
        return bool(more.mean() > 0)
    if more.mean() > t.isf(_LEVEL, n - 1) * more.std(ddof=1) / np.sqrt(n):
        return True
    if numeric or tried[0].gains is None:
        return False
    *right, guess = scores_of(tried).mean(axis=1).tolist()
    spread = np.sqrt((max(right) * (1 - max(right)) + guess * (1 - guess)) / n)
    return bool(max(right) - guess > norm.isf(_LEVEL / len(right)) * spread)


def scores_of(tried: list[TriedSizes]) -> Floats:
    """Return the score of each size, and of a guess, on each fold, float64, shape (k + 1, n_splits)."""
    return np.stack([one.scores for one in tried], axis=1)


def scores_to_compare(tried: list[TriedSizes]) -> Floats:
    """Return numbers to compare sizes by: gains of the rows of all folds if there are any, or scores of the folds.

    A row that several splits judge counts once, with the mean of its gains: they are no independent observations.
    """
    gains = [one.gains for one in tried if one.gains is not None]
    if not gains:
        return scores_of(tried)
    place, _ = pd.factorize(np.concatenate([one.rows for one in tried]))
    sums = [np.bincount(place, of_size) for of_size in np.concatenate(gains, axis=1)]
    return np.array(sums) / np.bincount(place)


def within(tried: list[TriedSizes], inner: list[list[Split]]) -> Iterator[list[TriedSizes]]:
    """Yield the scores on the folds within each fold."""
    start = 0
    for splits in inner:
        yield tried[start : start + len(splits)]
        start += len(splits)
