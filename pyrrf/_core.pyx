# SPDX-License-Identifier: GPL-2.0-or-later
# cython: boundscheck=False, wraparound=False
"""Binding of the C core (src_c/rrf.h). Python checks and shapes; C computes."""

import operator
import os

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy


# ---- src_c/rrf.h ---------------------------------------------------------------------------------


cdef extern from "rrf.h" nogil:
    ctypedef enum rrf_status:
        RRF_OK
        RRF_ERR_MEMORY
        RRF_ERR_INTERRUPT
        RRF_ERR_NO_SPLIT
        RRF_ERR_ARGUMENT

    enum:
        RRF_MT_WORDS

    ctypedef struct rrf_rng:
        uint32_t state[624]
        int position

    void rrf_rng_seed(rrf_rng *rng, uint32_t seed)
    void rrf_rng_restore(rrf_rng *rng, int position, const uint32_t *state)
    double rrf_rng_uniform(rrf_rng *rng)
    double rrf_rng_normal(rrf_rng *rng)
    rrf_status rrf_sample(
        rrf_rng *rng, int64_t n, int64_t size, int replace, const double *prob, int64_t *out
    )

    const char *rrf_strerror(rrf_status status)

    ctypedef struct rrf_data:
        const double *x
        int n
        int p
        const int32_t *ncat
        const float *x32
        ptrdiff_t row_step
        ptrdiff_t feature_step

    ctypedef struct rrf_forest:
        int64_t *offset
        int32_t *left
        int32_t *split_var
        double *split_point
        int32_t *status
        double *prediction
        uint8_t *missing_left
        int64_t capacity
        int ntree

    void rrf_forest_init(rrf_forest *forest)
    void rrf_forest_free(rrf_forest *forest)

    ctypedef struct rrf_params:
        int ntree
        int mtry
        int nodesize
        int max_nodes
        int replace
        const int32_t *sampsize
        const int32_t *strata
        int nstrata
        const double *classwt
        const double *cutoff
        int flag_reg
        const double *coef_reg
        int importance
        int n_perm
        int oob_proximity
        int keep_forest
        int bias_correction
        int quirks
        int add_class

    ctypedef struct rrf_monitor:
        int (*poll)(void *context) noexcept nogil
        int (*tree)(void *context, int trees_grown) noexcept nogil
        void *context

    ctypedef struct rrf_class_result:
        int32_t *predicted
        int32_t *votes
        int32_t *oob_times
        double *err_rate
        double *gini
        double *classwt
        int32_t *used
        double *importance
        double *importance_sd
        double *local_importance
        double *proximity
        int32_t *inbag
        int32_t *test_predicted
        int32_t *test_votes
        double *test_err_rate
        double *test_proximity

    rrf_status rrf_fit_classification(
        const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test,
        const int32_t *ytest, const rrf_params *params, rrf_rng *rng, const rrf_monitor *monitor,
        rrf_forest *forest, rrf_class_result *result
    )
    ctypedef struct rrf_target:
        const int32_t *y
        int nclass
        const double *response

    ctypedef struct rrf_parallel_params:
        uint64_t seed
        int n_jobs
        int entropy
        int penalize_gain
        int draw_from_all
        int max_depth
        int use_depth
        const double *row_weight

    ctypedef struct rrf_parallel_result:
        int32_t *votes
        int32_t *predicted
        double *mean
        int32_t *oob_times
        double *error
        double *decrease
        double *classwt
        int32_t *used
        double *importance
        double *importance_sd
        double *local_importance
        double *proximity
        int32_t *inbag
        int64_t regrown
        int64_t searched
        int64_t repeated

    rrf_status rrf_fit_parallel(
        const rrf_data *train, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const rrf_monitor *monitor, rrf_forest *forest,
        rrf_parallel_result *result
    )

    ctypedef struct rrf_prediction:
        int32_t *votes
        int32_t *predicted
        double *mean
        double *individual
        int32_t *nodes
        double *proximity

    rrf_status rrf_predict(
        const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, int n_jobs,
        const rrf_monitor *monitor, rrf_prediction *out
    )
    ctypedef struct rrf_worker:
        pass

    ctypedef struct rrf_tree_request:
        const int32_t *count
        const double *row_weight
        const double *response
        const double *probability
        int32_t *used
        uint64_t seed
        uint64_t stream
        const rrf_monitor *monitor

    ctypedef struct rrf_tree_report:
        double *decrease
        double *total

    rrf_status rrf_worker_new(
        const rrf_data *train, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const rrf_monitor *monitor, rrf_worker **grower
    )
    void rrf_worker_free(rrf_worker *grower)
    int rrf_worker_max_nodes(const rrf_worker *grower)
    rrf_status rrf_worker_grow(
        rrf_worker *grower, const rrf_tree_request *request, rrf_forest *forest,
        const rrf_tree_report *report
    )
    rrf_status rrf_predict_classification(
        const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff,
        rrf_rng *rng, const rrf_monitor *monitor, int quirks, int32_t *votes,
        int32_t *predicted, int32_t *individual, int32_t *nodes, double *proximity
    )

    ctypedef struct rrf_regression_result:
        double *predicted
        int32_t *oob_times
        double *mse
        double *purity
        int32_t *used
        double *coef
        double *importance
        double *importance_sd
        double *local_importance
        double *proximity
        int32_t *inbag
        double *test_predicted
        double *test_mse
        double *test_proximity

    rrf_status rrf_fit_regression(
        const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
        const rrf_params *params, rrf_rng *rng, const rrf_monitor *monitor, rrf_forest *forest,
        rrf_regression_result *result
    )
    rrf_status rrf_predict_regression(
        const rrf_forest *forest, const rrf_data *data, const rrf_monitor *monitor,
        double *predicted, double *individual, int32_t *nodes, double *proximity
    )


