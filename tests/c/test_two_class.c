/* The ways of scanning a feature for two classes against a plain loop over its values. Planes, counts of
 * bytes, slots, sorted lists, lanes; packed and wide: the same offers, in the same order. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "filters/columns/few_values.h"
#include "data/make_ranks.h"
#include "random/mersenne.h"
#include "recorder.h"
#include "filters/lanes/lanes.h"
#include "filters/counts/criteria.h"
#include "filters/counts/split_two_class.h"

enum { ROWS = 1100, COLUMNS = 11 };
static const int n_values[COLUMNS] = {1, 2, 3, 4, 5, 30, 255, 256, 257, 600, 3};
static const int sizes[] = {129, 192, 193, 255, 700, ROWS};

static const rule recording = {.offer_cut = record_offer};

typedef struct problem_of_cuts {
    int n;
    double x[ROWS * COLUMNS];
    int32_t ncat[COLUMNS], y[ROWS], count[ROWS];
    double coef[COLUMNS];
    rrf_data data;
    rrf_params params;
    rrf_ranks ranks;
} problem_of_cuts;

static int draw(rrf_rng *rng, int n)
{
    return rng_below(rng, n);
}

/* The last column misses values, and so does every other one when `misses`. One row has a `large` count. */
static void make_problem(problem_of_cuts *p, rrf_rng *rng, int n, bool misses, int large)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->data = (rrf_data){.x = p->x, .n = n, .p = COLUMNS, .ncat = p->ncat};
    p->params = (rrf_params){.coef_reg = p->coef, .flag_reg = 1, .mtry = 1};
    for (int row = 0; row < n; ++row) {
        p->y[row] = draw(rng, 3) == 0;
        p->count[row] = draw(rng, 3) * (1 + draw(rng, 3));
    }
    p->y[0] = 0;
    p->y[1] = 1;
    p->count[0] = large;
    p->count[1] = 1;
    for (int feature = 0; feature < COLUMNS; ++feature) {
        bool some_missing = feature == COLUMNS - 1 || (misses && feature % 2 == 0);
        p->ncat[feature] = 1;
        p->coef[feature] = 0.9;
        for (int row = 0; row < n; ++row) {
            double value = draw(rng, n_values[feature]) + (draw(rng, 4) == 0 ? p->y[row] : 0);
            value = fmin(value, n_values[feature] - 1) * (feature % 3 ? 0.25 : 1.0);
            p->x[(size_t)feature * (size_t)n + (size_t)row] = some_missing && draw(rng, 5) == 0 ? NAN : value;
        }
    }
    ranks_kind kind = {.ties = TIES_MERGED, .may_miss = true, .counts = true};
    CHECK(ranks_alloc(&p->ranks, &p->data, kind) == RRF_OK, "ranks");
    CHECK(ranks_make(&p->ranks, &p->data, NULL) == RRF_OK, "ranks");
}

static void begin(recorder *r, problem_of_cuts *p, watch *watch)
{
    static const double classwt[2] = {1.0, 1.0};
    r->n_offers = 0;
    CHECK(bag_init(&r->bag, p->n, 2, p->y, NULL, classwt, &p->params, &r->memory) == RRF_OK, "bag");
    CHECK(bag_take(&r->bag, p->count, watch) == RRF_OK, "bag");
    search_setup setup = {
        .data = &p->data, .ranks = &p->ranks, .criterion = r->criterion, .rule = &recording, .params = &p->params};
    recorder_begin(r, &setup, watch);
    CHECK(r->in.filter->two_classes, "classes are not counted");
}

/* ---- a plain loop ---------------------------------------------------------------------------------------------------- */

typedef double cases[2]; /* by class */

static double log_part(double v)
{
    return v > 0.0 ? v * log2(v) : 0.0;
}

static double plain_criterion(const criterion *c, const double *left, const double *right)
{
    double in_left = left[0] + left[1], in_right = right[0] + right[1];
    if (c == &entropy) {
        double logs = -log_part(in_left) - log_part(in_right);
        logs += log_part(left[0]) + log_part(right[0]);
        return logs + (log_part(left[1]) + log_part(right[1]));
    }
    return (left[0] * left[0] + left[1] * left[1]) / in_left + (right[0] * right[0] + right[1] * right[1]) / in_right;
}

