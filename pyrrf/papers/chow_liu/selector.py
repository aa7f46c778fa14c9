"""Feature search along a Chow-Liu tree."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from pyrrf.data.response import holds_numbers
from pyrrf.papers.chow_liu.forward import WrapperSelector
from pyrrf.papers.chow_liu.search import Search
from pyrrf.papers.chow_liu.tree import chow_liu_tree, guided_search
from pyrrf.papers.information import mutual_information_matrix, response_bins, sample_bins
from pyrrf.plots.trees import draw_tree
from pyrrf.sklearn.parameters import keep_parameters
from pyrrf.sklearn.sample import Sample
from pyrrf.sklearn.undo import undone_on_error
from pyrrf.types import RowsLike, VectorLike


class ChowLiuSelector(WrapperSelector):
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
        Bins of equal width of a number (`pyrrf.selectors.equal_width_bins`).
    epsilon : float, default 0.01
        This and the next four as for `ForwardSelector`.
    scoring : str, callable or None, default 'balanced_accuracy'
    cv : int, splitter, iterable of splits or None, default None
    empty_score : 'majority' or float, default 'majority'
    floating : bool, default False
        Section 4 of the paper suggests it.
    correction : 'miller-madow' or None, default None
        As in `pyrrf.selectors.mutual_information`.
    n_jobs : int, optional
        As for `ForwardSelector`.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        The features kept.
    selected_ : ndarray of int64, shape (n_selected,)
        Their positions, in the order in which they were taken.
    redundant_ : ndarray of int64, shape (p - n_selected,)
        The others, redundant or irrelevant, in the order in which that was found.
    n_features_ : int
        Number of features kept.
    tree_ : ChowLiuTree
        Nodes 0 to p - 1 are the features, node p the label, the root.
    mutual_information_ : ndarray of float64, shape (p + 1, p + 1)
        Of all pairs, the label last, in bits; entropies on the diagonal.
    score_ : float
        The score with the features kept; NaN without an estimator.
    n_evaluations_ : int
        Number of sets tried; each was fitted once for each split. Without `floating`: p, and for each round the
        candidates that would have improved the score, but were not the best.
    history_ : DataFrame, shape (n_evaluations, 5)
        A line for each set tried: ``round``, ``direction``, ``feature``, ``score``, ``outcome``.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from pyrrf.sklearn import ChowLiuSelector
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
        keep_parameters(self, locals())

    @undone_on_error
    def fit(self, X: RowsLike, y: VectorLike) -> Self:
        """Make the tree and search along it.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            Missing values, which are a bin of their own, only if the estimator takes them. A table may have categories,
            which need no bins, if the estimator takes such tables.
        y : array_like, shape (n,)
            Classes, or numbers, which are put into bins. The estimator says which; without one, the rule of
            `GRRFSelector`.

        Returns
        -------
        ChowLiuSelector

        Raises
        ------
        TypeError, ValueError
            An argument is not what it should be; the message names it.
        """
        numeric = None if self.estimator is None else not self._is_classifier()
        sample = self._read(X, y, numeric)
        if numeric is None:
            numeric = holds_numbers(y, "pass an estimator, or y as strings if they are classes")
        self._grow_tree(sample, numeric)
        if self.estimator is None:
            self._keep(Search(tuple(self.tree_.children(self.tree_.root).tolist()), np.nan))
        else:
            self._search(sample, lambda *how: guided_search(self.tree_, *how))
        return self

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
        unnamed = [f"x{at}" for at in range(self.n_features_in_)]
        names = [str(name) for name in getattr(self, "feature_names_in_", unnamed)]
        return draw_tree(self.tree_.parents, self.tree_.weights, [*names, "label"], self.support_, ax)
