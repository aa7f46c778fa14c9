/* Ranks that several fits share: each answers as if it had ranked the columns itself, also when they run side by side;
 * ranks of other data are refused; every allocation may fail.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>

#include "alloc.h"
#include "check.h"
#include "problem.h"
#include "random/mersenne.h"
#include "same.h"

/* ROWS: enough for sorted rows to be kept. */
enum { ROWS = 600, COLUMNS = 9, TREES = 3, THREADS = 4 };

static double x[ROWS * COLUMNS], response[ROWS], coef[COLUMNS];
static int32_t y[ROWS], ncat[COLUMNS];

/* What stands for a fit: an engine and its results. */
typedef enum kind { R_CLASSES, R_NUMBERS, PARALLEL_CLASSES, PARALLEL_NUMBERS, N_KINDS } kind;

typedef struct fit {
    kind kind;
    const rrf_data *data;
    const rrf_ranks *ranks;
    int32_t predicted[ROWS], votes[ROWS * 2], oob_times[ROWS], used[COLUMNS];
    double mean[ROWS], error[TREES * 3], decrease[COLUMNS], classwt[2];
    rrf_forest forest;
    rrf_rng rng;
    rrf_status status;
} fit;

static void make_data(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int feature = 0; feature < COLUMNS; ++feature) {
        ncat[feature] = feature == 4 ? 5 : 1;
        coef[feature] = 0.7;
    }
    for (int row = 0; row < ROWS; ++row) {
        y[row] = rng_below(&rng, 2);
        response[row] = y[row] + rng_uniform(&rng);
        for (int feature = 0; feature < COLUMNS; ++feature) {
            double value = rng_uniform(&rng) + (feature < 3 ? 0.3 * y[row] : 0.0);
            bool tied = feature % 2 == 1;
            x[feature * ROWS + row] = feature == 4 ? 1 + rng_below(&rng, 5) : tied ? floor(20.0 * value) : value;
        }
    }
}

static bool is_parallel(kind kind)
{
    return kind == PARALLEL_CLASSES || kind == PARALLEL_NUMBERS;
}

static rrf_target target_of(kind kind)
{
    static const int32_t zeros[ROWS];
    bool numbers = kind == R_NUMBERS || kind == PARALLEL_NUMBERS;
    return numbers ? (rrf_target){zeros, 1, response} : (rrf_target){y, 2, NULL};
}

static rrf_params params_of(const rrf_data *data)
{
    static const int32_t sampsize = ROWS;
    static const double cutoff[] = {0.5, 0.5};
    return (rrf_params){.ntree = TREES,
                        .mtry = 3,
                        .nodesize = 1,
                        .max_nodes = 2 * data->n + 1,
                        .replace = 1,
                        .sampsize = &sampsize,
                        .cutoff = cutoff,
                        .flag_reg = 1,
                        .coef_reg = coef,
                        .n_perm = 1,
                        .keep_forest = 1};
}

static const rrf_parallel_params two_threads = {.seed = 3, .n_jobs = 2};

static void fit_classes(fit *f, const rrf_params *params)
{
    rrf_class_result result = {.predicted = f->predicted,
                               .votes = f->votes,
                               .oob_times = f->oob_times,
                               .error = f->error,
                               .decrease = f->decrease,
                               .classwt = f->classwt,
                               .used = f->used};
    f->status = rrf_fit_classification(f->data, y, 2, NULL, NULL, params, f->ranks, &f->rng, NULL, &f->forest, &result);
}

static void fit_numbers(fit *f, const rrf_params *params)
{
    rrf_regression_result result = {
        .mean = f->mean, .oob_times = f->oob_times, .error = f->error, .decrease = f->decrease, .used = f->used};
    f->status = rrf_fit_regression(f->data, response, NULL, NULL, params, f->ranks, &f->rng, NULL, &f->forest, &result);
}

static void fit_parallel(fit *f, const rrf_params *params)
{
    rrf_target target = target_of(f->kind);
    rrf_parallel_result result = {.votes = f->votes,
                                  .predicted = f->predicted,
                                  .mean = f->mean,
                                  .oob_times = f->oob_times,
                                  .error = f->error,
                                  .decrease = f->decrease,
                                  .classwt = f->classwt,
                                  .used = f->used};
    f->status = rrf_fit_parallel(f->data, &target, params, &two_threads, f->ranks, NULL, &f->forest, &result);
}

static void *run(void *context)
{
    fit *f = context;
    rrf_params params = params_of(f->data);
    memset(f->used, 0, sizeof f->used);
    rrf_forest_init(&f->forest);
    rrf_rng_seed(&f->rng, 7);
    if (is_parallel(f->kind)) {
        fit_parallel(f, &params);
    } else if (f->kind == R_NUMBERS) {
        fit_numbers(f, &params);
    } else {
        fit_classes(f, &params);
    }
    return NULL;
}

