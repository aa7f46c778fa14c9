"""Trees one by one, on rows, weights and features that a selector chooses: in the caller's thread or on several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Self

import numpy as np

from pyrrf._core import Ranks, TreeGrower
from pyrrf._core.criteria import Criterion, Penalty
from pyrrf._core.records import GrownTree, SparseColumns, Trees
from pyrrf.data.predictors import Predictors
from pyrrf.threads import resolve_jobs
from pyrrf.types import Floats, Ints, Positions

# Trees asked for ahead of the one that is handed out, for each thread.
_AHEAD = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeData:
    """Training data of trees."""

    # float64 or float32, shape (n, p): NaN is a missing number; level k of a factor, from 1, is the number k
    values: np.ndarray | SparseColumns
    ncat: Ints  # int32, shape (p,): 1 for a number, otherwise the levels of a factor
    response: np.ndarray  # int32 or float64, shape (n,): classes from 0, all `nclass` present, or numbers
    nclass: int  # 1 for regression
    ranks: Ranks | None = None  # of the columns, for other data with the same rows; None = each `TreeMaker` ranks them

    @classmethod
    def of(cls, table: Predictors, rows: Positions, response: np.ndarray, nclass: int) -> Self:
        """Return some rows of a table, with their response."""
        return cls(values=table.take(rows).values, ncat=table.ncat, response=response, nclass=nclass)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and features."""
        n, p = self.values.shape
        return n, p

    @property
    def dense(self) -> np.ndarray:
        """The values as an array; those of a sparse matrix are copied."""
        if isinstance(self.values, SparseColumns):
            return self.values.dense(np.arange(self.shape[1]))
        return self.values

    def with_ranks(self, rule: TreeRule, n_jobs: int | None = None) -> TreeData:
        """Return the data with their ranks, for trees with the criterion of a rule, and with weights if it has."""
        if self.ranks is not None:
            return self
        n = np.array([self.shape[0]], np.int32)
        ranks = Ranks(
            self.values, self.ncat, self.response, self.nclass, parallel=True, sampsize=n, criterion=rule.criterion,
            weighted=rule.weighted, n_jobs=resolve_jobs(n_jobs),
        )  # fmt: skip
        return replace(self, ranks=ranks)

    def columns(self, features: Positions) -> TreeData:
        """Return some of the columns, counted from 0, as an array of column-major order, with their ranks."""
        if isinstance(self.values, SparseColumns):
            return replace(self, values=self.values.dense(features), ncat=self.ncat[features], ranks=None)
        ranks = None if self.ranks is None else self.ranks.select(features.astype(np.int32))
        values = np.asfortranarray(self.values[:, features])
        return replace(self, values=values, ncat=self.ncat[features], ranks=ranks)

    def take(self, rows: Positions | None) -> TreeData:
        """Return some of the rows, counted from 0, which must hold all classes; all by default."""
        if rows is None:
            return self
        if isinstance(self.values, SparseColumns):
            values: np.ndarray | SparseColumns = self.values.take(rows)
        else:
            values = np.asfortranarray(self.values[rows])
        return replace(self, values=values, response=self.response[rows], ranks=None)


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeRule:
    """Settings for growing trees: the arguments of `TreeGrower` that a selector needs, with its defaults."""

    mtry: int  # candidates that a node draws
    max_depth: int = 0  # 0 = no bound
    nodesize: int = 1  # a node with at most this many rows is not split
    # coefficient of regularization, which features outside F pay; float64, shape (p,), for one each
    coef_reg: float | Floats = 1.0
    weighted: bool = False  # whether requests bring row weights
    criterion: Criterion = Criterion.OF_R
    penalty: Penalty = Penalty.CRITERION  # target of `coef_reg` with the Gini index; otherwise always the gain
    # True = the candidates are `mtry` of all features; False = all features in F and `mtry` others
    draw_from_all: bool = False
    draw_until_split: bool = False  # whether a node that no candidate splits draws further features
    ties_first: bool = False  # whether the lowest feature, cut and class win among equals; chance decides otherwise


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeRequest:
    """One tree: those arguments of `TreeGrower.grow` that a selector needs."""

    # seed, stream: together they choose the tree's random stream; each 0 to 2**64 - 1
    seed: int
    stream: int
    # int32, shape (p,): 1 for the features in F; F is empty by default. It is not changed: see `features_used`.
    used: Ints | None = None
    # int32, shape (n,): how often each row is in the bag; n rows are drawn with replacement by default
    count: Ints | None = None
    row_weight: Floats | None = None  # float64, shape (n,)
    probability: Floats | None = None  # float64, shape (p,): chances of the features outside F
    # distinct, leaves, outside: whether distinct rows of the nodes, the leaf of each row, and the totals of the rows
    # out of the bag are reported
    distinct: bool = False
    leaves: bool = False
    outside: bool = False
    most_gains: int = 0  # candidates of each node whose gains are reported


