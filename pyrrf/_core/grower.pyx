# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""One tree at a time."""

import numpy as np

from libc.stdint cimport int32_t, uint64_t

from pyrrf._core.arrays cimport doubles, forest_arrays, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.ranks cimport Ranks, ranks_or_null
from pyrrf._core.rrf cimport (
    rrf_data, rrf_forest, rrf_forest_free, rrf_forest_init, rrf_monitor, rrf_parallel_params, rrf_params,
    rrf_ranks, rrf_status, rrf_target, rrf_tree_report, rrf_tree_request, rrf_worker, rrf_worker_free, rrf_worker_grow,
    rrf_worker_max_nodes, rrf_worker_new
)

from pyrrf._core.records import GrownTree


cdef class TreeGrower:
    """Grows parallel trees one at a time, on rows, weights, responses and features of the caller's choice.

    Parameters
    ----------
    x, ncat, y, nclass, mtry, nodesize, max_nodes, flag_reg, coef_reg
        As in `fit_parallel`.
    weighted : bool, default False
        Whether `grow` will get row weights.
    entropy, penalize_gain, draw_from_all, max_depth, use_depth
        As in `fit_parallel`.
    ranks : Ranks, optional
        Those of `x`, which several growers may share, each in a thread of its own; made here by default.

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
    cdef tuple kept
    cdef int n_totals

    def __cinit__(
        self, x, ncat, y, int nclass, *, int mtry, coef_reg, int nodesize=1, max_nodes=None,
        int flag_reg=1, bint weighted=False, bint entropy=False, bint penalize_gain=False,
        bint draw_from_all=False, int max_depth=0, bint use_depth=False, Ranks ranks=None
    ):
        n = x.shape[0]
        numbers = y.dtype.kind == "f"
        codes = np.zeros(n, np.int32) if numbers else y
        cutoff = np.full(nclass, 1 / nclass)
        weights = np.ones(n) if weighted else None
        # C reads these as long as the grower lives.
        self.kept = (x, ncat, y, codes, coef_reg, cutoff, weights, ranks)
        self.data = strided_data(x, ncat)
        self.sampsize = n
        self.n_totals = 2 if numbers else nclass
        self.target = rrf_target(
            y=ints(codes), nclass=nclass, response=doubles(y if numbers else None)
        )
        self.params = rrf_params(
            ntree=1, mtry=mtry, nodesize=nodesize,
            max_nodes=2 * n + 1 if max_nodes is None else max_nodes, replace=1,
            sampsize=&self.sampsize, strata=NULL, nstrata=0, classwt=NULL,
            cutoff=doubles(cutoff), flag_reg=flag_reg, coef_reg=doubles(coef_reg),
            importance=0, n_perm=1, oob_proximity=0, keep_forest=1, bias_correction=0, quirks=0,
            add_class=0
        )
        self.parallel = rrf_parallel_params(
            seed=0, n_jobs=1, entropy=entropy, penalize_gain=penalize_gain,
            draw_from_all=draw_from_all, max_depth=max_depth, use_depth=use_depth,
            row_weight=doubles(weights)
        )
        cdef rrf_status status
        cdef const rrf_ranks *ranked = ranks_or_null(ranks)
        cdef Monitor watch = Monitor()
        cdef rrf_monitor *monitor = &watch.monitor
        with nogil:
            status = rrf_worker_new(
                &self.data, &self.target, &self.params, &self.parallel, ranked, monitor, &self.worker
            )
        raise_for_status(status, watch)

    def __dealloc__(self):
        rrf_worker_free(self.worker)

    def grow(
        self, used, *, uint64_t seed, uint64_t stream=0, count=None, row_weight=None,
        response=None, probability=None
    ):
        """Grows a tree.

        Parameters
        ----------
        used : ndarray of int32, shape (p,)
            1 for a feature in F; what the tree adds is set.
        seed, stream : int
            The random stream.
        count : ndarray of int32, shape (n,), optional
            Times a row is in the bag; drawn with replacement by default.
        row_weight : ndarray of float64, shape (n,), optional
        response : ndarray of float64, shape (n,), optional
            In place of the numbers `y`.
        probability : ndarray of float64, shape (p,), optional
            Chance of a feature outside F to be drawn; 0 forbids it.

        Returns
        -------
        GrownTree

        Raises
        ------
        ValueError
            Weights for a grower made with ``weighted=False``, or no row of positive weight.
        """
        cdef Monitor watch = Monitor()
        cdef rrf_tree_request request = rrf_tree_request(
            count=ints(count), row_weight=doubles(row_weight), response=doubles(response),
            probability=doubles(probability), used=ints(used), seed=seed, stream=stream,
            monitor=&watch.monitor
        )
        room = rrf_worker_max_nodes(self.worker)
        decrease = np.empty(room)
        total = np.empty((room, self.n_totals))
        cdef rrf_tree_report report = rrf_tree_report(
            decrease=doubles(decrease), total=doubles(total)
        )
        cdef rrf_forest trees
        cdef rrf_status status
        rrf_forest_init(&trees)
        try:
            with nogil:
                status = rrf_worker_grow(self.worker, &request, &trees, &report)
            raise_for_status(status, watch)
            forest = forest_arrays(&trees)
        finally:
            rrf_forest_free(&trees)
        size = forest.left.size
        return GrownTree(tree=forest, decrease=decrease[:size].copy(), total=total[:size].copy())
