/* The native engine: the same forest on any number of threads. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "internal.h"

enum { ROWS = 300, COLUMNS = 40, TREES = 60, MANY_TREES = 600, CLASSES = 3 };

typedef struct fit {
    int32_t votes[ROWS * CLASSES], predicted[ROWS], oob_times[ROWS], used[COLUMNS];
    double mean[ROWS], error[MANY_TREES * (CLASSES + 1)], decrease[COLUMNS], classwt[CLASSES];
    rrf_forest forest;
    rrf_native_result result;
} fit;

typedef struct native_case {
    const char *name;
    int nclass;
    bool numbers, factors, ties;
    int flag_reg;
} native_case;

static const native_case cases[] = {{"two classes", 2, false, false, false, 1},
                                    {"three classes, ties", 3, false, false, true, 1},
                                    {"factors", 2, false, true, true, 1},
                                    {"numbers", 1, true, false, false, 1},
                                    {"numbers and factors", 1, true, true, true, 1},
                                    {"ordinary", 2, false, false, false, 0},
                                    {"ordinary, numbers", 1, true, false, false, 0}};

static double x[ROWS * COLUMNS], response[ROWS];
static int32_t y[ROWS], ncat[COLUMNS];

static void make_data(const native_case *c)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 7);
    for (int feature = 0; feature < COLUMNS; ++feature) {
        ncat[feature] = c->factors && feature % 3 == 0 ? 2 + feature % 30 : 1;
        for (int row = 0; row < ROWS; ++row) {
            double value = rrf_rng_normal(&rng);
            value = c->ties ? floor(2 * value) : value;
            x[feature * ROWS + row] = ncat[feature] > 1 ? 1 + rng_below(&rng, ncat[feature]) : value;
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        response[row] = x[ROWS + row] + x[2 * ROWS + row] + rrf_rng_normal(&rng);
        y[row] = c->numbers ? 0 : row < c->nclass ? row : ((int)(fabs(response[row]) * 1.3) % c->nclass);
    }
}

static rrf_status fit_case(fit *f, const native_case *c, int n_jobs, uint64_t seed, const rrf_monitor *monitor)
{
    static const double cutoff[CLASSES] = {0.3, 0.3, 0.3};
    static double coef[COLUMNS];
    int32_t sampsize = ROWS;
    for (int i = 0; i < COLUMNS; ++i) {
        coef[i] = 0.9;
    }
    *f = (fit){0};
    rrf_data data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat};
    rrf_target target = {.y = y, .nclass = c->nclass, .response = c->numbers ? response : NULL};
    rrf_params params = {.ntree = monitor ? MANY_TREES : TREES,
                         .mtry = monitor ? COLUMNS : 6,
                         .nodesize = c->numbers ? 5 : 1,
                         .max_nodes = 2 * ROWS + 1,
                         .replace = 1,
                         .sampsize = &sampsize,
                         .cutoff = cutoff,
                         .flag_reg = c->flag_reg,
                         .coef_reg = coef,
                         .keep_forest = 1,
                         .native = 1};
    f->result = (rrf_native_result){.votes = f->votes,
                                    .predicted = f->predicted,
                                    .mean = f->mean,
                                    .oob_times = f->oob_times,
                                    .error = f->error,
                                    .decrease = f->decrease,
                                    .classwt = f->classwt,
                                    .used = f->used};
    rrf_forest_init(&f->forest);
    return rrf_fit_native(&data, &target, &params, seed, n_jobs, monitor, &f->forest, &f->result);
}

static bool same_forest(const rrf_forest *a, const rrf_forest *b)
{
    size_t trees = ((size_t)a->ntree + 1) * sizeof *a->offset, nodes = (size_t)a->offset[a->ntree];
    return a->ntree == b->ntree && !memcmp(a->offset, b->offset, trees) &&
           !memcmp(a->left, b->left, nodes * sizeof *a->left) &&
           !memcmp(a->split_var, b->split_var, nodes * sizeof *a->split_var) &&
           !memcmp(a->split_point, b->split_point, nodes * sizeof *a->split_point) &&
           !memcmp(a->prediction, b->prediction, nodes * sizeof *a->prediction);
}

static bool same_results(const fit *a, const fit *b)
{
    return !memcmp(a->votes, b->votes, sizeof a->votes) && !memcmp(a->predicted, b->predicted, sizeof a->predicted) &&
           !memcmp(a->oob_times, b->oob_times, sizeof a->oob_times) && !memcmp(a->used, b->used, sizeof a->used) &&
           !memcmp(a->mean, b->mean, sizeof a->mean) && !memcmp(a->error, b->error, sizeof a->error) &&
           !memcmp(a->decrease, b->decrease, sizeof a->decrease);
}

static void test_threads_agree(void)
{
    static fit one, many;
    static const int jobs[] = {2, 4, 16};
    for (int i = 0; i < COUNT(cases); ++i) {
        make_data(cases + i);
        CHECK(fit_case(&one, cases + i, 1, 1, NULL) == RRF_OK, "%s", cases[i].name);
        CHECK(one.result.regrown == 0, "%s: one thread grew trees again", cases[i].name);
        CHECK(one.forest.ntree == TREES, "%s: %d trees", cases[i].name, one.forest.ntree);
        for (int k = 0; k < COUNT(jobs); ++k) {
            CHECK(fit_case(&many, cases + i, jobs[k], 1, NULL) == RRF_OK, "%s", cases[i].name);
            CHECK(same_forest(&one.forest, &many.forest), "%s: other trees on %d threads", cases[i].name, jobs[k]);
            CHECK(same_results(&one, &many), "%s: other results on %d threads", cases[i].name, jobs[k]);
            rrf_forest_free(&many.forest);
        }
        CHECK(fit_case(&many, cases + i, 1, 2, NULL) == RRF_OK, "%s", cases[i].name);
        CHECK(!same_results(&one, &many), "%s: two seeds, one answer", cases[i].name);
        rrf_forest_free(&many.forest);
        rrf_forest_free(&one.forest);
    }
}

/* The signal is in the first columns: forests must beat a guess. */
static void test_forests_learn(void)
{
    static fit f;
    make_data(cases + 3);
    double mean = 0.0, variance = 0.0;
    for (int row = 0; row < ROWS; ++row) {
        mean += response[row] / ROWS;
    }
    for (int row = 0; row < ROWS; ++row) {
        variance += (response[row] - mean) * (response[row] - mean) / ROWS;
    }
    CHECK(fit_case(&f, cases + 3, 4, 1, NULL) == RRF_OK, "numbers");
    CHECK(f.error[TREES - 1] < 0.8 * variance, "MSE %g of variance %g", f.error[TREES - 1], variance);
    CHECK(f.used[1] && f.used[2], "the features that matter are not in F");
    rrf_forest_free(&f.forest);
}

static int stop_at_once(void *context)
{
    ++*(int *)context;
    return 1;
}

/* With all features tried at every node of many trees there is work enough for a question. */
static void test_stop(void)
{
    static fit f;
    static const int jobs[] = {1, 4};
    make_data(cases + 1);
    for (int i = 0; i < COUNT(jobs); ++i) {
        int polls = 0;
        rrf_monitor monitor = {.poll = stop_at_once, .context = &polls};
        rrf_status status = fit_case(&f, cases + 1, jobs[i], 1, &monitor);
        /* Beside other threads the calling one may find too little left to do. */
        CHECK(status == (polls ? RRF_ERR_INTERRUPT : RRF_OK), "status %d after %d polls", (int)status, polls);
        CHECK(polls == 1 || jobs[i] > 1, "%d polls", polls);
        rrf_forest_free(&f.forest);
    }
}

int main(void)
{
    test_threads_agree();
    test_forests_learn();
    test_stop();
    return 0;
}
