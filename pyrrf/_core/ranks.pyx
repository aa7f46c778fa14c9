# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Ranks of columns, which several fits on the same rows may share."""

import numpy as np

from libc.stdint cimport int32_t

from pyrrf._core import checks
from pyrrf._core.records import SparseColumns

from pyrrf._core.arrays cimport column_major_data, doubles, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.rrf cimport (
    RRF_CRITERION_OF_R, RRF_PENALIZE_CRITERION, rrf_criterion, rrf_data, rrf_monitor, rrf_parallel_params,
    rrf_params, rrf_params_init, rrf_ranks, rrf_ranks_free, rrf_ranks_new, rrf_ranks_select, rrf_sort, rrf_status,
    rrf_target
)


cdef class Ranks:
    """The ranks of the columns of `x` for fits with these arguments.

    Ranks are immutable, so any number of fits and threads may share one object.

    Parameters
    ----------
    x, ncat, y, nclass
        As in the fit: `fit_parallel`, or `fit_r`; with ``nclass=1`` and float64 `y` for regression.
    parallel : bool
        Whether the ranks are for engine parallel.
    sampsize, strata, classwt, quirks, random_forest, criterion
        As in the fit. All other arguments may differ from fit to fit.
    weighted : bool, default False
        Whether the parallel fit, or the grower, has row weights.
    n_jobs : int, default 1
        Number of threads; used for engine parallel only.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    TypeError, ValueError
        An array has another type, shape or layout than required, or a value out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf._core import Ranks
    >>> x = np.asfortranarray(np.arange(12.0).reshape(6, 2))
    >>> y = np.array([0, 0, 0, 1, 1, 1], np.int32)
    >>> ranks = Ranks(x, np.ones(2, np.int32), y, 2, parallel=True, sampsize=np.array([6], np.int32))
    >>> ranks.select(np.array([1], np.int32))  # doctest: +ELLIPSIS
    <pyrrf._core.ranks.Ranks object at ...>
    """

    def __cinit__(
        self, x=None, ncat=None, y=None, int nclass=1, *, bint parallel=False, sampsize=None, strata=None,
        classwt=None, bint quirks=False, bint random_forest=False,
        rrf_criterion criterion=RRF_CRITERION_OF_R, bint weighted=False, int n_jobs=1
    ):
        if x is None:
            return  # select assigns the ranks
        n = (x if isinstance(x, SparseColumns) else checks.matrix("x", x)).shape[0]
        checks.integer("nclass", nclass, 1)
        numbers = nclass == 1
        checks.vector("y", y, np.float64 if numbers else np.int32, n)
        _check_sampling(n, nclass, sampsize, strata, classwt)
        codes = np.zeros(n, np.int32) if numbers else y
        x = checks.with_distinct_strides(x)
        cdef rrf_data data = strided_data(x, ncat) if parallel else column_major_data(x, ncat)
        cdef rrf_target target = rrf_target(
            y=ints(codes), nclass=nclass, response=doubles(y if numbers else None)
        )
        cdef rrf_params params
        rrf_params_init(&params)
        params.sampsize, params.strata, params.classwt = ints(sampsize), ints(strata), doubles(classwt)
        params.nstrata = 0 if strata is None else sampsize.size
        params.quirks, params.random_forest, params.n_jobs = quirks, random_forest, n_jobs
        # C only tests the pointer; it does not read the weights.
        cdef double weight = 1.0
        cdef const double *row_weight = NULL
        if weighted:
            row_weight = &weight
        cdef rrf_parallel_params parallel_params = rrf_parallel_params(
            seed=0, first_tree=0, n_jobs=n_jobs, criterion=criterion, penalty=RRF_PENALIZE_CRITERION,
            draw_from_all=0, max_depth=0, use_depth=0, draw_until_split=0, ties_first=0, depth_first=0,
            row_weight=row_weight
        )
        cdef const rrf_parallel_params *parallel_only = NULL
        if parallel:
            parallel_only = &parallel_params
        cdef Monitor monitor = Monitor()
        cdef rrf_monitor *monitor_p = &monitor.monitor
        cdef rrf_status status
        with nogil:
            status = rrf_ranks_new(&data, &target, &params, parallel_only, monitor_p, &self.ranks)
        raise_for_status(status, monitor)

    def __dealloc__(self):
        rrf_ranks_free(self.ranks)

    def select(self, features):
        """Return the ranks of some columns, without ranking them again.

        Parameters
        ----------
        features : ndarray of int32
            The columns, from 0, in the order in which the fit's data has them; at least one.

        Returns
        -------
        Ranks

        Raises
        ------
        MemoryError
            The memory is exhausted.
        ValueError
            A column does not exist, or `features` is empty.
        """
        if self.ranks == NULL:
            raise ValueError("Ranks: made without data; pass x, ncat, y, nclass")
        cdef Ranks selected = Ranks.__new__(Ranks)
        cdef const int32_t *columns = ints(checks.vector("features", features, np.int32))
        cdef int n_columns = features.size
        cdef rrf_status status
        with nogil:
            status = rrf_ranks_select(self.ranks, columns, n_columns, &selected.ranks)
        raise_for_status(status, None)
        return selected


def _check_sampling(n, nclass, sampsize, strata, classwt):
    """Raise an error unless C can read the arrays for drawing and weighting rows."""
    checks.vector("sampsize", sampsize, np.int32, 1 if strata is None else None)
    if strata is not None:
        checks.vector("strata", strata, np.int32, n)
    if classwt is not None:
        checks.vector("classwt", classwt, np.float64, nclass)


cdef const rrf_ranks *ranks_or_null(Ranks ranks):
    if ranks is None:
        return NULL
    return ranks.ranks


def sort_like_r(double[::1] values not None):
    """Sort numbers without NaN in place by R's quicksort, which determines the order of 0 and -0.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
    """
    cdef int32_t[::1] index = np.empty(len(values), np.int32)
    if len(values) > 1:
        rrf_sort(&values[0], &index[0], <int>len(values))
