/* Rows sent down trees, and what predictions make of it. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "random/mersenne.h"
#include "tree/apply.h"
#include "tree/descent.h"
#include "oracle.h"
#include "problem.h"

/* ---- trees written by hand ------------------------------------------------------------------------------------------- */

enum { MAX_NODES = 50, MAX_TREES = 4 };

typedef struct hand_forest {
    int64_t offset[MAX_TREES + 1];
    int32_t left[MAX_NODES], split_var[MAX_NODES], status[MAX_NODES];
    double split_point[MAX_NODES], prediction[MAX_NODES];
    rrf_forest view;
} hand_forest;

static void forest_begin(hand_forest *f)
{
    *f = (hand_forest){.view = {.ntree = 0}};
    f->view.offset = f->offset;
    f->view.left = f->left;
    f->view.split_var = f->split_var;
    f->view.status = f->status;
    f->view.split_point = f->split_point;
    f->view.prediction = f->prediction;
}

static void add_terminal(hand_forest *f, int node, int class)
{
    f->status[node] = RRF_TERMINAL;
    f->prediction[node] = class + 1;
}

/* A tree of one split whose daughters are of class 0 and 1; a feature of -1: a root of class 0 or 1 alone. */
static void add_stump(hand_forest *f, int feature, double point, int root_class)
{
    int64_t first = f->offset[f->view.ntree];
    int root = (int)first, n_nodes = feature < 0 ? 1 : 3;
    if (feature < 0) {
        add_terminal(f, root, root_class);
    } else {
        f->status[root] = RRF_INTERIOR_CLASS;
        f->split_var[root] = feature + 1;
        f->split_point[root] = point;
        f->left[root] = 2;
        add_terminal(f, root + 1, 0);
        add_terminal(f, root + 2, 1);
    }
    f->offset[++f->view.ntree] = first + n_nodes;
}

/* ---- tree_apply ------------------------------------------------------------------------------------------------------ */

static void test_value_at_split_point(void)
{
    static const double x[] = {0.5, 0.25, 0.75, -0.0, 1e308, -1e308};
    static const int32_t ncat[] = {1}, expected[] = {1, 1, 2, 1, 2, 1};
    hand_forest f;
    int32_t nodes[COUNT(x)];
    rrf_data data = {.x = x, .n = COUNT(x), .p = 1, .ncat = ncat};
    forest_begin(&f);
    add_stump(&f, 0, 0.5, 0);
    tree t = forest_tree(&f.view, 0);
    tree_apply(&t, &data, NULL, data.n, -1, NULL, nodes);
    for (int i = 0; i < COUNT(x); ++i) {
        CHECK(nodes[i] == expected[i], "x %g falls into node %d", x[i], nodes[i]);
    }
}

/* The bits of each level in turn, level 32 being R's sign bit. */
static void test_factor_of_32_levels(void)
{
    double x[32];
    static const int32_t ncat[] = {32};
    for (int level = 0; level < 32; ++level) {
        x[level] = level + 1;
    }
    rrf_data data = {.x = x, .n = 32, .p = 1, .ncat = ncat};
    for (int chosen = 0; chosen < 32; ++chosen) {
        hand_forest f;
        int32_t nodes[32];
        double point = chosen < 31 ? (double)(1U << chosen) : -2147483648.0;
        forest_begin(&f);
        add_stump(&f, 0, point, 0);
        tree t = forest_tree(&f.view, 0);
        tree_apply(&t, &data, NULL, data.n, -1, NULL, nodes);
        for (int level = 0; level < 32; ++level) {
            CHECK(nodes[level] == (level == chosen ? 1 : 2), "level %d of %g: node %d", level, point, nodes[level]);
        }
    }
}

/* Any number of rows, in any order, with a column of their own in place of feature 0. */
static void test_replaced_column(void)
{
    enum { N = 70 };
    double x[2 * N], column[N];
    int32_t rows[N], nodes[N];
    static const int32_t ncat[] = {1, 1};
    rrf_data data = {.x = x, .n = N, .p = 2, .ncat = ncat};
    for (int i = 0; i < N; ++i) {
        x[i] = 0.0;
        x[N + i] = i % 3;
        column[i] = i % 2;
        rows[i] = (i * 11 + 5) % N;
    }
    for (int feature = 0; feature < 2; ++feature) {
        hand_forest f;
        forest_begin(&f);
        add_stump(&f, feature, 0.5, 0);
        tree t = forest_tree(&f.view, 0);
        for (int n_rows = 0; n_rows <= N; ++n_rows) {
            tree_apply(&t, &data, rows, n_rows, 0, column, nodes);
            for (int i = 0; i < n_rows; ++i) {
                double value = feature == 0 ? column[i] : x[N + rows[i]];
                CHECK(nodes[i] == (value <= 0.5 ? 1 : 2), "feature %d, row %d of %d", feature, i, n_rows);
            }
        }
    }
}

