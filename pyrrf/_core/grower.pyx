# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Growing of single trees."""

import threading

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcmp, memcpy

from pyrrf._core import checks

from pyrrf._core.arrays cimport doubles, forest_arrays, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.ranks cimport Ranks, ranks_or_null
from pyrrf._core.rrf cimport (
    RRF_CRITERION_OF_R, RRF_PENALIZE_CRITERION, rrf_criterion, rrf_data, rrf_forest, rrf_forest_free,
    rrf_forest_init, rrf_gains, rrf_gains_free, rrf_gains_init, rrf_monitor, rrf_parallel_params, rrf_penalty,
    rrf_params, rrf_ranks, rrf_status, rrf_target, rrf_tree_report, rrf_tree_request, rrf_worker, rrf_worker_free,
    rrf_worker_grow, rrf_worker_max_nodes, rrf_worker_new
)

from pyrrf._core.records import CandidateGains, GrownTree, SparseColumns


cdef class Report:
    """Buffers for the optional results of one tree, and their conversion; a size of 0 means not requested."""

    cdef rrf_tree_report report
    cdef rrf_gains gains
    cdef object decrease, total, distinct, leaves, outside

    def __cinit__(self, int room, int n_totals, *, int n_distinct, int n_leaves, bint outside, int most_gains):
        rrf_gains_init(&self.gains)
        self.gains.most = most_gains
        self.decrease = np.empty(room)
        self.total = np.empty((room, n_totals))
        self.distinct = np.empty((room, n_distinct), np.int32) if n_distinct else None
        self.leaves = np.empty(n_leaves, np.int32) if n_leaves else None
        self.outside = np.empty((room, n_totals)) if outside else None
        self.report = rrf_tree_report(
            decrease=doubles(self.decrease), total=doubles(self.total), distinct=ints(self.distinct),
            leaves=ints(self.leaves), outside=doubles(self.outside), gains=NULL
        )
        if most_gains > 0:
            self.report.gains = &self.gains

    def __dealloc__(self):
        rrf_gains_free(&self.gains)

    cdef object grown_tree(self, tree):
        size = tree.left.size
        return GrownTree(
            tree=tree, decrease=self.decrease[:size].copy(), total=self.total[:size].copy(),
            distinct=None if self.distinct is None else self.distinct[:size].copy(), leaves=self.leaves,
            outside=None if self.outside is None else self.outside[:size].copy(), gains=self.candidate_gains(size)
        )

    cdef object candidate_gains(self, int size):
        if self.report.gains == NULL:
            return None
        offset = np.empty(size + 1, np.int64)
        cdef int64_t[::1] offset_view = offset
        memcpy(&offset_view[0], self.gains.offset, offset_view.nbytes)
        feature, gain = np.empty(offset[size], np.int32), np.empty(offset[size])
        if offset[size] > 0:
            memcpy(ints(feature), self.gains.feature, feature.nbytes)
            memcpy(doubles(gain), self.gains.gain, gain.nbytes)
        return CandidateGains(offset=offset, feature=feature, gain=gain)


