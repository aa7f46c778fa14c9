/* The filter by value where sums are not exact, whichever way a feature is counted, against R's scan of all rows in R's
 * order. The same cuts are offered, each worth the same to the last bit, and what cannot win is ruled out.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "filters/columns/few_values.h"
#include "data/make_ranks.h"
#include "filters/columns/order_like_r.h"
#include "data/sort_like_r.h"
#include "random/mersenne.h"
#include "recorder.h"
#include "filters/lanes/lanes.h"
#include "filters/counts/incumbent.h"
#include "filters/counts/split_classes.h"
#include "filters/counts/split_two_class.h"
#include "filters/counts/rounding_bound.h"

/* The last two columns are the fourth one again and its mirror image: all of their cuts tie with its cuts. */
enum { ROWS = 1500, COLUMNS = 13, COPIED = 3, CLASSES = 10, MAX_CHECKED = 300 };
static const int n_values[COLUMNS] = {1, 2, 3, 4, 5, 16, 33, 255, 256, 700, 1 << 30};

static const rule recording = {.leaves_sorted = true, .offer_cut = record_offer};

/* Draws are counted. A cut that equals the best decides by whether their number is odd, so that none may be too many or too few. */
static int n_draws;

static bool draw_for_cut(void *own, split *best, const column *c, double worth, uint32_t cut)
{
    (void)own;
    bool better = worth > best->crit;
    if (worth >= best->crit && (++n_draws % 2 || better)) {
        *best = (split){.crit = worth, .feature = c->feature, .cut_rank = cut};
    }
    return better;
}

static void draw_for_better(void *own, int n_cuts)
{
    (void)own;
    n_draws += n_cuts;
}

static const rule drawing = {.leaves_sorted = true, .offer_cut = draw_for_cut, .pass_better = draw_for_better};

typedef struct problem_by_value {
    int n, nclass;
    double x[ROWS * COLUMNS], classwt[CLASSES], coef[COLUMNS];
    int32_t ncat[COLUMNS], y[ROWS], count[ROWS], sampsize;
    rrf_data data;
    rrf_params params;
    rrf_ranks ranks;
} problem_by_value;

static double draw_value(rrf_rng *rng, const problem_by_value *p, int feature, int row)
{
    if (feature > COLUMNS - 3) {
        double copied = p->x[COPIED * p->n + row];
        return feature == COLUMNS - 1 ? -copied : copied;
    }
    int value = rng_below(rng, n_values[feature]), signal = rng_below(rng, 4) == 0 ? p->y[row] : 0;
    return fmin(value + signal, n_values[feature] - 1) * 0.25;
}

/* Sorted by class, as many a file is, or not. Class weights miss 1.0 by a few ulps. */
static void make_problem(problem_by_value *p, rrf_rng *rng, int n, int nclass, bool sorted)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->nclass = nclass;
    p->data = (rrf_data){.x = p->x, .n = n, .p = COLUMNS, .ncat = p->ncat};
    p->sampsize = n;
    p->params = (rrf_params){.coef_reg = p->coef, .flag_reg = 1, .mtry = 1, .sampsize = &p->sampsize};
    for (int k = 0; k < nclass; ++k) {
        p->classwt[k] = 1.0 + (rng_below(rng, 5) - 2) * DBL_EPSILON / (k % 2 ? 1.0 : 2.0);
    }
    p->classwt[0] = 1.0 + DBL_EPSILON;
    for (int row = 0; row < n; ++row) {
        p->y[row] = sorted ? row * nclass / n : rng_below(rng, nclass);
        p->count[row] = rng_below(rng, 3) * (1 + rng_below(rng, 3));
    }
    p->count[0] = p->count[1] = 1;
    for (int feature = 0; feature < COLUMNS; ++feature) {
        p->ncat[feature] = 1;
        p->coef[feature] = 0.9;
        for (int row = 0; row < n; ++row) {
            p->x[feature * n + row] = draw_value(rng, p, feature, row);
        }
    }
    ranks_kind kind = {.ties = TIES_MERGED, .counts = true};
    CHECK(ranks_alloc(&p->ranks, &p->data, kind) == RRF_OK, "ranks");
    CHECK(ranks_make(&p->ranks, &p->data, NULL) == RRF_OK, "ranks");
}

