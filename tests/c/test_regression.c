/* Whole regression fits of the core against the oracle, as CRAN RRF's and as CRAN randomForest's: every number, every tree,
 * the stream, the feature set.
 *
 * Usage: test_regression [first last]: compares the drawn problems of these seeds only, for a longer search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>

#include "check.h"
#include "random/mersenne.h"
#include "oracle.h"
#include "regression_oracle.h"
#include "regression_problem.h"
#include "same.h"

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
    regression_answer_init(&core, r, seed);
    regression_answer_init(&oracle, r, seed);
    regression_oracle_fit(&p->train, r->y, p->test.n ? &p->test : NULL, p->made_from.test_labels ? r->ytest : NULL,
                          &p->params, &oracle.rng, &oracle.forest, &oracle.result, &degenerate);
    rrf_status status = regression_fit(&core, r, NULL);
    CHECK(!status, "%s: %s", p->name, rrf_strerror(status));
    same_forest(p->name, &core.forest, &oracle.forest);
    same_results(r, &core.result, &oracle.result);
    same_stream(p->name, &core.rng, &oracle.rng);
    regression_answer_clear(&core);
    regression_answer_clear(&oracle);
    return degenerate;
}

/* The same problem for randomForest, without weights of the rows and, where these are not many, with them. */
static int compare_forests(regression_problem *r, uint32_t seed)
{
    rrf_params before = r->p.params;
    double *weight = draw_weights(r, seed);
    ask_random_forest(r, NULL);
    int degenerate = compare(r, seed);
    if (r->p.train.n <= 300) {
        ask_random_forest(r, weight);
        degenerate += compare(r, seed);
    }
    r->p.params = before;
    free(weight);
    return degenerate;
}

/* ---- named problems -------------------------------------------------------------------------------------------------- */

/* clang-format off */
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
    int degenerate = 0, of_forests = 0;
    for (int i = 0; i < COUNT(cases); ++i) {
        regression_problem r;
        regression_make(&r, &cases[i], (uint64_t)i + 1);
        for (uint32_t seed = 1; seed <= 2; ++seed) {
            degenerate += compare(&r, seed);
        }
        of_forests += compare_forests(&r, 1);
        regression_unmake(&r);
    }
    CHECK(degenerate > 5, "%d degenerate splits", degenerate);
    CHECK(of_forests > 20, "%d degenerate splits of randomForest", of_forests);
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
        regression_make(&r, &s, seed);
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
        compare_forests(&r, (uint32_t)seed);
        regression_unmake(&r);
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
        regression_make(&r, &s, seed);
        compare(&r, (uint32_t)seed);
        compare_forests(&r, (uint32_t)seed);
        regression_unmake(&r);
    }
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
    return 0;
}
