/* Whole regression fits of the core against the oracle: every number, every tree, the stream, the feature set; what is
 * left behind when memory is short or the caller stops; predictions of the forest.
 *
 * Usage: test_regression [first last]: compares the drawn problems of these seeds only, for a longer search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>

#include "alloc.h"
#include "check.h"
#include "random/mersenne.h"
#include "oracle.h"
#include "problem.h"
#include "regression_oracle.h"
#include "same.h"

/* What the responses are. */
enum response {
    REAL,     /* signal and noise */
    WHOLE,    /* whole numbers: all sums are exact */
    FEW,      /* three values */
    ONE,      /* 0.1 for every row: decreases are nothing but rounding */
    SHIFTED,  /* small differences far from zero */
    TINY_Y,   /* squares next to the smallest number */
    HUGE_Y,   /* squares beyond the largest */
    OUTLIERS, /* a tenth so large that sums lose most digits of the others */
    N_RESPONSES
};

typedef struct regression_spec {
    spec base; /* nclass 2; strata and class weights are not looked at */
    int response, n_perm;
    unsigned corr_bias : 1;
} regression_spec;

typedef struct regression_problem {
    problem p;
    double *y, *ytest;
    regression_spec made_from;
} regression_problem;

static double draw_response(rrf_rng *rng, int kind, int class)
{
    double noise = rng_uniform(rng) - 0.5, signal = class + noise;
    switch (kind) {
    case WHOLE:
        return floor(10.0 * signal);
    case FEW:
        return floor(3.0 * rng_uniform(rng));
    case ONE:
        return 0.1;
    case SHIFTED:
        return 1e6 + signal;
    case TINY_Y:
        return 1e-160 * signal;
    case HUGE_Y:
        return 1e300 * signal;
    case OUTLIERS:
        return signal + (rng_below(rng, 10) ? 0.0 : rng_below(rng, 2) ? 1e13 : -1e13);
    default:
        return signal;
    }
}

static void make(regression_problem *r, const regression_spec *s, uint64_t seed)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, (uint32_t)seed);
    r->made_from = *s;
    problem_make(&r->p, &s->base, seed);
    r->y = oracle_alloc((size_t)s->base.n, sizeof *r->y);
    r->ytest = oracle_alloc((size_t)s->base.n_test, sizeof *r->ytest);
    for (int row = 0; row < s->base.n; ++row) {
        r->y[row] = draw_response(&rng, s->response, r->p.y[row]);
    }
    for (int row = 0; row < s->base.n_test; ++row) {
        r->ytest[row] = draw_response(&rng, s->response, r->p.ytest[row]);
    }
    r->p.params.n_perm = s->n_perm ? s->n_perm : 1;
    r->p.params.bias_correction = s->corr_bias;
}

static void unmake(regression_problem *r)
{
    problem_free(&r->p);
    free(r->y);
    free(r->ytest);
}

/* ---- answers --------------------------------------------------------------------------------------------------------- */

typedef struct regression_answer {
    rrf_regression_result result;
    rrf_forest forest;
    rrf_rng rng;
} regression_answer;

static double *doubles(bool wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(double)) : NULL;
}

static int32_t *ints(bool wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(int32_t)) : NULL;
}

static void answer_init(regression_answer *a, const regression_problem *r, uint32_t seed)
{
    const spec *s = &r->made_from.base;
    const rrf_params *params = &r->p.params;
    size_t n = (size_t)s->n, m = (size_t)s->n_test, p = (size_t)s->p, ntree = (size_t)params->ntree;
    a->result = (rrf_regression_result){.mean = doubles(true, n),
                                        .oob_times = ints(true, n),
                                        .error = doubles(true, ntree),
                                        .decrease = doubles(true, p),
                                        .used = ints(true, p),
                                        .coef = doubles(params->bias_correction, 2),
                                        .importance = doubles(params->importance, p),
                                        .importance_sd = doubles(params->importance, p),
                                        .local_importance = doubles(s->local, p * n),
                                        .proximity = doubles(s->proximity, n * n),
                                        .inbag = ints(s->inbag, n * ntree),
                                        .test_mean = doubles(m, m),
                                        .test_error = doubles(m && s->test_labels, ntree),
                                        .test_proximity = doubles(m && s->proximity, m * (m + n))};
    memcpy(a->result.used, r->p.used, p * sizeof *r->p.used);
    rrf_forest_init(&a->forest);
    rrf_rng_seed(&a->rng, seed);
}

