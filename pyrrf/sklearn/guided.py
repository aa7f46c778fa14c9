"""GRRFSelector: the features of a guided regularized random forest, and the base of its relatives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from pyrrf.checks import choice, count, numbers, share, verbosity
from pyrrf.data.alignment import per_label
from pyrrf.data.identifiers import already_warned
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.fit.engine import ENGINES
from pyrrf.fit.fitting import SharedData, guide_call, guided_coefficients
from pyrrf.fit.path import features_split
from pyrrf.fit.progress import bars
from pyrrf.fit.ranges import features_until, grow_range, mean_decrease, tree_ranges
from pyrrf.fit.reading import Data
from pyrrf.random import draw_seed, private_stream
from pyrrf.result.rrf import RRFResult
from pyrrf.sklearn.base import FeatureSelector
from pyrrf.sklearn.calls import forest_data, shared_data
from pyrrf.sklearn.forests import RegularizedTrees, RRFClassifier, RRFRegressor
from pyrrf.sklearn.jobs import other_processes, share_out
from pyrrf.sklearn.parameters import is_regression, r_seed
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.sklearn.sample import Sample, check_several
from pyrrf.types import Floats, RandomState, RowsLike, VectorLike

# gamma by default, for classes and for regression (True). The one for regression was measured (benchmarks/GAMMAS.md):
# with 0.5 most features are kept, since the gain is penalized, and not the criterion as for classes.
DEFAULT_GAMMAS = {False: 0.5, True: 0.9}
# Ranges of trees for each job: enough that jobs end at about the same time, and that little is lost with a worker.
_RANGES = 4
# Number added to the score of a feature that is selected, of which the guide may know nothing.
ABOVE_0 = 1e-9
# Trees of the guide for each tree of the forest.
_GUIDE_TREES = 10


class SilentGuideError(ValueError):
    """A guide takes no feature for important."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Guidance:
    """Importances of a guide, and the stream as it left it, from which each regularized forest starts."""

    shares: Floats  # float64, shape (p,): importances divided by the largest
    seed: int
    state: tuple[Any, Any]
    base: float  # `lambda0`
    shown: bool  # whether bars are shown


def _parameter_of_forest(name: str, default: Any) -> Any:
    """Return the property of a selector that is a parameter of its `forest`; of the default forest, `default`."""
    return property(lambda self: default if self.forest is None else getattr(self.forest, name))


class GuidedSelector(FeatureSelector, RegularizedTrees):
    """Base of the selectors whose forests are guided. A subclass has the parameters of `GRRFSelector`, but gamma."""

    categorical_features = _parameter_of_forest("categorical_features", "from_dtype")
    engine = _parameter_of_forest("engine", "parallel")
    feature_cost = _parameter_of_forest("feature_cost", None)
    feature_groups = _parameter_of_forest("feature_groups", None)
    guide: Any
    lambda0: float
    n_estimators: int | None
    forest: RRFClassifier | RRFRegressor | None
    task: str

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Sample, Data]:
        """Check X and y; return the sample, and the data for forests."""
        verbosity(self.verbose)
        if grows_guide(self.guide):
            guide_trees(self.guide, 1)  # refused before folds take their time
        numeric = self._holds_numbers(y)  # checks `forest`, whose the engine is
        choice(self.engine, "engine", ENGINES)
        sample = self._read_predictors(X, y, numeric)
        data = forest_data(sample, numeric, sample_weight)
        counted = slice(None) if data.row_weight is None else data.row_weight > 0
        check_several(sample.y[counted], numeric)
        return sample, data

    def _holds_numbers(self, y: Any) -> bool:
        """Whether it is a regression."""
        return is_regression(y, self.task, forest=(self.forest, self._forest_means_regression()))

    def _forest_means_regression(self) -> bool | None:
        """Whether the forest is one for regression; None without one."""
        if not (self.forest is None or isinstance(self.forest, RRFClassifier | RRFRegressor)):
            raise bad.type(f"forest must be RRFClassifier(...) or RRFRegressor(...), not {self.forest!r}")
        return None if self.forest is None else isinstance(self.forest, RRFRegressor)

    def _forest_for(self, numeric: bool) -> RRFClassifier | RRFRegressor:
        """Return the regularized forest before its coefficients are known, unfitted; `numeric`: for regression."""
        kind = RRFRegressor if numeric else RRFClassifier
        own: RRFClassifier | RRFRegressor = kind() if self.forest is None else clone(self.forest)
        own.set_params(coef_reg=1.0, n_jobs=self.n_jobs)
        if self.n_estimators is not None:
            own.set_params(n_estimators=self.n_estimators)
        return own

    def _score_features(self, kept: np.ndarray, shares: Floats) -> Floats:
        """Return the guide's share of the importance of each feature that is kept, above 0, and 0 for the others.

        A guide that is given as numbers knows nothing of the rows: 1 each.
        """
        scores = kept.astype(np.float64)
        asked = grows_guide(self.guide) or hasattr(self.guide, "fit") or callable(self.guide)
        return scores * (shares / shares.sum() + ABOVE_0) if asked else scores

    def _keep_guided(self, guidance: Guidance, fit: RRFResult) -> None:
        """Keep the importances of the guide, and the regularized forest."""
        self.guide_importances_ = guidance.shares
        self._keep_fit(fit)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._parallel
        return tags


