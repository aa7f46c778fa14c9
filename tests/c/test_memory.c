/* What a fit, a prediction and a sample leave behind when memory is short or the caller stops them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "alloc.h"
#include "check.h"
#include "monitor.h"
#include "tree/apply.h"
#include "oracle.h"
#include "problem.h"
#include "stopper.h"

enum { WITH_REPLACEMENT = 1 };

/* ---- fits ------------------------------------------------------------------------------------------------------------ */

/* The second has in-bag rows enough for streams; between them they ask for every array of the core. */
static const spec fits[] = {
    {.name = "everything asked for",
     .n = 40,
     .p = 6,
     .nclass = 3,
     .columns = ANY_COLUMN,
     .n_test = 5,
     .test_labels = 1,
     .nstrata = 3,
     .local = 1,
     .proximity = 1,
     .oob_proximity = 1,
     .inbag = 1},
    {.name = "streams", .n = 400, .p = 4, .nclass = 2, .columns = SMOOTH | TIED, .some_used = 1, .ntree = 20},
    {.name = "weights that are not exact", .n = 400, .p = 4, .nclass = 2, .classwt = WEIGHTS_SOME, .some_used = 1},
    {.name = "randomForest",
     .n = 60,
     .p = 6,
     .nclass = 3,
     .columns = ANY_COLUMN,
     .n_levels = 53,
     .nstrata = 3,
     .local = 1,
     .all_penalised = 1,
     .random_forest = 1,
     .case_weights = 1},
    {.name = "helpers", .n = 100, .p = 9, .nclass = 2, .columns = SMOOTH | TIED, .some_used = 1, .n_jobs = 3},
};

static void fit_short_of_memory(const problem *p, long k, int lasting, rrf_status expected)
{
    answer a;
    answer_make(&a, p, NULL);
    long before = alloc_live();
    alloc_fail_at(k, lasting);
    answer_fit(&a, p, NULL);
    alloc_fail_at(0, 0);
    CHECK(a.status == expected, "%s, allocation %ld: %s", p->name, k, rrf_strerror(a.status));
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s, allocation %ld: %ld blocks left", p->name, k, alloc_live() - before);
    answer_free(&a);
}

/* Every allocation of a fit fails in turn, alone and with all that follow. */
static void test_fit_without_memory(void)
{
    for (int i = 0; i < COUNT(fits); ++i) {
        problem p;
        problem_make(&p, &fits[i], 1);
        fit_short_of_memory(&p, 0, 0, RRF_OK);
        long n_calls = 0;
        answer a;
        answer_make(&a, &p, NULL);
        alloc_fail_at(0, 0);
        answer_fit(&a, &p, NULL);
        n_calls = alloc_calls();
        answer_free(&a);
        CHECK(n_calls > 30, "%s: %ld allocations", p.name, n_calls);
        for (long k = 1; k <= n_calls; ++k) {
            fit_short_of_memory(&p, k, 0, RRF_ERR_MEMORY);
            fit_short_of_memory(&p, k, 1, RRF_ERR_MEMORY);
        }
        fit_short_of_memory(&p, n_calls + 1, 1, RRF_OK);
        problem_free(&p);
    }
}

/* ---- the monitor ----------------------------------------------------------------------------------------------------- */

static stopper fit_until(const problem *p, int poll, int tree, rrf_status expected)
{
    answer a;
    stopper s = {.stop_at_poll = poll, .stop_at_tree = tree};
    rrf_monitor monitor = {.poll = count_poll, .tree = count_tree, .context = &s};
    answer_make(&a, p, NULL);
    long before = alloc_live();
    answer_fit(&a, p, &monitor);
    CHECK(a.status == expected, "%s, poll %d, tree %d: %s", p->name, poll, tree, rrf_strerror(a.status));
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s, poll %d, tree %d: %ld blocks left", p->name, poll, tree, alloc_live() - before);
    answer_free(&a);
    return s;
}

/* Stopped after each tree in turn, the fit has told of that many trees. */
static void test_stop_after_tree(void)
{
    problem p;
    problem_make(&p, &(spec){.name = "stopped", .n = 50, .p = 4, .nclass = 2, .ntree = 7, .importance = 1}, 1);
    for (int tree = 1; tree <= 7; ++tree) {
        CHECK(fit_until(&p, 0, tree, RRF_ERR_INTERRUPT).trees == tree, "stopped after tree %d", tree);
    }
    CHECK(fit_until(&p, 0, 8, RRF_OK).trees == 7, "not stopped");
    problem_free(&p);
}

/* Work inside a tree asks, too: 2,000 rows by 600 features in F, level after level. */
static void test_stop_inside_tree(void)
{
    problem p;
    spec s = {
        .name = "stopped inside", .n = 2000, .p = 1200, .nclass = 3, .columns = SMOOTH, .some_used = 1, .ntree = 2};
    problem_make(&p, &s, 1);
    int polls = fit_until(&p, 0, 1, RRF_ERR_INTERRUPT).polls;
    CHECK(polls > 0, "a tree of %d x %d asked %d times", s.n, s.p, polls);
    CHECK(fit_until(&p, 1, 0, RRF_ERR_INTERRUPT).trees == 0, "the first question was not heard");
    problem_free(&p);
}

