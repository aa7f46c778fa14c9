# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Whole forests: the fits of both engines."""

import numpy as np

from libc.stdint cimport int32_t, uint64_t

from pyrrf._core.arrays cimport column_major_data, doubles, forest_arrays, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.rrf cimport (
    rrf_class_result, rrf_data, rrf_fit_classification, rrf_fit_parallel, rrf_fit_regression, rrf_forest,
    rrf_forest_free, rrf_forest_init, rrf_monitor, rrf_parallel_params, rrf_parallel_result, rrf_params,
    rrf_regression_result, rrf_rng, rrf_status, rrf_target
)
from pyrrf._core.stream cimport Stream


def fit_classification(
    x, ncat, y, int nclass, *, xtest, ytest, int ntree, int mtry, int nodesize, int max_nodes,
    bint replace, sampsize, strata, classwt, cutoff, int flag_reg, coef_reg, used,
    bint importance, bint local_importance, bint proximity, bint oob_proximity, bint keep_forest,
    bint keep_inbag, bint quirks, Stream stream, int trace=0, on_tree=None, bint add_class=False
):
    """Grows a classification forest, R's ``classRF``.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p), column-major
        Training data; level k of a factor (from 1) as the number k.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor.
    y : ndarray of int32, shape (n,)
        Classes from 0, all `nclass` present.
    xtest, ytest : ndarray, optional
        Test data as `x` and `y`; either may be None.
    max_nodes : int
        R's nrnodes, odd.
    sampsize : ndarray of int32
        One size, or one a stratum; `strata` (int32, from 0) is None without strata.
    used : ndarray of int32, shape (p,)
        1 for a feature in F at the start.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row, test_err_row)`` is called.
    add_class : bool, default False
        Unsupervised mode: `x` holds the rows twice, `y` is 0 for the first and 1 for the second
        half; local_importance, proximity and inbag then cover the first half only.

    Returns
    -------
    dict
        predicted, votes, oob_times, err_rate, importance, importance_sd, local_importance,
        proximity, inbag, used, classwt, forest and test; None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        No in-bag sample can be split.
    """
    n, p = x.shape
    n_test = 0 if xtest is None else xtest.shape[0]
    n_real = n // 2 if add_class else n
    cdef rrf_data train = column_major_data(x, ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if xtest is not None:
        test_data = column_major_data(xtest, ncat)
        test = &test_data

    predicted = np.empty(n, np.int32)
    votes = np.empty((n, nclass), np.int32)
    oob_times = np.empty(n, np.int32)
    err_rate = np.empty((ntree, nclass + 1))
    measures = np.empty((p, nclass + 2 if importance else 1), order="F")
    # R keeps one matrix: the decreases in accuracy, then the decrease in impurity.
    accuracy = measures if importance else None
    importance_sd = np.empty((p, nclass + 1), order="F") if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n_real, n_real), order="F") if proximity else None
    inbag = np.empty((n_real, ntree), np.int32, order="F") if keep_inbag else None
    weights = np.empty(nclass)
    features = np.array(used, dtype=np.int32)
    test_predicted = None if xtest is None else np.empty(n_test, np.int32)
    test_votes = None if xtest is None else np.empty((n_test, nclass), np.int32)
    test_err_rate = None if ytest is None else np.empty((ntree, nclass + 1))
    test_near = None
    if xtest is not None and proximity:
        test_near = np.empty((n_test, n_test + n_real), order="F")

    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=ints(sampsize), strata=ints(strata),
        nstrata=0 if strata is None else sampsize.size, classwt=doubles(classwt),
        cutoff=doubles(cutoff), flag_reg=flag_reg, coef_reg=doubles(coef_reg),
        importance=importance, n_perm=1, oob_proximity=oob_proximity, keep_forest=keep_forest,
        bias_correction=0, quirks=quirks, add_class=add_class
    )
    cdef rrf_class_result result = rrf_class_result(
        predicted=ints(predicted), votes=ints(votes), oob_times=ints(oob_times),
        err_rate=doubles(err_rate), gini=doubles(measures[:, -1]), classwt=doubles(weights),
        used=ints(features), importance=doubles(accuracy),
        importance_sd=doubles(importance_sd), local_importance=doubles(local),
        proximity=doubles(near), inbag=ints(inbag), test_predicted=ints(test_predicted),
        test_votes=ints(test_votes), test_err_rate=doubles(test_err_rate),
        test_proximity=doubles(test_near)
    )
    cdef const int32_t *train_y = ints(y)
    cdef const int32_t *test_y = ints(ytest)
    cdef Monitor watch = Monitor(trace, on_tree, err_rate, test_err_rate)
    cdef rrf_monitor *monitor = &watch.monitor
    stream.load()
    # A copy, so that another thread cannot draw from the stream in the middle of the fit.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_classification(
                &train, train_y, nclass, test, test_y, &params, &rng, monitor, &trees, &result
            )
        raise_for_status(status, watch)
        forest = forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    stream.live = rng
    stream.save()
    return {
        "predicted": predicted,
        "votes": votes,
        "oob_times": oob_times,
        "err_rate": err_rate,
        "importance": measures,
        "importance_sd": importance_sd,
        "local_importance": None if local is None else local[:, :n_real],
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "classwt": weights,
        "forest": forest,
        "test": None if xtest is None else {
            "predicted": test_predicted,
            "votes": test_votes.astype(np.float64),
            "err_rate": test_err_rate,
            "proximity": test_near,
        },
    }


