/* Forests on which every filter of the search acts, and a digest of each. `make filters` grows them once more with a core
 * that lacks a filter (filters.h), and compares the digests. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "check.h"
#include "digest.h"
#include "oracle.h"
#include "regression_problem.h"

enum { SEEDS = 2 };

/* Sizes and columns that the filters are for; the number of classes, engines and rules come to it. */
static const spec specs[] = {
    {.name = "smooth", .n = 700, .p = 12},
    {.name = "tied", .n = 900, .p = 30, .columns = TIED | SIGNAL},
    {.name = "genotypes", .n = 300, .p = 120, .columns = TIED, .n_levels = 3},
    {.name = "binary", .n = 1200, .p = 40, .columns = TIED, .n_levels = 2},
    {.name = "few rows", .n = 60, .p = 200, .columns = SMOOTH | SIGNAL | TIED, .ntree = 20},
    {.name = "factors", .n = 500, .p = 12, .columns = FACTOR | TIED | SIGNAL},
    {.name = "factors of 9 levels", .n = 500, .p = 9, .columns = FACTOR, .n_levels = 9},
    {.name = "any column", .n = 400, .p = 30, .columns = ANY_COLUMN, .coef = COEF_MIXED},
    {.name = "many rows", .n = 6000, .p = 6, .columns = TIED | SIGNAL, .ntree = 2},
    {.name = "wide counts", .n = 45000, .p = 4, .columns = TIED | SIGNAL, .ntree = 1, .nodesize = 500},
};
static const int classes[] = {2, 3, 9};

/* Every third column has zeros in eleven of twelve rows. */
static void thin(problem *p)
{
    for (int feature = 0; feature < p->train.p; feature += 3) {
        double *x = p->x + (size_t)feature * (size_t)p->train.n;
        for (int row = 0; p->ncat[feature] == 1 && row < p->train.n; ++row) {
            x[row] = (row * 7 + feature) % 12 ? 0.0 : x[row];
        }
    }
}

/* Every fourth column misses a tenth of its numbers. */
static void make_holes(problem *p)
{
    for (int feature = 1; feature < p->train.p; feature += 4) {
        double *x = p->x + (size_t)feature * (size_t)p->train.n;
        for (int row = feature; p->ncat[feature] == 1 && row < p->train.n; row += 10) {
            x[row] = NAN;
        }
    }
}

/* ---- fits --------------------------------------------------------------------------------------------------------------- */

static void add_sums(uint64_t *digest, const problem *p, const double *decrease, const int32_t *used)
{
    digest_add(digest, decrease, (size_t)p->train.p * sizeof *decrease);
    digest_add(digest, used, (size_t)p->train.p * sizeof *used);
}

static void add_classification(uint64_t *digest, problem *p, int n_jobs, int flag_reg)
{
    answer a;
    p->params.n_jobs = n_jobs;
    p->params.flag_reg = flag_reg;
    answer_make(&a, p, NULL);
    answer_fit(&a, p, NULL);
    CHECK(a.status == RRF_OK, "%s: %s", p->name, rrf_strerror(a.status));
    digest_forest(digest, &a.forest);
    add_sums(digest, p, a.result.decrease, a.result.used);
    digest_add(digest, a.rng.state, sizeof a.rng.state);
    answer_free(&a);
}

static void add_regression(uint64_t *digest, regression_problem *r, int random_forest)
{
    regression_answer a;
    r->p.params.random_forest = random_forest;
    r->p.params.flag_reg = !random_forest;
    regression_answer_init(&a, r, 1);
    rrf_status status = regression_fit(&a, r, NULL);
    CHECK(status == RRF_OK, "%s: %s", r->p.name, rrf_strerror(status));
    digest_forest(digest, &a.forest);
    add_sums(digest, &r->p, a.result.decrease, a.result.used);
    digest_add(digest, a.rng.state, sizeof a.rng.state);
    regression_answer_clear(&a);
}

/* On two threads, so that trees are grown again. */
static void add_parallel(uint64_t *digest, const problem *p, const double *response, rrf_parallel_params parallel)
{
    answer a;
    size_t n = (size_t)p->train.n;
    double *mean = oracle_alloc(n, sizeof *mean);
    int32_t *no_classes = oracle_alloc(n, sizeof *no_classes);
    answer_make(&a, p, NULL);
    rrf_parallel_result result = {.votes = a.result.votes,
                                  .predicted = a.result.predicted,
                                  .mean = mean,
                                  .oob_times = a.result.oob_times,
                                  .error = a.result.error,
                                  .decrease = a.result.decrease,
                                  .classwt = a.result.classwt,
                                  .used = a.result.used};
    rrf_target target = {.y = p->y, .nclass = p->nclass};
    if (response) {
        target = (rrf_target){.y = no_classes, .nclass = 1, .response = response};
    }
    parallel.n_jobs = 2;
    a.status = rrf_fit_parallel(&p->train, &target, &p->params, &parallel, NULL, NULL, &a.forest, &result);
    CHECK(a.status == RRF_OK, "%s: %s", p->name, rrf_strerror(a.status));
    digest_forest(digest, &a.forest);
    add_sums(digest, p, result.decrease, result.used);
    free(mean);
    free(no_classes);
    answer_free(&a);
}

/* ---- problems ----------------------------------------------------------------------------------------------------------- */

static void digest_classes(const spec *kind, int nclass, int seed)
{
    uint64_t digest = EMPTY_DIGEST;
    spec s = *kind;
    problem p;
    s.nclass = nclass;
    s.coef = s.coef ? s.coef : COEF_HIGH;
    problem_make(&p, &s, (uint64_t)seed);
    thin(&p);
    add_classification(&digest, &p, 1, 1);
    add_classification(&digest, &p, 2, 1);
    add_classification(&digest, &p, 1, 0);
    p.params.flag_reg = 1;
    add_parallel(&digest, &p, NULL, (rrf_parallel_params){.seed = 1});
    make_holes(&p);
    add_parallel(&digest, &p, NULL, (rrf_parallel_params){.seed = 2, .penalty = RRF_PENALIZE_GAIN});
    add_parallel(&digest, &p, NULL, (rrf_parallel_params){.seed = 3, .criterion = RRF_ENTROPY, .draw_from_all = 1});
    printf("%s, %d classes, seed %d: %016llx\n", s.name, nclass, seed, (unsigned long long)digest);
    problem_free(&p);
}

static void digest_responses(const spec *kind, int response, int seed)
{
    uint64_t digest = EMPTY_DIGEST;
    regression_spec s = {.base = *kind, .response = response};
    regression_problem r;
    s.base.nclass = 2;
    s.base.coef = s.base.coef ? s.base.coef : COEF_HIGH;
    s.base.nodesize = 5;
    regression_make(&r, &s, (uint64_t)seed);
    thin(&r.p);
    add_regression(&digest, &r, 0);
    add_regression(&digest, &r, 1);
    r.p.params.random_forest = 0;
    r.p.params.flag_reg = 1;
    make_holes(&r.p);
    add_parallel(&digest, &r.p, r.y, (rrf_parallel_params){.seed = 1});
    printf("%s, response %d, seed %d: %016llx\n", kind->name, response, seed, (unsigned long long)digest);
    regression_unmake(&r);
}

int main(void)
{
    for (int i = 0; i < COUNT(specs); ++i) {
        for (int seed = 1; seed <= SEEDS; ++seed) {
            for (int k = 0; k < COUNT(classes); ++k) {
                digest_classes(specs + i, classes[k], seed);
            }
            digest_responses(specs + i, seed == 1 ? REAL : FEW, seed);
        }
    }
}
