# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""R's random stream."""

import operator
import os

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t

from pyrrf._core.rrf cimport (
    RRF_BETA, RRF_BINOMIAL, RRF_CAUCHY, RRF_CHI_SQUARED, RRF_ERR_MEMORY, RRF_EXPONENTIAL, RRF_FISHER,
    RRF_GAMMA, RRF_GEOMETRIC, RRF_LOG_NORMAL, RRF_LOGISTIC, RRF_MT_WORDS, RRF_NEGATIVE_BINOMIAL,
    RRF_NEGATIVE_BINOMIAL_OF_MEAN, RRF_NORMAL, RRF_OK, RRF_POISSON, RRF_SHIFTED_CHI_SQUARED, RRF_STUDENT,
    RRF_UNIFORM, RRF_WEIBULL, rrf_draw, rrf_law, rrf_multinomial, rrf_parameter, rrf_rng, rrf_rng_normal,
    rrf_rng_restore, rrf_rng_seed, rrf_rng_uniform, rrf_sample, rrf_status
)

# R's integers: -2147483648 is NA_integer_, which set.seed refuses.
_R_INT_MAX = 2**31 - 1
# Largest n for which R_unif_index is exact; R's sample.int refuses more.
_SAMPLE_MAX = 4_500_000_000_000_000
# The distributions of draw().
_LAWS = {
    "uniform": RRF_UNIFORM,
    "normal": RRF_NORMAL,
    "log_normal": RRF_LOG_NORMAL,
    "exponential": RRF_EXPONENTIAL,
    "logistic": RRF_LOGISTIC,
    "cauchy": RRF_CAUCHY,
    "weibull": RRF_WEIBULL,
    "gamma": RRF_GAMMA,
    "beta": RRF_BETA,
    "chi_squared": RRF_CHI_SQUARED,
    "shifted_chi_squared": RRF_SHIFTED_CHI_SQUARED,
    "student": RRF_STUDENT,
    "fisher": RRF_FISHER,
    "binomial": RRF_BINOMIAL,
    "poisson": RRF_POISSON,
    "geometric": RRF_GEOMETRIC,
    "negative_binomial": RRF_NEGATIVE_BINOMIAL,
    "negative_binomial_of_mean": RRF_NEGATIVE_BINOMIAL_OF_MEAN,
}


