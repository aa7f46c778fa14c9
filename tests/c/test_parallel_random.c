/* The parallel engine on random problems: one thread against many, and against trees grown one at a time.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "data/matrix.h"
#include "random/mersenne.h"
#include "random/splitmix.h"
#include "same.h"

/* The thread sanitizer makes everything ten times slower. */
#ifdef __SANITIZE_THREAD__
enum { PROBLEMS = 40 };
#else
enum { PROBLEMS = 120 };
#endif
/* One problem in so many has bags of 256 rows and more, for which features get sorted streams. */
enum { SMALL_PER_LARGE = 8 };
enum { MAX_CLASSES = 5, MAX_BLOCKS = 16 };

static void *buffer(size_t n, size_t size)
{
    void *block = calloc(n + 1, size);
    CHECK(block, "no memory");
    return block;
}

/* ---- dice -------------------------------------------------------------------------------------------------------------- */

static rrf_rng dice;

static int below(int n)
{
    return rng_below(&dice, n);
}

static bool one_in(int n)
{
    return below(n) == 0;
}

static double uniform(void)
{
    return rng_uniform(&dice);
}

/* ---- a problem --------------------------------------------------------------------------------------------------------- */

typedef struct problem {
    int seed, n, p, nclass, n_jobs;
    bool numbers, wants_importance, wants_local, wants_proximity, wants_inbag;
    double *x, *response, *weight, *coef, *probability;
    int32_t *y, *ncat, *strata, *used, *group, *count;
    int32_t sampsize[2];
    double cutoff[MAX_CLASSES];
    rrf_data data;
    rrf_target target;
    rrf_params params;
    rrf_parallel_params parallel;
} problem;

static void draw_size(problem *p)
{
    bool large = one_in(SMALL_PER_LARGE);
    p->n = large ? 260 + below(100) : 2 + below(120);
    p->p = one_in(8) ? 1 + below(3) : 1 + below(large ? 25 : 40);
    p->numbers = one_in(3);
    p->nclass = p->numbers ? 1 : one_in(2) ? 2 : 2 + below(MAX_CLASSES - 1);
    p->n = p->n < p->nclass ? p->nclass : p->n;
    p->n_jobs = 2 + below(6);
}

/* Smooth, with few values, or with very few: then splits tie. */
static void draw_columns(problem *p)
{
    static const int values[] = {0, 20, 4};
    int kind = below(COUNT(values));
    bool missing = one_in(2), factors = one_in(2);
    p->x = buffer((size_t)p->n * (size_t)p->p, sizeof *p->x);
    p->ncat = buffer((size_t)p->p, sizeof *p->ncat);
    for (int feature = 0; feature < p->p; ++feature) {
        double share = missing ? 0.3 * below(3) : 0.0;
        p->ncat[feature] = factors && one_in(3) ? 2 + below(RRF_MAX_LEVELS - 1) : 1;
        for (int row = 0; row < p->n; ++row) {
            double value = uniform() - 0.5;
            value = values[kind] ? floor(value * values[kind]) : value;
            value = uniform() < share ? NAN : value;
            p->x[(size_t)feature * (size_t)p->n + (size_t)row] =
                p->ncat[feature] > 1 ? 1 + below(p->ncat[feature]) : value;
        }
    }
}

/* What there is to learn is in the first column; every class has a row. */
static void draw_answers(problem *p)
{
    size_t n = (size_t)p->n;
    bool whole = one_in(3);
    p->response = buffer(n, sizeof *p->response);
    p->y = buffer(n, sizeof *p->y);
    for (int row = 0; row < p->n; ++row) {
        double signal = isnan(p->x[row]) ? 1.0 : p->x[row], number = 3.0 * signal + uniform();
        int k = one_in(3) ? below(p->nclass) : (int)fabs(number) % p->nclass;
        p->response[row] = whole ? floor(number) : number;
        p->y[row] = p->numbers ? 0 : row < p->nclass ? row : k;
    }
    for (int k = 0; k < p->nclass; ++k) {
        p->cutoff[k] = k == 0 && one_in(4) ? 0.5 / p->nclass : 1.0 / p->nclass;
    }
}

