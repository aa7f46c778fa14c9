/* Whole fits of the core against the oracle: every number, every tree, the stream, the feature set.
 *
 * Usage: test_classification [first last]: compares the drawn problems of these seeds only, for a longer search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "check.h"
#include "oracle.h"
#include "problem.h"
#include "same.h"

static void same_results(const problem *p, const rrf_class_result *core, const rrf_class_result *oracle)
{
    const char *name = p->name;
    size_t n = (size_t)p->train.n, m = (size_t)p->test.n, features = (size_t)p->train.p;
    size_t nclass = (size_t)p->nclass, ntree = (size_t)p->params.ntree, rates = ntree * (nclass + 1);
    size_t n_real = p->params.add_class ? n / 2 : n;
    same_doubles(name, "classwt", core->classwt, oracle->classwt, nclass);
    same_ints(name, "inbag", core->inbag, oracle->inbag, n_real * ntree);
    same_ints(name, "oob_times", core->oob_times, oracle->oob_times, n);
    same_ints(name, "votes", core->votes, oracle->votes, n * nclass);
    same_ints(name, "predicted", core->predicted, oracle->predicted, n);
    same_doubles(name, "err_rate", core->error, oracle->error, rates);
    same_doubles(name, "gini", core->decrease, oracle->decrease, features);
    same_ints(name, "used", core->used, oracle->used, features);
    same_doubles(name, "importance", core->importance, oracle->importance, features * (nclass + 1));
    same_doubles(name, "importance_sd", core->importance_sd, oracle->importance_sd, features * (nclass + 1));
    same_doubles(name, "local_importance", core->local_importance, oracle->local_importance, features * n);
    same_doubles(name, "proximity", core->proximity, oracle->proximity, n_real * n_real);
    same_ints(name, "test_votes", core->test_votes, oracle->test_votes, m * nclass);
    same_ints(name, "test_predicted", core->test_predicted, oracle->test_predicted, m);
    same_doubles(name, "test_err_rate", core->test_error, oracle->test_error, rates);
    same_doubles(name, "test_proximity", core->test_proximity, oracle->test_proximity, m * (m + n_real));
}

static void check_promise(const problem *p, const rrf_class_result *r)
{
    for (int k = 0; p->made_from.exact && k < p->nclass; ++k) {
        CHECK(r->classwt[k] == 1.0, "%s: class %d has weight %a", p->name, k, r->classwt[k]);
    }
}

/* Rows whose votes are not as many as the trees that voted: a leaf without cases said 0. */
static int count_displaced(const int32_t *votes, const int32_t *times, int ntree, int n, int nclass)
{
    int displaced = 0;
    for (int row = 0; votes && row < n; ++row) {
        int sum = 0;
        for (int k = 0; k < nclass; ++k) {
            sum += votes[row * nclass + k];
        }
        displaced += sum != (times ? times[row] : ntree);
    }
    return displaced;
}

/* Fits twice and compares; returns what the oracle says, and counts rows with displaced votes. */
static rrf_status compare_counting(const problem *p, const rrf_rng *stream, int *displaced)
{
    answer core, oracle;
    const rrf_data *test = p->test.n ? &p->test : NULL;
    answer_make(&core, p, stream);
    answer_make(&oracle, p, stream);
    oracle.status = oracle_fit(&p->train, p->y, p->nclass, test, p->made_from.test_labels ? p->ytest : NULL, &p->params,
                               &oracle.rng, &oracle.forest, &oracle.result);
    answer_fit(&core, p, NULL);
    CHECK(core.status == oracle.status, "%s: core says %s, oracle %s", p->name, rrf_strerror(core.status),
          rrf_strerror(oracle.status));
    check_promise(p, &core.result);
    if (!core.status) {
        same_forest(p->name, &core.forest, &oracle.forest);
        same_results(p, &core.result, &oracle.result);
        same_stream(p->name, &core.rng, &oracle.rng);
        const rrf_class_result *r = &core.result;
        *displaced = count_displaced(r->votes, r->oob_times, 0, p->train.n, p->nclass) +
                     count_displaced(r->test_votes, NULL, p->params.ntree, p->test.n, p->nclass);
    }
    rrf_status status = oracle.status;
    answer_free(&core);
    answer_free(&oracle);
    return status;
}