cdef class Stream:
    """A random stream of R of the kinds Mersenne-Twister, Inversion, and Rejection or Rounding.

    A stream has two states. `stored` is R's ``.Random.seed``; `live` is the memory of the
    generator. `load` and `save` are R's ``GetRNGstate()`` and ``PutRNGstate()``. The draws
    (`runif`, `draw`, `sample` and the like) take from `live` only; the caller does `load` and `save`.

    Attributes
    ----------
    rounding : bool
        Whether `sample` works as R before 3.6; seeding or setting the stream does not change it.

    A stream that was never seeded fills both states from ``os.urandom`` on first use.
    Not safe for use by several threads at once.

    Examples
    --------
    >>> from pyrrf._core import Stream
    >>> stream = Stream()
    >>> stream.set_seed(1)
    >>> stream.runif(2)
    array([0.26550866, 0.3721239 ])
    """

    cdef rrf_rng *generator(self) except NULL:
        """Return the live generator, seeded on first use; valid as long as the stream."""
        if not self.seeded:
            self.seed_from_system()
        return &self.live

    cdef int seed_from_system(self) except -1:
        words = np.frombuffer(os.urandom(4 * RRF_MT_WORDS), dtype=np.uint32)
        cdef const uint32_t[::1] view = words
        rrf_rng_restore(&self.stored, RRF_MT_WORDS, &view[0])
        self.restart_from_stored()
        return 0

    cdef void restart_from_stored(self) noexcept:
        """Set `live` to `stored`, with the kind of the stream."""
        self.stored.rounding = self.is_rounding
        self.live = self.stored
        self.seeded = True

    @property
    def rounding(self):
        return bool(self.is_rounding)

    @rounding.setter
    def rounding(self, value):
        self.is_rounding = bool(value)
        self.stored.rounding = self.is_rounding
        self.live.rounding = self.is_rounding

    def set_seed(self, seed):
        """Set both states to the scrambled seed, as R's ``set.seed(seed)``.

        Parameters
        ----------
        seed : int
            -2147483647 to 2147483647; R's integers without NA.

        Raises
        ------
        TypeError
            `seed` is not an integer.
        ValueError
            `seed` is outside R's integers.
        """
        value = _integer("seed", seed)
        if abs(value) > _R_INT_MAX:
            raise ValueError(
                f"seed: {value} is not an R integer; use -{_R_INT_MAX} to {_R_INT_MAX}"
            )
        rrf_rng_seed(&self.stored, <uint32_t>(value & 0xFFFFFFFF))
        self.restart_from_stored()

    def load(self):
        """Set `live` to `stored`, as R's ``GetRNGstate()``."""
        self.generator()
        self.live = self.stored

    def save(self):
        """Set `stored` to `live`, as R's ``PutRNGstate()``."""
        self.generator()
        self.stored = self.live

    def get_state(self):
        """Return both states in the form of ``.Random.seed[2:626]``.

        Returns
        -------
        stored, live : ndarray of int32, shape (625,)
            The position in the block (1 to 624), then the 624 words.
        """
        self.generator()
        return _state_to_array(&self.stored), _state_to_array(&self.live)

    def set_state(self, stored, live):
        """Set both states, given in the form of `get_state` or R's ``.Random.seed[2:626]``.

        Parameters
        ----------
        stored, live : array_like of int, shape (625,)
            The position in the block (0 to 624; R reads 0 as 624), then the 624 words as int32.

        Raises
        ------
        TypeError
            A state does not hold integers.
        ValueError
            A state has another shape, a position or a word out of range, or only zero words.
        """
        cdef const int32_t[::1] first = _check_state("stored", stored)
        cdef const int32_t[::1] second = _check_state("live", live)
        rrf_rng_restore(&self.stored, first[0], <const uint32_t *>&first[1])
        rrf_rng_restore(&self.live, second[0], <const uint32_t *>&second[1])
        self.rounding = self.is_rounding
        self.seeded = True

    def runif(self, n):
        """Draw uniform numbers from `live`, as R's ``runif(n)``.

        Parameters
        ----------
        n : int
            Number of draws, at least 0.

        Returns
        -------
        ndarray of float64, shape (n,)
            Values inside (0, 1).

        Raises
        ------
        TypeError, ValueError
            `n` is not an integer; `n` is negative.
        """
        cdef double[::1] values = np.empty(_count("n", n), dtype=np.float64)
        cdef rrf_rng *rng = self.generator()
        cdef Py_ssize_t i
        for i in range(values.shape[0]):
            values[i] = rrf_rng_uniform(rng)
        return np.asarray(values)

    def rnorm(self, n):
        """Draw standard normal numbers from `live` by inversion, as R's ``rnorm(n)``, with two uniforms per value.

        Parameters
        ----------
        n : int
            Number of draws, at least 0.

        Returns
        -------
        ndarray of float64, shape (n,)

        Raises
        ------
        TypeError, ValueError
            `n` is not an integer; `n` is negative.
        """
        cdef double[::1] values = np.empty(_count("n", n), dtype=np.float64)
        cdef rrf_rng *rng = self.generator()
        cdef Py_ssize_t i
        for i in range(values.shape[0]):
            values[i] = rrf_rng_normal(rng)
        return np.asarray(values)

    def draw(self, law, n, first, second):
        """Draw `n` numbers of a distribution from `live`.

        Parameters
        ----------
        law : str
            Name of the distribution, as in `_LAWS`.
        n : int
            Number of draws, at least 0.
        first, second : ndarray of float64, shape (k,)
            Its parameters in the order of `rrf_law`, recycled. A law of one parameter does not read `second`.

        Returns
        -------
        ndarray of float64, shape (n,)
            NaN where the parameters describe no distribution.

        Raises
        ------
        ValueError
            There is no such law, a parameter has no values, or a number of trials is 2147483647 or more.
        """
        cdef rrf_parameter a = _parameter(first)
        cdef rrf_parameter b = _parameter(second)
        if law not in _LAWS:
            raise ValueError(f"law: {law!r} is not one of {', '.join(_LAWS)}")
        cdef rrf_law chosen = _LAWS[law]
        cdef Py_ssize_t count = _count("n", n)
        # One more element, so that the address is valid for a count of 0.
        cdef double[::1] values = np.empty(count + 1, dtype=np.float64)
        if rrf_draw(self.generator(), chosen, a, b, count, &values[0]) != RRF_OK:
            raise ValueError("size: numbers of trials must be below 2147483647; R itself looks up a quantile beyond")
        return np.asarray(values)[:count]

    def multinomial(self, size, prob):
        """Draw one column of R's ``rmultinom`` from `live`.

        Parameters
        ----------
        size : int
            0 to 2147483646.
        prob : ndarray of float64, shape (k,)
            Probabilities of the classes, with a sum of 1.

        Returns
        -------
        ndarray of int32, shape (k,)

        Raises
        ------
        ValueError
            An argument is out of its range.
        """
        cdef const double[::1] chance = prob
        cdef int32_t[::1] counts = np.empty(len(prob) + 1, dtype=np.int32)
        cdef Py_ssize_t k = chance.shape[0]
        if k < 1 or rrf_multinomial(self.generator(), size, &chance[0], <int>k, &counts[0]) != RRF_OK:
            raise ValueError("size, prob: no such sample can be drawn; pass values within their ranges")
        return np.asarray(counts)[:k]

    def sample(self, n, size, replace=False, prob=None):
        """Draw positions from 0 from `live`, as R's ``sample.int(n, size, replace, prob)``.

        Parameters
        ----------
        n : int
            Number of items to choose from, 0 to 4.5e15.
        size : int
            Number of items to draw, at least 0; at most `n` without `replace`.
        replace : bool, default False
            Whether an item may be drawn more than once.
        prob : array_like of float, shape (n,), optional
            Weights of the items; they need not sum to 1. Equal weights by default.

        Returns
        -------
        ndarray of int64, shape (size,)
            Positions 0 to n - 1; R's answer minus 1.

        Raises
        ------
        TypeError
            `n` or `size` is not an integer, or `prob` does not hold numbers.
        ValueError
            An argument is out of its range.
        MemoryError
            The memory is exhausted.
        """
        items, draws = _count("n", n), _count("size", size)
        _check_sizes(items, draws, replace)
        weights = None if prob is None else _check_prob(prob, items, draws, replace)
        cdef const double[::1] weight_view = weights
        cdef const double *weight = NULL
        if weights is not None:
            weight = &weight_view[0]
        cdef int64_t[::1] chosen = np.empty(draws, dtype=np.int64)
        if draws == 0:
            return np.asarray(chosen)
        cdef rrf_status status = rrf_sample(
            self.generator(), items, draws, bool(replace), weight, &chosen[0]
        )
        if status == RRF_ERR_MEMORY:
            raise MemoryError(f"n: no memory to sample from {items} items")
        if status != RRF_OK:
            raise ValueError("n, size, replace, prob: no such sample can be drawn; pass values within their ranges")
        return np.asarray(chosen)


