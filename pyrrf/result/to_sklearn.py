"""Fits as random forests of scikit-learn, with the same trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import _core
from pyrrf._core.records import SparseColumns, Trees
from pyrrf.data.predictors import MAX_CATEGORIES
from pyrrf.errors import bad
from pyrrf.formula.terms import read_new_data
from pyrrf.result.by_tree import impurity, indicators, sum_upwards
from pyrrf.result.forest import Forest
from pyrrf.result.predict import check_numbers, read_rows
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ForestResult, UnsupervisedResult, VotesResult
from pyrrf.result.summaries import require_forest
from pyrrf.types import Floats, Labels, Positions, TableLike

# scikit-learn's marks in a leaf: no daughter; no feature and no threshold.
_NO_DAUGHTER, _UNDEFINED = -1, -2


def to_sklearn(object: ForestResult, X: TableLike | None = None) -> Any:
    """Return the forest as one of scikit-learn, with the same trees (R has no such function).

    It is for tools that read trees of scikit-learn: SHAP values, `sklearn.tree.plot_tree`, partial dependence by
    recursion, converters to ONNX. It needs the extra ``sklearn``.

    Parameters
    ----------
    object : ForestResult
        Fit of a response, with a forest.
    X : array_like or DataFrame, shape (n, p), optional
        The training rows, as for `predict`. They are counted in the nodes, and thresholds are rounded for them (see
        Notes). Without X all counts are 0: predictions of float32 are the same, but ``feature_importances_`` are NaN,
        and shap (without a background) and partial dependence by recursion stop.

    Returns
    -------
    RandomForestClassifier or RandomForestRegressor
        Of `sklearn.ensemble`, fitted, with sorted ``classes_``. Parameters other than `n_estimators` are scikit-learn's
        defaults: its `fit` would grow another forest.

    Raises
    ------
    ImportError
        scikit-learn is not installed.
    TypeError, ValueError
        The fit has no forest, or is unsupervised; its `cutoff` differs between classes; no threshold stands for a split
        of a factor; engine 'r' met infinite numbers; or X is not as for `predict`.

    See Also
    --------
    pyrrf.predict : The predictions of the fit itself.

    Notes
    -----
    *Classes.* A leaf holds 1 for its class, so ``predict_proba`` is the share of the votes, with the same bits. Of
    classes with equal votes ``predict`` takes the first in ``classes_``, as `RRFClassifier` does; `pyrrf.predict`
    draws. Class weights have shaped the trees, and play no part in votes.

    *Regression.* The trees are added up in their order, so the bits are the same, unless threads (`n_jobs`) add them
    in another. With ``corr_bias=True`` each leaf is corrected, and the last bits may differ.

    *float32.* scikit-learn rounds X to float32. A value goes to the other side of a threshold if the threshold lies
    between it and its float32. Without X here, thresholds are those of the fit: no float32 goes wrong, whole numbers
    below 2**24 among them, but decimals such as 1.2 may, often as means of their neighbours. If a column of X has
    values that are not float32, its thresholds shift by less than the spacing of float32, so that each value of X
    goes right (of several with one float32, the smallest), and so does the shortest decimal near each threshold. Then
    a float32 may go wrong if it is the float32 of a threshold. scikit-learn refuses values above 3.4e38.

    *Missing values* go where the fit sends them. A fit of engine 'r' refuses them; scikit-learn sends them right.

    *Factors* are read as codes: level k of ``fit.forest.xlevels``, from 1, and NaN for a missing one. Splits of
    ordered factors and of factors of two levels are thresholds; so are others whose levels on one side come first. If
    one is not, the fit is refused: fit with a column of zeros and ones for each level (`pandas.get_dummies`).

    *Nodes* count the rows of X, each once, in the bag of the tree or not. The value of a node is the mean of what its
    rows are predicted, and its impurity the Gini index or variance of that: 0 in a leaf. So ``feature_importances_``
    is not `importance`, and the base of SHAP values is the mean prediction for X.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, seed=1)
    >>> forest = fit.to_sklearn(x)
    >>> forest
    RandomForestClassifier(n_estimators=50)
    >>> bool((forest.predict_proba(x) == fit.predict(x, type="prob")).all(axis=None))
    True
    >>> from sklearn.tree import export_text
    >>> print(export_text(forest.estimators_[0], feature_names=list(x), max_depth=1, show_weights=True))
    |--- Petal.Length <= 2.45
    |   |--- weights: [50.00, 0.00, 0.00] class: 0.0
    |--- Petal.Length >  2.45
    |   |--- Petal.Length <= 4.95
    |   |   |--- truncated branch of depth 4
    |   |--- Petal.Length >  4.95
    |   |   |--- truncated branch of depth 3
    <BLANKLINE>
    """
    forest = require_forest(object, "object")
    if isinstance(object, UnsupervisedResult):
        raise bad.fit("object is an unsupervised forest, which cannot predict; pass a fit of a response")
    if X is None:
        return make_forest(object, None)
    if object.terms is not None:
        X, _ = read_new_data(object.terms, X, object.engine == "parallel", "X", object.function == "randomForest")
    return make_forest(object, read_rows(object, forest, X, "X").values)


def make_forest(fit: ForestResult, values: np.ndarray | SparseColumns | None) -> Any:
    """Return the forest of scikit-learn; `values`: rows to count, with the codes of the training data, or None."""
    forest = require_forest(fit, "object")
    check_numbers(fit, forest)
    model, leaf_values = _begin_forest(fit, forest)
    splits = _read_splits(forest, fit.columns)
    if values is not None:
        _round_thresholds(splits, values)
    model.n_features_in_, model.n_outputs_ = len(fit.columns), 1
    if fit.named and all(isinstance(name, str) for name in fit.columns):
        model.feature_names_in_ = np.asarray(fit.columns, dtype=object)
    _add_trees(model, forest, *_fill_nodes(splits, forest, leaf_values, _count_rows(forest, values)))
    return model


def _begin_forest(fit: ForestResult, forest: Forest) -> tuple[Any, np.ndarray]:
    """Return a forest without trees, and what each leaf of the fit predicts: a number, or the code of a class."""
    ensemble, *_ = _load_sklearn()
    predicted = forest.trees.prediction
    if isinstance(fit, VotesResult):
        _check_votes(forest)
        model = ensemble.RandomForestClassifier(forest.ntree)
        # scikit-learn takes for granted that classes are sorted.
        model.classes_, place = np.unique(np.asarray(pd.Index(fit.classes)), return_inverse=True)
        model.n_classes_ = len(place)
        # Splits have class 0.
        return model, place[predicted.astype(np.int64) - 1]
    assert isinstance(fit, RegressionResult)
    if fit.coefs is not None:
        predicted = fit.coefs[0] + fit.coefs[1] * predicted
    return ensemble.RandomForestRegressor(forest.ntree), predicted


def _load_sklearn() -> Any:
    """Return the parts of scikit-learn that are needed: ensembles, trees, and its private class of a tree's nodes."""
    try:
        from sklearn import ensemble, tree
        from sklearn.tree import _tree
    except ImportError as error:
        raise ImportError('to_sklearn() needs scikit-learn 1.6 or newer; pip install "pyrrf[sklearn]"') from error
    return ensemble, tree, _tree