static rrf_status compare(const problem *p, const rrf_rng *stream)
{
    return compare_counting(p, stream, &(int){0});
}

/* ---- named problems --------------------------------------------------------------------------------------------------- */

#define FOREST .random_forest = 1, .all_penalised = 1

/* clang-format off */
static const spec cases[] = {
    {.name = "two classes", .n = 100, .p = 8, .nclass = 2, .class0 = 50, .exact = 1},
    {.name = "two classes, weights that are not exact",
     .n = 98, .p = 8, .nclass = 2, .class0 = 49, .classwt = WEIGHTS_SOME},
    {.name = "three classes", .n = 100, .p = 8, .nclass = 3},
    {.name = "eight classes", .n = 200, .p = 8, .nclass = 8},
    {.name = "as many classes as rows", .n = 12, .p = 4, .nclass = 12, .nstrata = 12},
    {.name = "two rows, one feature", .n = 2, .p = 1, .nclass = 2, .importance = 1, .proximity = 1, .inbag = 1},
    {.name = "one feature", .n = 60, .p = 1, .nclass = 3, .columns = TIED, .n_levels = 5},
    {.name = "two values a column",
     .n = 80, .p = 6, .nclass = 2, .columns = TIED, .n_levels = 2, .class0 = 40, .exact = 1},
    {.name = "two values a column, weights that are not exact",
     .n = 98, .p = 30, .nclass = 2, .columns = TIED, .n_levels = 2, .class0 = 16},
    {.name = "few values, weights that are not exact",
     .n = 700, .p = 12, .nclass = 2, .columns = TIED | COPY | MIRROR, .n_levels = 6, .class0 = 45, .some_used = 1},
    {.name = "more values than are counted, weights that are not exact",
     .n = 700, .p = 8, .nclass = 2, .columns = TIED | COPY, .n_levels = 40, .class0 = 62, .some_used = 1},
    {.name = "few values, ten classes", .n = 400, .p = 10, .nclass = 10, .columns = TIED, .n_levels = 2, .coef = COEF_HIGH},
    {.name = "few values, five classes", .n = 500, .p = 8, .nclass = 5, .columns = TIED | COPY, .n_levels = 5, .some_used = 1},
    {.name = "ties, three classes", .n = 150, .p = 6, .nclass = 3, .columns = TIED, .n_levels = 7},
    {.name = "copies of columns", .n = 120, .p = 9, .nclass = 2, .columns = SMOOTH | COPY | MIRROR, .mtry = 5},
    {.name = "copies of columns, as intended",
     .n = 120, .p = 9, .nclass = 2, .columns = SMOOTH | COPY | MIRROR, .mtry = 5, .no_quirks = 1},
    {.name = "constant columns", .n = 60, .p = 8, .nclass = 2, .columns = SMOOTH | CONSTANT},
    {.name = "constant columns only", .n = 4, .p = 2, .nclass = 2, .columns = CONSTANT},
    {.name = "extreme doubles", .n = 90, .p = 6, .nclass = 3, .columns = ODD, .n_test = 20},
    {.name = "extreme doubles, two classes", .n = 90, .p = 6, .nclass = 2, .columns = ODD, .n_test = 20},
    {.name = "factors of 2 levels", .n = 80, .p = 5, .nclass = 2, .columns = FACTOR, .n_levels = 2},
    {.name = "factors of 3 levels, three classes", .n = 80, .p = 5, .nclass = 3, .columns = FACTOR, .n_levels = 3},
    {.name = "factors of 10 levels", .n = 90, .p = 5, .nclass = 2, .columns = FACTOR, .n_levels = 10},
    {.name = "factors of 11 levels", .n = 90, .p = 5, .nclass = 2, .columns = FACTOR, .n_levels = 11},
    {.name = "factors of 11 levels, four classes", .n = 60, .p = 3, .nclass = 4, .columns = FACTOR, .n_levels = 11},
    {.name = "factors of 32 levels", .n = 300, .p = 5, .nclass = 2, .columns = FACTOR, .n_levels = 32, .n_test = 40},
    {.name = "factors of 32 levels, three classes",
     .n = 100, .p = 2, .nclass = 3, .columns = FACTOR, .n_levels = 32, .n_test = 40},
    {.name = "factors among numbers, weights",
     .n = 200, .p = 9, .nclass = 3, .columns = ANY_COLUMN, .classwt = WEIGHTS_SOME},
    {.name = "more features than rows", .n = 30, .p = 300, .nclass = 2, .coef = COEF_HIGH},
    {.name = "every feature tried", .n = 60, .p = 25, .nclass = 2, .mtry = 25},
    {.name = "streams, two classes",
     .n = 500, .p = 10, .nclass = 2, .class0 = 125, .coef = COEF_HIGH, .ntree = 4, .exact = 1},
    {.name = "streams, ties",
     .n = 600, .p = 10, .nclass = 2, .columns = TIED | SMOOTH, .n_levels = 9, .ntree = 4, .class0 = 300, .exact = 1},
    {.name = "streams, five classes", .n = 700, .p = 10, .nclass = 5, .columns = ANY_COLUMN, .ntree = 4},
    {.name = "streams, features in F", .n = 400, .p = 40, .nclass = 2, .some_used = 1, .mtry = 1, .ntree = 2},
    {.name = "streams from a small bag on", .n = 2000, .p = 6, .nclass = 2, .sampsize = 300, .ntree = 6},
    {.name = "streams below their least bag", .n = 2000, .p = 6, .nclass = 2, .sampsize = 250, .ntree = 6},
    {.name = "two thousand rows", .n = 2000, .p = 12, .nclass = 2, .ntree = 2, .coef = COEF_MIXED},
    {.name = "keys of 16 bits",
     .n = 65536, .p = 1, .nclass = 2, .no_replacement = 1, .sampsize = 65536, .ntree = 1, .max_nodes = 9},
    {.name = "keys of 32 bits",
     .n = 65537, .p = 1, .nclass = 2, .no_replacement = 1, .sampsize = 65537, .ntree = 1, .max_nodes = 9},
    {.name = "keys of 32 bits, ties", .n = 66000, .p = 2, .nclass = 3, .columns = TIED, .ntree = 1, .max_nodes = 9},
    {.name = "keys of 32 bits, few in the bag", .n = 66000, .p = 2, .nclass = 2, .sampsize = 400, .ntree = 2},
    {.name = "keys of 32 bits, few in the bag, exact",
     .n = 66000, .p = 2, .nclass = 2, .sampsize = 400, .class0 = 33000, .exact = 1, .ntree = 1},
    {.name = "32767 draws",
     .n = 2000, .p = 2, .nclass = 2, .class0 = 1000, .sampsize = 32767, .max_nodes = 31, .exact = 1},
    {.name = "32768 draws",
     .n = 2000, .p = 2, .nclass = 2, .class0 = 1000, .sampsize = 32768, .max_nodes = 31, .exact = 1},
    {.name = "32767 rows", .n = 32767, .p = 2, .nclass = 2, .no_quirks = 1, .max_nodes = 15, .ntree = 2, .exact = 1},
    {.name = "65535 draws",
     .n = 2000, .p = 2, .nclass = 2, .class0 = 1000, .sampsize = 65535, .max_nodes = 31, .exact = 1},
    {.name = "65536 draws",
     .n = 2000, .p = 2, .nclass = 2, .class0 = 1000, .sampsize = 65536, .max_nodes = 31, .exact = 1},
    {.name = "70000 draws of 3 rows", .n = 3, .p = 2, .nclass = 2, .sampsize = 70000, .exact = 1},
    {.name = "one draw", .n = 20, .p = 3, .nclass = 2, .sampsize = 1},
    {.name = "two draws", .n = 20, .p = 3, .nclass = 2, .sampsize = 2},
    {.name = "no row out of bag",
     .n = 40, .p = 3, .nclass = 2, .no_replacement = 1, .sampsize = 40, .importance = 1, .proximity = 1, .oob_proximity = 1},
    {.name = "without replacement", .n = 90, .p = 6, .nclass = 3, .no_replacement = 1, .inbag = 1},
    {.name = "a class of hardly any weight", .n = 200, .p = 5, .nclass = 2, .classwt = WEIGHTS_TINY},
    {.name = "classes of hardly any weight",
     .n = 300, .p = 6, .nclass = 5, .columns = ANY_COLUMN, .classwt = WEIGHTS_TINY, .some_used = 1},
    {.name = "a class of one row", .n = 60, .p = 5, .nclass = 2, .class0 = 1},
    {.name = "a class of one row, as intended", .n = 60, .p = 5, .nclass = 2, .class0 = 1, .no_quirks = 1},
    {.name = "strata", .n = 90, .p = 5, .nclass = 3, .nstrata = 4},
    {.name = "strata without replacement", .n = 90, .p = 5, .nclass = 2, .nstrata = 4, .no_replacement = 1},
    {.name = "all features penalised", .n = 90, .p = 9, .nclass = 2, .all_penalised = 1, .coef = COEF_MIXED},
    {.name = "all features penalised, no penalty", .n = 300, .p = 9, .nclass = 3, .all_penalised = 1},
    {.name = "coefficients of zero", .n = 90, .p = 9, .nclass = 2, .coef = COEF_SOME_ZERO},
    {.name = "coefficients of zero, three classes", .n = 90, .p = 9, .nclass = 3, .coef = COEF_SOME_ZERO},
    {.name = "coefficients of zero, all penalised",
     .n = 90, .p = 9, .nclass = 2, .coef = COEF_SOME_ZERO, .all_penalised = 1},
    {.name = "negative coefficients", .n = 300, .p = 9, .nclass = 2, .coef = COEF_SOME_NEGATIVE},
    {.name = "negative coefficients, factors",
     .n = 90, .p = 9, .nclass = 2, .coef = COEF_SOME_NEGATIVE, .columns = ANY_COLUMN},
    {.name = "coefficients that refuse a split",
     .n = 60, .p = 8, .nclass = 2, .mtry = 1, .coef = COEF_SOME_REFUSED, .columns = ANY_COLUMN},
    {.name = "coefficients that refuse a split, three classes",
     .n = 60, .p = 8, .nclass = 3, .mtry = 1, .coef = COEF_SOME_REFUSED, .all_penalised = 1},
    {.name = "coefficients next to zero", .n = 300, .p = 9, .nclass = 2, .all_penalised = 1, .coef = COEF_TINY},
    {.name = "coefficients next to zero, weights", .n = 98, .p = 9, .nclass = 3, .all_penalised = 1, .coef = COEF_TINY},
    {.name = "groups of features", .n = 90, .p = 12, .nclass = 2, .coef = COEF_HIGH, .n_groups = 5, .some_used = 1},
    {.name = "groups of features, three classes, factors",
     .n = 150, .p = 12, .nclass = 3, .coef = COEF_MIXED, .columns = ANY_COLUMN, .n_groups = 7, .importance = 1},
    {.name = "groups of many features",
     .n = 300, .p = 200, .nclass = 2, .coef = COEF_HIGH, .columns = SMOOTH | TIED, .n_groups = 60, .ntree = 4},
    {.name = "one group", .n = 60, .p = 9, .nclass = 2, .coef = COEF_HIGH, .n_groups = 1},
    {.name = "groups of features, unsupervised", .n = 120, .p = 9, .nclass = 2, .n_groups = 4, .unsupervised = 1},
    {.name = "nodesize", .n = 90, .p = 5, .nclass = 3, .nodesize = 12},
    {.name = "nodesize of all rows", .n = 30, .p = 5, .nclass = 3, .nodesize = 30},
    {.name = "three nodes", .n = 90, .p = 5, .nclass = 3, .max_nodes = 3},
    {.name = "eleven nodes", .n = 90, .p = 5, .nclass = 3, .max_nodes = 11},
    {.name = "cutoff", .n = 90, .p = 5, .nclass = 3, .cutoff = 1, .n_test = 20, .test_labels = 1},
    {.name = "importance", .n = 90, .p = 6, .nclass = 3, .importance = 1, .columns = ANY_COLUMN},
    {.name = "local importance", .n = 90, .p = 6, .nclass = 2, .local = 1, .ntree = 6},
    {.name = "importance as intended", .n = 90, .p = 6, .nclass = 3, .importance = 1, .no_quirks = 1},
    {.name = "proximity", .n = 50, .p = 4, .nclass = 2, .proximity = 1, .n_test = 9},
    {.name = "proximity out of bag", .n = 50, .p = 4, .nclass = 2, .proximity = 1, .oob_proximity = 1, .n_test = 9},
    {.name = "proximity out of bag as intended",
     .n = 50, .p = 4, .nclass = 2, .proximity = 1, .oob_proximity = 1, .no_quirks = 1},
    {.name = "test rows", .n = 80, .p = 5, .nclass = 4, .n_test = 33, .test_labels = 1, .columns = ANY_COLUMN},
    {.name = "test rows without labels", .n = 80, .p = 5, .nclass = 4, .n_test = 1},
    {.name = "unsupervised", .n = 120, .p = 5, .nclass = 2, .unsupervised = 1, .proximity = 1, .inbag = 1},
    {.name = "unsupervised, one row", .n = 2, .p = 3, .nclass = 2, .unsupervised = 1},
    {.name = "unsupervised, ties and factors",
     .n = 160, .p = 6, .nclass = 2, .columns = TIED | FACTOR, .unsupervised = 1, .local = 1},
    {.name = "unsupervised, streams", .n = 700, .p = 6, .nclass = 2, .unsupervised = 1, .some_used = 1},
    {.name = "unsupervised, streams, ties",
     .n = 700, .p = 6, .nclass = 2, .columns = TIED | SMOOTH, .unsupervised = 1, .some_used = 1},
    {.name = "unsupervised as intended", .n = 120, .p = 5, .nclass = 2, .unsupervised = 1, .no_quirks = 1},
    {.name = "unsupervised as intended, streams, ties",
     .n = 700, .p = 6, .nclass = 2, .columns = ANY_COLUMN, .unsupervised = 1, .some_used = 1, .no_quirks = 1},
    {.name = "randomForest", .n = 90, .p = 9, .nclass = 2, .ntree = 6, FOREST},
    {.name = "randomForest, ties", .n = 150, .p = 6, .nclass = 3, .columns = TIED, .n_levels = 7, .ntree = 6, FOREST},
    {.name = "randomForest, copies of columns",
     .n = 120, .p = 9, .nclass = 2, .columns = SMOOTH | COPY | MIRROR, .mtry = 5, FOREST},
    {.name = "randomForest, extreme doubles", .n = 90, .p = 6, .nclass = 3, .columns = ODD, .n_test = 20, FOREST},
    {.name = "randomForest, streams, ties",
     .n = 600, .p = 10, .nclass = 2, .columns = TIED | SMOOTH, .n_levels = 9, .class0 = 300, .exact = 1, FOREST},
    {.name = "randomForest, five classes", .n = 700, .p = 10, .nclass = 5, .columns = ANY_COLUMN, FOREST},
    {.name = "randomForest, more features than rows", .n = 30, .p = 300, .nclass = 2, FOREST},
    {.name = "randomForest, factors of 32 levels, three classes",
     .n = 100, .p = 2, .nclass = 3, .columns = FACTOR, .n_levels = 32, .n_test = 40, FOREST},
    {.name = "randomForest, factors of 33 levels",
     .n = 200, .p = 4, .nclass = 2, .columns = FACTOR, .n_levels = 33, .n_test = 40, .importance = 1, FOREST},
    {.name = "randomForest, factors of 53 levels",
     .n = 300, .p = 4, .nclass = 2, .columns = FACTOR, .n_levels = 53, .n_test = 40, FOREST},
    {.name = "randomForest, factors of 53 levels, three classes",
     .n = 150, .p = 2, .nclass = 3, .columns = FACTOR, .n_levels = 53, .n_test = 40, FOREST},
    {.name = "randomForest, factors of 53 levels, weights",
     .n = 150, .p = 2, .nclass = 4, .columns = FACTOR, .n_levels = 53, .classwt = WEIGHTS_SOME, FOREST},
    {.name = "randomForest, a class of one row", .n = 60, .p = 5, .nclass = 2, .class0 = 1, .sampsize = 12, FOREST},
    {.name = "randomForest, one class in the bag", .n = 60, .p = 5, .nclass = 2, .class0 = 1, .sampsize = 1, FOREST},
    {.name = "randomForest, strata", .n = 90, .p = 5, .nclass = 3, .nstrata = 4, .inbag = 1, FOREST},
    {.name = "randomForest, weights of cases", .n = 90, .p = 5, .nclass = 3, .inbag = 1, .case_weights = 1, FOREST},
    {.name = "randomForest, weights of cases, without replacement",
     .n = 90, .p = 5, .nclass = 2, .inbag = 1, .no_replacement = 1, .case_weights = 1, FOREST},
    {.name = "randomForest, weights of cases, all of them drawn",
     .n = 40, .p = 5, .nclass = 2, .no_replacement = 1, .sampsize = 40, .case_weights = 1, FOREST},
    {.name = "randomForest, weights of cases, strata",
     .n = 90, .p = 5, .nclass = 2, .nstrata = 4, .ntree = 9, .case_weights = 1, FOREST},
    {.name = "randomForest, weights of cases, strata without replacement",
     .n = 90, .p = 5, .nclass = 2, .nstrata = 4, .no_replacement = 1, .ntree = 9, .case_weights = 1, FOREST},
    {.name = "randomForest, everything asked for",
     .n = 70, .p = 6, .nclass = 3, .columns = ANY_COLUMN, .local = 1, .proximity = 1, .oob_proximity = 1, .n_test = 9,
     .test_labels = 1, .inbag = 1, .cutoff = 1, FOREST},
    {.name = "randomForest, nodesize", .n = 90, .p = 5, .nclass = 3, .nodesize = 12, FOREST},
    {.name = "randomForest, eleven nodes", .n = 90, .p = 5, .nclass = 3, .max_nodes = 11, FOREST},
    {.name = "randomForest, unsupervised",
     .n = 120, .p = 5, .nclass = 2, .unsupervised = 1, .proximity = 1, .inbag = 1, .local = 1, FOREST},
    {.name = "randomForest, unsupervised, ties and factors",
     .n = 700, .p = 6, .nclass = 2, .columns = ANY_COLUMN, .unsupervised = 1, FOREST},
};
/* clang-format on */

