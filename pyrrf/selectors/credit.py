"""Credit out of the bag: how much the splits by each feature help rows that their trees have not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyrrf._core.records import GrownTree
from pyrrf.selectors.forest import OrdinaryForest, OutOfBag, node_means
from pyrrf.selectors.growing import TreeData
from pyrrf.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Credit:
    """Contributions of features to predictions by a forest for rows that its trees have not seen."""

    credit: Floats  # float64, shape (p,): in the unit of the target's variance; negative where a feature misleads
    prediction: Floats  # float64, shape (n, k): of each row by the trees that did not see it


def forest_credit(data: TreeData, forest: OrdinaryForest) -> Credit:
    """Return the credit of features in an ordinary forest, by rows out of the bag; `trees_credit`.

    Parameters
    ----------
    data : TreeData
        Numbers of the response should have variance 1.
    forest : OrdinaryForest

    Returns
    -------
    Credit

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.credit import forest_credit
    >>> from pyrrf.selectors.forest import OrdinaryForest
    >>> from pyrrf.selectors.growing import TreeData
    >>> x = np.random.default_rng(1).standard_normal((60, 3))
    >>> y = (x[:, 1] > 0).astype(np.int32)
    >>> data = TreeData(values=x, ncat=np.ones(3, np.int32), response=y, nclass=2)
    >>> int(forest_credit(data, OrdinaryForest(n_trees=50, seed=1)).credit.argmax())
    1
    """
    predictions, earned = OutOfBag(data, forest.weight), np.zeros(data.shape[1])
    for block in forest.blocks(data, forest.rule_for(data), outside=True):
        predictions.add(block)
        earned += trees_credit([grown for _, grown in block], data.nclass, len(earned))
    return Credit(earned / forest.n_trees, predictions.mean())


def trees_credit(trees: Sequence[GrownTree], nclass: int, p: int) -> Floats:
    """Return the credit of the splits by each feature on rows out of the bag, summed over trees.

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
    counts, sums = (np.concatenate(arrays) for arrays in zip(*_shares_outside(trees, nclass), strict=True))
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


def centre_near_one(numbers: np.ndarray) -> Floats:
    """Return numbers of any size less their mean, times a power of two that brings them near 1."""
    near = near_one(numbers.astype(np.float64))
    return near_one(near - near.mean())