# ---- R's random stream ---------------------------------------------------------------------------

# R's integers: -2147483648 is NA_integer_, which set.seed refuses.
_R_INT_MAX = 2**31 - 1
# R_unif_index is exact up to here; R's sample.int refuses more.
_SAMPLE_MAX = 4_500_000_000_000_000


cdef class Stream:
    """One R random stream of the kinds Mersenne-Twister, Inversion and Rejection.

    A stream has two states. `stored` is R's ``.Random.seed``; `live` is the memory of the
    generator. `load` and `save` are R's ``GetRNGstate()`` and ``PutRNGstate()``. The draws
    (`runif`, `rnorm`, `sample`) take from `live` only; the caller does `load` and `save`.

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

    cdef rrf_rng stored
    cdef rrf_rng live
    cdef bint seeded

    cdef rrf_rng *generator(self) except NULL:
        """The live generator, seeded if it never was; valid as long as the stream."""
        if not self.seeded:
            self.seed_from_system()
        return &self.live

    cdef int seed_from_system(self) except -1:
        words = np.frombuffer(os.urandom(4 * RRF_MT_WORDS), dtype=np.uint32)
        cdef const uint32_t[::1] view = words
        rrf_rng_restore(&self.stored, RRF_MT_WORDS, &view[0])
        self.live = self.stored
        self.seeded = True
        return 0

    def set_seed(self, seed):
        """R's ``set.seed(seed)``: both states become the scrambled seed.

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
        self.live = self.stored
        self.seeded = True

    def load(self):
        """R's ``GetRNGstate()``: `live` becomes `stored`."""
        self.generator()
        self.live = self.stored

    def save(self):
        """R's ``PutRNGstate()``: `stored` becomes `live`."""
        self.generator()
        self.stored = self.live

    def get_state(self):
        """Both states as ``.Random.seed[2:626]`` shows them.

        Returns
        -------
        stored, live : ndarray of int32, shape (625,)
            The position in the block (1 to 624), then the 624 words.
        """
        self.generator()
        return _state_to_array(&self.stored), _state_to_array(&self.live)

    def set_state(self, stored, live):
        """Takes over two states that `get_state` or R's ``.Random.seed[2:626]`` gave.

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
        cdef const int32_t[::1] first = _checked_state("stored", stored)
        cdef const int32_t[::1] second = _checked_state("live", live)
        rrf_rng_restore(&self.stored, first[0], <const uint32_t *>&first[1])
        rrf_rng_restore(&self.live, second[0], <const uint32_t *>&second[1])
        self.seeded = True

    def runif(self, n):
        """R's ``runif(n)`` from `live`.

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
        """R's ``rnorm(n)`` from `live`: standard normal by inversion, two uniforms a value.

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

    def sample(self, n, size, replace=False, prob=None):
        """R's ``sample.int(n, size, replace, prob)`` from `live`, counted from 0.

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
            There is no room for the items.
        """
        items, draws = _count("n", n), _count("size", size)
        _check_sizes(items, draws, replace)
        weights = None if prob is None else _checked_prob(prob, items, draws, replace)
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
            raise ValueError("n, size, replace, prob: not a sample that can be drawn")
        return np.asarray(chosen)


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


def _checked_state(name, state):
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
        raise ValueError(f"{name}: position {words[0]} is not in 0 to {RRF_MT_WORDS}")
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


def _checked_prob(prob, items, draws, replace):
    weights = np.asarray(prob)
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"prob: dtype {weights.dtype} is not numeric; pass numbers")
    if weights.shape != (items,):
        raise ValueError(f"prob: shape {weights.shape} is not ({items},); pass one weight an item")
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


# ---- Arrays across the border --------------------------------------------------------------------

# An array, or NULL where Python says None. The array must outlive the pointer. Data may be read-only,
# as what pandas lends; results are arrays made here.


cdef double *_doubles(array) except? NULL:
    cdef const double[::1] view
    if array is None or array.size == 0:
        return NULL
    view = array.reshape(-1, order="A")
    return <double *>&view[0]


cdef int32_t *_ints(array) except? NULL:
    cdef const int32_t[::1] view
    if array is None or array.size == 0:
        return NULL
    view = array.reshape(-1, order="A")
    return <int32_t *>&view[0]


cdef rrf_data _data(x, ncat) except *:
    cdef rrf_data data
    if not x.flags.f_contiguous or x.dtype != np.float64:
        raise TypeError("x: pass a column-major float64 array")
    data.x = _doubles(x)
    data.n, data.p = x.shape
    data.ncat = _ints(ncat)
    data.x32 = NULL
    data.row_step = data.feature_step = 0
    return data


cdef rrf_data _strided_data(x, ncat) except *:
    """A matrix of any layout, in single or double precision, as the parallel engine reads it."""
    cdef rrf_data data
    cdef const float[:, :] single
    cdef const double[:, :] double_
    data.x, data.x32 = NULL, NULL
    data.n, data.p = x.shape
    data.ncat = _ints(ncat)
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


cdef dict _forest_arrays(rrf_forest *forest):
    """The packed trees as arrays of their own, the right daughters among them; `forest` loses its nodes."""
    cdef int64_t[::1] offset = np.empty(forest.ntree + 1, dtype=np.int64)
    memcpy(&offset[0], forest.offset, offset.nbytes)
    cdef int64_t n = offset[forest.ntree]
    cdef uint8_t[::1] missing_left
    packed = {}
    if forest.missing_left != NULL:
        missing_left = np.empty(n, dtype=np.uint8)
        memcpy(&missing_left[0], forest.missing_left, missing_left.nbytes)
        packed["missing_left"] = np.asarray(missing_left)
    prediction = _moved_doubles(&forest.prediction, n)
    split_point = _moved_doubles(&forest.split_point, n)
    split_var = _moved_ints(&forest.split_var, n)
    status = _moved_ints(&forest.status, n)
    daughters = _moved_ints(&forest.left, n)
    return packed | {
        "offset": np.asarray(offset),
        "left": daughters,
        "right": daughters + (daughters > 0).astype(np.int32),
        "split_var": split_var,
        "split_point": split_point,
        "status": status,
        "prediction": prediction,
    }


cdef rrf_forest _borrow_forest(forest) except *:
    """The packed trees for C to read; `forest` keeps the arrays and must outlive the answer."""
    cdef int64_t[::1] offset = forest["offset"]
    cdef rrf_forest trees
    rrf_forest_init(&trees)
    trees.ntree = offset.shape[0] - 1
    trees.offset = &offset[0]
    trees.left = _ints(forest["left"])
    trees.split_var = _ints(forest["split_var"])
    trees.split_point = _doubles(forest["split_point"])
    trees.status = _ints(forest["status"])
    trees.prediction = _doubles(forest["prediction"])
    cdef const uint8_t[::1] missing_left = forest.get("missing_left")
    if missing_left is not None and missing_left.size:
        trees.missing_left = <uint8_t *>&missing_left[0]
    return trees


# ---- Watching a long computation -----------------------------------------------------------------


cdef class _Watch:
    """Answers Ctrl-C while C computes, and hands every `trace`-th tree to `on_tree`."""

    cdef rrf_monitor monitor
    cdef int trace
    cdef object on_tree, err_rate, test_err_rate, error

    def __cinit__(self, int trace=0, on_tree=None, err_rate=None, test_err_rate=None):
        self.trace = trace
        self.on_tree = on_tree
        self.err_rate = err_rate
        self.test_err_rate = test_err_rate
        self.monitor.poll = _poll
        self.monitor.tree = NULL
        if trace > 0 and on_tree is not None:
            self.monitor.tree = _tree_grown
        self.monitor.context = <void *>self

    cdef int report(self, int grown) except -1:
        row = self.err_rate[grown - 1]
        test_row = None if self.test_err_rate is None else self.test_err_rate[grown - 1]
        self.on_tree(grown, row, test_row)
        return 0


cdef int _poll(void *context) noexcept nogil:
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            (<_Watch>context).error = error
            return 1
    return 0


cdef int _tree_grown(void *context, int grown) noexcept nogil:
    cdef int trace
    with gil:
        trace = (<_Watch>context).trace
        if grown % trace == 0:
            try:
                (<_Watch>context).report(grown)
            except BaseException as error:
                (<_Watch>context).error = error
                return 1
    return 0


cdef int _raise_for(rrf_status status, _Watch watch) except -1:
    if status == RRF_OK:
        return 0
    if status == RRF_ERR_MEMORY:
        raise MemoryError("no memory to grow or use the forest")
    if status == RRF_ERR_INTERRUPT:
        raise watch.error
    if status == RRF_ERR_NO_SPLIT:
        raise ValueError(
            "x: no in-bag sample of the data can be split (are the columns constant?); pass"
            " columns that vary, more rows, a larger sampsize or maxnodes, or a smaller nodesize"
        )
    raise ValueError(rrf_strerror(status).decode())


# ---- Classification ------------------------------------------------------------------------------


def fit_classification(
    x, ncat, y, int nclass, *, xtest, ytest, int ntree, int mtry, int nodesize, int max_nodes,
    bint replace, sampsize, strata, classwt, cutoff, int flag_reg, coef_reg, used,
    bint importance, bint local_importance, bint proximity, bint oob_proximity, bint keep_forest,
    bint keep_inbag, bint quirks, Stream stream, int trace=0, on_tree=None, bint add_class=False
):
    """Grows a classification forest, R's ``classRF``.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p), column-major
        Training data; level k of a factor (from 1) as the number k.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor.
    y : ndarray of int32, shape (n,)
        Classes from 0, all `nclass` present.
    xtest, ytest : ndarray, optional
        Test data as `x` and `y`; either may be None.
    max_nodes : int
        R's nrnodes, odd.
    sampsize : ndarray of int32
        One size, or one a stratum; `strata` (int32, from 0) is None without strata.
    used : ndarray of int32, shape (p,)
        1 for a feature in F at the start.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row, test_err_row)`` is called.
    add_class : bool, default False
        Unsupervised mode: `x` holds the rows twice, `y` is 0 for the first and 1 for the second
        half; local_importance, proximity and inbag then cover the first half only.

    Returns
    -------
    dict
        predicted, votes, oob_times, err_rate, importance, importance_sd, local_importance,
        proximity, inbag, used, classwt, forest and test; None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        No in-bag sample can be split.
    """
    n, p = x.shape
    n_test = 0 if xtest is None else xtest.shape[0]
    n_real = n // 2 if add_class else n
    cdef rrf_data train = _data(x, ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if xtest is not None:
        test_data = _data(xtest, ncat)
        test = &test_data

    predicted = np.empty(n, np.int32)
    votes = np.empty((n, nclass), np.int32)
    oob_times = np.empty(n, np.int32)
    err_rate = np.empty((ntree, nclass + 1))
    measures = np.empty((p, nclass + 2 if importance else 1), order="F")
    # R keeps one matrix: the decreases in accuracy, then the decrease in impurity.
    accuracy = measures if importance else None
    importance_sd = np.empty((p, nclass + 1), order="F") if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n_real, n_real), order="F") if proximity else None
    inbag = np.empty((n_real, ntree), np.int32, order="F") if keep_inbag else None
    weights = np.empty(nclass)
    features = np.array(used, dtype=np.int32)
    test_predicted = None if xtest is None else np.empty(n_test, np.int32)
    test_votes = None if xtest is None else np.empty((n_test, nclass), np.int32)
    test_err_rate = None if ytest is None else np.empty((ntree, nclass + 1))
    test_near = None
    if xtest is not None and proximity:
        test_near = np.empty((n_test, n_test + n_real), order="F")

    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=_ints(sampsize), strata=_ints(strata),
        nstrata=0 if strata is None else sampsize.size, classwt=_doubles(classwt),
        cutoff=_doubles(cutoff), flag_reg=flag_reg, coef_reg=_doubles(coef_reg),
        importance=importance, n_perm=1, oob_proximity=oob_proximity, keep_forest=keep_forest,
        bias_correction=0, quirks=quirks, add_class=add_class
    )
    cdef rrf_class_result result = rrf_class_result(
        predicted=_ints(predicted), votes=_ints(votes), oob_times=_ints(oob_times),
        err_rate=_doubles(err_rate), gini=_doubles(measures[:, -1]), classwt=_doubles(weights),
        used=_ints(features), importance=_doubles(accuracy),
        importance_sd=_doubles(importance_sd), local_importance=_doubles(local),
        proximity=_doubles(near), inbag=_ints(inbag), test_predicted=_ints(test_predicted),
        test_votes=_ints(test_votes), test_err_rate=_doubles(test_err_rate),
        test_proximity=_doubles(test_near)
    )
    cdef const int32_t *train_y = _ints(y)
    cdef const int32_t *test_y = _ints(ytest)
    cdef _Watch watch = _Watch(trace, on_tree, err_rate, test_err_rate)
    cdef rrf_monitor *monitor = &watch.monitor
    stream.load()
    # A copy, so that another thread cannot draw from the stream in the middle of the fit.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_classification(
                &train, train_y, nclass, test, test_y, &params, &rng, monitor, &trees, &result
            )
        _raise_for(status, watch)
        forest = _forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    stream.live = rng
    stream.save()
    return {
        "predicted": predicted,
        "votes": votes,
        "oob_times": oob_times,
        "err_rate": err_rate,
        "importance": measures,
        "importance_sd": importance_sd,
        "local_importance": None if local is None else local[:, :n_real],
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "classwt": weights,
        "forest": forest,
        "test": None if xtest is None else {
            "predicted": test_predicted,
            "votes": test_votes.astype(np.float64),
            "err_rate": test_err_rate,
            "proximity": test_near,
        },
    }


def predict_classification(
    forest, ncat, int nclass, x, cutoff, *, Stream stream, bint predict_all=False,
    bint proximity=False, bint nodes=False, bint quirks=True
):
    """Votes of a forest on new rows, R's ``classForest``; ties draw from the stream.

    Parameters
    ----------
    forest : dict
        Packed trees as `fit_classification` returns them.
    ncat, x
        As in `fit_classification`.
    cutoff : ndarray of float64, shape (nclass,)
    predict_all, proximity, nodes : bool
        Which of the optional results are wanted.

    Returns
    -------
    dict
        votes (n, nclass), predicted (n,) from 0, individual (n, ntree) from 0, nodes (n, ntree)
        from 1, proximity (n, n); None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest["offset"].size - 1
    cdef rrf_data data = _data(x, ncat)
    cdef rrf_forest trees = _borrow_forest(forest)

    votes = np.empty((n, nclass), np.int32)
    predicted = np.empty(n, np.int32)
    individual = np.empty((n, ntree), np.int32, order="F") if predict_all else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef int32_t *votes_p = _ints(votes)
    cdef int32_t *predicted_p = _ints(predicted)
    cdef int32_t *individual_p = _ints(individual)
    cdef int32_t *nodes_p = _ints(reached)
    cdef double *near_p = _doubles(near)
    cdef const double *cutoff_p = _doubles(cutoff)
    cdef _Watch watch = _Watch()
    cdef rrf_monitor *monitor = &watch.monitor
    # CRAN RRF neither reads nor stores .Random.seed here: ties draw from the generator's memory.
    if not quirks:
        stream.load()
    cdef rrf_rng rng = stream.generator()[0]
    cdef rrf_status status
    with nogil:
        status = rrf_predict_classification(
            &trees, &data, nclass, cutoff_p, &rng, monitor, quirks, votes_p, predicted_p,
            individual_p, nodes_p, near_p
        )
    _raise_for(status, watch)
    stream.live = rng
    if not quirks:
        stream.save()
    return {
        "votes": votes.astype(np.float64),
        "predicted": predicted,
        "individual": individual,
        "nodes": reached,
        "proximity": near,
    }


