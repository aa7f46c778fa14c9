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


cdef class _Output:
    """The arrays that a fit fills, made and returned here alone; None for a result that was not asked for.

    As in R, one matrix holds the permutation importances and, in its last column, the decrease in impurity.
    """

    cdef object oob_times, importance, permuted, importance_sd, local_importance, proximity, inbag, used, classwt
    cdef object predicted, error, test_predicted, test_error, test_proximity
    cdef Py_ssize_t n, n_real, n_test
    cdef bint tested

    def __cinit__(self, rows, growing):
        n, p = rows.values.shape
        n_measures = 1 if rows.nclass == 1 else rows.nclass + 1
        n_real = n // 2 if rows.synthetic else n
        self.n, self.n_real, self.tested = n, n_real, rows.test_values is not None
        self.n_test = rows.test_values.shape[0] if self.tested else 0
        self.oob_times = np.empty(n, np.int32)
        self.importance = np.empty((p, n_measures + 1 if growing.importance else 1), order="F")
        self.permuted = self.importance if growing.importance else None
        self.importance_sd = np.empty((p, n_measures), order="F") if growing.importance else None
        self.local_importance = np.empty((p, n), order="F") if growing.local_importance else None
        self.proximity = np.empty((n_real, n_real), order="F") if growing.proximity else None
        self.inbag = np.empty((n_real, growing.ntree), np.int32, order="F") if growing.keep_inbag else None
        self.used = np.array(growing.used, dtype=np.int32)
        self.classwt = np.empty(rows.nclass)

    cdef int add_predictions(self, rows, dtype, error_shape) except -1:
        """Make what is predicted, and the errors after each tree."""
        self.predicted, self.error = np.empty(self.n, dtype), np.empty(error_shape)
        self.test_predicted = np.empty(self.n_test, dtype) if self.tested else None
        self.test_error = None if rows.test_response is None else np.empty(error_shape)
        return 0

    cdef int add_test_proximity(self, growing) except -1:
        if self.tested and growing.proximity:
            self.test_proximity = np.empty((self.n_test, self.n_test + self.n_real), order="F")
        return 0

    cdef rrf_status fit_like_r(
        self, rows, const rrf_data *train, const rrf_data *test, const rrf_params *params, const rrf_ranks *ranks,
        rrf_rng *rng, const rrf_monitor *monitor, rrf_forest *forest
    ) except *:
        """Call C, which fills the arrays, for a forest of engine r."""
        raise NotImplementedError

    cdef rrf_parallel_result parallel_result(self) except *:
        """The arrays as engine parallel fills them; those of one kind of response are added below."""
        return rrf_parallel_result(
            votes=NULL, predicted=NULL, mean=NULL, oob_times=ints(self.oob_times), error=doubles(self.error),
            decrease=doubles(self.importance[:, -1]), classwt=doubles(self.classwt), used=ints(self.used),
            importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test=NULL, splits=NULL, regrown=0, searched=0, repeated=0
        )

    cdef rrf_test_rows test_rows(self, rows, const rrf_data *data) except *:
        """The test set, and its arrays, as engine parallel fills them."""
        return rrf_test_rows(
            data=data, y=NULL, response=NULL, votes=NULL, predicted=NULL, mean=NULL, error=doubles(self.test_error)
        )

    cdef dict parts(self, work):
        """The arrays, named as in `Outcome`."""
        local = self.local_importance
        return {
            "oob_times": self.oob_times,
            "importance": self.importance,
            "importance_sd": self.importance_sd,
            "local_importance": None if local is None else local[:, :self.n_real],
            "proximity": self.proximity,
            "inbag": self.inbag,
            "used": self.used,
            "work": work,
        }

    cdef object grown(self, trees, work, splits):
        """The arrays, and the trees, as the core returns them."""
        raise NotImplementedError


