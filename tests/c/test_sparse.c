/* Sparse matrices: values, ranks, fits and predictions are those of the dense matrix; what is no matrix is refused.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "data/make_ranks.h"
#include "random/mersenne.h"
#include "same.h"

enum { COLUMNS = 40, TREES = 6, MAX_ROWS = 70000 };

typedef struct matrix {
    int n, p;
    double *x, *stored;
    int32_t *row, *ncat;
    int64_t *start;
    rrf_data dense, sparse;
} matrix;

static void *buffer(size_t n, size_t size)
{
    void *block = calloc(n + 1, size);
    CHECK(block, "memory");
    return block;
}

/* What a column stores: whole numbers, numbers, zeros of both signs among numbers, numbers below 0, missing ones. */
enum { WHOLE, REAL, ZEROS, NEGATIVE, MISSING, N_STORED };

static double draw_stored(rrf_rng *rng, int kind)
{
    switch (kind) {
    case WHOLE:
        return 1 + rng_below(rng, 4);
    case REAL:
        return rng_uniform(rng) - 0.3;
    case ZEROS:
        return (double[]){0.0, -0.0, 2.5, -2.5}[rng_below(rng, 4)];
    case NEGATIVE:
        return -floor(30.0 * rng_uniform(rng)) / 8.0;
    default:
        return rng_below(rng, 3) ? rng_uniform(rng) : NAN;
    }
}

/* Columns that store nothing, few rows, half of them, all. */
static void make(matrix *m, int n, int p, bool may_miss, rrf_rng *rng)
{
    static const double share[] = {0.0, 0.03, 0.5, 1.0};
    size_t cells = (size_t)n * (size_t)p;
    *m = (matrix){.n = n, .p = p, .x = buffer(cells, sizeof *m->x), .stored = buffer(cells, sizeof *m->stored)};
    m->row = buffer(cells, sizeof *m->row);
    m->ncat = buffer((size_t)p, sizeof *m->ncat);
    m->start = buffer((size_t)p, sizeof *m->start);
    int64_t at = 0;
    for (int feature = 0; feature < p; ++feature) {
        int kind = rng_below(rng, may_miss ? N_STORED : MISSING);
        double filled = share[feature % 4];
        m->ncat[feature] = 1;
        for (int row = 0; row < n; ++row) {
            if (filled == 1.0 || rng_uniform(rng) < filled) {
                m->stored[at] = draw_stored(rng, kind);
                m->row[at] = row;
                m->x[(size_t)feature * (size_t)n + (size_t)row] = m->stored[at++];
            }
        }
        m->start[feature + 1] = at;
    }
    m->dense = (rrf_data){.x = m->x, .n = n, .p = p, .ncat = m->ncat};
    m->sparse =
        (rrf_data){.x = m->stored, .n = n, .p = p, .ncat = m->ncat, .column_start = m->start, .row_index = m->row};
}