static void begin_rule(recorder *r, problem_by_value *p, const rule *rule, watch *watch)
{
    r->n_offers = 0;
    CHECK(bag_init(&r->bag, p->n, p->nclass, p->y, NULL, p->classwt, &p->params, &r->memory) == RRF_OK, "bag");
    CHECK(bag_take(&r->bag, p->count, watch) == RRF_OK, "bag");
    search_setup setup = {.data = &p->data, .ranks = &p->ranks, .criterion = &gini, .rule = rule, .params = &p->params};
    recorder_begin(r, &setup, watch);
    CHECK(r->in.filter->like_r, "sums are not exact, so that R's order matters");
    CHECK(r->in.filter->two_classes || r->in.filter->several, "classes are not counted");
}

static void begin(recorder *r, problem_by_value *p, watch *watch)
{
    begin_rule(r, p, &recording, watch);
}

/* ---- R's scan -------------------------------------------------------------------------------------------------------- */

/* The node's rows as R's sort of the whole column leaves them. */
static int sort_plainly(const problem_by_value *p, const node_view *node, int feature, int32_t *sorted)
{
    static double value[ROWS];
    static int32_t index[ROWS];
    bool in_node[ROWS] = {false};
    int size = 0;
    for (int row = 0; row < p->n; ++row) {
        value[row] = p->x[feature * p->n + row];
        index[row] = row;
    }
    sort_like_r(value, index, p->n);
    for (int i = 0; i < node->size; ++i) {
        in_node[node->rows[i]] = true;
    }
    for (int i = 0; i < p->n; ++i) {
        if (in_node[index[i]]) {
            sorted[size++] = index[i];
        }
    }
    return size;
}

/* The criterion in whole numbers has to lie as near to R's as the slack says. */
static void check_slack(const recorder *r, const problem_by_value *p, const node_view *node, const int32_t *sorted,
                        int n_left, double crit)
{
    double left[CLASSES] = {0.0}, right[CLASSES] = {0.0}, squares[2] = {0.0}, cases[2] = {0.0};
    for (int i = 0; i < node->size; ++i) {
        (i < n_left ? left : right)[p->y[sorted[i]]] += p->count[sorted[i]];
    }
    for (int k = 0; k < p->nclass; ++k) {
        squares[0] += left[k] * left[k];
        squares[1] += right[k] * right[k];
        cases[0] += left[k];
        cases[1] += right[k];
    }
    double error = fabs(crit - (squares[0] / cases[0] + squares[1] / cases[1]));
    double slack = rounding_bound(&r->in, node, cases[0] + cases[1]);
    CHECK(error <= slack, "n %d, %d classes, size %d: off by %g, slack %g", p->n, p->nclass, node->size, error, slack);
}

static void try_plainly(recorder *r, const problem_by_value *p, const node_view *node, int feature, double factor)
{
    static int32_t sorted[ROWS];
    double left[CLASSES] = {0.0}, right[CLASSES];
    double left_squares = 0.0, right_squares = node->class_parts, in_left = 0.0, in_right = node->weight;
    int size = sort_plainly(p, node, feature, sorted);
    memcpy(right, node->sums, (size_t)p->nclass * sizeof *right);
    for (int i = 0; i + 1 < size; ++i) {
        int row = sorted[i], k = p->y[row];
        double weight = r->bag.weight[row];
        left_squares += weight * (2 * left[k] + weight);
        right_squares += weight * (-2 * right[k] + weight);
        in_left += weight;
        in_right -= weight;
        left[k] += weight;
        right[k] -= weight;
        if (p->x[feature * p->n + row] < p->x[feature * p->n + sorted[i + 1]] && fmin(in_left, in_right) > 1.0e-5) {
            double crit = left_squares / in_left + right_squares / in_right;
            if (node->size <= MAX_CHECKED) {
                check_slack(r, p, node, sorted, i + 1, crit);
            }
            r->s.bar.rule->offer_cut(r, &r->s.bar.best, &(column){.feature = feature}, factor * crit,
                                     rank_of(&p->ranks, feature, row));
        }
    }
}

/* ---- all ways -------------------------------------------------------------------------------------------------------- */

typedef enum way { PLAIN, PACKED, SLOTS, LISTS, LANES, N_WAYS } way;
static const char *const way_name[] = {"plain", "packed", "slots", "lists", "lanes"};

