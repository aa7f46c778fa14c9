# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""The monitor of a long computation, and the Python exception for each C status."""

from cpython.exc cimport PyErr_CheckSignals

from pyrrf.threads import current_call

from pyrrf._core.rrf cimport (
    RRF_ERR_INTERRUPT, RRF_ERR_MEMORY, RRF_ERR_NO_SPLIT, RRF_ERR_ONE_CLASS, RRF_OK, rrf_status, rrf_strerror
)


cdef class Monitor:
    """Handler of Ctrl-C while C computes, which also calls `on_tree` after every `trace`-th tree.

    Python raises KeyboardInterrupt only in the main thread; other threads ask whether their call has ended.
    """

    def __cinit__(self, int trace=0, on_tree=None, err_rate=None, test_err_rate=None):
        self.trace = trace
        self.on_tree = on_tree
        self.err_rate = err_rate
        self.test_err_rate = test_err_rate
        self.call = current_call()
        self.ask()
        self.monitor.poll = _poll
        self.monitor.tree = NULL
        if trace > 0 and on_tree is not None:
            self.monitor.tree = _after_tree
        self.monitor.context = <void *>self

    cdef int ask(self) except -1:
        if self.call is not None:
            self.call.raise_if_ended()
        PyErr_CheckSignals()
        return 0

    cdef int report(self, int grown) except -1:
        row = self.err_rate[grown - 1]
        test_row = None if self.test_err_rate is None else self.test_err_rate[grown - 1]
        self.on_tree(grown, row, test_row)
        return 0


cdef int _poll(void *context) noexcept nogil:
    with gil:
        try:
            (<Monitor>context).ask()
        except BaseException as error:
            (<Monitor>context).error = error
            return 1
    return 0


cdef int _after_tree(void *context, int grown) noexcept nogil:
    cdef int trace
    with gil:
        trace = (<Monitor>context).trace
        if grown % trace == 0:
            try:
                (<Monitor>context).report(grown)
            except BaseException as error:
                (<Monitor>context).error = error
                return 1
    return 0


cdef int raise_for_status(rrf_status status, Monitor monitor) except -1:
    """Raise the exception for a status."""
    if status == RRF_OK:
        return 0
    if status == RRF_ERR_MEMORY:
        raise MemoryError("no memory to grow or use the forest")
    if status == RRF_ERR_INTERRUPT:
        raise monitor.error
    if status == RRF_ERR_NO_SPLIT:
        raise ValueError(
            "x: no in-bag sample of the data can be split (are the columns constant, or nearly all weights of rows 0?);"
            " pass columns that vary, more rows, a larger sampsize or maxnodes, or a smaller nodesize"
        )
    if status == RRF_ERR_ONE_CLASS:
        raise ValueError(
            "sampsize: 31 in-bag samples in a row held a single class, where R gives up; pass a larger sampsize, or one"
            " for each class"
        )
    raise ValueError(rrf_strerror(status).decode())
