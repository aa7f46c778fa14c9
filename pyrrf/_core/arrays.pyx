# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Conversion of arrays to C and back.

C receives a pointer to an array, or NULL for None; the array must outlive the pointer. Data may be read-only,
as arrays from pandas often are. Arrays for results are allocated here.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from pyrrf._core import checks
from pyrrf._core.rrf cimport (
    RRF_OK, rrf_data, rrf_forest, rrf_forest_check, rrf_forest_fault, rrf_forest_init, rrf_status
)

from pyrrf._core.records import SparseColumns, Trees

# Non-NULL pointers for a sparse matrix without stored values; C does not read them.
_NOTHING, _NO_ROW = np.zeros(1), np.zeros(1, np.int32)


cdef double *doubles(array) except? NULL:
    cdef const double[::1] view
    if array is None or array.size == 0:
        return NULL
    view = _flat(array)
    return <double *>&view[0]


cdef int32_t *ints(array) except? NULL:
    cdef const int32_t[::1] view
    if array is None or array.size == 0:
        return NULL
    view = _flat(array)
    return <int32_t *>&view[0]


cdef object _flat(array):
    """Return a view of all items as a vector; a copy would be freed before C reads it."""
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError(f"an array of shape {array.shape} is not contiguous; pass a copy")
    return array.reshape(-1, order="A")


cdef rrf_data column_major_data(x, ncat) except *:
    """Return a dense column-major or a sparse matrix for engine r."""
    cdef rrf_data data
    if isinstance(x, SparseColumns):
        return _sparse_data(x, ncat)
    if not x.flags.f_contiguous or x.dtype != np.float64:
        raise TypeError("x: pass a column-major float64 array")
    data.x = doubles(x)
    data.n, data.p = x.shape
    data.ncat = ints(checks.vector("ncat", ncat, np.int32, data.p))
    data.x32 = NULL
    data.row_step = data.feature_step = 0
    data.column_start, data.row_index = NULL, NULL
    return data


cdef rrf_data _sparse_data(x, ncat) except *:
    """Return a sparse matrix; C checks the order of its rows."""
    cdef rrf_data data
    cdef const int64_t[::1] start = checks.vector("column_start", x.start, np.int64, x.shape[1] + 1)
    n_stored = start[x.shape[1]]
    data.x = doubles(checks.vector("x", x.values, np.float64, n_stored) if n_stored else _NOTHING)
    data.row_index = ints(checks.vector("row_index", x.rows, np.int32, n_stored) if n_stored else _NO_ROW)
    data.column_start = &start[0]
    data.n, data.p = x.shape
    data.ncat = ints(checks.vector("ncat", ncat, np.int32, data.p))
    data.x32 = NULL
    data.row_step = data.feature_step = 0
    return data


