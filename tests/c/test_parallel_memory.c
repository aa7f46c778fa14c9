/* What the parallel engine leaves behind when memory is short or the caller stops it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "random/mersenne.h"
#include "random/splitmix.h"
#include "same.h"
#include "stopper.h"

/* Bags of 256 rows get sorted streams, and more draws than 16 bits hold get wide counts. */
enum { ROWS = 300, COLUMNS = 8, TREES = 4, CLASSES = 3, DRAWN = 280, WIDE_DRAWN = 33000, MAX_NODES = 31 };

typedef struct memory_case {
    const char *name;
    int nclass;
    bool numbers, factors, missing, weights, strata, groups;
    int sampsize, replace;
} memory_case;

/* Between them they ask for every array of the parallel engine. */
static const memory_case cases[] = {
    {.name = "two classes", .nclass = 2, .sampsize = DRAWN},
    {.name = "three classes", .nclass = 3, .factors = true, .missing = true, .groups = true, .sampsize = DRAWN},
    {.name = "numbers",
     .nclass = 1,
     .numbers = true,
     .factors = true,
     .missing = true,
     .weights = true,
     .sampsize = DRAWN},
    {.name = "weights and strata",
     .nclass = 2,
     .missing = true,
     .weights = true,
     .strata = true,
     .sampsize = DRAWN / 2},
    {.name = "wide counts", .nclass = 2, .missing = true, .sampsize = WIDE_DRAWN, .replace = 1}};

static double x[ROWS * COLUMNS], response[ROWS], weight[ROWS], coef[COLUMNS], probability[COLUMNS];
static int32_t y[ROWS], ncat[COLUMNS], strata[ROWS], count[ROWS], group[COLUMNS];
static const double cutoff[CLASSES] = {0.3, 0.3, 0.3};

static double draw_value(const memory_case *c, int feature, rrf_rng *rng)
{
    double value = floor(rrf_rng_normal(rng) * 50);
    if (ncat[feature] > 1) {
        return 1 + rng_below(rng, ncat[feature]);
    }
    return c->missing && feature % 3 == 2 && rng_uniform(rng) < 0.2 ? NAN : value;
}

static void make_data(const memory_case *c)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    for (int feature = 0; feature < COLUMNS; ++feature) {
        ncat[feature] = c->factors && feature % 4 == 1 ? 5 : 1;
        coef[feature] = 0.8;
        group[feature] = feature / 2;
        probability[feature] = feature % 3;
        for (int row = 0; row < ROWS; ++row) {
            x[feature * ROWS + row] = draw_value(c, feature, &rng);
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        response[row] = x[row] + rrf_rng_normal(&rng) * 20;
        y[row] = c->numbers ? 0 : row < c->nclass ? row : (int)fabs(response[row] / 20) % c->nclass;
        weight[row] = rng_uniform(&rng);
        strata[row] = row % 2;
        count[row] = row % 4;
    }
}

/* ---- what is done ------------------------------------------------------------------------------------------------------ */

/* The arguments of a fit and of a worker. */
typedef struct arguments {
    int32_t sampsize[2], used[COLUMNS];
    rrf_data data;
    rrf_target target;
    rrf_params params;
    rrf_parallel_params parallel;
} arguments;

/* F begins with a numeric feature. */
static void make_arguments(arguments *a, const memory_case *c, int n_jobs)
{
    *a = (arguments){.sampsize = {c->sampsize, c->sampsize},
                     .used = {[3] = 1},
                     .data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat},
                     .target = {.y = y, .nclass = c->nclass, .response = c->numbers ? response : NULL},
                     .parallel = {.seed = 3, .n_jobs = n_jobs, .row_weight = c->weights ? weight : NULL}};
    a->params = (rrf_params){.ntree = TREES,
                             .keep_forest = 1,
                             .mtry = 3,
                             .nodesize = 5,
                             .max_nodes = MAX_NODES,
                             .replace = c->replace,
                             .sampsize = a->sampsize,
                             .strata = c->strata ? strata : NULL,
                             .nstrata = c->strata ? 2 : 0,
                             .cutoff = cutoff,
                             .flag_reg = 1,
                             .coef_reg = coef,
                             .feature_group = c->groups ? group : NULL,
                             .n_perm = 1,
                             .oob_proximity = 1};
}

