"""Selectors that try sets of features on an estimator: forward search, and the search that a Chow-Liu tree guides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pyrrf.errors import bad

from pyrrf.sklearn.base import FeatureSelector  # isort: skip, says which extra is missing

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from pyrrf.checks import flag, number
from pyrrf.data.response import holds_numbers
from pyrrf.papers.chow_liu.search import Losses, Round, Search, Subset, floating_search, forward_search
from pyrrf.papers.chow_liu.tree import chow_liu_tree, guided_search
from pyrrf.papers.fitting import SharedFit
from pyrrf.papers.information import mutual_information_matrix, response_bins, sample_bins
from pyrrf.plots.trees import draw_tree
from pyrrf.sklearn.fold_scoring import as_score, one_scorer, read_cv, splits_of
from pyrrf.sklearn.jobs import checked_jobs
from pyrrf.sklearn.sample import Sample, check_several, part, read_sample


class _WrapperSelector(SharedFit, MetaEstimatorMixin, FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """Base of the selectors that try sets of features. A subclass has the parameters of `ForwardSelector`."""

    estimator: Any
    epsilon: float
    scoring: Any
    cv: Any
    empty_score: str | float
    floating: bool
    n_jobs: int | None

    def _read(self, X: Any, y: Any, numeric: bool | None) -> Sample:
        """Check X and y; `numeric`: whether it is a regression, None if y may hold classes, too."""
        allow_nan = "allow-nan" if get_tags(self).input_tags.allow_nan else True
        sample = read_sample(self, X, y, ensure_all_finite=allow_nan, ensure_min_samples=2, y_numeric=bool(numeric))
        if numeric is False:
            check_classification_targets(sample.y)
        check_several(sample.y, bool(numeric))
        return sample

    def _search(self, sample: Sample, forward: Callable[[Losses, float, float], Search]) -> None:
        """Search forward, then, with ``floating=True``, backward; keep the result.

        `forward` searches, given losses, the loss without features and epsilon.
        """
        epsilon, floating, splitter = self._check_options(sample, self._is_classifier())
        splits = splits_of(splitter, sample.rows, sample.y, {})
        losses = self._losses(sample, splits)
        search = forward(losses, self._empty_loss(sample, splits), epsilon)
        if floating:
            search = floating_search(search, self.n_features_in_, losses, epsilon)
        self._keep(search)

    def _check_options(self, sample: Sample, classifier: bool) -> tuple[float, bool, Any]:
        """Return epsilon, whether the search floats, and the splitter; refuse wrong arguments, used or not."""
        epsilon, given = number(self.epsilon, "epsilon", least=0), self.empty_score
        is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool) and given == given
        if not is_number and not (isinstance(given, str) and given == "majority"):
            raise bad.choice(f"empty_score must be 'majority' or a number, not {given!r}")
        one_scorer(DummyClassifier(), self.scoring)
        checked_jobs(self.n_jobs)
        return epsilon, flag(self.floating, "floating"), read_cv(self.cv, sample.y, classifier)

    def _keep(self, search: Search) -> None:
        self._keep_positions(search.selected, self.n_features_in_)
        self.score_ = -search.loss
        self.n_evaluations_ = search.n_evaluations
        self.history_ = history_table(search.rounds)

    def _losses(self, sample: Sample, splits: list[Any]) -> Losses:
        """Return the function that tries sets of features: minus the mean score over the splits."""
        scorer = check_scoring(self.estimator, scoring=self._checked_scoring())

        def losses(subsets: list[Subset]) -> list[float]:
            tasks = [(subset, split) for subset in subsets for split in splits]
            scores = Parallel(n_jobs=checked_jobs(self.n_jobs))(
                delayed(_score)(clone(self.estimator), sample.rows, sample.y, subset, split, scorer)
                for subset, split in tasks
            )
            means = np.reshape(scores, (len(subsets), len(splits))).mean(axis=1)
            return [-float(mean) for mean in means]

        return losses

    def _empty_loss(self, sample: Sample, splits: list[Any]) -> float:
        if not isinstance(self.empty_score, str):
            return -float(self.empty_score)
        guess = DummyClassifier() if self._is_classifier() else DummyRegressor()
        scorer = check_scoring(guess, scoring=self._checked_scoring())
        nothing = np.zeros((len(sample.y), 1))
        mean = float(np.mean([_score(guess, nothing, sample.y, (0,), split, scorer) for split in splits]))
        if np.isnan(mean):
            raise bad.undefined(
                "empty_score: the score of a constant guess is NaN; pass a number, such as float('-inf')"
            )
        return -mean

    def _checked_scoring(self) -> Any:
        if isinstance(self.scoring, str) and self.scoring == "balanced_accuracy" and not self._is_classifier():
            raise bad.unsupported(
                "scoring='balanced_accuracy' is for classifiers; pass scoring='r2' or another for regression"
            )
        return self.scoring

    def _is_classifier(self) -> bool:
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise bad.type(f"estimator must be a classifier or a regressor, not {self.estimator!r}")
        return bool(is_classifier(self.estimator))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        alone = isinstance(self.estimator, type) or not hasattr(self.estimator, "fit")
        tags.input_tags.allow_nan = alone or get_tags(self.estimator).input_tags.allow_nan
        return tags


def _score(estimator: Any, table: Any, y: np.ndarray, features: Subset, split: Any, scorer: Any) -> float:
    """Return the score of some features on one split."""
    train, test = split
    estimator.fit(part(table, train, features), y[train])
    return as_score(scorer(estimator, part(table, test, features), y[test]))


def history_table(rounds: Iterable[Round]) -> pd.DataFrame:
    """Return a row for each set that was tried.

    ``round``, from 0; ``feature``, tried with those taken before ("forward") or left out of them ("backward", in
    column ``direction``); ``score``; ``outcome``: "taken", "redundant" or "open", "left out" or "needed".
    """
    lines = []
    for index, each in enumerate(rounds):
        best, other = ("taken", "open") if each.direction == "forward" else ("left out", "needed")
        for feature, loss in zip(each.candidates, each.losses, strict=True):
            outcome = best if feature == each.best else "redundant" if feature in each.redundant else other
            lines.append((index, each.direction, feature, -loss, outcome))
    return pd.DataFrame(lines, columns=["round", "direction", "feature", "score", "outcome"])


class ForwardSelector(_WrapperSelector):
    """Sequential forward selection: the best feature, as long as it is better by more than epsilon.

    The search that paper 002 (algorithm 2) compares its own with, with the same stop, and a count of the sets tried.

    Parameters
    ----------
    estimator : classifier or regressor
        Cloned for each set of features. With a fixed `random_state` of its own, the answer is the same every time. It
        says whether y holds classes, and whether X may have missing values, and categories in a table.
    epsilon : float, default 0.01
        A feature is taken if the score grows by more than this. The paper names no number.
    scoring : str, callable or None, default 'balanced_accuracy'
        What is maximized, as in scikit-learn; the paper minimizes the balanced error rate (eq 7), 1 less this score.
        None is the score of the estimator.
    cv : int, splitter, iterable of splits or None, default None
        The score is the mean over these splits, the same for all sets; None is 5 folds. The paper does not say what
        its search measures the error on.
    empty_score : 'majority' or float, default 'majority'
        The score without features: that of the most frequent class (of the mean, for regression) on the same splits, or
        a number; with ``-inf`` one feature at least is taken. The paper does not say.
    floating : bool, default False
        Go on with floating backward search (`pyrrf.papers.chow_liu.search.floating_search`).
    n_jobs : int, optional
        Processes of joblib; the answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        The features kept.
    selected_ : ndarray of int64, shape (n_selected,)
        Their positions, in the order in which they were taken.
    n_features_ : int
        Number of features kept.
    score_ : float
        The score with them.
    n_evaluations_ : int
        Number of sets tried; each was fitted once for each split. Without `floating`, eq 5 of the paper.
    history_ : DataFrame, shape (n_evaluations, 5)
        A line for each set tried: ``round``, ``direction``, ``feature``, ``score``, ``outcome``.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from pyrrf.papers import ForwardSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = ForwardSelector(GaussianNB(), epsilon=0.02, cv=3).fit(X, y)
    >>> selector.get_feature_names_out().tolist(), selector.n_evaluations_
    (['flavanoids', 'color_intensity', 'proline'], 46)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        epsilon: float = 0.01,
        scoring: Any = "balanced_accuracy",
        cv: Any = None,
        empty_score: str | float = "majority",
        floating: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.epsilon = epsilon
        self.scoring = scoring
        self.cv = cv
        self.empty_score = empty_score
        self.floating = floating
        self.n_jobs = n_jobs

    def _fit(self, X: Any, y: Any) -> None:
        sample = self._read(X, y, numeric=not self._is_classifier())
        self._search(sample, lambda *how: forward_search(self.n_features_in_, *how))


