"""RBoost of Deng and Runger: AdaBoost.M1 of random trees that share the features they split by, F."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from pyrrf.errors import bad

from pyrrf.sklearn.base import EmbeddedSelector, Selective, TreeClassifier, importances, read_weights  # isort: skip, says which extra is missing

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from pyrrf import _core
from pyrrf._core.criteria import Penalty, criteria_for
from pyrrf._core.records import GrownTree
from pyrrf.checks import choice, count, number
from pyrrf.result.forest import join_trees
from pyrrf.selectors.growing import TreeMaker, TreeRequest, TreeRule, features_used
from pyrrf.sklearn.parameters import resolve_max_features
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.types import Floats, Ints, RandomState, RowsLike, VectorLike

_CRITERIA = dict(sorted(criteria_for(regression=False).items()))
_BOOSTING = ("resample", "reweight")
# Weka takes two errors that are nearer than this for equal.
_SAME = 1e-6
# A round's draws of a bag have streams that are this far apart, so that those of different rounds never meet.
_DRAW = 2**32


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostingRound:
    """One round of boosting."""

    grown: GrownTree
    error: float  # weighted share of the rows that the tree gets wrong, by the weights before this round
    vote: float  # weight of the tree's vote, log((1 - error) / error); 1 for a tree that ends the boosting
    used: Ints  # int32, shape (p,): F after this round: 1 for the features in it
    end: str  # {"", "no error", "error of one half"}: why there is no further round; empty where there is one


def boosted_weights(weight: Floats, wrong: np.ndarray) -> tuple[float, float, Floats]:
    """One step of AdaBoost.M1: error of a classifier, weight of its vote, and the weights of rows that follow.

    The error is the weight of the rows that it gets `wrong`; weights add up to 1. The vote counts log((1 - error) /
    error), infinite for an error of 0 or 1, which leaves the weights as they were. Otherwise those of the wrong rows
    are multiplied by (1 - error) / error, and all divided by their sum, so that the wrong rows have half of it.

    Notes
    -----
    Freund and Schapire, Experiments with a new boosting algorithm, 1996, figure 1, where the rows that are right are
    multiplied by error / (1 - error); after the division that is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.rboost import boosted_weights
    >>> error, vote, weight = boosted_weights(np.full(5, 0.2), np.array([True, False, False, False, False]))
    >>> round(error, 3), round(vote, 3), weight
    (0.2, 1.386, array([0.5  , 0.125, 0.125, 0.125, 0.125]))
    """
    error = min(1.0, float(weight[wrong].sum()))
    if error in (0.0, 1.0):
        return error, math.inf if error == 0 else -math.inf, weight
    odds = (1 - error) / error
    raised = np.where(wrong, weight * odds, weight)
    return error, math.log(odds), raised / raised.sum()


def boosting_rounds(
    maker: TreeMaker, weight: Floats, *, seed: int, resample: bool = True, max_draws: int = 10
) -> Iterator[BoostingRound]:
    """Grow trees for classes one after the other, each on the rows that those before got wrong, with one F for all.

    `weight` are those of the rows in round 1. With `resample` a tree grows on n rows drawn by their weights, with
    replacement, and a round may draw `max_draws` bags until its tree gets at least one row wrong; otherwise trees grow
    on all rows, with their weights, and the maker's rule takes weights. Each round has its own random streams. Rounds
    end with the first one whose error is 0 or at least 1/2; Weka drops its tree unless it is the first one.

    Notes
    -----
    Deng and Runger, Feature selection via regularized trees, 2012, algorithm 2. Errors are measured on all rows, in
    the bag or not, by the leaf that each row reached while the tree grew. As Weka's AdaBoostM1, with ``-Q`` for bags.
    A tree that is drawn again leaves nothing in F.
    """
    p = maker.data.shape[1]
    used, weight = np.zeros(p, np.int32), weight / weight.sum()
    for round_ in itertools.count():
        for draw in range(max_draws if resample else 1):
            grown = maker.grow(_request(weight, used, seed=seed, round_=round_, draw=draw, resample=resample))
            error, vote, next_weight = boosted_weights(weight, predicted_rows(grown) != maker.data.response)
            if error >= _SAME:
                break
        end = _end(error)
        used = features_used(used, grown.tree)
        yield BoostingRound(grown=grown, error=error, vote=1.0 if end else vote, used=used, end=end)
        if end:
            return
        weight = next_weight


def predicted_rows(grown: GrownTree) -> Ints:
    """Return the class, from 0, of the leaf that each training row reached: int32, shape (n,)."""
    assert grown.leaves is not None
    return (grown.tree.prediction[grown.leaves - 1] - 1).astype(np.int32)


def _request(weight: Floats, used: Ints, *, seed: int, round_: int, draw: int, resample: bool) -> TreeRequest:
    """Return the request of a round: a tree on a bag drawn by the weights, or on all rows with their weights."""
    n = weight.size
    count = np.ones(n, np.int32)
    if resample:
        count = np.random.default_rng([seed, round_, draw]).multinomial(n, weight).astype(np.int32)
    row_weight = None if resample else weight * n
    stream = round_ + draw * _DRAW
    return TreeRequest(seed=seed, stream=stream, used=used, count=count, row_weight=row_weight, leaves=True)


def _end(error: float) -> str:
    if error < _SAME:
        return "no error"
    return "error of one half" if error > 0.5 - _SAME else ""


# ---- estimators ----------------------------------------------------------------------------------


class _RBoost(BaseEstimator):  # type: ignore[misc]
    """Base of the classifier and the selector: parameters and fit."""

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        penalty: float = 0.5,
        max_features: int | float | str | None = "ceil-sqrt",
        criterion: str = "entropy",
        boosting: str = "resample",
        max_depth: int | None = None,
        max_draws: int = 10,
        categorical_features: ArrayLike | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.penalty = penalty
        self.max_features = max_features
        self.criterion = criterion
        self.boosting = boosting
        self.max_depth = max_depth
        self.max_draws = max_draws
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Boost trees; the features that they split by are kept.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            NaN is a missing number.
        y : array_like, shape (n,)
            Classes.
        sample_weight : array_like of float, shape (n,), optional
            Weights of the rows in round 1, not negative; equal ones by default.

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            An argument is not as described.
        """
        self._fit(X, y, sample_weight)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        raise NotImplementedError