/* Data that no split can divide: each bag asks, and the last one ends the fit. */
static void test_stop_between_bags(void)
{
    static const int at[] = {1, 2, 77, 5000};
    problem p;
    problem_make(&p, &(spec){.name = "constant", .n = 6, .p = 2, .nclass = 2, .columns = CONSTANT}, 1);
    for (int i = 0; i < COUNT(at); ++i) {
        CHECK(fit_until(&p, at[i], 0, RRF_ERR_INTERRUPT).polls == at[i], "stopped at poll %d", at[i]);
    }
    CHECK(fit_until(&p, 0, 0, RRF_ERR_NO_SPLIT).trees == 0, "a tree out of constants");
    problem_free(&p);
}

/* ---- prediction ------------------------------------------------------------------------------------------------------ */

static rrf_status predict(const answer *a, const problem *p, const rrf_monitor *monitor)
{
    size_t n = (size_t)p->test.n;
    rrf_rng rng = a->rng;
    int32_t *votes = oracle_alloc(n * (size_t)p->nclass, sizeof *votes);
    int32_t *predicted = oracle_alloc(n, sizeof *predicted);
    alloc_fail_at(monitor ? 0 : 1, 1);
    rrf_prediction out = {.votes = votes, .predicted = predicted};
    rrf_status status = rrf_predict(&a->forest, &p->test, p->nclass, p->cutoff, 1, &rng, 1, monitor, &out);
    alloc_fail_at(0, 0);
    free(votes);
    free(predicted);
    return status;
}

static void test_predict(void)
{
    problem p;
    answer a;
    /* Once more when a range of rows, here all of them, is done, and at the end. */
    enum { POLLS = 4, ROWS = 2000, ALL_POLLS = POLLS + 2 };
    int ntree = (POLLS * WORK_PER_POLL) / (ROWS * WORK_PER_DESCENT) + 10;
    problem_make(&p, &(spec){.name = "predicted", .n = 20, .p = 4, .nclass = 2, .ntree = ntree, .n_test = ROWS}, 1);
    answer_make(&a, &p, NULL);
    answer_fit(&a, &p, NULL);
    long before = alloc_live();
    CHECK(predict(&a, &p, NULL) == RRF_ERR_MEMORY, "no memory");
    for (int poll = 0; poll <= ALL_POLLS; ++poll) {
        stopper s = {.stop_at_poll = poll};
        rrf_monitor monitor = {.poll = count_poll, .context = &s};
        rrf_status expected = poll ? RRF_ERR_INTERRUPT : RRF_OK;
        CHECK(predict(&a, &p, &monitor) == expected, "poll %d", poll);
        CHECK(s.polls == (poll ? poll : ALL_POLLS), "poll %d: %d polls", poll, s.polls);
    }
    CHECK(alloc_live() == before, "%ld blocks left", alloc_live() - before);
    answer_free(&a);
    problem_free(&p);
}

/* ---- sample.int ------------------------------------------------------------------------------------------------------ */

static void sample_short_of_memory(const char *name, int64_t n, int64_t size, int replace, const double *prob)
{
    rrf_rng rng;
    int64_t *out = oracle_alloc((size_t)size, sizeof *out);
    long before = alloc_live(), k = 0;
    rrf_status status;
    do {
        rrf_rng_seed(&rng, 1);
        alloc_fail_at(++k, 1);
        status = rrf_sample(&rng, n, size, replace, prob, out);
        CHECK(alloc_live() == before, "%s, allocation %ld: %ld blocks left", name, k, alloc_live() - before);
        CHECK(status == (alloc_calls() < k ? RRF_OK : RRF_ERR_MEMORY), "%s, allocation %ld", name, k);
    } while (status);
    CHECK(k > 1, "%s asked for no memory", name);
    alloc_fail_at(0, 0);
    free(out);
}

static void test_sample_without_memory(void)
{
    double prob[300];
    for (int i = 0; i < COUNT(prob); ++i) {
        prob[i] = 1.0 + i % 7;
    }
    sample_short_of_memory("table", 100, 20, 0, NULL);
    sample_short_of_memory("hash", 20000000, 20, 0, NULL);
    sample_short_of_memory("scan", 100, 20, WITH_REPLACEMENT, prob);
    sample_short_of_memory("removal", 100, 20, 0, prob);
    sample_short_of_memory("alias", 300, 20, WITH_REPLACEMENT, prob);
}

int main(void)
{
    test_fit_without_memory();
    test_stop_after_tree();
    test_stop_inside_tree();
    test_stop_between_bags();
    test_predict();
    test_sample_without_memory();
    return 0;
}