class TreeMaker:
    """Grows trees on data that are ranked once, which must not change as long as it lives.

    `n_jobs` are threads, as in `RRF`. A tree depends on its request alone.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
    >>> x = np.arange(12.0).reshape(6, 2)
    >>> y = np.array([0, 0, 0, 1, 1, 1], np.int32)
    >>> data = TreeData(values=x, ncat=np.ones(2, np.int32), response=y, nclass=2)
    >>> maker = TreeMaker(data, TreeRule(mtry=2), n_jobs=2)
    >>> everything = np.ones(6, np.int32)
    >>> requests = [TreeRequest(seed=1, stream=tree, count=everything) for tree in range(3)]
    >>> [grown.tree.left.size for grown in maker.grow_all(requests)]
    [3, 3, 3]
    """

    def __init__(self, data: TreeData, rule: TreeRule, n_jobs: int | None = None) -> None:
        self.data, self.rule, self.n_jobs = data.with_ranks(rule, n_jobs), rule, resolve_jobs(n_jobs)
        self._coef_reg = np.array(np.broadcast_to(rule.coef_reg, data.shape[1]), np.float64)
        # A grower serves one thread at a time. Idle ones have grown a tree before.
        self._idle: SimpleQueue[TreeGrower] = SimpleQueue()

    def grow(self, request: TreeRequest) -> GrownTree:
        """Grow one tree in this thread."""
        try:
            grower = self._idle.get_nowait()
        except Empty:
            grower = self._new_grower()
        try:
            used = np.zeros(self.data.shape[1], np.int32) if request.used is None else request.used.copy()
            return grower.grow(
                used, seed=request.seed, stream=request.stream, count=request.count, row_weight=request.row_weight,
                probability=request.probability, distinct=request.distinct, leaves=request.leaves,
                outside=request.outside, most_gains=request.most_gains,
            )  # fmt: skip
        finally:
            self._idle.put(grower)

    def grow_all(self, requests: Iterable[TreeRequest]) -> Iterator[GrownTree]:
        """Grow trees that do not need each other, on `n_jobs` threads; hand them out in the order of the requests."""
        if self.n_jobs == 1:
            yield from map(self.grow, requests)
            return
        waiting = iter(requests)
        threads = ThreadPoolExecutor(self.n_jobs, thread_name_prefix="pyrrf")
        pending: deque[Future[GrownTree]] = deque()
        try:
            for request in islice(waiting, _AHEAD * self.n_jobs):
                pending.append(threads.submit(self.grow, request))
            while pending:
                grown = pending.popleft().result()
                pending.extend(threads.submit(self.grow, request) for request in islice(waiting, 1))
                yield grown
        finally:
            threads.shutdown(cancel_futures=True)

    def _new_grower(self) -> TreeGrower:
        data, rule = self.data, self.rule
        return TreeGrower(
            data.values, data.ncat, data.response, data.nclass, mtry=rule.mtry, coef_reg=self._coef_reg,
            weighted=rule.weighted, criterion=rule.criterion, penalty=rule.penalty,
            draw_from_all=rule.draw_from_all, max_depth=rule.max_depth, nodesize=rule.nodesize,
            draw_until_split=rule.draw_until_split, ties_first=rule.ties_first, ranks=data.ranks,
        )  # fmt: skip


def features_used(used: Ints, tree: Trees) -> Ints:
    """Return F after a tree: F before it and every feature that the tree splits."""
    after = used.copy()
    after[tree.split_var[tree.split_var > 0] - 1] = 1
    return after