static void offer_parts(recorder *r, const node_view *node, const column *c, uint32_t cut, const double *left)
{
    double weight = left[0] + left[1], rest = node->weight - weight;
    double right[2] = {node->sums[0] - left[0], node->sums[1] - left[1]};
    if (weight > 0.0 && rest > 0.0) {
        double gain = plain_criterion(r->criterion, left, right) - node->offset;
        if (gain > node->least_gain) {
            record_offer(r, &r->s.bar.best, c, c->factor * gain, cut);
        }
    }
}

/* Cuts after each value that the node has: first with missing values on the right, then with them on the left. */
static void try_plainly(recorder *r, const problem_of_cuts *p, const node_view *node, int feature, double factor)
{
    static cases at[ROWS + 1];
    int n_present = p->ranks.n_present[feature];
    memset(at, 0, sizeof at);
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        at[rank_of(&p->ranks, feature, row)][p->y[row]] += p->count[row];
    }
    const double *missing = at[n_present];
    for (int side = 0; side < (missing[0] + missing[1] > 0.0 ? 2 : 1); ++side) {
        cases left = {side ? missing[0] : 0.0, side ? missing[1] : 0.0};
        column c = {.feature = feature, .factor = factor, .missing_left = side};
        for (int rank = 0; rank < n_present; ++rank) {
            left[0] += at[rank][0];
            left[1] += at[rank][1];
            if (at[rank][0] + at[rank][1] > 0.0) {
                offer_parts(r, node, &c, (uint32_t)rank, left);
            }
        }
    }
}

/* ---- all ways -------------------------------------------------------------------------------------------------------- */

typedef enum way {
    PLAIN,
    PACKED,
    SLOTS,
    LISTS,
    LANES_OF_ALL,
    LANES_OF_FEW,
    PLAIN_LANES_OF_ALL,
    PLAIN_LANES_OF_FEW,
    N_WAYS
} way;
static const char *const way_name[] = {
    "plain", "packed", "slots", "lists", "lanes", "lanes of few ranks", "plain lanes", "plain lanes of few ranks"};

/* Lanes of columns with few ranks have cuts after ranks; with more ranks beside them, after the rows of small nodes. */
static void count_lanes(recorder *r, const problem_of_cuts *p, const node_view *node, way how)
{
    bool few = how == LANES_OF_FEW || how == PLAIN_LANES_OF_FEW;
    int32_t members[COLUMNS];
    int n_members = 0, most = 0;
    for (int i = 0; i < COLUMNS; ++i) {
        if (!few || p->ranks.n_ranks[i] <= MAX_RANK_CUTS) {
            members[n_members++] = i;
        }
    }
    for (int row = 0; row < p->n; ++row) {
        most = p->count[row] > most ? p->count[row] : most;
    }
    r->in.filter->simd = how >= PLAIN_LANES_OF_ALL ? &simd_plain : r->in.filter->simd;
    CHECK(lanes_begin_tree(&r->s, members, n_members) == RRF_OK, "lanes");
    lanes_begin_node(&r->s, node);
    bool fits = most <= MAX_LANE_CASES && node->weight <= (few ? MAX_PACKED : MAX_LANE_CASES);
    bool serves = fits && (few || node->size <= MAX_CUT_ROWS);
    CHECK(lanes_serve(&r->s, node, 1) == serves, "%s, size %d, weight %g", way_name[how], node->size, node->weight);
    CHECK(!lanes_serve(&r->s, node, COLUMNS - 1), "%s: values are missing", way_name[how]);
}

static void run(recorder *r, problem_of_cuts *p, const int32_t *rows, int size, way how)
{
    watch watch = {0};
    double sums[2] = {0.0, 0.0};
    begin(r, p, &watch);
    for (int i = 0; i < size; ++i) {
        sums[p->y[rows[i]]] += p->count[rows[i]];
    }
    node_view node = {.rows = rows, .size = size, .sums = sums};
    r->criterion->view(&node, 2);
    splitter_begin_node(&r->s, &node);
    if (how == LISTS) {
        list_all(r, &p->ranks, &node, &watch);
    }
    if (how >= LANES_OF_ALL) {
        count_lanes(r, p, &node, how);
    }
    for (int i = 0; i < 2 * COLUMNS; ++i) {
        int feature = i % COLUMNS;
        bool member = i >= COLUMNS;
        if (how == SLOTS || how == LISTS) {
            r->in.profile[feature].view[0] = NULL;
        }
        if (how == PLAIN) {
            try_plainly(r, p, &node, feature, member ? 1.0 : 0.9);
        } else {
            splitter_try(&r->s, &node, feature, member);
        }
    }
    end(r);
}