static void answer_clear(regression_answer *a)
{
    rrf_regression_result *r = &a->result;
    void *owned[] = {r->mean,  r->oob_times,  r->error,         r->decrease,         r->used,
                     r->coef,  r->importance, r->importance_sd, r->local_importance, r->proximity,
                     r->inbag, r->test_mean,  r->test_error,    r->test_proximity};
    for (int i = 0; i < COUNT(owned); ++i) {
        free(owned[i]);
    }
    rrf_forest_free(&a->forest);
}

static rrf_status fit(regression_answer *a, const regression_problem *r, const rrf_monitor *monitor)
{
    const problem *p = &r->p;
    return rrf_fit_regression(&p->train, r->y, p->test.n ? &p->test : NULL, p->made_from.test_labels ? r->ytest : NULL,
                              &p->params, NULL, &a->rng, monitor, &a->forest, &a->result);
}

static void same_results(const regression_problem *r, const rrf_regression_result *core,
                         const rrf_regression_result *oracle)
{
    const char *name = r->p.name;
    size_t n = (size_t)r->p.train.n, m = (size_t)r->p.test.n, p = (size_t)r->p.train.p;
    size_t ntree = (size_t)r->p.params.ntree;
    same_ints(name, "inbag", core->inbag, oracle->inbag, n * ntree);
    same_ints(name, "oob_times", core->oob_times, oracle->oob_times, n);
    same_ints(name, "used", core->used, oracle->used, p);
    same_doubles(name, "purity", core->decrease, oracle->decrease, p);
    same_doubles(name, "coef", core->coef, oracle->coef, 2);
    same_doubles(name, "mse", core->error, oracle->error, ntree);
    same_doubles(name, "predicted", core->mean, oracle->mean, n);
    same_doubles(name, "importance", core->importance, oracle->importance, p);
    same_doubles(name, "importance_sd", core->importance_sd, oracle->importance_sd, p);
    same_doubles(name, "local_importance", core->local_importance, oracle->local_importance, p * n);
    same_doubles(name, "proximity", core->proximity, oracle->proximity, n * n);
    same_doubles(name, "test_predicted", core->test_mean, oracle->test_mean, m);
    same_doubles(name, "test_mse", core->test_error, oracle->test_error, ntree);
    same_doubles(name, "test_proximity", core->test_proximity, oracle->test_proximity, m * (m + n));
}

/* Fits twice and compares; returns how many splits of the oracle were degenerate. */
static int compare(const regression_problem *r, uint32_t seed)
{
    regression_answer core, oracle;
    const problem *p = &r->p;
    int degenerate;
    answer_init(&core, r, seed);
    answer_init(&oracle, r, seed);
    regression_oracle_fit(&p->train, r->y, p->test.n ? &p->test : NULL, p->made_from.test_labels ? r->ytest : NULL,
                          &p->params, &oracle.rng, &oracle.forest, &oracle.result, &degenerate);
    rrf_status status = fit(&core, r, NULL);
    CHECK(!status, "%s: %s", p->name, rrf_strerror(status));
    same_forest(p->name, &core.forest, &oracle.forest);
    same_results(r, &core.result, &oracle.result);
    same_stream(p->name, &core.rng, &oracle.rng);
    answer_clear(&core);
    answer_clear(&oracle);
    return degenerate;
}

