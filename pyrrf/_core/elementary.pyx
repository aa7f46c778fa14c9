# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Elementary functions of the C library, which R calls."""

import numpy as np

from libc.math cimport cos, exp, expm1, log, log1p, log2, log10, pow, sin, tan, tanh

ctypedef double (*function)(double) noexcept nogil

_NAMES = ("cos", "exp", "expm1", "log", "log10", "log1p", "log2", "sin", "tan", "tanh")
# Pointers, so that the compiler does not substitute vectorized variants.
cdef function[10] _FUNCTIONS = [cos, exp, expm1, log, log10, log1p, log2, sin, tan, tanh]


def elementary(str name, x):
    """Apply a function to each number.

    Parameters
    ----------
    name : str
        One of `_NAMES`.
    x : ndarray of float64

    Returns
    -------
    ndarray of float64, of the shape of `x`
        As in C, log(0) is -inf and log(-1) is NaN.

    Raises
    ------
    ValueError
        There is no such function.
    """
    cdef function compute = _FUNCTIONS[_NAMES.index(name)]
    out = np.array(x, dtype=np.float64, order="C")
    cdef double[::1] values = out.reshape(-1)
    cdef Py_ssize_t i
    with nogil:
        for i in range(values.shape[0]):
            values[i] = compute(values[i])
    return out


def power(x, y):
    """Apply C's pow() to each pair; the result is 1 where x is 1 or y is 0, also for R's NA, unlike in C.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        The lengths differ.
    """
    out = np.array(x, dtype=np.float64)
    cdef double[::1] values = out
    cdef const double[::1] exponents = np.ascontiguousarray(y, dtype=np.float64)
    cdef Py_ssize_t i
    if exponents.shape[0] != values.shape[0]:
        raise ValueError(f"power() of {values.shape[0]} numbers and {exponents.shape[0]} exponents")
    with nogil:
        for i in range(values.shape[0]):
            values[i] = 1 if values[i] == 1 or exponents[i] == 0 else pow(values[i], exponents[i])
    return out