static void prepare(recorder *r, problem_by_value *p, const node_view *node, way how, watch *watch)
{
    static const int32_t members[] = {1, 2, 3, 4, 5, 11, 12};
    if (how == LISTS) {
        list_all(r, &p->ranks, node, watch);
    }
    if (how == LANES) {
        CHECK(lanes_begin_tree(&r->s, members, COUNT(members)) == RRF_OK, "lanes");
        lanes_begin_node(&r->s, node);
    }
    for (int feature = 0; how == SLOTS && feature < COLUMNS; ++feature) {
        r->in.profile[feature].view[0] = NULL;
    }
}

static node_view view_of(const problem_by_value *p, const bag *bag, const int32_t *rows, int size, double *sums)
{
    memset(sums, 0, CLASSES * sizeof *sums);
    for (int i = 0; i < size; ++i) {
        sums[p->y[rows[i]]] += bag->weight[rows[i]];
    }
    node_view node = {.rows = rows, .size = size, .sums = sums};
    gini.view(&node, p->nclass);
    return node;
}

static void run(recorder *r, problem_by_value *p, const int32_t *rows, int size, way how)
{
    watch watch = {0};
    double sums[CLASSES];
    begin(r, p, &watch);
    node_view node = view_of(p, &r->bag, rows, size, sums);
    splitter_begin_node(&r->s, &node);
    prepare(r, p, &node, how, &watch);
    for (int i = 0; i < 2 * COLUMNS; ++i) {
        int feature = i % COLUMNS;
        bool member = i >= COLUMNS;
        if (how == PLAIN) {
            try_plainly(r, p, &node, feature, member ? 1.0 : 0.9);
        } else {
            splitter_try(&r->s, &node, feature, member);
        }
    }
    end(r);
}

static void compare(problem_by_value *p, const int32_t *rows, int size)
{
    static recorder expected, found;
    char name[80];
    run(&expected, p, rows, size, PLAIN);
    for (way how = PACKED; how < N_WAYS; ++how) {
        run(&found, p, rows, size, how);
        snprintf(name, sizeof name, "%s, n %d, %d classes, size %d", way_name[how], p->n, p->nclass, size);
        same_offers(name, &found, &expected);
    }
}

/* ---- the incumbent within a margin -------------------------------------------------------------------------------------- */

/* The best split of the node, and the draws for it; features come in an order of the turn. */
static split lead(problem_by_value *p, const int32_t *rows, int size, int turn, way how)
{
    static recorder r;
    watch watch = {0};
    double sums[CLASSES];
    begin_rule(&r, p, &drawing, &watch);
    node_view node = view_of(p, &r.bag, rows, size, sums);
    splitter_begin_node(&r.s, &node);
    prepare(&r, p, &node, how, &watch);
    n_draws = 0;
    for (int i = 0; i < COLUMNS; ++i) {
        int feature = (turn + i * 5) % COLUMNS;
        bool member = (turn + i) % 3 == 0;
        if (how == PLAIN) {
            try_plainly(&r, p, &node, feature, member ? 1.0 : 0.9);
        } else {
            splitter_try(&r.s, &node, feature, member);
        }
    }
    incumbent_settle(&r.s, &node);
    split best = r.s.bar.best;
    end(&r);
    return best;
}

static void check_incumbent(problem_by_value *p, const int32_t *rows, int size)
{
    for (int turn = 0; turn < COLUMNS; ++turn) {
        split best = lead(p, rows, size, turn, PLAIN);
        int expected = n_draws;
        for (way how = PACKED; how < N_WAYS; ++how) {
            split found = lead(p, rows, size, turn, how);
            CHECK(n_draws == expected, "%s, n %d, %d classes, size %d, turn %d: %d draws, not %d", way_name[how], p->n,
                  p->nclass, size, turn, n_draws, expected);
            CHECK(found.crit == best.crit && found.feature == best.feature && found.cut_rank == best.cut_rank,
                  "%s, n %d, %d classes, size %d, turn %d: feature %d, cut %u", way_name[how], p->n, p->nclass, size,
                  turn, found.feature, found.cut_rank);
        }
    }
}

/* ---- what is ruled out ----------------------------------------------------------------------------------------------- */

