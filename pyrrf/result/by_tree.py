"""Decrease in impurity by the splits of each tree on given rows."""

from __future__ import annotations

import numpy as np

from pyrrf._core.records import Trees
from pyrrf.types import Floats, Ints, Positions


def decrease_by_tree(trees: Trees, leaves: Ints, response: np.ndarray, nclass: int, p: int) -> Floats:
    """Return the decrease in impurity by the splits of each tree on some rows, summed by feature.

    `leaves` counts the leaf of each row in each tree from 1, shape (n, ntree); `nclass` is 1 for regression. The answer
    has shape (ntree, p): for classes the number of rows times the Gini index, for regression the sum of squares. No row
    is in or out of a bag here, so that the sum over the trees is not the importance of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> from pyrrf import _core
    >>> from pyrrf.result.by_tree import decrease_by_tree
    >>> x, y = np.array([[0.0, 5.0], [1.0, 5.0]] * 5), np.array([0, 1] * 5)
    >>> trees = pyrrf.RRF(x, list("ab" * 5), ntree=2, seed=1).forest.trees
    >>> leaves = _core.predict(trees, x, np.ones(2, np.int32), 2, nodes=True).nodes
    >>> decrease_by_tree(trees, leaves, y, 2, 2)
    array([[5., 0.],
           [5., 0.]])
    """
    nodes, ntree = int(trees.offset[-1]), len(trees.offset) - 1
    node = (leaves - 1 + trees.offset[:-1]).ravel()
    totals = np.zeros((nodes, indicators(response, nclass).shape[1]))
    for column, values in enumerate(indicators(response, nclass).T):
        totals[:, column] = np.bincount(node, np.repeat(values, ntree), minlength=nodes)
    levels, left = sum_upwards(trees, totals), _left_daughters(trees)
    impure, split = impurity(totals, nclass), np.concatenate([*levels, np.zeros(0, np.int64)])
    decrease = impure[split] - impure[left[split]] - impure[left[split] + 1]
    tree = np.searchsorted(trees.offset, split, side="right") - 1
    place = tree * p + trees.split_var[split] - 1
    return np.asarray(np.bincount(place, decrease, minlength=ntree * p).reshape(ntree, p))


def sum_upwards(trees: Trees, totals: Floats) -> list[Positions]:
    """Set the totals of each split to the sum of its daughters'; return the splits by depth, as positions."""
    left = _left_daughters(trees)
    levels = _levels(trees, left)
    for split in reversed(levels):
        totals[split] = totals[left[split]] + totals[left[split] + 1]
    return levels


def indicators(response: np.ndarray, nclass: int) -> Floats:
    """Return the columns to sum over the rows of a node: classes, or in regression 1, the number and its square."""
    if nclass > 1:
        return np.asarray(response[:, None] == np.arange(nclass), np.float64)
    # Squares of numbers far from 0 would lose their differences to rounding.
    centred = response - response.mean()
    return np.stack([np.ones(len(centred)), centred, centred**2], axis=1)


def impurity(totals: Floats, nclass: int) -> Floats:
    """Return the impurity of nodes by their sums; 0 for a node without rows."""
    if nclass > 1:
        count, squares = totals.sum(axis=1), (totals**2).sum(axis=1)
        return np.asarray(count - squares / np.maximum(count, 1.0))
    count, total, squares = totals.T
    return np.asarray(np.maximum(squares - total**2 / np.maximum(count, 1.0), 0.0))


def _left_daughters(trees: Trees) -> Positions:
    """Return the position of the left daughter of each node in the packed arrays."""
    first = np.repeat(trees.offset[:-1], np.diff(trees.offset))
    return np.asarray(first + trees.left - 1)


def _levels(trees: Trees, left: Positions) -> list[Positions]:
    """Return the nodes that are split, by depth; positions in the packed arrays."""
    levels: list[Positions] = []
    nodes = np.asarray(trees.offset[:-1], np.int64)
    while True:
        nodes = nodes[trees.left[nodes] > 0]
        if not len(nodes):
            return levels
        levels.append(nodes)
        nodes = np.concatenate([left[nodes], left[nodes] + 1])
