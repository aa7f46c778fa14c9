# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Arrays across the border.

An array is lent to C as a pointer, or as NULL where Python says None; it must outlive the pointer. Data
may be read-only, as what pandas lends; results are arrays made here.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from pyrrf._core.rrf cimport rrf_data, rrf_forest, rrf_forest_init

from pyrrf._core.records import Trees


cdef double *doubles(array) except? NULL:
    cdef const double[::1] view
    if array is None or array.size == 0:
        return NULL
    view = array.reshape(-1, order="A")
    return <double *>&view[0]


cdef int32_t *ints(array) except? NULL:
    cdef const int32_t[::1] view
    if array is None or array.size == 0:
        return NULL
    view = array.reshape(-1, order="A")
    return <int32_t *>&view[0]


cdef rrf_data column_major_data(x, ncat) except *:
    cdef rrf_data data
    if not x.flags.f_contiguous or x.dtype != np.float64:
        raise TypeError("x: pass a column-major float64 array")
    data.x = doubles(x)
    data.n, data.p = x.shape
    data.ncat = ints(ncat)
    data.x32 = NULL
    data.row_step = data.feature_step = 0
    return data


cdef rrf_data strided_data(x, ncat) except *:
    """A matrix of any layout, in single or double precision, as the parallel engine reads it."""
    cdef rrf_data data
    cdef const float[:, :] single
    cdef const double[:, :] double_
    data.x, data.x32 = NULL, NULL
    data.n, data.p = x.shape
    data.ncat = ints(ncat)
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


cdef object _moved_ints(int32_t **values, int64_t n):
    """A copy in an array of its own; the original is freed at once, so that two copies never add up."""
    cdef int32_t[::1] moved = np.empty(n, dtype=np.int32)
    memcpy(&moved[0], values[0], moved.nbytes)
    free(values[0])
    values[0] = NULL
    return np.asarray(moved)


cdef object _moved_doubles(double **values, int64_t n):
    cdef double[::1] moved = np.empty(n, dtype=np.float64)
    memcpy(&moved[0], values[0], moved.nbytes)
    free(values[0])
    values[0] = NULL
    return np.asarray(moved)


cdef object forest_arrays(rrf_forest *forest):
    """The packed trees as a record with arrays of its own; `forest` loses its nodes."""
    cdef int64_t[::1] offset = np.empty(forest.ntree + 1, dtype=np.int64)
    memcpy(&offset[0], forest.offset, offset.nbytes)
    cdef int64_t n = offset[forest.ntree]
    cdef uint8_t[::1] view
    missing_left = None
    if forest.missing_left != NULL:
        missing_left = np.empty(n, dtype=np.uint8)
        view = missing_left
        memcpy(&view[0], forest.missing_left, view.nbytes)
    prediction = _moved_doubles(&forest.prediction, n)
    split_point = _moved_doubles(&forest.split_point, n)
    split_var = _moved_ints(&forest.split_var, n)
    status = _moved_ints(&forest.status, n)
    daughters = _moved_ints(&forest.left, n)
    return Trees(
        offset=np.asarray(offset), left=daughters, right=daughters + (daughters > 0).astype(np.int32),
        split_var=split_var, split_point=split_point, status=status, prediction=prediction,
        missing_left=missing_left
    )


cdef rrf_forest borrow_forest(trees) except *:
    """The packed trees for C to read; `trees` keeps the arrays and must outlive the answer."""
    cdef int64_t[::1] offset = trees.offset
    cdef rrf_forest forest
    rrf_forest_init(&forest)
    forest.ntree = offset.shape[0] - 1
    forest.offset = &offset[0]
    forest.left = ints(trees.left)
    forest.split_var = ints(trees.split_var)
    forest.split_point = doubles(trees.split_point)
    forest.status = ints(trees.status)
    forest.prediction = doubles(trees.prediction)
    cdef const uint8_t[::1] missing_left = trees.missing_left
    if missing_left is not None and missing_left.size:
        forest.missing_left = <uint8_t *>&missing_left[0]
    return forest
