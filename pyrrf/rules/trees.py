"""Trees of any model in one form: those of pyrrf's fits and of scikit-learn's trees, forests and boosted trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf._core.records import Trees
from pyrrf.checks import type_name
from pyrrf.data.predictors import MAX_CATEGORIES
from pyrrf.errors import bad
from pyrrf.result.forest import Forest
from pyrrf.result.result import ForestResult
from pyrrf.result.summaries import require_forest
from pyrrf.types import Floats, Ints

_WORD = 32


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """One tree; nodes count from 0, the root is node 0."""

    # left, right: int32, shape (nodes,): daughters; -1 for a leaf
    left: Ints
    right: Ints
    feature: Ints  # int32, shape (nodes,): feature of the split, from 0; -1 for a leaf
    threshold: Floats  # float64, shape (nodes,): numbers up to it go left
    # bool, shape (nodes,): whether missing values go left; None where the model has no rule for them
    missing_left: np.ndarray | None = None
    level_bits: list[int] | None = None  # the levels of a factor that go left, as bits; None = `threshold` holds them

    def levels_left(self, node: int) -> int:
        """Return the levels that go left at a split of a factor, as bits; RRF keeps bit 31 as a sign."""
        if self.level_bits is not None:
            return self.level_bits[node]
        bits = int(self.threshold[node])
        return bits if bits >= 0 else bits & 0xFFFFFFFF


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeList:
    """The trees of a model (R's result of ``RF2List`` and ``GBM2List``).

    Parameters
    ----------
    trees : list of Tree
        The trees, in the order of the forest.
    n_features : int
        Number of features of the fit.
    codes_missing : frozenset of int
        Features whose missing values are one more level of a factor.
    as_intrees : bool
        Whether split points of factors are read as inTrees reads them: those of ordered factors as bits, too, and those
        that R has no whole number for as that of level 32.
    exact : bool
        Whether thresholds are written in all their digits; otherwise in R's 15.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> from pyrrf.rules import RF2List
    >>> RF2List(pyrrf.RRF(x, species, ntree=20, seed=1))
    <TreeList of 20 trees, 4 features>
    """

    trees: list[Tree]
    n_features: int
    codes_missing: frozenset[int] = frozenset()
    as_intrees: bool = False
    exact: bool = False

    def __repr__(self) -> str:
        return f"<TreeList of {len(self.trees)} trees, {self.n_features} features>"


def RF2List(rf: Any) -> TreeList:
    """Return the trees of a model in the form that `extractRules` reads (R's ``RF2List``, ``GBM2List``).

    Parameters
    ----------
    rf : ForestResult, estimator or TreeList
        A fit of `RRF`, `GRRF` or `randomForest` with its forest, an estimator of pyrrf.sklearn that holds one, or a
        fitted tree, forest, bagging or gradient boosting of scikit-learn. Boosted trees of several classes stand one
        after the other, stage by stage.

    Returns
    -------
    TreeList

    Raises
    ------
    TypeError
        `rf` holds no trees that can be read.
    ValueError
        A fit has no forest, or an estimator is not fitted.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> rules.RF2List(pyrrf.RRF(x, x[:, 0] > 0.5, ntree=25))
    <TreeList of 25 trees, 4 features>
    """
    return read_trees(rf, "rf")


def read_trees(model: Any, name: str) -> TreeList:
    """Return the trees of a model; messages call it by its argument's name."""
    if isinstance(model, TreeList):
        return model
    model = getattr(model, "result_", model)
    if isinstance(model, ForestResult):
        return _of_forest(require_forest(model, name), mirrored=model.engine == "r" and model.quirks)
    trees = list(_sklearn_trees(model, name))
    return TreeList(trees=trees, n_features=int(model.n_features_in_), exact=True)


# ---- pyrrf ---------------------------------------------------------------------------------------


def _of_forest(forest: Forest, mirrored: bool) -> TreeList:
    """Return the packed trees one by one."""
    return TreeList(
        trees=[_of_packed(forest.tree(k), forest.ncat) for k in range(1, forest.ntree + 1)],
        n_features=len(forest.ncat),
        codes_missing=frozenset(j for j, column in forest.coded.items() if column.missing),
        as_intrees=mirrored,
    )


def _of_packed(tree: Trees, ncat: Ints) -> Tree:
    left, feature = tree.left - 1, tree.split_var - 1
    return Tree(
        left=left,
        right=np.where(left >= 0, left + 1, -1).astype(np.int32),
        feature=feature,
        threshold=tree.split_point,
        missing_left=None if tree.missing_left is None else tree.missing_left.astype(bool),
        level_bits=_wide_sets(tree, feature, ncat),
    )


def _wide_sets(tree: Trees, feature: Ints, ncat: Ints) -> list[int] | None:
    """Return the levels that go left at each node, as bits, of a tree that splits factors of many levels."""
    if tree.level_set is None or not len(tree.level_set):
        return None
    words, points = tree.level_set.astype("<u4"), tree.split_point
    level_sets = [0] * len(feature)
    for node in np.flatnonzero((feature >= 0) & (ncat[feature] > 1)).tolist():
        levels = int(ncat[feature[node]])
        if levels <= MAX_CATEGORIES:
            level_sets[node] = int(points[node]) & 0xFFFFFFFF
            continue
        first = int(points[node])
        own = words[first : first + -(-levels // _WORD)]
        level_sets[node] = int.from_bytes(own.tobytes(), "little") & ((1 << levels) - 1)
    return level_sets


# ---- scikit-learn --------------------------------------------------------------------------------


def _sklearn_trees(model: Any, name: str) -> Iterator[Tree]:
    """Yield the trees of an estimator in their order, also of an ensemble of ensembles."""
    if hasattr(model, "tree_"):
        yield _of_tree(model.tree_)
        return
    members = getattr(model, "estimators_", None)
    if members is None:
        raise _unreadable(model, name)
    # Bagging shows each member some columns only.
    shown = getattr(model, "estimators_features_", None)
    for index, member in enumerate(_flat(members)):
        if shown is not None and hasattr(member, "tree_"):
            yield _of_tree(member.tree_, np.asarray(shown[index]))
        elif shown is None:
            yield from _sklearn_trees(member, name)
        else:
            raise _unreadable(member, name)


def _flat(members: Any) -> list[Any]:
    """Return the members one after the other; boosting has an array of them, one column for each class."""
    return members.ravel().tolist() if isinstance(members, np.ndarray) else list(members)


def _of_tree(tree: Any, columns: np.ndarray | None = None) -> Tree:
    left = np.asarray(tree.children_left, np.int32)
    feature = np.where(left >= 0, tree.feature, 0)
    chosen = feature if columns is None else columns[feature]
    return Tree(
        left=left,
        right=np.asarray(tree.children_right, np.int32),
        feature=np.where(left >= 0, chosen, -1).astype(np.int32),
        threshold=np.asarray(tree.threshold, np.float64),
        missing_left=np.asarray(tree.missing_go_to_left).astype(bool),
    )


def _unreadable(model: Any, name: str) -> Exception:
    if callable(getattr(model, "fit", None)) and not hasattr(model, "n_features_in_"):
        return bad.fit(f"{name}, a {type(model).__name__}, is not fitted; call its fit() first")
    return bad.type(
        f"{name} must be a fit of RRF(), GRRF() or randomForest(), or a fitted tree, forest or gradient boosting of "
        f"scikit-learn, not {type_name(model)}"
    )