static void test_named(void)
{
    for (int i = 0; i < COUNT(cases); ++i) {
        problem p;
        problem_make(&p, &cases[i], (uint64_t)i + 1);
        for (uint32_t seed = 1; seed <= 2; ++seed) {
            rrf_rng stream;
            rrf_rng_seed(&stream, seed);
            p.params.n_jobs = 3 * (int)seed - 2;
            compare(&p, &stream);
        }
        problem_free(&p);
    }
}

/* ---- leaves without cases --------------------------------------------------------------------------------------------- */

/* Two classes and factors of many levels: leaves that no case of the bag is in, but rows out of bag and test rows are. The seeds
 * were looked for. */
static void test_leaves_without_cases(void)
{
    static const struct {
        uint64_t seed;
        spec s;
    } grown[] = {
        {294, {.ntree = 60, .mtry = 2}},
        {202, {.ntree = 30, .n_levels = 22, FOREST}},
        {1526, {.ntree = 30, .n_levels = 22, .proximity = 1, FOREST}},
        {425, {.ntree = 60, .mtry = 2, .no_quirks = 1, .classwt = WEIGHTS_SOME}},
    };
    for (int i = 0; i < COUNT(grown); ++i) {
        problem p;
        rrf_rng stream;
        spec s = grown[i].s;
        s.name = "leaves without cases";
        s.n = 193, s.p = 3, s.nclass = 2, s.class0 = 112, s.columns = FACTOR, s.n_test = 60, s.test_labels = 1;
        problem_make(&p, &s, grown[i].seed);
        rrf_rng_seed(&stream, (uint32_t)grown[i].seed);
        int displaced = 0;
        compare_counting(&p, &stream, &displaced);
        CHECK(displaced > 0, "seed %d: no row reaches one", (int)grown[i].seed);
        problem_free(&p);
    }
}