cdef class TreeGrower:
    """Grower of single trees of engine parallel, with rows, weights, responses and features chosen by the caller.

    Parameters
    ----------
    x : ndarray of float64 or float32, shape (n, p), any strides, or SparseColumns
        Training data; NaN is a missing number, level k of a factor (from 1) the number k. The grower borrows it, so
        it must not change; the other arrays are copied.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor, 32 at most.
    y : ndarray, shape (n,)
        int32 classes from 0, all `nclass` present; finite float64 numbers with ``nclass=1``.
    nclass : int
    mtry : int
        At least 1.
    coef_reg : ndarray of float64, shape (p,)
        Finite, at most 1.
    nodesize : int, default 1
        A node with at most this many rows is not split; in regression each draw of a row counts.
    max_nodes : int, optional
        Largest number of nodes of a tree, odd; unlimited by default.
    flag_reg : int, default 1
        1 = `coef_reg` applies to features outside F, 0 = to every feature.
    weighted : bool, default False
        Whether `grow` is called with row weights.
    criterion, penalty, draw_from_all, max_depth, use_depth, ties_first
        As in `ParallelRule`.
    draw_until_split : bool, default False
        Whether a node without a splitting candidate draws further features, one by one, until one of them splits it or
        all are drawn. In RRF such nodes become leaves.
    feature_group : ndarray of int32, shape (p,), optional
        Labels from 0 to p - 1: features with the same label enter F together. Only with ``flag_reg=1``.
    ranks : Ranks, optional
        Ranks of `x`; growers in several threads may share them. Computed here by default.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    TypeError
        An argument is of another type than stated.
    ValueError
        An argument is of another shape, or out of its range.

    Notes
    -----
    A grower has working memory for one tree, so it serves one call at a time. A thread that calls `grow` while
    another thread is growing gets a RuntimeError; make one grower per thread.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf._core import TreeGrower
    >>> x = np.asfortranarray(np.arange(12.0).reshape(6, 2))
    >>> y = np.array([0, 0, 0, 1, 1, 1], np.int32)
    >>> grower = TreeGrower(x, np.ones(2, np.int32), y, 2, mtry=2, coef_reg=np.full(2, 0.8))
    >>> grown = grower.grow(np.zeros(2, np.int32), count=np.ones(6, np.int32), seed=1)
    >>> grown.tree.left.size, grown.total[0]
    (3, array([3., 3.]))
    """

    cdef rrf_worker *worker
    cdef rrf_data data
    cdef rrf_target target
    cdef rrf_params params
    cdef rrf_parallel_params parallel
    cdef int32_t sampsize
    cdef tuple owned
    cdef int n_totals
    cdef object lock
    cdef object probability  # checked probabilities of the last call

    def __cinit__(
        self, x, ncat, y, int nclass, *, int mtry, coef_reg, int nodesize=1, max_nodes=None,
        int flag_reg=1, bint weighted=False, rrf_criterion criterion=RRF_CRITERION_OF_R,
        rrf_penalty penalty=RRF_PENALIZE_CRITERION, bint draw_from_all=False, int max_depth=0, bint use_depth=False,
        bint draw_until_split=False, bint ties_first=False, feature_group=None, Ranks ranks=None
    ):
        n, p = (x if isinstance(x, SparseColumns) else checks.matrix("x", x)).shape
        ncat, y = _copy_ncat(x, ncat), _copy_response(y, n, nclass)
        coef_reg = _copy_coefficients(coef_reg, p)
        feature_group = _copy_groups(feature_group, p, flag_reg)
        checks.integer("mtry", mtry, 1)
        checks.integer("nodesize", nodesize, 0)
        checks.integer("flag_reg", flag_reg, 0, 1)
        checks.integer("max_depth", max_depth, 0)
        max_nodes = _node_limit(max_nodes, n)
        numbers = nclass == 1
        codes = np.zeros(n, np.int32) if numbers else y
        cutoff = np.full(nclass, 1 / nclass)
        weights = np.ones(n) if weighted else None
        x = checks.with_distinct_strides(x)
        # Owners of the arrays that C borrows.
        self.owned = (x, ncat, y, codes, coef_reg, feature_group, cutoff, weights, ranks)
        self.data = strided_data(x, ncat)
        self.sampsize = n
        self.n_totals = 2 if numbers else nclass
        self.target = rrf_target(
            y=ints(codes), nclass=nclass, response=doubles(y if numbers else None)
        )
        self.params = rrf_params(
            ntree=1, mtry=mtry, nodesize=nodesize,
            max_nodes=max_nodes, replace=1,
            sampsize=&self.sampsize, strata=NULL, nstrata=0, classwt=NULL,
            cutoff=doubles(cutoff), flag_reg=flag_reg, coef_reg=doubles(coef_reg),
            feature_group=ints(feature_group), importance=0, n_perm=1, oob_proximity=0, keep_forest=1,
            bias_correction=0, quirks=0, random_forest=0, case_weight=NULL, add_class=0
        )
        self.parallel = rrf_parallel_params(
            seed=0, first_tree=0, n_jobs=1, criterion=criterion, penalty=penalty,
            draw_from_all=draw_from_all, max_depth=max_depth, use_depth=use_depth,
            draw_until_split=draw_until_split, ties_first=ties_first, depth_first=0,
            row_weight=doubles(weights)
        )
        cdef rrf_status status
        cdef const rrf_ranks *ranked = ranks_or_null(ranks)
        cdef Monitor monitor = Monitor()
        cdef rrf_monitor *monitor_p = &monitor.monitor
        with nogil:
            status = rrf_worker_new(
                &self.data, &self.target, &self.params, &self.parallel, ranked, monitor_p, &self.worker
            )
        raise_for_status(status, monitor)
        self.lock = threading.Lock()

    def __dealloc__(self):
        rrf_worker_free(self.worker)

    def grow(
        self, used, *, seed, stream=0, count=None, row_weight=None, response=None, probability=None,
        bint distinct=False, bint leaves=False, bint outside=False, most_gains=0
    ):
        """Grow a tree.

        Parameters
        ----------
        used : ndarray of int32, shape (p,)
            1 for a feature in F, 0 for others. Features that the tree adds, and their groups, become 1, except after an
            error.
        seed, stream : int
            Both determine the tree's random stream; each 0 to 2**64 - 1.
        count : ndarray of int32, shape (n,), optional
            Number of times that each row is in the bag; by default n rows are drawn with replacement.
        row_weight : ndarray of float64, shape (n,), optional
            Finite, not negative, and not all 0.
        response : ndarray of float64, shape (n,), optional
            Finite; replaces the numbers in `y`.
        probability : ndarray of float64, shape (p,), optional
            Weights for drawing features outside F without replacement at each node, finite and not negative. A weight
            of 0, or below 2**-52 of the sum, excludes a feature. Calls with the same weights reuse their preparation.
        distinct, leaves, outside : bool, default False
            Whether to return the numbers of distinct rows of the nodes, the leaf of each row, and, together with the
            leaves, the totals of the rows out of the bag.
        most_gains : int, default 0
            Number of candidates with the highest gains that are returned for each node; p or more means all. They
            require a second search of each feature; the tree is the same.

        Returns
        -------
        GrownTree

        Raises
        ------
        MemoryError, KeyboardInterrupt
            As usual.
        RuntimeError
            The grower is already growing a tree, in another thread or in a caller of this call.
        TypeError
            An argument is of another type than stated.
        ValueError
            An argument is of another shape, or out of its range; weights for a grower made with
            ``weighted=False``; no row of positive weight is in the bag.
        """
        if not self.lock.acquire(blocking=False):
            raise RuntimeError("this TreeGrower is growing a tree already; make one per thread")
        try:
            features = self.copy_features(used)
            grown = self.grow_alone(
                features, seed, stream, self.copy_count(count),
                _copy_optional("row_weight", row_weight, self.data.n, 0.0),
                _copy_optional("response", response, self.data.n, -np.inf),
                self.copy_probability(probability),
                self.new_report(distinct, leaves or outside, outside, checks.integer("most_gains", most_gains, 0))
            )
            used[:] = features
            return grown
        finally:
            self.lock.release()

    cdef object grow_alone(
        self, features, seed, stream, count, row_weight, response, probability, Report report
    ):
        self.check_combination(count, row_weight, response)
        cdef Monitor monitor = Monitor()
        cdef rrf_tree_request request = rrf_tree_request(
            count=ints(count), row_weight=doubles(row_weight), response=doubles(response),
            probability=doubles(probability), used=ints(features),
            seed=checks.integer("seed", seed, 0, checks.WORD_MAX),
            stream=checks.integer("stream", stream, 0, checks.WORD_MAX), monitor=&monitor.monitor
        )
        cdef rrf_forest trees
        cdef rrf_status status
        rrf_forest_init(&trees)
        try:
            with nogil:
                status = rrf_worker_grow(self.worker, &request, &trees, &report.report)
            raise_for_status(status, monitor)
            return report.grown_tree(forest_arrays(&trees))
        finally:
            rrf_forest_free(&trees)

    cdef Report new_report(self, bint distinct, bint leaves, bint outside, int most_gains):
        return Report(
            rrf_worker_max_nodes(self.worker), self.n_totals, n_distinct=self.target.nclass if distinct else 0,
            n_leaves=self.data.n if leaves else 0, outside=outside, most_gains=most_gains
        )

    cdef object copy_features(self, used):
        # This and other arguments are copied because another thread might change the arrays after the checks.
        features = checks.vector("used", used, np.int32, self.data.p, writable=True).copy()
        if not _are_bits(features):
            checks.in_range("used", features, 0, 1)
        return features

    cdef object copy_probability(self, probability):
        """Return checked probabilities, those of the last call if they are equal."""
        if probability is None:
            return None
        cdef const double[::1] view = checks.vector("probability", probability, np.float64, self.data.p)
        if self.probability is None or memcmp(&view[0], doubles(self.probability), view.nbytes) != 0:
            checked = _copy_optional("probability", probability, self.data.p, 0.0)
            with np.errstate(over="ignore"):
                if np.isinf(checked.sum()):
                    raise ValueError("probability: the sum is infinite; pass smaller numbers")
            self.probability = checked
        return self.probability

    cdef object copy_count(self, count):
        if count is None:
            return None
        count = checks.vector("count", count, np.int32, self.data.n).copy()
        if count.min() < 0:  # this takes a quarter of the time of the whole check
            checks.in_range("count", count, 0, checks.INT_MAX)
        draws = int(count.sum(dtype=np.int64))
        if not 0 < draws <= checks.INT_MAX:
            raise ValueError(f"count: the bag has {draws} rows; pass counts with a sum of 1 to {checks.INT_MAX}")
        return count

    cdef int check_combination(self, count, row_weight, response) except -1:
        if response is not None and self.target.response == NULL:
            raise ValueError("response: this grower grows trees for classes; make one with nclass=1")
        if row_weight is None:
            return 0
        if self.parallel.row_weight == NULL:
            raise ValueError("row_weight: this grower takes no weights; make one with weighted=True")
        if count is not None and not row_weight[count > 0].any():
            raise ValueError("row_weight: no row of the bag has a positive weight")
        with np.errstate(over="ignore", divide="ignore"):
            weight = row_weight.sum()
            # C scales the weights to a sum of n.
            if not 0 < weight < np.inf or np.isinf(self.data.n / weight):
                raise ValueError(f"row_weight: the sum is {weight}; pass weights nearer to 1")
        return 0


