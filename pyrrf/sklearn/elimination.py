"""EliminationSelector: features dropped round by round, scored on rows that were not fitted."""

from __future__ import annotations

from itertools import chain
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv

from pyrrf.checks import count, flag, inner_share
from pyrrf.data.response import holds_numbers
from pyrrf.selectors.elimination import Elimination, eliminate, next_size
from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.rules import choose_by_rule
from pyrrf.sklearn.base import FeatureSelector
from pyrrf.sklearn.forests import RRFClassifier, RRFRegressor
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import keep_parameters, new_seed
from pyrrf.sklearn.sample import Sample, check_several, part, read_sample
from pyrrf.sklearn.trial import Split, checked_nested, splits_within
from pyrrf.sklearn.undo import undone_on_error
from pyrrf.types import Floats, Positions, RandomState, RowsLike, VectorLike

# Trees of the default estimator.
_TREES = 200
_SEEDS = 1 << 31


class EliminationSelector(FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """The best small subset: features are dropped round by round by their credit on rows that were not fitted.

    A round grows an ordinary forest on the features that are left, and fits a ridge regression to them. A feature's
    credit is what its splits, and its slope, do for rows out of the bag, or left out. Both are weighted by how well
    forest and regression predict such rows, so that a feature counts whether it tells by a sum or by trees. The share
    of the features with the least credit is dropped, and the others are scored anew.

    Parameters
    ----------
    n_features : int, float or None, default None
        How many features are kept, or which share of them, above 0 and below 1. By default the size is chosen by
        cross-validation of the whole elimination.
    pool : int, default 100
        Of more features the first `pool` by the decrease of impurity of 500 ordinary trees enter the first round.
    drop : float, default 0.15
        The share that a round drops, above 0 and below 1; at least one feature.
    n_estimators : int, default 150
        Trees of a round.
    linear : bool, default True
        Whether the ridge regression has a say. In it a missing number is the mean of its column, and each category a
        column.
    cv : int, splitter or iterable, default 5
        Folds for the choice of the size; not read if `n_features` is given.
    rule : "best", "1se" or float, default 'best'
        How much less than the best mean score is good enough for a smaller subset, as in `GRRFSelectorCV`.
    nested : bool, default False
        Whether to score the whole choice on rows that no part of it has seen; with 5 folds it takes 5 times as long.
    scoring : str, callable or None, default None
        As in scikit-learn; by default the `estimator`'s own score.
    estimator : estimator, optional
        Judges the subsets on the folds; by default an ordinary forest of 200 trees.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
    n_jobs : int, optional
        Threads of the forests without folds, jobs of joblib with them; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        The features kept.
    selected_ : ndarray of int64, shape (k,)
        Their positions, the best first.
    n_features_ : int
        Their number.
    path_ : ndarray of int64, shape (min(p, pool),)
        Positions of the features of the pool; the first k are the subset of size k.
    ranking_ : ndarray of int64, shape (p,)
        1 for the best feature, 2 for the next; one more than the pool for those that did not enter it.
    scores_ : DataFrame
        A row for each round and feature: ``round`` and ``n_features`` left in it; ``feature``, by name or position;
        ``forest`` and ``ridge``, its credits; ``score``, the sum of both with the round's weights.
    weights_ : DataFrame
        A row for each round: ``n_features`` and the weights of ``forest`` and ``ridge``.
    cv_results_ : dict of ndarray
        Only if the size was chosen: ``n_features``, ``mean_test_score``, ``std_test_score`` and the scores of each
        fold, ``split0_test_score`` and so on.
    nested_score_ : float
        Only with ``nested=True``: the mean score of the folds, each at the size that folds of its training part choose.
        The best of ``mean_test_score`` is too good, since the size was chosen by it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    Notes
    -----
    No paper has the whole. Credit out of the bag: X. Li, Y. Wang, S. Basu, K. Kumbier and B. Yu, A debiased MDI feature
    importance measure for random forests, 2019. Nothing is regularized here: what is left is fitted anew in each round.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import EliminationSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = EliminationSelector(3, random_state=1).fit(X, y)
    >>> sorted(selector.get_feature_names_out())
    ['color_intensity', 'flavanoids', 'proline']
    >>> int(selector.support_at(2).sum())
    2
    """

    def __init__(
        self,
        n_features: int | float | None = None,
        *,
        pool: int = 100,
        drop: float = 0.15,
        n_estimators: int = 150,
        linear: bool = True,
        cv: Any = 5,
        rule: str | float = "best",
        nested: bool = False,
        scoring: Any = None,
        estimator: Any = None,
        categorical_features: ArrayLike | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        keep_parameters(self, locals())

    @undone_on_error
    def fit(self, X: RowsLike, y: VectorLike) -> Self:
        """Find the path of subsets, and keep one of them.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            NaN is a missing number; a missing category is a category of its own.
        y : array_like, shape (n,)
            Classes, or numbers, by the rule of `GRRFSelector`.

        Returns
        -------
        EliminationSelector

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented; the message names it.
        """
        numeric = holds_numbers(y, "pass y as strings if they are classes")
        sample = read_sample(
            self, X, y, categorical=self.categorical_features, ensure_all_finite="allow-nan", ensure_min_samples=2,
            y_numeric=numeric,
        )  # fmt: skip
        if not numeric:
            check_several(sample.y)
        size, options = self._size(), self._options()
        for name in ("cv_results_", "nested_score_"):
            self.__dict__.pop(name, None)  # those of an earlier fit
        seed = new_seed(self.random_state)
        if size is None:
            size = self._chosen(sample, numeric, options, seed)
        found = eliminate(_data(sample, numeric), seed=seed, n_jobs=self.n_jobs, **options)
        self._keep_path(found, min(size, len(found.order)))
        return self

    def support_at(self, k: int) -> np.ndarray:
        """Return the subset of a size.

        Parameters
        ----------
        k : int
            From 1 to the size of the pool.

        Returns
        -------
        ndarray of bool, shape (p,)
        """
        self._get_support_mask()
        size = count(k, "k")
        if size > len(self.path_):
            raise ValueError(f"k must be at most {len(self.path_)}, the features of the pool, not {k}; raise pool")
        return np.isin(np.arange(self.n_features_in_), self.path_[:size])

    # ---- parameters -------------------------------------------------------------------------------

    def _size(self) -> int | None:
        """Return how many features are asked for."""
        if self.n_features is None:
            return None
        if isinstance(self.n_features, float | np.floating) and not float(self.n_features).is_integer():
            return max(1, int(inner_share(self.n_features, "n_features") * self.n_features_in_))
        size = count(self.n_features, "n_features")
        most = min(count(self.pool, "pool"), self.n_features_in_)
        if size > most:
            raise ValueError(f"n_features must be at most {most}, the features of the pool, not {size}; raise pool")
        return size

    def _options(self) -> dict[str, Any]:
        return {
            "pool": count(self.pool, "pool"),
            "drop": inner_share(self.drop, "drop"),
            "n_trees": count(self.n_estimators, "n_estimators"),
            "linear": flag(self.linear, "linear"),
        }

    # ---- the size ---------------------------------------------------------------------------------

    def _chosen(self, sample: Sample, numeric: bool, options: dict[str, Any], seed: int) -> int:
        """Return the size that does best on the folds."""
        judge = self._judge(numeric, seed)
        scorer = check_scoring(judge, scoring=self.scoring)
        cv = check_cv(self.cv, sample.y, classifier=not numeric)
        splits = list(cv.split(sample.rows, sample.y))
        nested = checked_nested(self.nested, self.cv)
        inner = [splits_within(cv, sample.rows, sample.y, train, {}) for train, _ in splits] if nested else []
        sizes = _sizes(min(options["pool"], self.n_features_in_), options["drop"])
        common = (sample, numeric, options, seed, sizes, judge, scorer)
        tried = share_out(_tried, common, [(split,) for split in chain(splits, *inner)], self.n_jobs)
        table = np.stack(tried[: len(splits)], axis=1)
        best = self._best(table, sizes)
        self.cv_results_ = {
            "n_features": np.array(sizes),
            **{f"split{at}_test_score": scores for at, scores in enumerate(table.T)},
            "mean_test_score": table.mean(axis=1),
            "std_test_score": table.std(axis=1),
        }
        tried = tried[len(splits) :]
        scores = []
        for fold, within in enumerate(inner):
            scores.append(table[self._best(np.stack(tried[: len(within)], axis=1), sizes), fold])
            tried = tried[len(within) :]
        if scores:
            self.nested_score_ = float(np.mean(scores))
        return sizes[best]

    def _best(self, table: Floats, sizes: list[int]) -> int:
        """Return the position of the size that the rule takes."""
        return choose_by_rule(table, sizes, -np.array(sizes, dtype=np.float64), self.rule)

    def _judge(self, numeric: bool, seed: int) -> Any:
        if self.estimator is None:
            forest = RRFRegressor if numeric else RRFClassifier
            return forest(_TREES, coef_reg=None, random_state=seed % _SEEDS)
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise TypeError(f"estimator must be a classifier or a regressor, not {self.estimator!r}")
        return self.estimator

    # ---- what was found ---------------------------------------------------------------------------

    def _keep_path(self, found: Elimination, size: int) -> None:
        self.path_ = found.order
        self._keep_positions(found.order[:size].tolist(), self.n_features_in_)
        self.ranking_ = np.full(self.n_features_in_, len(found.order) + 1)
        self.ranking_[found.order] = np.arange(1, len(found.order) + 1)
        names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        rounds = [
            pd.DataFrame(
                {
                    "round": number,
                    "n_features": len(one.features),
                    "feature": names[one.features],
                    "forest": one.forest,
                    "ridge": one.ridge,
                    "score": one.scores,
                }
            )
            for number, one in enumerate(found.rounds, start=1)
        ]
        self.scores_ = pd.concat(rounds, ignore_index=True)
        weights = [(len(one.features), *one.weights) for one in found.rounds]
        self.weights_ = pd.DataFrame(weights, columns=["n_features", "forest", "ridge"])


def _data(sample: Sample, numeric: bool, rows: Positions | None = None) -> TreeData:
    """Return what trees are grown on: classes from 0, or numbers of variance 1."""
    chosen = np.arange(len(sample.y)) if rows is None else rows
    y = sample.y[chosen]
    if numeric:
        spread = float(np.std(y.astype(np.float64)))
        response: np.ndarray = (y - np.mean(y)) / (spread if spread > 0 else 1.0)
        nclass = 1
    else:
        codes, classes = pd.factorize(y, sort=True)
        response, nclass = codes.astype(np.int32), len(classes)
    values = np.asfortranarray(sample.values[chosen])
    return TreeData(values=values, ncat=sample.ncat, response=response, nclass=nclass)


def _sizes(p: int, drop: float) -> list[int]:
    """Return the sizes that the rounds have, the largest first."""
    sizes = [p]
    while sizes[-1] > 1:
        sizes.append(next_size(sizes[-1], drop))
    return sizes


def _tried(
    sample: Sample, numeric: bool, options: dict[str, Any], seed: int, sizes: list[int], judge: Any, scorer: Any,
    split: Split,
) -> Floats:  # fmt: skip
    """Return the score of each size on one fold."""
    train, test = split
    data = _data(sample, numeric, train)
    if data.nclass == 1 and not numeric:
        raise ValueError("a fold of cv has one class only to learn from; pass fewer folds")
    path = eliminate(data, seed=seed, n_jobs=1, **options).order
    scores = []
    for size in sizes:
        columns = path[:size]
        fitted = clone(judge).fit(part(sample.rows, train, columns), sample.y[train])
        scores.append(float(scorer(fitted, part(sample.rows, test, columns), sample.y[test])))
    return np.array(scores)
