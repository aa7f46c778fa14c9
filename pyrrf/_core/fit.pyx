# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Whole forests: the fits of both engines."""

import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from pyrrf._core import checks
from pyrrf._core.arrays cimport column_major_data, doubles, forest_arrays, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.rrf cimport (
    RRF_ERR_ARGUMENT, rrf_class_result, rrf_data, rrf_fit_classification, rrf_fit_parallel, rrf_fit_regression,
    rrf_forest, rrf_forest_free, rrf_forest_init, rrf_monitor, rrf_parallel_params, rrf_parallel_result, rrf_params,
    rrf_params_check, rrf_ranks, rrf_regression_result, rrf_rng, rrf_splits, rrf_splits_free, rrf_splits_init,
    rrf_status, rrf_target, rrf_test_rows
)
from pyrrf._core.ranks cimport Ranks, ranks_or_null
from pyrrf._core.stream cimport Stream

from pyrrf._core.records import ClassOutcome, ClassTest, Grown, RegressionOutcome, RegressionTest, Splits, Work


cdef rrf_params _params(rows, growing, int n_jobs) except *:
    """The parameters of a fit for C; `growing` owns the arrays and must outlive them."""
    return rrf_params(
        ntree=growing.ntree, mtry=growing.mtry, nodesize=growing.nodesize, max_nodes=growing.max_nodes,
        replace=growing.replace, sampsize=ints(growing.sampsize), strata=ints(growing.strata),
        nstrata=0 if growing.strata is None else growing.sampsize.size, classwt=doubles(growing.classwt),
        cutoff=doubles(growing.cutoff), flag_reg=growing.flag_reg, coef_reg=doubles(growing.coef_reg),
        feature_group=ints(growing.feature_group),
        importance=growing.importance, n_perm=growing.n_perm, oob_proximity=growing.oob_proximity,
        keep_forest=growing.keep_forest, bias_correction=growing.corr_bias, quirks=growing.quirks,
        random_forest=growing.random_forest, case_weight=doubles(growing.case_weight), n_jobs=n_jobs,
        add_class=rows.synthetic
    )


cdef int _check_lengths(rows, growing) except -1:
    """Refuses a vector of another type or length than C takes it for."""
    n, p = rows.values.shape
    n_test = 0 if rows.test_values is None else rows.test_values.shape[0]
    kind = np.float64 if rows.nclass == 1 else np.int32
    checks.vector("y", rows.response, kind, n)
    checks.vector("coefReg", growing.coef_reg, np.float64, p)
    checks.vector("sampsize", growing.sampsize, np.int32)
    checks.vector("feaIni", growing.used, np.int32, p)
    for name, values, dtype, size in (
        ("feature_groups", growing.feature_group, np.int32, p), ("strata", growing.strata, np.int32, n),
        ("classwt", growing.classwt, np.float64, rows.nclass),
        ("cutoff", growing.cutoff, np.float64, rows.nclass), ("weights", growing.case_weight, np.float64, n),
        ("ytest", rows.test_response, kind, n_test)
    ):
        if values is not None:
            checks.vector(name, values, dtype, size)
    return 0


cdef int _raise_for_fit(
    rrf_status status, Monitor monitor, const rrf_data *data, const rrf_target *target, const rrf_params *params,
    const rrf_parallel_params *parallel
) except -1:
    """The exception that the status of a fit stands for; what is out of its range is named."""
    cdef const char *field = NULL
    if status == RRF_ERR_ARGUMENT:
        rrf_params_check(data, target, params, parallel, &field)
        if field != NULL:
            raise ValueError(checks.out_of_range(field.decode()))
    return raise_for_status(status, monitor)


cdef class _Tables:
    """The arrays that every fit fills; None where a result was not asked for.

    As in R, one matrix holds the permutation importances and, in its last column, the decrease in impurity.
    """

    cdef object oob_times, importance, permuted, importance_sd, local_importance, proximity, inbag, used

    def __cinit__(self, rows, growing, int n, int n_real):
        p = rows.values.shape[1]
        n_measures = 1 if rows.nclass == 1 else rows.nclass + 1
        self.oob_times = np.empty(n, np.int32)
        self.importance = np.empty((p, n_measures + 1 if growing.importance else 1), order="F")
        self.permuted = self.importance if growing.importance else None
        self.importance_sd = np.empty((p, n_measures), order="F") if growing.importance else None
        self.local_importance = np.empty((p, n), order="F") if growing.local_importance else None
        self.proximity = np.empty((n_real, n_real), order="F") if growing.proximity else None
        self.inbag = np.empty((n_real, growing.ntree), np.int32, order="F") if growing.keep_inbag else None
        self.used = np.array(growing.used, dtype=np.int32)

    cdef dict parts(self, rows, int n_real):
        """The tables, named as in `Outcome`."""
        local, deviations = self.local_importance, self.importance_sd
        return {
            "oob_times": self.oob_times,
            "importance": self.importance,
            "importance_sd": deviations[:, 0] if rows.nclass == 1 and deviations is not None else deviations,
            "local_importance": None if local is None else local[:, :n_real],
            "proximity": self.proximity,
            "inbag": self.inbag,
            "used": self.used,
        }


