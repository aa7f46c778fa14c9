"""LESS: trees on few features each, drawn by their leverage scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf._core.records import GrownTree
from pyrrf.checks import choice, count, flag, warn
from pyrrf.data.alignment import numbers_by_name
from pyrrf.data.predictors import Predictors
from pyrrf.errors import bad
from pyrrf.fit.engine import TIES
from pyrrf.papers.fitting import SharedFit
from pyrrf.papers.less.leverage import norm_scores, right_vectors
from pyrrf.result.forest import join_trees
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.sklearn.base import TreeClassifier, TreeEstimator, TreeRegressor, importances
from pyrrf.sklearn.parameters import resolve_max_features
from pyrrf.types import Floats, Labels, RandomState

_SCORES = ("leverage", "norm", "uniform")
# Rank by default, or half the smaller side of X if that is less.
_RANK = 5
# Seeds of decompositions have fewer bits than those of trees.
_SEEDS = 1 << 31


class _LESS(SharedFit, TreeEstimator):
    """The parameters of LESS and its fit, which the classifier and the regressor share."""

    def __init__(
        self,
        rank: int | None = None,
        n_estimators: int = 100,
        *,
        max_features: int | float | str | None = "sqrt",
        scores: ArrayLike = "leverage",
        replace: bool = False,
        svd: str = "full",
        center: bool = False,
        ties: str = "random",
        categorical_features: ArrayLike | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.rank = rank
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.scores = scores
        self.replace = replace
        self.svd = svd
        self.center = center
        self.ties = ties
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fit(self, X: Any, y: Any) -> None:
        n_trees = count(self.n_estimators, "n_estimators")
        sample, data = self._read_training(X, y)
        seed, seed_of_svd = self._new_seed(), self._new_seed() % _SEEDS
        self.feature_scores_ = self._score(data, sample.table.columns, seed_of_svd)
        self.estimators_features_ = self._draw(n_trees, seed)
        # A node may look at every feature; each tree forbids those that it did not draw.
        first = choice(self.ties, "ties", TIES) == "first"
        maker = TreeMaker(data, TreeRule(mtry=data.shape[1], draw_from_all=True, ties_first=first), self.n_jobs)
        self._keep(list(self._with_progress(maker.grow_all(self._requests(data, seed)), n_trees)))

    # ---- scores and draws -------------------------------------------------------------------------

    @property
    def _reads_numbers(self) -> bool:
        """Whether the scores are computed from X."""
        return isinstance(self.scores, str) and self.scores != "uniform"

    def _score(self, data: TreeData, columns: Labels, seed: int) -> Floats:
        """Return the scores, which sum to 1."""
        if not isinstance(self.scores, str):
            return _given_scores(self.scores, columns)
        kind = choice(self.scores, "scores", _SCORES)
        if kind == "uniform":
            return np.full(data.shape[1], 1 / data.shape[1])
        if (data.ncat > 1).any():
            raise bad.unsupported(
                f"scores={kind!r} needs numbers, but X has categories (by dtype or categorical_features); pass "
                "scores='uniform' or an array",
                "scores",
            )
        self._refuse_missing(data.dense)
        if kind == "norm":
            return norm_scores(data.dense, center=self.center)
        return self._leverage(data.dense, seed)

    def _leverage(self, values: np.ndarray, seed: int) -> Floats:
        """Return leverage scores; warn where their rank brings them near to equal ones."""
        rank = max(1, min(_RANK, min(values.shape) // 2)) if self.rank is None else self.rank
        vectors = right_vectors(values, rank, svd=self.svd, center=self.center, seed=seed)
        # A randomized decomposition that finds no end of the rank leaves the smaller side of X.
        ended = vectors.numerical_rank < len(vectors.singular_values)
        known = vectors.numerical_rank if ended else min(values.shape)
        if 2 * rank > known:
            warn(
                f"rank: {rank} is above half the numerical rank of X, {known}; the scores are "
                "almost equal; pass a smaller rank"
            )
        return vectors.scores

    def _refuse_missing(self, values: np.ndarray) -> None:
        if self._reads_numbers and np.isnan(values).any():
            raise bad.missing(
                f"X holds NaN, which scores={self.scores!r} does not take; impute it, or pass scores='uniform' or an "
                "array"
            )

    def _draw(self, n_trees: int, seed: int) -> list[np.ndarray]:
        """Return the features of each tree, in the order in which they were drawn."""
        p, replace = len(self.feature_scores_), flag(self.replace, "replace")
        size, most = resolve_max_features(self.max_features, p), int((self.feature_scores_ > 0).sum())
        if size > most and not replace:
            raise bad.range(f"max_features: {size} of {most} features with a positive score; pass at most {most}")
        streams = (np.random.default_rng([seed, tree]) for tree in range(n_trees))
        return [stream.choice(p, size, replace=replace, p=self.feature_scores_) for stream in streams]

    # ---- trees ------------------------------------------------------------------------------------

    def _requests(self, data: TreeData, seed: int) -> Iterator[TreeRequest]:
        n, p = data.shape
        every_row = np.ones(n, np.int32)
        for tree, features in enumerate(self.estimators_features_):
            allowed = np.zeros(p)
            allowed[features] = 1.0
            yield TreeRequest(seed=seed, stream=tree, count=every_row, probability=allowed)

    def _keep(self, grown: list[GrownTree]) -> None:
        self.estimators_ = [one.tree for one in grown]
        self.node_counts_ = np.array([one.decrease.size for one in grown])
        self.feature_importances_ = importances(grown, len(self.feature_scores_))
        self._trees = join_trees(self.estimators_)

    def _read_new(self, X: Any) -> tuple[Predictors, np.ndarray]:
        table, ncat = super()._read_new(X)
        self._refuse_missing(table.dense)
        return table, ncat

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._reads_numbers
        return tags


class LESSClassifier(_LESS, TreeClassifier):
    """Leverage score trees, LESS: full trees on features drawn by their scores, which vote.

    Each tree draws `max_features` features, once, and looks at all of these at each node. It grows on all rows until
    its leaves are pure. What else is random is which of equal splits wins, unless `ties` is "first".

    Parameters
    ----------
    rank : int, optional
        Right singular vectors that the leverage scores are read from. It decides everything: of 500 features of
        Madelon the 20 informative ones get .52 of the scores with rank 2, .82 with 6, .05 with 100, and .04, an
        equal share, with 1 and with 500. The paper does not say what it used. By default 5, or half the smaller side
        of X if that is less: on seven other sets the mean error is .136 with 2, .131 with 5 and .130 with 10.
    n_estimators : int, default 100
        Number of trees.
    max_features : int, float, str or None, default 'sqrt'
        Features that a tree draws: a number; a share of all features; "sqrt" or "log2", rounded down; "ceil-sqrt",
        rounded up; None for all. What the paper used is lost in our copy of it.
    scores : {"leverage", "norm", "uniform"} or array_like of float, shape (n_features,), default 'leverage'
        Chances of the features to be drawn: leverage scores, squared norms, equal ones, or these, not negative.
    replace : bool, default False
        Whether a tree draws with replacement; it then has fewer features where one comes up again. The paper tried
        both with equal scores, and does not say which its tables have.
    svd : {"full", "randomized"}, default 'full'
        How leverage scores are computed; `pyrrf.papers.less.leverage.right_vectors` has the error of randomized ones.
    center : bool, default False
        Whether the means of the columns are subtracted before leverage scores or norms are computed. The paper does
        not: its norms fail on Madelon.
    ties : {"random", "first"}, default 'random'
        Which of equal splits wins a node: one by chance, or that of the lowest feature, with its lowest cut; of equal
        classes of a leaf, too. With "first" and `max_features` None all trees are one tree, whatever the seed.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these. Leverage scores
        and norms need numbers, none of them missing.
    n_jobs : int, optional
        Threads that rank the columns, grow trees and predict; 1 by default. The answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    feature_scores_ : ndarray of float64, shape (n_features,)
        Scores that sum to 1.
    estimators_ : list of Trees
    estimators_features_ : list of ndarray of int64, shape (max_features,)
        Features of each tree, in the order in which they were drawn.
    node_counts_ : ndarray of int64, shape (n_estimators,)
        Nodes of each tree, leaves among them: the paper's measure of the space that an ensemble needs.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Decrease of impurity by each feature's splits, summed over the trees; they add up to 1 unless no tree splits.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    Warns
    -----
    UserWarning
        `rank` is above half the numerical rank of X, or no gap of singular values follows it.

    See Also
    --------
    LESSRegressor : The same for regression.
    pyrrf.papers.leverage_scores : What features are drawn by.

    Notes
    -----
    A. Kyrillidis and A. Zouzias, Non-uniform feature sampling for decision tree ensembles, 2014: algorithm 1 and
    section 5.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.papers import LESSClassifier
    >>> x, y = load_wine(return_X_y=True)
    >>> less = LESSClassifier(2, 50, center=True, random_state=1).fit(x, y)
    >>> less.feature_scores_.argsort()[-2:], less.score(x, y)
    (array([ 4, 12]), 1.0)
    """


class LESSRegressor(_LESS, TreeRegressor):
    """Leverage score trees, LESS, for regression: the mean of full trees on features drawn by their scores.

    Parameters
    ----------
    rank : int, optional
        Right singular vectors that the leverage scores are read from; this and the others as in `LESSClassifier`.
    n_estimators : int, default 100
        Number of trees.
    max_features : int, float, str or None, default 'sqrt'
        Features that a tree draws.
    scores : {"leverage", "norm", "uniform"} or array_like of float, shape (n_features,), default 'leverage'
        Chances of the features to be drawn.
    replace : bool, default False
        Whether a tree draws features with replacement.
    svd : {"full", "randomized"}, default 'full'
        How leverage scores are computed.
    center : bool, default False
        Whether the means of the columns are subtracted before leverage scores or norms are computed.
    ties : {"random", "first"}, default 'random'
        Which of equal splits wins a node: one by chance, or that of the lowest feature.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    feature_importances_ : ndarray of float64, shape (n_features,)
        Decrease of the sum of squares by each feature's splits, summed over the trees; they add up to 1 unless no tree
        splits.
    feature_scores_, estimators_, estimators_features_, node_counts_, n_features_in_, feature_names_in_
        As in `LESSClassifier`.

    Warns
    -----
    UserWarning
        As `LESSClassifier`.

    See Also
    --------
    LESSClassifier : The same for classification.
    pyrrf.papers.leverage_scores : What features are drawn by.

    Notes
    -----
    The paper's algorithm 1 is for classes. Here the trees minimize the sum of squares, and their mean replaces the
    vote.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from pyrrf.papers import LESSRegressor
    >>> x, y = load_diabetes(return_X_y=True)
    >>> less = LESSRegressor(2, 50, random_state=1).fit(x[:300], y[:300])
    >>> bool(less.score(x[300:], y[300:]) > 0.2)
    True
    """


def _given_scores(scores: Any, columns: Labels) -> Floats:
    """Return a user's scores so that they sum to 1."""
    values, p = numbers_by_name(scores, "scores", columns), len(columns)
    if values.shape != (p,):
        raise bad.length(f"scores: {values.size} of them for {p} features; pass one for each")
    if (values < 0).any() or not values.any():
        raise bad.range("scores must not be negative, and not all 0")
    # By the largest first: the sum of large numbers might be infinite.
    shares: Floats = values / values.max()
    shares /= shares.sum()
    return shares