def fit_regression(
    x, ncat, y, *, xtest, ytest, int ntree, int mtry, int nodesize, int max_nodes, bint replace,
    sampsize, int flag_reg, coef_reg, used, bint importance, bint local_importance, int n_perm,
    bint proximity, bint oob_proximity, bint corr_bias, bint keep_forest, bint keep_inbag,
    bint quirks, Stream stream, int trace=0, on_tree=None
):
    """Grows a regression forest, R's ``regRF``.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p), column-major
        Training data, finite; level k of a factor (from 1) as the number k.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor.
    y : ndarray of float64, shape (n,)
        Responses, finite.
    xtest, ytest : ndarray, optional
        Test data as `x` and `y`; either may be None.
    max_nodes : int
        R's nrnodes.
    sampsize : ndarray of int32, shape (1,)
    used : ndarray of int32, shape (p,)
        1 for a feature in F at the start; with `quirks` F starts empty, as in R.
    local_importance : bool
        Needs `importance`.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, mse, test_mse)`` is called; test_mse may be None.

    Returns
    -------
    dict
        predicted (0 where oob_times is 0), oob_times, mse, importance (p, 2) as %IncMSE and
        IncNodePurity or (p, 1), importance_sd, local_importance, proximity, inbag, used, coef,
        forest and test (predicted, mse, proximity); None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        `sampsize` or `max_nodes` is out of range.
    """
    n, p = x.shape
    n_test = 0 if xtest is None else xtest.shape[0]
    cdef rrf_data train = column_major_data(x, ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if xtest is not None:
        test_data = column_major_data(xtest, ncat)
        test = &test_data

    predicted = np.empty(n)
    oob_times = np.empty(n, np.int32)
    mse = np.empty(ntree)
    # R keeps one matrix: the increase of the error, then the decrease in impurity.
    measures = np.empty((p, 2 if importance else 1), order="F")
    increase = measures[:, 0] if importance else None
    importance_sd = np.empty(p) if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n, n), order="F") if proximity else None
    inbag = np.empty((n, ntree), np.int32, order="F") if keep_inbag else None
    coef = np.empty(2) if corr_bias else None
    features = np.array(used, dtype=np.int32)
    test_predicted = None if xtest is None else np.empty(n_test)
    test_mse = None if xtest is None or ytest is None else np.empty(ntree)
    test_near = None
    if xtest is not None and proximity:
        test_near = np.empty((n_test, n_test + n), order="F")

    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=ints(sampsize), strata=NULL, nstrata=0, classwt=NULL, cutoff=NULL,
        flag_reg=flag_reg, coef_reg=doubles(coef_reg), importance=importance, n_perm=n_perm,
        oob_proximity=oob_proximity, keep_forest=keep_forest, bias_correction=corr_bias,
        quirks=quirks, add_class=0
    )
    cdef rrf_regression_result result = rrf_regression_result(
        predicted=doubles(predicted), oob_times=ints(oob_times), mse=doubles(mse),
        purity=doubles(measures[:, -1]), used=ints(features), coef=doubles(coef),
        importance=doubles(increase), importance_sd=doubles(importance_sd),
        local_importance=doubles(local), proximity=doubles(near), inbag=ints(inbag),
        test_predicted=doubles(test_predicted), test_mse=doubles(test_mse),
        test_proximity=doubles(test_near)
    )
    cdef const double *train_y = doubles(y)
    cdef const double *test_y = doubles(ytest)
    cdef Monitor watch = Monitor(trace, on_tree, mse, test_mse)
    cdef rrf_monitor *monitor = &watch.monitor
    stream.load()
    # A copy, so that another thread cannot draw from the stream in the middle of the fit.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_regression(
                &train, train_y, test, test_y, &params, &rng, monitor, &trees, &result
            )
        raise_for_status(status, watch)
        forest = forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    stream.live = rng
    stream.save()
    return {
        "predicted": predicted,
        "oob_times": oob_times,
        "mse": mse,
        "importance": measures,
        "importance_sd": importance_sd,
        "local_importance": local,
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "coef": coef,
        "forest": forest,
        "test": None if xtest is None else {
            "predicted": test_predicted,
            "mse": test_mse,
            "proximity": test_near,
        },
    }


