"""StabilitySelector: the features that a selector keeps on many halves of the rows."""

from __future__ import annotations

import warnings
from inspect import Parameter, signature
from itertools import chain
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length, column_or_1d, has_fit_parameter, validate_data

from pyrrf.checks import choice, count, number, verbosity, warn
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.columns import read_columns, warn_before_parts
from pyrrf.data.identifiers import already_warned
from pyrrf.data.predictors import ConstantFeaturesError
from pyrrf.data.response import check_response, without_decimals
from pyrrf.errors import bad
from pyrrf.selectors.stability import (
    ASSUMPTIONS,
    NoiseLevel,
    NoThresholdError,
    complementary_pairs,
    false_selection_bound,
    largest_selection,
    least_count,
    noise_level,
    stability_threshold,
)
from pyrrf.selectors.substitutes import rank_correlations, substitutes_table
from pyrrf.sklearn.base import FeatureSelector, weights_of
from pyrrf.sklearn.guided import ABOVE_0, GRRFSelector, GuidedSelector, SilentGuideError
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import TASKS, new_seed
from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.sklearn.sample import part
from pyrrf.types import Floats, Positions, RandomState, RowsLike, VectorLike

# Fewer rows have no halves with two rows each.
_FEWEST_ROWS = 4
_SEEDS = 1 << 31