/* ---- layouts of the data --------------------------------------------------------------------------------------------- */

enum { CHAIN = 10, CHAIN_ROWS = 70, CHAIN_VALUES = CHAIN * CHAIN_ROWS };

/* A tree that asks one feature after the other: left at 0.5 ends the way. */
static void add_chain(hand_forest *f)
{
    int64_t first = f->offset[f->view.ntree];
    for (int i = 0; i <= 2 * CHAIN; ++i) {
        bool terminal = i % 2 == 1 || i == 2 * CHAIN;
        int node = (int)first + i;
        f->status[node] = terminal ? RRF_TERMINAL : RRF_INTERIOR_REGRESS;
        f->split_var[node] = terminal ? 0 : i / 2 + 1;
        f->split_point[node] = 0.5;
        f->left[node] = terminal ? 0 : i + 2;
        f->prediction[node] = i;
    }
    f->offset[++f->view.ntree] = first + 2 * CHAIN + 1;
}

/* The values of x, which are 0, 1 or missing, in every layout: by column, by row, with gaps, and sparse. */
typedef struct layouts {
    double x[CHAIN_VALUES], by_row[CHAIN_VALUES], gaps[2 * CHAIN_VALUES], stored[CHAIN_VALUES];
    float x32[CHAIN_VALUES], by_row32[CHAIN_VALUES];
    int64_t column_start[CHAIN + 1];
    int32_t row_index[CHAIN_VALUES];
} layouts;

static void lay_out(layouts *l, int n)
{
    int64_t n_stored = 0;
    for (int feature = 0; feature < CHAIN; ++feature) {
        l->column_start[feature] = n_stored;
        for (int row = 0; row < n; ++row) {
            int at = feature * n + row, draw = (row * 37 + feature * feature * 11 + row * feature) % 13;
            double value = draw == 0 ? NAN : draw < 4 ? 0.0 : 1.0;
            l->x[at] = l->by_row[row * CHAIN + feature] = l->gaps[2 * at] = value;
            l->x32[at] = l->by_row32[row * CHAIN + feature] = (float)value;
            l->gaps[2 * at + 1] = 7.0;
            if (value != 0.0) {
                l->row_index[n_stored] = row;
                l->stored[n_stored++] = value;
            }
        }
    }
    l->column_start[CHAIN] = n_stored;
}

static int chain_end(const layouts *l, int n, int row, const uint8_t *missing_left)
{
    for (int feature = 0; feature < CHAIN; ++feature) {
        double value = l->x[feature * n + row];
        if (value <= 0.5 || (value != value && missing_left[2 * feature])) {
            return 2 * feature + 2;
        }
    }
    return 2 * CHAIN + 1;
}

static void check_layouts(const layouts *l, int n, const rrf_forest *f)
{
    static const int32_t ncat[CHAIN] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const rrf_data all[] = {
        {.x = l->x},
        {.x32 = l->x32},
        {.x = l->by_row, .row_step = CHAIN, .feature_step = 1},
        {.x32 = l->by_row32, .row_step = CHAIN, .feature_step = 1},
        {.x = l->gaps, .row_step = 2, .feature_step = 2 * n},
        {.x = l->stored, .column_start = l->column_start, .row_index = l->row_index},
    };
    for (int i = 0; i < COUNT(all); ++i) {
        double mean[CHAIN_ROWS];
        int32_t nodes[2 * CHAIN_ROWS];
        rrf_data data = all[i];
        rrf_prediction out = {.mean = mean, .nodes = nodes};
        data.n = n, data.p = CHAIN, data.ncat = ncat;
        CHECK(!rrf_predict(f, &data, 1, NULL, RRF_TIES_INTENDED, NULL, 1, NULL, &out), "layout %d", i);
        for (int row = 0; row < n; ++row) {
            int end = chain_end(l, n, row, f->missing_left);
            CHECK(nodes[(f->ntree - 1) * n + row] == end && mean[row] == end - 1,
                  "layout %d, row %d of %d, %d trees: %d", i, row, n, f->ntree, nodes[row]);
        }
    }
}