/* ---- named problems -------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define BASE(...) .base = {.nclass = 2, __VA_ARGS__}
static const regression_spec cases[] = {
    {BASE(.name = "numbers", .n = 150, .p = 8, .nodesize = 5, .mtry = 3, .coef = COEF_HIGH)},
    {BASE(.name = "numbers, shifted", .n = 150, .p = 8, .nodesize = 5, .mtry = 3), .response = SHIFTED},
    {BASE(.name = "one row a node", .n = 100, .p = 4, .mtry = 4)},
    {BASE(.name = "two rows", .n = 2, .p = 1, .importance = 1, .proximity = 1, .inbag = 1)},
    {BASE(.name = "one row", .n = 2, .p = 3, .sampsize = 1, .mtry = 2)},
    {BASE(.name = "ties", .n = 200, .p = 6, .columns = TIED, .mtry = 4, .nodesize = 3)},
    {BASE(.name = "two values a column", .n = 120, .p = 6, .columns = TIED, .n_levels = 2, .mtry = 3)},
    {BASE(.name = "ties among numbers, whole responses",
          .n = 300, .p = 9, .columns = TIED | SMOOTH, .mtry = 5), .response = WHOLE},
    {BASE(.name = "ties, three responses", .n = 150, .p = 5, .columns = TIED, .n_levels = 9, .mtry = 3), .response = FEW},
    {BASE(.name = "copies of columns", .n = 120, .p = 9, .columns = SMOOTH | COPY | MIRROR, .mtry = 7)},
    {BASE(.name = "copies of columns with ties", .n = 120, .p = 9, .columns = TIED | COPY | MIRROR, .mtry = 7)},
    {BASE(.name = "copies of factors", .n = 120, .p = 9, .columns = FACTOR | TIED | COPY, .n_levels = 6, .mtry = 7)},
    {BASE(.name = "constant columns", .n = 60, .p = 8, .columns = SMOOTH | CONSTANT, .mtry = 2)},
    {BASE(.name = "constant columns only", .n = 30, .p = 2, .columns = CONSTANT, .importance = 1)},
    {BASE(.name = "one response", .n = 80, .p = 5, .columns = ANY_COLUMN, .mtry = 3, .importance = 1), .response = ONE},
    {BASE(.name = "one response, factors", .n = 80, .p = 5, .columns = FACTOR, .mtry = 3), .response = ONE},
    {BASE(.name = "outliers", .n = 150, .p = 8, .mtry = 6, .ntree = 4), .response = OUTLIERS},
    {BASE(.name = "outliers, ties", .n = 150, .p = 8, .columns = TIED | FACTOR, .mtry = 6, .ntree = 4), .response = OUTLIERS},
    {BASE(.name = "tiny responses", .n = 80, .p = 5, .columns = ANY_COLUMN, .mtry = 3), .response = TINY_Y},
    {BASE(.name = "huge responses", .n = 80, .p = 5, .columns = ANY_COLUMN, .mtry = 3), .response = HUGE_Y},
    {BASE(.name = "extreme doubles", .n = 90, .p = 6, .columns = ODD, .n_test = 20, .mtry = 3, .ntree = 8)},
    {BASE(.name = "extreme doubles among factors", .n = 90, .p = 6, .columns = ODD | FACTOR | SMOOTH, .mtry = 4, .ntree = 8)},
    {BASE(.name = "factors of 2 levels", .n = 80, .p = 5, .columns = FACTOR, .n_levels = 2, .mtry = 2)},
    {BASE(.name = "factors of 32 levels", .n = 300, .p = 5, .columns = FACTOR, .n_levels = 32, .n_test = 40, .mtry = 3)},
    {BASE(.name = "factors, whole responses", .n = 200, .p = 5, .columns = FACTOR, .mtry = 3), .response = WHOLE},
    {BASE(.name = "everything among columns", .n = 250, .p = 12, .columns = ANY_COLUMN, .mtry = 6, .local = 1)},
    {BASE(.name = "more features than rows", .n = 30, .p = 300, .mtry = 100, .coef = COEF_HIGH)},
    {BASE(.name = "nodes of every order", .n = 1500, .p = 3, .mtry = 2, .nodesize = 5, .ntree = 2)},
    {BASE(.name = "keys by row", .n = 2500, .p = 4, .mtry = 2, .nodesize = 40, .columns = SMOOTH | TIED | FACTOR, .ntree = 1)},
    {BASE(.name = "keys by row, few in the bag", .n = 20000, .p = 3, .mtry = 2, .sampsize = 200, .ntree = 2)},
    {BASE(.name = "digits", .n = 60000, .p = 2, .mtry = 2, .sampsize = 220, .ntree = 2)},
    {BASE(.name = "keys of 32 bits", .n = 66000, .p = 2, .no_replacement = 1, .sampsize = 66000, .max_nodes = 9, .ntree = 1)},
    {BASE(.name = "keys of 32 bits, ties and factors",
          .n = 66000, .p = 4, .columns = TIED | FACTOR | SMOOTH, .sampsize = 400, .mtry = 3, .ntree = 2)},
    {BASE(.name = "more draws than rows", .n = 30, .p = 3, .sampsize = 3000, .mtry = 2)},
    {BASE(.name = "without replacement", .n = 90, .p = 6, .no_replacement = 1, .inbag = 1, .mtry = 2)},
    {BASE(.name = "no row out of bag", .n = 40, .p = 3, .no_replacement = 1, .sampsize = 40, .local = 1, .proximity = 1)},
    {BASE(.name = "coefficients", .n = 200, .p = 9, .mtry = 4, .coef = COEF_MIXED)},
    {BASE(.name = "coefficients without flagReg", .n = 200, .p = 9, .mtry = 4, .coef = COEF_MIXED, .all_penalised = 1)},
    {BASE(.name = "coefficients without flagReg, as intended",
          .n = 200, .p = 9, .mtry = 4, .coef = COEF_MIXED, .all_penalised = 1, .no_quirks = 1)},
    {BASE(.name = "coefficients of zero", .n = 90, .p = 9, .mtry = 4, .coef = COEF_SOME_ZERO)},
    {BASE(.name = "negative coefficients", .n = 90, .p = 9, .mtry = 4, .coef = COEF_SOME_NEGATIVE, .columns = ANY_COLUMN)},
    {BASE(.name = "coefficients next to zero", .n = 90, .p = 9, .mtry = 4, .coef = COEF_TINY)},
    {BASE(.name = "features in F", .n = 90, .p = 9, .mtry = 4, .coef = COEF_MIXED, .some_used = 1)},
    {BASE(.name = "features in F, as intended", .n = 90, .p = 9, .mtry = 4, .coef = COEF_MIXED, .some_used = 1, .no_quirks = 1)},
    {BASE(.name = "groups", .n = 90, .p = 9, .mtry = 4, .coef = COEF_MIXED, .some_used = 1, .no_quirks = 1, .n_groups = 4)},
    {BASE(.name = "one node", .n = 90, .p = 5, .max_nodes = 1, .importance = 1)},
    {BASE(.name = "two nodes allowed", .n = 90, .p = 5, .max_nodes = 2)},
    {BASE(.name = "three nodes", .n = 90, .p = 5, .max_nodes = 3)},
    {BASE(.name = "eleven nodes", .n = 90, .p = 5, .max_nodes = 11)},
    {BASE(.name = "importance, three permutations", .n = 90, .p = 6, .local = 1, .columns = ANY_COLUMN, .mtry = 3), .n_perm = 3},
    {BASE(.name = "bias", .n = 90, .p = 5, .mtry = 2, .n_test = 20, .test_labels = 1), .corr_bias = 1},
    {BASE(.name = "bias without labels", .n = 90, .p = 5, .mtry = 2, .n_test = 20), .corr_bias = 1},
    {BASE(.name = "proximity", .n = 50, .p = 4, .proximity = 1, .n_test = 9, .nodesize = 5)},
    {BASE(.name = "proximity out of bag", .n = 50, .p = 4, .proximity = 1, .oob_proximity = 1, .n_test = 9, .nodesize = 5)},
    {BASE(.name = "proximity out of bag as intended",
          .n = 50, .p = 4, .proximity = 1, .oob_proximity = 1, .no_quirks = 1, .n_test = 9, .nodesize = 5)},
    {BASE(.name = "test rows", .n = 80, .p = 5, .n_test = 33, .test_labels = 1, .columns = ANY_COLUMN, .mtry = 3)},
};
/* clang-format on */