static rrf_status fit(const memory_case *c, int n_jobs, const rrf_monitor *monitor, rrf_forest *forest)
{
    static int32_t votes[ROWS * CLASSES], predicted[ROWS], oob_times[ROWS], inbag[ROWS * TREES];
    static double mean[ROWS], error[TREES * (CLASSES + 1)], decrease[COLUMNS], classwt[CLASSES];
    static double importance[COLUMNS * (CLASSES + 1)], importance_sd[COLUMNS * (CLASSES + 1)];
    static double local_importance[ROWS * COLUMNS], proximity[ROWS * ROWS];
    static int32_t test_votes[ROWS * CLASSES], test_predicted[ROWS];
    static double test_mean[ROWS], test_error[TREES * (CLASSES + 1)];
    rrf_splits splits;
    rrf_splits_init(&splits);
    arguments a;
    make_arguments(&a, c, n_jobs);
    rrf_test_rows test = {&a.data, a.target.y, a.target.response, test_votes, test_predicted, test_mean, test_error};
    rrf_parallel_result result = {.votes = votes,
                                  .predicted = predicted,
                                  .mean = mean,
                                  .oob_times = oob_times,
                                  .error = error,
                                  .decrease = decrease,
                                  .classwt = classwt,
                                  .used = a.used,
                                  .importance = importance,
                                  .importance_sd = importance_sd,
                                  .local_importance = local_importance,
                                  .proximity = proximity,
                                  .inbag = inbag,
                                  .test = &test,
                                  .splits = &splits};
    rrf_status status = rrf_fit_parallel(&a.data, &a.target, &a.params, &a.parallel, NULL, monitor, forest, &result);
    rrf_splits_free(&splits);
    return status;
}

/* Predicts the training rows with `forest`. */
static rrf_status predict(const memory_case *c, int n_jobs, const rrf_monitor *monitor, rrf_forest *forest)
{
    static int32_t votes[ROWS * CLASSES], predicted[ROWS], nodes[ROWS * TREES];
    static double mean[ROWS], individual[ROWS * TREES], proximity[ROWS * ROWS];
    rrf_data data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat};
    rrf_prediction out = {votes, predicted, mean, individual, nodes, proximity};
    return rrf_predict(forest, &data, c->nclass, cutoff, 0, NULL, n_jobs, monitor, &out);
}

/* A tree on rows that the worker draws, one on rows that are given, and one with all that a request can change. The gains
 * of the first have room for a node's best alone, so that those of the others need more. */
static rrf_status grow_requests(rrf_worker *worker, const memory_case *c, int32_t *used, rrf_forest *forest)
{
    static double decrease[MAX_NODES], total[MAX_NODES * CLASSES];
    static int32_t distinct[MAX_NODES * CLASSES], leaves[ROWS];
    static double other_response[ROWS];
    for (int row = 0; row < ROWS; ++row) {
        other_response[row] = -response[row];
    }
    rrf_tree_request requests[] = {{.seed = 1},
                                   {.seed = 1, .stream = 1, .count = count, .probability = probability},
                                   {.seed = 2,
                                    .count = count,
                                    .row_weight = c->weights ? weight : NULL,
                                    .response = c->numbers ? other_response : NULL,
                                    .probability = probability}};
    rrf_gains gains;
    rrf_gains_init(&gains);
    rrf_tree_report report = {
        .decrease = decrease, .total = total, .distinct = distinct, .leaves = leaves, .gains = &gains};
    rrf_status status = RRF_OK;
    for (int i = 0; !status && i < COUNT(requests); ++i) {
        requests[i].used = used;
        gains.most = i == 0 ? 1 : COLUMNS;
        status = rrf_worker_grow(worker, requests + i, forest, &report);
    }
    rrf_gains_free(&gains);
    return status;
}