# ---- Regression ----------------------------------------------------------------------------------


def fit_regression(
    x, ncat, y, *, xtest, ytest, int ntree, int mtry, int nodesize, int max_nodes, bint replace,
    sampsize, int flag_reg, coef_reg, used, bint importance, bint local_importance, int n_perm,
    bint proximity, bint oob_proximity, bint corr_bias, bint keep_forest, bint keep_inbag,
    bint quirks, Stream stream, int trace=0, on_tree=None
):
    """Grows a regression forest, R's ``regRF``.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p), column-major
        Training data, finite; level k of a factor (from 1) as the number k.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the levels of a factor.
    y : ndarray of float64, shape (n,)
        Responses, finite.
    xtest, ytest : ndarray, optional
        Test data as `x` and `y`; either may be None.
    max_nodes : int
        R's nrnodes.
    sampsize : ndarray of int32, shape (1,)
    used : ndarray of int32, shape (p,)
        1 for a feature in F at the start; with `quirks` F starts empty, as in R.
    local_importance : bool
        Needs `importance`.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, mse, test_mse)`` is called; test_mse may be None.

    Returns
    -------
    dict
        predicted (0 where oob_times is 0), oob_times, mse, importance (p, 2) as %IncMSE and
        IncNodePurity or (p, 1), importance_sd, local_importance, proximity, inbag, used, coef,
        forest and test (predicted, mse, proximity); None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual; the stream keeps its stored state.
    ValueError
        `sampsize` or `max_nodes` is out of range.
    """
    n, p = x.shape
    n_test = 0 if xtest is None else xtest.shape[0]
    cdef rrf_data train = _data(x, ncat)
    cdef rrf_data test_data
    cdef const rrf_data *test = NULL
    if xtest is not None:
        test_data = _data(xtest, ncat)
        test = &test_data

    predicted = np.empty(n)
    oob_times = np.empty(n, np.int32)
    mse = np.empty(ntree)
    # R keeps one matrix: the increase of the error, then the decrease in impurity.
    measures = np.empty((p, 2 if importance else 1), order="F")
    increase = measures[:, 0] if importance else None
    importance_sd = np.empty(p) if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n, n), order="F") if proximity else None
    inbag = np.empty((n, ntree), np.int32, order="F") if keep_inbag else None
    coef = np.empty(2) if corr_bias else None
    features = np.array(used, dtype=np.int32)
    test_predicted = None if xtest is None else np.empty(n_test)
    test_mse = None if xtest is None or ytest is None else np.empty(ntree)
    test_near = None
    if xtest is not None and proximity:
        test_near = np.empty((n_test, n_test + n), order="F")

    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=_ints(sampsize), strata=NULL, nstrata=0, classwt=NULL, cutoff=NULL,
        flag_reg=flag_reg, coef_reg=_doubles(coef_reg), importance=importance, n_perm=n_perm,
        oob_proximity=oob_proximity, keep_forest=keep_forest, bias_correction=corr_bias,
        quirks=quirks, add_class=0
    )
    cdef rrf_regression_result result = rrf_regression_result(
        predicted=_doubles(predicted), oob_times=_ints(oob_times), mse=_doubles(mse),
        purity=_doubles(measures[:, -1]), used=_ints(features), coef=_doubles(coef),
        importance=_doubles(increase), importance_sd=_doubles(importance_sd),
        local_importance=_doubles(local), proximity=_doubles(near), inbag=_ints(inbag),
        test_predicted=_doubles(test_predicted), test_mse=_doubles(test_mse),
        test_proximity=_doubles(test_near)
    )
    cdef const double *train_y = _doubles(y)
    cdef const double *test_y = _doubles(ytest)
    cdef _Watch watch = _Watch(trace, on_tree, mse, test_mse)
    cdef rrf_monitor *monitor = &watch.monitor
    stream.load()
    # A copy, so that another thread cannot draw from the stream in the middle of the fit.
    cdef rrf_rng rng = stream.live
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_regression(
                &train, train_y, test, test_y, &params, &rng, monitor, &trees, &result
            )
        _raise_for(status, watch)
        forest = _forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    stream.live = rng
    stream.save()
    return {
        "predicted": predicted,
        "oob_times": oob_times,
        "mse": mse,
        "importance": measures,
        "importance_sd": importance_sd,
        "local_importance": local,
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "coef": coef,
        "forest": forest,
        "test": None if xtest is None else {
            "predicted": test_predicted,
            "mse": test_mse,
            "proximity": test_near,
        },
    }