/* ---- draws next to 1/k ------------------------------------------------------------------------------------------------ */

/* Classes that read the same from both ends of the one column, so that cuts tie in pairs. */
static void make_palindrome(problem *p)
{
    for (int row = 0; row < p->train.n; ++row) {
        int from_end = row < p->train.n / 2 ? row : p->train.n - 1 - row;
        p->x[row] = row;
        p->y[row] = from_end / 3 % p->nclass;
    }
}

/* Fits with a stream whose first block of draws is one number, just below or just above each of 1/k as a float and as a
 * double: ties are broken by comparison with the one while trees grow, with the other in votes. */
static void compare_next_to(const problem *p, int k)
{
    double bounds[] = {1.0 / k, 1.0F / (float)k};
    for (int at = 0; at < 4; ++at) {
        rrf_rng stream;
        uint32_t word = (uint32_t)floor(bounds[at / 2] * 0x1p32) + (uint32_t)(at % 2);
        rrf_rng_seed(&stream, 1);
        for (int w = 0; w < RRF_MT_WORDS; ++w) {
            stream.word[w] = word;
        }
        stream.position = 0;
        compare(p, &stream);
    }
}

static void test_draws_at_ties(void)
{
    /* clang-format off */
    static const spec tied[] = {
        {.name = "draws next to 1/k, votes",
         .n = 24, .p = 3, .nclass = 2, .columns = TIED, .n_levels = 3, .no_replacement = 1, .sampsize = 20},
        {.name = "draws next to 1/k, classes",
         .n = 24, .p = 2, .nclass = 6, .columns = TIED, .n_levels = 3, .no_replacement = 1, .sampsize = 20},
        {.name = "draws next to 1/k, as intended",
         .n = 24, .p = 2, .nclass = 6, .columns = TIED, .n_levels = 3, .no_replacement = 1, .no_quirks = 1},
        {.name = "draws next to 1/k, randomForest",
         .n = 24, .p = 2, .nclass = 6, .columns = TIED, .n_levels = 3, .no_replacement = 1, .sampsize = 20, FOREST},
        {.name = "draws next to 1/k, splits of randomForest",
         .n = 24, .p = 1, .nclass = 3, .no_replacement = 1, .sampsize = 24, .max_nodes = 3, FOREST},
        {.name = "draws next to 1/k, splits",
         .n = 24, .p = 1, .nclass = 2, .no_replacement = 1, .sampsize = 24, .max_nodes = 3},
        {.name = "draws next to 1/k, splits, three classes",
         .n = 24, .p = 1, .nclass = 3, .no_replacement = 1, .sampsize = 24, .max_nodes = 3},
    };
    /* clang-format on */
    for (int i = 0; i < COUNT(tied); ++i) {
        problem p;
        problem_make(&p, &tied[i], 1);
        if (tied[i].p == 1) {
            make_palindrome(&p);
        }
        for (int k = 2; k <= 12; ++k) {
            compare_next_to(&p, k);
        }
        problem_free(&p);
    }
}