static void test_named(void)
{
    int degenerate = 0;
    for (int i = 0; i < COUNT(cases); ++i) {
        regression_problem r;
        make(&r, &cases[i], (uint64_t)i + 1);
        for (uint32_t seed = 1; seed <= 2; ++seed) {
            degenerate += compare(&r, seed);
        }
        unmake(&r);
    }
    CHECK(degenerate > 5, "%d degenerate splits", degenerate);
}

/* Pairs of rows that no cut parts and whose responses all but cancel: a sum is nothing but what rounding has left of it,
 * and its order is all that matters. */
static void test_cancelling_pairs(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        regression_problem r;
        rrf_rng rng;
        regression_spec s = {BASE(.name = "pairs that cancel", .n = 60, .p = 6, .columns = seed % 2 ? TIED : FACTOR,
                                  .n_levels = 12, .no_replacement = 1, .sampsize = 60, .mtry = 4)};
        make(&r, &s, seed);
        rrf_rng_seed(&rng, (uint32_t)seed);
        for (int row = 0; row < s.base.n; row += 2) {
            r.y[row] = 1e13 + 10.0 * rng_uniform(&rng);
            r.y[row + 1] = 10.0 * rng_uniform(&rng) - 1e13;
            for (int feature = 0; feature < s.base.p; ++feature) {
                double *x = r.p.x + feature * s.base.n;
                x[row + 1] = x[row];
            }
        }
        compare(&r, (uint32_t)seed);
        unmake(&r);
    }
}