static void compare(problem_of_cuts *p, const int32_t *rows, int size, const criterion *criterion, const char *what)
{
    static recorder expected, found;
    char name[120];
    expected.criterion = found.criterion = criterion;
    run(&expected, p, rows, size, PLAIN);
    for (way how = PACKED; how < N_WAYS; ++how) {
        run(&found, p, rows, size, how);
        snprintf(name, sizeof name, "%s, %s, n %d, size %d", what, way_name[how], p->n, size);
        same_offers(name, &found, &expected);
    }
}

/* Nodes of all rows in the bag, of every second one, and small ones. */
static void test_nodes(problem_of_cuts *p, rrf_rng *rng, const char *what)
{
    static const int share[] = {1, 2, 40, 150};
    for (int k = 0; k < COUNT(share); ++k) {
        int32_t rows[ROWS];
        int size = 0;
        for (int row = 0; row < p->n; ++row) {
            if (p->count[row] && (row < 2 || draw(rng, share[k]) == 0)) {
                rows[size++] = row;
            }
        }
        compare(p, rows, size, &gini, what);
        compare(p, rows, size, &entropy, what);
    }
}

/* ---- the bound on entropy's gain --------------------------------------------------------------------------------------- */

/* What a cut gains over the bound that two_class_scale stands for. */
static double share_of_bound(const node_view *node, double class0, double left)
{
    double in_left[2] = {class0, left - class0};
    double in_right[2] = {node->sums[0] - class0, node->sums[1] - in_left[1]}, right = in_right[0] + in_right[1];
    double d = class0 * node->weight - left * node->sums[0];
    double gain = plain_criterion(&entropy, in_left, in_right) - node->offset;
    return d != 0.0 ? gain * count_criterion_of(&entropy)->two_class_scale(node) * left * right / (d * d) : 0.0;
}

/* Every cut of every node of up to 45 cases. No smaller constant would do: some cut reaches the bound, nearly. */
static void test_bound(void)
{
    double most = 0.0;
    for (int node = 0; node < 46 * 46; ++node) {
        double sums[2] = {node % 46, node / 46};
        node_view view = {.sums = sums};
        if (sums[0] == 0.0 || sums[1] == 0.0) {
            continue;
        }
        entropy.view(&view, 2);
        for (int left = 1; left < (int)view.weight; ++left) {
            for (int class0 = 0; class0 <= left && class0 <= (int)sums[0]; ++class0) {
                double share = left - class0 <= (int)sums[1] ? share_of_bound(&view, class0, left) : 0.0;
                CHECK(share <= 1.0 + 1.0e-9, "%g of %g: %d of %d", sums[0], view.weight, class0, left);
                most = share > most ? share : most;
            }
        }
    }
    CHECK(most > 0.97, "no cut comes nearer than %g", most);
}

int main(void)
{
    test_bound();
    /* Counts that pack; nodes just below and above MAX_PACKED; counts of which eight, or one, do not pack. */
    static const int large[] = {1, 7, MAX_PACKED - 2500, MAX_PACKED + 1, 8200, 70000};
    static problem_of_cuts p;
    rrf_rng rng;
    rrf_rng_seed(&rng, 11);
    for (int round = 0; round < COUNT(sizes) * COUNT(large); ++round) {
        char what[64];
        int heavy = large[round / COUNT(sizes)];
        bool misses = round % 2;
        snprintf(what, sizeof what, "count %d, %s", heavy, misses ? "missing values" : "no missing values");
        make_problem(&p, &rng, sizes[round % COUNT(sizes)], misses, heavy);
        test_nodes(&p, &rng, what);
        ranks_clear(&p.ranks);
    }
    return 0;
}
