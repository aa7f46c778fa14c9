"""RRFClassifier and RRFRegressor: regularized random forests, the fits of RRF() as estimators."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from pyrrf._core.records import ClassOutcome, RegressionOutcome, Trees
from pyrrf.checks import choice, flag, verbosity, warn
from pyrrf.errors import bad
from pyrrf.fit.engine import ENGINES
from pyrrf.fit.path import features_split, importance_shares
from pyrrf.fit.progress import bars
from pyrrf.random import private_stream
from pyrrf.result.rrf import RRFResult
from pyrrf.result.to_sklearn import make_forest
from pyrrf.sklearn.base import Selective, TreeClassifier, TreeEstimator, TreeRegressor
from pyrrf.sklearn.calls import bag_size, forest_data, shared_data
from pyrrf.sklearn.parameters import r_seed
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.types import ClassWeight, PerFeature, PerLabel, RandomState, RowsLike, VectorLike


class RegularizedTrees(Selective, TreeEstimator):
    """Base of estimators and selectors whose trees share one set of features, those of `RRF`."""

    engine: str
    bootstrap: bool
    max_samples: int | float | None
    _reads_sparse = True

    @property
    def _parallel(self) -> bool:
        return self.engine != "r"

    def _keep_fit(self, fit: RRFResult) -> None:
        """Keep a fit, without the training data, and its results for the features."""
        fit.call, fit.arguments = " ".join(repr(self).split()), {}
        self.result_ = fit
        self.support_ = features_split(fit)
        self.coef_reg_ = fit.coefReg
        self.feature_importances_ = importance_shares(fit)


class _Forest(RegularizedTrees):
    """Base of the classifier and the regressor: the fit, and the error out of bag."""

    oob_score: bool

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            NaN is a missing number; engine r takes none. A matrix of scipy is not made dense; engine r reads it for
            classes only.
        y : array_like, shape (n,)
            Classes, or numbers.
        sample_weight : array_like of float, shape (n,), optional
            Weight of each drawn row in a node, not negative; engine 'parallel' only. Rows are drawn without weights.

        Returns
        -------
        RRFClassifier or RRFRegressor

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented; the message names it.
        """
        choice(self.engine, "engine", ENGINES)
        with_score, shown = flag(self.oob_score, "oob_score"), verbosity(self.verbose)
        sample = self._read_predictors(X, y)
        if with_score:
            self._check_out_of_bag(len(sample.y))
        response, _ = self._read_response(sample.y)
        shared = shared_data(self, forest_data(sample, self._numeric, sample_weight))
        with private_stream(r_seed(self.random_state)), bars(shown):
            # One forest needs no ranks that others share.
            self._keep_fit(shared.fit(shared.call))
        if with_score:
            self.oob_score_ = self._score_out_of_bag(response)
        return self

    def to_sklearn(self, X: RowsLike | None = None) -> Any:
        """Return the forest as one of scikit-learn, with the same trees, for tools that read these.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p), optional
            The training rows, which are counted in the nodes.

        Returns
        -------
        RandomForestClassifier or RandomForestRegressor
            Of `sklearn.ensemble`, fitted. The notes of `pyrrf.RRFResult.to_sklearn` say what X is for, and when a
            prediction may differ from that of this forest: equal votes are decided alike.

        Raises
        ------
        TypeError, ValueError
            The estimator is not fitted, X is not as in `fit`, or no threshold stands for a split of a category.
        """
        check_is_fitted(self)
        model = make_forest(self.result_, None if X is None else self._read_new(X)[0].values)
        for name in ("classes_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(model, name, getattr(self, name))
        return model

    def _check_out_of_bag(self, n: int) -> None:
        """Refuse bags that hold all of n rows, each once: no row would be out of any."""
        if not self.bootstrap and bag_size(self.max_samples, n) == n:
            raise bad.conflict(
                f"oob_score=True needs out-of-bag rows, but with bootstrap=False and max_samples={self.max_samples!r} "
                f"each tree draws all {n} rows; pass bootstrap=True, a smaller max_samples, or oob_score=False"
            )

    def _score_out_of_bag(self, response: np.ndarray) -> float:
        """Return the score of the predictions by the trees that had not drawn a row; warn of rows that lack one."""
        predicted = predictions_out_of_bag(self.result_)
        known = predicted >= 0 if predicted.dtype.kind == "i" else ~np.isnan(predicted)
        score = self._score(response[known], predicted[known]) if known.any() else float("nan")
        if not known.all():
            warn(
                f"{int((~known).sum())} of {len(known)} rows were drawn for every tree, so oob_score_ "
                f"{'is NaN' if np.isnan(score) else 'leaves them out'}; raise n_estimators"
            )
        elif np.isnan(score):
            warn("oob_score_ is NaN, because R² needs at least two out-of-bag rows; pass more rows")
        return score

    @staticmethod
    def _score(response: np.ndarray, predicted: np.ndarray) -> float:
        """Return the score of predictions, of one row at least."""
        raise NotImplementedError

    @property
    def _trees(self) -> Trees:
        """The trees, which are kept once, in the fit."""
        forest = self.result_.forest
        assert forest is not None
        return forest.trees


class RRFClassifier(TreeClassifier, _Forest):
    """A regularized random forest classifier: all trees together use few features.

    F is the set of features that earlier nodes of the forest have split on. A node considers all features in F, and
    `max_features` others, whose splits are penalized by the factor `coef_reg`. So a feature enters F only if it adds
    information to those in F. ``support_`` marks the features that the trees split on.

    Parameters
    ----------
    n_estimators : int, default 500
        Number of trees.
    coef_reg : float, array_like of shape (p,), dict, Series or None, default 0.8
        Factor on splits outside F (see `penalty`), from 0 to 1: one for all, or one for each feature (by name in a dict
        or Series); smaller values select fewer features. None grows an ordinary random forest.
    max_features : int, float, str or None, default 'sqrt'
        Number of features outside F that a node considers: an int; a fraction of all features, above 0 and at most 1.0;
        "sqrt" or "log2" (rounded down), or "ceil-sqrt" (rounded up); None for all.
    criterion : {"gini", "entropy"}, default 'gini'
        Impurity that a split decreases.
    penalty : {"criterion", "gain"}, optional
        What `coef_reg` multiplies: the criterion of the split, as R does, or the decrease of impurity, as in the paper.
        By default "criterion" for the Gini index, and "gain" for entropy, which has no other.
    candidates : {"selected", "mtry"}, default 'selected'
        The features that a node considers: all of F and `max_features` others, or `max_features` drawn from all.
    max_depth : int, optional
        Maximum tree depth; engine 'parallel' only.
    max_leaf_nodes : int, optional
        Maximum number of leaves of a tree.
    min_node_size : float, default 1
        Nodes of at most this size are not split (scikit-learn's `min_samples_split` less 1). There is no
        `min_samples_leaf`: as in R, a leaf may have any size.
    bootstrap : bool, default True
        Whether the rows of a tree are drawn with replacement, as many as there are. Without it they are 63.2 % of the
        rows, as in R, not all of them, as in scikit-learn's forests.
    max_samples : int or float, optional
        Number or fraction of the rows drawn for each tree, with or without replacement.
    class_weight : dict, Series or "balanced", optional
        Class weights (> 0). They are R's `classwt`, multiplied by the number of rows of each class.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Categorical columns: those of a table with categories or words, none, or those listed (positions, names or mask)
        and those of words. The page *Input* says how columns are read.
    feature_cost : array_like of shape (p,), dict or Series, optional
        Cost of each feature, at least 1; its coefficient is divided by it. In a dict or Series, by name; a feature
        that is not named costs 1.
    feature_groups : array_like of shape (p,), dict or Series, optional
        A label for each feature; the first split on a member of a group brings all its members into F. A feature
        without a label is its own group.
    initial_features : array_like of int, str or bool, optional
        Features that are in F from the start, so that they are not penalized.
    engine : {"parallel", "r"}, default 'parallel'
        "r" grows R's forest: with ``random_state=1`` that of ``pyrrf.RRF(..., seed=1)``, without missing values.
    oob_score : bool, default False
        Whether to compute ``oob_score_``. An error if all rows are drawn for each tree; a warning if some row is out
        of bag for no tree.
    n_jobs : int, optional
        Number of threads, as in `pyrrf.RRF`; 1 by default. Results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        An int is the `seed` of `pyrrf.RRF`; otherwise one is drawn. The stream of `pyrrf.set_seed` is not used.
    verbose : int, default 0
        1 shows a progress bar, if tqdm is installed.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    support_ : ndarray of bool, shape (n_features,)
        Mask of the features that the trees split on.
    n_features_ : int
        Number of selected features.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the decrease of impurity by all splits; they add up to 1 unless no tree splits.
    coef_reg_ : ndarray of float64, shape (n_features,)
        Coefficient of each feature, divided by its cost.
    oob_score_ : float
        Out-of-bag accuracy, with ``oob_score=True``. Optimistically biased, because features were selected on all rows:
        0.68 for 60 rows of 2,000 random columns, where chance is 0.5. Use cross-validation of the forest for an
        unbiased estimate. For an ordinary forest, ``coef_reg=None``, it is not biased.
    result_ : RRFClassification
        The fit of `pyrrf.RRF`, without the training data, for `pyrrf.predict`, `pyrrf.getTree` and the like. Its
        ``feaSet`` is F, with initial features and members of groups that no tree splits by.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    RRFRegressor : The same for regression.
    GRRFSelector : Features of a guided forest, for a pipeline.
    pyrrf.RRF : The function of R.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012, algorithm 1; R's package RRF.

    `predict` takes the class with the most votes, the first one of equals; `pyrrf.predict` of ``result_`` draws one of
    equals, as R does.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import RRFClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> forest = RRFClassifier(50, coef_reg=0.5, random_state=1).fit(X, y)
    >>> X.columns[forest.support_].tolist()
    ['alcalinity_of_ash', 'flavanoids']
    """

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        coef_reg: ArrayLike | None = 0.8,
        max_features: int | float | str | None = "sqrt",
        criterion: str = "gini",
        penalty: str | None = None,
        candidates: str = "selected",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_node_size: float = 1,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        class_weight: ClassWeight = None,
        categorical_features: ArrayLike | None = "from_dtype",
        feature_cost: PerLabel | None = None,
        feature_groups: PerFeature | None = None,
        initial_features: ArrayLike | None = None,
        engine: str = "parallel",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.coef_reg = coef_reg
        self.max_features = max_features
        self.criterion = criterion
        self.penalty = penalty
        self.candidates = candidates
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_node_size = min_node_size
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.feature_cost = feature_cost
        self.feature_groups = feature_groups
        self.initial_features = initial_features
        self.engine = engine
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @staticmethod
    def _score(response: np.ndarray, predicted: np.ndarray) -> float:
        return float((predicted == response).mean())


class RRFRegressor(TreeRegressor, _Forest):
    """A regularized random forest regressor: all trees together use few features.

    By default a node considers all features in F (see `RRFClassifier`) and `max_features` others, whose gains are
    multiplied by `coef_reg`, as in the papers. R's rule, ``candidates="mtry"``, draws `max_features` of all features
    and selects many more irrelevant ones.

    Parameters
    ----------
    n_estimators : int, default 500
        Number of trees; this and what is not described is as in `RRFClassifier`.
    coef_reg : float, array_like of shape (p,), dict, Series or None, default 0.8
        Factor on splits outside F, from 0 to 1; smaller values select fewer features. None grows an ordinary forest.
    max_features : int, float, str or None, default 0.3333333333333333
        Number of features outside F that a node considers; by default a third of all.
    criterion : {"variance"}, default 'variance'
        Impurity that a split decreases.
    penalty : {"gain"}, default 'gain'
        The decrease of impurity; R's rule for regression, too.
    candidates : {"selected", "mtry"}, default 'selected'
        ``engine="r"`` needs "mtry".
    max_depth : int, optional
        Maximum depth of a tree; unlimited by default.
    max_leaf_nodes : int, optional
        Maximum number of leaves of a tree; unlimited by default.
    min_node_size : float, default 5
        Nodes of at most this size are not split, except the root.
    bootstrap : bool, default True
        Whether the rows of a tree are drawn with replacement; otherwise they are 63.2 % of the rows.
    max_samples : int or float, optional
        Number or fraction of the rows drawn for each tree, with or without replacement.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Categorical columns: those of a table with categories or words, none, or those listed (positions, names or mask)
        and those of words.
    feature_cost : array_like of shape (p,), dict or Series, optional
        Cost of each feature, at least 1, by which its coefficient is divided.
    feature_groups : array_like of shape (p,), dict or Series, optional
        A label for each feature; the first split on a member of a group removes the penalty of all.
    initial_features : array_like of int, str or bool, optional
        Engine 'parallel' only.
    engine : {"parallel", "r"}, default 'parallel'
        "r" grows R's forests, without missing values.
    oob_score : bool, default False
        Whether to compute ``oob_score_``.
    n_jobs : int, optional
        Number of threads; results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        1 shows a progress bar, if tqdm is installed.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        Mask of the features that the trees split on.
    n_features_ : int
        Number of selected features.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the decrease of the sum of squares by all splits.
    coef_reg_ : ndarray of float64, shape (n_features,)
        Coefficient of each feature, divided by its cost.
    oob_score_ : float
        Out-of-bag R², with ``oob_score=True``; optimistic, as in `RRFClassifier`.
    result_ : RRFRegression
        The fit of `pyrrf.RRF`, without the training data.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    RRFClassifier : The same for classification.
    GRRFSelector : Features of a guided forest, for a pipeline.
    pyrrf.RRF : The function of R.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012, algorithm 1; R's package RRF.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_friedman1
    >>> from pyrrf.sklearn import RRFRegressor
    >>> X, y = make_friedman1(300, n_features=50, random_state=1)  # the first five are informative
    >>> forest = RRFRegressor(50, coef_reg=0.1, random_state=1).fit(X, y)
    >>> np.flatnonzero(forest.support_)
    array([0, 1, 3])
    """

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        coef_reg: ArrayLike | None = 0.8,
        max_features: int | float | str | None = 1 / 3,
        criterion: str = "variance",
        penalty: str = "gain",
        candidates: str = "selected",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_node_size: float = 5,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        categorical_features: ArrayLike | None = "from_dtype",
        feature_cost: PerLabel | None = None,
        feature_groups: PerFeature | None = None,
        initial_features: ArrayLike | None = None,
        engine: str = "parallel",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.coef_reg = coef_reg
        self.max_features = max_features
        self.criterion = criterion
        self.penalty = penalty
        self.candidates = candidates
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_node_size = min_node_size
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.categorical_features = categorical_features
        self.feature_cost = feature_cost
        self.feature_groups = feature_groups
        self.initial_features = initial_features
        self.engine = engine
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._parallel
        return tags

    @staticmethod
    def _score(response: np.ndarray, predicted: np.ndarray) -> float:
        error, spread = ((response - predicted) ** 2).sum(), ((response - response.mean()) ** 2).sum()
        if len(response) < 2:
            return float("nan")
        # Of equal numbers, as scikit-learn has it.
        return float(1 - error / spread) if spread > 0 else float(error == 0)


def predictions_out_of_bag(fit: RRFResult) -> np.ndarray:
    """Return a code or a number for each row; -1 or NaN if every tree had drawn it."""
    outcome = fit.outcome
    assert isinstance(outcome, ClassOutcome | RegressionOutcome)
    assert outcome.predicted is not None
    return outcome.predicted