cdef rrf_data strided_data(x, ncat) except *:
    """Return a matrix of any layout, in single or double precision, for engine parallel."""
    cdef rrf_data data
    cdef const float[:, :] single
    cdef const double[:, :] double_
    if isinstance(x, SparseColumns):
        return _sparse_data(x, ncat)
    data.x, data.x32 = NULL, NULL
    data.column_start, data.row_index = NULL, NULL
    data.n, data.p = x.shape
    data.ncat = ints(checks.vector("ncat", ncat, np.int32, data.p))
    data.row_step, data.feature_step = (step // x.itemsize for step in x.strides)
    if x.size == 0:
        return data
    if x.dtype == np.float32:
        single = x
        data.x32 = &single[0, 0]
    else:
        double_ = x
        data.x = &double_[0, 0]
    return data


cdef object _take_ints(int32_t **values, int64_t n):
    """Copy C's values into a NumPy array and free the originals immediately, to limit the peak of memory."""
    cdef int32_t[::1] copy = np.empty(n, dtype=np.int32)
    memcpy(&copy[0], values[0], copy.nbytes)
    free(values[0])
    values[0] = NULL
    return np.asarray(copy)


cdef object _take_doubles(double **values, int64_t n):
    cdef double[::1] copy = np.empty(n, dtype=np.float64)
    memcpy(&copy[0], values[0], copy.nbytes)
    free(values[0])
    values[0] = NULL
    return np.asarray(copy)


cdef object forest_arrays(rrf_forest *forest):
    """Move the packed trees into NumPy arrays; `forest` loses its nodes."""
    cdef int64_t[::1] offset = np.empty(forest.ntree + 1, dtype=np.int64)
    memcpy(&offset[0], forest.offset, offset.nbytes)
    cdef int64_t n = offset[forest.ntree]
    cdef uint8_t[::1] view
    missing_left = None
    if forest.missing_left != NULL:
        missing_left = np.empty(n, dtype=np.uint8)
        view = missing_left
        memcpy(&view[0], forest.missing_left, view.nbytes)
    cdef int64_t n_words = forest.set_offset[forest.ntree]
    cdef int64_t[::1] starts
    cdef uint32_t[::1] words
    set_offset = level_set = None
    if n_words:
        starts, words = np.empty(forest.ntree + 1, dtype=np.int64), np.empty(n_words, dtype=np.uint32)
        memcpy(&starts[0], forest.set_offset, starts.nbytes)
        memcpy(&words[0], forest.level_set, words.nbytes)
        set_offset, level_set = np.asarray(starts), np.asarray(words)
    prediction = _take_doubles(&forest.prediction, n)
    split_point = _take_doubles(&forest.split_point, n)
    split_var = _take_ints(&forest.split_var, n)
    status = _take_ints(&forest.status, n)
    left = _take_ints(&forest.left, n)
    return Trees(
        offset=np.asarray(offset), left=left, split_var=split_var, split_point=split_point, status=status,
        prediction=prediction, missing_left=missing_left, set_offset=set_offset, level_set=level_set
    )


cdef rrf_forest borrow_forest(trees) except *:
    """Return a forest of C that borrows the arrays of `trees`, which must outlive it."""
    n_nodes = len(checks.vector("left", trees.left, np.int32))
    cdef const int64_t[::1] offset = checks.vector("offset", trees.offset, np.int64)
    cdef const uint8_t[::1] missing_left
    cdef const int64_t[::1] set_offset
    cdef const uint32_t[::1] level_set
    cdef rrf_forest forest
    if n_nodes == 0 or offset.shape[0] < 2 or offset[offset.shape[0] - 1] != n_nodes:
        raise ValueError(f"offset: its last number is not the number of nodes, {n_nodes}")
    rrf_forest_init(&forest)
    forest.ntree = offset.shape[0] - 1
    forest.offset = <int64_t *>&offset[0]
    forest.left = ints(trees.left)
    forest.split_var = ints(checks.vector("split_var", trees.split_var, np.int32, n_nodes))
    forest.split_point = doubles(checks.vector("split_point", trees.split_point, np.float64, n_nodes))
    forest.status = ints(checks.vector("status", trees.status, np.int32, n_nodes))
    forest.prediction = doubles(checks.vector("prediction", trees.prediction, np.float64, n_nodes))
    if trees.missing_left is not None:
        missing_left = checks.vector("missing_left", trees.missing_left, np.uint8, n_nodes)
        forest.missing_left = <uint8_t *>&missing_left[0]
    if trees.level_set is not None and len(trees.level_set):
        level_set = checks.vector("level_set", trees.level_set, np.uint32)
        set_offset = checks.vector("set_offset", trees.set_offset, np.int64, forest.ntree + 1)
        forest.level_set, forest.set_capacity = <uint32_t *>&level_set[0], level_set.shape[0]
        forest.set_offset = <int64_t *>&set_offset[0]
    return forest


def check_forest(trees, ncat, nclass):
    """Check that the core can have grown packed trees, in one pass over the nodes.

    Parameters
    ----------
    trees : Trees
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor.
    nclass : int
        1 for regression.

    Raises
    ------
    TypeError, ValueError
        An array has a wrong type or length, or holds a value that no tree can have.
    """
    cdef rrf_forest forest = borrow_forest(trees)
    cdef int n_classes = checks.integer("nclass", nclass, 1)
    cdef int p = len(checks.vector("ncat", ncat, np.int32))
    cdef const int32_t *levels = ints(ncat)
    cdef int64_t n_nodes = len(trees.left)
    cdef rrf_forest_fault fault
    cdef rrf_status status
    with nogil:
        status = rrf_forest_check(&forest, n_nodes, p, levels, n_classes, &fault)
    if status != RRF_OK:
        raise ValueError(
            f"tree {fault.tree + 1}, node {fault.node + 1}: this rule is broken: {fault.rule.decode()}"
        )