static void draw_rows(problem *p)
{
    size_t n = (size_t)p->n;
    p->weight = buffer(n, sizeof *p->weight);
    p->strata = buffer(n, sizeof *p->strata);
    p->count = buffer(n, sizeof *p->count);
    for (int row = 0; row < p->n; ++row) {
        p->weight[row] = one_in(5) ? 0.0 : uniform();
        p->strata[row] = row % 2;
        p->count[row] = below(3);
    }
    p->weight[0] = p->count[0] = 1;
}

static void draw_features(problem *p)
{
    size_t n_features = (size_t)p->p;
    bool some_used = one_in(2);
    p->coef = buffer(n_features, sizeof *p->coef);
    p->used = buffer(n_features, sizeof *p->used);
    p->probability = buffer(n_features, sizeof *p->probability);
    for (int feature = 0; feature < p->p; ++feature) {
        p->coef[feature] = one_in(3) ? below(2) : uniform();
        p->used[feature] = some_used && one_in(6);
        p->probability[feature] = one_in(3) ? 0.0 : uniform();
    }
}

static void draw_bag(problem *p)
{
    rrf_params *params = &p->params;
    params->replace = !one_in(3);
    p->sampsize[0] = one_in(2) ? (2 * p->n + 2) / 3 : 1 + below(params->replace ? 2 * p->n : p->n);
    if (p->n > 4 && one_in(8)) {
        params->strata = p->strata;
        params->nstrata = 2;
        p->sampsize[0] = 1 + below(p->n / 2);
        p->sampsize[1] = 1 + below(p->n / 2);
    }
    params->sampsize = p->sampsize;
}

static void draw_rules(problem *p)
{
    p->params.ntree = 5 + below(60);
    p->params.keep_forest = 1;
    p->params.mtry = one_in(5) ? p->p : 1 + below(p->p);
    p->params.nodesize = 1 + below(4);
    p->params.max_nodes = one_in(3) ? 1 + 2 * below(10) : 2 * p->n + 1;
    p->params.cutoff = p->cutoff;
    p->params.flag_reg = !one_in(6);
    p->params.coef_reg = p->coef;
    p->params.n_perm = 1 + below(2);
    p->params.oob_proximity = below(2);
    p->parallel = (rrf_parallel_params){.seed = (uint64_t)below(1 << 20),
                                        .criterion = !p->numbers && one_in(4) ? RRF_ENTROPY : RRF_CRITERION_OF_R,
                                        .penalty = one_in(3) ? RRF_PENALIZE_GAIN : RRF_PENALIZE_CRITERION,
                                        .draw_from_all = one_in(3),
                                        .max_depth = one_in(3) ? 1 + below(5) : 0,
                                        .use_depth = one_in(4),
                                        .draw_until_split = p->seed % 3 == 0,
                                        .ties_first = p->seed % 5 == 0,
                                        .depth_first = p->seed % 7 == 0,
                                        .row_weight = one_in(4) ? p->weight : NULL};
    p->wants_importance = !one_in(4);
    p->wants_local = p->wants_importance && !one_in(4);
    p->wants_proximity = !one_in(4);
    p->wants_inbag = !one_in(4);
}

static void draw_groups(problem *p)
{
    int n_labels = 1 + below(p->p);
    p->group = buffer((size_t)p->p, sizeof *p->group);
    for (int feature = 0; feature < p->p; ++feature) {
        p->group[feature] = below(n_labels);
    }
    p->params.feature_group = p->params.flag_reg && one_in(2) ? p->group : NULL;
}

/* The same seed makes the same problem. */
static void problem_draw(problem *p, int seed)
{
    *p = (problem){.seed = seed};
    rrf_rng_splitmix(&dice, 1, (uint64_t)seed);
    draw_size(p);
    draw_columns(p);
    draw_answers(p);
    draw_rows(p);
    draw_features(p);
    draw_bag(p);
    draw_rules(p);
    draw_groups(p);
    p->data = (rrf_data){.x = p->x, .n = p->n, .p = p->p, .ncat = p->ncat};
    p->target = (rrf_target){.y = p->y, .nclass = p->nclass, .response = p->numbers ? p->response : NULL};
}

static void problem_free(problem *p)
{
    void *blocks[] = {p->x,    p->response, p->weight, p->coef,  p->probability, p->y,
                      p->ncat, p->strata,   p->used,   p->group, p->count};
    for (int i = 0; i < COUNT(blocks); ++i) {
        free(blocks[i]);
    }
}