cdef class _Classes(_Output):
    """What a forest for classes fills."""

    cdef object votes, test_votes

    def __cinit__(self, rows, growing):
        self.add_predictions(rows, np.int32, (growing.ntree, rows.nclass + 1))
        self.votes = np.empty((self.n, rows.nclass), np.int32)
        self.test_votes = np.empty((self.n_test, rows.nclass), np.int32) if self.tested else None

    cdef rrf_status fit_like_r(
        self, rows, const rrf_data *train, const rrf_data *test, const rrf_params *params, const rrf_ranks *ranks,
        rrf_rng *rng, const rrf_monitor *monitor, rrf_forest *forest
    ) except *:
        cdef const int32_t *y = ints(rows.response)
        cdef const int32_t *test_y = ints(rows.test_response)
        cdef int nclass = rows.nclass
        cdef rrf_status status
        cdef rrf_class_result result = rrf_class_result(
            predicted=ints(self.predicted), votes=ints(self.votes), oob_times=ints(self.oob_times),
            error=doubles(self.error), decrease=doubles(self.importance[:, -1]), classwt=doubles(self.classwt),
            used=ints(self.used), importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test_predicted=ints(self.test_predicted), test_votes=ints(self.test_votes),
            test_error=doubles(self.test_error), test_proximity=doubles(self.test_proximity)
        )
        with nogil:
            status = rrf_fit_classification(
                train, y, nclass, test, test_y, params, ranks, rng, monitor, forest, &result
            )
        return status

    cdef rrf_parallel_result parallel_result(self) except *:
        cdef rrf_parallel_result result = _Output.parallel_result(self)
        result.votes, result.predicted = ints(self.votes), ints(self.predicted)
        return result

    cdef rrf_test_rows test_rows(self, rows, const rrf_data *data) except *:
        cdef rrf_test_rows test = _Output.test_rows(self, rows, data)
        test.y, test.votes = ints(rows.test_response), ints(self.test_votes)
        test.predicted = ints(self.test_predicted)
        return test

    cdef object grown(self, trees, work, splits):
        outcome = ClassOutcome(
            votes=self.votes, predicted=self.predicted, err_rate=self.error, classwt=self.classwt, **self.parts(work)
        )
        test = ClassTest(
            predicted=self.test_predicted, votes=self.test_votes.astype(np.float64), err_rate=self.test_error,
            proximity=self.test_proximity
        ) if self.tested else None
        return Grown(outcome, test, trees, splits)


cdef class _Numbers(_Output):
    """What a forest for numbers fills."""

    cdef object coef

    def __cinit__(self, rows, growing):
        self.add_predictions(rows, np.float64, growing.ntree)

    cdef rrf_status fit_like_r(
        self, rows, const rrf_data *train, const rrf_data *test, const rrf_params *params, const rrf_ranks *ranks,
        rrf_rng *rng, const rrf_monitor *monitor, rrf_forest *forest
    ) except *:
        cdef const double *y = doubles(rows.response)
        cdef const double *test_y = doubles(rows.test_response)
        cdef rrf_status status
        self.coef = np.empty(2) if params.bias_correction else None
        cdef rrf_regression_result result = rrf_regression_result(
            mean=doubles(self.predicted), oob_times=ints(self.oob_times), error=doubles(self.error),
            decrease=doubles(self.importance[:, -1]), used=ints(self.used), coef=doubles(self.coef),
            importance=doubles(self.permuted), importance_sd=doubles(self.importance_sd),
            local_importance=doubles(self.local_importance), proximity=doubles(self.proximity),
            inbag=ints(self.inbag), test_mean=doubles(self.test_predicted), test_error=doubles(self.test_error),
            test_proximity=doubles(self.test_proximity)
        )
        with nogil:
            status = rrf_fit_regression(train, y, test, test_y, params, ranks, rng, monitor, forest, &result)
        return status

    cdef rrf_parallel_result parallel_result(self) except *:
        cdef rrf_parallel_result result = _Output.parallel_result(self)
        result.mean = doubles(self.predicted)
        return result

    cdef rrf_test_rows test_rows(self, rows, const rrf_data *data) except *:
        cdef rrf_test_rows test = _Output.test_rows(self, rows, data)
        test.response, test.mean = doubles(rows.test_response), doubles(self.test_predicted)
        return test

    cdef dict parts(self, work):
        found = _Output.parts(self, work)
        if self.importance_sd is not None:
            found["importance_sd"] = self.importance_sd[:, 0]
        return found

    cdef object grown(self, trees, work, splits):
        outcome = RegressionOutcome(predicted=self.predicted, mse=self.error, coef=self.coef, **self.parts(work))
        test = RegressionTest(
            predicted=self.test_predicted, mse=self.test_error, proximity=self.test_proximity
        ) if self.tested else None
        return Grown(outcome, test, trees, splits)


cdef class _Forest:
    """The trees of a fit and, where they are asked for, their splits, as C adds them."""

    cdef rrf_forest trees
    cdef rrf_splits splits

    def __cinit__(self):
        rrf_forest_init(&self.trees)
        rrf_splits_init(&self.splits)

    def __dealloc__(self):
        rrf_forest_free(&self.trees)
        rrf_splits_free(&self.splits)

    cdef object split_arrays(self):
        n = self.splits.n
        feature, decrease = np.empty(n, np.int32), np.empty(n)
        if n > 0:
            memcpy(ints(feature), self.splits.feature, feature.nbytes)
            memcpy(doubles(decrease), self.splits.decrease, decrease.nbytes)
        return Splits(feature, decrease)