class RBoostClassifier(Selective, _RBoost, TreeClassifier):
    """Regularized boosted random trees, RBoost: AdaBoost.M1 of random trees that share the features they split by.

    A node looks at every feature in F, the features that earlier nodes of all rounds have split by, and at
    `max_features` others, whose gain is multiplied by `penalty`. So a feature enters F if it is much more informative
    than those in F. F is ``support_`` in the end.

    Parameters
    ----------
    n_estimators : int, default 100
        Most rounds. The paper does not say how many it had; its table II agrees with 100 to 200.
    penalty : float, default 0.5
        The paper's λ, above 0 and at most 1: what the gain of a feature outside F is multiplied by. With 0 no feature
        could ever enter F.
    max_features : int, float, str or None, default 'ceil-sqrt'
        Features outside F that a node draws: a number; a share of all features; "ceil-sqrt", the square root of their
        number rounded up; "sqrt" or "log2", rounded down; None for all.
    criterion : {"entropy", "gini"}, default 'entropy'
        Gain of a split. The paper's is information gain.
    boosting : {"resample", "reweight"}, default 'resample'
        How a tree minds the weights of the rows: it grows on as many rows drawn by their weights, with replacement, or
        on all rows with their weights. The second needs `max_depth`: a tree without a bound fits every row of round 1,
        and boosting ends there.
    max_depth : int, optional
        Maximum tree depth; no bound by default, as in the paper.
    max_draws : int, default 10
        How many bags a round may draw until its tree gets at least one row wrong.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these.
    n_jobs : int, optional
        Threads that rank the columns and predict; 1 by default. Rounds come one after the other. The answer does not
        depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    estimators_ : list of Trees
        One tree a round.
    estimator_weights_ : ndarray of float64, shape (n_rounds,)
        What the votes count: log((1 - e) / e) in nats; 1 where the first tree is the only one.
    estimator_errors_ : ndarray of float64, shape (n_rounds,)
        Weighted error e of each tree on all training rows.
    n_selected_path_ : ndarray of int64, shape (n_rounds,)
        Number of features in F after each round.
    support_ : ndarray of bool, shape (n_features,)
        F.
    n_features_ : int
        Number of features in F.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the decrease of impurity by a tree, averaged over the trees by the weights of their
        votes; they add up to 1 unless no tree splits.
    end_ : {"", "no error", "error of one half"}
        Why there are less than `n_estimators` rounds; empty if there are as many.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    RBoostSelector : Its features, for a pipeline.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012: equation 6, algorithms 1 and 2, section VI.

    The paper does not say how boosting minds the weights. Its trees are not pruned, so with weights they would fit all
    rows of round 1; the sizes of F in its table II need bags. Both ways, and what ends boosting, are those of Weka's
    AdaBoostM1, where bags are the option ``-Q``:

    - e is measured on all rows, in the bag or not.
    - e = 0: the bag is drawn again, `max_draws` times in all. If e is still 0, boosting ends without this tree.
    - e >= 1/2: boosting ends without this tree.
    - If that happens in round 1, its tree is kept as the only one.

    e counts as 0 below 1e-6, and as 1/2 from 1/2 - 1e-6. A tree that is dropped or drawn again leaves nothing in F.

    A tree grows level by level, where the paper's algorithm 1 goes depth first. This changes which nodes find F
    larger; the sizes of F of whole forests agree.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.papers import RBoostClassifier
    >>> x, y = load_wine(return_X_y=True)
    >>> boost = RBoostClassifier(20, random_state=1).fit(x, y)
    >>> boost.n_features_, len(boost.estimators_), boost.score(x, y)
    (8, 20, 1.0)
    """

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        sample, data = self._read_training(X, y)
        rule = self._rule(data.shape[1])
        weight = read_weights(sample_weight, sample)
        rounds = boosting_rounds(
            TreeMaker(data, rule, self.n_jobs),
            weight / weight.max(),
            seed=self._new_seed(),
            resample=not rule.weighted,
            max_draws=count(self.max_draws, "max_draws"),
        )
        wanted = count(self.n_estimators, "n_estimators")
        self._keep(list(self._with_progress(itertools.islice(rounds, wanted), wanted)))

    def staged_predict(self, X: RowsLike) -> Iterator[np.ndarray]:
        """Yield the predictions of the first tree, of the first two, and so on.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            Rows, with the columns of the fit.

        Yields
        ------
        ndarray, shape (n,)
            Classes. The last ones are those of `predict`.
        """
        table, ncat = self._read_new(X)
        values, nclass = table.dense, len(self.classes_)
        votes = np.zeros((len(values), nclass))
        for tree, weight in zip(self.estimators_, self.estimator_weights_, strict=True):
            predicted = _core.predict(tree, values, ncat, nclass, n_jobs=self._threads()).predicted
            votes[np.arange(len(values)), predicted] += weight
            yield np.asarray(self.classes_[votes.argmax(axis=1)])

    def _rule(self, p: int) -> TreeRule:
        """Return the rule for growing trees; raise an error where an argument is wrong."""
        penalty = number(self.penalty, "penalty", above=0, most=1)
        reweight = choice(self.boosting, "boosting", _BOOSTING) == "reweight"
        depth = 0 if self.max_depth is None else count(self.max_depth, "max_depth")
        if reweight and not depth:
            raise bad.conflict(
                "boosting='reweight' needs max_depth: a tree without a bound fits every row of round 1, and boosting "
                "ends there; pass a max_depth such as 3, or boosting='resample'"
            )
        return TreeRule(
            mtry=resolve_max_features(self.max_features, p),
            max_depth=depth,
            coef_reg=penalty,
            weighted=reweight,
            criterion=_CRITERIA[choice(self.criterion, "criterion", _CRITERIA)],
            penalty=Penalty.GAIN,
        )

    def _keep(self, rounds: list[BoostingRound]) -> None:
        """Set the attributes. A round that ended boosting is dropped, unless it was the first."""
        self.end_ = rounds[-1].end
        kept = [one for one in rounds if not one.end] or rounds
        self.estimators_ = [one.grown.tree for one in kept]
        self.estimator_weights_ = np.array([one.vote for one in kept])
        self.estimator_errors_ = np.array([one.error for one in kept])
        self.n_selected_path_ = np.array([one.used.sum() for one in kept], np.int64)
        self.support_ = kept[-1].used.astype(bool)
        shares = np.stack([importances([one.grown], self.support_.size) for one in kept])
        mean = self.estimator_weights_ @ shares
        self.feature_importances_ = mean / mean.sum() if mean.any() else mean
        self._trees, self._tree_weights = join_trees(self.estimators_), self.estimator_weights_