/* ---- an outcome -------------------------------------------------------------------------------------------------------- */

/* An array of results. */
typedef struct block {
    const char *name;
    void *bytes;
    size_t size;
} block;

typedef struct outcome {
    rrf_status status, predict_status;
    rrf_forest forest;
    rrf_parallel_result result;
    rrf_prediction prediction;
    block blocks[MAX_BLOCKS];
    int n_blocks, filler;
} outcome;

/* Outcomes begin with different bytes, so that a value that is not written differs; NULL where the array is not wanted. */
static void *keep(outcome *o, bool wanted, const char *name, size_t n, size_t size)
{
    if (!wanted) {
        return NULL;
    }
    CHECK(o->n_blocks < MAX_BLOCKS, "no room for %s", name);
    void *bytes = buffer(n, size);
    memset(bytes, o->filler, n * size);
    o->blocks[o->n_blocks++] = (block){name, bytes, n * size};
    return bytes;
}

static void make_results(outcome *o, const problem *p)
{
    size_t n = (size_t)p->n, n_features = (size_t)p->p, ntree = (size_t)p->params.ntree, nclass = (size_t)p->nclass;
    size_t measures = p->numbers ? 1 : nclass + 1;
    rrf_parallel_result *r = &o->result;
    r->votes = keep(o, !p->numbers, "votes", n * nclass, sizeof *r->votes);
    r->predicted = keep(o, !p->numbers, "predicted", n, sizeof *r->predicted);
    r->mean = keep(o, p->numbers, "mean", n, sizeof *r->mean);
    r->oob_times = keep(o, true, "oob_times", n, sizeof *r->oob_times);
    r->error = keep(o, true, "error", ntree * measures, sizeof *r->error);
    r->decrease = keep(o, true, "decrease", n_features, sizeof *r->decrease);
    r->classwt = keep(o, true, "classwt", nclass, sizeof *r->classwt);
    r->used = keep(o, true, "used", n_features, sizeof *r->used);
    r->importance = keep(o, p->wants_importance, "importance", n_features * measures, sizeof *r->importance);
    r->importance_sd = keep(o, p->wants_importance, "importance_sd", n_features * measures, sizeof *r->importance_sd);
    r->local_importance = keep(o, p->wants_local, "local_importance", n_features * n, sizeof *r->local_importance);
    r->proximity = keep(o, p->wants_proximity, "proximity", n * n, sizeof *r->proximity);
    r->inbag = keep(o, p->wants_inbag, "inbag", n * ntree, sizeof *r->inbag);
    memcpy(r->used, p->used, n_features * sizeof *r->used);
}

static void fit(outcome *o, const problem *p, int n_jobs, int filler)
{
    rrf_parallel_params parallel = p->parallel;
    parallel.n_jobs = n_jobs;
    *o = (outcome){.filler = filler};
    rrf_forest_init(&o->forest);
    make_results(o, p);
    o->status = rrf_fit_parallel(&p->data, &p->target, &p->params, &parallel, NULL, NULL, &o->forest, &o->result);
}

static void outcome_free(outcome *o)
{
    rrf_forest_free(&o->forest);
    for (int i = 0; i < o->n_blocks; ++i) {
        free(o->blocks[i].bytes);
    }
}