/* ---- drawn problems -------------------------------------------------------------------------------------------------- */

static regression_spec draw_spec(uint64_t seed)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, (uint32_t)seed);
    regression_spec s = {.base = spec_draw(seed)};
    s.base.nclass = 2;
    s.base.class0 = s.base.nstrata = s.base.unsupervised = 0;
    s.base.n = s.base.n < 2 ? 2 : s.base.n;
    s.response = rng_below(&rng, 3) ? REAL : rng_below(&rng, N_RESPONSES);
    s.n_perm = 1 + rng_below(&rng, 2);
    s.corr_bias = rng_below(&rng, 4) == 0;
    s.base.proximity = s.base.proximity && s.base.n <= 60;
    return s;
}

static void test_drawn(uint64_t first, uint64_t last)
{
    for (uint64_t seed = first; seed <= last; ++seed) {
        regression_problem r;
        char name[40];
        regression_spec s = draw_spec(seed);
        snprintf(name, sizeof name, "drawn problem %llu", (unsigned long long)seed);
        s.base.name = name;
        make(&r, &s, seed);
        compare(&r, (uint32_t)seed);
        unmake(&r);
    }
}

/* ---- bounds, memory, monitor ----------------------------------------------------------------------------------------- */

static const regression_spec everything = {BASE(.name = "everything asked for", .n = 2100, .p = 6,
                                                .columns = ANY_COLUMN, .n_test = 5, .test_labels = 1, .local = 1,
                                                .inbag = 1, .mtry = 3, .nodesize = 50, .ntree = 2),
                                           .corr_bias = 1};
static const regression_spec near = {BASE(.name = "proximity asked for", .n = 40, .p = 3, .columns = ANY_COLUMN,
                                          .n_test = 5, .proximity = 1, .oob_proximity = 1)};

static void test_bounds(void)
{
    struct {
        int max_nodes, sampsize, mtry;
    } refused[] = {{0, 30, 2}, {61, 0, 2}, {61, 31, 2}, {61, 30, 0}, {61, 30, 4}};
    for (int i = 0; i < COUNT(refused); ++i) {
        regression_problem r;
        regression_answer a;
        make(&r, &(regression_spec){BASE(.name = "bounds", .n = 30, .p = 3, .no_replacement = 1)}, 1);
        r.p.params.max_nodes = refused[i].max_nodes;
        r.p.params.mtry = refused[i].mtry;
        r.p.sampsize[0] = refused[i].sampsize;
        answer_init(&a, &r, 1);
        CHECK(fit(&a, &r, NULL) == RRF_ERR_ARGUMENT, "refused arguments %d", i);
        answer_clear(&a);
        unmake(&r);
    }
}

static void fit_short_of_memory(const regression_problem *r, long k, int lasting, rrf_status expected)
{
    regression_answer a;
    answer_init(&a, r, 1);
    long before = alloc_live();
    alloc_fail_at(k, lasting);
    rrf_status status = fit(&a, r, NULL);
    alloc_fail_at(0, 0);
    CHECK(status == expected, "%s, allocation %ld: %s", r->p.name, k, rrf_strerror(status));
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s, allocation %ld: %ld blocks left", r->p.name, k, alloc_live() - before);
    answer_clear(&a);
}

/* Every allocation of a fit fails in turn, alone and with all that follow. */
static void test_without_memory(const regression_spec *s)
{
    regression_problem r;
    regression_answer a;
    make(&r, s, 1);
    answer_init(&a, &r, 1);
    alloc_fail_at(0, 0);
    CHECK(!fit(&a, &r, NULL), "%s", r.p.name);
    long n_calls = alloc_calls();
    answer_clear(&a);
    CHECK(n_calls > 40, "%s: %ld allocations", r.p.name, n_calls);
    for (long k = 1; k <= n_calls; ++k) {
        fit_short_of_memory(&r, k, 0, RRF_ERR_MEMORY);
        fit_short_of_memory(&r, k, 1, RRF_ERR_MEMORY);
    }
    fit_short_of_memory(&r, n_calls + 1, 1, RRF_OK);
    unmake(&r);
}

typedef struct stopper {
    int polls, trees, stop_at_poll, stop_at_tree;
} stopper;

