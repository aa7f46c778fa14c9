# SPDX-License-Identifier: GPL-2.0-or-later
from pyrrf._core.rrf cimport rrf_rng


cdef class Stream:
    cdef rrf_rng stored
    cdef rrf_rng live
    cdef bint seeded, is_rounding

    cdef rrf_rng *generator(self) except NULL
    cdef int seed_from_system(self) except -1
    cdef void restart_from_stored(self) noexcept
