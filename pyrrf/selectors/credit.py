"""Out-of-sample credit: how much each feature's splits, or its slope, help rows that were not fitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pyrrf._core.criteria import Penalty
from pyrrf._core.records import GrownTree, Trees
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.types import Floats

# The penalties of the ridge regression, of which the one with the least error on rows left out is taken.
_PENALTIES = np.geomspace(1e-2, 1e4, 13)
# The least share of a row's error that its own fit leaves, so that rounding divides nothing by 0. With more features
# than rows a small penalty leaves some 1e-4 of it.
_LEAST = 1e-9
# Nodes of up to this many rows are not split where there are many rows.
_MANY_ROWS, _SMALL_NODE = 200, 5
# The share of the features whose decrease of impurity is taken for noise.
_NOISE = 0.25


@dataclass(frozen=True, eq=False)
class Credit:
    """What features contribute to predictions of rows that were not fitted."""

    credit: Floats  # float64, shape (p,): in the unit of the target's variance; negative where a feature misleads
    # float64, shape (n, k): the prediction of each row by trees, or a regression, that did not see it
    prediction: Floats


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
    """Return the credit of features in an ordinary forest, half of it out of the bag.

    A split of feature j that sends out-of-bag rows to daughters whose means are nearer to them earns j the product of
    the step and the rows' values (X. Li et al., A debiased MDI feature importance measure, 2019). That is noisy where
    rows are few. So the other half shares out the same sum by the decrease of impurity in the bag, less its 25 %
    quantile.

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
    (n, p), target = data.shape, target_of(data)
    rule = ordinary_rule(p, _SMALL_NODE if n > _MANY_ROWS else 1)
    maker = TreeMaker(data, replace(rule, weighted=weight is not None), n_jobs)
    earned, decrease = np.zeros(p), np.zeros(p)
    shares, votes = np.zeros(target.shape), np.zeros(n)
    bags = _bags(n, n_trees, seed)
    requests = [
        TreeRequest(seed=seed, stream=i, count=bag, row_weight=weight, leaves=True, outside=True)
        for i, bag in enumerate(bags)
    ]
    for request, grown in zip(requests, maker.grow_all(requests), strict=True):
        assert request.count is not None
        assert grown.leaves is not None
        out = np.flatnonzero(request.count == 0)
        means = node_means(grown, data.nclass)
        shares[out] += means[grown.leaves[out] - 1]
        votes[out] += 1
        earned += tree_credit(grown, means, p)
        decrease += by_feature(grown.tree, grown.decrease, p)
    earned /= n_trees
    credit = (earned + _shared_out(max(float(earned.sum()), 0.0), decrease)) / 2
    return Credit(credit, (shares + np.average(target, axis=0, weights=weight)) / (votes + 1)[:, None])


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