/* Predicts the rows of the problem into blocks that take the place of the fit's. */
static void predict(outcome *o, const problem *p, int n_jobs)
{
    size_t n = (size_t)p->n, ntree = (size_t)p->params.ntree;
    rrf_prediction *out = &o->prediction;
    for (; o->n_blocks > 0; --o->n_blocks) {
        free(o->blocks[o->n_blocks - 1].bytes);
    }
    out->votes = keep(o, !p->numbers, "prediction's votes", n * (size_t)p->nclass, sizeof *out->votes);
    out->predicted = keep(o, !p->numbers, "prediction", n, sizeof *out->predicted);
    out->mean = keep(o, p->numbers, "prediction's mean", n, sizeof *out->mean);
    out->individual = keep(o, true, "individual", n * ntree, sizeof *out->individual);
    out->nodes = keep(o, true, "nodes", n * ntree, sizeof *out->nodes);
    out->proximity = keep(o, p->wants_proximity, "prediction's proximity", n * n, sizeof *out->proximity);
    o->predict_status = rrf_predict(&o->forest, &p->data, p->nclass, p->cutoff, 0, NULL, n_jobs, NULL, out);
    CHECK(o->predict_status == RRF_OK, "problem %d: %s", p->seed, rrf_strerror(o->predict_status));
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------- */

static void same_blocks(const problem *p, const outcome *one, const outcome *many)
{
    for (int i = 0; i < one->n_blocks; ++i) {
        const block *a = one->blocks + i, *b = many->blocks + i;
        CHECK(!memcmp(a->bytes, b->bytes, a->size), "problem %d: other %s on %d threads", p->seed, a->name, p->n_jobs);
    }
}

/* ---- trees one at a time ----------------------------------------------------------------------------------------------- */

static rrf_worker *new_grower(const problem *p)
{
    rrf_worker *worker;
    rrf_status status = rrf_worker_new(&p->data, &p->target, &p->params, &p->parallel, NULL, NULL, &worker);
    CHECK(status == RRF_OK, "problem %d: %s", p->seed, rrf_strerror(status));
    return worker;
}

/* Tree after tree, each with the F of those before, a worker makes the forest: the rule that the threads must keep to. */
static void check_sequential_forest(const problem *p, const outcome *expected)
{
    rrf_worker *worker = new_grower(p);
    rrf_forest forest;
    rrf_forest_init(&forest);
    int32_t *used = buffer((size_t)p->p, sizeof *used);
    memcpy(used, p->used, (size_t)p->p * sizeof *used);
    rrf_status status = RRF_OK;
    for (int t = 0; !status && t < p->params.ntree; ++t) {
        rrf_tree_request request = {.used = used, .seed = p->parallel.seed, .stream = (uint64_t)t};
        status = rrf_worker_grow(worker, &request, &forest, NULL);
    }
    CHECK(status == expected->status, "problem %d: one at a time %s", p->seed, rrf_strerror(status));
    if (!status) {
        CHECK(forest.ntree == expected->forest.ntree, "problem %d: %d trees", p->seed, forest.ntree);
        CHECK(same_trees(&expected->forest, 0, &forest), "problem %d: other trees one at a time", p->seed);
        CHECK(!memcmp(used, expected->result.used, (size_t)p->p * sizeof *used), "problem %d: other F", p->seed);
    }
    free(used);
    rrf_forest_free(&forest);
    rrf_worker_free(worker);
}

/* Grows a tree on given rows, with features drawn by their probabilities times `scale`; what enters F must have a chance. */
static void grow_by_chance(rrf_worker *worker, const problem *p, uint64_t stream, double scale, rrf_forest *forest)
{
    size_t n_features = (size_t)p->p;
    double *probability = buffer(n_features, sizeof *probability);
    int32_t *used = buffer(n_features, sizeof *used);
    memcpy(used, p->used, n_features * sizeof *used);
    for (int feature = 0; feature < p->p; ++feature) {
        probability[feature] = scale * p->probability[feature];
    }
    rrf_tree_request request = {.count = p->count,
                                .row_weight = p->parallel.row_weight,
                                .probability = probability,
                                .used = used,
                                .seed = p->parallel.seed,
                                .stream = stream};
    rrf_status status = rrf_worker_grow(worker, &request, forest, NULL);
    CHECK(status == RRF_OK, "problem %d: by chance %s", p->seed, rrf_strerror(status));
    for (int feature = 0; feature < p->p; ++feature) {
        CHECK(used[feature] >= p->used[feature], "problem %d: feature %d left F", p->seed, feature);
        CHECK(used[feature] == p->used[feature] || probability[feature] > 0.0 || p->params.feature_group,
              "problem %d: feature %d has no chance and was used", p->seed, feature);
    }
    free(probability);
    free(used);
}

/* A request's tree depends on the request alone, not on those before it, and on what probabilities are to each other: a
 * power of two changes no bit of that. */
static void check_probabilities(const problem *p)
{
    static const double scales[] = {1.0, 0.25, 1.0, 1024.0};
    rrf_worker *first = new_grower(p), *second = new_grower(p);
    rrf_forest expected, forest;
    rrf_forest_init(&expected);
    rrf_forest_init(&forest);
    for (int i = 0; i < COUNT(scales); ++i) {
        grow_by_chance(first, p, (uint64_t)i, 1.0, &expected);
    }
    for (int i = COUNT(scales) - 1; i >= 0; --i) {
        grow_by_chance(second, p, (uint64_t)i, scales[i], &forest);
        CHECK(same_trees(&expected, i, &forest), "problem %d: another tree by chance %d", p->seed, i);
        rrf_forest_free(&forest);
        rrf_forest_init(&forest);
    }
    rrf_forest_free(&expected);
    rrf_worker_free(first);
    rrf_worker_free(second);
}

/* Trees one at a time go breadth first only: what is told of their nodes goes by the numbers. */
static void check_worker_refuses(const problem *p)
{
    rrf_worker *worker;
    rrf_status status = rrf_worker_new(&p->data, &p->target, &p->params, &p->parallel, NULL, NULL, &worker);
    CHECK(status == RRF_ERR_ARGUMENT && !worker, "problem %d: %s", p->seed, rrf_strerror(status));
}

/* ---- coefficients of 0 ------------------------------------------------------------------------------------------------- */

/* Where the gain of all features outside F counts for nothing, an empty F stays empty and no tree splits: nor may one that
 * was grown on the guess that the first tree finds all features. */
static void check_empty_forest(const problem *random, int n_jobs)
{
    problem p = *random;
    outcome o;
    size_t n_features = (size_t)p.p;
    p.params.flag_reg = 1;
    p.parallel.penalty = RRF_PENALIZE_GAIN;
    p.params.coef_reg = p.coef = buffer(n_features, sizeof *p.coef);
    p.used = buffer(n_features, sizeof *p.used);
    fit(&o, &p, n_jobs, 0);
    CHECK(o.status == RRF_OK || p.parallel.row_weight, "problem %d: %s", p.seed, rrf_strerror(o.status));
    for (int t = 1; !o.status && t <= p.params.ntree; ++t) {
        CHECK(o.forest.offset[t] == t, "problem %d: tree %d splits on %d threads", p.seed, t - 1, n_jobs);
    }
    for (int feature = 0; !o.status && feature < p.p; ++feature) {
        CHECK(!o.result.used[feature], "problem %d: feature %d in F on %d threads", p.seed, feature, n_jobs);
    }
    outcome_free(&o);
    free(p.coef);
    free(p.used);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

/* Returns how many trees the threads grew again. */
static int64_t check_threads(const problem *p)
{
    outcome one, many;
    fit(&one, p, 1, 0x55);
    fit(&many, p, p->n_jobs, 0xaa);
    CHECK(one.status == many.status, "problem %d: %s on one thread, %s on %d", p->seed, rrf_strerror(one.status),
          rrf_strerror(many.status), p->n_jobs);
    int64_t regrown = many.result.regrown;
    if (!one.status) {
        CHECK(one.result.regrown == 0 && one.forest.ntree == p->params.ntree, "problem %d: one thread", p->seed);
        CHECK(many.forest.ntree == p->params.ntree, "problem %d: %d trees", p->seed, many.forest.ntree);
        CHECK(same_trees(&one.forest, 0, &many.forest), "problem %d: other trees on %d threads", p->seed, p->n_jobs);
        same_blocks(p, &one, &many);
    }
    if (!p->parallel.depth_first) {
        check_sequential_forest(p, &one);
    }
    if (!one.status) {
        predict(&one, p, 1);
        predict(&many, p, p->n_jobs);
        same_blocks(p, &one, &many);
    }
    outcome_free(&one);
    outcome_free(&many);
    return regrown;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : PROBLEMS;
    int64_t regrown = 0;
    for (int seed = first; seed <= last; ++seed) {
        problem p;
        problem_draw(&p, seed);
        regrown += check_threads(&p);
        if (p.parallel.depth_first) {
            check_worker_refuses(&p);
        } else {
            check_probabilities(&p);
        }
        check_empty_forest(&p, 1);
        check_empty_forest(&p, p.n_jobs);
        problem_free(&p);
    }
    printf("problems %d to %d: %lld trees were grown again in part\n", first, last, (long long)regrown);
    return 0;
}
