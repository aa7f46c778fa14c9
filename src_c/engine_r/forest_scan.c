/* The cuts of one feature as randomForest scans them, with its draws.
 *
 * Each cut that beats those before it draws a number, and so does each that equals the best: how far the stream has come
 * depends on how often the best has been beaten. R's sums, case by case in the order of its sort, decide for certain. Ratios
 * from sums in any order lie within a margin of R's. Where no two that matter are as close as that, they say the same, and
 * none of these draws decides anything: then they are passed over.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "engine_r/forest_scan.h"
#include "engine_r/regression_cuts.h"
#include "engine_r/regression_ties.h"
#include "random/mersenne.h"

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

void forest_cuts_init(forest_cuts *cuts, int n_cases, arena *memory)
{
    size_t size = (size_t)n_cases + RRF_MAX_PACKED;
    *cuts = (forest_cuts){0};
    TAKE(memory, cuts->place, size);
    TAKE(memory, cuts->left, size);
    TAKE(memory, cuts->suml, size);
    TAKE(memory, cuts->sumr, size);
    TAKE(memory, cuts->crit, size);
}

/* ---- the cuts, and what R's sums make of them ------------------------------------------------------------------------ */

/* Lays the rows of a node, or the values that they have, in the order of a number. False where they have one value. */
static bool lay_out_number(regression_search *s, const regression_node *node, int feature)
{
    regression_sorted *sorted = &s->sorted;
    if (regression_sum_values(sorted, feature, node)) {
        return sorted->size > 1;
    }
    regression_sort_rows(sorted, feature, node);
    if (sorted->has_ties) {
        regression_list_keys(sorted, feature);
        return sorted->key[0] < sorted->key[sorted->size - 1];
    }
    return sorted->size > 1;
}

/* Lists the cuts between different values. */
static void list_cuts(regression_search *s)
{
    const regression_sorted *sorted = &s->sorted;
    int32_t *place = s->cuts.place;
    uint32_t *left = s->cuts.left;
    double n_cases = 0.0;
    int size = 0;
    for (int i = 0; i < sorted->size - 1; ++i) {
        n_cases += sorted->sums[sorted->place[i]].cases;
        place[size] = i;
        left[size] = (uint32_t)(int32_t)n_cases;
        size += !sorted->has_ties || sorted->key[i] < sorted->key[i + 1];
    }
    s->cuts.size = size;
}

/* Lists the responses up to the last of these cuts in R's order. */
static void list_responses(regression_search *s, const regression_node *node, int feature)
{
    const forest_cuts *cuts = &s->cuts;
    if (s->sorted.sums == s->sorted.value_sums) {
        list_first_like_r(s, node, feature, cuts->left[cuts->size - 1]);
        return;
    }
    int end = cuts->place[cuts->size - 1] + 1;
    regression_list_rows(s, end);
    if (ties_matter(s, end)) {
        order_ties_like_r(s, node, feature, end);
    }
}

/* R's sums after each case, up to the last cut. */
static void add_up(regression_search *s, const regression_node *node)
{
    const double *y = s->sorted_y;
    double *suml = s->cuts.suml, *sumr = s->cuts.sumr, left = 0.0, right = node->sum;
    int n = (int)s->cuts.left[s->cuts.size - 1];
    for (int i = 0; i < n; ++i) {
        left += y[i];
        right -= y[i];
        suml[i + 1] = left;
        sumr[i + 1] = right;
    }
}

/* R's criterion of the cuts. */
static void evaluate(regression_search *s, const regression_node *node)
{
    const forest_cuts *cuts = &s->cuts;
    add_up(s, node);
    for (int k = 0; k < cuts->size; ++k) {
        int l = (int)cuts->left[k], r = node->size - l;
        double suml = cuts->suml[l], sumr = cuts->sumr[l];
        cuts->crit[k] = (suml * suml / l) + (sumr * sumr / r) - node->parent;
    }
}

/* R's loop over the cuts. Returns the one whose point it keeps, or -1. */
static int draw_best(regression_search *s)
{
    const forest_cuts *cuts = &s->cuts;
    double best = 0.0;
    int n_ties = 1, kept = -1;
    for (int k = 0; k < cuts->size; ++k) {
        double crit = cuts->crit[k];
        if (!(crit >= best)) {
            continue;
        }
        /* A new best draws as if it tied with itself. */
        bool better = crit > best;
        n_ties = better ? 2 : n_ties + 1;
        bool won = rng_uniform(s->rng) < 1.0 / n_ties;
        kept = better || won ? k : kept;
        best = crit;
    }
    s->cuts.here.crit = best;
    return kept;
}