def predict_regression(
    forest, ncat, x, *, bint predict_all=False, bint proximity=False, bint nodes=False
):
    """Mean prediction of a forest's trees on new rows, R's ``regForest``; draws nothing.

    Parameters
    ----------
    forest : dict
        Packed trees as `fit_regression` returns them.
    ncat, x
        As in `fit_regression`.
    predict_all, proximity, nodes : bool
        Which of the optional results are wanted.

    Returns
    -------
    dict
        predicted (n,), before any correction of bias; individual (n, ntree), nodes (n, ntree)
        from 1, proximity (n, n); None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest["offset"].size - 1
    cdef rrf_data data = _data(x, ncat)
    cdef rrf_forest trees = _borrow_forest(forest)

    predicted = np.empty(n)
    individual = np.empty((n, ntree), order="F") if predict_all else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef double *predicted_p = _doubles(predicted)
    cdef double *individual_p = _doubles(individual)
    cdef int32_t *nodes_p = _ints(reached)
    cdef double *near_p = _doubles(near)
    cdef _Watch watch = _Watch()
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_status status
    with nogil:
        status = rrf_predict_regression(
            &trees, &data, monitor, predicted_p, individual_p, nodes_p, near_p
        )
    _raise_for(status, watch)
    return {
        "predicted": predicted,
        "individual": individual,
        "nodes": reached,
        "proximity": near,
    }


def fit_parallel(
    x, ncat, y, int nclass, *, int ntree, int mtry, int nodesize, int max_nodes, bint replace,
    sampsize, cutoff, int flag_reg, coef_reg, used, uint64_t seed, int n_jobs, strata=None,
    classwt=None, bint entropy=False, bint penalize_gain=False, int max_depth=0,
    bint use_depth=False, bint draw_from_all=False, row_weight=None, bint importance=False, bint local_importance=False,
    int n_perm=1, bint proximity=False, bint oob_proximity=False, bint keep_inbag=False,
    bint keep_forest=True, int trace=0, on_tree=None
):
    """Grows a forest with the parallel engine: a random stream a tree, `n_jobs` threads.

    Parameters
    ----------
    x : ndarray of float64 or float32, shape (n, p), any strides
        Training data; NaN is a missing number, level k of a factor (from 1) the number k.
    y : ndarray
        int32 classes from 0, all `nclass` present; float64 numbers with ``nclass=1``.
    seed : int
        0 to 2**64 - 1. The answer depends on it and not on `n_jobs`.
    n_jobs : int
        Threads, at least 1.
    entropy, penalize_gain, draw_from_all, use_depth : bool
        As in rrf_parallel_params.
    max_depth : int
        0 for no bound.
    row_weight : ndarray of float64, shape (n,), optional
        What a drawn row counts for; the sum is positive.
    trace, on_tree
        Each `trace` trees ``on_tree(trees, err_row or mse, None)`` is called.

    Returns
    -------
    dict
        As `fit_classification` (for numbers `fit_regression`), and regrown, searched, repeated:
        trees of which a part was grown again, nodes searched, and those searched again.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    ValueError
        No bag has rows of positive weight.
    """
    n, p = x.shape
    numbers = y.dtype.kind == "f"
    cdef rrf_data train = _strided_data(x, ncat)
    codes = np.zeros(n, np.int32) if numbers else y
    predicted = np.empty(n) if numbers else np.empty(n, np.int32)
    votes = None if numbers else np.empty((n, nclass), np.int32)
    oob_times = np.empty(n, np.int32)
    error = np.empty(ntree) if numbers else np.empty((ntree, nclass + 1))
    n_measures = 1 if numbers else nclass + 1
    measures = np.empty((p, n_measures + 1 if importance else 1), order="F")
    permuted = measures[:, :n_measures] if importance else None
    deviations = np.empty((p, n_measures), order="F") if importance else None
    local = np.empty((p, n), order="F") if local_importance else None
    near = np.empty((n, n), order="F") if proximity else None
    inbag = np.empty((n, ntree), np.int32, order="F") if keep_inbag else None
    weights = np.empty(nclass)
    features = np.array(used, dtype=np.int32)
    cdef rrf_params params = rrf_params(
        ntree=ntree, mtry=mtry, nodesize=nodesize, max_nodes=max_nodes, replace=replace,
        sampsize=_ints(sampsize), strata=_ints(strata),
        nstrata=0 if strata is None else sampsize.size, classwt=_doubles(classwt),
        cutoff=_doubles(cutoff), flag_reg=flag_reg, coef_reg=_doubles(coef_reg),
        importance=importance, n_perm=n_perm, oob_proximity=oob_proximity,
        keep_forest=keep_forest, bias_correction=0, quirks=0, add_class=0
    )
    cdef rrf_parallel_params parallel = rrf_parallel_params(
        seed=seed, n_jobs=n_jobs, entropy=entropy, penalize_gain=penalize_gain,
        draw_from_all=draw_from_all, max_depth=max_depth, use_depth=use_depth, row_weight=_doubles(row_weight)
    )
    cdef rrf_target target = rrf_target(
        y=_ints(codes), nclass=nclass, response=_doubles(y if numbers else None)
    )
    cdef rrf_parallel_result result = rrf_parallel_result(
        votes=_ints(votes), predicted=_ints(None if numbers else predicted),
        mean=_doubles(predicted if numbers else None), oob_times=_ints(oob_times),
        error=_doubles(error), decrease=_doubles(measures[:, -1]), classwt=_doubles(weights),
        used=_ints(features), importance=_doubles(permuted), importance_sd=_doubles(deviations),
        local_importance=_doubles(local), proximity=_doubles(near), inbag=_ints(inbag),
        regrown=0, searched=0, repeated=0
    )
    cdef _Watch watch = _Watch(trace, on_tree, error)
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_forest trees
    cdef rrf_status status
    rrf_forest_init(&trees)
    try:
        with nogil:
            status = rrf_fit_parallel(&train, &target, &params, &parallel, monitor, &trees, &result)
        _raise_for(status, watch)
        forest = _forest_arrays(&trees) if keep_forest else None
    finally:
        rrf_forest_free(&trees)
    own = {"mse": error, "coef": None} if numbers else {
        "votes": votes, "err_rate": error, "classwt": weights
    }
    return own | {
        "predicted": predicted,
        "oob_times": oob_times,
        "importance": measures,
        "importance_sd": deviations[:, 0] if numbers and importance else deviations,
        "local_importance": local,
        "proximity": near,
        "inbag": inbag,
        "used": features,
        "regrown": result.regrown,
        "searched": result.searched,
        "repeated": result.repeated,
        "forest": forest,
        "test": None,
    }


def predict_rows(
    forest, x, ncat, int nclass, *, cutoff=None, int n_jobs=1, bint individual=False,
    bint nodes=False, bint proximity=False
):
    """Predictions of a forest of either engine on `n_jobs` threads; nothing is drawn.

    Parameters
    ----------
    forest : dict
        Packed trees.
    x, ncat
        As in `fit_parallel`.
    nclass : int
        1 for numbers.
    cutoff : ndarray of float64, shape (nclass,), optional
        For classes.
    individual, nodes, proximity : bool
        Which of the optional results are wanted.

    Returns
    -------
    dict
        votes (n, nclass) and predicted (n,) from 0, ties broken by a hash of the row's leaves; or
        predicted (n,), the mean. individual (n, ntree), classes from 0 or numbers; nodes (n, ntree)
        from 1; proximity (n, n); None for what was not asked for.

    Raises
    ------
    MemoryError, KeyboardInterrupt
        As usual.
    """
    n, ntree = x.shape[0], forest["offset"].size - 1
    classes = nclass > 1
    cdef rrf_data data = _strided_data(x, ncat)
    cdef rrf_forest trees = _borrow_forest(forest)
    votes = np.empty((n, nclass), np.int32) if classes else None
    predicted = np.empty(n, np.int32) if classes else np.empty(n)
    each = np.empty((n, ntree), order="F") if individual else None
    reached = np.empty((n, ntree), np.int32, order="F") if nodes else None
    near = np.empty((n, n), order="F") if proximity else None
    cdef rrf_prediction out = rrf_prediction(
        votes=_ints(votes), predicted=_ints(predicted if classes else None),
        mean=_doubles(None if classes else predicted), individual=_doubles(each),
        nodes=_ints(reached), proximity=_doubles(near)
    )
    cdef const double *cutoff_p = _doubles(cutoff)
    cdef _Watch watch = _Watch()
    cdef rrf_monitor *monitor = &watch.monitor
    cdef rrf_status status
    with nogil:
        status = rrf_predict(&trees, &data, nclass, cutoff_p, n_jobs, monitor, &out)
    _raise_for(status, watch)
    return {
        "votes": None if votes is None else votes.astype(np.float64),
        "predicted": predicted,
        "individual": each.astype(np.int32) if classes and individual else each,
        "nodes": reached,
        "proximity": near,
    }


# ---- One tree at a time --------------------------------------------------------------------------


cdef class TreeGrower:
    """Grows parallel trees one at a time, on rows, weights, responses and features of the caller's choice.

    Parameters
    ----------
    x, ncat, y, nclass, mtry, nodesize, max_nodes, flag_reg, coef_reg
        As in `fit_parallel`.
    weighted : bool, default False
        Whether `grow` will get row weights.
    entropy, penalize_gain, draw_from_all, max_depth, use_depth
        As in `fit_parallel`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf._core import TreeGrower
    >>> x = np.asfortranarray(np.arange(12.0).reshape(6, 2))
    >>> y = np.array([0, 0, 0, 1, 1, 1], np.int32)
    >>> grower = TreeGrower(x, np.ones(2, np.int32), y, 2, mtry=2, coef_reg=np.full(2, 0.8))
    >>> tree = grower.grow(np.zeros(2, np.int32), count=np.ones(6, np.int32), seed=1)
    >>> tree["left"].size, tree["total"][0]
    (3, array([3., 3.]))
    """

    cdef rrf_worker *grower
    cdef rrf_data data
    cdef rrf_target target
    cdef rrf_params params
    cdef rrf_parallel_params parallel
    cdef int32_t sampsize
    cdef tuple kept
    cdef int n_totals

    def __cinit__(
        self, x, ncat, y, int nclass, *, int mtry, coef_reg, int nodesize=1, max_nodes=None,
        int flag_reg=1, bint weighted=False, bint entropy=False, bint penalize_gain=False,
        bint draw_from_all=False, int max_depth=0, bint use_depth=False
    ):
        n = x.shape[0]
        numbers = y.dtype.kind == "f"
        codes = np.zeros(n, np.int32) if numbers else y
        cutoff = np.full(nclass, 1 / nclass)
        weights = np.ones(n) if weighted else None
        # C reads these as long as the grower lives.
        self.kept = (x, ncat, y, codes, coef_reg, cutoff, weights)
        self.data = _strided_data(x, ncat)
        self.sampsize = n
        self.n_totals = 2 if numbers else nclass
        self.target = rrf_target(
            y=_ints(codes), nclass=nclass, response=_doubles(y if numbers else None)
        )
        self.params = rrf_params(
            ntree=1, mtry=mtry, nodesize=nodesize,
            max_nodes=2 * n + 1 if max_nodes is None else max_nodes, replace=1,
            sampsize=&self.sampsize, strata=NULL, nstrata=0, classwt=NULL,
            cutoff=_doubles(cutoff), flag_reg=flag_reg, coef_reg=_doubles(coef_reg),
            importance=0, n_perm=1, oob_proximity=0, keep_forest=1, bias_correction=0, quirks=0,
            add_class=0
        )
        self.parallel = rrf_parallel_params(
            seed=0, n_jobs=1, entropy=entropy, penalize_gain=penalize_gain,
            draw_from_all=draw_from_all, max_depth=max_depth, use_depth=use_depth,
            row_weight=_doubles(weights)
        )
        cdef rrf_status status
        cdef _Watch watch = _Watch()
        cdef rrf_monitor *monitor = &watch.monitor
        with nogil:
            status = rrf_worker_new(
                &self.data, &self.target, &self.params, &self.parallel, monitor, &self.grower
            )
        _raise_for(status, watch)

    def __dealloc__(self):
        rrf_worker_free(self.grower)

    def grow(
        self, used, *, uint64_t seed, uint64_t stream=0, count=None, row_weight=None,
        response=None, probability=None
    ):
        """Grows a tree.

        Parameters
        ----------
        used : ndarray of int32, shape (p,)
            1 for a feature in F; what the tree adds is set.
        seed, stream : int
            The random stream.
        count : ndarray of int32, shape (n,), optional
            Times a row is in the bag; drawn with replacement by default.
        row_weight : ndarray of float64, shape (n,), optional
        response : ndarray of float64, shape (n,), optional
            In place of the numbers `y`.
        probability : ndarray of float64, shape (p,), optional
            Chance of a feature outside F to be drawn; 0 forbids it.

        Returns
        -------
        dict
            Packed tree as in `fit_parallel`, and decrease (nodes,) and total (nodes, nclass), for
            numbers (nodes, 2): the weight and the weighted sum of the responses.

        Raises
        ------
        ValueError
            Weights for a grower made with ``weighted=False``, or no row of positive weight.
        """
        cdef _Watch watch = _Watch()
        cdef rrf_tree_request request = rrf_tree_request(
            count=_ints(count), row_weight=_doubles(row_weight), response=_doubles(response),
            probability=_doubles(probability), used=_ints(used), seed=seed, stream=stream,
            monitor=&watch.monitor
        )
        room = rrf_worker_max_nodes(self.grower)
        decrease = np.empty(room)
        total = np.empty((room, self.n_totals))
        cdef rrf_tree_report report = rrf_tree_report(
            decrease=_doubles(decrease), total=_doubles(total)
        )
        cdef rrf_forest trees
        cdef rrf_status status
        rrf_forest_init(&trees)
        try:
            with nogil:
                status = rrf_worker_grow(self.grower, &request, &trees, &report)
            _raise_for(status, watch)
            forest = _forest_arrays(&trees)
        finally:
            rrf_forest_free(&trees)
        size = forest["left"].size
        return forest | {"decrease": decrease[:size].copy(), "total": total[:size].copy()}