class RBoostSelector(EmbeddedSelector, _RBoost):
    """The features that RBoost selects.

    Parameters
    ----------
    n_estimators : int, default 100
        Most rounds; this and the others as in `RBoostClassifier`.
    penalty : float, default 0.5
        The paper's λ: what the gain of a feature outside F is multiplied by.
    max_features : int, float, str or None, default 'ceil-sqrt'
        Features outside F that a node draws.
    criterion : {"entropy", "gini"}, default 'entropy'
        Gain of a split.
    boosting : {"resample", "reweight"}, default 'resample'
        Whether a tree grows on rows drawn by their weights, or on all rows with their weights.
    max_depth : int, optional
        Maximum tree depth; no bound by default.
    max_draws : int, default 10
        How many bags a round may draw until its tree gets at least one row wrong.
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
    estimator_ : RBoostClassifier
    support_, n_features_, n_selected_path_, n_features_in_, feature_names_in_
        As in `RBoostClassifier`.

    See Also
    --------
    RBoostClassifier : The boosted trees.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012, algorithm 2.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.papers import RBoostSelector
    >>> x, y = load_wine(return_X_y=True)
    >>> selector = RBoostSelector(5, random_state=1).fit(x, y)
    >>> selector.transform(x).shape, selector.n_selected_path_
    ((178, 5), array([4, 4, 4, 5, 5]))
    """

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._keep(RBoostClassifier(**self.get_params()).fit(X, y, sample_weight), "n_selected_path_")