/* What a little better split than any of the feature leaves: nothing, without a look at rows in R's order. */
static void check_sharp(problem_by_value *p, const int32_t *rows, int size, way how)
{
    static recorder r;
    watch watch = {0};
    double sums[CLASSES];
    for (int feature = 0; feature < COLUMNS; ++feature) {
        begin(&r, p, &watch);
        node_view node = view_of(p, &r.bag, rows, size, sums);
        splitter_begin_node(&r.s, &node);
        try_plainly(&r, p, &node, feature, 1.0);
        double most = r.n_offers ? r.s.bar.best.crit : 0.0;
        prepare(&r, p, &node, how, &watch);
        scan c = scan_begin(&r.s, &node, &(column){.feature = feature, .factor = 1.0, .inverse = 1.0});
        bool (*may_equal)(const scan *, bool) = p->nclass == 2 ? two_class_scan : class_counts_scan;
        CHECK(!r.n_offers || may_equal(&c, true), "%s, %d classes: feature %d ties with itself", way_name[how],
              p->nclass, feature);
        r.s.bar.best.crit = most + 1.0e-4 * node.weight + 2.0 * rounding_bound(&r.in, &node, node.weight);
        CHECK(!may_equal(&c, true), "%s, %d classes: feature %d is not ruled out", way_name[how], p->nclass, feature);
        end(&r);
    }
}

/* Rows in no order, as R's splits leave them. */
static int draw_node(const problem_by_value *p, rrf_rng *rng, int share, int32_t *rows)
{
    int size = 0;
    for (int row = 0; row < p->n; ++row) {
        if (p->count[row] && (row < 2 || rng_below(rng, share) == 0)) {
            int at = rng_below(rng, size + 1);
            rows[size++] = rows[at];
            rows[at] = row;
        }
    }
    return size;
}

static void test_nodes(int n, int nclass, bool sorted, rrf_rng *rng)
{
    static problem_by_value p;
    static const int share[] = {1, 3, 30, 150};
    int32_t rows[ROWS] = {0};
    make_problem(&p, rng, n, nclass, sorted);
    for (int k = 0; k < COUNT(share); ++k) {
        int size = draw_node(&p, rng, share[k], rows);
        compare(&p, rows, size);
        check_incumbent(&p, rows, size);
        if (k < 2) {
            check_sharp(&p, rows, size, PACKED);
            check_sharp(&p, rows, size, LISTS);
        }
    }
    ranks_clear(&p.ranks);
}

/* ---- R's order ------------------------------------------------------------------------------------------------------- */

static void check_order(const problem_by_value *p, order_like_r *o, int feature)
{
    static double value[ROWS];
    static int32_t index[ROWS];
    const uint16_t *rank = order_like_r_ranks(o, feature);
    for (int row = 0; row < p->n; ++row) {
        value[row] = p->x[feature * p->n + row];
        index[row] = row;
    }
    sort_like_r(value, index, p->n);
    const int32_t *rows = order_like_r_rows(o, feature);
    for (int at = 0; at < p->n; ++at) {
        bool ties = p->ranks.has_ties[feature];
        CHECK(!ties || rank[index[at]] == at, "feature %d: rank of row %d", feature, index[at]);
        CHECK(!ties || rows[at] == index[at], "feature %d: place %d", feature, at);
    }
}

/* Columns are read in any order, and again; ranks of 16 bits. */
static void test_order(rrf_rng *rng)
{
    static problem_by_value p;
    arena memory = {0};
    order_like_r o;
    make_problem(&p, rng, 900, 2, true);
    CHECK(order_like_r_init(&o, &p.ranks, &memory) == RRF_OK, "order");
    for (int i = 0; i < 3 * COLUMNS; ++i) {
        check_order(&p, &o, i * 5 % COLUMNS);
    }
    order_like_r_forget(&o);
    check_order(&p, &o, COPIED);
    arena_free(&memory);
    ranks_clear(&p.ranks);
}

int main(void)
{
    static const int nclass[] = {2, 3, 5, CLASSES};
    rrf_rng rng;
    rrf_rng_seed(&rng, 26);
    test_order(&rng);
    for (int i = 0; i < 4 * COUNT(nclass); ++i) {
        test_nodes(i % 3 == 0 ? 100 : 700 + 50 * i, nclass[i % COUNT(nclass)], i % 2 == 0, &rng);
    }
    return 0;
}
