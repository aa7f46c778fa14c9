"""Credit out of the bag: how much the splits by each feature help rows that their trees have not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from pyrrf._core.criteria import Penalty
from pyrrf._core.records import GrownTree
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.types import Floats, Ints, Positions

# Nodes of up to this many rows are not split where there are many rows.
_MANY_ROWS, _SMALL_NODE = 200, 5
# The largest share of a loss; the rest is the credit. Without shrinkage .5, .7 and .85 were no better.
_MOST_LOSS = 0.8
# Trees whose nodes are looked at together.
_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Credit:
    """What features contribute to predictions by a forest of rows that its trees have not seen."""

    credit: Floats  # float64, shape (p,): in the unit of the target's variance; negative where a feature misleads
    prediction: Floats  # float64, shape (n, k): of each row by the trees that did not see it


def target_of(data: TreeData) -> Floats:
    """Return what is predicted: a column of 0 and 1 for each class, or the numbers themselves.

    Parameters
    ----------
    data : TreeData

    Returns
    -------
    ndarray of float64, shape (n, k)
        k is 1 for regression.
    """
    return data.response[:, None].astype(np.float64) if data.nclass == 1 else np.eye(data.nclass)[data.response]


# ---- forest --------------------------------------------------------------------------------------


def forest_credit(
    data: TreeData, *, n_trees: int, seed: int, weight: Floats | None = None, n_jobs: int | None = None
) -> Credit:
    """Return the credit of features in an ordinary forest, by rows out of the bag; `trees_credit`.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    n_trees : int
    seed : int
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.
    n_jobs : int, optional
        Threads; the answer does not depend on them.

    Returns
    -------
    Credit

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.credit import forest_credit
    >>> from pyrrf.selectors.growing import TreeData
    >>> x = np.random.default_rng(1).standard_normal((60, 3))
    >>> y = (x[:, 1] > 0).astype(np.int32)
    >>> data = TreeData(values=x, ncat=np.ones(3, np.int32), response=y, nclass=2)
    >>> int(forest_credit(data, n_trees=50, seed=1).credit.argmax())
    1
    """
    (n, p), found = data.shape, _OutOfBag(data, weight)
    maker, earned = TreeMaker(data, _rule(n, p, weight), n_jobs), np.zeros(p)
    for block in _in_blocks(maker, n_trees, seed, weight, outside=True):
        found.add(block)
        earned += trees_credit([grown for _, grown in block], data.nclass, p)
    return Credit(earned / n_trees, found.mean())


def losses_without(
    data: TreeData,
    units: Positions,
    *,
    n_trees: int,
    seed: int,
    weight: Floats | None = None,
    n_jobs: int | None = None,
) -> tuple[Floats, Floats]:
    """Return by how much a forest predicts rows out of the bag worse when it is grown without each unit, and its error.

    Of correlated features, which can stand for each other, each has its share of `forest_credit`, and next to nothing
    of this.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    units : ndarray of int64, shape (p,)
        The unit of each feature; at least two of them.
    n_trees : int
        Of each forest. All of them have the same bags.
    seed : int
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.
    n_jobs : int, optional
        Threads; the answer does not depend on them.

    Returns
    -------
    losses : ndarray of float64, shape (k,)
        Of each unit, in ascending order, by how much the mean squared error grows, summed over the columns of the
        target; negative where the forest is better without it.
    errors : ndarray of float64, shape (k,)
        The standard error of each, over the rows.
    """
    target, rule = target_of(data), _rule(*data.shape, weight)  # as many candidates of a node in all forests

    def squares(features: Positions) -> Floats:
        found, same = _OutOfBag(data, weight), replace(rule, mtry=min(rule.mtry, len(features)))
        for block in _in_blocks(TreeMaker(data.columns(features), same, n_jobs), n_trees, seed, weight):
            found.add(block)
        return np.asarray(((found.mean() - target) ** 2).sum(axis=1))

    share = np.full(len(target), 1 / len(target)) if weight is None else weight / weight.sum()
    every = squares(np.arange(len(units)))
    more = np.array([squares(np.flatnonzero(units != unit)) for unit in np.unique(units)]) - every
    losses = more @ share
    return losses, np.sqrt((more - losses[:, None]) ** 2 @ share**2)


def shrunk(losses: Floats, errors: Floats, credit: Floats) -> Floats:
    """Return losses, each drawn to the credit: the more, the larger its error; by a fifth where it has none.

    Without that fifth it would be the expected loss, if losses deviated from the credit with one variance for all
    units. Of features that can stand for each other none has a loss; by the fifth the better ones stay longer.

    Parameters
    ----------
    losses, errors, credit : ndarray of float64, shape (k,)
        Of each unit, as of `losses_without` and `forest_credit`.

    Returns
    -------
    ndarray of float64, shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.credit import shrunk
    >>> shrunk(np.array([0.0, 0.2]), np.array([0.0, 0.1]), np.array([0.1, 0.3])).round(2)
    array([0.02, 0.27])
    """
    variance = max(0.0, float(np.mean((losses - credit) ** 2 - errors**2)))
    share = np.divide(variance, variance + errors**2, out=np.zeros(len(losses)), where=variance > 0)
    return np.asarray(credit + _MOST_LOSS * share * (losses - credit))


class _OutOfBag:
    """Predictions of each row by the trees that did not see it, and by the mean as if it were one more of them."""

    def __init__(self, data: TreeData, weight: Floats | None) -> None:
        target = target_of(data)
        self._nclass, self._sum, self._votes = data.nclass, np.zeros(target.shape), np.ones(len(target))
        self._sum += np.average(target, axis=0, weights=weight)

    def add(self, trees: Sequence[tuple[TreeRequest, GrownTree]]) -> None:
        for request, grown in trees:
            assert request.count is not None
            assert grown.leaves is not None
            out = np.flatnonzero(request.count == 0)
            self._sum[out] += node_means(grown.total, self._nclass)[grown.leaves[out] - 1]
            self._votes[out] += 1

    def mean(self) -> Floats:
        return self._sum / self._votes[:, None]


def _rule(n: int, p: int, weight: Floats | None) -> TreeRule:
    return replace(rule_by_rows(n, p), weighted=weight is not None)


def _in_blocks(
    maker: TreeMaker, n_trees: int, seed: int, weight: Floats | None, outside: bool = False
) -> Iterator[list[tuple[TreeRequest, GrownTree]]]:
    """Yield trees, each with its request, in blocks."""
    requests = [
        TreeRequest(seed=seed, stream=i, count=bag, row_weight=weight, leaves=True, outside=outside)
        for i, bag in enumerate(_bags(maker.data.shape[0], n_trees, seed))
    ]
    trees = zip(requests, maker.grow_all(requests), strict=True)
    while block := list(islice(trees, _BLOCK)):
        yield block


def ordinary_rule(p: int, nodesize: int = 1) -> TreeRule:
    """Return how the trees of an ordinary forest are grown: each node looks at sqrt(p) features.

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


