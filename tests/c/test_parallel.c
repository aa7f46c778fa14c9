/* The parallel engine: the same forest on any number of threads. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "random/mersenne.h"
#include "random/splitmix.h"
#include "same.h"

/* The thread sanitizer makes everything ten times slower. */
#ifdef __SANITIZE_THREAD__
enum { ROWS = 120, COLUMNS = 20, TREES = 24, MANY_TREES = 100, CLASSES = 3 };
static const int jobs[] = {4};
#else
enum { ROWS = 300, COLUMNS = 40, TREES = 60, MANY_TREES = 600, CLASSES = 3 };
static const int jobs[] = {2, 4, 16};
#endif

typedef struct fit {
    int32_t votes[ROWS * CLASSES], predicted[ROWS], oob_times[ROWS], used[COLUMNS];
    double mean[ROWS], error[MANY_TREES * (CLASSES + 1)], decrease[COLUMNS], classwt[CLASSES];
    double importance[COLUMNS * (CLASSES + 1)], importance_sd[COLUMNS * (CLASSES + 1)];
    double local_importance[ROWS * COLUMNS], proximity[ROWS * ROWS];
    int32_t inbag[ROWS * TREES];
    rrf_forest forest;
    rrf_parallel_result result;
} fit;

typedef struct parallel_case {
    const char *name;
    int nclass;
    bool numbers, factors, ties;
    int flag_reg;
    bool missing, weights, single; /* missing values, row weights, single precision with rows one after the other */
    int columns;                   /* the first so many; 0: all */
    rrf_parallel_params parallel;
} parallel_case;

static const parallel_case cases[] = {
    {.name = "two classes", .nclass = 2, .flag_reg = 1},
    {.name = "three classes, ties", .nclass = 3, .ties = true, .flag_reg = 1},
    {.name = "factors", .nclass = 2, .factors = true, .ties = true, .flag_reg = 1},
    {.name = "numbers", .nclass = 1, .numbers = true, .flag_reg = 1},
    {.name = "numbers and factors", .nclass = 1, .numbers = true, .factors = true, .ties = true, .flag_reg = 1},
    {.name = "few columns", .nclass = 2, .flag_reg = 1, .columns = ROWS / 64},
    {.name = "few columns, numbers",
     .nclass = 1,
     .numbers = true,
     .flag_reg = 1,
     .columns = ROWS / 64,
     .parallel = {.draw_from_all = 1}},
    {.name = "ordinary", .nclass = 2},
    {.name = "ordinary, numbers", .nclass = 1, .numbers = true},
    {.name = "missing", .nclass = 2, .factors = true, .ties = true, .flag_reg = 1, .missing = true},
    {.name = "missing, three classes", .nclass = 3, .flag_reg = 1, .missing = true},
    {.name = "missing, numbers", .nclass = 1, .numbers = true, .ties = true, .flag_reg = 1, .missing = true},
    {.name = "weights", .nclass = 2, .flag_reg = 1, .weights = true},
    {.name = "weights, numbers", .nclass = 1, .numbers = true, .factors = true, .flag_reg = 1, .weights = true},
    {.name = "single precision", .nclass = 2, .factors = true, .flag_reg = 1, .missing = true, .single = true},
    {.name = "entropy", .nclass = 3, .factors = true, .flag_reg = 1, .parallel = {.criterion = RRF_ENTROPY}},
    {.name = "gain", .nclass = 2, .factors = true, .flag_reg = 1, .parallel = {.penalty = RRF_PENALIZE_GAIN}},
    {.name = "depth", .nclass = 2, .factors = true, .flag_reg = 1, .parallel = {.max_depth = 4, .use_depth = 1}},
    {.name = "ties first", .nclass = 3, .factors = true, .ties = true, .flag_reg = 1, .parallel = {.ties_first = 1}},
    {.name = "depth first", .nclass = 2, .factors = true, .flag_reg = 1, .parallel = {.depth_first = 1}},
    {.name = "mtry of all", .nclass = 2, .flag_reg = 1, .parallel = {.draw_from_all = 1}},
    {.name = "mtry of all, numbers", .nclass = 1, .numbers = true, .flag_reg = 1, .parallel = {.draw_from_all = 1}}};

