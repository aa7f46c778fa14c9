"""StabilitySelector: the features that a selector keeps on many halves of the rows."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from pyrrf.checks import choice, count, warn
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.identifiers import already_warned
from pyrrf.data.response import check_response, without_decimals
from pyrrf.selectors.stability import (
    ASSUMPTIONS,
    NoThresholdError,
    complementary_pairs,
    false_selection_bound,
    largest_selection,
    least_count,
    stability_threshold,
)
from pyrrf.selectors.substitutes import rank_correlations
from pyrrf.sklearn.base import FeatureSelector
from pyrrf.sklearn.categories import as_frame, as_meant, as_rows, warn_before_parts
from pyrrf.sklearn.guided import GRRFSelector, GuidedSelector
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import TASKS, new_seed
from pyrrf.sklearn.undo import undone_on_error
from pyrrf.types import Floats, Positions, RandomState, RowsLike, VectorLike

# Fewer rows have no halves with two rows each.
_FEWEST_ROWS = 4
_SEEDS = 1 << 31


class StabilitySelector(MetaEstimatorMixin, FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """The features that a selector keeps on many halves of the rows, with a bound on false selections.

    The subset of one fit depends on its seed and on its rows. Here a clone of the selector is fitted to both halves of
    each of many random pairs, and a feature is kept if enough of the halves kept it. So the subset repeats: it is the
    consensus of the halves.

    Parameters
    ----------
    selector : selector
        Anything with ``get_support()`` or ``support_``, such as `GRRFSelector`, or a pipeline
        that ends in it. Each clone gets a `random_state` of its own. In a guided selector without `guide` and
        `guide_n_estimators` a clone's guide has `n_estimators` trees, and not ten times as many: the halves are many.
    n_pairs : int, default 50
        Pairs of halves, which have no row in common. If y holds classes, each class is halved.
    threshold : float, optional
        The share of the halves that must keep a feature, above 0 and at most 1; `pfer` is not looked at then. By
        default, the smallest one that keeps the bound down to `pfer`; if there is none, a warning says so, the
        threshold is 1, and the bound is more than `pfer`.
    pfer : float, default 1.0
        How many features that are seldom selected may be kept, on average, at most. Seldom is not more often than by
        lot: on half of the rows with a probability of q / p, where q of p features are kept on average.
    assumption : {"r-concave", "unimodal", "none"}, default 'r-concave'
        What the bound assumes of the distribution of how often such a feature is selected; the paper recommends
        "r-concave". Less assumed is a higher threshold, above .5 in any case.
    task : {"auto", "classification", "regression"}, default 'auto'
        What y means, for each of pyrrf's selectors inside; by default as it says itself, of all rows.
    n_removals : int, default 5
        On how many halves each kept feature is removed, to see what takes its place; 0 for none.
    n_jobs : int, optional
        Jobs of joblib, threads unless its ``parallel_config`` is set; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None
    verbose : int, default 0
        Whether a bar counts the halves, with the time that they will take.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The features kept.
    n_features_ : int
        Their number.
    selection_frequencies_ : ndarray of float64, shape (n_features,)
        The share of the halves that kept each feature.
    threshold_ : float
        The share of the halves from which on a feature is kept.
    pfer_bound_ : float
        The bound on the expected number of seldom selected features among those kept; not more than all of them.
    n_features_half_ : float
        Features that a half kept on average, q.
    substitutes_ : DataFrame
        The dropped features that could stand for each kept one, best first: ``feature`` and ``substitute``, by name or
        position; ``correlation``, Spearman's; ``replaces``, the share of the halves on which the substitute is kept
        when the feature is removed less that on which both are kept. Listed are correlations of at least .7 and
        shares of at least .4, at most 10 for each feature.
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
    Stability selection, 2010. The papers know no classes. The bound takes the q that was observed for its expected
    value. It does not cover features correlated with true ones, or selected by chance more often than q / p.
    Where few of many features are kept, "r-concave" asks for a small share of the halves: .12 on the colon data.

    A removed feature is a column of one value, without information; the same rows and seeds are selected from again.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pyrrf.sklearn import GRRFSelector, StabilitySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> few = GRRFSelector(gamma=0.9, guide_n_estimators=50, n_estimators=20)
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
        assumption: str = "r-concave",
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

    @undone_on_error
    def fit(self, X: RowsLike, y: VectorLike) -> Self:
        """Fit the selector to halves of the rows, and keep what enough of them keep.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            What the selector takes; a table reaches it as a DataFrame with its names and categories.
        y : array_like, shape (n,)
            Classes, or numbers.

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
        rows, values = self._read(X, y)
        self._check_limit(rows.shape[1], n_pairs)
        warn_before_parts(rows, getattr(self.selector, "categorical_features", "from_dtype"))
        common = settled(self.selector, y, choice(self.task, "task", TASKS)), rows, values
        random = np.random.default_rng(new_seed(self.random_state))
        halves = complementary_pairs(len(values), n_pairs, random, classes_to_halve(values)).reshape(2 * n_pairs, -1)
        seeds = random.integers(_SEEDS, size=len(halves)).tolist()
        supports = self._supports(half_support, common, list(zip(halves, seeds, strict=True)))
        self._keep(supports.sum(axis=0), n_pairs)
        self.substitutes_ = self._substitutes(common, halves, seeds, supports, removals)
        return self

    def _read(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        """Check X and y as far as halves need it; the selector checks the rest."""
        if isinstance(self.selector, type) or not hasattr(self.selector, "fit"):
            raise TypeError(f"selector must be an object that selects features, not {self.selector!r}")
        check_response(y)
        check_rows(y, "y", row_labels(X), "X")
        y = without_decimals(y)
        source, X, tags = X, as_rows(X), get_tags(self).input_tags
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, y, skip_check_array=True)
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
            # A half may lack a word, or have each of them once.
            frame = as_frame(X, getattr(self.selector, "categorical_features", None))
            X = X if frame is None else as_meant(frame, source)
        else:
            finite = "allow-nan" if tags.allow_nan else True
            X, y = validate_data(self, X, y, dtype=None, accept_sparse=tags.sparse and "csr", ensure_all_finite=finite)
        if len(y) < _FEWEST_ROWS:
            raise ValueError(f"X has n_samples={len(y)} rows; two halves need at least {_FEWEST_ROWS}")
        return X, y

    def _check_limit(self, p: int, n_pairs: int) -> None:
        """Raise ValueError for a threshold or a limit that is refused whatever the halves keep."""
        if self.threshold is not None:
            least_count(self.threshold, n_pairs)
        elif not largest_selection(p, self.pfer, n_pairs, self.assumption):
            raise ValueError(
                f"no selection from {p} features keeps the expected number of false ones down to pfer={self.pfer}; "
                "pass a larger pfer, or a threshold"
            )

    def _supports(self, function: Any, common: tuple[Any, Any, np.ndarray], tasks: list[Any]) -> np.ndarray:
        """Return what clones of a selector keep, bool, shape (len(tasks), p); common: selector, X and y."""
        found = share_out(function, common, tasks, self.n_jobs, "half" if self.verbose else "")
        return np.array(found, np.bool_).reshape(len(tasks), self.n_features_in_)

    def _keep(self, counts: Positions, n_pairs: int) -> None:
        """Set what was found by how many halves kept each feature."""
        p, halves = self.n_features_in_, 2 * n_pairs
        self.selection_frequencies_ = counts / halves
        self.n_features_half_ = float(counts.sum() / halves)
        q = self.n_features_half_
        self.threshold_ = self._resolved_threshold(q, n_pairs)
        self.pfer_bound_ = false_selection_bound(q, p, self.threshold_, n_pairs, self.assumption) if q else 0.0
        self.support_ = counts >= least_count(self.threshold_, n_pairs)

    def _resolved_threshold(self, q: float, n_pairs: int) -> float:
        """Return the threshold, by how many features a half keeps; warn if none keeps the limit."""
        if self.threshold is not None or not q:
            return 1.0 if self.threshold is None else float(self.threshold)
        try:
            return stability_threshold(q, self.n_features_in_, self.pfer, n_pairs, self.assumption)
        except NoThresholdError as error:
            warn(f"{error}; kept is what all halves keep")
            return 1.0

    def _substitutes(
        self,
        common: tuple[Any, Any, np.ndarray],
        halves: Positions,
        seeds: list[int],
        supports: np.ndarray,
        removals: int,
    ) -> pd.DataFrame:
        """Return the table of substitutes."""
        kept = np.flatnonzero(self.support_)
        tried = [(at, half) for at in kept for half in np.flatnonzero(supports[:, at])[:removals]]
        with warnings.catch_warnings():
            # Some selectors say that the column has one value.
            warnings.simplefilter("ignore")
            removed = [(halves[half], seeds[half], at) for at, half in tried]
            without = self._supports(support_without, common, removed)
        gains = np.zeros((len(kept), self.n_features_in_))
        for (at, half), support in zip(tried, without, strict=True):
            gains[np.searchsorted(kept, at)] += support.astype(float) - supports[half]
        times = np.bincount(np.searchsorted(kept, [at for at, _ in tried]), minlength=len(kept))
        shares = gains / np.maximum(times, 1)[:, None]
        labels = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        return substitutes_table(kept, rank_correlations(common[1], kept), shares, labels)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not isinstance(self.selector, type) and hasattr(self.selector, "fit"):
            inner = get_tags(self.selector).input_tags
            tags.input_tags.allow_nan, tags.input_tags.sparse = inner.allow_nan, inner.sparse
        return tags


# ---- one half ------------------------------------------------------------------------------------


def classes_to_halve(y: np.ndarray) -> np.ndarray | None:
    """Return y if its values are to be halved each: classes, and whole numbers, where it does no harm."""
    # As type_of_target of scikit-learn, which in 1.7 warns where most whole numbers differ.
    if (y.dtype.kind == "f" and (y != np.floor(y)).any()) or (y.dtype == object and not isinstance(y[0], str)):
        return None
    classes, sizes = np.unique(y, return_counts=True)
    if len(classes) == 2 and sizes.min() < 2:
        alone = classes.tolist()[sizes.argmin()]
        raise ValueError(f"class {alone!r} has one row, and each half needs one; pass at least 2 of each class")
    return y


def settled(selector: Any, y: Any, task: str) -> Any:
    """Return a clone of a selector, or of a pipeline with one, that reads each half of y as it reads all of it."""
    own = clone(selector)
    for one in (own, *own.get_params().values()):
        if not hasattr(one, "_holds_numbers"):
            continue
        if task != "auto":
            one.set_params(task=task)
        one.set_params(task="regression" if one._holds_numbers(y) else "classification")
        # How many trees guide on a half, unless it was said.
        if isinstance(one, GuidedSelector) and one.guide is None and one.guide_n_estimators is None:
            one.set_params(guide_n_estimators=one.n_estimators)
    return own


@already_warned()
def half_support(selector: Any, rows: Any, y: np.ndarray, half: Positions, seed: int) -> np.ndarray:
    """Return what a clone of the selector keeps on half of the rows, bool, shape (p,)."""
    part = rows.iloc[half] if isinstance(rows, pd.DataFrame) else rows[half]
    own = seeded(clone(selector), seed)
    if isinstance(own, GRRFSelector):
        return own._features(part, y[half])
    fitted = own.fit(part, y[half])
    last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    support = last.get_support() if hasattr(last, "get_support") else getattr(last, "support_", None)
    if support is None or np.shape(support) != (rows.shape[1],):
        raise TypeError(
            f"selector must have get_support() or support_ with a value for each of {rows.shape[1]} features; "
            f"{last!r} does not"
        )
    return np.asarray(support, np.bool_)


def support_without(selector: Any, rows: Any, y: np.ndarray, half: Positions, seed: int, removed: int) -> np.ndarray:
    """Return what a clone of the selector keeps on some rows if a column has no information.

    Nothing, if that makes the selector fail: there may be nothing else to select.
    """
    try:
        return half_support(selector, with_one_value(rows, removed), y, half, seed)
    except ValueError:
        return np.zeros(rows.shape[1], np.bool_)


def seeded(estimator: Any, seed: int) -> Any:
    """Set each `random_state` of an estimator and of what it holds."""
    random = np.random.default_rng(seed)
    names = [name for name in sorted(estimator.get_params()) if name.split("__")[-1] == "random_state"]
    return estimator.set_params(**{name: int(random.integers(_SEEDS)) for name in names})


def with_one_value(part: Any, column: int) -> Any:
    """Return rows with one value in a column, so that it has no information and the columns keep their places."""
    if isinstance(part, pd.DataFrame):
        part, values = part.copy(), part.iloc[:, column]
        first = int(values.notna().to_numpy().argmax())
        part.isetitem(column, values.array.take(np.full(len(values), first)))
        return part
    if hasattr(part, "tocsc"):
        part = part.tocsc(copy=True)
        part.data[part.indptr[column] : part.indptr[column + 1]] = 0
        return part.tocsr()
    part = part.copy()
    part[:, column] = part[int(pd.notna(part[:, column]).argmax()), column]
    return part


# ---- substitutes ---------------------------------------------------------------------------------

# What is listed, and how much at most.
CORRELATED, REPLACES, _MOST = 0.7, 0.4, 10
_ROUNDING = 1e-9


def substitutes_table(kept: Positions, correlations: Floats, shares: Floats, labels: Any) -> pd.DataFrame:
    """Return the dropped features that could stand for kept ones.

    Of each kept feature with all features, shape (k, p): the correlations, and how much more often each of them is kept
    without it (`shares`).
    """
    lines = []
    for at, correlation, share in zip(kept.tolist(), correlations, shares, strict=True):
        listed = (np.abs(correlation) >= CORRELATED - _ROUNDING) | (share >= REPLACES - _ROUNDING)
        listed[kept] = False
        others = np.flatnonzero(listed)
        best = others[np.lexsort((-np.abs(correlation[others]), -share[others]))][:_MOST]
        lines += [(labels[at], labels[other], correlation[other], share[other]) for other in best]
    columns = {"feature": object, "substitute": object, "correlation": np.float64, "replaces": np.float64}
    found = list(zip(*lines, strict=True)) if lines else [()] * len(columns)
    table = pd.DataFrame(dict(zip(columns, found, strict=True)))
    return table.astype({"correlation": np.float64, "replaces": np.float64})