def _check_votes(forest: Forest) -> None:
    """Raise ValueError if scikit-learn would find other winners of the votes."""
    if forest.cutoff is not None and np.ptp(forest.cutoff) > 0:
        raise bad.unsupported(
            f"object has the cutoff {forest.cutoff.tolist()}, but forests of scikit-learn take the class with the most "
            "votes; fit without cutoff, and compare predict_proba() with it",
            "object",
        )
    if forest.has_empty_leaves:
        raise _no_threshold("object has leaves without a class, where a factor sends no row of the bag")


def _no_threshold(fault: str) -> Exception:
    return bad.unsupported(
        f"{fault}; fit with a column of zeros and ones for each level in its place (pandas.get_dummies)", "object"
    )


# ---- splits --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Splits:
    """The nodes of all trees as scikit-learn has them; nodes count from 0 within a tree."""

    left: Positions
    right: Positions
    feature: Positions
    threshold: Floats
    missing_left: np.ndarray  # bool

    def select(self, feature: int) -> Positions:
        """Return the nodes that are split by a feature, counted from 0."""
        return np.flatnonzero(self.feature == feature)


def _read_splits(forest: Forest, columns: Labels) -> _Splits:
    """Return the nodes, with thresholds for sets of levels."""
    trees = forest.trees
    inner = trees.left > 0
    left = trees.left.astype(np.int64) - 1
    splits = _Splits(
        left=left,
        right=np.where(inner, left + 1, _NO_DAUGHTER),
        feature=np.where(inner, trees.split_var.astype(np.int64) - 1, _UNDEFINED),
        threshold=np.where(inner, trees.split_point, _UNDEFINED),
        missing_left=np.zeros(len(left), bool) if trees.missing_left is None else trees.missing_left.astype(bool),
    )
    split_factors = np.intersect1d(splits.feature, np.flatnonzero(forest.ncat > 1))
    for feature in split_factors.tolist():
        levels = int(forest.ncat[feature])
        nodes, missing = splits.select(feature), forest.coded[feature].missing
        # The sets of more levels may not be in the split point.
        if levels > MAX_CATEGORIES or not _put_thresholds(splits, nodes, levels, missing):
            raise _no_threshold(f"object splits the factor {columns[feature]!r} by sets of levels, not by a threshold")
    return splits


