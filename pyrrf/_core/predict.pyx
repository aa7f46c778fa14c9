# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""What forests answer to new rows."""

import numpy as np

from libc.stdint cimport int32_t

from pyrrf._core.arrays cimport borrow_forest, column_major_data, doubles, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.rrf cimport (
    rrf_data, rrf_forest, rrf_monitor, rrf_predict, rrf_predict_classification, rrf_predict_regression,
    rrf_prediction, rrf_rng, rrf_status
)
from pyrrf._core.stream cimport Stream

from pyrrf._core.records import RowPrediction


def predict_classification(
    forest, ncat, int nclass, x, cutoff, *, Stream stream, bint predict_all=False,
    bint proximity=False, bint nodes=False, bint quirks=True
):
    """Votes of a forest on new rows, R's ``classForest``; ties draw from the stream.

    Parameters
    ----------
    forest : Trees
    ncat, x
        As in `fit_classification`.
    cutoff : ndarray of float64, shape (nclass,)
    predict_all, proximity, nodes : bool
        Which of the optional results are wanted.

    Returns
    -------
    RowPrediction

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest.offset.size - 1
    cdef rrf_data data = column_major_data(x, ncat)
    cdef rrf_forest trees = borrow_forest(forest)

    votes = np.empty((n, nclass), np.int32)
    predicted = np.empty(n, np.int32)
    individual = np.empty((n, ntree), np.int32, order="F") if predict_all else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef int32_t *votes_p = ints(votes)
    cdef int32_t *predicted_p = ints(predicted)
    cdef int32_t *individual_p = ints(individual)
    cdef int32_t *nodes_p = ints(reached)
    cdef double *near_p = doubles(near)
    cdef const double *cutoff_p = doubles(cutoff)
    cdef Monitor watch = Monitor()
    cdef rrf_monitor *monitor = &watch.monitor
    # CRAN RRF neither reads nor stores .Random.seed here: ties draw from the generator's memory.
    if not quirks:
        stream.load()
    cdef rrf_rng rng = stream.generator()[0]
    cdef rrf_status status
    with nogil:
        status = rrf_predict_classification(
            &trees, &data, nclass, cutoff_p, &rng, monitor, quirks, votes_p, predicted_p,
            individual_p, nodes_p, near_p
        )
    raise_for_status(status, watch)
    stream.live = rng
    if not quirks:
        stream.save()
    return RowPrediction(
        predicted=predicted, votes=votes.astype(np.float64), individual=individual, nodes=reached, proximity=near
    )


def predict_regression(
    forest, ncat, x, *, bint predict_all=False, bint proximity=False, bint nodes=False
):
    """Mean prediction of a forest's trees on new rows, R's ``regForest``; draws nothing.

    Parameters
    ----------
    forest : Trees
    ncat, x
        As in `fit_regression`.
    predict_all, proximity, nodes : bool
        Which of the optional results are wanted.

    Returns
    -------
    RowPrediction

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest.offset.size - 1
    cdef rrf_data data = column_major_data(x, ncat)
    cdef rrf_forest trees = borrow_forest(forest)

    predicted = np.empty(n)
    individual = np.empty((n, ntree), order="F") if predict_all else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef double *predicted_p = doubles(predicted)
    cdef double *individual_p = doubles(individual)
    cdef int32_t *nodes_p = ints(reached)
    cdef double *near_p = doubles(near)
    cdef Monitor watch = Monitor()
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_status status
    with nogil:
        status = rrf_predict_regression(
            &trees, &data, monitor, predicted_p, individual_p, nodes_p, near_p
        )
    raise_for_status(status, watch)
    return RowPrediction(
        predicted=predicted, votes=None, individual=individual, nodes=reached, proximity=near
    )


def predict_rows(
    forest, x, ncat, int nclass, *, cutoff=None, int n_jobs=1, bint individual=False,
    bint nodes=False, bint proximity=False
):
    """Predictions of a forest of either engine on `n_jobs` threads; nothing is drawn.

    Parameters
    ----------
    forest : Trees
    x, ncat
        As in `fit_parallel`.
    nclass : int
        1 for numbers.
    cutoff : ndarray of float64, shape (nclass,), optional
        For classes.
    individual, nodes, proximity : bool
        Which of the optional results are wanted.

    Returns
    -------
    RowPrediction
        Ties are broken by a hash of the row's leaves.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest.offset.size - 1
    classes = nclass > 1
    cdef rrf_data data = strided_data(x, ncat)
    cdef rrf_forest trees = borrow_forest(forest)
    votes = np.empty((n, nclass), np.int32) if classes else None
    predicted = np.empty(n, np.int32) if classes else np.empty(n)
    each = np.empty((n, ntree), order="F") if individual else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef rrf_prediction out = rrf_prediction(
        votes=ints(votes), predicted=ints(predicted if classes else None),
        mean=doubles(None if classes else predicted), individual=doubles(each),
        nodes=ints(reached), proximity=doubles(near)
    )
    cdef const double *cutoff_p = doubles(cutoff)
    cdef Monitor watch = Monitor()
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_status status
    with nogil:
        status = rrf_predict(&trees, &data, nclass, cutoff_p, n_jobs, monitor, &out)
    raise_for_status(status, watch)
    return RowPrediction(
        predicted=predicted, votes=None if votes is None else votes.astype(np.float64),
        individual=each.astype(np.int32) if classes and individual else each, nodes=reached, proximity=near
    )
