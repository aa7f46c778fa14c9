# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Fits of both engines."""

import numpy as np

from libc.stdint cimport uint64_t
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

from pyrrf._core.records import ClassOutcome, ClassTest, CoreResult, RegressionOutcome, RegressionTest, Splits, Work


cdef rrf_params _params(rows, growing, int n_jobs) except *:
    """Return the parameters of a fit for C, which borrow the arrays of `growing`."""
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
    """Raise an error if a vector has another type or length than C assumes."""
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
    """Raise the exception for the status of a fit, with the argument that is out of range."""
    cdef const char *field = NULL
    if status == RRF_ERR_ARGUMENT:
        rrf_params_check(data, target, params, parallel, &field)
        if field != NULL:
            raise ValueError(checks.out_of_range(field.decode()))
    return raise_for_status(status, monitor)


cdef class _Output:
    """Arrays for the results of a fit; None for a result that was not requested.

    As in R, one matrix has the permutation importances and, in its last column, the decrease in impurity.
    """

    cdef object numbers, n_real, kind
    cdef object predicted, error, oob_times, importance, permuted, importance_sd, local_importance, proximity, inbag
    cdef object used, votes, classwt, coef, test_predicted, test_votes, test_error, test_near

    def __cinit__(self, rows, growing, bint parallel=False):
        n, p = rows.values.shape
        self.numbers, self.kind = rows.numbers, np.float64 if rows.numbers else np.int32
        self.n_real = n // 2 if rows.synthetic else n
        n_measures = 1 if rows.numbers else rows.nclass + 1
        self.predicted = np.empty(n, self.kind)
        self.error = np.empty(growing.ntree if rows.numbers else (growing.ntree, n_measures))
        if rows.numbers:
            self.coef = np.empty(2) if growing.corr_bias and not parallel else None
        else:
            self.votes, self.classwt = np.empty((n, rows.nclass), np.int32), np.empty(rows.nclass)
        self.oob_times = np.empty(n, np.int32)
        self.importance = np.empty((p, n_measures + 1 if growing.importance else 1), order="F")
        self.permuted = self.importance if growing.importance else None
        self.importance_sd = np.empty((p, n_measures), order="F") if growing.importance else None
        self.local_importance = checks.new_result("localImp", (p, n)) if growing.local_importance else None
        self.proximity = checks.new_result("proximity", (self.n_real, self.n_real)) if growing.proximity else None
        if growing.keep_inbag:
            self.inbag = checks.new_result("keep_inbag", (self.n_real, growing.ntree), np.int32)
        self.used = np.array(growing.used, dtype=np.int32)
        if rows.test_values is not None:
            self._add_test(rows, growing.proximity and not parallel)

    cdef int _add_test(self, rows, near) except -1:
        n = rows.test_values.shape[0]
        self.test_predicted = np.empty(n, self.kind)
        self.test_votes = None if self.numbers else np.empty((n, rows.nclass), np.int32)
        self.test_error = None if rows.test_response is None else np.empty_like(self.error)
        self.test_near = checks.new_result("proximity", (n, n + self.n_real)) if near else None
        return 0

    cdef rrf_class_result class_result(self) except *:
        return rrf_class_result(
            predicted=ints(self.predicted), votes=ints(self.votes), oob_times=ints(self.oob_times),
            error=doubles(self.error), decrease=doubles(self.importance[:, -1]), classwt=doubles(self.classwt),
            used=ints(self.used), importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test_predicted=ints(self.test_predicted), test_votes=ints(self.test_votes),
            test_error=doubles(self.test_error), test_proximity=doubles(self.test_near)
        )

    cdef rrf_regression_result regression_result(self) except *:
        return rrf_regression_result(
            mean=doubles(self.predicted), oob_times=ints(self.oob_times), error=doubles(self.error),
            decrease=doubles(self.importance[:, -1]), used=ints(self.used), coef=doubles(self.coef),
            importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test_mean=doubles(self.test_predicted), test_error=doubles(self.test_error),
            test_proximity=doubles(self.test_near)
        )

    cdef rrf_parallel_result parallel_result(self) except *:
        classes, numbers = (None, self.predicted) if self.numbers else (self.predicted, None)
        return rrf_parallel_result(
            votes=ints(self.votes), predicted=ints(classes), mean=doubles(numbers), oob_times=ints(self.oob_times),
            error=doubles(self.error), decrease=doubles(self.importance[:, -1]), classwt=doubles(self.classwt),
            used=ints(self.used), importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test=NULL, splits=NULL, regrown=0, searched=0, repeated=0
        )

    cdef object core_result(self, trees, splits=None, work=None):
        parts = self.parts() | {"predicted": self.predicted, "work": work}
        test = {"predicted": self.test_predicted, "proximity": self.test_near}
        has_test = self.test_predicted is not None
        if self.numbers:
            outcome = RegressionOutcome(mse=self.error, coef=self.coef, **parts)
            answers = RegressionTest(mse=self.test_error, **test) if has_test else None
        else:
            outcome = ClassOutcome(votes=self.votes, err_rate=self.error, classwt=self.classwt, **parts)
            votes = self.test_votes.astype(np.float64) if has_test else None
            answers = ClassTest(votes=votes, err_rate=self.test_error, **test) if has_test else None
        return CoreResult(outcome, answers, trees, splits)

    cdef dict parts(self):
        """Return the results that every outcome has, named as in `Outcome`."""
        local, deviations = self.local_importance, self.importance_sd
        return {
            "oob_times": self.oob_times,
            "importance": self.importance,
            "importance_sd": deviations[:, 0] if self.numbers and deviations is not None else deviations,
            "local_importance": None if local is None else local[:, :self.n_real],
            "proximity": self.proximity,
            "inbag": self.inbag,
            "used": self.used,
        }