def _bags(n: int, n_trees: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each row is in the bag of each tree."""
    chance = np.random.default_rng(seed)
    for _ in range(n_trees):
        yield np.bincount(chance.integers(n, size=n), minlength=n).astype(np.int32)


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


def trees_credit(trees: Sequence[GrownTree], nclass: int, p: int) -> Floats:
    """Return what the splits by each feature do for the rows that are out of the bag, summed over trees.

    The sum of ``(mean_d - mean_t) . (sum_d - count_d out_t)`` over the daughters d of the nodes t that the feature
    splits: means in the bag; sums of the target and counts of the rows out of it, as shares of those in the tree, and
    out_t their mean in t. Less their own mean, rows on which a feature has no bearing earn nothing on average, however
    many ways it has to part them: neither a number, nor a factor of many levels, of which those that the node has not
    seen all go one way.

    Parameters
    ----------
    trees : sequence of GrownTree
        With `outside`. Their nodes are looked at together, since numpy takes longer to be called than to compute.
    nclass : int
        1 for regression.
    p : int

    Returns
    -------
    ndarray of float64, shape (p,)
        A tree without rows out of its bag adds 0.

    Notes
    -----
    X. Li and others, A debiased MDI feature importance measure for random forests, 2019, have the sums without
    ``count_d out_t``.
    """
    sizes = [len(each.tree.left) for each in trees]
    left = np.concatenate([each.tree.left for each in trees]) + np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    split_var = np.concatenate([each.tree.split_var for each in trees])
    means = node_means(np.concatenate([each.total for each in trees]), nclass)
    counts, sums = (np.concatenate(part) for part in zip(*_shares_outside(trees, nclass), strict=True))
    inner, gain = np.flatnonzero(split_var > 0), np.zeros(len(split_var))
    outside = np.divide(sums[inner], counts[inner], out=np.zeros((len(inner), sums.shape[1])), where=counts[inner] > 0)
    for daughters in (left[inner] - 1, left[inner]):
        step = means[daughters] - means[inner]
        gain[inner] += (step * (sums[daughters] - counts[daughters] * outside)).sum(axis=1)
    return by_feature(split_var, gain, p)


def _shares_outside(trees: Sequence[GrownTree], nclass: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each tree the weight of the rows out of the bag in each node, and the sums of the target over them."""
    for each in trees:
        assert each.outside is not None
        # Of numbers the first total is the weight and the second the sum; of classes there is a weight for each.
        counts, sums = np.split(each.outside, [1], axis=1) if nclass == 1 else (each.outside, each.outside)
        counts = counts.sum(axis=1, keepdims=True)
        whole = counts[0] if counts[0] > 0 else 1.0
        yield counts / whole, sums / whole


def by_feature(split_var: Ints, values: Floats, p: int) -> Floats:
    """Return the sum of the nodes' values for each feature that splits them.

    Parameters
    ----------
    split_var : ndarray of int32, shape (nodes,)
        The feature that splits each node, from 1; 0 for a leaf.
    values : ndarray of float64, shape (nodes,)
    p : int

    Returns
    -------
    ndarray of float64, shape (p,)
    """
    split = split_var > 0
    return np.asarray(np.bincount(split_var[split] - 1, values[split], p), dtype=np.float64)


def near_one(columns: Floats) -> Floats:
    """Return each column times a power of two, which changes no digit, so that squares neither overflow nor vanish."""
    return np.asarray(np.ldexp(columns, -np.frexp(np.abs(columns).max(axis=0))[1]))


def centred(numbers: np.ndarray) -> Floats:
    """Return numbers of any size less their mean, times a power of two that brings them near 1."""
    near = near_one(numbers.astype(np.float64))
    return near_one(near - near.mean())