static rrf_status grow(const memory_case *c, int n_jobs, const rrf_monitor *monitor, rrf_forest *forest)
{
    arguments a;
    rrf_worker *worker;
    make_arguments(&a, c, n_jobs);
    rrf_status status = rrf_worker_new(&a.data, &a.target, &a.params, &a.parallel, NULL, monitor, &worker);
    CHECK(!worker == (status != RRF_OK), "%s: status %s", c->name, rrf_strerror(status));
    if (!status) {
        status = grow_requests(worker, c, a.used, forest);
    }
    rrf_worker_free(worker);
    return status;
}

typedef struct task {
    const char *name;
    rrf_status (*run)(const memory_case *c, int n_jobs, const rrf_monitor *monitor, rrf_forest *forest);
    bool reads_forest; /* of a fit */
    bool has_threads;
    int least_allocations; /* fewer would mean that the task is not what it was */
    int least_polls;
} task;

static const task tasks[] = {
    {.name = "fit", .run = fit, .has_threads = true, .least_allocations = 100, .least_polls = TREES},
    {.name = "predict",
     .run = predict,
     .reads_forest = true,
     .has_threads = true,
     .least_allocations = 5,
     .least_polls = 2},
    {.name = "grow", .run = grow, .least_allocations = 50, .least_polls = 1}};

static const int jobs[] = {1, 3};