cdef class _Forest:
    """Owner of the packed trees of C."""

    cdef rrf_forest trees

    def __cinit__(self):
        rrf_forest_init(&self.trees)

    def __dealloc__(self):
        rrf_forest_free(&self.trees)

    cdef object arrays(self, growing):
        return forest_arrays(&self.trees) if growing.keep_forest else None


cdef class _SplitList:
    """Owner of C's list of splits."""

    cdef rrf_splits splits

    def __cinit__(self):
        rrf_splits_init(&self.splits)

    def __dealloc__(self):
        rrf_splits_free(&self.splits)

    cdef object arrays(self):
        feature, decrease = np.empty(self.splits.n, np.int32), np.empty(self.splits.n)
        if self.splits.n > 0:
            memcpy(ints(feature), self.splits.feature, feature.nbytes)
            memcpy(doubles(decrease), self.splits.decrease, decrease.nbytes)
        return Splits(feature, decrease)


cdef rrf_target _target(rows, response) except *:
    """Return the response for C, of the training data or of the test set."""
    numbers = rows.numbers
    return rrf_target(
        y=ints(None if numbers else response), nclass=rows.nclass, response=doubles(response if numbers else None)
    )


def fit_r(rows, growing, *, Stream stream, int n_jobs=1, int trace=0, on_tree=None, Ranks ranks=None):
    """Grow a forest with engine r: R's ``classRF``, or ``regRF`` for regression.

    Parameters
    ----------
    rows : TrainingArrays
    growing : Growing
        `max_nodes` is odd for classes. In a regression with `quirks` F starts empty, as in R, whatever `used` is.
    stream : Stream
    n_jobs : int, default 1
        Number of threads; the results do not depend on it.
    trace, on_tree
        After each `trace` trees ``on_tree(trees, err_row or mse, the same of the test set or None)`` is called.
    ranks : Ranks, optional
        Ranks of `rows` for such a fit; computed here by default. Not with synthetic rows.

    Returns
    -------
    CoreResult of ClassOutcome and ClassTest, or of RegressionOutcome and RegressionTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stored state of the stream does not change.
    ValueError
        No in-bag sample can be split, or `sampsize` or `max_nodes` is out of range.
    """
    _check_lengths(rows, growing)
    cdef rrf_data train = column_major_data(rows.values, rows.ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if rows.test_values is not None:
        test_data = column_major_data(rows.test_values, rows.ncat)
        test = &test_data
    cdef bint numbers = rows.numbers
    cdef _Output out = _Output(rows, growing)
    cdef rrf_class_result classes
    cdef rrf_regression_result means
    if numbers:
        means = out.regression_result()
    else:
        classes = out.class_result()

    cdef rrf_params params = _params(rows, growing, n_jobs)
    cdef rrf_target target = _target(rows, rows.response), test_target = _target(rows, rows.test_response)
    cdef Monitor monitor = Monitor(trace, on_tree, out.error, out.test_error)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    stream.load()
    # A copy, so that a failed fit does not change the stream.
    cdef rrf_rng rng = stream.live
    cdef _Forest forest = _Forest()
    cdef rrf_forest *trees = &forest.trees
    cdef rrf_status status
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    with nogil:
        if numbers:
            status = rrf_fit_regression(
                &train, target.response, test, test_target.response, &params, ranked, &rng, monitor_p, trees, &means
            )
        else:
            status = rrf_fit_classification(
                &train, target.y, target.nclass, test, test_target.y, &params, ranked, &rng, monitor_p, trees,
                &classes
            )
    _raise_for_fit(status, monitor, &train, &target, &params, NULL)
    stream.live = rng
    stream.save()
    return out.core_result(forest.arrays(growing))


def fit_parallel(
    rows, growing, rule, uint64_t seed, *, uint64_t first_tree=0, bint return_splits=False, int n_jobs=1, int trace=0,
    on_tree=None, Ranks ranks=None
):
    """Grow a forest with engine parallel on `n_jobs` threads; each tree has its own random stream.

    Parameters
    ----------
    rows : TrainingArrays
        A test set is predicted tree by tree, without its proximity.
    growing : Growing
    rule : ParallelRule
    seed : int
        0 to 2**64 - 1. The results depend on the seed but not on `n_jobs`.
    first_tree : int, default 0
        Number of the first tree, which determines the streams: with ``flag_reg=0`` the trees from 0 and those from
        `ntree` together are the forest of twice as many trees.
    return_splits : bool, default False
        Whether the splits are returned.
    n_jobs : int, default 1
        Number of threads, at least 1.
    trace, on_tree
        After each `trace` trees ``on_tree(trees, err_row or mse, the same of the test set or None)`` is called.
    ranks : Ranks, optional
        Ranks of `rows` for such a fit; computed here by default.

    Returns
    -------
    CoreResult of ClassOutcome and ClassTest, or of RegressionOutcome and RegressionTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    ValueError
        No bag has rows of positive weight.
    """
    _check_lengths(rows, growing)
    if rule.row_weight is not None:
        checks.vector("sample_weight", rule.row_weight, np.float64, rows.values.shape[0])
    cdef _Output out = _Output(rows, growing, parallel=True)
    # C treats regression as one class with all votes.
    numbers = rows.numbers
    codes = np.zeros(rows.values.shape[0], np.int32) if numbers else rows.response
    cutoff, classwt = (np.ones(1), np.empty(1)) if numbers else (growing.cutoff, out.classwt)

    values, test_values = checks.with_distinct_strides(rows.values), checks.with_distinct_strides(rows.test_values)
    cdef rrf_data train = strided_data(values, rows.ncat)
    cdef rrf_params params = _params(rows, growing, n_jobs)
    params.cutoff = doubles(cutoff)
    params.quirks = 0
    cdef rrf_parallel_params parallel = rrf_parallel_params(
        seed=seed, first_tree=first_tree, n_jobs=n_jobs, criterion=rule.criterion, penalty=rule.penalty,
        draw_from_all=rule.draw_from_all, max_depth=rule.max_depth, use_depth=rule.use_depth,
        draw_until_split=0, ties_first=rule.ties_first, depth_first=rule.depth_first,
        row_weight=doubles(rule.row_weight)
    )
    cdef rrf_target target = _target(rows, rows.response), test_target = _target(rows, rows.test_response)
    target.y = ints(codes)
    cdef rrf_data test_data
    cdef rrf_test_rows test
    cdef rrf_test_rows *test_p = NULL
    if rows.test_values is not None:
        test_data = strided_data(test_values, rows.ncat)
        test = rrf_test_rows(
            data=&test_data, y=test_target.y, response=test_target.response,
            votes=ints(out.test_votes), predicted=ints(None if numbers else out.test_predicted),
            mean=doubles(out.test_predicted if numbers else None), error=doubles(out.test_error)
        )
        test_p = &test
    cdef _SplitList splits = _SplitList()
    cdef rrf_parallel_result result = out.parallel_result()
    result.classwt, result.test = doubles(classwt), test_p
    if return_splits:
        result.splits = &splits.splits
    cdef Monitor monitor = Monitor(trace, on_tree, out.error, out.test_error)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    cdef _Forest forest = _Forest()
    cdef rrf_forest *trees = &forest.trees
    cdef rrf_status status
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    with nogil:
        status = rrf_fit_parallel(&train, &target, &params, &parallel, ranked, monitor_p, trees, &result)
    _raise_for_fit(status, monitor, &train, &target, &params, &parallel)
    work = Work(regrown=result.regrown, searched=result.searched, repeated=result.repeated)
    return out.core_result(forest.arrays(growing), splits.arrays() if return_splits else None, work)
