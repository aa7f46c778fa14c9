"""EliminationSelector: features dropped round by round, scored on rows that were not fitted."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone

from pyrrf.checks import check_scale, count, inner_share, quote, verbosity, warn
from pyrrf.data.alignment import check_rows, column_positions
from pyrrf.data.identifiers import already_warned
from pyrrf.data.predictors import check_varies
from pyrrf.errors import bad
from pyrrf.fit.feature_costs import resolve_costs, resolve_groups
from pyrrf.selectors.elimination import Elimination, EliminationRule
from pyrrf.selectors.substitutes import rank_correlations, substitutes_table
from pyrrf.selectors.units import Units
from pyrrf.sklearn.base import FeatureSelector, near_weights, read_weights
from pyrrf.sklearn.fold_scoring import Split, check_groups, checked_nested, has_splits, one_scorer, splits_within
from pyrrf.sklearn.forests import RRFClassifier, RRFRegressor
from pyrrf.sklearn.parameters import is_regression, new_seed, predicts_numbers
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.sklearn.sample import check_several, part, read_sample
from pyrrf.sklearn.selection_report import tables_of, warn_of_doubtful_features
from pyrrf.sklearn.sizes import (
    SEEDS,
    EliminationJob,
    SizeTrial,
    TriedSizes,
    beats_guess,
    best_size,
    default_judge,
    folds_of,
    named_splits,
    scores_of,
    splitter_of,
    within,
)
from pyrrf.types import Labels, PerFeature, PerLabel, Positions, RandomState, RowsLike, VectorLike

# Maximum number of rows in a round; of more, rounds use different ones in turn, stratified by class.
_MOST_ROWS = 4000
# Number of features in the first round, if there are more.
_POOL = 100
# Rules for the choice of the size, as `n_features`.
_RULES = ("best", "1se")
# Trees of the default judge, once it is fitted to all rows.
_TREES = 200
_OF_FOLDS = (
    "cv_results_", "best_index_", "n_splits_", "judge_", "nested_score_", "nested_std_", "nested_scores_",
    "nested_sizes_", "guess_scores_", "all_scores_", "better_than_guess_",
)  # fmt: skip


class EliminationSelector(FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """Backward elimination: drops, round by round, the features that help least to predict rows that were not fitted.

    Each round fits an ordinary random forest and a ridge regression to the remaining features. Both give a credit to
    each feature: how much its splits improve the prediction of out-of-bag rows, and how much worse the regression
    predicts held-out rows without it, less what the best of as many noise features would reach by chance. The credit of
    the feature is their weighted sum. In classification rare classes count more than their rows: each by the square
    root of its weight. The credit of a categorical feature in the forest is lowered, the more the more categories it
    has, since it varies more by chance. Once at most 20 features are left, the credit in the forest is the loss of a
    forest grown without the feature, unless a loss of 0 would not make it one of the last; correlated features, which
    can replace each other, get little credit each. The weights say how well forest and regression predict held-out
    rows, so that linear effects count as well as interactions. Those with the lowest credits, a share of the features
    or a number of them, are dropped one by one, and the others get new credits.

    Parameters
    ----------
    n_features : int, float, "best", "1se" or None, default None
        Number of features to select; a float is a fraction of them, above 0 and at most 1.0. Otherwise it is chosen by
        cross-validation of the entire elimination: the fewest features whose mean score is close enough to the best
        one, and of these, features with a negative credit are dropped, too. None: within one standard error of the
        difference from the best, but at least .01 and at most .02 of the gain of the best over a baseline without
        features; differences of squared errors (Brier scores for classes) are taken row by row, and with `scoring` or
        `judge` of scores fold by fold. "1se": within one standard error of the best. "best": the best itself.
    step : int or float, default 0.3
        Number of features to drop in each round, or, below 1, fraction of the remaining ones, at least one feature.
    n_estimators : int, default 100
        Number of trees in each round.
    task : {"auto", "classification", "regression"}, default 'auto'
        What y means; "auto" lets the kind of `judge` decide, or else y, as the page *Input* says.
    initial_features : array_like of int, str or bool, optional
        Features that are always selected, by position, name or mask. They count towards `n_features`, and with
        `feature_groups` their whole groups are selected.
    feature_cost : array_like of shape (p,), dict or Series, optional
        Cost of each feature, at least 1; its credit is divided by it.
    feature_groups : array_like of shape (p,), dict or Series, optional
        A label for each feature; features with the same label are selected or dropped together, by the sum of their
        credits and the largest of their costs. All sizes, such as `n_features` and `step`, then count groups.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Categorical columns, as in `RRFClassifier`.
    cv : int, splitter or iterable, default 5
        Folds for the choice of the size and for `nested`; this, `scoring` and `judge` are checked, but have no effect
        with a given size and ``nested=False``. An int means shuffled folds (stratified for classes), by `random_state`.
    nested : bool, default False
        Whether to estimate the score of the entire selection by nested cross-validation (plain cross-validation if the
        size is given). With 5 folds that choose the size, it takes 5 times as long.
    scoring : str, callable or None, default None
        As in scikit-learn; by default the `judge`'s own score.
    judge : estimator, optional
        Evaluates the subsets on the folds. It does not rank features, in contrast to the estimator of scikit-learn's
        ``RFE``. By default an ordinary forest of 100 trees (with more than 500 rows, of 50,000 / rows, but at least
        50), each grown on at most 5,000 rows.
    n_jobs : int, optional
        Threads of the forests without folds, jobs of joblib with folds; results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed of the forests, the folds and the order of equal credits.
    verbose : int, default 0
        Whether to show progress bars over folds and rounds.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        Mask of the selected features.
    selected_ : ndarray of int64, shape (k,)
        Positions of the selected features, the best first.
    n_features_ : int
        Number of selected features.
    path_ : ndarray of int64, shape (m,)
        Positions of the features of the first round, the best first; the first k are the subset of size k. Of more than
        100 features (or `n_features`, if more) these are the best by the decrease of impurity in 500 ordinary trees.
    ranking_ : ndarray of int64, shape (p,)
        1 for the selected features, 2 for the one (or group) that was dropped last, and so on; the largest number for
        those that did not enter the first round. The order of the selected ones is in ``selected_``.
    credits_ : DataFrame
        A row for each round and feature: ``round`` and ``n_features`` left in it; ``feature``, by name or position;
        ``forest``, its credit in the forests, the mean of this round and the round before; with at most 20 features,
        where a forest was grown without it, its loss, shrunk towards that credit, uncertain losses more than others;
        ``ridge``, its credit in the regression when it was dropped, or at the end of the round; ``credit``, the sum of
        both with the round's weights (`credits_of_kept` has ``forest`` and ``ridge`` times these weights).
    weights_ : DataFrame
        A row for each round: ``n_features`` and the weights of ``forest`` and ``ridge``.
    substitutes_ : DataFrame
        Features that could replace a selected one, by rank correlation, the best first: ``feature`` and ``substitute``,
        by name or position; ``correlation``, Spearman's, of at least .7 (absolute); ``replaces`` is NaN here; only
        `StabilitySelector` sets it. At most 10 for each feature.
    cv_results_ : dict of ndarray
        Only if the size was chosen: ``n_features``, ``mean_test_score``, ``std_test_score`` and the scores of each
        fold, ``split0_test_score`` and so on.
    best_index_ : int
        Only if the size was chosen: its position; ``n_features_`` is less if features of negative credit were dropped.
    n_splits_ : int
        Only with folds: their number.
    guess_scores_, all_scores_ : ndarray of float64, shape (n_splits,)
        Only with folds: the score on each fold of a baseline without features (the most frequent class, or the mean;
        NaN where `scoring` cannot score it), and with all features of the first round.
    better_than_guess_ : bool
        Only with folds: whether the best size is significantly better than that baseline, at level .01: by a one-sided
        t test of squared errors (Brier scores), row by row, or for classes by the share of right rows; with `scoring`
        or `judge` by a t test of scores fold by fold. If not, a warning says so; the features are selected anyway.
    judge_ : estimator
        Only with folds: `judge`, fitted to the selected features on all rows.
    nested_score_, nested_std_ : float
        Only with ``nested=True``: mean and standard deviation (ddof=1) of ``nested_scores_``. The best of
        ``mean_test_score`` is optimistic, since the size was chosen by it.
    nested_scores_, nested_sizes_ : ndarray, shape (n_splits,)
        Score on each fold, at the size chosen by cross-validation on its training part; and these sizes. On the folds
        no features are dropped for a negative credit.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    See Also
    --------
    GRRFSelectorCV : The features of a guided forest.
    StabilitySelector : The features that a selector keeps on many halves of the rows.
    PathDisplay : The error by the number of features.
    pyrrf.report : A page about the choice.

    Notes
    -----
    No paper has the whole method. Out-of-bag credit:
    X. Li, Y. Wang, S. Basu, K. Kumbier and B. Yu, A debiased MDI feature
    importance measure for random forests, 2019. Rounds are not regularized: each fits the remaining features anew.

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
        n_features: int | float | str | None = None,
        *,
        step: int | float = 0.3,
        n_estimators: int = 100,
        task: str = "auto",
        initial_features: ArrayLike | None = None,
        feature_cost: PerLabel | None = None,
        feature_groups: PerFeature | None = None,
        categorical_features: ArrayLike | None = "from_dtype",
        cv: Any = 5,
        nested: bool = False,
        scoring: Any = None,
        judge: Any = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_features = n_features
        self.step = step
        self.n_estimators = n_estimators
        self.task = task
        self.initial_features = initial_features
        self.feature_cost = feature_cost
        self.feature_groups = feature_groups
        self.categorical_features = categorical_features
        self.cv = cv
        self.nested = nested
        self.scoring = scoring
        self.judge = judge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @rollback_on_error
    def fit(
        self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None, groups: VectorLike | None = None
    ) -> Self:
        """Eliminate features, and select a subset.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            NaN is a missing number; a missing category is a category of its own. Of a sparse matrix only the features
            of the first round are made dense.
        y : array_like, shape (n,)
            Classes, or numbers; see `task`. The largest absolute value of numbers is between 1e-100 and 1e100.
        sample_weight : array_like of float, shape (n,), optional
            Weight of each row in the forests, in the regression, and in the default `judge`. Rows of weight 0 are left
            out. For classes that count alike pass ``compute_sample_weight("balanced", y)`` of scikit-learn; without it
            each counts by the square root of its rows, in the default `judge` by its rows.
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
        weight = None if sample_weight is None else near_weights(read_weights(sample_weight, sample))
        rows = np.arange(len(sample.y)) if weight is None else np.flatnonzero(weight)
        check_several(sample.y[rows], numeric)
        if numeric:
            check_scale(sample.y[rows].astype(np.float64))
        check_rows(groups, "groups", sample.index, "X")
        check_groups(groups, sample.y)
        used = sample.table.take(rows)
        check_varies(used, "X")
        varies = used.varying()
        units = self._units(sample.table.columns, varies)
        most = len(np.unique(units.of[varies]))
        size, shown = self._size(units, most), verbosity(self.verbose)
        rule, seed = self._rule(units, size), new_seed(self.random_state)
        task = EliminationJob(sample, numeric, weight, units, rule, seed, most)
        # Arguments of the folds are checked, whether folds are used or not.
        trial, cv = self._trial(task, size), splitter_of(self.cv, task, rows)
        nested = checked_nested(self.nested, self.cv)
        on_folds, fixed = size is None or nested, has_splits(self.cv)
        grouped = {} if groups is None else {"groups": groups}
        splits = folds_of(cv, task, rows, grouped, fixed) if on_folds or fixed else []
        for name in _OF_FOLDS:
            self.__dict__.pop(name, None)  # set by an earlier fit
        if size is None or on_folds:
            parts = [train for train, _ in splits] if nested and size is None else []
            inner = [splits_within(cv, sample.rows, sample.y, train, grouped) for train in parts]
            size = self._on_folds(trial, splits, inner, size, shown)
        path = task.eliminate(rows, self.n_jobs, shown)
        largest = path.largest_useful_size(units, size)
        self._keep_path(path, units, largest if hasattr(self, "cv_results_") else size)
        self.substitutes_ = self._substitutes(sample.rows)
        if on_folds:
            self.judge_ = self._fit_judge(trial, rows)
        warn_of_doubtful_features(self, units, largest)
        return self

    def support_at(self, k: int) -> np.ndarray:
        """Return the mask of the subset of k features.

        Parameters
        ----------
        k : int
            Number of features (of groups, with `feature_groups`), from 1 to the number of those in the first round.

        Returns
        -------
        ndarray of bool, shape (p,)
        """
        self._get_support_mask()
        size = count(k, "k")
        if size > len(self._ends):
            raise bad.range(f"k must be at most {len(self._ends)}, the size of the largest subset, not {k}")
        return np.isin(np.arange(self.n_features_in_), self.path_[: self._ends[size - 1]])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # ---- parameters -------------------------------------------------------------------------------

    def _holds_numbers(self, y: Any) -> bool:
        """Return whether y is numeric (regression)."""
        return is_regression(y, self.task, judge=(self.judge, predicts_numbers(self.judge, "judge")))

    def _units(self, columns: Labels, varies: np.ndarray) -> Units:
        """Return the units of features; warn of constant columns among `initial_features`."""
        groups, costs = resolve_groups(self.feature_groups, 1, columns), resolve_costs(self.feature_cost, 1, columns)
        always = column_positions(
            columns, [] if self.initial_features is None else self.initial_features, "initial_features"
        )
        constant = [index for index in always if not varies[index]]
        if constant:
            warn(
                "initial_features contains column(s) that are constant in these rows, and not selected: "
                f"{quote(columns[constant].tolist())}"
            )
        return Units.from_groups(len(columns), groups, costs, [index for index in always if varies[index]])

    def _size(self, every: Units, most: int) -> int | None:
        """Return the number of units that `n_features` asks for, None to choose it; `most`: of units that vary."""
        if isinstance(self.n_features, str) and self.n_features not in _RULES:
            words = ", ".join(map(repr, _RULES))
            raise bad.choice(f"n_features must be a number, {words} or None, not {self.n_features!r}")
        if self.n_features is None or isinstance(self.n_features, str):
            return None
        units = len(every)
        if isinstance(self.n_features, float | np.floating):
            if not 0 < self.n_features <= 1:
                raise bad.range(
                    "n_features must be an int, or a float above 0 and at most 1.0 (a fraction of the features), not "
                    f"{self.n_features!r}"
                )
            size = max(1, int(self.n_features * units))
        else:
            size = count(self.n_features, "n_features")
        named = "features" if self.feature_groups is None else "groups"
        if size < (least := every.never_dropped.sum()):
            raise bad.range(f"n_features must be at least {least}, the {named} of initial_features, not {size}")
        if size > units:
            raise bad.range(f"n_features must be at most {units}, the number of {named}, not {size}")
        if size > most:
            warn(f"n_features={self.n_features}, but only {most} {named} vary in these rows; these are selected")
        return min(size, most)

    def _rule(self, units: Units, size: int | None) -> EliminationRule:
        whole = isinstance(self.step, int | np.integer) and not isinstance(self.step, bool)
        if isinstance(self.step, float | np.floating) and not 0 < self.step < 1:
            raise bad.range(
                "step must be an int, or a float above 0 and below 1 (a fraction of the remaining features), not "
                f"{self.step!r}"
            )
        return EliminationRule(
            pool=max(_POOL, size or 0, int(units.never_dropped.sum())),
            step=count(self.step, "step") if whole else inner_share(self.step, "step"),
            n_trees=count(self.n_estimators, "n_estimators"),
            max_samples=_MOST_ROWS,
        )

    # ---- the size ---------------------------------------------------------------------------------

    def _trial(self, task: EliminationJob, size: int | None) -> SizeTrial:
        """Return the trial of sizes on folds; a requested size is the second one, after that of the first round."""
        judge = default_judge(task.numeric, 2, 0) if self.judge is None else self.judge
        scorer = one_scorer(judge, self.scoring)
        sizes = task.sizes_to_judge() if size is None else list(dict.fromkeys([task.sizes_to_judge()[0], size]))
        return SizeTrial(
            task=task, judge=self.judge, sizes=sizes,
            scorer=None if self.judge is None and self.scoring is None else scorer,
        )  # fmt: skip

    def _on_folds(
        self, trial: SizeTrial, splits: list[Split], inner: list[list[Split]], size: int | None, shown: bool
    ) -> int:
        """Return the requested size, or else the size that the rule chooses; keep the scores.

        `inner` has the splits of each training part, if the nested folds choose sizes, too.
        """
        rule = self.n_features if isinstance(self.n_features, str) else "paired"
        by_rows = rule == "paired" and not trial.scorer
        judged = len(np.unique(np.concatenate([test for _, test in splits]))) if by_rows else len(splits)
        if size is None and rule != "best" and judged < 2:
            raise bad.rows(f"cv must have at least two folds to compare sizes, not {judged}; or pass n_features='best'")
        every = named_splits(splits, inner)
        trial.check(every)
        tried = trial.on(every, self.n_jobs, "fold" if shown else "")
        outer, self.n_splits_ = tried[: len(splits)], len(splits)
        self._keep_scores(outer, trial, rule if size is None else "")
        if inner or size is not None:
            taken = [best_size(one, trial.sizes, rule) for one in within(tried[len(splits) :], inner)]
            self._keep_nested(outer, taken or [trial.sizes.index(size or 0)] * len(outer), trial.sizes)
        return size or trial.sizes[self.best_index_]

    def _keep_scores(self, tried: list[TriedSizes], trial: SizeTrial, rule: str) -> None:
        """Keep the scores of the sizes, of all features and of a guess on each fold; choose by a rule, if any."""
        table = scores_of(tried)
        self.all_scores_, self.guess_scores_ = table[0], table[-1]
        self.better_than_guess_ = beats_guess(tried, trial.task.numeric)
        if rule:
            table = table[:-1]
            self.best_index_ = best_size(tried, trial.sizes, rule)
            self.cv_results_ = {
                "n_features": np.array(trial.sizes),
                **{f"split{fold}_test_score": scores for fold, scores in enumerate(table.T)},
                "mean_test_score": table.mean(axis=1),
                "std_test_score": table.std(axis=1),
            }

    def _keep_nested(self, tried: list[TriedSizes], taken: list[int], sizes: list[int]) -> None:
        """Keep the score of each fold at the requested size, or at the size chosen on its training part."""
        self.nested_sizes_ = np.array(sizes)[taken]
        self.nested_scores_ = np.array([one.scores[size] for one, size in zip(tried, taken, strict=True)])
        self.nested_score_ = float(self.nested_scores_.mean())
        self.nested_std_ = float(self.nested_scores_.std(ddof=1)) if len(taken) > 1 else 0.0

    @already_warned()
    def _fit_judge(self, trial: SizeTrial, rows: Positions) -> Any:
        """Fit the judge to the selected features on all rows and return it; the default judge has more trees."""
        sample, judge = trial.task.sample, self.judge
        if judge is None:
            forest = RRFRegressor if trial.task.numeric else RRFClassifier
            judge = forest(_TREES, coef_reg=None, random_state=trial.task.seed % SEEDS)
        kept = part(sample.rows, rows, np.flatnonzero(self.support_))
        return clone(judge).fit(kept, sample.y[rows], **trial.weights(rows))

    # ---- results ----------------------------------------------------------------------------------

    def _keep_path(self, found: Elimination, units: Units, size: int) -> None:
        self.path_, self._ends = found.order, found.ends
        self._keep_positions(found.order[: found.ends[size - 1]].tolist(), self.n_features_in_)
        place = np.full(len(units), len(found.ends) + 1)
        place[units.of[found.order[found.ends - 1]]] = np.arange(1, len(found.ends) + 1)
        self.ranking_ = np.maximum(place[units.of] - size + 1, 1)
        names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        self.credits_, self.weights_ = tables_of(found, names)

    def _count_units(self) -> int:
        """Return the number of selected features, or of selected groups with `feature_groups`."""
        return int(np.searchsorted(self._ends, self.n_features_)) + 1

    def credits_of_kept(self) -> pd.DataFrame:
        """Return the credits of the selected features in the last round that had all of them.

        Returns
        -------
        DataFrame
            The best first: ``feature``, by name or position; ``credit``; ``forest`` and ``ridge``, its two parts, that
            is, those in ``credits_`` times the round's weights.
        """
        self._get_support_mask()
        last = self.credits_[self.credits_["n_features"] >= self.n_features_]["round"].max()
        names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        table = self.credits_[(self.credits_["round"] == last) & self.credits_["feature"].isin(names[self.support_])]
        weights = self.weights_.iloc[int(last) - 1]
        parts = {name: weights[name] * table[name] for name in ("forest", "ridge")}
        credits: pd.DataFrame = table[["feature", "credit"]].assign(**parts).reset_index(drop=True)
        return credits

    def _substitutes(self, rows: Any) -> pd.DataFrame:
        """Return the dropped features that could replace selected ones."""
        kept = np.flatnonzero(self.support_)
        correlations = rank_correlations(rows, kept)
        labels = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        return substitutes_table(kept, correlations, np.zeros_like(correlations), labels).assign(replaces=np.nan)
