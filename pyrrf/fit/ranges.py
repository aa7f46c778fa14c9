"""A forest of engine parallel grown in ranges of trees: in several processes, or until no new feature enters F."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pyrrf import _core
from pyrrf._core.records import Splits
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData
from pyrrf.random import draw_seed
from pyrrf.types import Floats

# Trees after which is asked whether new features entered F.
_STEP = 25


def tree_ranges(ntree: int, parts: int) -> list[tuple[int, int]]:
    """Return the first tree and the number of trees of each range, which are as long as each other to within one tree.

    Parameters
    ----------
    ntree : int
    parts : int
        Ranges, but for forests of fewer trees.

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> from pyrrf.fit.ranges import tree_ranges
    >>> tree_ranges(10, 3), tree_ranges(2, 3)
    ([(0, 3), (3, 3), (6, 4)], [(0, 1), (1, 1)])
    """
    parts = min(parts, ntree)
    bounds = [ntree * i // parts for i in range(parts + 1)]
    return [(first, end - first) for first, end in pairwise(bounds)]


def grow_range(shared: SharedData, call: Call, seed: int, first: int, number: int) -> Splits:
    """Return the splits of some trees of an ordinary forest.

    Each tree has its own stream, by its number, and depends on no other.

    Parameters
    ----------
    shared : SharedData
        Of engine parallel.
    call : Call
        Of the whole forest.
    seed : int
        What `draw_seed` gives for the whole forest.
    first, number : int
        The first tree, from 0, and how many there are.

    Raises
    ------
    ValueError
        No bag has rows of positive weight.
    """
    task = shared.task(call)
    grown = _core.fit_parallel(
        task.rows,
        replace(task.growing, ntree=number, keep_forest=False),
        task.rule,
        seed,
        first_tree=first,
        return_splits=True,
        n_jobs=min(task.engine.n_jobs, number),
        ranks=task.ranks,
    )
    assert grown.splits is not None
    return grown.splits


def features_until(shared: SharedData, call: Call, quiet: int) -> np.ndarray:
    """Return the features that a regularized forest splits by, bool, shape (p,), drawn from the current stream.

    Trees are grown in their order, each from F as the ones before it left it. They end where all features are split
    by, and where `quiet` trees brought no new one; so with `quiet` at least ``ntree`` the features are those of the
    whole forest.

    Parameters
    ----------
    shared : SharedData
        Of engine parallel.
    call : Call
        Of the whole forest.
    quiet : int

    Raises
    ------
    ValueError
        No bag has rows of positive weight.
    """
    task = shared.task(replace(call, keep_forest=False))
    growing, seed = task.growing, draw_seed()
    kept, used, newest = np.zeros(len(growing.used), np.bool_), growing.used, 0
    for first in range(0, growing.ntree, _STEP):
        grown = _core.fit_parallel(
            task.rows,
            replace(growing, ntree=min(_STEP, growing.ntree - first), used=used),
            task.rule,
            seed,
            first_tree=first,
            return_splits=True,
            ranks=task.ranks,
        )
        assert grown.splits is not None
        used, before = grown.outcome.used, kept.sum()
        kept[grown.splits.feature] = True
        done = first + _STEP
        newest = done if kept.sum() > before else newest
        if kept.all() or done - newest >= quiet:
            break
    return kept


def mean_decrease(ranges: Iterable[Splits], p: int, ntree: int) -> Floats:
    """Return the decrease in impurity by each feature, float64, shape (p,), bit for bit as of the forest in one.

    Sums of the ranges would be rounded otherwise, so their splits are added one by one, in their order.

    Parameters
    ----------
    ranges : iterable of Splits
        In the order of their trees.
    p, ntree : int
        Of the whole forest.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf._core.records import Splits
    >>> from pyrrf.fit.ranges import mean_decrease
    >>> mean_decrease([Splits(np.array([1, 1], np.int32), np.array([2.0, 4.0]))], 3, 2)
    array([0., 3., 0.])
    """
    total = np.zeros(p)
    for splits in ranges:
        np.add.at(total, splits.feature, splits.decrease)
    return total / ntree