static double x[ROWS * COLUMNS], response[ROWS], weight[ROWS];
static float x32[ROWS * COLUMNS];
static int32_t y[ROWS], ncat[COLUMNS];

static void make_data(const parallel_case *c)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 7);
    for (int feature = 0; feature < COLUMNS; ++feature) {
        ncat[feature] = c->factors && feature % 3 == 0 ? 2 + feature % 30 : 1;
        for (int row = 0; row < ROWS; ++row) {
            double value = rrf_rng_normal(&rng);
            value = c->ties ? floor(2 * value) : value;
            value = c->missing && rrf_rng_uniform(&rng) < 0.1 * (feature % 4) ? NAN : value;
            x[feature * ROWS + row] = ncat[feature] > 1 ? 1 + rng_below(&rng, ncat[feature]) : value;
            x32[row * COLUMNS + feature] = (float)x[feature * ROWS + row];
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        double a = x[ROWS + row], b = x[2 * ROWS + row];
        response[row] = (isnan(a) ? 1 : a) + (isnan(b) ? -1 : b) + rrf_rng_normal(&rng);
        weight[row] = row % 7 ? rrf_rng_uniform(&rng) : 0;
        y[row] = c->numbers ? 0 : row < c->nclass ? row : ((int)(fabs(response[row]) * 1.3) % c->nclass);
    }
}

static rrf_splits *told; /* where a fit writes its splits; NULL: nowhere */
static bool forgets;     /* a fit keeps no forest */
static bool is_brief;    /* it has no statistics either, for which trees would be kept until they are done */

static rrf_status fit_case(fit *f, const parallel_case *c, int n_jobs, uint64_t seed, const rrf_monitor *monitor)
{
    static const double cutoff[CLASSES] = {0.3, 0.3, 0.3};
    static double coef[COLUMNS];
    int32_t sampsize = ROWS;
    for (int i = 0; i < COLUMNS; ++i) {
        coef[i] = 0.9;
    }
    *f = (fit){0};
    rrf_data data = {.x = x, .n = ROWS, .p = c->columns ? c->columns : COLUMNS, .ncat = ncat};
    rrf_data single = {.x32 = x32,
                       .n = ROWS,
                       .p = c->columns ? c->columns : COLUMNS,
                       .ncat = ncat,
                       .row_step = COLUMNS,
                       .feature_step = 1};
    rrf_parallel_params parallel = c->parallel;
    parallel.seed = seed;
    parallel.n_jobs = n_jobs;
    parallel.row_weight = c->weights ? weight : NULL;
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
                         .n_perm = 2,
                         .keep_forest = !forgets};
    f->result = (rrf_parallel_result){.votes = f->votes,
                                      .predicted = f->predicted,
                                      .mean = f->mean,
                                      .oob_times = f->oob_times,
                                      .error = f->error,
                                      .decrease = f->decrease,
                                      .classwt = f->classwt,
                                      .used = f->used,
                                      .splits = told};
    if (!monitor && !is_brief) {
        f->result.importance = f->importance;
        f->result.importance_sd = f->importance_sd;
        f->result.local_importance = f->local_importance;
        f->result.proximity = f->proximity;
        f->result.inbag = f->inbag;
    }
    rrf_forest_init(&f->forest);
    return rrf_fit_parallel(c->single ? &single : &data, &target, &params, &parallel, NULL, monitor, &f->forest,
                            &f->result);
}