static rrf_status make_ranks(kind kind, const rrf_data *data, rrf_ranks **ranks)
{
    rrf_target target = target_of(kind);
    rrf_params params = params_of(data);
    return rrf_ranks_new(data, &target, &params, is_parallel(kind) ? &two_threads : NULL, NULL, ranks);
}

static fit *new_fit(kind kind, const rrf_data *data, const rrf_ranks *ranks)
{
    fit *f = calloc(1, sizeof *f);
    CHECK(f, "memory");
    f->kind = kind;
    f->data = data;
    f->ranks = ranks;
    return f;
}

static void free_fit(fit *f)
{
    rrf_forest_free(&f->forest);
    free(f);
}

static const char *const kind_name[] = {"R, classes", "R, numbers", "parallel, classes", "parallel, numbers"};

static void check_same(const fit *f, const fit *own)
{
    const char *name = kind_name[f->kind];
    CHECK(f->status == RRF_OK && own->status == RRF_OK, "%s: status %d, %d", name, f->status, own->status);
    same_forest(name, &f->forest, &own->forest);
    same_doubles(name, "decrease", f->decrease, own->decrease, (size_t)f->data->p);
    same_ints(name, "used", f->used, own->used, (size_t)f->data->p);
    same_stream(name, &f->rng, &own->rng);
}

/* Several threads fit on one object. */
static void check_shared(kind kind, const rrf_data *data, const rrf_ranks *ranks)
{
    fit *own = new_fit(kind, data, NULL), *shared[THREADS];
    pthread_t thread[THREADS];
    run(own);
    for (int i = 0; i < THREADS; ++i) {
        shared[i] = new_fit(kind, data, ranks);
        CHECK(!pthread_create(thread + i, NULL, run, shared[i]), "a thread");
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(thread[i], NULL);
        check_same(shared[i], own);
        free_fit(shared[i]);
    }
    free_fit(own);
}

/* Columns 8, 4 and 1 by themselves. */
static void check_selected(kind kind, const rrf_ranks *ranks)
{
    static const int32_t features[] = {8, 4, 1}, wrong[] = {0, COLUMNS};
    static double part[ROWS * 3];
    static int32_t levels[3];
    for (int i = 0; i < 3; ++i) {
        memcpy(part + i * ROWS, x + features[i] * ROWS, ROWS * sizeof *part);
        levels[i] = ncat[features[i]];
    }
    rrf_data data = {.x = part, .n = ROWS, .p = 3, .ncat = levels};
    rrf_ranks *selected;
    CHECK(rrf_ranks_select(ranks, wrong, 2, &selected) == RRF_ERR_ARGUMENT && !selected, "a feature beyond the last");
    CHECK(rrf_ranks_select(ranks, features, 0, &selected) == RRF_ERR_ARGUMENT && !selected, "no feature");
    for (long i = 1; alloc_fail_at(i, 0), rrf_ranks_select(ranks, features, 3, &selected); ++i) {
        CHECK(!selected, "%s: selected without memory", kind_name[kind]);
    }
    alloc_fail_at(0, 0);
    check_shared(kind, &data, selected);
    rrf_ranks_free(selected);
}

static void check_refused(kind kind, const rrf_data *data, const rrf_ranks *ranks)
{
    int32_t other_levels[COLUMNS];
    memcpy(other_levels, ncat, sizeof other_levels);
    other_levels[4] = 6;
    rrf_data fewer = *data, other = *data;
    fewer.p = COLUMNS - 1;
    other.ncat = other_levels;
    const rrf_data *refused[] = {&fewer, &other};
    for (int i = 0; i < 2; ++i) {
        fit *f = new_fit(kind, refused[i], ranks);
        run(f);
        CHECK(f->status == RRF_ERR_ARGUMENT, "%s: ranks of other columns: %d", kind_name[kind], f->status);
        free_fit(f);
    }
    for (int k = 0; k < N_KINDS; ++k) {
        fit *f = new_fit((enum kind)k, data, ranks);
        rrf_status expected = k == (int)kind ? RRF_OK : RRF_ERR_ARGUMENT;
        run(f);
        CHECK(f->status == expected, "%s: ranks of %s: %d", kind_name[k], kind_name[kind], f->status);
        free_fit(f);
    }
}

int main(void)
{
    make_data();
    rrf_data data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat};
    for (int k = 0; k < N_KINDS; ++k) {
        rrf_ranks *ranks;
        for (long i = 1; alloc_fail_at(i, 0), make_ranks((kind)k, &data, &ranks); ++i) {
            alloc_fail_at(0, 0);
            CHECK(!ranks, "%s: ranked without memory", kind_name[k]);
        }
        alloc_fail_at(0, 0);
        check_shared((kind)k, &data, ranks);
        check_selected((kind)k, ranks);
        check_refused((kind)k, &data, ranks);
        rrf_ranks_free(ranks);
    }
    rrf_ranks_free(NULL);
    return 0;
}