class ChowLiuSelector(_WrapperSelector):
    """Forward selection guided by the Chow-Liu tree of features and label (paper 002, algorithm 3).

    The tree joins features and label by the edges of most mutual information; the label is its root. Only the children
    of the label, and of features already searched, are tried: p sets and a few more, where forward selection tries up
    to p (p + 1) / 2.

    Parameters
    ----------
    estimator : classifier, regressor or None, default None
        As for `ForwardSelector`. With None nothing is fitted, and the children of the label are kept: the tree as a
        filter, which section 4 of the paper advises against, since irrelevant features may be among them.
    bins : int, default 20
        Bins of equal width of a number (`pyrrf.papers.equal_width_bins`), and of y where it holds numbers; missing
        values are a bin of their own. Without an estimator the rule of `GRRFSelector` says what y holds.
    epsilon : float, default 0.01
        This and the next four as for `ForwardSelector`.
    scoring : str, callable or None, default 'balanced_accuracy'
        What is maximized, as in scikit-learn.
    cv : int, splitter, iterable of splits or None, default None
        Splits whose mean score is maximized; None is 5 folds.
    empty_score : 'majority' or float, default 'majority'
        The score without features.
    floating : bool, default False
        Section 4 of the paper suggests it.
    correction : 'miller-madow' or None, default None
        As in `pyrrf.papers.mutual_information`.
    n_jobs : int, optional
        As for `ForwardSelector`.

    Attributes
    ----------
    redundant_ : ndarray of int64, shape (p - n_selected,)
        The others, redundant or irrelevant, in the order in which that was found.
    tree_ : ChowLiuTree
        Nodes 0 to p - 1 are the features, node p the label, the root.
    mutual_information_ : ndarray of float64, shape (p + 1, p + 1)
        Of all pairs, the label last, in bits; entropies on the diagonal.
    n_evaluations_ : int
        Number of sets tried; each was fitted once for each split. Without `floating`: p, and for each round the
        candidates that would have improved the score, but were not the best.
    support_, selected_, n_features_, score_, history_, n_features_in_, feature_names_in_
        As for `ForwardSelector`; without an estimator the score is NaN.

    See Also
    --------
    ForwardSelector : The search that it is guided to shorten.
    pyrrf.papers.chow_liu_tree : The tree.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from pyrrf.papers import ChowLiuSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = ChowLiuSelector(GaussianNB(), epsilon=0.02, cv=3).fit(X, y)
    >>> selector.get_feature_names_out().tolist(), selector.n_evaluations_
    (['flavanoids', 'color_intensity', 'proline'], 14)
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        bins: int = 20,
        epsilon: float = 0.01,
        scoring: Any = "balanced_accuracy",
        cv: Any = None,
        empty_score: str | float = "majority",
        floating: bool = False,
        correction: str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.bins = bins
        self.epsilon = epsilon
        self.scoring = scoring
        self.cv = cv
        self.empty_score = empty_score
        self.floating = floating
        self.correction = correction
        self.n_jobs = n_jobs

    def _fit(self, X: Any, y: Any) -> None:
        numeric = None if self.estimator is None else not self._is_classifier()
        sample = self._read(X, y, numeric)
        if numeric is None:
            numeric = holds_numbers(y, "pass an estimator, or y as strings if they are classes")
        self._grow_tree(sample, numeric)
        if self.estimator is None:
            self._check_options(sample, not numeric)
            self._keep(Search(tuple(self.tree_.children(self.tree_.root).tolist()), np.nan))
        else:
            self._search(sample, lambda *how: guided_search(self.tree_, *how))

    def _grow_tree(self, sample: Sample, numeric: bool) -> None:
        nodes = np.column_stack([sample_bins(sample, self.bins), response_bins(sample, self.bins, numeric)])
        self.mutual_information_ = mutual_information_matrix(nodes, correction=self.correction)
        self.tree_ = chow_liu_tree(self.mutual_information_)

    def _keep(self, search: Search) -> None:
        super()._keep(search)
        rest = search.redundant if self.estimator is not None else np.flatnonzero(~self.support_)
        self.redundant_ = np.array(rest, dtype=np.int64)

    def plot_tree(self, ax: Any = None) -> Any:
        """Draw the tree: the label on the left, features kept filled, the others hollow, edges as wide as their weight.

        Parameters
        ----------
        ax : Axes, optional
            Axes of matplotlib; new ones by default.

        Returns
        -------
        Axes

        Raises
        ------
        ImportError
            matplotlib is not installed.
        NotFittedError
            The selector was not fitted.
        """
        check_is_fitted(self)
        unnamed = [f"x{index}" for index in range(self.n_features_in_)]
        names = [str(name) for name in getattr(self, "feature_names_in_", unnamed)]
        return draw_tree(self.tree_.parents, self.tree_.weights, [*names, "label"], self.support_, ax)
