/* The public header misused: a field that is missing or out of its range is named, and no entry begins; under the
 * sanitizers, so that nothing is read or written on the way.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "rrf.h"

enum { ROWS = 12, COLUMNS = 3, TREES = 2 };

/* What a correct call passes; each case spoils one field. */
typedef struct call {
    double x[ROWS * COLUMNS], coef[COLUMNS], classwt[2], cutoff[2], weight[ROWS], response[ROWS];
    int32_t y[ROWS], ncat[COLUMNS], group[COLUMNS], sampsize[2], strata[ROWS];
    rrf_data data;
    rrf_target target;
    rrf_params params;
    rrf_parallel_params parallel;
} call;

static void make(call *c)
{
    memset(c, 0, sizeof *c);
    for (int row = 0; row < ROWS; ++row) {
        c->y[row] = row % 2;
        c->response[row] = row;
        c->strata[row] = row / 6;
        c->weight[row] = 1.0;
        c->x[row] = row * 7 % 12;
        c->x[ROWS + row] = 1 + row % 3;
        c->x[2 * ROWS + row] = row / 2;
    }
    for (int feature = 0; feature < COLUMNS; ++feature) {
        c->ncat[feature] = feature == 1 ? 3 : 1;
        c->coef[feature] = 0.8;
    }
    c->classwt[0] = c->classwt[1] = c->cutoff[0] = c->cutoff[1] = 0.5;
    c->sampsize[0] = ROWS;
    c->sampsize[1] = 6;
    c->data = (rrf_data){.x = c->x, .n = ROWS, .p = COLUMNS, .ncat = c->ncat};
    c->target = (rrf_target){.y = c->y, .nclass = 2};
    rrf_params_init(&c->params);
    rrf_parallel_params_init(&c->parallel);
    c->params.ntree = TREES;
    c->params.mtry = 2;
    c->params.sampsize = c->sampsize;
    c->params.coef_reg = c->coef;
    c->params.feature_group = c->group;
    c->params.cutoff = c->cutoff;
    c->params.classwt = c->classwt;
}

/* ---- the entries ----------------------------------------------------------------------------------------------------- */

static rrf_status fit_r(call *c)
{
    static double error[TREES * 3], decrease[COLUMNS], classwt[2], mean[ROWS];
    int32_t predicted[ROWS], votes[ROWS * 2], oob_times[ROWS], used[COLUMNS] = {0};
    rrf_rng rng;
    rrf_forest forest;
    rrf_class_result classes = {.predicted = predicted,
                                .votes = votes,
                                .oob_times = oob_times,
                                .error = error,
                                .decrease = decrease,
                                .classwt = classwt,
                                .used = used};
    rrf_regression_result numbers = {
        .mean = mean, .oob_times = oob_times, .error = error, .decrease = decrease, .used = used};
    rrf_rng_seed(&rng, 1);
    rrf_forest_init(&forest);
    rrf_status status = c->target.response ? rrf_fit_regression(&c->data, c->target.response, NULL, NULL, &c->params,
                                                                NULL, &rng, NULL, &forest, &numbers)
                                           : rrf_fit_classification(&c->data, c->target.y, c->target.nclass, NULL, NULL,
                                                                    &c->params, NULL, &rng, NULL, &forest, &classes);
    rrf_forest_free(&forest);
    return status;
}

static rrf_status fit_parallel(call *c)
{
    static double error[TREES * 3], decrease[COLUMNS], classwt[2], mean[ROWS];
    int32_t predicted[ROWS], votes[ROWS * 2], oob_times[ROWS], used[COLUMNS] = {0};
    rrf_forest forest;
    rrf_parallel_result result = {.votes = votes,
                                  .predicted = predicted,
                                  .mean = mean,
                                  .oob_times = oob_times,
                                  .error = error,
                                  .decrease = decrease,
                                  .classwt = classwt,
                                  .used = used};
    rrf_forest_init(&forest);
    rrf_status status = rrf_fit_parallel(&c->data, &c->target, &c->params, &c->parallel, NULL, NULL, &forest, &result);
    rrf_forest_free(&forest);
    return status;
}

static rrf_status make_worker(call *c)
{
    rrf_worker *worker;
    rrf_status status = rrf_worker_new(&c->data, &c->target, &c->params, &c->parallel, NULL, NULL, &worker);
    CHECK(!status == (worker != NULL), "a worker comes with success only");
    rrf_worker_free(worker);
    return status;
}

/* ---- the cases ------------------------------------------------------------------------------------------------------- */

typedef enum engines { BOTH, R_ONLY, PARALLEL_ONLY } engines;