static bool same_results(const fit *a, const fit *b)
{
    return !memcmp(a->votes, b->votes, sizeof a->votes) && !memcmp(a->predicted, b->predicted, sizeof a->predicted) &&
           !memcmp(a->oob_times, b->oob_times, sizeof a->oob_times) && !memcmp(a->used, b->used, sizeof a->used) &&
           !memcmp(a->mean, b->mean, sizeof a->mean) && !memcmp(a->error, b->error, sizeof a->error) &&
           !memcmp(a->decrease, b->decrease, sizeof a->decrease) &&
           !memcmp(a->importance, b->importance, sizeof a->importance) &&
           !memcmp(a->importance_sd, b->importance_sd, sizeof a->importance_sd) &&
           !memcmp(a->local_importance, b->local_importance, sizeof a->local_importance) &&
           !memcmp(a->proximity, b->proximity, sizeof a->proximity) && !memcmp(a->inbag, b->inbag, sizeof a->inbag);
}

static void test_threads_agree(void)
{
    static fit one, many;
    for (int i = 0; i < COUNT(cases); ++i) {
        make_data(cases + i);
        CHECK(fit_case(&one, cases + i, 1, 1, NULL) == RRF_OK, "%s", cases[i].name);
        CHECK(one.result.regrown == 0, "%s: one thread grew trees again", cases[i].name);
        CHECK(one.forest.ntree == TREES, "%s: %d trees", cases[i].name, one.forest.ntree);
        for (int k = 0; k < COUNT(jobs); ++k) {
            CHECK(fit_case(&many, cases + i, jobs[k], 1, NULL) == RRF_OK, "%s", cases[i].name);
            CHECK(same_parallel_forest(&one.forest, &many.forest), "%s: other trees on %d threads", cases[i].name,
                  jobs[k]);
            CHECK(same_results(&one, &many), "%s: other results on %d threads", cases[i].name, jobs[k]);
            rrf_forest_free(&many.forest);
        }
        CHECK(fit_case(&many, cases + i, 1, 2, NULL) == RRF_OK, "%s", cases[i].name);
        CHECK(!same_results(&one, &many), "%s: two seeds, one answer", cases[i].name);
        rrf_forest_free(&many.forest);
        rrf_forest_free(&one.forest);
    }
}

/* All answers but the trees, which are given back one by one or after the statistics. */
static void test_forgotten_trees(void)
{
    static fit kept, forgotten;
    for (int i = 0; i < 2 * COUNT(cases); ++i) {
        const parallel_case *c = cases + i / 2;
        make_data(c);
        is_brief = i % 2;
        CHECK(fit_case(&kept, c, 2, 1, NULL) == RRF_OK, "%s", c->name);
        forgets = true;
        CHECK(fit_case(&forgotten, c, 2, 1, NULL) == RRF_OK, "%s", c->name);
        CHECK(same_results(&kept, &forgotten), "%s: other results without trees", c->name);
        CHECK(kept.forest.ntree == TREES && forgotten.forest.ntree == 0, "%s: %d trees", c->name, kept.forest.ntree);
        CHECK(!is_brief || forgotten.forest.capacity < kept.forest.capacity, "%s: room for all trees", c->name);
        rrf_forest_free(&kept.forest);
        rrf_forest_free(&forgotten.forest);
        forgets = is_brief = false;
    }
}

/* Trees of an ordinary forest go by their numbers, and its splits add up to what it says of the features. */
static void check_ranges(const parallel_case *c)
{
    enum { HALF = TREES / 2 };
    static fit whole, later;
    parallel_case second_half = *c;
    double decrease[COLUMNS] = {0};
    rrf_splits splits;
    rrf_splits_init(&splits);
    told = &splits;
    CHECK(fit_case(&whole, c, 2, 1, NULL) == RRF_OK, "%s", c->name);
    told = NULL;
    second_half.parallel.first_tree = HALF;
    CHECK(fit_case(&later, &second_half, 1, 1, NULL) == RRF_OK, "%s", c->name);
    size_t begin = (size_t)whole.forest.offset[HALF], nodes = (size_t)later.forest.offset[HALF];
    CHECK(!memcmp(whole.forest.split_point + begin, later.forest.split_point, nodes * sizeof(double)), "%s: trees",
          c->name);
    CHECK(!memcmp(whole.inbag + HALF * ROWS, later.inbag, HALF * ROWS * sizeof *later.inbag), "%s: bags", c->name);
    for (int64_t i = 0; i < splits.n; ++i) {
        decrease[splits.feature[i]] += splits.decrease[i];
    }
    for (int feature = 0; feature < COLUMNS; ++feature) {
        CHECK(decrease[feature] / TREES == whole.decrease[feature], "%s: feature %d", c->name, feature);
    }
    rrf_splits_free(&splits);
    rrf_forest_free(&whole.forest);
    rrf_forest_free(&later.forest);
}

