"""The Max-Dependency scheme of Deng and Runger, section III: one feature for all nodes of a tree's level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from pyrrf.sklearn.base import EmbeddedSelector, Selective, TreeClassifier  # isort: skip, says which extra is missing

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from pyrrf.checks import count, number
from pyrrf.papers.fitting import SharedFit
from pyrrf.papers.information import conditional_mutual_information, equal_width_bins
from pyrrf.types import Floats, Ints, Positions, RowsLike

# Bits. Measures that are nearer than this are equal but for rounding.
_EQUAL = 1e-10


@dataclass(frozen=True, eq=False, kw_only=True)
class Level:
    """A level of a Max-Dependency tree: the feature that splits all its nodes, and the nodes that come of it."""

    feature: int  # from 0
    information: float  # I(feature; y | features of the levels above), in bits
    width: int  # codes of features lie below it
    # int64, shape (cells,): ``parent * (width + 1) + code`` of each cell, ascending: the cells' numbers are their
    # places here
    keys: Positions
    counts: Positions  # int64, shape (cells, nclass): training rows of each class


def max_dependency_levels(codes: Ints, response: Ints) -> Iterator[Level]:
    """Choose features one by one, each the one that adds most information about the classes to those before.

    `codes` and `response` are categories and classes from 0. Step j takes argmax I(X_m; Y | F(j-1)). That is the sum
    over the nodes v of a tree's level of w_v I(X_m; Y | S_v), where w_v is the node's share of the rows and S_v what
    leads to it, because the nodes of level j are the cells of the table of F(j-1). After the last level no
    information is left: every cell has one class, or no feature splits a cell that has more. A step may add no
    information yet and be needed, as with XOR; of equal features it takes the first.

    Notes
    -----
    Deng and Runger, Feature selection via regularized trees, 2012, equations 2, 3 and 5. They do not say when to stop.
    Shares of rows stand for probabilities: with few rows in each cell most of a feature's information is chance.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.max_dependency import max_dependency_levels
    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    >>> exclusive_or = np.array([0, 1, 1, 0], np.int32)
    >>> [(level.feature, level.information) for level in max_dependency_levels(codes, exclusive_or)]
    [(0, 0.0), (1, 1.0)]
    """
    n, p = codes.shape
    width, nclass = int(codes.max()) + 1, int(response.max()) + 1
    cell = np.zeros(n, np.int64)
    counts = np.bincount(response, minlength=nclass)[None]
    left = list(range(p))
    while True:
        mixed = (counts > 0).sum(axis=1) > 1
        best = _best(codes, response, cell, mixed[cell], left)
        if best is None:
            return
        feature, information = best
        left.remove(feature)
        keys, cell = np.unique(cell * (width + 1) + codes[:, feature], return_inverse=True)
        counts = np.bincount(cell * nclass + response, minlength=len(keys) * nclass).reshape(-1, nclass)
        yield Level(feature=feature, information=information, width=width, keys=keys, counts=counts)


def deepest_counts(levels: Sequence[Level], root: Positions, codes: Ints) -> Positions:
    """Return the training rows of each class in the deepest cell that each row reaches.

    `root` counts all training rows. A row stops above the first cell that no training row was in.
    """
    deepest = np.tile(root, (len(codes), 1))
    rows, cell = np.arange(len(codes)), np.zeros(len(codes), np.int64)
    for level in levels:
        # A code that training rows do not have must not lead to the cells of another parent.
        wanted = cell * (level.width + 1) + np.minimum(codes[rows, level.feature], level.width)
        place = np.minimum(np.searchsorted(level.keys, wanted), len(level.keys) - 1)
        known = level.keys[place] == wanted
        rows, cell = rows[known], place[known]
        deepest[rows] = level.counts[cell]
    return deepest


def _best(
    codes: Ints, response: Ints, cell: Positions, mixed: np.ndarray, left: Sequence[int]
) -> tuple[int, float] | None:
    """Return the most informative of the features left, and its information; None if no feature can add any."""
    if not mixed.any() or not left:
        return None
    # Cells of one class add nothing.
    y, given = response[mixed], cell[mixed]
    told: Floats = np.array([conditional_mutual_information(codes[mixed, m], y, given) for m in left])
    best = int((told >= told.max() - _EQUAL).argmax())
    if told[best] > _EQUAL:
        return left[best], float(told[best] * mixed.mean())
    n_cells = len(np.unique(given))
    splitting = (m for m in left if len(np.unique(np.stack([given, codes[mixed, m]]), axis=1).T) > n_cells)
    first = next(splitting, None)
    return None if first is None else (first, 0.0)


# ---- estimators ----------------------------------------------------------------------------------


class _MaxDependency(SharedFit, BaseEstimator):  # type: ignore[misc]
    """The parameters that the tree and the selector share."""

    def __init__(
        self,
        n_features: int | None = None,
        *,
        min_information: float = 0.0,
        bins: int = 10,
        categorical_features: ArrayLike | None = "from_dtype",
        verbose: int = 0,
    ) -> None:
        self.n_features = n_features
        self.min_information = min_information
        self.bins = bins
        self.categorical_features = categorical_features
        self.verbose = verbose


class MaxDependencyClassifier(Selective, _MaxDependency, TreeClassifier):
    """The Max-Dependency tree: all nodes of a level are split by one feature, into a node for each of its categories.

    The feature of a level is the one that adds most information to the features of the levels above, over all
    nodes together: it maximizes Σ w_v I(X; Y | S_v), where w_v is the share of the rows in node v and S_v leads there.

    Parameters
    ----------
    n_features : int, optional
        Most levels; by default there are levels as long as they add information: until every node has one class,
        or no feature splits a node that has more.
    min_information : float, default 0.0
        Bits. Levels end before the first that would add less. With 0 a level may add nothing, as the first of an
        exclusive or does. Of equal features the first is taken.
    bins : int, default 10
        The scheme is one for categories. Numbers are put into as many bins of equal width; whole numbers from 0 to
        `bins - 1` stay apart. Numbers below or above those of the training data are in the first or the last bin.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    selected_ : ndarray of int64, shape (n_levels,)
        Features from 0, in the order of the levels.
    information_ : ndarray of float64, shape (n_levels,)
        Information of each level in bits. Their sum is the mutual information of the classes and all selected features.
    support_ : ndarray of bool, shape (n_features,)
    n_features_ : int
        Number of selected features.
    levels_ : list of pyrrf.papers.max_dependency.Level
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    See Also
    --------
    MaxDependencySelector : Its features, for a pipeline.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012, section III, eqs 3 and 5, which choose
    the same features. The paper does not say when to stop, what to do with numbers, or what a tree predicts where
    there were no training rows: there the row stays in the last node that had some. Missing values are a category of
    their own. There is nothing random.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers import MaxDependencyClassifier
    >>> x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> tree = MaxDependencyClassifier().fit(x, [0, 1, 1, 0])
    >>> tree.selected_, tree.information_, tree.predict(x)
    (array([0, 1]), array([0., 1.]), array([0, 1, 1, 0]))
    """

    def _fit(self, X: Any, y: Any) -> None:
        least, bins = number(self.min_information, "min_information"), count(self.bins, "bins")
        _, data = self._read_training(X, y)
        p = data.shape[1]
        self._limits = _limits(data.dense)
        levels = max_dependency_levels(_codes(data.dense, data.ncat, self._limits, bins), data.response)
        wanted = p
        if self.n_features is not None:
            wanted = min(p, count(self.n_features, "n_features"))
        told = takewhile(lambda level: level.information >= least, levels)
        self.levels_ = list(self._with_progress(islice(told, wanted), wanted))
        self._keep_positions([level.feature for level in self.levels_], p)
        self.information_ = np.array([level.information for level in self.levels_])
        self._bins, self._class_counts = bins, np.bincount(data.response)

    def predict_proba(self, X: RowsLike) -> Floats:
        """Return each class's share of the training rows in the deepest node that a row reaches.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            Rows, with the columns of the fit.

        Returns
        -------
        ndarray of float64, shape (n, n_classes)
            In the order of ``classes_``.
        """
        table, ncat = self._read_new(X)
        counts = deepest_counts(self.levels_, self._class_counts, _codes(table.dense, ncat, self._limits, self._bins))
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


class MaxDependencySelector(EmbeddedSelector, _MaxDependency):
    """The features of the Max-Dependency scheme, each the one that adds most information about the classes.

    Parameters
    ----------
    n_features : int, optional
        Most features; this and the others as in `MaxDependencyClassifier`.
    min_information : float, default 0.0
        Bits; levels end before the first that would add less.
    bins : int, default 10
        Bins of equal width into which numbers are put.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    estimator_ : MaxDependencyClassifier
    support_, selected_, n_features_, information_, n_features_in_, feature_names_in_
        As in `MaxDependencyClassifier`.

    See Also
    --------
    MaxDependencyClassifier : The tree.

    Notes
    -----
    H. Deng and G. Runger, Feature selection via regularized trees, 2012, eq 3, after H. Peng and others, Feature
    selection based on mutual information, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.papers import MaxDependencySelector
    >>> x, y = load_wine(return_X_y=True)
    >>> selector = MaxDependencySelector(3).fit(x, y)
    >>> selector.selected_, selector.information_.round(2)
    (array([ 6,  9, 12]), array([0.97, 0.43, 0.13]))
    """

    def _fit(self, X: Any, y: Any) -> None:
        self._keep(MaxDependencyClassifier(**self.get_params()).fit(X, y), "selected_", "information_")


def _limits(values: np.ndarray) -> Floats:
    """Return the least and the greatest number of each column, shape (2, p); NaN where all are missing."""
    missing = np.isnan(values)
    least, greatest = np.where(missing, np.inf, values).min(axis=0), np.where(missing, -np.inf, values).max(axis=0)
    return np.where(missing.all(axis=0), np.nan, [least, greatest])


def _codes(values: np.ndarray, ncat: Ints, limits: Floats, bins: int) -> Ints:
    """Return the categories of rows, from 0: levels of factors, bins of numbers between the training data's limits."""
    # The limits stand above the rows, so that the bins are those of the training data.
    bounded = np.concatenate([limits, np.clip(values.astype(np.float64), *limits)])
    codes: Ints = equal_width_bins(bounded, bins)[len(limits) :]
    factors = ncat > 1
    levels = np.where(np.isnan(values), ncat + 1, values)[:, factors]
    codes[:, factors] = levels.astype(np.int32) - 1
    return codes
