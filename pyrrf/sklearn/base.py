"""Bases of the estimators: reading of X and y, categories, random numbers, votes of trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pyrrf import _core
from pyrrf._core.records import GrownTree, SparseColumns, Trees
from pyrrf.checks import check_scale, verbosity
from pyrrf.data.alignment import check_rows
from pyrrf.data.columns import as_rows, read_new_columns
from pyrrf.data.match import Training, match_new_data
from pyrrf.data.portable import PandasStateMixin
from pyrrf.data.predictors import Predictors, of_numbers
from pyrrf.data.tables import as_array, only_numbers, some_columns
from pyrrf.errors import bad, input_error
from pyrrf.fit.progress import Progress
from pyrrf.selectors.credit import near_one
from pyrrf.selectors.growing import TreeData
from pyrrf.sklearn.parameters import new_seed
from pyrrf.sklearn.private import check_sample_weight, output_config
from pyrrf.sklearn.sample import Sample, align, check_several, explain_refusals, read_sample
from pyrrf.threads import resolve_jobs
from pyrrf.types import Floats, Ints, Positions, RandomState, RowsLike

_FLOATS = (np.float64, np.float32)
# Shares of the sum of some weights, and their roots, are numbers above it.
_VANISHES = 1e-290

T = TypeVar("T")


class TreeEstimator(PandasStateMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators that read tables with categories. A subclass is a classifier or a regressor.

    It has `categorical_features` and `verbose` among its parameters, and `n_jobs` and `random_state` if it grows trees.
    """

    categorical_features: ArrayLike | None
    n_jobs: int | None
    random_state: RandomState
    verbose: int

    # ---- data -----------------------------------------------------------------------------------

    def _read_training(self, X: Any, y: Any) -> tuple[Sample, TreeData]:
        """Check X and y, and keep their names and categories, for trees grown one by one."""
        sample = self._read_predictors(X, y)
        response, nclass = self._read_response(sample.y)
        return sample, TreeData(values=sample.values, ncat=sample.ncat, response=response, nclass=nclass)

    def _read_predictors(self, X: Any, y: Any, numeric: bool | None = None) -> Sample:
        """Check X and y, and keep the names and categories of X.

        Missing numbers are NaN; missing categories are a category of their own. Engine r takes neither. `numeric`:
        whether it is a regression; by default as the estimator decides.
        """
        sample = read_sample(
            self, X, y, categorical=self.categorical_features, parallel=self._parallel,
            y_numeric=self._numeric if numeric is None else numeric, **self._checks(),
        )  # fmt: skip
        self._categories: Training | None = None
        if isinstance(sample.rows, pd.DataFrame):
            table = sample.table
            self._categories = Training(
                table.columns, True, table.ncat, table.coded, False, self._parallel, unseen_missing=self._parallel
            )
        return sample

    def _read_new(self, X: Any) -> tuple[Predictors, np.ndarray]:
        """Check new rows; return them with the codes of the training data, and `ncat`."""
        check_is_fitted(self)
        source, X = X, as_rows(X)
        training, named = self._categories, isinstance(X, pd.DataFrame) and self.categorical_features is not None
        if training is None and (not named or only_numbers(X)):
            with explain_refusals(self):
                table = of_numbers(align(validate_data(self, X, reset=False, **self._checks())), X)
            return table, table.ncat
        validate_data(self, X, reset=False, skip_check_array=True)
        if training is None:  # scikit-learn would make numbers of dates, bytes and words
            training = Training(X.columns, True, np.ones(X.shape[1], np.int32), {}, False, self._parallel)
        listed = not isinstance(self.categorical_features, str)
        return match_new_data(read_new_columns(X, source, training, listed), training, "X"), training.ncat

    _numeric = False
    # Whether the core reads sparse matrices as they are.
    _reads_sparse = False

    @property
    def _parallel(self) -> bool:
        """Whether the trees are those of engine parallel."""
        return True

    def _checks(self) -> dict[str, Any]:
        """Return the arguments of scikit-learn's checks of X."""
        sparse = {"accept_sparse": "csc"} if self._reads_sparse else {}
        if self._parallel:
            return {"dtype": _FLOATS, "ensure_all_finite": "allow-nan", **sparse}
        return {"dtype": np.float64, "order": "F", "ensure_all_finite": True, **sparse}

    def _read_response(self, y: np.ndarray) -> tuple[np.ndarray, int]:
        """Return `y` as the core reads it, and its number of classes."""
        raise NotImplementedError

    # ---- random numbers, threads, progress --------------------------------------------------------

    def _new_seed(self) -> int:
        """Draw a seed of 64 bits from `random_state`."""
        return new_seed(self.random_state)

    def _threads(self) -> int:
        return resolve_jobs(self.n_jobs)

    def _with_progress(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield the items; count them in a bar if `verbose` is set."""
        if not verbosity(self.verbose):
            yield from items
            return
        progress = Progress(total, delay=0.0)
        try:
            for done, item in enumerate(items, start=1):
                yield item
                progress(done)
        finally:
            progress.close()

    # ---- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan, tags.input_tags.sparse = self._parallel, self._reads_sparse
        return tags


class TreeClassifier(ClassifierMixin, TreeEstimator):  # type: ignore[misc]
    """Base of the classifiers. A subclass fills ``_trees`` and, if trees do not vote alike, ``_tree_weights``."""

    _trees: Trees
    _tree_weights: Floats | None = None

    def _read_response(self, y: np.ndarray) -> tuple[np.ndarray, int]:
        self.classes_, codes = read_classes(y)
        return codes, len(self.classes_)

    def predict_proba(self, X: RowsLike) -> Floats:
        """Predict class probabilities: the share of the trees' votes for each class.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            Of the kinds that `fit` takes.

        Returns
        -------
        ndarray of float64, shape (n, n_classes)
            In the order of ``classes_``.
        """
        table, ncat = self._read_new(X)
        votes = class_votes(self._trees, table.values, ncat, len(self.classes_), self._tree_weights, self._threads())
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))

    def predict(self, X: RowsLike) -> np.ndarray:
        """Predict the class with the most votes; of equal ones, the first in ``classes_``.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            Of the kinds that `fit` takes.

        Returns
        -------
        ndarray, shape (n,)
        """
        most = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most])


class TreeRegressor(RegressorMixin, TreeEstimator):  # type: ignore[misc]
    """Base of the estimators for regression. A subclass fills ``_trees``."""

    _numeric = True
    _trees: Trees

    def _read_response(self, y: np.ndarray) -> tuple[np.ndarray, int]:
        values = np.ascontiguousarray(y, np.float64)
        check_scale(values)
        return values, 1

    def predict(self, X: RowsLike) -> Floats:
        """Predict the mean of the trees' predictions.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            Of the kinds that `fit` takes.

        Returns
        -------
        ndarray of float64, shape (n,)
        """
        table, ncat = self._read_new(X)
        return np.asarray(_core.predict(self._trees, table.values, ncat, 1, n_jobs=self._threads()).predicted)


class Selective(PandasStateMixin):
    """Base of selectors: ``support_`` is the mask of the features kept."""

    support_: np.ndarray

    @property
    def n_features_(self) -> int:
        """Number of selected features."""
        return int(self.support_.sum())

    def _keep_positions(self, selected: Sequence[int], p: int) -> None:
        """Set ``selected_``, features in the order in which they were taken, and ``support_``."""
        self.selected_: Positions = np.array(selected, np.int64)
        self.support_ = np.isin(np.arange(p), self.selected_)


class FeatureSelector(Selective, SelectorMixin):  # type: ignore[misc]
    """Base of the selectors, which need y."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def get_support(self, indices: bool = False) -> np.ndarray:
        """Return the selected features, as a mask or as positions.

        Parameters
        ----------
        indices : bool, default False
            Whether to return positions instead of a boolean mask.

        Returns
        -------
        ndarray of bool, shape (p,), or of int64, shape (k,)
        """
        return np.asarray(super().get_support(indices))

    def transform(self, X: RowsLike) -> np.ndarray | pd.DataFrame:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, p)
            Rows, with the columns of the fit.

        Returns
        -------
        ndarray, sparse matrix or table, shape (n, k)
            Sparse if X is; otherwise by ``set_output``, with the types that the columns have where X is a table of that
            library. An array holds numbers, NaN for missing ones, and objects if a selected feature is categorical.
        """
        # Names of tables that scikit-learn does not know are read as in the fit.
        source, X = X, as_rows(X)
        kept, wanted = self.get_support(indices=True), output_config("transform", self)["dense"]
        if not isinstance(X, pd.DataFrame) or not len(kept) or (wanted == "default" and only_numbers(X)):
            chosen: np.ndarray | pd.DataFrame = super().transform(X)
            return chosen
        # As one array, the columns that are left out would make objects of those kept.
        validate_data(self, X, reset=False, skip_check_array=True)
        return as_array(X.iloc[:, kept]) if wanted == "default" else some_columns(source, X, kept, wanted)

    def inverse_transform(self, X: RowsLike) -> Any:
        """Return X with a column of zeros for each feature that was not selected.

        Parameters
        ----------
        X : array_like, table or sparse matrix, shape (n, k)
            Rows, with the selected features as columns.

        Returns
        -------
        ndarray or sparse matrix, shape (n, p)
        """
        return super().inverse_transform(as_rows(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


class EmbeddedSelector(FeatureSelector):
    """Base of the selectors that keep the features of an estimator with the same parameters."""

    def _keep(self, estimator: Any, *attributes: str) -> None:
        """Set ``estimator_``, and its features and other attributes as those of the selector."""
        self.estimator_ = estimator
        for name in ("support_", "n_features_in_", "feature_names_in_", *attributes):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
            elif hasattr(self, name):  # the names of an earlier fit
                delattr(self, name)


# ---- responses and weights -----------------------------------------------------------------------


def read_classes(y: np.ndarray) -> tuple[np.ndarray, Ints]:
    """Return the classes, sorted, two at least, and the code of each row, int32 from 0."""
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    check_several(classes)
    return classes, codes.astype(np.int32)


def read_weights(sample_weight: Any, sample: Sample) -> Floats:
    """Return the weights of the rows, float64, shape (n,), not negative and not all 0; 1 each by default."""
    check_rows(sample_weight, "sample_weight", sample.index, "X")
    return weights_of(sample_weight, sample.y)


def weights_of(sample_weight: Any, y: np.ndarray) -> Floats:
    """Return weights that are in the order of y already, as `read_weights` does."""
    try:
        weight = check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
    except (TypeError, ValueError, OverflowError) as error:
        told = "" if "sample_weight" in str(error) else "sample_weight must hold a number of at least 0 for each row: "
        code = "type" if isinstance(error, TypeError) else "range"
        raise input_error(code, f"{told}{error}", "sample_weight") from None
    if not weight.any():  # newer versions of scikit-learn say so themselves
        raise bad.range("sample_weight: all weights are 0; pass a positive one for at least one row")
    weights: Floats = align(np.asarray(weight))
    return weights


def near_weights(weight: Floats) -> Floats:
    """Return weights times a power of two, near 1; 0 for weights that vanish then."""
    near = near_one(weight)
    return np.where(near > _VANISHES, near, 0.0)


# ---- results of trees ----------------------------------------------------------------------------


def class_votes(
    trees: Trees,
    values: np.ndarray | SparseColumns,
    ncat: np.ndarray,
    nclass: int,
    weights: Floats | None,
    n_jobs: int,
) -> Floats:
    """Return the votes of trees for each row, shape (n, nclass); `weights`: of the trees' votes, 1 by default."""
    answer = _core.predict(trees, values, ncat, nclass, winners=False, individual=weights is not None, n_jobs=n_jobs)
    if weights is None:
        return np.asarray(answer.votes, dtype=np.float64)
    return np.stack([np.asarray((answer.individual == k) @ weights) for k in range(nclass)], axis=1)


def importances(grown: Iterable[GrownTree], p: int) -> Floats:
    """Return each feature's share of the decrease of impurity by all splits of some trees; 0 if none splits."""
    decrease = np.zeros(p)
    for one in grown:
        split = one.tree.split_var > 0
        decrease += np.bincount(one.tree.split_var[split] - 1, one.decrease[split], minlength=p)
    return decrease / decrease.sum() if decrease.any() else decrease