class GRRFSelector(GuidedSelector):
    """Selects the features of a guided regularized random forest, GRRF.

    A guide, by default an ordinary random forest, gives the importance of each feature. Then a regularized forest is
    grown, in which the coefficient of a feature is ``(1 - gamma) * lambda0 + gamma * s``, where s is its importance
    divided by the largest. The features that its trees split on are selected.

    Parameters
    ----------
    guide : int, array_like, dict, Series, estimator, callable or None, default None
        Source of the importances: an int, an ordinary forest of so many trees, and None one of ten times as many as
        the regularized forest has, as in the command; numbers, one for each feature or, in a dict or Series, by name;
        an estimator with ``feature_importances_`` or ``coef_`` after its fit, of which a clone is fitted (absolute
        coefficients are used); or a function of X and y. Negative importances count as 0. An estimator or a function
        gets X and y alone, X as an array if all columns are numeric. With few trees in the guide, the selected features
        vary with the seed (`benchmarks/GUIDES.md`).
    gamma : float or "auto", default 'auto'
        Weight of the guide, from 0 to 1; larger values select fewer features. The best one depends on the data. "auto"
        is 0.5 for classification and 0.9 for regression, where each value selects more (`benchmarks/GAMMAS.md`).
    lambda0 : float, default 1.0
        Coefficient of all features at ``gamma=0``, from 0 to 1.
    n_estimators : int, optional
        Number of trees of the regularized forest; by default that of `forest`, 500.
    forest : RRFClassifier or RRFRegressor, optional
        The regularized forest, by default `RRFClassifier` or `RRFRegressor`, by what y means. Its parameters decide how
        trees are grown, and which features are categorical, cost more, belong together or are in F from the start;
        costs, groups and initial features do not concern the guide. Its `coef_reg`, `oob_score`, `n_jobs`,
        `random_state` and `verbose` have no effect: the guide gives the coefficients, and the selector the others. A
        search over ``forest__max_depth`` needs a `forest` that is not None.
    task : {"auto", "classification", "regression"}, default 'auto'
        What y means; "auto" lets the kind of `forest` decide, or else y, as the page *Input* says. Set it if y holds
        whole numbers and the selector is fitted to folds: on one of them y may be read otherwise.
    n_jobs : int, optional
        Number of threads; results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        An int is the `seed` of `pyrrf.GRRF`; otherwise one is drawn.
    verbose : int, default 0
        1 shows progress bars, if tqdm is installed.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        Mask of the selected features.
    n_features_ : int
        Number of selected features.
    gamma_ : float
        The gamma used.
    guide_importances_ : ndarray of float64, shape (n_features,)
        Importances by the guide, divided by the largest.
    coef_reg_ : ndarray of float64, shape (n_features,)
        Coefficient of each feature, divided by its cost.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the decrease of impurity in the regularized forest.
    result_ : RRFClassification or RRFRegression
        The regularized forest as `pyrrf.RRF` returns it. The out-of-bag error that it prints is optimistic: about .24
        on 60 rows of 2,000 random numbers, where the true error is .5.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    GRRFSelectorCV : The same with gamma by cross-validation.
    EliminationSelector : A small subset of a given size.
    pyrrf.GRRF : The forest, as R grows it.

    Notes
    -----
    H. Deng and G. Runger, Gene selection with guided regularized random forest, 2013, section 3. The same gamma, as
    many trees in both forests and ``forest=RRFClassifier(engine="r")``, or ``RRFRegressor(engine="r",
    candidates="mtry")``, give the answer of ``pyrrf.GRRF(..., seed=random_state)``, and so that of R.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import GRRFSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = GRRFSelector(200, gamma=0.9, n_estimators=50, random_state=1).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['flavanoids', 'color_intensity', 'hue', 'proline']
    """

    def __init__(
        self,
        guide: Any = None,
        *,
        gamma: float | str = "auto",
        lambda0: float = 1.0,
        n_estimators: int | None = None,
        forest: RRFClassifier | RRFRegressor | None = None,
        task: str = "auto",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.guide = guide
        self.gamma = gamma
        self.lambda0 = lambda0
        self.n_estimators = n_estimators
        self.forest = forest
        self.task = task
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Grow the guide and the regularized forest, and select the features that it splits on.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            NaN is a missing number; engine r takes none. A matrix of scipy is not made dense; engine r reads it for
            classes only.
        y : array_like, shape (n,)
            Classes, or numbers.
        sample_weight : array_like of float, shape (n,), optional
            Weights of the rows in both forests; engine 'parallel' only.

        Returns
        -------
        GRRFSelector

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented; the message names it.
        """
        shared, guidance, gamma = self._consult_guide(X, y, sample_weight)
        self._keep_guided(guidance, guided_fit(shared, guidance, gamma))
        self.gamma_ = gamma
        return self

    def _scores(self, X: Any, y: Any, sample_weight: Any) -> Floats:
        """Return ``self._score_features()`` of ``fit()``; trees are grown only until all features are split by."""
        shared, guidance, gamma = self._consult_guide(X, y, sample_weight)
        return self._score_features(guided_features(shared, guidance, gamma, shared.call.ntree), guidance.shares)

    def _consult_guide(self, X: Any, y: Any, sample_weight: Any) -> tuple[SharedData, Guidance, float]:
        """Return the data, the guide's importances, and gamma."""
        sample, data = self._read(X, y, sample_weight)
        numeric = data.labels is None
        shared, gamma = shared_data(self._forest_for(numeric), data), self._resolved_gamma(numeric)
        return shared, consult(self, shared, sample.rows, sample.y, r_seed(self.random_state)), gamma

    def _resolved_gamma(self, numeric: bool) -> float:
        if not isinstance(self.gamma, str):
            return share(self.gamma, "gamma")
        if self.gamma != "auto":
            raise bad.range(f"gamma must be 'auto' or a number from 0 to 1, not {self.gamma!r}")
        return DEFAULT_GAMMAS[numeric]


@already_warned()
def consult(options: Any, shared: SharedData, rows: Any, y: np.ndarray, seed: int) -> Guidance:
    """Ask the guide of an estimator with the parameters of `GRRFSelector`; gamma is not looked at.

    An estimator or a function gets `rows` and `y`; an ordinary forest draws first from the stream of `seed`.
    """
    base, shown = share(options.lambda0, "lambda0"), verbosity(options.verbose)
    # Arguments that the regularized forests refuse are refused before the guide is asked.
    shared.task(shared.call)
    with private_stream(seed) as stream, bars(shown):
        if grows_guide(options.guide):
            importances = forest_importances(options, shared)
        else:
            importances = asked_importances(options.guide, rows, y, shared.data)
        state = stream.get_state()
    if importances.max() <= 0:
        raise bad.undefined(
            "the guide gives importance 0 to all features; pass another, or np.ones(X.shape[1]) for equal importances",
            "guide",
            kind=SilentGuideError,
        )
    shares = importances / importances.max()
    return Guidance(shares=shares, seed=seed, state=state, base=base, shown=shown)


def grows_guide(guide: Any) -> bool:
    """Whether an ordinary forest guides: by default, or of a number of trees."""
    return guide is None or (isinstance(guide, int | np.integer) and not isinstance(guide, bool))


def guide_trees(guide: int | None, n_trees: int) -> int:
    """Return the number of trees of an ordinary forest that guides; the rule was measured (benchmarks/GUIDES.md)."""
    return _GUIDE_TREES * n_trees if guide is None else count(guide, "guide")


def forest_importances(options: Any, shared: SharedData) -> Floats:
    """Return the importances by an ordinary forest, float64, shape (p,), drawn from the current stream.

    Where joblib's tasks run in other processes, trees of engine parallel are shared out. R's trees follow each other in
    one stream, and threads share memory.
    """
    ntree = guide_trees(options.guide, shared.call.ntree)
    call = replace(guide_call(shared.call), ntree=ntree, keep_forest=False)
    jobs = other_processes(options.n_jobs) if shared.engine.parallel else 1
    if jobs == 1:
        return np.asarray(shared.fit(call).outcome.importance[:, -1])
    common = (shared.with_jobs(1), call, draw_seed())
    splits = share_out(grow_range, common, tree_ranges(ntree, _RANGES * jobs), options.n_jobs)
    return mean_decrease(splits, shared.data.shape[1], ntree)


def asked_importances(guide: Any, rows: Any, y: np.ndarray, data: Data) -> Floats:
    """Return the importances that a guide other than an ordinary forest gives, float64, shape (p,), at least 0."""
    known = callable(guide) or hasattr(guide, "fit") or hasattr(guide, "__len__")
    if not known or isinstance(guide, type | str | bytes):
        raise bad.type(
            "guide must be an int (a number of trees), an array of importances, an estimator or a function of X and y, "
            f"not {guide!r}"
        )
    if hasattr(guide, "fit"):
        guide = estimator_importances(clone(guide).fit(rows, y))
    elif callable(guide):
        guide = guide(rows, y)
    return np.maximum(numbers(per_label(guide, "guide", data.x.columns, 0.0), "guide"), 0.0)


def estimator_importances(estimator: Any) -> Floats:
    """Return the importances of a fitted estimator, or absolute coefficients, summed if several."""
    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    if hasattr(last, "feature_importances_"):
        return np.asarray(last.feature_importances_, np.float64)
    if hasattr(last, "coef_"):
        return np.asarray(np.abs(np.atleast_2d(last.coef_)).sum(axis=0), np.float64)
    raise bad.fit(
        f"guide {last!r} has no feature_importances_ or coef_ once fitted; pass another, or a function of X and y",
        kind=TypeError,
    )


def guided_fit(shared: SharedData, guidance: Guidance, gamma: float) -> RRFResult:
    """Return the fit of a regularized forest, without the training data."""
    with _after(guidance):
        fit = shared.fit(guided_call(shared.call, guidance, gamma))
    fit.arguments = {}
    return fit


def guided_features(shared: SharedData, guidance: Guidance, gamma: float, quiet: int) -> np.ndarray:
    """Return the mask of features in trees of `guided_fit`, bool, shape (p,), until `quiet` bring no new one.

    R's trees follow each other in one stream, and all are grown.
    """
    if not shared.engine.parallel:
        return features_split(guided_fit(shared, guidance, gamma))
    with _after(guidance):
        return features_until(shared, guided_call(shared.call, guidance, gamma), quiet)


def guided_call(call: Call, guidance: Guidance, gamma: float) -> Call:
    """Return the call of a regularized forest."""
    return replace(call, coefReg=guided_coefficients(guidance.shares, gamma, guidance.base))


@contextmanager
def _after(guidance: Guidance) -> Iterator[None]:
    """Draw from the stream as the guide left it."""
    with private_stream(guidance.seed) as stream, bars(guidance.shown):
        stream.set_state(*guidance.state)
        yield