def _bags(n: int, n_trees: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each row is in the bag of each tree."""
    chance = np.random.default_rng(seed)
    for _ in range(n_trees):
        yield np.bincount(chance.integers(n, size=n), minlength=n).astype(np.int32)


def node_means(grown: GrownTree, nclass: int) -> Floats:
    """Return the in-bag mean of the target in each node: the shares of the classes, or one number.

    Parameters
    ----------
    grown : GrownTree
    nclass : int
        1 for regression.

    Returns
    -------
    ndarray of float64, shape (nodes, k)
    """
    if nclass == 1:
        return grown.total[:, 1:] / grown.total[:, :1]
    return np.asarray(grown.total / grown.total.sum(axis=1, keepdims=True))


def tree_credit(grown: GrownTree, means: Floats, p: int) -> Floats:
    """Return what the splits of one tree do for the rows that are out of its bag, by feature.

    The sum over the nodes t that feature j splits, and over their daughters d, of
    ``(mean_d - mean_t) . (sum of the target over the out-of-bag rows in d)``, divided by what these rows count.

    Parameters
    ----------
    grown : GrownTree
        With `outside`.
    means : ndarray of float64, shape (nodes, k)
        Those in the bag.
    p : int

    Returns
    -------
    ndarray of float64, shape (p,)
        0 where no row is out of the bag.
    """
    assert grown.outside is not None
    # Of numbers the first total is the weight and the second the sum; of classes there is a weight for each.
    counts, sums = (grown.outside[:, :1], grown.outside[:, 1:]) if means.shape[1] == 1 else (grown.outside,) * 2
    counted = float(counts[0].sum())
    left = grown.tree.left
    inner = np.flatnonzero(left > 0)
    gain = np.zeros(len(left))
    for daughters in (left[inner] - 1, left[inner]):
        gain[inner] += ((means[daughters] - means[inner]) * sums[daughters]).sum(axis=1)
    return np.asarray(by_feature(grown.tree, gain, p) / counted) if counted else np.zeros(p)


def by_feature(tree: Trees, values: Floats, p: int) -> Floats:
    """Return the sum of the nodes' values for each feature that splits them.

    Parameters
    ----------
    tree : Trees
    values : ndarray of float64, shape (nodes,)
    p : int

    Returns
    -------
    ndarray of float64, shape (p,)
    """
    split = tree.split_var > 0
    return np.asarray(np.bincount(tree.split_var[split] - 1, values[split], p), dtype=np.float64)


def _shared_out(total: float, decrease: Floats) -> Floats:
    """Share a sum out by the decrease of impurity beyond what noise has."""
    beyond = np.maximum(decrease - np.quantile(decrease, _NOISE), 0) + 1e-6 * decrease
    whole = float(beyond.sum())
    return total * beyond / whole if whole > 0 else np.zeros(len(decrease))


def near_one(columns: Floats) -> Floats:
    """Return each column times a power of two, which changes no digit, so that squares neither overflow nor vanish."""
    return np.asarray(np.ldexp(columns, -np.frexp(np.abs(columns).max(axis=0))[1]))


# ---- ridge ---------------------------------------------------------------------------------------


def ridge_credit(x: Floats, target: Floats, weight: Floats | None = None) -> Credit:
    """Return the credit of features in a ridge regression on standardised columns, each row left out in turn.

    Of 13 penalties from .01 to 10,000 the one with the least squared error on the rows left out is taken. With B the
    slopes, A the matrix that gives them from the target, and e the errors of the rows left out, the slope of feature j
    without row i is ``B_j - A_ji e_i``, and its credit the mean over the rows of ``z_ij (B_j - A_ji e_i) . target_i``,
    the target less its mean.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p)
        Without missing values. A constant column earns nothing.
    target : ndarray of float64, shape (n, k)
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.

    Returns
    -------
    Credit

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.credit import ridge_credit
    >>> x = np.random.default_rng(1).standard_normal((60, 3))
    >>> np.round(ridge_credit(x, x[:, [1]] / x[:, 1].std()).credit, 2)
    array([-0.,  1., -0.])
    """
    n = len(x)
    share = np.full(n, 1 / n) if weight is None else weight / weight.sum()
    centre, mean = share @ x, share @ target
    centred = np.where(np.ptp(x, axis=0) > 0, x - centre, 0)  # no rounding where a column is constant
    centred = near_one(centred)
    spread = np.sqrt(share @ centred**2)
    # A row of weight w is like w rows: its equation is multiplied by the root of w.
    root = np.sqrt(share * n)[:, None]
    z = root * centred / np.where(spread > 0, spread, 1)
    wanted = root * (target - mean)
    u, d, vt = np.linalg.svd(z, full_matrices=False)
    turned = u.T @ wanted
    error, penalty = min(
        ((_left_out(u, d, turned, wanted, share, penalty), penalty) for penalty in _PENALTIES),
        key=lambda found: float((found[0] ** 2).sum()),
    )
    shrunk = (d / (d**2 + penalty))[:, None]
    slopes, maker = vt.T @ (shrunk * turned), vt.T @ (shrunk * u.T)
    credit = ((z.T @ wanted) * slopes).sum(axis=1) - (z.T * maker) @ (error * wanted).sum(axis=1)
    return Credit(credit / n, target - error / root)


def _left_out(u: Floats, d: Floats, turned: Floats, wanted: Floats, share: Floats, penalty: float) -> Floats:
    """Return the errors of rows that are left out, one after the other."""
    kept = d**2 / (d**2 + penalty)
    leverage = (u**2 * kept).sum(axis=1) + share
    return np.asarray((wanted - u @ (kept[:, None] * turned)) / np.maximum(1 - leverage, _LEAST)[:, None])