/* Of one row nothing is looked for beforehand; one tree has too many features to copy them, two have not. */
static void test_layouts(void)
{
    static layouts l;
    uint8_t missing_left[2 * (2 * CHAIN + 1)];
    for (int i = 0; i < COUNT(missing_left); ++i) {
        missing_left[i] = i % (2 * CHAIN + 1) % 3 == 0;
    }
    for (int n = 1; n <= CHAIN_ROWS; n += CHAIN_ROWS - 1) {
        hand_forest f;
        forest_begin(&f);
        f.view.missing_left = missing_left;
        lay_out(&l, n);
        for (int ntree = 1; ntree <= 2; ++ntree) {
            add_chain(&f);
            check_layouts(&l, n, &f.view);
        }
    }
}

/* ---- predictions ----------------------------------------------------------------------------------------------------- */

/* As many roots of class 0 as of class 1: every row ties, and draws. */
static void compare_ties(const double *cutoff, rrf_ties ties)
{
    enum { N = 200 };
    static const double x[N];
    static const int32_t ncat[] = {1};
    int32_t votes[2 * N], predicted[N], first = 0;
    hand_forest f;
    rrf_rng rng, oracle_rng;
    rrf_data data = {.x = x, .n = N, .p = 1, .ncat = ncat};
    forest_begin(&f);
    for (int t = 0; t < MAX_TREES; ++t) {
        add_stump(&f, -1, 0.0, t % 2);
    }
    rrf_rng_seed(&rng, 7);
    rrf_rng_seed(&oracle_rng, 7);
    rrf_prediction out = {.votes = votes, .predicted = predicted};
    CHECK(!rrf_predict(&f.view, &data, 2, cutoff, ties, &rng, 1, NULL, &out), "ties %d", (int)ties);
    for (int row = 0; row < N; ++row) {
        int winner = oracle_winner(votes + 2 * row, MAX_TREES, 2, cutoff, ties, -1, &oracle_rng);
        CHECK(predicted[row] == winner, "cutoff %g, row %d: class %d", cutoff[0], row, predicted[row]);
        first += winner == 0;
    }
    CHECK(rng.position == oracle_rng.position, "cutoff %g, ties %d: other draws", cutoff[0], (int)ties);
    CHECK(cutoff[0] != cutoff[1] || (first > 40 && first < 160), "%d of %d ties go to the first class", first, N);
}

static void test_ties(void)
{
    static const double cutoffs[][2] = {{0.5, 0.5}, {0.3, 0.3}, {1.0 / 3.0, 2.0 / 3.0}, {1e-310, 1e-310}, {0.9, 0.1}};
    for (int i = 0; i < COUNT(cutoffs); ++i) {
        compare_ties(cutoffs[i], RRF_TIES_INTENDED);
        compare_ties(cutoffs[i], RRF_TIES_RRF);
        compare_ties(cutoffs[i], RRF_TIES_RANDOM_FOREST);
    }
}

/* Leaves without cases say 0. Rows that reach them are the first of a range of rows, its last, and neighbours. */
static void compare_leaves_without_cases(rrf_ties ties, int n_jobs)
{
    enum { N = 2 * MAX_BLOCK_ROWS + 3, RANGE = 1024 };
    static double x[N];
    static int32_t votes[2 * N], predicted[N], expected[2 * N];
    static const int32_t ncat[] = {1};
    hand_forest f;
    rrf_rng rng;
    rrf_data data = {.x = x, .n = N, .p = 1, .ncat = ncat};
    forest_begin(&f);
    add_stump(&f, 0, 0.5, 0);
    add_stump(&f, 0, 0.5, 0);
    f.prediction[1] = 0; /* of the first tree, which says 0 on the left and 2 on the right; the second says 1 and 2 */
    memset(expected, 0, sizeof expected);
    for (int row = 0; row < N; ++row) {
        x[row] = row % RANGE > 1 && row % RANGE < RANGE - 1 && row % 5;
        bool left = x[row] <= 0.5, shifts = ties != RRF_TIES_INTENDED && row > 0;
        expected[2 * row] += left;
        expected[2 * row + 1] += 2 * !left;
        expected[row > 0 ? 2 * row - 1 : 0] += left && shifts;
    }
    rrf_rng_seed(&rng, 1);
    rrf_prediction out = {.votes = votes, .predicted = predicted};
    CHECK(!rrf_predict(&f.view, &data, 2, NULL, ties, &rng, n_jobs, NULL, &out), "ties %d", (int)ties);
    CHECK(!memcmp(votes, expected, sizeof votes), "ties %d, %d jobs: votes", (int)ties, n_jobs);
}

