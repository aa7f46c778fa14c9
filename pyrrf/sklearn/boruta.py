"""BorutaSelector: all relevant features, also redundant ones."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from pyrrf.checks import count, flag, inner_share, number, verbosity
from pyrrf.data.predictors import check_varies
from pyrrf.errors import bad
from pyrrf.fit.progress import Progress
from pyrrf.selectors.boruta import CONFIRMED, REJECTED, TENTATIVE, BorutaRounds, BorutaRule, boruta
from pyrrf.selectors.growing import TreeData
from pyrrf.sklearn.base import FeatureSelector, near_weights, read_weights
from pyrrf.sklearn.parameters import is_regression, new_seed
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.sklearn.sample import Sample, check_several, coded_response, read_sample
from pyrrf.types import RandomState, RowsLike, VectorLike

_WORDS = {CONFIRMED: "confirmed", TENTATIVE: "tentative", REJECTED: "rejected"}
_SHADOWS = ("min", "mean", "max", "threshold")


class BorutaSelector(FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """All relevant features, redundant ones too: Boruta.

    Each round grows a forest on the features and on their shadows, which are shuffled copies. A feature that is more
    important than all shadows in significantly more than half of the rounds is confirmed; in significantly fewer, it is
    rejected and leaves the forest. The others stay tentative, and are not selected.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees per round.
    max_iter : int, default 100
        Maximum number of rounds; fewer if all features are decided before.
    perc : float, default 100.0
        Percentile of the shadows' importances that a feature must exceed for a hit, above 0 and at most 100. Less than
        100 selects more features, noise among them.
    alpha : float, default 0.05
        Significance level of the tests, above 0 and below 1.
    two_step : bool, default True
        Whether tests are corrected by Benjamini and Hochberg over the features, and by Bonferroni over the rounds, as
        in boruta_py; otherwise by Bonferroni over the features, as in R.
    max_depth : int or None, default 5
        Maximum depth of a tree; None for unlimited.
    task : {"auto", "classification", "regression"}, default 'auto'
        What y means; "auto" lets y decide, as the page *Input* says.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Categorical columns: those of a table with categories or words, none, or those listed (positions, names or mask)
        and those of words.
    n_jobs : int, optional
        Number of threads; results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        Whether to show a progress bar over the rounds.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        The features confirmed.
    support_weak_ : ndarray of bool, shape (p,)
        The features that are still tentative.
    selected_ : ndarray of int64, shape (k,)
        Positions of those confirmed, the most important first.
    n_features_ : int
        Number of confirmed features; it may be 0.
    decisions_ : ndarray of str, shape (p,)
        "confirmed", "tentative" or "rejected".
    ranking_ : ndarray of int64, shape (p,)
        1 for features confirmed, 2 for tentative ones, 3 and more for the others, the last rejected first.
    hits_ : ndarray of int64, shape (p,)
        Rounds in which a feature was more important than the shadows.
    importance_history_ : DataFrame
        A row for each round, a column for each feature, by name or position; NaN after a feature was rejected. In units
        of what chance gives the feature: the root mean square of the importances of its shadows.
    shadow_history_ : DataFrame
        A row for each round: the importances of the shadows, ``min``, ``mean`` and ``max``; ``threshold``, which a hit
        exceeds.
    n_iter_ : int
        Rounds.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    See Also
    --------
    EliminationSelector : A small subset in place of all relevant features.
    ImportanceDisplay : The importance in each round.

    Notes
    -----
    M. Kursa and W. Rudnicki, Feature selection with the Boruta package, 2010, section 2. Importance is what the
    splits by a feature do for rows out of the bag, so that a factor of many levels is worth no more than a number.
    R's Boruta shuffles columns out of the bag, and boruta_py takes the decrease of impurity in the bag. Here it is
    divided by the root mean square of the importances of the feature's shadows, since that of a factor of many levels
    varies more by chance. In 200 rows of 4 informative numbers, 6 of noise, and random factors of 20, 40 and 100
    levels (40 sets), 3.1 of the 4, .25 numbers of noise (standard error .07) and .2 factors (.06) were confirmed on
    average, .1 of 100 levels.

    The rows are the same in each round. So features that are related to y by chance in these rows are confirmed with
    the others; their number has no bound, and `StabilitySelector` gives one. Of 40 features of noise, in 60 rows, 1.4
    were confirmed on average (40 sets, 100 rounds, standard error .2), and by boruta_py 1.3; ``two_step=False`` does
    not make them fewer.

    There is no `feature_cost`: of features that say the same, none is left out for another one, whatever it costs. For
    a small subset, fit `EliminationSelector` to the features confirmed.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import BorutaSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> X["noise"] = np.random.default_rng(1).standard_normal(len(X))
    >>> selector = BorutaSelector(random_state=1).fit(X, y)
    >>> selector.n_features_, selector.decisions_[-1].item()
    (13, 'rejected')
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_iter: int = 100,
        perc: float = 100.0,
        alpha: float = 0.05,
        two_step: bool = True,
        max_depth: int | None = 5,
        task: str = "auto",
        categorical_features: ArrayLike | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_iter = max_iter
        self.perc = perc
        self.alpha = alpha
        self.two_step = two_step
        self.max_depth = max_depth
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Decide for each feature whether it is relevant.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            NaN is a missing number; a missing category is a category of its own.
        y : array_like, shape (n,)
            Classes, or numbers; `task`.
        sample_weight : array_like of float, shape (n,), optional
            Weight of each row. Rows of weight 0 are left out.

        Returns
        -------
        BorutaSelector

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented; the message names it.
        """
        numeric = self._holds_numbers(y)
        sample = read_sample(
            self, X, y, categorical=self.categorical_features, ensure_all_finite="allow-nan", ensure_min_samples=2,
            y_numeric=numeric,
        )  # fmt: skip
        weight = None if sample_weight is None else near_weights(read_weights(sample_weight, sample))
        rows = np.arange(len(sample.y)) if weight is None else np.flatnonzero(weight)
        check_several(sample.y[rows], numeric)
        check_varies(sample.table.take(rows), "X")
        rule, seed = self._rule(sample), new_seed(self.random_state)
        data = TreeData.of(sample.table, rows, *coded_response(sample.y[rows], numeric))
        progress = (
            Progress(rule.max_rounds, delay=0.0, unit="round", name="boruta") if verbosity(self.verbose) else None
        )
        try:
            rounds = boruta(
                data, rule, weight=None if weight is None else weight[rows], seed=seed, n_jobs=self.n_jobs,
                watch=progress or (lambda rounds: None),
            )  # fmt: skip
        finally:
            if progress:
                progress.close()
        self._keep(rounds)
        return self

    def _holds_numbers(self, y: Any) -> bool:
        """Whether it is a regression."""
        return is_regression(y, self.task)

    def _rule(self, sample: Sample) -> BorutaRule:
        rule = BorutaRule(
            n_trees=count(self.n_estimators, "n_estimators"),
            max_depth=0 if self.max_depth is None else count(self.max_depth, "max_depth"),
            max_rounds=count(self.max_iter, "max_iter"),
            percentile=number(self.perc, "perc", above=0, most=100),
            alpha=inner_share(self.alpha, "alpha"),
            two_step=flag(self.two_step, "two_step"),
        )
        least = rule.least_rounds(len(sample.ncat))
        if rule.max_rounds < least:
            raise bad.range(f"max_iter must be at least {least} for any test to be significant, not {rule.max_rounds}")
        return rule

    def _keep(self, result: BorutaRounds) -> None:
        """Set the attributes."""
        rounds, p = result.importances.shape
        seen = (~np.isnan(result.importances)).sum(axis=0)
        mean = np.nansum(result.importances, axis=0) / seen
        best = np.lexsort((-mean, -seen))  # the last rejected first, and then the most important
        self._keep_positions([index for index in best.tolist() if result.decisions[index] == CONFIRMED], p)
        self.support_weak_ = result.decisions == TENTATIVE
        self.decisions_ = np.array([_WORDS[one] for one in result.decisions.tolist()])
        self.ranking_ = np.where(self.support_, 1, 2)
        rejected = best[result.decisions[best] == REJECTED]
        self.ranking_[rejected] = np.arange(3, 3 + len(rejected))
        self.hits_, self.n_iter_ = result.hits, rounds
        number_of = pd.RangeIndex(1, rounds + 1, name="round")
        names = getattr(self, "feature_names_in_", np.arange(p))
        self.importance_history_ = pd.DataFrame(result.importances, index=number_of, columns=names)
        self.shadow_history_ = pd.DataFrame(result.shadows, index=number_of, columns=list(_SHADOWS))
