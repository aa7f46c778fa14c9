# SPDX-License-Identifier: GPL-2.0-or-later
from pyrrf._core.rrf cimport rrf_monitor, rrf_status


cdef class Monitor:
    cdef rrf_monitor monitor
    cdef int trace
    cdef object on_tree, err_rate, test_err_rate, error, call

    cdef int ask(self) except -1
    cdef int report(self, int grown) except -1

cdef int raise_for_status(rrf_status status, Monitor monitor) except -1