static int count_poll(void *context)
{
    stopper *s = context;
    return ++s->polls == s->stop_at_poll;
}

static int count_tree(void *context, int grown)
{
    stopper *s = context;
    s->trees = grown;
    return grown == s->stop_at_tree;
}

static rrf_status fit_watched(const regression_problem *r, stopper *s)
{
    regression_answer a;
    rrf_monitor monitor = {.poll = count_poll, .tree = count_tree, .context = s};
    answer_init(&a, r, 1);
    long before = alloc_live();
    rrf_status status = fit(&a, r, &monitor);
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s: %ld blocks left", r->p.name, alloc_live() - before);
    answer_clear(&a);
    return status;
}

static void test_stops(void)
{
    regression_problem r;
    make(&r,
         &(regression_spec){
             BASE(.name = "stopped", .n = 20000, .p = 20, .mtry = 20, .nodesize = 500, .ntree = 3, .local = 1)},
         1);
    stopper free_run = {0};
    CHECK(fit_watched(&r, &free_run) == RRF_OK, "free run");
    CHECK(free_run.trees == 3 && free_run.polls > 3, "%d trees, %d polls", free_run.trees, free_run.polls);
    for (int poll = 1; poll <= free_run.polls; ++poll) {
        stopper s = {.stop_at_poll = poll};
        CHECK(fit_watched(&r, &s) == RRF_ERR_INTERRUPT, "poll %d", poll);
        CHECK(s.polls == poll, "%d polls after stop at %d", s.polls, poll);
    }
    stopper s = {.stop_at_tree = 2};
    CHECK(fit_watched(&r, &s) == RRF_ERR_INTERRUPT && s.trees == 2, "tree 2");
    unmake(&r);
}

/* ---- prediction ------------------------------------------------------------------------------------------------------ */

/* New rows through the forest give what they gave as test rows. */
static void test_predict(void)
{
    regression_problem r;
    regression_answer a;
    enum { ROWS = 50, TREES = 7, TRAIN = 90 };
    double predicted[ROWS], individual[ROWS * TREES], proximity[ROWS * ROWS];
    int32_t nodes[ROWS * TREES];
    make(&r,
         &(regression_spec){BASE(.name = "predicted", .n = TRAIN, .p = 6, .columns = ANY_COLUMN, .mtry = 3,
                                 .ntree = TREES, .n_test = ROWS, .proximity = 1, .no_quirks = 1)},
         3);
    answer_init(&a, &r, 1);
    CHECK(!fit(&a, &r, NULL), "fit");
    rrf_prediction out = {.mean = predicted, .individual = individual, .nodes = nodes, .proximity = proximity};
    CHECK(!rrf_predict(&a.forest, &r.p.test, 1, NULL, 1, NULL, 1, NULL, &out), "predict");
    for (int row = 0; row < ROWS; ++row) {
        double sum = 0.0;
        for (int t = 0; t < TREES; ++t) {
            int64_t node = a.forest.offset[t] + nodes[t * ROWS + row] - 1;
            CHECK(a.forest.status[node] == RRF_TERMINAL, "row %d, tree %d: node %d", row, t, nodes[t * ROWS + row]);
            CHECK(individual[t * ROWS + row] == a.forest.prediction[node], "row %d, tree %d", row, t);
            sum += individual[t * ROWS + row];
        }
        CHECK(predicted[row] == sum / TREES, "row %d: %a, not %a", row, predicted[row], sum / TREES);
        CHECK(fabs(predicted[row] - a.result.test_mean[row]) < 1e-12, "row %d", row);
    }
    same_doubles("predicted", "proximity", proximity, a.result.test_proximity, ROWS * ROWS);
    long before = alloc_live();
    alloc_fail_at(1, 1);
    out = (rrf_prediction){.mean = predicted};
    rrf_status status = rrf_predict(&a.forest, &r.p.test, 1, NULL, 1, NULL, 1, NULL, &out);
    alloc_fail_at(0, 0);
    CHECK(status == RRF_ERR_MEMORY && alloc_live() == before, "no memory");
    answer_clear(&a);
    unmake(&r);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        test_drawn(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
        return 0;
    }
    test_named();
    test_cancelling_pairs();
    test_drawn(1, 200);
    test_bounds();
    test_without_memory(&everything);
    test_without_memory(&near);
    test_stops();
    test_predict();
    return 0;
}