cdef bint _are_bits(const int32_t[::1] values) noexcept:
    cdef int32_t bits = 0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        bits |= values[i]
    return bits == 0 or bits == 1


def _copy_ncat(x, ncat):
    """Return a copy of `ncat`; raise ValueError if x has an infinite number or an invalid level."""
    n_levels = checks.in_range("ncat", checks.vector("ncat", ncat, np.int32, x.shape[1]), 1, checks.MAX_LEVELS)
    sparse = isinstance(x, SparseColumns)
    if np.isinf(x.values if sparse else x).any():
        raise ValueError("x: a number is infinite; pass finite numbers, or NaN for a missing one")
    if sparse and (n_levels > 1).any():
        raise ValueError("ncat: the columns of a sparse matrix are numbers; pass 1 for each")
    for feature in np.flatnonzero(n_levels > 1):
        levels = checks.in_range(f"x, column {feature}", x[:, feature], 1, n_levels[feature])
        if (levels != np.floor(levels)).any():
            raise ValueError(f"x, column {feature}: a level is not a whole number; pass codes from 1")
    return n_levels.copy()


def _copy_coefficients(coef_reg, p):
    """Return a checked copy of `coef_reg`.

    RRF() requires 0 to 1. A tree does not need the lower bound: R accepts any number, and a selector may use
    coefficients below 0 to hold features back. Coefficients above 1 would reward new features.
    """
    values = checks.vector("coef_reg", coef_reg, np.float64, p)
    return checks.in_range("coef_reg", values, -np.finfo(np.float64).max, 1).copy()