/* The same. Where no cut equals the best before it, the draws decide nothing and need not be looked at one by one. */
static int find_best(regression_search *s)
{
    const double *crit = s->cuts.crit;
    double best = 0.0;
    int n_records = 0, kept = -1, any_tie = 0;
    for (int k = 0; k < s->cuts.size; ++k) {
        bool better = crit[k] > best;
        any_tie |= crit[k] == best;
        n_records += better;
        kept = better ? k : kept;
        best = better ? crit[k] : best;
    }
    if (any_tie) {
        return draw_best(s);
    }
    rng_pass(s->rng, n_records);
    s->cuts.here.crit = best;
    return kept;
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

/* The values next to a cut. place: of the cut, among what is sorted. */
static void keep_number_cut(regression_search *s, const regression_node *node, int place)
{
    const regression_sorted *sorted = &s->sorted;
    regression_split *here = &s->cuts.here;
    uint32_t below = sorted->place[place], above = sorted->place[place + 1];
    bool by_value = sorted->sums == sorted->value_sums;
    here->borrows = false;
    here->cut_rank = by_value ? below : sorted->rank[below];
    here->below = by_value ? regression_row_of_value(s, node, below) : node->rows[below].row;
    here->above = by_value ? regression_row_of_value(s, node, above) : node->rows[above].row;
}

/* One loop for columns with ties and one for those without. */
static inline __attribute__((always_inline)) void count_in(regression_search *s, const regression_node *node,
                                                           bool has_ties)
{
    const regression_sorted *sorted = &s->sorted;
    const case_sum *sums = sorted->sums;
    const uint32_t *place = sorted->place;
    double margin = s->cuts.margin, most = node->parent, low = most - margin, high = most + margin;
    double y = 0.0, n_cases = 0.0;
    int best = -1, beaten = 0, n_best = 0;
    for (int i = 0; i < sorted->size - 1; ++i) {
        y += sums[place[i]].y;
        n_cases += sums[place[i]].cases;
        int left = (int)n_cases;
        double ratio = ratio_of_cut(s, node, y, (uint32_t)left);
        if (ratio < low || (has_ties && sorted->key[i] == sorted->key[i + 1])) {
            continue;
        }
        if (!(ratio > high)) {
            beaten = -1;
            break;
        }
        most = ratio;
        best = i;
        n_best = left;
        ++beaten;
        low = ratio - margin;
        high = ratio + margin;
    }
    s->cuts.record.most = most;
    s->cuts.record.best = best;
    s->cuts.record.left = (uint32_t)n_best;
    s->cuts.record.beaten = beaten;
}

/* Fills s->cuts.record. */
static void count_records(regression_search *s, const regression_node *node)
{
    if (s->sorted.has_ties) {
        count_in(s, node, true);
    } else {
        count_in(s, node, false);
    }
}

static bool scan_ratios(regression_search *s, const regression_node *node)
{
    if (!(s->cuts.margin < INFINITY)) {
        return false;
    }
    count_records(s, node);
    const cut_record *r = &s->cuts.record;
    if (r->beaten <= 0) {
        return false;
    }
    rng_pass(s->rng, r->beaten);
    s->cuts.here.crit = r->most - node->parent;
    s->cuts.here.exact = false;
    return true;
}

static bool scan_number(regression_search *s, const regression_node *node, int feature)
{
    if (!lay_out_number(s, node, feature)) {
        return false;
    }
    if (scan_ratios(s, node)) {
        keep_number_cut(s, node, s->cuts.record.best);
        return true;
    }
    list_cuts(s);
    list_responses(s, node, feature);
    evaluate(s, node);
    int kept = find_best(s);
    s->cuts.here.exact = true;
    if (kept >= 0) {
        keep_number_cut(s, node, s->cuts.place[kept]);
    }
    return true;
}

/* The criterion of a feature's best cut, which the ratios have found. */
static void settle_number(regression_search *s, const regression_node *node)
{
    forest_cuts *cuts = &s->cuts;
    if (!cuts->laid_out) {
        lay_out_number(s, node, cuts->here.feature);
        count_records(s, node);
    }
    cuts->size = 1;
    cuts->place[0] = cuts->record.best;
    cuts->left[0] = cuts->record.left;
    list_responses(s, node, cuts->here.feature);
    evaluate(s, node);
    cuts->here.crit = cuts->crit[0];
}

/* ---- factors --------------------------------------------------------------------------------------------------------- */

/* Lays the cases in the order of the levels' means, and lists the cuts. False where all means are equal. */
static bool lay_out_factor(regression_search *s, const regression_node *node, int feature)
{
    forest_cuts *cuts = &s->cuts;
    sort_cases_like_r(s, node, feature);
    cuts->size = 0;
    for (int i = 0; i < node->size; ++i) {
        s->sorted_y[i] = node->cases[s->index[i]].y;
    }
    for (int i = 0; i < node->size - 1; ++i) {
        if (s->value[i] < s->value[i + 1]) {
            cuts->place[cuts->size] = i;
            cuts->left[cuts->size++] = (uint32_t)i + 1;
        }
    }
    return cuts->size > 0;
}

/* The levels next to a cut. */
static void keep_factor_cut(regression_search *s, const regression_node *node, int place)
{
    regression_split *here = &s->cuts.here;
    int below = node->cases[s->index[place]].row, above = node->cases[s->index[place + 1]].row;
    here->borrows = false;
    here->below = (int32_t)rank_of(s->ranks, here->feature, below);
    here->above = (int32_t)rank_of(s->ranks, here->feature, above);
}

/* Whether rough means are so close that R's may be equal, or in the other order. */
static bool means_are_close(const regression_search *s, const regression_node *node)
{
    const uint32_t *level = s->sorted.place;
    double error = 16.0 * DBL_EPSILON * node->size * s->bag->largest;
    bool close = false;
    for (int i = 0; i < s->sorted.size - 1; ++i) {
        close = close || !(s->level_mean[level[i + 1]] - s->level_mean[level[i]] > error);
    }
    return close;
}

static bool scan_factor(regression_search *s, const regression_node *node, int feature)
{
    regression_rough_means(s, node, feature);
    s->sorted.has_ties = false;
    regression_sort_levels(s, s->data->ncat[feature]);
    if (s->sorted.size == 1) {
        return false;
    }
    if (!means_are_close(s, node) && scan_ratios(s, node)) {
        s->cuts.here.borrows = false; /* the cut is found when the feature has won */
        return true;
    }
    if (!lay_out_factor(s, node, feature)) {
        return false;
    }
    evaluate(s, node);
    int kept = find_best(s);
    s->cuts.here.exact = true;
    memcpy(s->cuts.here.level_mean, s->level_mean, sizeof s->level_mean);
    if (kept >= 0) {
        keep_factor_cut(s, node, s->cuts.place[kept]);
    }
    return true;
}

static void settle_factor(regression_search *s, const regression_node *node)
{
    forest_cuts *cuts = &s->cuts;
    int best = 0;
    lay_out_factor(s, node, cuts->here.feature);
    evaluate(s, node);
    for (int k = 1; k < cuts->size; ++k) {
        best = cuts->crit[k] > cuts->crit[best] ? k : best;
    }
    cuts->here.crit = cuts->crit[best];
    memcpy(cuts->here.level_mean, s->level_mean, sizeof s->level_mean);
    keep_factor_cut(s, node, cuts->place[best]);
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

void forest_scan_begin(regression_search *s, const regression_node *node)
{
    s->cuts.margin = 2.0 * regression_margin(s, node);
}

bool forest_scan(regression_search *s, const regression_node *node, int turn)
{
    regression_split *here = &s->cuts.here;
    int feature = s->drawn[turn];
    here->crit = 0.0;
    here->feature = feature;
    here->turn = turn;
    here->borrows = s->cuts.laid_out = true;
    return (is_factor(s, feature) ? scan_factor : scan_number)(s, node, feature);
}

void forest_settle(regression_search *s, const regression_node *node)
{
    regression_split *here = &s->cuts.here;
    if (!here->exact) {
        (is_factor(s, here->feature) ? settle_factor : settle_number)(s, node);
        here->exact = true;
    }
}