static rrf_status run_task(const task *t, const memory_case *c, int n_jobs, const rrf_monitor *monitor,
                           rrf_forest *grown)
{
    rrf_forest own;
    rrf_forest_init(&own);
    rrf_status status = t->run(c, n_jobs, monitor, t->reads_forest ? grown : &own);
    rrf_forest_free(&own);
    return status;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

/* Whether allocation number k was asked for. Threads do not always ask for as many, so it is seen from the count. */
static bool is_refused(const task *t, const memory_case *c, int n_jobs, long k, int lasting, rrf_forest *grown)
{
    long before = alloc_live();
    alloc_fail_at(k, lasting);
    rrf_status status = run_task(t, c, n_jobs, NULL, grown);
    bool refused = alloc_calls() >= k;
    alloc_fail_at(0, 0);
    CHECK(status == (refused ? RRF_ERR_MEMORY : RRF_OK), "%s, %s, %d threads, allocation %ld%s: %s", c->name, t->name,
          n_jobs, k, lasting ? " and later ones" : "", rrf_strerror(status));
    CHECK(alloc_live() == before, "%s, %s, %d threads, allocation %ld%s: %ld blocks left", c->name, t->name, n_jobs, k,
          lasting ? " and later ones" : "", alloc_live() - before);
    return refused;
}

static void refuse_each(const task *t, const memory_case *c, int n_jobs, rrf_forest *grown)
{
    for (int lasting = 0; lasting < 2; ++lasting) {
        long k = 1;
        while (is_refused(t, c, n_jobs, k, lasting, grown)) {
            ++k;
        }
        CHECK(k > t->least_allocations, "%s, %s, %d threads: %ld allocations", c->name, t->name, n_jobs, k - 1);
    }
}

/* ---- the monitor ------------------------------------------------------------------------------------------------------- */

static bool is_stopped(const task *t, const memory_case *c, int n_jobs, int poll, rrf_forest *grown)
{
    stopper s = {.stop_at_poll = poll};
    rrf_monitor monitor = {.poll = count_poll, .context = &s};
    long before = alloc_live();
    rrf_status status = run_task(t, c, n_jobs, &monitor, grown);
    bool stopped = s.polls >= poll;
    CHECK(status == (stopped ? RRF_ERR_INTERRUPT : RRF_OK), "%s, %s, %d threads, poll %d: %s", c->name, t->name, n_jobs,
          poll, rrf_strerror(status));
    CHECK(alloc_live() == before, "%s, %s, %d threads, poll %d: %ld blocks left", c->name, t->name, n_jobs, poll,
          alloc_live() - before);
    return stopped;
}

static void stop_at_each(const task *t, const memory_case *c, int n_jobs, rrf_forest *grown)
{
    int poll = 1;
    while (is_stopped(t, c, n_jobs, poll, grown)) {
        ++poll;
    }
    /* Beside other threads the calling one may have less to do. */
    CHECK(poll > t->least_polls || n_jobs > 1, "%s, %s: %d polls", c->name, t->name, poll - 1);
}

/* Every allocation fails in turn, alone and with all that follow; every question is answered with a stop. */
static void test_failures_leave_nothing(void)
{
    for (int i = 0; i < COUNT(cases); ++i) {
        rrf_forest grown;
        rrf_forest_init(&grown);
        make_data(cases + i);
        CHECK(fit(cases + i, 1, NULL, &grown) == RRF_OK, "%s", cases[i].name);
        for (int t = 0; t < COUNT(tasks); ++t) {
            for (int k = 0; k < (tasks[t].has_threads ? COUNT(jobs) : 1); ++k) {
                refuse_each(tasks + t, cases + i, jobs[k], &grown);
                stop_at_each(tasks + t, cases + i, jobs[k], &grown);
            }
        }
        rrf_forest_free(&grown);
    }
}

/* ---- a worker after a failure ------------------------------------------------------------------------------------------- */

/* Whether allocation number k was asked for; the same worker then grows what a fresh one does. */
static bool grows_after_failure(const memory_case *c, long k, const rrf_forest *expected)
{
    arguments a;
    rrf_worker *worker;
    rrf_forest failed, forest;
    rrf_forest_init(&failed);
    rrf_forest_init(&forest);
    make_arguments(&a, c, 1);
    CHECK(rrf_worker_new(&a.data, &a.target, &a.params, &a.parallel, NULL, NULL, &worker) == RRF_OK, "%s", c->name);
    alloc_fail_at(k, 0);
    rrf_status status = grow_requests(worker, c, a.used, &failed);
    bool refused = alloc_calls() >= k;
    alloc_fail_at(0, 0);
    CHECK(status == (refused ? RRF_ERR_MEMORY : RRF_OK), "%s, allocation %ld: %s", c->name, k, rrf_strerror(status));
    make_arguments(&a, c, 1);
    CHECK(grow_requests(worker, c, a.used, &forest) == RRF_OK, "%s, after allocation %ld", c->name, k);
    CHECK(same_parallel_forest(expected, &forest), "%s: other trees after allocation %ld", c->name, k);
    rrf_forest_free(&failed);
    rrf_forest_free(&forest);
    rrf_worker_free(worker);
    return refused;
}

static void test_grower_after_failure(void)
{
    for (int i = 0; i < COUNT(cases); ++i) {
        rrf_forest expected;
        long k = 1;
        rrf_forest_init(&expected);
        make_data(cases + i);
        CHECK(grow(cases + i, 1, NULL, &expected) == RRF_OK, "%s", cases[i].name);
        while (grows_after_failure(cases + i, k, &expected)) {
            ++k;
        }
        CHECK(k > 5, "%s: %ld allocations", cases[i].name, k - 1);
        rrf_forest_free(&expected);
    }
}

/* A tree large enough to ask while it grows: all features in F, at every node. */
enum { LARGE_ROWS = 1500, LARGE_COLUMNS = 800 };

typedef struct large_problem {
    double x[LARGE_ROWS * LARGE_COLUMNS], response[LARGE_ROWS], coef[LARGE_COLUMNS];
    int32_t y[LARGE_ROWS], ncat[LARGE_COLUMNS], used[LARGE_COLUMNS], sampsize;
} large_problem;

static rrf_worker *make_large_grower(large_problem *l, rrf_data *data, rrf_target *target, rrf_params *params)
{
    static const rrf_parallel_params parallel = {0};
    rrf_worker *worker;
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int i = 0; i < COUNT(l->x); ++i) {
        l->x[i] = rng_uniform(&rng);
    }
    for (int row = 0; row < LARGE_ROWS; ++row) {
        l->response[row] = rng_uniform(&rng);
        l->y[row] = 0;
    }
    for (int feature = 0; feature < LARGE_COLUMNS; ++feature) {
        l->ncat[feature] = 1;
        l->coef[feature] = 0.8;
    }
    l->sampsize = LARGE_ROWS;
    *data = (rrf_data){.x = l->x, .n = LARGE_ROWS, .p = LARGE_COLUMNS, .ncat = l->ncat};
    *target = (rrf_target){.y = l->y, .nclass = 1, .response = l->response};
    *params = (rrf_params){.ntree = 1,
                           .mtry = 1,
                           .nodesize = 5,
                           .max_nodes = 2 * LARGE_ROWS + 1,
                           .replace = 1,
                           .sampsize = &l->sampsize,
                           .flag_reg = 1,
                           .coef_reg = l->coef};
    CHECK(rrf_worker_new(data, target, params, &parallel, NULL, NULL, &worker) == RRF_OK, "large worker");
    return worker;
}

