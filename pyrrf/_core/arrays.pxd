# SPDX-License-Identifier: GPL-2.0-or-later
from libc.stdint cimport int32_t

from pyrrf._core.rrf cimport rrf_data, rrf_forest

cdef double *doubles(array) except? NULL
cdef int32_t *ints(array) except? NULL
cdef rrf_data column_major_data(x, ncat) except *
cdef rrf_data strided_data(x, ncat) except *
cdef object forest_arrays(rrf_forest *forest)
cdef rrf_forest borrow_forest(trees) except *
