# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Functions of numbers as the C library computes them, which is what R calls."""

import numpy as np

from libc.math cimport cos, exp, expm1, log, log1p, log2, log10, pow, sin, tan, tanh

ctypedef double (*function)(double) noexcept nogil

_NAMES = ("cos", "exp", "expm1", "log", "log10", "log1p", "log2", "sin", "tan", "tanh")
# By pointer, so that no compiler puts a function of several numbers at once in their place.
cdef function[10] _FUNCTIONS = [cos, exp, expm1, log, log10, log1p, log2, sin, tan, tanh]


def elementary(str name, x):
    """A function of each number.

    Parameters
    ----------
    name : str
        As in `_NAMES`.
    x : ndarray of float64

    Returns
    -------
    ndarray of float64, of the shape of `x`
        With the limits of C: log(0) is -inf, log(-1) is NaN.

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
    """C's pow() of each pair; 1 where x is 1 or y is 0, even if the other is R's NA, for which C has another rule.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        They are not of one length.
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
