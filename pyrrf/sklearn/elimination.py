"""EliminationSelector: features dropped round by round, scored on rows that were not fitted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.model_selection import check_cv

from pyrrf._core.criteria import default_criterion
from pyrrf.checks import choice, count, flag, inner_share, verbosity
from pyrrf.data.alignment import check_rows
from pyrrf.data.predictors import check_varies
from pyrrf.data.response import holds_numbers
from pyrrf.fit.prices import resolve_costs, resolve_groups
from pyrrf.fit.progress import Progress
from pyrrf.selectors.credit import near_one
from pyrrf.selectors.elimination import POOLS, Elimination, EliminationRule, Units, eliminate, next_size
from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.rules import check_rule, choose_by_rule
from pyrrf.selectors.substitutes import rank_correlations
from pyrrf.sklearn.base import FeatureSelector, read_weights
from pyrrf.sklearn.forests import RRFClassifier, RRFRegressor
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import new_seed
from pyrrf.sklearn.sample import Sample, check_several, part, read_sample
from pyrrf.sklearn.stability import substitutes_table
from pyrrf.sklearn.trial import Split, checked_nested, has_splits, one_scorer, splits_of, splits_within
from pyrrf.sklearn.undo import undone_on_error
from pyrrf.types import Floats, PerFeature, PerLabel, Positions, RandomState, RowsLike, VectorLike

# For classes, and for regression (True).
_CRITERIA = (default_criterion(False), default_criterion(True))
# Trees of the default estimator.
_TREES = 200
_OF_FOLDS = (
    "cv_results_", "best_index_", "n_splits_", "estimator_", "nested_score_", "nested_std_", "nested_scores_",
    "nested_sizes_",
)  # fmt: skip
_SEEDS = 1 << 31


class EliminationSelector(FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """A small subset of a given size: features are dropped round by round by their credit on rows not fitted.

    A round grows an ordinary forest on the features that are left, and fits a ridge regression to them. A feature's
    credit is what its splits, and its slope, do for rows out of the bag, or left out. Both are weighted by how well
    forest and regression predict such rows, so that a feature counts whether it matters in a sum or in trees. The share
    of the features with the least credit is dropped, and the others are scored anew.

    Parameters
    ----------
    n_features : int, float or None, default None
        How many features are kept, or which share of them, above 0 and below 1. By default the size is chosen by
        cross-validation of the whole elimination.
    pool : int, default 100
        Of more features only so many enter the first round.
    pool_by : {"mdi", "grrf"}, default 'mdi'
        Which ones: the first by the decrease of impurity of 500 ordinary trees, or by how many of ten short regularized
        forests, guided by it, use them.
    drop : float, default 0.15
        The share that a round drops, above 0 and below 1; at least one feature.
    n_estimators : int, default 150
        Trees of a round.
    linear : bool, default True
        Whether the ridge regression has a say. In it a missing number is the mean of its column, and each category a
        column; features of more than 32 categories are left to the forest.
    criterion : {"gini", "variance"}, optional
        "variance" means regression, "gini" classification; by default the kind of `estimator` decides,
        or else y, by the rule of `GRRFSelector`.
    cv : int, splitter or iterable, default 5
        Folds for the choice of the size; not read if `n_features` is given.
    rule : "best", "1se" or float, default 'best'
        How much less than the best mean score is good enough for a smaller subset, as in `GRRFSelectorCV`.
    nested : bool, default False
        Whether to score the whole choice on rows that no part of it has seen, with a size given, too. Where 5 folds
        choose the size, it takes 5 times as long.
    scoring : str, callable or None, default None
        As in scikit-learn; by default the `estimator`'s own score.
    estimator : estimator, optional
        Judges the subsets on the folds; by default an ordinary forest of 200 trees.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
    feature_cost : array_like of shape (p,), dict or Series, optional
        What each feature costs, at least 1; its score is divided by it.
    feature_groups : array_like of shape (p,), dict or Series, optional
        A label for each feature; those with the same one are kept or dropped together, by the sum of their scores and
        at the cost of the dearest. Then every size, as `n_features` and `pool`, is a number of groups.
    n_jobs : int, optional
        Threads of the forests without folds, jobs of joblib with them; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None
    verbose : int, default 0
        Whether bars count folds and rounds.

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
        1 for the best feature or group, 2 for the next; one more than the pool for those that did not enter it.
    scores_ : DataFrame
        A row for each round and feature: ``round`` and ``n_features`` left in it; ``feature``, by name or position;
        ``forest`` and ``ridge``, its credits; ``score``, the sum of both with the round's weights.
    weights_ : DataFrame
        A row for each round: ``n_features`` and the weights of ``forest`` and ``ridge``.
    substitutes_ : DataFrame
        The dropped features that order the rows much as a kept one does, best first: ``feature`` and ``substitute``, by
        name or position; ``correlation``, Spearman's, of at least .7; ``replaces`` is NaN, since nothing was removed.
        At most 10 for each feature.
    cv_results_ : dict of ndarray
        Only if the size was chosen: ``n_features``, ``mean_test_score``, ``std_test_score`` and the scores of each
        fold, ``split0_test_score`` and so on.
    best_index_ : int
        Only if the size was chosen: its position.
    n_splits_ : int
        Only with folds: how many.
    estimator_ : estimator
        Only with folds: what judges the subsets, fitted to the features kept of all rows.
    nested_score_, nested_std_ : float
        Only with ``nested=True``: mean and standard deviation (divisor n_splits - 1) of ``nested_scores_``. The best of
        ``mean_test_score`` is too good, since the size was chosen by it.
    nested_scores_, nested_sizes_ : ndarray, shape (n_splits,)
        The score of each fold, at the size that folds of its training part choose; and these sizes.
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
        pool_by: str = "mdi",
        drop: float = 0.15,
        n_estimators: int = 150,
        linear: bool = True,
        criterion: str | None = None,
        cv: Any = 5,
        rule: str | float = "best",
        nested: bool = False,
        scoring: Any = None,
        estimator: Any = None,
        categorical_features: ArrayLike | None = "from_dtype",
        feature_cost: PerLabel | None = None,
        feature_groups: PerFeature | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_features = n_features
        self.pool = pool
        self.pool_by = pool_by
        self.drop = drop
        self.n_estimators = n_estimators
        self.linear = linear
        self.criterion = criterion
        self.cv = cv
        self.rule = rule
        self.nested = nested
        self.scoring = scoring
        self.estimator = estimator
        self.categorical_features = categorical_features
        self.feature_cost = feature_cost
        self.feature_groups = feature_groups
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @undone_on_error
    def fit(
        self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None, groups: VectorLike | None = None
    ) -> Self:
        """Find the path of subsets, and keep one of them.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            NaN is a missing number; a missing category is a category of its own. Of a sparse matrix the pool alone is
            made dense.
        y : array_like, shape (n,)
            Classes, or numbers; `criterion`.
        sample_weight : array_like of float, shape (n,), optional
            What each row counts in the forests, in the regression, and in the default `estimator`. Rows of weight 0
            are left out.
        groups : array_like, shape (n,), optional
            For a `cv` that splits by groups of rows, such as scikit-learn's ``GroupKFold``.

        Returns
        -------
        EliminationSelector

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented; the message names it.
        """
        numeric = self._holds_numbers(y)
        sample = read_sample(
            self, X, y, categorical=self.categorical_features, accept_sparse="csc", ensure_all_finite="allow-nan",
            ensure_min_samples=2, y_numeric=numeric,
        )  # fmt: skip
        weight = None if sample_weight is None else read_weights(sample_weight, sample)
        rows = np.arange(len(sample.y)) if weight is None else np.flatnonzero(weight)
        check_several(sample.y[rows], numeric)
        check_rows(groups, "groups", sample.index, "X")
        units = self._units(sample)
        most = _varying_units(sample, rows, units)
        task = _Task(sample, numeric, weight, units, self._rule(), new_seed(self.random_state), most)
        grouped = {} if groups is None else {"groups": groups}
        size = self._size(task)
        for name in _OF_FOLDS:
            self.__dict__.pop(name, None)  # those of an earlier fit
        shown, judge = verbosity(self.verbose), None
        if size is None or checked_nested(self.nested, self.cv):
            judge = self._judge(numeric, task.seed)
            size = self._on_folds(task, rows, judge, size, shown, grouped)
        found = task.eliminated(rows, self.n_jobs, shown)
        self._keep_path(found, units, size)
        self.substitutes_ = self._substitutes(sample.rows)
        if judge is not None:
            self.estimator_ = task.fitted(judge, self.estimator is None, rows, np.flatnonzero(self.support_))
        return self

    def support_at(self, k: int) -> np.ndarray:
        """Return the subset of a size.

        Parameters
        ----------
        k : int
            Features, or groups if there are any; from 1 to the size of the pool.

        Returns
        -------
        ndarray of bool, shape (p,)
        """
        self._get_support_mask()
        size = count(k, "k")
        if size > len(self._ends):
            raise ValueError(f"k must be at most {len(self._ends)}, the size of the pool, not {k}; raise pool")
        return np.isin(np.arange(self.n_features_in_), self.path_[: self._ends[size - 1]])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # ---- parameters -------------------------------------------------------------------------------

    def _holds_numbers(self, y: Any) -> bool:
        """Whether it is a regression."""
        judge, numeric = self.estimator, None
        if isinstance(judge, type) or not (judge is None or hasattr(judge, "fit")):
            raise TypeError(f"estimator must be a classifier or a regressor, not {judge!r}")
        if judge is not None and (is_classifier(judge) or is_regressor(judge)):
            numeric = bool(is_regressor(judge))
        if self.criterion is None:
            if numeric is not None:
                return numeric
            return holds_numbers(y, "pass criterion='variance' if they are numbers, 'gini' if they are classes")
        asked = choice(self.criterion, "criterion", _CRITERIA) == _CRITERIA[True]
        if numeric not in (None, asked):
            raise ValueError(f"criterion={self.criterion!r} and estimator {judge!r} do not go together; leave one out")
        return asked

    def _units(self, sample: Sample) -> Units:
        """Return what is kept or dropped as one."""
        columns = sample.table.columns
        groups, costs = resolve_groups(self.feature_groups, 1, columns), resolve_costs(self.feature_cost, 1, columns)
        return Units.made(len(columns), groups, costs)

    def _size(self, task: _Task) -> int | None:
        """Return how many of the units are asked for."""
        if self.n_features is None:
            return None
        units = len(task.units)
        if isinstance(self.n_features, float | np.floating) and not float(self.n_features).is_integer():
            size = max(1, int(inner_share(self.n_features, "n_features") * units))
        else:
            size = count(self.n_features, "n_features")
        most, named = count(self.pool, "pool"), "features" if self.feature_groups is None else "groups"
        if size > units:
            raise ValueError(f"n_features must be at most {units}, the number of {named}, not {size}")
        if size > most:
            raise ValueError(f"n_features must be at most {most}, the size of the pool, not {size}; raise pool")
        if size > task.most:
            raise ValueError(
                f"n_features must be at most {task.most}, the number of {named} that vary, not {size}; constant ones "
                "cannot be selected"
            )
        return size

    def _rule(self) -> EliminationRule:
        return EliminationRule(
            pool=count(self.pool, "pool"),
            pool_by=choice(self.pool_by, "pool_by", POOLS),
            drop=inner_share(self.drop, "drop"),
            n_trees=count(self.n_estimators, "n_estimators"),
            linear=flag(self.linear, "linear"),
        )

    # ---- the size ---------------------------------------------------------------------------------

    def _on_folds(
        self, task: _Task, rows: Positions, judge: Any, size: int | None, shown: bool, grouped: dict[str, Any]
    ) -> int:
        """Return the size that is asked for, or else the one that does best on folds of some rows; keep the scores."""
        scorer, y = one_scorer(judge, self.scoring), task.sample.y
        cv = check_cv(self.cv, y[rows], classifier=not task.numeric)
        if has_splits(self.cv):  # of all rows, also of those that count nothing
            every = np.arange(len(y))
            splits = [(every[one], every[other]) for one, other in splits_of(cv, task.sample.rows, y, {})]
            splits = [(one[np.isin(one, rows)], other[np.isin(other, rows)]) for one, other in splits]
        else:
            splits = splits_within(cv, task.sample.rows, y, rows, grouped)
        check_rule(self.rule, len(splits))
        sizes = [each for each in task.sizes() if each <= task.most] if size is None else [size]
        inner: list[list[Split]] = []
        if size is None and checked_nested(self.nested, self.cv):
            inner = [splits_within(cv, task.sample.rows, y, train, grouped) for train, _ in splits]
        common = (task, judge, self.estimator is None, scorer, sizes)
        pairs = [(split,) for split in chain(splits, *inner)]
        tried = share_out(_Task.tried, common, pairs, self.n_jobs, "fold" if shown else "")
        table = np.stack(tried[: len(splits)], axis=1)
        self.n_splits_ = len(splits)
        if size is None:
            self.best_index_ = self._best(table, sizes)
            self.cv_results_ = {
                "n_features": np.array(sizes),
                **{f"split{at}_test_score": scores for at, scores in enumerate(table.T)},
                "mean_test_score": table.mean(axis=1),
                "std_test_score": table.std(axis=1),
            }
        if inner or size is not None:
            self._keep_nested(table, tried[len(splits) :], inner, sizes)
        return size or sizes[self.best_index_]

    def _keep_nested(self, table: Floats, tried: list[Floats], inner: list[list[Split]], sizes: list[int]) -> None:
        """Keep the score of each fold at the size that folds of its training part choose."""
        taken = [] if inner else [0] * table.shape[1]
        for within in inner:
            taken.append(self._best(np.stack(tried[: len(within)], axis=1), sizes))
            tried = tried[len(within) :]
        self.nested_sizes_ = np.array(sizes)[taken]
        self.nested_scores_ = table[taken, np.arange(len(taken))]
        self.nested_score_ = float(self.nested_scores_.mean())
        self.nested_std_ = float(self.nested_scores_.std(ddof=1)) if len(taken) > 1 else 0.0

    def _best(self, table: Floats, sizes: list[int]) -> int:
        """Return the position of the size that the rule takes."""
        return choose_by_rule(table, sizes, -np.array(sizes, dtype=np.float64), self.rule)

    def _judge(self, numeric: bool, seed: int) -> Any:
        if self.estimator is None:
            forest = RRFRegressor if numeric else RRFClassifier
            return forest(_TREES, coef_reg=None, random_state=seed % _SEEDS)
        return self.estimator

    # ---- what was found ---------------------------------------------------------------------------

    def _keep_path(self, found: Elimination, units: Units, size: int) -> None:
        self.path_, self._ends = found.order, found.ends
        self._keep_positions(found.order[: found.ends[size - 1]].tolist(), self.n_features_in_)
        place = np.full(len(units), len(found.ends) + 1)
        place[units.of[found.order[found.ends - 1]]] = np.arange(1, len(found.ends) + 1)
        self.ranking_ = place[units.of]
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

    def credits_of_kept(self) -> pd.DataFrame:
        """Return what the features kept earned in the last round that scored all of them.

        Returns
        -------
        DataFrame
            The best first: ``feature``, by name or position; ``score``; ``forest`` and ``ridge``, what the two add to
            it: their credits by the round's weights.
        """
        self._get_support_mask()
        last = self.scores_[self.scores_["n_features"] >= self.n_features_]["round"].max()
        names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        table = self.scores_[(self.scores_["round"] == last) & self.scores_["feature"].isin(names[self.support_])]
        weights = self.weights_.iloc[int(last) - 1]
        parts = {name: weights[name] * table[name] for name in ("forest", "ridge")}
        found: pd.DataFrame = table[["feature", "score"]].assign(**parts).reset_index(drop=True)
        return found

    def _substitutes(self, rows: Any) -> pd.DataFrame:
        """Return the dropped features that could stand for kept ones."""
        kept = np.flatnonzero(self.support_)
        correlations = rank_correlations(rows, kept)
        labels = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        return substitutes_table(kept, correlations, np.zeros_like(correlations), labels).assign(replaces=np.nan)