/* As a drawn problem, but for randomForest. */
static void make_random_forest(spec *s, uint64_t seed)
{
    s->random_forest = s->all_penalised = 1;
    s->no_quirks = 0;
    s->case_weights = seed % 3 == 0 && !s->unsupervised;
    /* The oracle tries 512 sets of them at each node, level by level. */
    bool wide = seed % 4 == 0 && (s->nclass == 2 || s->n <= 60);
    s->n_levels = wide ? 33 + (int)(seed / 4 % 21) : s->n_levels;
}

/* As a drawn problem, but of few rows and features, with coefficients of all kinds side by side. */
static void make_small(spec *s, uint64_t seed)
{
    static const int max_nodes[] = {0, 3, 7}, n_levels[] = {2, 5, 10, 12};
    int number = (int)seed;
    s->nclass = 2 + number % 3;
    s->n = s->nclass + 2 + number / 3 % 13;
    s->p = 1 + number / 2 % 4;
    s->mtry = 1 + number / 8 % s->p;
    s->columns = SMOOTH | TIED | ODD | FACTOR;
    s->n_levels = n_levels[number / 5 % COUNT(n_levels)];
    s->max_nodes = max_nodes[number / 7 % COUNT(max_nodes)];
    s->nodesize = 1 + number / 11 % 3;
    s->sampsize = 3 + number / 13 % (s->no_replacement ? s->n - 2 : 2 * s->n - 2);
    s->coef = COEF_ANY;
    s->class0 = s->n_test = s->nstrata = s->n_groups = s->unsupervised = 0;
}