static void test_leaves_without_cases(void)
{
    for (int n_jobs = 1; n_jobs <= 3; n_jobs += 2) {
        compare_leaves_without_cases(RRF_TIES_INTENDED, n_jobs);
        compare_leaves_without_cases(RRF_TIES_RRF, n_jobs);
        compare_leaves_without_cases(RRF_TIES_RANDOM_FOREST, n_jobs);
    }
}

/* Only draws need room for the winners; without any the votes are the same. */
static void test_votes_alone(void)
{
    enum { N = 5 };
    static const double x[N] = {0.0, 1.0, 0.0, 1.0, 1.0};
    static const int32_t ncat[] = {1};
    int32_t votes[2 * N];
    hand_forest f;
    rrf_rng rng;
    rrf_data data = {.x = x, .n = N, .p = 1, .ncat = ncat};
    rrf_prediction out = {.votes = votes};
    forest_begin(&f);
    add_stump(&f, 0, 0.5, 0);
    rrf_rng_seed(&rng, 1);
    CHECK(rrf_predict(&f.view, &data, 2, NULL, RRF_TIES_INTENDED, &rng, 1, NULL, &out) == RRF_ERR_ARGUMENT, "draws");
    CHECK(!rrf_predict(&f.view, &data, 2, NULL, RRF_TIES_INTENDED, NULL, 1, NULL, &out), "no draws");
    for (int row = 0; row < N; ++row) {
        CHECK(votes[2 * row] == (x[row] == 0.0) && votes[2 * row + 1] == (x[row] == 1.0), "row %d", row);
    }
}

static rrf_prediction prediction_make(const problem *p, int ntree)
{
    size_t n = (size_t)p->test.n;
    return (rrf_prediction){.votes = oracle_alloc(n * (size_t)p->nclass, sizeof(int32_t)),
                            .predicted = oracle_alloc(n, sizeof(int32_t)),
                            .individual = oracle_alloc(n * (size_t)ntree, sizeof(double)),
                            .nodes = oracle_alloc(n * (size_t)ntree, sizeof(int32_t)),
                            .proximity = oracle_alloc(n * n, sizeof(double))};
}

static void prediction_free(rrf_prediction *out)
{
    free(out->votes);
    free(out->predicted);
    free(out->individual);
    free(out->nodes);
    free(out->proximity);
}

/* Walks a packed tree from its root, one row at a time. */
static int walk(const rrf_forest *f, int t, const rrf_data *data, int row)
{
    int at = 1;
    for (;;) {
        int64_t node = f->offset[t] + at - 1;
        if (f->status[node] == RRF_TERMINAL) {
            return at;
        }
        int feature = f->split_var[node] - 1;
        double x = data->x[(size_t)feature * (size_t)data->n + (size_t)row], point = f->split_point[node];
        bool left = x <= point;
        if (data->ncat[feature] > 1) {
            long long bits = (long long)point;
            left = bits >> ((int)x - 1) & 1;
        }
        at = left ? f->left[node] : f->left[node] + 1;
    }
}

static void check_nodes(const problem *p, const rrf_forest *f, const rrf_prediction *out)
{
    size_t n = (size_t)p->test.n;
    int32_t *votes = oracle_alloc(n * (size_t)p->nclass, sizeof *votes);
    for (int t = 0; t < f->ntree; ++t) {
        for (size_t row = 0; row < n; ++row) {
            int node = walk(f, t, &p->test, (int)row);
            int class = (int)f->prediction[f->offset[t] + node - 1] - 1;
            CHECK(out->nodes[n * (size_t)t + row] == node, "%s, tree %d, row %zu", p->name, t, row);
            CHECK(out->individual[n * (size_t)t + row] == class, "%s, tree %d, row %zu", p->name, t, row);
            ++votes[row * (size_t)p->nclass + (size_t)class];
        }
    }
    CHECK(!memcmp(votes, out->votes, n * (size_t)p->nclass * sizeof *votes), "%s: votes", p->name);
    free(votes);
}

