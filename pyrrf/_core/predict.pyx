# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Predictions of forests for new rows."""

import numpy as np

from pyrrf._core.arrays cimport borrow_forest, doubles, ints, strided_data
from pyrrf._core.monitor cimport Monitor, raise_for_status
from pyrrf._core.rrf cimport (
    RRF_TIES_INTENDED, rrf_data, rrf_forest, rrf_monitor, rrf_predict, rrf_prediction, rrf_rng, rrf_status, rrf_ties
)
from pyrrf._core.stream cimport Stream

from pyrrf._core import checks
from pyrrf._core.records import RowPrediction


def predict(
    forest, x, ncat, int nclass, *, cutoff=None, Stream stream=None, int ties=0, int n_jobs=1,
    bint winners=True, bint individual=False, bint nodes=False, bint proximity=False
):
    """Predict new rows by a forest of either engine, as R's ``classForest`` and ``regForest``.

    Parameters
    ----------
    forest : Trees
    x : ndarray of float64 or float32, shape (n, p), any strides
        Level k of a factor (from 1) as the number k; NaN, for trees of the parallel engine, is a missing value.
    ncat : ndarray of int32, shape (p,)
        As in the fit.
    nclass : int
        1 for regression.
    cutoff : ndarray of float64, shape (nclass,), optional
        For classes; equal cutoffs by default.
    stream : Stream, optional
        Source of draws for ties of votes, row after row, as in R; by default a hash of the row's leaves breaks them.
    ties : int, default 0
        Rule of draws between classes: 0 for equal probabilities, 1 for CRAN RRF, 2 for CRAN randomForest. Only with
        `stream`.
    n_jobs : int, default 1
        Number of threads, at least 1; the results do not depend on it.
    winners : bool, default True
        Without a `stream`: whether ``predicted`` is computed for classes. It is empty otherwise.
    individual, nodes, proximity : bool, default False
        Whether these results are computed.

    Returns
    -------
    RowPrediction

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream does not advance.
    ValueError
        `x` has an invalid level.
    """
    n, ntree = x.shape[0], forest.offset.size - 1
    classes = nclass > 1
    x = checks.with_distinct_strides(x)
    cdef rrf_data data = strided_data(x, ncat)
    cdef rrf_forest trees = borrow_forest(forest)
    votes = np.empty((n, nclass), np.int32) if classes else None
    predicted = np.empty(n if winners else 0, np.int32) if classes else np.empty(n)
    tree_predictions = checks.new_result("predict_all", (n, ntree)) if individual else None
    leaves = checks.new_result("nodes", (n, ntree), np.int32) if nodes else None
    near = checks.new_result("proximity", (n, n)) if proximity else None
    cdef rrf_prediction out = rrf_prediction(
        votes=ints(votes), predicted=ints(predicted if classes and winners else None),
        mean=doubles(None if classes else predicted), individual=doubles(tree_predictions),
        nodes=ints(leaves), proximity=doubles(near)
    )
    cdef const double *cutoff_p = doubles(cutoff)
    cdef Monitor monitor = Monitor()
    cdef rrf_monitor *monitor_p = &monitor.monitor
    cdef rrf_rng rng
    cdef rrf_rng *draws = NULL
    cdef rrf_status status
    if stream is not None:
        # CRAN's packages neither read nor store .Random.seed here: ties draw from the generator's memory.
        if ties == RRF_TIES_INTENDED:
            stream.load()
        rng = stream.generator()[0]
        draws = &rng
    with nogil:
        status = rrf_predict(&trees, &data, nclass, cutoff_p, <rrf_ties> ties, draws, n_jobs, monitor_p, &out)
    raise_for_status(status, monitor)
    if stream is not None:
        stream.live = rng
        if ties == RRF_TIES_INTENDED:
            stream.save()
    if classes and individual:
        tree_predictions = tree_predictions.astype(np.int32)
    return RowPrediction(
        predicted=predicted, votes=votes, individual=tree_predictions, nodes=leaves, proximity=near
    )