/* ---- drawn problems --------------------------------------------------------------------------------------------------- */

/* Of the drawn problems: that those which the core treats in a way of their own do occur. */
typedef struct tally {
    int grown, impossible, exact_two_class, inexact;
} tally;

static void count_weights(const problem *p, tally *seen)
{
    bool exact = true;
    for (int k = 0; k < p->nclass; ++k) {
        int cases_of_k = 0;
        for (int row = 0; row < p->train.n; ++row) {
            cases_of_k += p->y[row] == k;
        }
        double share = (double)cases_of_k / p->train.n;
        exact = exact && (!p->params.quirks || share * p->train.n / cases_of_k == 1.0) && !p->params.classwt;
    }
    seen->exact_two_class += exact && p->nclass == 2;
    seen->inexact += !exact;
}

/* change: what is another in the problems; NULL: nothing. */
static tally test_drawn(uint64_t first, uint64_t last, void (*change)(spec *s, uint64_t seed))
{
    tally seen = {0};
    for (uint64_t seed = first; seed <= last; ++seed) {
        problem p;
        char name[40];
        spec s = spec_draw(seed);
        snprintf(name, sizeof name, "drawn problem %llu", (unsigned long long)seed);
        s.name = name;
        if (change) {
            change(&s, seed);
        }
        problem_make(&p, &s, seed);
        rrf_rng stream;
        rrf_rng_seed(&stream, (uint32_t)seed);
        rrf_status status = compare(&p, &stream);
        seen.grown += status == RRF_OK;
        seen.impossible += status == RRF_ERR_NO_SPLIT;
        count_weights(&p, &seen);
        problem_free(&p);
    }
    return seen;
}