static void check_proximity(const problem *p, const rrf_forest *f, const rrf_prediction *out)
{
    size_t n = (size_t)p->test.n;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            int together = 0;
            for (size_t t = 0; t < (size_t)f->ntree; ++t) {
                together += out->nodes[n * t + i] == out->nodes[n * t + j];
            }
            double share = (double)together / f->ntree;
            CHECK(out->proximity[i + j * n] == share, "%s, rows %zu and %zu: %g", p->name, i, j,
                  out->proximity[i + j * n]);
        }
    }
}

static void check_winners(const problem *p, const rrf_forest *f, const rrf_prediction *out, rrf_rng before,
                          const rrf_rng *after)
{
    for (int row = 0; row < p->test.n; ++row) {
        int winner = oracle_winner(out->votes + (size_t)row * (size_t)p->nclass, f->ntree, p->nclass, p->cutoff,
                                   oracle_ties(&p->params), -1, &before);
        CHECK(out->predicted[row] == winner, "%s, row %d", p->name, row);
    }
    CHECK(before.position == after->position && !memcmp(before.state, after->state, sizeof before.state),
          "%s: another number of draws", p->name);
}

static const spec cases[] = {
    {.name = "two classes", .n = 60, .p = 4, .nclass = 2, .n_test = 30, .ntree = 6},
    {.name = "one row", .n = 60, .p = 4, .nclass = 3, .n_test = 1, .ntree = 5},
    {.name = "seventeen rows", .n = 60, .p = 4, .nclass = 3, .n_test = 17, .ntree = 5},
    {.name = "factors", .n = 90, .p = 5, .nclass = 3, .columns = FACTOR, .n_test = 40, .ntree = 6},
    {.name = "factors of 32 levels",
     .n = 200,
     .p = 3,
     .nclass = 2,
     .columns = FACTOR,
     .n_levels = 32,
     .n_test = 40,
     .ntree = 9},
    {.name = "cutoff", .n = 60, .p = 4, .nclass = 5, .cutoff = 1, .n_test = 30, .ntree = 4},
    {.name = "as intended", .n = 60, .p = 4, .nclass = 4, .no_quirks = 1, .n_test = 50, .ntree = 4},
    {.name = "extreme doubles", .n = 60, .p = 4, .nclass = 2, .columns = ODD, .n_test = 50, .ntree = 6},
    {.name = "randomForest",
     .n = 100,
     .p = 3,
     .nclass = 3,
     .columns = FACTOR | TIED,
     .n_levels = 53,
     .n_test = 40,
     .ntree = 6,
     .all_penalised = 1,
     .random_forest = 1},
};

static void test_fitted_forests(void)
{
    for (int i = 0; i < COUNT(cases); ++i) {
        problem p;
        answer a;
        problem_make(&p, &cases[i], (uint64_t)i + 1);
        answer_make(&a, &p, NULL);
        answer_fit(&a, &p, NULL);
        rrf_prediction out = prediction_make(&p, p.params.ntree);
        rrf_rng before = a.rng;
        int n_jobs = 1 + i % 3;
        rrf_status status =
            rrf_predict(&a.forest, &p.test, p.nclass, p.cutoff, oracle_ties(&p.params), &a.rng, n_jobs, NULL, &out);
        CHECK(!status, "%s: %s", p.name, rrf_strerror(status));
        check_nodes(&p, &a.forest, &out);
        check_proximity(&p, &a.forest, &out);
        check_winners(&p, &a.forest, &out, before, &a.rng);
        size_t count = (size_t)p.test.n * (size_t)p.nclass;
        CHECK(!memcmp(out.votes, a.result.test_votes, count * sizeof *out.votes), "%s: the fit's votes", p.name);
        prediction_free(&out);
        answer_free(&a);
        problem_free(&p);
    }
}

int main(void)
{
    test_value_at_split_point();
    test_factor_of_32_levels();
    test_replaced_column();
    test_layouts();
    test_ties();
    test_leaves_without_cases();
    test_votes_alone();
    test_fitted_forests();
    return 0;
}