cdef rrf_parameter _parameter(object values) except *:
    """Return a parameter of a distribution, which borrows the array of the caller."""
    cdef const double[::1] view = values
    if view.shape[0] < 1:
        raise ValueError("a parameter has no values; pass at least one")
    cdef rrf_parameter parameter
    parameter.value = &view[0]
    parameter.count = view.shape[0]
    return parameter


cdef object _state_to_array(const rrf_rng *rng):
    state = np.empty(1 + RRF_MT_WORDS, dtype=np.int32)
    cdef int32_t[::1] view = state
    cdef Py_ssize_t i
    view[0] = rng.position
    for i in range(RRF_MT_WORDS):
        view[1 + i] = <int32_t>rng.state[i]
    return state


def _integer(name, value):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not an integer; pass an int") from None


def _count(name, value):
    count = _integer(name, value)
    if count < 0:
        raise ValueError(f"{name}: {count} is negative; pass 0 or more")
    return count


def _check_state(name, state):
    words = np.asarray(state)
    if words.dtype.kind not in "iu":
        raise TypeError(f"{name}: dtype {words.dtype} is not an integer type; pass int32")
    if words.shape != (1 + RRF_MT_WORDS,):
        raise ValueError(
            f"{name}: shape {words.shape} is not ({1 + RRF_MT_WORDS},); pass the position and "
            f"{RRF_MT_WORDS} words, as in .Random.seed[2:626]"
        )
    bounds = np.iinfo(np.int32)
    if words.min() < bounds.min or words.max() > bounds.max:
        raise ValueError(f"{name}: a word does not fit int32; pass R's signed integers")
    if not 0 <= words[0] <= RRF_MT_WORDS:
        raise ValueError(
            f"{name}: position {words[0]} is not in 0 to {RRF_MT_WORDS}; pass a state that get_state() returned"
        )
    if not words[1:].any():
        raise ValueError(f"{name}: the words are all zero; pass a state with a word other than 0")
    return np.ascontiguousarray(words, dtype=np.int32)


def _check_sizes(items, draws, replace):
    if items > _SAMPLE_MAX:
        raise ValueError(f"n: {items} is more than {_SAMPLE_MAX}; sample from fewer items")
    if draws > 0 and items == 0:
        raise ValueError(f"n: no items to draw {draws} from; pass n of 1 or more")
    if draws > items and not replace:
        raise ValueError(
            f"size: {draws} is more than the {items} items; pass replace=True or a smaller size"
        )


def _check_prob(prob, items, draws, replace):
    weights = np.asarray(prob)
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"prob: dtype {weights.dtype} is not numeric; pass numbers")
    if weights.shape != (items,):
        raise ValueError(f"prob: shape {weights.shape} is not ({items},); pass one weight per item")
    if items > _R_INT_MAX:
        raise ValueError(f"prob: n of {items} is more than {_R_INT_MAX}; leave prob out")
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    if not np.isfinite(weights).all():
        raise ValueError("prob: a weight is NaN or infinite; pass finite weights")
    if (weights < 0).any():
        raise ValueError("prob: a weight is negative; pass weights of 0 or more")
    positive = np.count_nonzero(weights)
    if positive == 0 or (positive < draws and not replace):
        raise ValueError(
            f"prob: {positive} positive weights are too few; raise weights, lower size"
            " or pass replace=True"
        )
    return weights