cdef class _SplitList:
    """The splits of a forest, as they are added."""

    cdef rrf_splits found

    def __cinit__(self):
        rrf_splits_init(&self.found)

    def __dealloc__(self):
        rrf_splits_free(&self.found)

    cdef object arrays(self):
        feature, decrease = np.empty(self.found.n, np.int32), np.empty(self.found.n)
        if self.found.n > 0:
            memcpy(ints(feature), self.found.feature, feature.nbytes)
            memcpy(doubles(decrease), self.found.decrease, decrease.nbytes)
        return Splits(feature, decrease)


def fit_classification(
    rows, growing, *, Stream stream, int n_jobs=1, int trace=0, on_tree=None, Ranks ranks=None
):
    """Grows a classification forest, R's ``classRF``.

    Parameters
    ----------
    rows : Rows
    growing : Growing
        `max_nodes` is odd.
    stream : Stream
    n_jobs : int, default 1
        Threads; the answer does not depend on them.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row, test_err_row)`` is called.
    ranks : Ranks, optional
        Those of `rows` for such a fit; made here by default. Not with synthetic rows.

    Returns
    -------
    Grown of ClassOutcome and ClassTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        No in-bag sample can be split.
    """
    n, nclass = rows.values.shape[0], rows.nclass
    n_real = n // 2 if rows.synthetic else n
    n_test = 0 if rows.test_values is None else rows.test_values.shape[0]
    _check_lengths(rows, growing)
    cdef rrf_data train = column_major_data(rows.values, rows.ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if rows.test_values is not None:
        test_data = column_major_data(rows.test_values, rows.ncat)
        test = &test_data

    tried = rows.test_values is not None
    cdef _Tables tables = _Tables(rows, growing, n, n_real)
    predicted, votes = np.empty(n, np.int32), np.empty((n, nclass), np.int32)
    err_rate, classwt = np.empty((growing.ntree, nclass + 1)), np.empty(nclass)
    test_predicted = np.empty(n_test, np.int32) if tried else None
    test_votes = np.empty((n_test, nclass), np.int32) if tried else None
    test_err_rate = None if rows.test_response is None else np.empty((growing.ntree, nclass + 1))
    test_near = np.empty((n_test, n_test + n_real), order="F") if tried and growing.proximity else None

    cdef rrf_params params = _params(rows, growing, n_jobs)
    cdef rrf_class_result result = rrf_class_result(
        predicted=ints(predicted), votes=ints(votes), oob_times=ints(tables.oob_times),
        error=doubles(err_rate), decrease=doubles(tables.importance[:, -1]), classwt=doubles(classwt),
        used=ints(tables.used), importance=doubles(tables.permuted),
        importance_sd=doubles(tables.importance_sd), local_importance=doubles(tables.local_importance),
        proximity=doubles(tables.proximity), inbag=ints(tables.inbag),
        test_predicted=ints(test_predicted), test_votes=ints(test_votes),
        test_error=doubles(test_err_rate), test_proximity=doubles(test_near)
    )
    cdef const int32_t *train_y = ints(rows.response)
    cdef const int32_t *test_y = ints(rows.test_response)
    cdef int classes = nclass
    cdef rrf_target target = rrf_target(y=train_y, nclass=classes, response=NULL)
    cdef Monitor monitor = Monitor(trace, on_tree, err_rate, test_err_rate)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    stream.load()
    # A copy: a fit that fails leaves the stream as it was.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest forest
    cdef rrf_status status
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    rrf_forest_init(&forest)
    try:
        with nogil:
            status = rrf_fit_classification(
                &train, train_y, classes, test, test_y, &params, ranked, &rng, monitor_p, &forest, &result
            )
        _raise_for_fit(status, monitor, &train, &target, &params, NULL)
        trees = forest_arrays(&forest) if growing.keep_forest else None
    finally:
        rrf_forest_free(&forest)
    stream.live = rng
    stream.save()
    outcome = ClassOutcome(
        votes=votes, predicted=predicted, err_rate=err_rate, classwt=classwt, **tables.parts(rows, n_real)
    )
    test_outcome = ClassTest(
        predicted=test_predicted, votes=test_votes.astype(np.float64), err_rate=test_err_rate,
        proximity=test_near
    ) if tried else None
    return Grown(outcome, test_outcome, trees)


def fit_regression(
    rows, growing, *, Stream stream, int n_jobs=1, int trace=0, on_tree=None, Ranks ranks=None
):
    """Grows a regression forest, R's ``regRF``.

    Parameters
    ----------
    rows : Rows
    growing : Growing
        With `quirks` F starts empty, as in R, whatever `used` is.
    stream : Stream
    n_jobs : int, default 1
        Threads; the answer does not depend on them.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, mse, test_mse)`` is called; test_mse may be None.
    ranks : Ranks, optional
        Those of `rows` for such a fit; made here by default.

    Returns
    -------
    Grown of RegressionOutcome and RegressionTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        `sampsize` or `max_nodes` is out of range.
    """
    n = rows.values.shape[0]
    n_test = 0 if rows.test_values is None else rows.test_values.shape[0]
    _check_lengths(rows, growing)
    cdef rrf_data train = column_major_data(rows.values, rows.ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if rows.test_values is not None:
        test_data = column_major_data(rows.test_values, rows.ncat)
        test = &test_data

    tried = rows.test_values is not None
    cdef _Tables tables = _Tables(rows, growing, n, n)
    predicted, mse = np.empty(n), np.empty(growing.ntree)
    coef = np.empty(2) if growing.corr_bias else None
    test_predicted = np.empty(n_test) if tried else None
    test_mse = np.empty(growing.ntree) if tried and rows.test_response is not None else None
    test_near = np.empty((n_test, n_test + n), order="F") if tried and growing.proximity else None

    cdef rrf_params params = _params(rows, growing, n_jobs)
    cdef rrf_regression_result result = rrf_regression_result(
        mean=doubles(predicted), oob_times=ints(tables.oob_times), error=doubles(mse),
        decrease=doubles(tables.importance[:, -1]), used=ints(tables.used), coef=doubles(coef),
        importance=doubles(tables.permuted), importance_sd=doubles(tables.importance_sd),
        local_importance=doubles(tables.local_importance), proximity=doubles(tables.proximity),
        inbag=ints(tables.inbag), test_mean=doubles(test_predicted), test_error=doubles(test_mse),
        test_proximity=doubles(test_near)
    )
    cdef const double *train_y = doubles(rows.response)
    cdef rrf_target target = rrf_target(y=NULL, nclass=1, response=train_y)
    cdef const double *test_y = doubles(rows.test_response)
    cdef Monitor monitor = Monitor(trace, on_tree, mse, test_mse)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    stream.load()
    # A copy: a fit that fails leaves the stream as it was.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest forest
    cdef rrf_status status
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    rrf_forest_init(&forest)
    try:
        with nogil:
            status = rrf_fit_regression(
                &train, train_y, test, test_y, &params, ranked, &rng, monitor_p, &forest, &result
            )
        _raise_for_fit(status, monitor, &train, &target, &params, NULL)
        trees = forest_arrays(&forest) if growing.keep_forest else None
    finally:
        rrf_forest_free(&forest)
    stream.live = rng
    stream.save()
    outcome = RegressionOutcome(predicted=predicted, mse=mse, coef=coef, **tables.parts(rows, n))
    test_outcome = RegressionTest(
        predicted=test_predicted, mse=test_mse, proximity=test_near
    ) if tried else None
    return Grown(outcome, test_outcome, trees)


def fit_parallel(
    rows, growing, rule, uint64_t seed, *, uint64_t first_tree=0, bint tell_splits=False, int n_jobs=1, int trace=0,
    on_tree=None, Ranks ranks=None
):
    """Grows a forest with engine parallel on `n_jobs` threads; each tree has its own random stream.

    Parameters
    ----------
    rows : Rows
        A test set in it is predicted tree by tree, its proximity left out.
    growing : Growing
    rule : ParallelRule
    seed : int
        0 to 2**64 - 1. The answer depends on the seed but not on `n_jobs`.
    first_tree : int, default 0
        Number of the first tree, which chooses the streams: with ``flag_reg=0`` the trees from 0 and those from `ntree`
        are together the forest of twice as many.
    tell_splits : bool, default False
        Whether the splits are returned.
    n_jobs : int, default 1
        Threads, at least 1.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row or mse, the same of the test set or None)`` is called.
    ranks : Ranks, optional
        Those of `rows` for such a fit; made here by default.

    Returns
    -------
    Grown of ClassOutcome and ClassTest, or of RegressionOutcome and RegressionTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    ValueError
        No bag has rows of positive weight.
    """
    n, nclass = rows.values.shape[0], rows.nclass
    numbers = nclass == 1
    _check_lengths(rows, growing)
    cdef rrf_data train = strided_data(rows.values, rows.ncat)
    codes = np.zeros(n, np.int32) if numbers else rows.response
    cdef _Tables tables = _Tables(rows, growing, n, n)
    predicted = np.empty(n) if numbers else np.empty(n, np.int32)
    votes = None if numbers else np.empty((n, nclass), np.int32)
    error = np.empty(growing.ntree) if numbers else np.empty((growing.ntree, nclass + 1))
    classwt = np.empty(nclass)
    n_test = 0 if rows.test_values is None else rows.test_values.shape[0]
    told = rows.test_response is not None
    test_predicted = np.empty(n_test, predicted.dtype)
    test_votes = None if numbers else np.empty((n_test, nclass), np.int32)
    test_error = np.empty_like(error) if told else None
    # C takes numbers as one class that gets all votes.
    cutoff = np.ones(1) if numbers else growing.cutoff

    cdef rrf_params params = _params(rows, growing, n_jobs)
    params.cutoff = doubles(cutoff)
    params.quirks = 0
    if rule.row_weight is not None:
        checks.vector("sample_weight", rule.row_weight, np.float64, n)
    cdef rrf_parallel_params parallel = rrf_parallel_params(
        seed=seed, first_tree=first_tree, n_jobs=n_jobs, entropy=rule.entropy, penalize_gain=rule.penalize_gain,
        draw_from_all=rule.draw_from_all, max_depth=rule.max_depth, use_depth=rule.use_depth,
        draw_until_split=0,
        row_weight=doubles(rule.row_weight)
    )
    cdef rrf_target target = rrf_target(
        y=ints(codes), nclass=nclass, response=doubles(rows.response if numbers else None)
    )
    cdef rrf_data test_data
    cdef rrf_test_rows test
    cdef rrf_test_rows *test_p = NULL
    if rows.test_values is not None:
        test_data = strided_data(rows.test_values, rows.ncat)
        test = rrf_test_rows(
            data=&test_data, y=ints(None if numbers else rows.test_response),
            response=doubles(rows.test_response if numbers else None), votes=ints(test_votes),
            predicted=ints(None if numbers else test_predicted), mean=doubles(test_predicted if numbers else None),
            error=doubles(test_error)
        )
        test_p = &test
    cdef _SplitList splits = _SplitList()
    cdef rrf_splits *splits_p = &splits.found if tell_splits else NULL
    cdef rrf_parallel_result result = rrf_parallel_result(
        votes=ints(votes), predicted=ints(None if numbers else predicted),
        mean=doubles(predicted if numbers else None), oob_times=ints(tables.oob_times),
        error=doubles(error), decrease=doubles(tables.importance[:, -1]), classwt=doubles(classwt),
        used=ints(tables.used), importance=doubles(tables.permuted),
        importance_sd=doubles(tables.importance_sd), local_importance=doubles(tables.local_importance),
        proximity=doubles(tables.proximity), inbag=ints(tables.inbag),
        test=test_p, splits=splits_p, regrown=0, searched=0, repeated=0
    )
    cdef Monitor monitor = Monitor(trace, on_tree, error, test_error)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    cdef rrf_forest forest
    cdef rrf_status status
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    rrf_forest_init(&forest)
    try:
        with nogil:
            status = rrf_fit_parallel(&train, &target, &params, &parallel, ranked, monitor_p, &forest, &result)
        _raise_for_fit(status, monitor, &train, &target, &params, &parallel)
        trees = forest_arrays(&forest) if growing.keep_forest else None
    finally:
        rrf_forest_free(&forest)
    parts = tables.parts(rows, n)
    parts["work"] = Work(regrown=result.regrown, searched=result.searched, repeated=result.repeated)
    if numbers:
        outcome = RegressionOutcome(predicted=predicted, mse=error, coef=None, **parts)
        answers = RegressionTest(predicted=test_predicted, mse=test_error, proximity=None)
    else:
        outcome = ClassOutcome(votes=votes, predicted=predicted, err_rate=error, classwt=classwt, **parts)
        answers = ClassTest(
            predicted=test_predicted, votes=test_votes.astype(np.float64), err_rate=test_error, proximity=None
        )
    found = splits.arrays() if tell_splits else None
    return Grown(outcome, None if rows.test_values is None else answers, trees, found)