/* Where CRAN RRF would sample for ever, and where it would write beyond its arrays. */
static void test_bounds_of_nodes(void)
{
    static const struct {
        int max_nodes;
        rrf_status status;
    } bounds[] = {{1, RRF_ERR_NO_SPLIT}, {2, RRF_ERR_ARGUMENT}, {0, RRF_ERR_ARGUMENT}, {3, RRF_OK}};
    for (int i = 0; i < COUNT(bounds); ++i) {
        problem p;
        answer a;
        problem_make(&p, &(spec){.name = "bound", .n = 30, .p = 3, .nclass = 2}, 1);
        p.params.max_nodes = bounds[i].max_nodes;
        answer_make(&a, &p, NULL);
        answer_fit(&a, &p, NULL);
        CHECK(a.status == bounds[i].status, "%d nodes: %s", bounds[i].max_nodes, rrf_strerror(a.status));
        answer_free(&a);
        problem_free(&p);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        tally seen = test_drawn(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), NULL);
        printf("%d grown, %d impossible, %d two-class exact, %d inexact\n", seen.grown, seen.impossible,
               seen.exact_two_class, seen.inexact);
        return 0;
    }
    test_named();
    test_leaves_without_cases();
    test_draws_at_ties();
    test_bounds_of_nodes();
    tally forests = test_drawn(301, 450, make_random_forest);
    CHECK(forests.grown > 100, "%d forests of randomForest", forests.grown);
    tally small = test_drawn(451, 1050, make_small);
    CHECK(small.grown > 400, "%d small forests", small.grown);
    tally seen = test_drawn(1, 300, NULL);
    CHECK(seen.grown > 150 && seen.impossible > 0, "%d grown, %d impossible", seen.grown, seen.impossible);
    CHECK(seen.exact_two_class > 30 && seen.inexact > 30, "%d exact, %d not", seen.exact_two_class, seen.inexact);
    return 0;
}
