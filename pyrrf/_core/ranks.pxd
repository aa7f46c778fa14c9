# SPDX-License-Identifier: GPL-2.0-or-later
from pyrrf._core.rrf cimport rrf_ranks


cdef class Ranks:
    cdef rrf_ranks *ranks

cdef const rrf_ranks *ranks_or_null(Ranks ranks)