static void test_ranges_agree(void)
{
    int checked = 0;
    for (int i = 0; i < COUNT(cases); ++i) {
        if (cases[i].flag_reg == 0) {
            make_data(cases + i);
            check_ranges(cases + i);
            ++checked;
        }
    }
    CHECK(checked == 2, "%d ordinary forests", checked);
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
    static const int stopped[] = {1, 4};
    make_data(cases + 1);
    for (int i = 0; i < COUNT(stopped); ++i) {
        int polls = 0;
        rrf_monitor monitor = {.poll = stop_at_once, .context = &polls};
        rrf_status status = fit_case(&f, cases + 1, stopped[i], 1, &monitor);
        /* Beside other threads the calling one may find too little left to do. */
        CHECK(status == (polls ? RRF_ERR_INTERRUPT : RRF_OK), "status %d after %d polls", (int)status, polls);
        CHECK(polls == 1 || stopped[i] > 1, "%d polls", polls);
        rrf_forest_free(&f.forest);
    }
}

/* Predictions of the training rows on several threads, and trees one at a time. */
static void test_predictions_agree(void)
{
    static fit f;
    static const double cutoff[CLASSES] = {0.3, 0.3, 0.3};
    static int32_t votes[2][ROWS * CLASSES], predicted[2][ROWS], nodes[2][ROWS * TREES];
    static double individual[2][ROWS * TREES], proximity[2][ROWS * ROWS];
    make_data(cases + 1);
    CHECK(fit_case(&f, cases + 1, 2, 1, NULL) == RRF_OK, "fit");
    rrf_data data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat};
    for (int i = 0; i < 2; ++i) {
        rrf_prediction out = {votes[i], predicted[i], NULL, individual[i], nodes[i], proximity[i]};
        CHECK(rrf_predict(&f.forest, &data, CLASSES, cutoff, 0, NULL, 1 + 3 * i, NULL, &out) == RRF_OK, "predict");
    }
    CHECK(!memcmp(votes[0], votes[1], sizeof votes[0]), "votes");
    CHECK(!memcmp(predicted[0], predicted[1], sizeof predicted[0]), "predicted");
    CHECK(!memcmp(nodes[0], nodes[1], sizeof nodes[0]), "nodes");
    CHECK(!memcmp(individual[0], individual[1], sizeof individual[0]), "individual");
    CHECK(!memcmp(proximity[0], proximity[1], sizeof proximity[0]), "proximity");
    rrf_forest_free(&f.forest);
}

/* What is told of the nodes of the forest's first tree, of numbers: it has as many rows in a leaf as came there, and the
 * root's gains are those of its candidates, the winner's before its coefficient. */
