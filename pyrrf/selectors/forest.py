"""Ordinary forests of the selectors: their settings, their trees, and predictions of rows out of the bag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import numpy as np

from pyrrf._core.criteria import Penalty
from pyrrf._core.records import GrownTree
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.types import Floats

# Nodes of up to this many rows are not split where there are many rows.
_MANY_ROWS, _SMALL_NODE = 200, 5
# Trees whose nodes are looked at together, and numbers that their predictions of all rows hold at most.
_BLOCK, _BLOCK_NUMBERS = 64, 1_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class OrdinaryForest:
    """A forest to be grown. The same seed means the same bags, on any columns."""

    n_trees: int
    seed: int
    weight: Floats | None = None  # float64, shape (n,): what each row counts, above 0; 1 by default
    n_jobs: int | None = None  # threads; the answer does not depend on them

    def rule_for(self, data: TreeData) -> TreeRule:
        """Return the rule for growing its trees."""
        return replace(rule_by_rows(*data.shape), weighted=self.weight is not None)

    def blocks(
        self, data: TreeData, rule: TreeRule, outside: bool = False
    ) -> Iterator[list[tuple[TreeRequest, GrownTree]]]:
        """Yield the trees, each with its request, in blocks; `outside`: with the totals of the rows out of the bag."""
        requests = [
            TreeRequest(seed=self.seed, stream=i, count=bag, row_weight=self.weight, leaves=True, outside=outside)
            for i, bag in enumerate(_bags(data.shape[0], self.n_trees, self.seed))
        ]
        trees = zip(requests, TreeMaker(data, rule, self.n_jobs).grow_all(requests), strict=True)
        size = max(1, min(_BLOCK, _BLOCK_NUMBERS // (data.shape[0] * data.nclass)))
        while block := list(islice(trees, size)):
            yield block


@lru_cache(maxsize=2)
def _bags(n: int, n_trees: int, seed: int) -> list[np.ndarray]:
    """Return the number of times that each row is in the bag, tree by tree; forests without a unit have the same."""
    chance = np.random.default_rng(seed)
    bags = [np.bincount(chance.integers(n, size=n), minlength=n).astype(np.int32) for _ in range(n_trees)]
    for bag in bags:
        bag.setflags(write=False)
    return bags


def ordinary_rule(p: int, nodesize: int = 1) -> TreeRule:
    """Return the rule for trees of an ordinary forest: each node looks at sqrt(p) features.

    Parameters
    ----------
    p : int
    nodesize : int, default 1

    Returns
    -------
    TreeRule
    """
    return TreeRule(mtry=max(1, int(np.sqrt(p))), draw_from_all=True, penalty=Penalty.GAIN, nodesize=nodesize)


def rule_by_rows(n: int, p: int) -> TreeRule:
    """Return the rule of an ordinary forest, in which small nodes are not split where there are many rows."""
    return ordinary_rule(p, _SMALL_NODE if n > _MANY_ROWS else 1)


# ---- predictions ---------------------------------------------------------------------------------


class OutOfBag:
    """Predictions of each row by the trees that did not see it, and by the mean as if it were one more of them."""

    def __init__(self, data: TreeData, weight: Floats | None) -> None:
        target = target_of(data)
        self._nclass, self._sum, self._votes = data.nclass, np.zeros(target.shape), np.ones(len(target))
        self._sum += np.average(target, axis=0, weights=weight)

    def add(self, trees: Sequence[tuple[TreeRequest, GrownTree]]) -> None:
        """Add trees, each with its request."""
        out = np.stack([request.count for request, _ in trees if request.count is not None]) == 0
        leaves = np.stack([grown.leaves for _, grown in trees if grown.leaves is not None])
        sizes = [len(grown.total) for _, grown in trees]
        means = node_means(np.concatenate([grown.total for _, grown in trees]), self._nclass)
        first = np.cumsum([0, *sizes[:-1]])[:, None]
        self._sum += (means[leaves - 1 + first] * out[:, :, None]).sum(axis=0)
        self._votes += out.sum(axis=0)

    def mean(self) -> Floats:
        """Return the predictions, float64, shape (n, k)."""
        return self._sum / self._votes[:, None]


def target_of(data: TreeData) -> Floats:
    """Return the target of predictions: a column of 0 and 1 for each class, or the numbers themselves.

    Parameters
    ----------
    data : TreeData

    Returns
    -------
    ndarray of float64, shape (n, k)
        k is 1 for regression.
    """
    return data.response[:, None].astype(np.float64) if data.nclass == 1 else np.eye(data.nclass)[data.response]


def node_means(total: Floats, nclass: int) -> Floats:
    """Return the in-bag mean of the target in each node: the shares of the classes, or one number.

    Parameters
    ----------
    total : ndarray of float64, shape (nodes, nclass), or (nodes, 2) for regression
        As in `GrownTree`.
    nclass : int
        1 for regression.

    Returns
    -------
    ndarray of float64, shape (nodes, k)
    """
    if nclass == 1:
        return total[:, 1:] / total[:, :1]
    return np.asarray(total / total.sum(axis=1, keepdims=True))
