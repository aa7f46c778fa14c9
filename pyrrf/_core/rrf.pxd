# SPDX-License-Identifier: GPL-2.0-or-later
"""Declarations of src_c/rrf.h for Cython."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "rrf.h" nogil:
    ctypedef enum rrf_status:
        RRF_OK
        RRF_ERR_MEMORY
        RRF_ERR_INTERRUPT
        RRF_ERR_NO_SPLIT
        RRF_ERR_ARGUMENT
        RRF_ERR_ONE_CLASS

    enum:
        RRF_MT_WORDS

    ctypedef struct rrf_rng:
        uint32_t state[624]
        int position
        int rounding

    void rrf_rng_seed(rrf_rng *rng, uint32_t seed)
    void rrf_rng_restore(rrf_rng *rng, int position, const uint32_t *state)
    double rrf_rng_uniform(rrf_rng *rng)
    double rrf_rng_normal(rrf_rng *rng)
    rrf_status rrf_sample(
        rrf_rng *rng, int64_t n, int64_t size, int replace, const double *prob, int64_t *out
    )

    ctypedef enum rrf_law:
        RRF_UNIFORM
        RRF_NORMAL
        RRF_LOG_NORMAL
        RRF_EXPONENTIAL
        RRF_LOGISTIC
        RRF_CAUCHY
        RRF_WEIBULL
        RRF_GAMMA
        RRF_BETA
        RRF_CHI_SQUARED
        RRF_SHIFTED_CHI_SQUARED
        RRF_STUDENT
        RRF_FISHER
        RRF_BINOMIAL
        RRF_POISSON
        RRF_GEOMETRIC
        RRF_NEGATIVE_BINOMIAL
        RRF_NEGATIVE_BINOMIAL_OF_MEAN

    ctypedef struct rrf_parameter:
        const double *value
        int64_t count

    rrf_status rrf_draw(
        rrf_rng *rng, rrf_law law, rrf_parameter a, rrf_parameter b, int64_t n, double *out
    )
    rrf_status rrf_multinomial(rrf_rng *rng, int size, const double *prob, int k, int32_t *out)

    const char *rrf_strerror(rrf_status status)

    ctypedef struct rrf_data:
        const double *x
        int n
        int p
        const int32_t *ncat
        const float *x32
        ptrdiff_t row_step
        ptrdiff_t feature_step
        const int64_t *column_start
        const int32_t *row_index

    ctypedef struct rrf_forest:
        int64_t *offset
        int32_t *left
        int32_t *split_var
        double *split_point
        int32_t *status
        double *prediction
        uint8_t *missing_left
        int64_t *set_offset
        uint32_t *level_set
        int64_t capacity
        int64_t set_capacity
        int ntree

    void rrf_forest_init(rrf_forest *forest)
    void rrf_forest_free(rrf_forest *forest)

    ctypedef struct rrf_forest_fault:
        const char *rule
        int tree
        int node

    rrf_status rrf_forest_check(
        const rrf_forest *forest, int64_t n_nodes, int p, const int32_t *ncat, int nclass,
        rrf_forest_fault *fault
    )

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
        const int32_t *feature_group
        int importance
        int n_perm
        int oob_proximity
        int keep_forest
        int bias_correction
        int quirks
        int random_forest
        const double *case_weight
        int n_jobs
        int add_class

    void rrf_params_init(rrf_params *params)

    ctypedef struct rrf_monitor:
        int (*poll)(void *context) noexcept nogil
        int (*tree)(void *context, int trees_grown) noexcept nogil
        void *context

    ctypedef struct rrf_target:
        const int32_t *y
        int nclass
        const double *response

    ctypedef enum rrf_criterion:
        RRF_CRITERION_OF_R

    ctypedef enum rrf_penalty:
        RRF_PENALIZE_CRITERION

    ctypedef struct rrf_parallel_params:
        uint64_t seed, first_tree
        int n_jobs
        rrf_criterion criterion
        rrf_penalty penalty
        int draw_from_all
        int max_depth
        int use_depth
        int draw_until_split
        int ties_first
        int depth_first
        const double *row_weight

    rrf_status rrf_params_check(
        const rrf_data *data, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const char **field
    )

    ctypedef struct rrf_ranks:
        pass

    rrf_status rrf_ranks_new(
        const rrf_data *data, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const rrf_monitor *monitor, rrf_ranks **ranks
    )
    rrf_status rrf_ranks_select(
        const rrf_ranks *ranks, const int32_t *features, int n_features, rrf_ranks **selected
    )
    void rrf_ranks_free(rrf_ranks *ranks)
    void rrf_sort(double *values, int32_t *index, int n)

    ctypedef struct rrf_class_result:
        int32_t *predicted
        int32_t *votes
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
        int32_t *test_predicted
        int32_t *test_votes
        double *test_error
        double *test_proximity

    rrf_status rrf_fit_classification(
        const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test,
        const int32_t *ytest, const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
        const rrf_monitor *monitor,
        rrf_forest *forest, rrf_class_result *result
    )
    ctypedef struct rrf_test_rows:
        const rrf_data *data
        const int32_t *y
        const double *response
        int32_t *votes
        int32_t *predicted
        double *mean
        double *error

    ctypedef struct rrf_splits:
        int64_t n
        int32_t *feature
        double *decrease

    void rrf_splits_init(rrf_splits *splits)
    void rrf_splits_free(rrf_splits *splits)

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
        rrf_test_rows *test
        rrf_splits *splits
        int64_t regrown
        int64_t searched
        int64_t repeated

    rrf_status rrf_fit_parallel(
        const rrf_data *train, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
        rrf_forest *forest,
        rrf_parallel_result *result
    )

    ctypedef struct rrf_prediction:
        int32_t *votes
        int32_t *predicted
        double *mean
        double *individual
        int32_t *nodes
        double *proximity

    ctypedef enum rrf_ties:
        RRF_TIES_INTENDED
        RRF_TIES_RRF
        RRF_TIES_RANDOM_FOREST

    rrf_status rrf_predict(
        const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, rrf_ties ties,
        rrf_rng *rng, int n_jobs, const rrf_monitor *monitor, rrf_prediction *out
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

    ctypedef struct rrf_gains:
        int most
        int64_t *offset
        int32_t *feature
        double *gain

    void rrf_gains_init(rrf_gains *gains)
    void rrf_gains_free(rrf_gains *gains)

    ctypedef struct rrf_tree_report:
        double *decrease
        double *total
        int32_t *distinct
        int32_t *leaves
        double *outside
        rrf_gains *gains

    rrf_status rrf_worker_new(
        const rrf_data *train, const rrf_target *target, const rrf_params *params,
        const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
        rrf_worker **worker
    )
    void rrf_worker_free(rrf_worker *worker)
    int rrf_worker_max_nodes(const rrf_worker *worker)
    rrf_status rrf_worker_grow(
        rrf_worker *worker, const rrf_tree_request *request, rrf_forest *forest,
        const rrf_tree_report *report
    )

    ctypedef struct rrf_regression_result:
        double *mean
        int32_t *oob_times
        double *error
        double *decrease
        int32_t *used
        double *coef
        double *importance
        double *importance_sd
        double *local_importance
        double *proximity
        int32_t *inbag
        double *test_mean
        double *test_error
        double *test_proximity

    rrf_status rrf_fit_regression(
        const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
        const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng, const rrf_monitor *monitor,
        rrf_forest *forest,
        rrf_regression_result *result
    )