static rrf_status grow_large(rrf_worker *worker, large_problem *l, const rrf_monitor *monitor, rrf_forest *forest)
{
    rrf_tree_request request = {.used = l->used, .seed = 1, .monitor = monitor};
    rrf_forest_init(forest);
    for (int feature = 0; feature < LARGE_COLUMNS; ++feature) {
        l->used[feature] = 1;
    }
    return rrf_worker_grow(worker, &request, forest, NULL);
}

/* Stopped inside a tree, a worker keeps nothing of it and grows the next one as if nothing had been. */
static void test_stopped_grower(void)
{
    rrf_data data;
    rrf_target target;
    rrf_params params;
    rrf_forest expected, forest;
    long before = alloc_live();
    large_problem *l = malloc(sizeof *l);
    CHECK(l, "no memory");
    rrf_worker *worker = make_large_grower(l, &data, &target, &params);
    CHECK(grow_large(worker, l, NULL, &expected) == RRF_OK, "not stopped");
    CHECK(expected.left[0] == 2, "a tree that does not split");
    for (int poll = 1; poll <= 2; ++poll) {
        stopper s = {.stop_at_poll = poll};
        rrf_monitor monitor = {.poll = count_poll, .context = &s};
        CHECK(grow_large(worker, l, &monitor, &forest) == RRF_ERR_INTERRUPT, "poll %d was not heard", poll);
        CHECK(s.polls == poll && forest.ntree == 0, "poll %d: %d polls, %d trees", poll, s.polls, forest.ntree);
        rrf_forest_free(&forest);
        CHECK(grow_large(worker, l, NULL, &forest) == RRF_OK, "after poll %d", poll);
        CHECK(same_parallel_forest(&expected, &forest), "another tree after poll %d", poll);
        rrf_forest_free(&forest);
    }
    rrf_forest_free(&expected);
    rrf_worker_free(worker);
    free(l);
    CHECK(alloc_live() == before, "%ld blocks left", alloc_live() - before);
}

/* Where equal values share a key, weights of rows come too late: the worker says so and stays as it was. */
static void test_weights_come_too_late(void)
{
    static const memory_case c = {.name = "late weights", .nclass = 2, .sampsize = DRAWN};
    arguments a;
    rrf_worker *worker;
    rrf_forest forest;
    rrf_forest_init(&forest);
    make_data(&c);
    make_arguments(&a, &c, 1);
    CHECK(rrf_worker_new(&a.data, &a.target, &a.params, &a.parallel, NULL, NULL, &worker) == RRF_OK, "%s", c.name);
    rrf_tree_request request = {.used = a.used, .row_weight = weight};
    CHECK(rrf_worker_grow(worker, &request, &forest, NULL) == RRF_ERR_ARGUMENT, "%s", c.name);
    CHECK(forest.ntree == 0, "%s: %d trees", c.name, forest.ntree);
    CHECK(grow_requests(worker, &c, a.used, &forest) == RRF_OK, "after late weights");
    rrf_forest_free(&forest);
    rrf_worker_free(worker);
}

int main(void)
{
    test_failures_leave_nothing();
    test_grower_after_failure();
    test_stopped_grower();
    test_weights_come_too_late();
    return 0;
}
