/* Calls of the regression fit: what is refused, what is left behind when memory is short or the caller stops; predictions of
 * the forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "oracle.h"
#include "regression_problem.h"
#include "same.h"
#include "stopper.h"

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
        regression_make(&r, &(regression_spec){BASE(.name = "bounds", .n = 30, .p = 3, .no_replacement = 1)}, 1);
        r.p.params.max_nodes = refused[i].max_nodes;
        r.p.params.mtry = refused[i].mtry;
        r.p.sampsize[0] = refused[i].sampsize;
        regression_answer_init(&a, &r, 1);
        CHECK(regression_fit(&a, &r, NULL) == RRF_ERR_ARGUMENT, "refused arguments %d", i);
        regression_answer_clear(&a);
        regression_unmake(&r);
    }
}

static void fit_short_of_memory(const regression_problem *r, long k, int lasting, rrf_status expected)
{
    regression_answer a;
    regression_answer_init(&a, r, 1);
    long before = alloc_live();
    alloc_fail_at(k, lasting);
    rrf_status status = regression_fit(&a, r, NULL);
    alloc_fail_at(0, 0);
    CHECK(status == expected, "%s, allocation %ld: %s", r->p.name, k, rrf_strerror(status));
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s, allocation %ld: %ld blocks left", r->p.name, k, alloc_live() - before);
    regression_answer_clear(&a);
}

/* Every allocation of a fit fails in turn, alone and with all that follow. */
static void test_without_memory(const regression_spec *s, bool random_forest)
{
    regression_problem r;
    regression_answer a;
    regression_make(&r, s, 1);
    double *weight = draw_weights(&r, 1);
    if (random_forest) {
        ask_random_forest(&r, weight);
    }
    regression_answer_init(&a, &r, 1);
    alloc_fail_at(0, 0);
    CHECK(!regression_fit(&a, &r, NULL), "%s", r.p.name);
    long n_calls = alloc_calls();
    regression_answer_clear(&a);
    CHECK(n_calls > 40, "%s: %ld allocations", r.p.name, n_calls);
    for (long k = 1; k <= n_calls; ++k) {
        fit_short_of_memory(&r, k, 0, RRF_ERR_MEMORY);
        fit_short_of_memory(&r, k, 1, RRF_ERR_MEMORY);
    }
    fit_short_of_memory(&r, n_calls + 1, 1, RRF_OK);
    free(weight);
    regression_unmake(&r);
}

static rrf_status fit_watched(const regression_problem *r, stopper *s)
{
    regression_answer a;
    rrf_monitor monitor = {.poll = count_poll, .tree = count_tree, .context = s};
    regression_answer_init(&a, r, 1);
    long before = alloc_live();
    rrf_status status = regression_fit(&a, r, &monitor);
    rrf_forest_free(&a.forest);
    CHECK(alloc_live() == before, "%s: %ld blocks left", r->p.name, alloc_live() - before);
    regression_answer_clear(&a);
    return status;
}

static void test_stops(void)
{
    regression_problem r;
    regression_make(&r,
                    &(regression_spec){BASE(.name = "stopped", .n = 20000, .p = 20, .mtry = 20, .nodesize = 500,
                                            .ntree = 3, .local = 1)},
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
    regression_unmake(&r);
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
    regression_make(&r,
                    &(regression_spec){BASE(.name = "predicted", .n = TRAIN, .p = 6, .columns = ANY_COLUMN, .mtry = 3,
                                            .ntree = TREES, .n_test = ROWS, .proximity = 1, .no_quirks = 1)},
                    3);
    regression_answer_init(&a, &r, 1);
    CHECK(!regression_fit(&a, &r, NULL), "fit");
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
    regression_answer_clear(&a);
    regression_unmake(&r);
}

int main(void)
{
    test_bounds();
    test_without_memory(&everything, false);
    test_without_memory(&everything, true);
    test_without_memory(&near, false);
    test_without_memory(&near, true);
    test_stops();
    test_predict();
    return 0;
}
