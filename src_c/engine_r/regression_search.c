/* The search for the split that lowers a node's sum of squares most, R's findBestSplit of regression.
 *
 * Where cases have the same value and different responses, R's quicksort decides the order in which they are added. This
 * sort costs more than all the rest. So a feature with such ties is searched last, when the gain that it has to beat is
 * known. Where values are few, the first look does without any sort. Before it, all features of a small node, or of few
 * values, get a bound: the one with the highest is searched first, and most of the others need no look at all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_r/regression_cuts.h"
#include "engine_r/regression_search.h"
#include "engine_r/regression_ties.h"
#include "data/sort_like_r.h"

/* Copies of a row's response that are written at a time, needed or not; few rows are drawn more often. */
enum { COPIES = 4 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

static void take_scratch(regression_search *s, arena *memory)
{
    int p = s->data->p, cases = s->bag->size + COPIES;
    TAKE(memory, s->drawn, p);
    TAKE(memory, s->pending, p);
    TAKE(memory, s->bound, p);
    TAKE(memory, s->inverse, cases);
    TAKE(memory, s->sorted_y, cases);
    TAKE(memory, s->sums, cases);
    TAKE(memory, s->value, cases);
    TAKE(memory, s->index, cases);
    TAKE(memory, s->items, cases);
    TAKE(memory, s->needed, cases);
    for (int k = 0; s->inverse && k <= s->bag->size; ++k) {
        s->inverse[k] = k ? 1.0 / k : 0.0;
    }
}

rrf_status regression_search_init(regression_search *s, const rrf_data *data, const rrf_ranks *ranks,
                                  const regression_bag *bag, const rrf_params *params, const int32_t *used,
                                  rrf_rng *rng, arena *memory)
{
    *s = (regression_search){.data = data,
                             .ranks = ranks,
                             .bag = bag,
                             .coef_reg = params->coef_reg,
                             .mtry = params->mtry,
                             .flag_reg = params->flag_reg == 1,
                             .quirks = params->quirks,
                             .rng = rng};
    take_scratch(s, memory);
    regression_lanes_init(&s->lanes, ranks, memory);
    regression_sorted_init(&s->sorted, ranks, bag->size, memory);
    rrf_status status = candidates_init(&s->features, data->p, params, used, memory);
    /* R's regression draws mtry of all features, members of F or not. */
    s->features.members_join = s->features.shuffles_all = false;
    return status;
}

/* ---- R's order among ties -------------------------------------------------------------------------------------------- */

/* The mean response of each level, which R sorts in place of the levels; 0 for a level without cases. */
static void find_level_means(regression_search *s, const regression_node *node, int feature)
{
    double sum[RRF_MAX_PACKED] = {0.0};
    memset(s->level_count, 0, sizeof s->level_count);
    for (int i = 0; i < node->size; ++i) {
        uint32_t level = rank_of(s->ranks, feature, node->cases[i].row);
        sum[level] += node->cases[i].y;
        ++s->level_count[level];
    }
    for (int level = 0; level < s->data->ncat[feature]; ++level) {
        s->level_mean[level] = s->level_count[level] ? sum[level] / s->level_count[level] : 0.0;
    }
}

void sort_cases_like_r(regression_search *s, const regression_node *node, int feature)
{
    const double *x = s->data->x + (size_t)feature * (size_t)s->data->n;
    if (is_factor(s, feature)) {
        find_level_means(s, node, feature);
    }
    for (int i = 0; i < node->size; ++i) {
        int row = node->cases[i].row;
        s->value[i] = is_factor(s, feature) ? s->level_mean[rank_of(s->ranks, feature, row)] : x[row];
        s->index[i] = i;
    }
    sort_like_r(s->value, s->index, node->size);
}

static void list_like_r(regression_search *s, const regression_node *node, int feature)
{
    sort_cases_like_r(s, node, feature);
    for (int i = 0; i < node->size; ++i) {
        s->sorted_y[i] = node->cases[s->index[i]].y;
    }
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

/* The responses of the first sorted rows, each as often as the row was drawn. */
void regression_list_rows(regression_search *s, int n_rows)
{
    double *y = s->sorted_y;
    for (int i = 0; i < n_rows; ++i) {
        bag_row row = s->sorted.rows[s->sorted.place[i]];
        for (int copy = 0; copy < COPIES; ++copy) {
            y[copy] = row.y;
        }
        for (int copy = COPIES; copy < row.count; ++copy) {
            y[copy] = row.y;
        }
        y += row.count;
    }
}

/* Keeps the rows next to the best cut, and asks for the memory of their values. */
static void keep_rows(regression_search *s, int below, int above)
{
    const double *x = s->data->x + (size_t)s->best.feature * (size_t)s->data->n;
    s->best.below = below;
    s->best.above = above;
    __builtin_prefetch(x + below);
    __builtin_prefetch(x + above);
}

static void keep_number(regression_search *s, const regression_node *node, int found)
{
    if (found >= 0) {
        const uint32_t *place = s->sorted.place + found;
        s->best.cut_rank = s->sorted.rank[place[0]];
        keep_rows(s, node->rows[place[0]].row, node->rows[place[1]].row);
    }
}

static void postpone(regression_search *s, const regression_node *node, int turn)
{
    double least = cuts_lower_bound(s, node);
    s->pending[s->n_pending++] = (pending_feature){turn, least, s->look.highest};
    s->promised = least > s->promised ? least : s->promised;
}

static bool number_promises(regression_search *s, const regression_node *node, int feature)
{
    if (!cuts_promise(s, node, feature)) {
        return false;
    }
    if (s->sorted.has_ties) {
        regression_list_keys(&s->sorted, feature);
    }
    return !s->sorted.has_ties || cuts_promise_between_values(s);
}

static void search_number(regression_search *s, const regression_node *node, int turn)
{
    int feature = s->drawn[turn];
    bool by_value = regression_sum_values(&s->sorted, feature, node);
    if (!by_value) {
        regression_sort_rows(&s->sorted, feature, node);
    }
    if (!number_promises(s, node, feature)) {
        return;
    }
    int end = cuts_shortlist(s);
    if (by_value || ties_matter(s, end)) {
        postpone(s, node, turn);
        return;
    }
    regression_list_rows(s, end);
    keep_number(s, node, cuts_evaluate(s, node, turn, end));
}

/* A row of the node that has a value; s->sorted.rank has the values. */
int regression_row_of_value(const regression_search *s, const regression_node *node, uint32_t value)
{
    int place = 0;
    while (s->sorted.rank[place] != value) {
        ++place;
    }
    return node->rows[place].row;
}

/* The feature's values have taken the place of rows. */
static void search_values_like_r(regression_search *s, const regression_node *node, int turn)
{
    int feature = s->drawn[turn];
    if (!cuts_promise(s, node, feature)) {
        return;
    }
    int end = cuts_shortlist(s);
    list_first_like_r(s, node, feature, end > 0 ? s->sorted.left[end - 1] : 0);
    int found = cuts_evaluate(s, node, turn, end);
    if (found >= 0) {
        const uint32_t *value = s->sorted.place + found;
        s->best.cut_rank = value[0];
        keep_rows(s, regression_row_of_value(s, node, value[0]), regression_row_of_value(s, node, value[1]));
    }
}

static void search_number_like_r(regression_search *s, const regression_node *node, int turn)
{
    int feature = s->drawn[turn];
    if (regression_sum_values(&s->sorted, feature, node)) {
        search_values_like_r(s, node, turn);
        return;
    }
    regression_sort_rows(&s->sorted, feature, node);
    if (!number_promises(s, node, feature)) {
        return;
    }
    int end = cuts_shortlist(s);
    regression_list_rows(s, end);
    if (ties_matter(s, end)) {
        order_ties_like_r(s, node, feature, end);
    }
    keep_number(s, node, cuts_evaluate(s, node, turn, end));
}

/* ---- factors --------------------------------------------------------------------------------------------------------- */

/* The means up to rounding. Two sums per level are faster than one, because an addition waits for the one before. */
void regression_rough_means(regression_search *s, const regression_node *node, int feature)
{
    double sum[2][RRF_MAX_PACKED] = {{0.0}};
    int count[2][RRF_MAX_PACKED] = {{0}};
    regression_load_ranks(s->ranks, feature, node->rows, node->n_rows, s->sorted.rank);
    for (int i = 0; i < node->n_rows; ++i) {
        uint32_t level = s->sorted.rank[i];
        sum[i & 1][level] += node->rows[i].count * node->rows[i].y;
        count[i & 1][level] += node->rows[i].count;
    }
    for (int level = 0; level < s->data->ncat[feature]; ++level) {
        s->level_count[level] = count[0][level] + count[1][level];
        s->level_mean[level] = (sum[0][level] + sum[1][level]) * s->inverse[s->level_count[level]];
    }
}

/* Sorts the levels that have cases by their means. */
void regression_sort_levels(regression_search *s, int n_levels)
{
    regression_sorted *sorted = &s->sorted;
    const double *mean = s->level_mean;
    sorted->sums = s->level_sums;
    sorted->size = 0;
    for (uint32_t level = 0; level < (uint32_t)n_levels; ++level) {
        s->level_sums[level] = (case_sum){s->level_count[level] * mean[level], s->level_count[level]};
        if (s->level_count[level] == 0) {
            continue;
        }
        int at = sorted->size++;
        for (; at > 0 && mean[sorted->place[at - 1]] > mean[level]; --at) {
            sorted->place[at] = sorted->place[at - 1];
        }
        sorted->place[at] = level;
    }
    sorted->key[0] = 0;
    for (int i = 1; i < sorted->size; ++i) {
        sorted->key[i] = sorted->key[i - 1] + (mean[sorted->place[i - 1]] < mean[sorted->place[i]]);
    }
}

/* In R no cut lies between levels with equal means. Rough means do not show which are equal, so a cut may be tried there,
 * but it is no better than the cuts around it. */
static void search_factor(regression_search *s, const regression_node *node, int turn)
{
    int feature = s->drawn[turn];
    regression_rough_means(s, node, feature);
    regression_sort_levels(s, s->data->ncat[feature]);
    if (cuts_promise(s, node, feature)) {
        postpone(s, node, turn);
    }
}

static void search_factor_like_r(regression_search *s, const regression_node *node, int turn)
{
    int feature = s->drawn[turn];
    find_level_means(s, node, feature);
    regression_sort_levels(s, s->data->ncat[feature]);
    if (!cuts_promise(s, node, feature) || !cuts_promise_between_values(s)) {
        return;
    }
    list_like_r(s, node, feature);
    int found = cuts_evaluate(s, node, turn, cuts_shortlist(s));
    if (found >= 0) {
        s->best.below = (int32_t)s->sorted.place[found];
        s->best.above = (int32_t)s->sorted.place[found + 1];
        memcpy(s->best.level_mean, s->level_mean, sizeof s->level_mean);
    }
}

/* ---- the node -------------------------------------------------------------------------------------------------------- */

/* Removes the most promising feature from the pending list and returns it. */
static pending_feature next_pending(regression_search *s)
{
    int most = 0;
    for (int i = 1; i < s->n_pending; ++i) {
        most = s->pending[i].least > s->pending[most].least ? i : most;
    }
    pending_feature next = s->pending[most];
    s->pending[most] = s->pending[--s->n_pending];
    return next;
}

static void search_pending(regression_search *s, const regression_node *node)
{
    while (s->n_pending > 0) {
        pending_feature next = next_pending(s);
        int feature = s->drawn[next.turn];
        if (!cuts_still_promise(s, node, feature, next.highest)) {
            continue;
        }
        if (is_factor(s, feature)) {
            search_factor_like_r(s, node, next.turn);
        } else {
            search_number_like_r(s, node, next.turn);
        }
    }
}

void regression_sum_rows(regression_search *s, regression_node *node)
{
    for (int i = 0; i < node->n_rows; ++i) {
        s->sums[i] = (case_sum){node->rows[i].count * node->rows[i].y, node->rows[i].count};
    }
    node->sums = s->sums;
}

static void search_turn(regression_search *s, const regression_node *node, int turn)
{
    (is_factor(s, s->drawn[turn]) ? search_factor : search_number)(s, node, turn);
}

/* The feature with the highest bound is the most likely to win. Searched first, it spares most others the search. */
static int most_hopeful(const regression_search *s)
{
    int most = -1;
    double highest = 0.0;
    for (int turn = 0; turn < s->mtry; ++turn) {
        double hope = cuts_hope(s, s->drawn[turn], s->bound[turn]);
        if (hope > highest && hope < INFINITY) {
            highest = hope;
            most = turn;
        }
    }
    return most;
}

static void search_drawn(regression_search *s, const regression_node *node)
{
    int first = most_hopeful(s);
    if (first >= 0) {
        search_number_like_r(s, node, first);
    }
    for (int turn = 0; turn < s->mtry; ++turn) {
        int feature = s->drawn[turn];
        if (turn != first && cuts_bound_promises(s, node, feature, s->bound[turn])) {
            search_turn(s, node, turn);
        }
    }
}

void regression_search_node(regression_search *s, regression_node *node)
{
    regression_sum_rows(s, node);
    s->best.crit = s->promised = 0.0;
    s->best.feature = -1;
    s->n_pending = 0;
    candidates_draw(&s->features, s->rng, s->drawn);
    regression_bound(&s->lanes, node, s->drawn, s->mtry, s->bound);
    search_drawn(s, node);
    search_pending(s, node);
}