def fit_like_r(rows, growing, *, Stream stream, int n_jobs=1, int trace=0, on_tree=None, Ranks ranks=None):
    """Grows a forest with engine r, R's ``classRF`` and ``regRF``.

    Parameters
    ----------
    rows : Rows
    growing : Growing
        `max_nodes` is odd. In regression with `quirks` F starts empty, as in R, whatever `used` is.
    stream : Stream
    n_jobs : int, default 1
        Threads; the answer does not depend on them.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row or mse, the same of the test set or None)`` is called.
    ranks : Ranks, optional
        Those of `rows` for such a fit; made here by default. Not with synthetic rows.

    Returns
    -------
    Grown of ClassOutcome and ClassTest, or of RegressionOutcome and RegressionTest

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        No in-bag sample can be split, or an argument is out of range.
    """
    _check_lengths(rows, growing)
    cdef rrf_data train = column_major_data(rows.values, rows.ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if rows.test_values is not None:
        test_data = column_major_data(rows.test_values, rows.ncat)
        test = &test_data
    cdef _Output output = _Numbers(rows, growing) if rows.numbers else _Classes(rows, growing)
    output.add_test_proximity(growing)
    cdef rrf_params params = _params(rows, growing, n_jobs)
    cdef rrf_target target = _target(rows, None if rows.numbers else rows.response)
    cdef Monitor monitor = Monitor(trace, on_tree, output.error, output.test_error)
    stream.load()
    # A copy: a fit that fails leaves the stream as it was.
    cdef rrf_rng rng = stream.live
    cdef _Forest forest = _Forest()
    cdef rrf_status status = output.fit_like_r(
        rows, &train, test, &params, ranks_or_null(ranks), &rng, &monitor.monitor, &forest.trees
    )
    _raise_for_fit(status, monitor, &train, &target, &params, NULL)
    trees = forest_arrays(&forest.trees) if growing.keep_forest else None
    stream.live = rng
    stream.save()
    return output.grown(trees, None, None)


cdef rrf_target _target(rows, codes) except *:
    """The response for C; `codes` are the classes and must outlive what is returned."""
    return rrf_target(
        y=ints(codes), nclass=rows.nclass, response=doubles(rows.response if rows.numbers else None)
    )


cdef rrf_parallel_params _parallel_params(rule, n, uint64_t seed, uint64_t first_tree, int n_jobs) except *:
    """The parameters of engine parallel for C; `rule` owns the weights and must outlive them."""
    if rule.row_weight is not None:
        checks.vector("sample_weight", rule.row_weight, np.float64, n)
    return rrf_parallel_params(
        seed=seed, first_tree=first_tree, n_jobs=n_jobs, entropy=rule.entropy, penalize_gain=rule.penalize_gain,
        draw_from_all=rule.draw_from_all, max_depth=rule.max_depth, use_depth=rule.use_depth,
        draw_until_split=0, row_weight=doubles(rule.row_weight)
    )


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
    _check_lengths(rows, growing)
    cdef rrf_data train = strided_data(rows.values, rows.ncat)
    cdef _Output output = _Numbers(rows, growing) if rows.numbers else _Classes(rows, growing)
    # C takes numbers as one class that gets all votes.
    codes = np.zeros(output.n, np.int32) if rows.numbers else rows.response
    cutoff = np.ones(1) if rows.numbers else growing.cutoff
    cdef rrf_target target = _target(rows, codes)
    cdef rrf_params params = _params(rows, growing, n_jobs)
    params.cutoff, params.quirks = doubles(cutoff), 0
    cdef rrf_parallel_params parallel = _parallel_params(rule, output.n, seed, first_tree, n_jobs)
    cdef rrf_parallel_result result = output.parallel_result()
    cdef rrf_data test_data
    cdef rrf_test_rows test
    if output.tested:
        test_data = strided_data(rows.test_values, rows.ncat)
        test = output.test_rows(rows, &test_data)
        result.test = &test
    cdef _Forest forest = _Forest()
    cdef rrf_forest *trees_p = &forest.trees
    if tell_splits:
        result.splits = &forest.splits
    cdef Monitor monitor = Monitor(trace, on_tree, output.error, output.test_error)
    cdef rrf_monitor *monitor_p = &monitor.monitor
    cdef const rrf_ranks *ranked = ranks_or_null(ranks)
    cdef rrf_status status
    with nogil:
        status = rrf_fit_parallel(&train, &target, &params, &parallel, ranked, monitor_p, trees_p, &result)
    _raise_for_fit(status, monitor, &train, &target, &params, &parallel)
    trees = forest_arrays(trees_p) if growing.keep_forest else None
    work = Work(regrown=result.regrown, searched=result.searched, repeated=result.repeated)
    return output.grown(trees, work, forest.split_arrays() if tell_splits else None)