class StabilitySelector(MetaEstimatorMixin, FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """Stability selection: features that a selector selects on many half-samples, with a bound on features of noise.

    The subset of one fit depends on its seed and its rows. Here clones of the selector are fitted to many random pairs
    of complementary halves of the rows (half-samples), and a feature is selected if its selection frequency over them
    reaches a threshold. As many clones are fitted with a quarter of the features shuffled: they say how often each
    feature would be selected if it were noise, and which importance it would have. On a half-sample a feature counts as
    selected if it is more important than it is, but rarely, as noise.

    Parameters
    ----------
    selector : selector
        Anything with ``get_support()`` or ``support_``, such as `GRRFSelector`, or a pipeline
        that ends in it. Each clone gets its own `random_state`. In a `GRRFSelector` without `guide`,
        the guide of a clone has as many trees as its forest, not ten times as many, to save time.
        The importance of a feature is the guide's, or ``feature_importances_``; without them only how often noise is
        selected is known.
    n_pairs : int, default 50
        Number of pairs of half-samples, which have no row in common. For classification they are stratified by class.
    threshold : float, optional
        Smallest selection frequency of a selected feature, above 0 and at most 1. By default the smallest that bounds
        the expected number of selected noise features by `pfer`; if there is none, the threshold is 1, the bound
        exceeds `pfer`, and a warning says so.
    pfer : float, default 1.0
        Largest expected number of noise features among those selected (per-family error rate). Noise are features that
        are independent of y.
    assumption : {"none", "unimodal"}, default 'unimodal'
        Assumption of the bound on the distribution, over samples, of how often both halves of a pair select a feature
        of noise. "none" gives higher thresholds.
    task : {"auto", "classification", "regression"}, default 'auto'
        What y means, for each of pyrrf's selectors inside; by default as each decides, on all rows.
    n_removals : int, default 5
        Number of half-samples on which each selected feature is removed, to see which feature replaces it; 0 for none.
    n_jobs : int, optional
        Jobs of joblib, threads unless its ``parallel_config`` is set; results do not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        Whether to show a progress bar over the half-samples.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        Mask of the selected features.
    n_features_ : int
        Number of selected features.
    selection_frequencies_ : ndarray of float64, shape (n_features,)
        Share of the half-samples on which each feature was selected.
    noise_frequencies_ : ndarray of float64, shape (n_features,)
        Share of the half-samples on which each feature was selected although it was shuffled.
    threshold_ : float
        Smallest selection frequency of a selected feature.
    pfer_bound_ : float
        Bound on the expected number of noise features among those selected; at most p.
    n_features_half_ : float
        Mean number of features selected on a half-sample, q.
    substitutes_ : DataFrame
        Features that could replace a selected one, the best first: ``feature`` and ``substitute``, by name or
        position; ``correlation``, Spearman's; ``replaces``, by how much the substitute's selection frequency increases
        when the feature is removed. Listed are correlations of at least .7 (absolute) or increases of at least .4,
        at most 10 for each feature.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    StabilityDisplay : How often each feature was kept.
    RedundancyDisplay : Which features stand for each other.
    EliminationSelector : A small subset of a given size.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 3; N. Meinshausen and P. Buehlmann,
    Stability selection, 2010. The papers know no classes, and suppose that noise is selected no more often than by lot;
    here its probability is measured. Features that are correlated with informative ones are not independent of y, and
    so no noise.

    A removed feature is a column of one value, without information; the same rows and seeds are selected from again.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pyrrf.sklearn import GRRFSelector, StabilitySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> few = GRRFSelector(50, gamma=0.9, n_estimators=20)
    >>> stable = StabilitySelector(few, n_pairs=10, random_state=1).fit(X, y)
    >>> stable.get_feature_names_out().tolist()
    ['worst perimeter', 'worst concave points']
    """

    def __init__(
        self,
        selector: Any,
        *,
        n_pairs: int = 50,
        threshold: float | None = None,
        pfer: float = 1.0,
        assumption: str = "unimodal",
        task: str = "auto",
        n_removals: int = 5,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.selector = selector
        self.n_pairs = n_pairs
        self.threshold = threshold
        self.pfer = pfer
        self.assumption = assumption
        self.task = task
        self.n_removals = n_removals
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Fit the selector to half-samples, and select the features with a high enough selection frequency.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            What the selector takes; a table reaches it as a DataFrame with its names and categories.
        y : array_like, shape (n,)
            Classes, or numbers.
        sample_weight : array_like of float, shape (n,), optional
            Weight of each row; the selector gets those of each half-sample. Rows of weight 0 are left out.

        Returns
        -------
        StabilitySelector

        Raises
        ------
        TypeError, ValueError
            A parameter, X or y is not as documented.
        """
        n_pairs, removals = count(self.n_pairs, "n_pairs"), count(self.n_removals, "n_removals", 0)
        choice(self.assumption, "assumption", ASSUMPTIONS)
        number(self.pfer, "pfer")
        verbosity(self.verbose)
        rows, values, weight = self._read(X, y, sample_weight)
        self._check_limit(rows.shape[1], n_pairs)
        warn_before_parts(rows)
        selector = with_task_of(self.selector, y, choice(self.task, "task", TASKS))
        common = selector, rows, values, weight
        random = np.random.default_rng(new_seed(self.random_state))
        halves = complementary_pairs(len(values), n_pairs, random, classes_to_halve(values)).reshape(2 * n_pairs, -1)
        seeds = random.integers(_SEEDS, size=len(halves)).tolist()
        groups = shuffled_groups(rows.shape[1], len(halves), random)
        unit = "half-sample" if verbosity(self.verbose) else ""
        own = self._scores(half_scores, common, list(zip(halves, seeds, strict=True)), unit)
        tasks = [(halves[index], int(random.integers(_SEEDS)), columns) for index, columns in enumerate(chain(*groups))]
        with warnings.catch_warnings():  # of features that are shuffled, which nobody has asked for
            warnings.simplefilter("ignore")
            shuffled = self._scores(half_scores, common, tasks, unit)
        if not own.any():  # all rows are refused where all features are constant in them
            selection_scores(*common, seeds[0])
        noise = noise_level(scores_of_shuffled(shuffled, groups), self.pfer)
        supports = own > noise.cut
        self._keep(supports, noise)
        self.substitutes_ = self._substitutes(common, halves, seeds, supports, noise.cut, removals)
        return self

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, np.ndarray, Floats | None]:
        """Check X, y and weights as far as halves need it; the selector checks the rest. Omit rows of weight 0."""
        if isinstance(self.selector, type) or not hasattr(self.selector, "fit"):
            raise bad.type(f"selector must be a selector instance, such as GRRFSelector(), not {self.selector!r}")
        check_response(y)
        check_rows(y, "y", row_labels(X), "X")
        check_rows(sample_weight, "sample_weight", row_labels(X), "X")
        y = without_decimals(y)
        # A half may lack a word, or have each of them once.
        X, frame = read_columns(X, getattr(self.selector, "categorical_features", None))
        tags = get_tags(self).input_tags
        if frame is not None or isinstance(X, pd.DataFrame):
            validate_data(self, X, y, skip_check_array=True)
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
            X = X if frame is None else frame
        else:
            finite = "allow-nan" if tags.allow_nan else True
            X, y = validate_data(self, X, y, dtype=None, accept_sparse=tags.sparse and "csr", ensure_all_finite=finite)
        weight = None if sample_weight is None else weights_of(sample_weight, y)
        weights_for(self.selector, weight)  # refused before the halves take their time
        if weight is not None and not weight.all():
            counted = np.flatnonzero(weight)
            X, y, weight = part(X, counted), y[counted], weight[counted]
        if len(y) < _FEWEST_ROWS:
            raise bad.rows(f"X has n_samples={len(y)} rows; two half-samples need at least {_FEWEST_ROWS}")
        return X, y, weight

    def _check_limit(self, p: int, n_pairs: int) -> None:
        """Raise ValueError for a threshold or a limit that no result of the halves can satisfy."""
        if self.threshold is not None:
            least_count(self.threshold, n_pairs)
        elif not largest_selection(p, self.pfer, n_pairs, self.assumption):
            raise bad.range(
                f"with {p} features no threshold bounds the expected number of noise features by pfer={self.pfer}; "
                "pass a larger pfer, or a threshold",
                "pfer",
            )

    def _scores(self, function: Any, common: Common, tasks: list[Any], unit: str = "") -> Floats:
        """Return the scores by clones of a selector, shape (len(tasks), p)."""
        scores = share_out(function, common, tasks, self.n_jobs, unit)
        return np.array(scores, np.float64).reshape(len(tasks), self.n_features_in_)

    def _keep(self, supports: np.ndarray, noise: NoiseLevel) -> None:
        """Set the attributes, from the features that each half selected and the frequencies of noise."""
        p, n_pairs, counts = self.n_features_in_, len(supports) // 2, supports.sum(axis=0)
        self.selection_frequencies_, self.noise_frequencies_ = counts / len(supports), noise.frequencies
        self.n_features_half_ = float(counts.sum() / len(supports))
        q = noise.q if counts.any() else 0.0
        self.threshold_ = self._resolved_threshold(q, n_pairs)
        self.pfer_bound_ = false_selection_bound(q, p, self.threshold_, n_pairs, self.assumption) if q else 0.0
        self.support_ = counts >= least_count(self.threshold_, n_pairs)

    def _resolved_threshold(self, q: float, n_pairs: int) -> float:
        """Return the threshold for the number of noise features of a half; warn if none keeps the limit."""
        if self.threshold is not None or not q:
            return 1.0 if self.threshold is None else float(self.threshold)
        try:
            return stability_threshold(q, self.n_features_in_, self.pfer, n_pairs, self.assumption)
        except NoThresholdError as error:
            warn(f"{error}. Only features that were selected on all half-samples are selected")
            return 1.0

    def _substitutes(
        self,
        common: Common,
        halves: Positions,
        seeds: list[int],
        supports: np.ndarray,
        cut: Floats,
        removals: int,
    ) -> pd.DataFrame:
        """Return the table of substitutes."""
        kept = np.flatnonzero(self.support_)
        tried = [(feature, half) for feature in kept for half in np.flatnonzero(supports[:, feature])[:removals]]
        with warnings.catch_warnings():
            # Some selectors say that the column has one value.
            warnings.simplefilter("ignore")
            removed = [(halves[half], seeds[half], feature) for feature, half in tried]
            without = self._scores(scores_without, common, removed) > cut
        gains = np.zeros((len(kept), self.n_features_in_))
        for (feature, half), support in zip(tried, without, strict=True):
            gains[np.searchsorted(kept, feature)] += support.astype(float) - supports[half]
        times = np.bincount(np.searchsorted(kept, [feature for feature, _ in tried]), minlength=len(kept))
        shares = gains / np.maximum(times, 1)[:, None]
        labels = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        return substitutes_table(kept, rank_correlations(common[1], kept), shares, labels)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not isinstance(self.selector, type) and hasattr(self.selector, "fit"):
            inner = get_tags(self.selector).input_tags
            tags.input_tags.allow_nan, tags.input_tags.sparse = inner.allow_nan, inner.sparse
        return tags


# Selector, X, y and the weights of the rows, as the tasks get them.
Common = tuple[Any, Any, np.ndarray, Floats | None]

# ---- one half ------------------------------------------------------------------------------------


def classes_to_halve(y: np.ndarray) -> np.ndarray | None:
    """Return y if its values are to be halved each: classes, and whole numbers, where it does no harm."""
    # As type_of_target of scikit-learn, which in 1.7 warns where most whole numbers differ.
    if (y.dtype.kind == "f" and (y != np.floor(y)).any()) or (y.dtype == object and not isinstance(y[0], str)):
        return None
    classes, sizes = np.unique(y, return_counts=True)
    if len(classes) == 2 and sizes.min() < 2:
        alone = classes.tolist()[sizes.argmin()]
        raise bad.rows(
            f"class {alone!r} has only one row, but each half-sample needs one; pass at least 2 per class", "y"
        )
    return y


def with_task_of(selector: Any, y: Any, task: str) -> Any:
    """Return a clone of a selector, or of a pipeline with one, that reads each half of y as it reads all of it."""
    own = clone(selector)
    for one in (own, *own.get_params().values()):
        if not hasattr(one, "_holds_numbers"):
            continue
        if task != "auto":
            one.set_params(task=task)
        one.set_params(task="regression" if one._holds_numbers(y) else "classification")
        # Trees of the guide on a half, by default.
        if isinstance(one, GuidedSelector) and one.guide is None:
            one.set_params(guide=one._forest_for(one.task == "regression").n_estimators)
    return own


# Errors of a selector where the rows have no information on any feature.
NOTHING_TO_SELECT = (ConstantFeaturesError, SilentGuideError)


@already_warned()
def half_scores(
    selector: Any,
    rows: Any,
    y: np.ndarray,
    weight: Floats | None,
    half: Positions,
    seed: int,
    shuffled: Positions | None = None,
) -> Floats:
    """Return the scores of the features by a clone of the selector that is fitted to half of the rows.

    Some columns may be `shuffled` there. All scores are 0 where the half shows nothing of any feature, as where all are
    constant.
    """
    own = part(rows, half)
    if shuffled is not None:
        own = with_shuffled(own, shuffled, np.random.default_rng(seed).permutation(len(half)))
    try:
        return selection_scores(selector, own, y[half], None if weight is None else weight[half], seed)
    except ValueError as error:
        if shuffled is None and not isinstance(error, NOTHING_TO_SELECT):
            raise
        return np.zeros(rows.shape[1])


@already_warned()
def scores_without(
    selector: Any, rows: Any, y: np.ndarray, weight: Floats | None, half: Positions, seed: int, removed: int
) -> Floats:
    """Return the scores by a clone of the selector that is fitted to some rows in which a column has no information.

    0 each, if that makes the selector fail: there may be nothing else to select.
    """
    try:
        return half_scores(selector, with_one_value(rows, removed), y, weight, half, seed)
    except ValueError:
        return np.zeros(rows.shape[1])


def selection_scores(selector: Any, rows: Any, y: np.ndarray, weight: Floats | None, seed: int) -> Floats:
    """Return the importance of each feature that a clone of the selector selects, 0 for the others, shape (p,).

    Above 0; 1 each if the selector has no importances.
    """
    own = set_seeds(clone(selector), seed)
    if isinstance(own, GRRFSelector):
        return own._scores(rows, y, weight)
    fitted = own.fit(rows, y, **weights_for(own, weight))
    last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    support = last.get_support() if hasattr(last, "get_support") else getattr(last, "support_", None)
    if support is None or np.shape(support) != (rows.shape[1],):
        raise bad.type(
            f"selector must have get_support() or a mask support_ of {rows.shape[1]} features once fitted, unlike "
            f"{last!r}"
        )
    if isinstance(last, GuidedSelector):
        return last._score_features(np.asarray(support), last.guide_importances_)
    scores = np.asarray(support, np.float64)
    importances: Any = getattr(last, "feature_importances_", None)
    return scores if importances is None else scores * (np.maximum(importances, 0.0) + ABOVE_0)


def weights_for(selector: Any, weight: Floats | None) -> dict[str, Floats]:
    """Return the weights as argument of ``fit`` of a selector, or of the last step of a pipeline."""
    if weight is None:
        return {}
    last = selector[-1] if isinstance(selector, Pipeline) else selector
    if not takes_weights(last):
        raise bad.unsupported(f"sample_weight has no effect in {type(last).__name__}.fit(); omit it")
    return {f"{selector.steps[-1][0]}__sample_weight" if isinstance(selector, Pipeline) else "sample_weight": weight}


def takes_weights(selector: Any) -> bool:
    """Whether ``fit`` takes weights, or passes what it does not name on to an `estimator` that takes them (RFE)."""
    passes_on = any(one.kind is Parameter.VAR_KEYWORD for one in signature(selector.fit).parameters.values())
    inner = getattr(selector, "estimator", None) if passes_on else None
    return any(each is not None and has_fit_parameter(each, "sample_weight") for each in (selector, inner))


def set_seeds(estimator: Any, seed: int) -> Any:
    """Set each `random_state` of an estimator and of its parts that has an effect."""
    random, parts = np.random.default_rng(seed), {"": estimator, **estimator.get_params()}

    def has_effect(name: str) -> bool:
        owner, _, parameter = name.removesuffix("random_state").removesuffix("__").rpartition("__")
        return not (parameter == "forest" and isinstance(parts[owner], GuidedSelector))

    names = [name for name in sorted(parts) if name.split("__")[-1] == "random_state" and has_effect(name)]
    return estimator.set_params(**{name: int(random.integers(_SEEDS)) for name in names})


def with_one_value(rows: Any, column: int) -> Any:
    """Return rows with one value in a column, so that it has no information and the columns keep their places."""
    if isinstance(rows, pd.DataFrame):
        rows, values = rows.copy(), rows.iloc[:, column]
        first = int(values.notna().to_numpy().argmax())
        rows.isetitem(column, values.array.take(np.full(len(values), first)))
        return rows
    if hasattr(rows, "tocsc"):
        rows = rows.tocsc(copy=True)
        rows.data[rows.indptr[column] : rows.indptr[column + 1]] = 0
        return rows.tocsr()
    rows = rows.copy()
    rows[:, column] = rows[int(pd.notna(rows[:, column]).argmax()), column]
    return rows


def with_shuffled(rows: Any, columns: Positions, order: Positions) -> Any:
    """Return rows in which some columns have another order, all of them the same."""
    if isinstance(rows, pd.DataFrame):
        rows = rows.copy(deep=False)
        for column in columns.tolist():
            rows.isetitem(column, rows.iloc[:, column].array.take(order))
        return rows
    if hasattr(rows, "tocsc"):
        from scipy.sparse import hstack

        places = np.arange(rows.shape[1])
        places[columns] += rows.shape[1]
        return hstack([rows, rows[order]], format="csc")[:, places].tocsr()
    rows = rows.copy()
    rows[:, columns] = rows[np.ix_(order, columns)]
    return rows


# ---- features of noise -----------------------------------------------------------------------------

# In how many parts the features are shuffled: the others compete with the shuffled ones as they do with noise.
_PARTS = 4


def shuffled_groups(p: int, halves: int, random: np.random.Generator) -> list[list[Positions]]:
    """Return random partitions of p features, of which a fit to a half has one part shuffled."""
    parts = min(_PARTS, p, halves)
    return [np.array_split(random.permutation(p), parts) for _ in range(halves // parts)]


def scores_of_shuffled(scores: Floats, groups: list[list[Positions]]) -> Floats:
    """Return the scores of each feature in the fits for which it was shuffled, shape (len(groups), p)."""
    shuffled, fits = np.empty((len(groups), scores.shape[1])), iter(scores)
    for row, runs in zip(shuffled, groups, strict=True):
        for columns in runs:
            row[columns] = next(fits)[columns]
    return shuffled