def _put_thresholds(splits: _Splits, nodes: Positions, levels: int, missing: bool) -> bool:
    """Put thresholds of codes for sets of levels, as bits; False if some set has none.

    The set must hold the first codes or the last ones; for the last ones the daughters change places. `missing`:
    whether missing values are the last level.
    """
    one = np.int64(1)
    bits = splits.threshold[nodes].astype(np.int64) & ((one << levels) - 1)
    if missing:
        levels -= 1
        splits.missing_left[nodes] = bits >> levels & 1
        bits &= (one << levels) - 1
    turned = bits & 1 == 0
    first = np.where(turned, bits ^ ((one << levels) - 1), bits)
    splits.threshold[nodes] = np.bitwise_count(first) + 0.5
    swapped = nodes[turned]
    splits.left[swapped], splits.right[swapped] = splits.right[swapped], splits.left[swapped]
    splits.missing_left[swapped] ^= True
    return not (first & (first + 1)).any()


def _round_thresholds(splits: _Splits, values: np.ndarray | SparseColumns) -> None:
    """Shift thresholds that the float32 of a value may cross, so that the value stays on its side.

    The value is the smallest one of the rows that has the float32 of the threshold. If there is none, it is the
    shortest decimal that has it: decimals are often means of their neighbours, as 1.2 is of 1.1 and 1.3.
    """
    for feature in np.unique(splits.feature[splits.feature >= 0]).tolist():
        column = values.dense(np.array([feature]))[:, 0] if isinstance(values, SparseColumns) else values[:, feature]
        column, nodes = np.unique(column[~np.isnan(column)]), splits.select(feature)
        point = splits.threshold[nodes]
        with np.errstate(over="ignore"):
            rounded, single = column.astype(np.float32), point.astype(np.float32)
        if (rounded == column).all():
            continue
        place = np.searchsorted(rounded, single).clip(max=len(column) - 1)
        value = np.where(rounded[place] == single, column[place], single.astype(str).astype(np.float64))
        # float32 values up to the threshold's own go left, or only those below it.
        limit = single.astype(np.float64)
        left, right = np.maximum(point, limit), np.minimum(point, np.nextafter(limit, -np.inf))
        splits.threshold[nodes] = np.where(value <= point, left, right)


# ---- nodes ---------------------------------------------------------------------------------------