static void check_report(const rrf_forest *forest, const rrf_tree_report *report, const int32_t *count)
{
    static int32_t rows[2 * ROWS + 1];
    static double outside[2 * ROWS + 1];
    double whole = 0.0;
    const rrf_gains *gains = report->gains;
    memset(rows, 0, sizeof rows);
    memset(outside, 0, sizeof outside);
    for (int row = 0; row < ROWS; ++row) {
        rows[report->leaves[row] - 1] += count[row] > 0 && weight[row] > 0.0;
        outside[report->leaves[row] - 1] += count[row] > 0 ? 0.0 : weight[row] * response[row];
        whole += count[row] > 0 ? 0.0 : weight[row];
    }
    CHECK(fabs(report->outside[0] - whole) < 1e-9, "weight out of the bag");
    for (int node = 0; node < forest->offset[1]; ++node) {
        bool leaf = forest->left[node] == 0;
        CHECK(!leaf || rows[node] == report->distinct[node], "leaf %d: %d rows", node, rows[node]);
        CHECK(!leaf || fabs(outside[node] - report->outside[2 * node + 1]) < 1e-9, "leaf %d: outside", node);
        CHECK(leaf || gains->offset[node + 1] > gains->offset[node], "node %d: no candidate", node);
        CHECK(leaf || gains->gain[gains->offset[node]] >= report->decrease[node], "node %d: least gain", node);
    }
    CHECK(gains->offset[0] == 0 && gains->offset[1] == 6, "%d candidates", (int)gains->offset[1]);
    for (int i = 1; i < 6; ++i) {
        CHECK(gains->gain[i] <= gains->gain[i - 1] && gains->gain[i] >= 0.0, "gain %d", i);
    }
}

static void test_one_tree(void)
{
    static double coef[COLUMNS], probability[COLUMNS], decrease[2 * ROWS + 1], total[2 * (2 * ROWS + 1)];
    static double outside[2 * (2 * ROWS + 1)];
    static int32_t used[COLUMNS], count[ROWS], distinct[2 * ROWS + 1], leaves[ROWS];
    int32_t sampsize = ROWS;
    make_data(cases + 3);
    for (int i = 0; i < COLUMNS; ++i) {
        coef[i] = 0.9;
        probability[i] = i % 2;
        used[i] = i == 4;
    }
    for (int row = 0; row < ROWS; ++row) {
        count[row] = row % 3;
    }
    rrf_data data = {.x = x, .n = ROWS, .p = COLUMNS, .ncat = ncat};
    rrf_target target = {.y = y, .nclass = 1, .response = response};
    rrf_params params = {.ntree = 1,
                         .mtry = 5,
                         .nodesize = 5,
                         .max_nodes = 2 * ROWS + 1,
                         .replace = 1,
                         .sampsize = &sampsize,
                         .flag_reg = 1,
                         .coef_reg = coef};
    rrf_parallel_params parallel = {.row_weight = weight};
    rrf_tree_request request = {
        .count = count, .row_weight = weight, .probability = probability, .used = used, .seed = 3};
    rrf_gains gains;
    rrf_gains_init(&gains);
    rrf_tree_report report = {.decrease = decrease,
                              .total = total,
                              .distinct = distinct,
                              .leaves = leaves,
                              .outside = outside,
                              .gains = &gains};
    rrf_worker *worker;
    rrf_forest forest;
    rrf_forest_init(&forest);
    CHECK(rrf_worker_new(&data, &target, &params, &parallel, NULL, NULL, &worker) == RRF_OK, "new");
    CHECK(rrf_worker_grow(worker, &request, &forest, &report) == RRF_OK, "grow");
    CHECK(forest.ntree == 1 && forest.left[0] == 2, "one tree that splits");
    for (int i = 0; i < COLUMNS; ++i) {
        CHECK(!used[i] || i % 2 || i == 4, "feature %d has no chance and was used", i);
    }
    CHECK(decrease[0] > 0.0, "decrease of the root");
    CHECK(fabs(total[0] - total[2] - total[4]) < 1e-9, "weights of the daughters add up");
    check_report(&forest, &report, count);
    rrf_gains_free(&gains);
    rrf_forest_free(&forest);
    rrf_worker_free(worker);
}

int main(void)
{
    test_threads_agree();
    test_forgotten_trees();
    test_ranges_agree();
    test_forests_learn();
    test_stop();
    test_predictions_agree();
    test_one_tree();
    return 0;
}