def parts_of_score(selector: EliminationSelector) -> dict[str, Floats]:
    """Return the columns ``score``, ``forest`` and ``ridge`` of `credits_of_kept`, one number for each feature.

    Each float64, shape (p,), NaN for features that were dropped.
    """
    table, p = selector.credits_of_kept(), selector.n_features_in_
    names = getattr(selector, "feature_names_in_", np.arange(p))
    places, found = pd.Index(names).get_indexer(pd.Index(table["feature"])), {}
    for column in ("score", "forest", "ridge"):
        found[column] = np.full(p, np.nan)
        found[column][places] = table[column]
    return found


def _varying_units(sample: Sample, rows: Positions, units: Units) -> int:
    """Return how many units have a column that varies; raise ValueError if none has."""
    table = sample.table.take(rows)
    check_varies(table, "X")
    return len(np.unique(units.of[table.varying()]))


@dataclass(frozen=True, eq=False)
class _Task:
    """What is asked for, as workers get it."""

    sample: Sample
    numeric: bool
    weight: Floats | None
    units: Units
    rule: EliminationRule
    seed: int
    most: int  # of so many units the columns vary

    def sizes(self) -> list[int]:
        """Return the sizes that the rounds have, the largest first."""
        sizes = [min(self.rule.pool, len(self.units))]
        while sizes[-1] > 1:
            sizes.append(next_size(sizes[-1], self.rule.drop))
        return sizes

    def eliminated(self, rows: Positions, n_jobs: int | None, shown: bool = False) -> Elimination:
        """Return the path by some rows of positive weight."""
        weight = None if self.weight is None else self.weight[rows] / self.weight[rows].mean()
        sizes = self.sizes()
        progress = Progress(len(sizes), delay=0.0, unit="round", name="elimination") if shown else None
        try:
            return eliminate(
                self.data(rows), self.rule, weight=weight, units=self.units, seed=self.seed, n_jobs=n_jobs,
                watch=lambda size: progress(sizes.index(size)) if progress else None,
            )  # fmt: skip
        finally:
            if progress:
                progress.close()

    def data(self, rows: Positions) -> TreeData:
        """Return what trees are grown on: classes from 0, or numbers of variance 1."""
        y, sample = self.sample.y[rows], self.sample
        if self.numeric:
            centred = near_one(y.astype(np.float64) - np.mean(y, dtype=np.float64))
            spread = float(np.sqrt(np.mean(centred**2)))
            response: np.ndarray = centred / (spread if spread > 0 else 1.0)
            nclass = 1
        else:
            codes, classes = pd.factorize(y, sort=True)
            response, nclass = codes.astype(np.int32), len(classes)
        return TreeData(values=sample.table.take(rows).values, ncat=sample.ncat, response=response, nclass=nclass)

    def fitted(self, judge: Any, weighted: bool, rows: Positions, columns: Positions) -> Any:
        """Return the judge, fitted to some features of some rows; `weighted`: whether it takes weights."""
        given = {"sample_weight": self.weight[rows]} if weighted and self.weight is not None else {}
        return clone(judge).fit(part(self.sample.rows, rows, columns), self.sample.y[rows], **given)

    def tried(self, judge: Any, weighted: bool, scorer: Any, sizes: list[int], split: Split) -> Floats:
        """Return the score of each size on one fold."""
        train, test = split
        if not self.numeric and len(pd.unique(self.sample.y[train])) < 2:
            raise ValueError("a fold of cv has one class only to learn from; pass fewer folds")
        found, scores = self.eliminated(train, 1), []
        for size in sizes:
            columns = found.order[: found.ends[min(size, len(found.ends)) - 1]]
            fitted = self.fitted(judge, weighted, train, columns)
            scores.append(float(scorer(fitted, part(self.sample.rows, test, columns), self.sample.y[test])))
        return np.array(scores)