def _count_rows(forest: Forest, values: np.ndarray | SparseColumns | None) -> Floats:
    """Return the number of rows in each leaf, in the packed order; 0 for splits, and without rows."""
    trees, sizes = forest.trees, forest.ndbigtree
    if values is None:
        return np.zeros(len(trees.left))
    answer = _core.predict(trees, values, forest.ncat, forest.nclass or 1, winners=False, nodes=True)
    leaves = answer.nodes
    assert leaves is not None
    counts = [np.bincount(leaves[:, k] - 1, minlength=size) for k, size in enumerate(sizes.tolist())]
    return np.concatenate(counts).astype(np.float64)


def _fill_nodes(
    splits: _Splits, forest: Forest, leaf_values: np.ndarray, counts: Floats
) -> tuple[np.ndarray, Floats, Positions]:
    """Return the nodes of all trees and their values as scikit-learn has them, and the depth of each tree."""
    *_, private = _load_sklearn()
    nclass, trees = forest.nclass or 1, forest.trees
    totals = indicators(leaf_values, nclass) * counts[:, np.newaxis]
    levels = sum_upwards(trees, totals)
    rows = totals.sum(axis=1) if nclass > 1 else totals[:, 0]
    nodes = np.zeros(len(rows), private.NODE_DTYPE)
    nodes["left_child"], nodes["right_child"] = splits.left, splits.right
    nodes["feature"], nodes["threshold"] = splits.feature, splits.threshold
    nodes["missing_go_to_left"] = splits.missing_left
    nodes["n_node_samples"] = nodes["weighted_n_node_samples"] = rows
    nodes["impurity"] = impurity(totals, nclass) / np.maximum(rows, 1.0)
    return nodes, _node_values(trees, leaf_values, nclass, totals, rows), _depths(trees, levels)


def _node_values(trees: Trees, leaf_values: np.ndarray, nclass: int, totals: Floats, rows: Floats) -> Floats:
    """Return the value of each node, shape (nodes, 1, k): shares of its rows' votes, or the mean of what they get."""
    counted = np.maximum(rows, 1.0)[:, np.newaxis]
    if nclass > 1:
        values = np.where(rows[:, np.newaxis] > 0, totals / counted, 1 / nclass)
        in_leaves = indicators(leaf_values, nclass)
    else:
        values, in_leaves = leaf_values.mean() + totals[:, 1:2] / counted, leaf_values[:, np.newaxis]
    # In leaves, a sum divided by the number of rows would be rounded.
    return np.where(trees.left[:, np.newaxis] == 0, in_leaves, values)[:, np.newaxis, :]


def _depths(trees: Trees, levels: list[Positions]) -> Positions:
    """Return the depth of each tree."""
    depths = np.zeros(len(trees.offset) - 1, np.int64)
    for depth, nodes in enumerate(levels, start=1):
        depths[np.searchsorted(trees.offset, nodes, side="right") - 1] = depth
    return depths


def _add_trees(model: Any, forest: Forest, nodes: np.ndarray, values: Floats, depths: Positions) -> None:
    """Give a forest of scikit-learn its trees."""
    _, tree, private = _load_sklearn()
    classes = hasattr(model, "n_classes_")
    kind = tree.DecisionTreeClassifier if classes else tree.DecisionTreeRegressor
    n_outputs, n_features = model.n_outputs_, model.n_features_in_
    model.estimator_, model.estimators_ = kind(), []
    for k, depth in enumerate(depths.tolist()):
        one, own = kind(), slice(int(forest.trees.offset[k]), int(forest.trees.offset[k + 1]))
        one.n_features_in_, one.n_outputs_, one.max_features_ = n_features, n_outputs, n_features
        if classes:
            one.n_classes_, one.classes_ = model.n_classes_, np.arange(float(model.n_classes_))
        one.tree_ = private.Tree(n_features, np.array([values.shape[2]], np.intp), n_outputs)
        size = own.stop - own.start
        one.tree_.__setstate__({"max_depth": depth, "node_count": size, "nodes": nodes[own], "values": values[own]})
        model.estimators_.append(one)
