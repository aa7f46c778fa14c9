"""What the splits of each tree are worth on some rows, against sums over the rows of each node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf import _core
from pyrrf._core.records import Trees
from pyrrf.result.by_tree import decrease_by_tree


def impurity(values: np.ndarray, nclass: int) -> float:
    """Rows times the Gini index, or the sum of squares."""
    if not len(values):
        return 0.0
    if nclass == 1:
        return float(((values - values.mean()) ** 2).sum())
    return float(len(values) - (np.bincount(values, minlength=nclass) ** 2).sum() / len(values))


def slow(trees: Any, x: np.ndarray, response: np.ndarray, nclass: int) -> np.ndarray:
    """Rows sent down tree by tree, node by node."""
    found = np.zeros((len(trees.offset) - 1, x.shape[1]))
    for tree in range(len(found)):
        first = trees.offset[tree]
        waiting = [(0, np.arange(len(x)))]
        while waiting:
            node, rows = waiting.pop()
            left, feature = trees.left[first + node], trees.split_var[first + node] - 1
            if left == 0:
                continue
            goes = x[rows, feature] <= trees.split_point[first + node]
            parts = rows[goes], rows[~goes]
            found[tree, feature] += impurity(response[rows], nclass) - sum(impurity(response[p], nclass) for p in parts)
            waiting += [(left - 1, parts[0]), (left, parts[1])]
    return found


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("nclass", [1, 3])
def test_sums_of_the_nodes(x: np.ndarray, engine: str, nclass: int) -> None:
    codes = np.digitize(x[:, 0] + x[:, 1], [0.7, 1.2])
    y = 1e6 + 3 * x[:, 0] + x[:, 1] if nclass == 1 else np.array(["a", "b", "c"])[codes]
    response = y if nclass == 1 else codes
    trees = pyrrf.RRF(x, y, ntree=7, engine=engine, flagReg=0, seed=3).forest.trees
    # Not the rows of the fit, so that some nodes have none.
    rows, response = x[:20], response[:20]
    leaves = _core.predict(trees, np.asfortranarray(rows), np.ones(5, np.int32), nclass, nodes=True).nodes
    assert leaves is not None
    found = decrease_by_tree(trees, leaves, response, nclass, 5)
    np.testing.assert_allclose(found, slow(trees, rows, response, nclass), atol=1e-9)
    assert found.shape == (7, 5)


def test_trees_without_splits() -> None:
    none, leaf = np.zeros(2, np.int32), np.full(2, -1, np.int32)
    trees = Trees(
        offset=np.arange(3), left=none, split_var=none, split_point=np.zeros(2), status=leaf, prediction=np.ones(2)
    )
    found = decrease_by_tree(trees, np.ones((3, 2), np.int32), np.array([0, 1, 1]), 2, 5)
    assert found.tolist() == [[0.0] * 5] * 2