static void unmake(matrix *m)
{
    void *blocks[] = {m->x, m->stored, m->row, m->ncat, m->start};
    for (int i = 0; i < COUNT(blocks); ++i) {
        free(blocks[i]);
    }
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_values(const matrix *m)
{
    for (int feature = 0; feature < m->p; ++feature) {
        for (int row = 0; row < m->n; ++row) {
            CHECK(same_value(data_value(&m->sparse, feature, row), data_value(&m->dense, feature, row)),
                  "row %d of column %d", row, feature);
        }
    }
}

static void check_ranks(const matrix *m, ranks_kind kind)
{
    rrf_ranks sparse, dense;
    CHECK(!ranks_alloc(&sparse, &m->sparse, kind) && !ranks_alloc(&dense, &m->dense, kind), "memory");
    CHECK(!ranks_make(&sparse, &m->sparse, NULL) && !ranks_make(&dense, &m->dense, NULL), "not ranked");
    for (int feature = 0; feature < m->p; ++feature) {
        CHECK(sparse.n_ranks[feature] == dense.n_ranks[feature], "%d rows, column %d: %d ranks rather than %d", m->n,
              feature, sparse.n_ranks[feature], dense.n_ranks[feature]);
        CHECK(sparse.n_present[feature] == dense.n_present[feature], "%d rows, column %d: missing", m->n, feature);
        CHECK(sparse.has_ties[feature] == dense.has_ties[feature], "%d rows, column %d: ties", m->n, feature);
        for (int row = 0; row < m->n; ++row) {
            CHECK(rank_of(&sparse, feature, row) == rank_of(&dense, feature, row), "row %d of column %d", row, feature);
        }
    }
    ranks_clear(&sparse);
    ranks_clear(&dense);
}

static void test_ranks_are_those_of_the_dense_matrix(rrf_rng *rng)
{
    static const int sizes[] = {1, 2, 100, 128, 129, 200, 700};
    for (int i = 0; i < COUNT(sizes); ++i) {
        for (int may_miss = 0; may_miss < 2; ++may_miss) {
            matrix m;
            make(&m, sizes[i], COLUMNS, may_miss, rng);
            check_values(&m);
            check_ranks(&m, (ranks_kind){TIES_MERGED, may_miss, false, false});
            check_ranks(&m, (ranks_kind){TIES_MERGED, may_miss, false, true});
            check_ranks(&m, (ranks_kind){TIES_BY_ROW, may_miss, false, false});
            if (!may_miss) {
                check_ranks(&m, (ranks_kind){TIES_LIKE_R, false, false, false});
            }
            unmake(&m);
        }
    }
    matrix wide;
    make(&wide, MAX_ROWS, 4, true, rng);
    check_ranks(&wide, (ranks_kind){TIES_MERGED, true, false, false});
    unmake(&wide);
}

static void test_values_that_are_refused(rrf_rng *rng)
{
    static const int sizes[] = {100, 200};
    static const double refused[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < COUNT(sizes) * COUNT(refused); ++i) {
        for (int may_miss = 0; may_miss < 2; ++may_miss) {
            matrix m;
            rrf_ranks ranks;
            make(&m, sizes[i % 2], COLUMNS, false, rng);
            m.stored[3] = refused[i / 2];
            CHECK(!ranks_alloc(&ranks, &m.sparse, (ranks_kind){TIES_MERGED, may_miss, false, false}), "memory");
            rrf_status expected = may_miss && isnan(m.stored[3]) ? RRF_OK : RRF_ERR_ARGUMENT;
            CHECK(ranks_make(&ranks, &m.sparse, NULL) == expected, "%g", m.stored[3]);
            ranks_clear(&ranks);
            unmake(&m);
        }
    }
}

/* ---- fits ------------------------------------------------------------------------------------------------------------ */

typedef struct outcome {
    rrf_forest forest;
    int32_t *votes, *predicted, *oob_times, *used;
    double *mean, *error, *decrease, *importance, *importance_sd;
    double classwt[2];
    int32_t *of_rows, *test_votes;
    double *of_means, *test_error;
} outcome;

static void outcome_init(outcome *o, const matrix *m)
{
    size_t n = (size_t)m->n, p = (size_t)m->p;
    *o = (outcome){.votes = buffer(2 * n, sizeof *o->votes), .predicted = buffer(n, sizeof *o->predicted)};
    o->oob_times = buffer(n, sizeof *o->oob_times);
    o->used = buffer(p, sizeof *o->used);
    o->mean = buffer(n, sizeof *o->mean);
    o->error = buffer(3 * TREES, sizeof *o->error);
    o->decrease = buffer(p, sizeof *o->decrease);
    o->importance = buffer(3 * p, sizeof *o->importance);
    o->importance_sd = buffer(3 * p, sizeof *o->importance_sd);
    o->of_rows = buffer(n, sizeof *o->of_rows);
    o->of_means = buffer(n, sizeof *o->of_means);
    o->test_votes = buffer(2 * n, sizeof *o->test_votes);
    o->test_error = buffer((size_t)3 * TREES, sizeof *o->test_error);
    rrf_forest_init(&o->forest);
}

static void outcome_free(outcome *o)
{
    void *blocks[] = {o->votes,    o->predicted,  o->oob_times,  o->used,          o->mean,
                      o->error,    o->decrease,   o->importance, o->importance_sd, o->of_rows,
                      o->of_means, o->test_votes, o->test_error};
    for (int i = 0; i < COUNT(blocks); ++i) {
        free(blocks[i]);
    }
    rrf_forest_free(&o->forest);
}

/* n_jobs 0: engine r. */
static void fit(outcome *o, const rrf_data *data, const rrf_target *target, rrf_params *params, int n_jobs)
{
    rrf_parallel_params parallel = {.seed = 5, .n_jobs = n_jobs};
    rrf_status status;
    if (n_jobs) {
        rrf_parallel_result r = {.votes = target->response ? NULL : o->votes,
                                 .predicted = target->response ? NULL : o->predicted,
                                 .mean = target->response ? o->mean : NULL,
                                 .oob_times = o->oob_times,
                                 .error = o->error,
                                 .decrease = o->decrease,
                                 .classwt = o->classwt,
                                 .used = o->used,
                                 .importance = o->importance,
                                 .importance_sd = o->importance_sd};
        status = rrf_fit_parallel(data, target, params, &parallel, NULL, NULL, &o->forest, &r);
    } else {
        rrf_rng rng;
        rrf_rng_seed(&rng, 3);
        rrf_class_result r = {.predicted = o->predicted,
                              .votes = o->votes,
                              .oob_times = o->oob_times,
                              .error = o->error,
                              .decrease = o->decrease,
                              .classwt = o->classwt,
                              .used = o->used,
                              .importance = o->importance,
                              .importance_sd = o->importance_sd,
                              .test_predicted = o->of_rows,
                              .test_votes = o->test_votes,
                              .test_error = o->test_error};
        status = rrf_fit_classification(data, target->y, 2, data, target->y, params, NULL, &rng, NULL, &o->forest, &r);
    }
    CHECK(!status, "%s", rrf_strerror(status));
    rrf_prediction answer = {.predicted = o->of_rows, .votes = o->votes, .mean = o->of_means};
    CHECK(!rrf_predict(&o->forest, data, target->nclass, NULL, 0, NULL, 2, NULL, &answer), "no prediction");
}

static void compare_fits(const char *name, const matrix *m, const rrf_target *target, rrf_params *params, int n_jobs)
{
    outcome sparse, dense;
    size_t n = (size_t)m->n, p = (size_t)m->p, measures = target->response ? 1 : 3;
    outcome_init(&sparse, m);
    outcome_init(&dense, m);
    fit(&sparse, &m->sparse, target, params, n_jobs);
    fit(&dense, &m->dense, target, params, n_jobs ? 1 : 0);
    same_forest(name, &sparse.forest, &dense.forest);
    same_ints(name, "votes", sparse.votes, dense.votes, 2 * n);
    same_ints(name, "predicted", sparse.predicted, dense.predicted, n);
    same_ints(name, "oob_times", sparse.oob_times, dense.oob_times, n);
    same_ints(name, "used", sparse.used, dense.used, p);
    same_doubles(name, "mean", sparse.mean, dense.mean, n);
    same_doubles(name, "decrease", sparse.decrease, dense.decrease, p);
    same_doubles(name, "importance", sparse.importance, dense.importance, measures * p);
    same_ints(name, "test votes", sparse.test_votes, dense.test_votes, 2 * n);
    same_doubles(name, "test error", sparse.test_error, dense.test_error, (size_t)TREES * 3);
    same_ints(name, "of rows", sparse.of_rows, dense.of_rows, n);
    same_doubles(name, "of means", sparse.of_means, dense.of_means, n);
    outcome_free(&sparse);
    outcome_free(&dense);
}

static void test_fits_are_those_of_the_dense_matrix(rrf_rng *rng)
{
    static const int sizes[] = {60, 300};
    static const double cutoff[] = {0.5, 0.5}, classwt[] = {1.0, 3.7};
    for (int i = 0; i < 2 * COUNT(sizes); ++i) {
        matrix m;
        int n = sizes[i / 2];
        make(&m, n, COLUMNS, i % 2, rng);
        int32_t *y = buffer((size_t)n, sizeof *y), *zeros = buffer((size_t)n, sizeof *zeros), sampsize = n;
        double *response = buffer((size_t)n, sizeof *response), coef[COLUMNS];
        for (int row = 0; row < n; ++row) {
            double signal = m.x[2 * n + row];
            response[row] = rng_uniform(rng) + (isnan(signal) ? 1.0 : signal);
            y[row] = row < 2 ? row : response[row] > 0.5;
        }
        for (int feature = 0; feature < COLUMNS; ++feature) {
            coef[feature] = 0.8;
        }
        rrf_params params;
        rrf_params_init(&params);
        params.ntree = TREES;
        params.mtry = 6;
        params.max_nodes = 2 * n + 1;
        params.sampsize = &sampsize;
        params.cutoff = cutoff;
        params.coef_reg = coef;
        params.importance = 1;
        for (int weighted = 0; weighted < 2; ++weighted) {
            params.classwt = weighted ? classwt : NULL;
            compare_fits("classes", &m, &(rrf_target){y, 2, NULL}, &params, 1);
            compare_fits("classes, threads", &m, &(rrf_target){y, 2, NULL}, &params, 3);
            if (i % 2 == 0) {
                compare_fits("classes of engine r", &m, &(rrf_target){y, 2, NULL}, &params, 0);
            }
        }
        compare_fits("numbers", &m, &(rrf_target){zeros, 1, response}, &params, 2);
        free(y);
        free(zeros);
        free(response);
        unmake(&m);
    }
}

/* ---- what is no matrix ----------------------------------------------------------------------------------------------- */

#define REFUSED(field, engine, what)                                                                                   \
    {                                                                                                                  \
        int64_t start[] = {0, 2, 2, 4};                                                                                \
        int32_t row[] = {0, 3, 1, 2}, ncat[] = {1, 1, 1}, y[] = {0, 1, 0, 1, 0, 0}, zeros[6] = {0};                    \
        double value[] = {1.0, 2.0, 3.0, 4.0}, number[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};                              \
        rrf_data data = {.x = value, .n = 6, .p = 3, .ncat = ncat, .column_start = start, .row_index = row};           \
        rrf_target target = {y, 2, NULL}, numbers = {zeros, 1, number};                                                \
        rrf_params params;                                                                                             \
        rrf_params_init(&params);                                                                                      \
        params.mtry = 1;                                                                                               \
        params.sampsize = (int32_t[]){6};                                                                              \
        params.coef_reg = (double[]){1.0, 1.0, 1.0};                                                                   \
        (void)numbers;                                                                                                 \
        what;                                                                                                          \
        const char *named = NULL;                                                                                      \
        rrf_status status = rrf_params_check(&data, &target, &params, engine, &named);                                 \
        CHECK(field ? status == RRF_ERR_ARGUMENT &&named && !strcmp(named, field) : !status, "%s: %s", #what,          \
              named ? named : "taken");                                                                                \
    }

static const rrf_parallel_params one_thread = {.n_jobs = 1};

static void test_what_is_refused(void)
{
    const char *taken = NULL;
    REFUSED(taken, NULL, (void)0)
    REFUSED(taken, &one_thread, (void)0)
    REFUSED(taken, &one_thread, target = numbers)
    REFUSED("x", NULL, target = numbers)
    REFUSED("x", NULL, params.add_class = 1)
    REFUSED("x", &one_thread, data.x = NULL)
    REFUSED("x", &one_thread, data.row_step = 1)
    REFUSED("row_index", &one_thread, data.row_index = NULL)
    REFUSED("row_index", NULL, row[1] = 0)
    REFUSED("row_index", &one_thread, row[3] = 6)
    REFUSED("row_index", &one_thread, row[2] = -1)
    REFUSED("column_start", &one_thread, start[0] = 1)
    REFUSED("column_start", NULL, start[1] = 3)
    REFUSED("ncat", &one_thread, ncat[1] = 3)
}

int main(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 11);
    test_ranks_are_those_of_the_dense_matrix(&rng);
    test_values_that_are_refused(&rng);
    test_fits_are_those_of_the_dense_matrix(&rng);
    test_what_is_refused();
    return 0;
}