def _copy_groups(feature_group, p, flag_reg):
    """Return a checked copy of `feature_group`, or None."""
    if feature_group is None:
        return None
    if flag_reg != 1:
        raise ValueError("feature_group: with flag_reg=0 no feature is exempt, so there is nothing to share")
    return checks.in_range("feature_group", checks.vector("feature_group", feature_group, np.int32, p), 0, p - 1).copy()


def _copy_response(y, n, nclass):
    """Return a copy of `y`; raise an error unless it has finite numbers, or classes that all occur."""
    checks.integer("nclass", nclass, 1)
    if nclass == 1:
        return checks.in_range("y", checks.vector("y", y, np.float64, n), -np.inf, np.inf).copy()
    codes = checks.in_range("y", checks.vector("y", y, np.int32, n), 0, nclass - 1).copy()
    if nclass > n or not np.bincount(codes, minlength=nclass).all():
        raise ValueError(f"y: a class has no row; pass codes 0 to {nclass - 1} that all occur")
    return codes


def _node_limit(max_nodes, n):
    """Return the largest number of nodes; a tree of n rows has at most 2n - 1."""
    if max_nodes is None:
        return min(2 * n + 1, checks.INT_MAX)
    bound = checks.integer("max_nodes", max_nodes, 1)
    if bound % 2 == 0:
        raise ValueError(f"max_nodes: {bound} is even, but splits add two nodes to the root; pass an odd number")
    return bound


def _copy_optional(name, values, size, least):
    """Return a checked copy of an optional argument, or None."""
    if values is None:
        return None
    return checks.in_range(name, checks.vector(name, values, np.float64, size), least, np.inf).copy()