/* Spoils a call; `field`: what rrf_params_check names, NULL for what only ranking sees. */
#define SPOILED(field, engines, what)                                                                                  \
    {                                                                                                                  \
        call c;                                                                                                        \
        make(&c);                                                                                                      \
        what;                                                                                                          \
        check_refused(&c, field, engines, #what);                                                                      \
    }

static void check_named(const call *c, const rrf_parallel_params *parallel, const char *field, const char *what)
{
    const char *named = NULL;
    rrf_status status = rrf_params_check(&c->data, &c->target, &c->params, parallel, &named);
    CHECK(status == (field ? RRF_ERR_ARGUMENT : RRF_OK), "%s: %d", what, status);
    CHECK(field ? named && !strcmp(named, field) : !named, "%s: named %s", what, named ? named : "nothing");
}

static void check_refused(call *c, const char *field, engines engines, const char *what)
{
    long live = alloc_live();
    if (engines != PARALLEL_ONLY) {
        check_named(c, NULL, field, what);
        CHECK(fit_r(c) == RRF_ERR_ARGUMENT, "%s: R's engine took it", what);
    }
    if (engines != R_ONLY) {
        check_named(c, &c->parallel, field, what);
        CHECK(fit_parallel(c) == RRF_ERR_ARGUMENT, "%s: the parallel engine took it", what);
        CHECK(make_worker(c) == RRF_ERR_ARGUMENT, "%s: a worker took it", what);
    }
    CHECK(alloc_live() == live, "%s: memory is left behind", what);
}

static void make_numbers(call *c)
{
    c->target.nclass = 1;
    c->target.response = c->response;
    memset(c->y, 0, sizeof c->y);
}

static void stratify(call *c)
{
    c->params.strata = c->strata;
    c->params.nstrata = 2;
    c->sampsize[0] = 6;
}

/* As CRAN randomForest. */
static void make_forest(call *c)
{
    c->params.random_forest = 1;
    c->params.flag_reg = 0;
    c->params.coef_reg = NULL;
    c->params.feature_group = NULL;
}

static void test_data(void)
{
    SPOILED("x", BOTH, c.data.x = NULL)
    SPOILED("n", BOTH, c.data.n = 0)
    SPOILED("n", BOTH, c.data.n = (1 << 30) + 1)
    SPOILED("n", BOTH, c.data.n = INT32_MAX)
    SPOILED("p", BOTH, c.data.p = 0)
    SPOILED("ncat", BOTH, c.data.ncat = NULL)
    SPOILED("ncat", R_ONLY, c.ncat[1] = 33)
    SPOILED("ncat", BOTH, c.ncat[1] = 65537)
    SPOILED("ncat", BOTH, c.ncat[0] = 0)
    SPOILED("x", BOTH, c.x[ROWS] = 4.0)
    SPOILED("x", BOTH, c.x[ROWS] = 0.0)
    SPOILED("x", BOTH, c.x[ROWS + 1] = 1.5)
    SPOILED("x", BOTH, c.x[ROWS + 2] = NAN)
    SPOILED("x", R_ONLY, c.data.row_step = 1)
    SPOILED(NULL, R_ONLY, c.x[3] = NAN)
    SPOILED(NULL, BOTH, c.x[3] = INFINITY)
    SPOILED("y", BOTH, c.target.y = NULL)
    SPOILED("y", BOTH, c.y[3] = 2)
    SPOILED("y", BOTH, c.y[3] = -1)
    SPOILED("nclass", BOTH, c.target.nclass = 1)
    SPOILED("response", BOTH, make_numbers(&c); c.response[2] = NAN)
    SPOILED("response", PARALLEL_ONLY, make_numbers(&c); c.response[2] = 1e308)
    SPOILED("response", PARALLEL_ONLY, make_numbers(&c); c.response[2] = -1e307)
}

static void test_params(void)
{
    SPOILED("ntree", BOTH, c.params.ntree = 0)
    SPOILED("mtry", BOTH, c.params.mtry = 0)
    SPOILED("mtry", R_ONLY, c.params.mtry = COLUMNS + 1)
    SPOILED("nodesize", BOTH, c.params.nodesize = -1)
    SPOILED("max_nodes", BOTH, c.params.max_nodes = 4)
    SPOILED("max_nodes", BOTH, c.params.max_nodes = -1)
    SPOILED("max_nodes", BOTH, make_numbers(&c); c.params.max_nodes = 0)
    SPOILED("n_perm", BOTH, c.params.importance = 1; c.params.n_perm = 0)
    SPOILED("coef_reg", BOTH, c.params.coef_reg = NULL)
    SPOILED("coef_reg", BOTH, c.coef[2] = NAN)
    SPOILED("coef_reg", PARALLEL_ONLY, c.coef[2] = 1.5)
    SPOILED("feature_group", BOTH, c.group[1] = COLUMNS)
    SPOILED("feature_group", BOTH, c.group[0] = -1)
    SPOILED("feature_group", BOTH, c.params.flag_reg = 0)
    SPOILED("classwt", BOTH, c.classwt[0] = 0.0)
    SPOILED("cutoff", BOTH, c.cutoff[1] = 0.0)
    SPOILED("n_jobs", PARALLEL_ONLY, c.parallel.n_jobs = -1)
    SPOILED("n_jobs", R_ONLY, c.params.n_jobs = -1)
    SPOILED("max_depth", PARALLEL_ONLY, c.parallel.max_depth = -1)
    SPOILED("criterion", PARALLEL_ONLY, c.parallel.criterion = RRF_VARIANCE)
    SPOILED("criterion", PARALLEL_ONLY, make_numbers(&c); c.parallel.criterion = RRF_ENTROPY)
    SPOILED("criterion", PARALLEL_ONLY, c.parallel.criterion = RRF_N_CRITERIA)
    SPOILED("criterion", PARALLEL_ONLY, c.parallel.criterion = (rrf_criterion)-1)
    SPOILED("penalty", PARALLEL_ONLY, c.parallel.penalty = RRF_N_PENALTIES)
    SPOILED("penalty", PARALLEL_ONLY, c.parallel.penalty = (rrf_penalty)-1)
    SPOILED("row_weight", PARALLEL_ONLY, c.weight[1] = -1.0; c.parallel.row_weight = c.weight)
}

static void test_random_forest(void)
{
    SPOILED("random_forest", BOTH, c.params.random_forest = 1)
    SPOILED("random_forest", R_ONLY, make_forest(&c); c.params.quirks = 0)
    SPOILED("random_forest", PARALLEL_ONLY, make_forest(&c))
    SPOILED("case_weight", BOTH, c.params.case_weight = c.weight)
    SPOILED("case_weight", R_ONLY, make_forest(&c); c.params.case_weight = c.weight; c.weight[3] = 0.0)
    SPOILED("case_weight", R_ONLY, make_forest(&c); c.params.case_weight = c.weight; c.weight[3] = NAN)
    SPOILED("case_weight", R_ONLY, make_forest(&c); c.params.case_weight = c.weight; c.params.add_class = 1)
    SPOILED("ncat", R_ONLY, make_forest(&c); c.ncat[1] = 54)
}

static void test_samples(void)
{
    SPOILED("sampsize", BOTH, c.params.sampsize = NULL)
    SPOILED("sampsize", BOTH, c.sampsize[0] = 0)
    SPOILED("sampsize", BOTH, c.params.replace = 0; c.sampsize[0] = ROWS + 1)
    SPOILED("sampsize", BOTH, make_numbers(&c); c.params.replace = 0; c.sampsize[0] = ROWS + 1)
    SPOILED("sampsize", BOTH, stratify(&c); c.params.replace = 0; c.sampsize[1] = 7)
    SPOILED("sampsize", BOTH, stratify(&c); memset(c.strata, 0, sizeof c.strata))
    SPOILED("sampsize", BOTH, stratify(&c); c.sampsize[0] = -1)
    SPOILED("strata", BOTH, stratify(&c); c.strata[4] = 2)
    SPOILED("nstrata", BOTH, stratify(&c); c.params.nstrata = 0)
}

/* The same calls unspoiled, or there would be nothing to tell apart. */
static void test_taken(void)
{
    for (int numbers = 0; numbers < 2; ++numbers) {
        for (int strata = 0; strata < 2; ++strata) {
            call c;
            make(&c);
            if (numbers) {
                make_numbers(&c);
            }
            if (strata) {
                stratify(&c);
            }
            check_named(&c, NULL, NULL, "taken");
            check_named(&c, &c.parallel, NULL, "taken");
            CHECK(!fit_r(&c) && !fit_parallel(&c) && !make_worker(&c), "taken");
            make_forest(&c);
            for (int row = 0; row < ROWS; ++row) {
                c.weight[row] = 1.0 / ROWS;
            }
            c.params.case_weight = c.weight;
            check_named(&c, NULL, NULL, "taken as randomForest");
            CHECK(!fit_r(&c), "taken as randomForest");
        }
    }
}

int main(void)
{
    test_taken();
    test_data();
    test_params();
    test_samples();
    test_random_forest();
    return 0;
}