def fit_parallel(
    x, ncat, y, int nclass, *, int ntree, int mtry, int nodesize, int max_nodes, bint replace,
    sampsize, cutoff, int flag_reg, coef_reg, used, uint64_t seed, int n_jobs, strata=None,
    classwt=None, bint entropy=False, bint penalize_gain=False, int max_depth=0,
    bint use_depth=False, bint draw_from_all=False, row_weight=None, bint importance=False, bint local_importance=False,
    int n_perm=1, bint proximity=False, bint oob_proximity=False, bint keep_inbag=False,
    bint keep_forest=True, int trace=0, on_tree=None
):
    """Grows a forest with the parallel engine: a random stream a tree, `n_jobs` threads.

    Parameters
    ----------
    x : ndarray of float64 or float32, shape (n, p), any strides
        Training data; NaN is a missing number, level k of a factor (from 1) the number k.
    y : ndarray
        int32 classes from 0, all `nclass` present; float64 numbers with ``nclass=1``.
    seed : int
        0 to 2**64 - 1. The answer depends on it and not on `n_jobs`.
    n_jobs : int
        Threads, at least 1.
    entropy, penalize_gain, draw_from_all, use_depth : bool
        As in rrf_parallel_params.
    max_depth : int
        0 for no bound.
    row_weight : ndarray of float64, shape (n,), optional
        What a drawn row counts for; the sum is positive.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row or mse, None)`` is called.

    Returns
    -------
    dict
        As `fit_classification` (for numbers `fit_regression`), and regrown, searched, repeated:
        trees of which a part was grown again, nodes searched, and those searched again.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    ValueError
        No bag has rows of positive weight.
    """
    n, p = x.shape
    numbers = y.dtype.kind == "f"
    cdef rrf_data train = strided_data(x, ncat)
    codes = np.zeros(n, np.int32) if numbers else y
    predicted = np.empty(n) if numbers else np.empty(n, np.int32)
    votes = None if numbers else np.empty((n, nclass), np.int32)
    oob_times = np.empty(n, np.int32)
    error = np.empty(ntree) if numbers else np.empty((ntree, nclass + 1))
    n_measures = 1 if numbers else nclass + 1
    measures = np.empty((p, n_measures + 1 if importance else 1), order="F")
    permuted = measures[:, :n_measures] if importance else None
    deviations = np.empty((p, n_measures), order="F") if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n, n), order="F") if proximity else None
    inbag = np.empty((n, ntree), np.int32, order="F") if keep_inbag else None
    weights = np.empty(nclass)
    features = np.array(used, dtype=np.int32)
    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=ints(sampsize), strata=ints(strata),
        nstrata=0 if strata is None else sampsize.size, classwt=doubles(classwt),
        cutoff=doubles(cutoff), flag_reg=flag_reg, coef_reg=doubles(coef_reg),
        importance=importance, n_perm=n_perm, oob_proximity=oob_proximity,
        keep_forest=keep_forest, bias_correction=0, quirks=0, add_class=0
    )
    cdef rrf_parallel_params parallel = rrf_parallel_params(
        seed=seed, n_jobs=n_jobs, entropy=entropy, penalize_gain=penalize_gain,
        draw_from_all=draw_from_all, max_depth=max_depth, use_depth=use_depth, row_weight=doubles(row_weight)
    )
    cdef rrf_target target = rrf_target(
        y=ints(codes), nclass=nclass, response=doubles(y if numbers else None)
    )
    cdef rrf_parallel_result result = rrf_parallel_result(
        votes=ints(votes), predicted=ints(None if numbers else predicted),
        mean=doubles(predicted if numbers else None), oob_times=ints(oob_times),
        error=doubles(error), decrease=doubles(measures[:, -1]), classwt=doubles(weights),
        used=ints(features), importance=doubles(permuted), importance_sd=doubles(deviations),
        local_importance=doubles(local), proximity=doubles(near), inbag=ints(inbag),
        regrown=0, searched=0, repeated=0
    )
    cdef Monitor watch = Monitor(trace, on_tree, error)
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_parallel(&train, &target, &params, &parallel, monitor, &trees, &result)
        raise_for_status(status, watch)
        forest = forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    own = {"mse": error, "coef": None} if numbers else {
        "votes": votes, "err_rate": error, "classwt": weights
    }
    return own | {
        "predicted": predicted,
        "oob_times": oob_times,
        "importance": measures,
        "importance_sd": deviations[:, 0] if numbers and importance else deviations,
        "local_importance": local,
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "regrown": result.regrown,
        "searched": result.searched,
        "repeated": result.repeated,
        "forest": forest,
        "test": None,
    }
