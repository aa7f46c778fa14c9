/* The search for the best split of a node, feature by feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "tree/class_bins.h"
#include "tree/lanes.h"
#include "tree/scan.h"
#include "tree/incumbent.h"
#include "tree/row_order.h"
#include "tree/split_categorical.h"
#include "tree/split_classes.h"
#include "tree/split_coarse.h"
#include "tree/split_levels.h"
#include "tree/split_rare.h"
#include "tree/split_two_class.h"
#include "tree/split_values.h"
#include "tree/splitter.h"

/* ---- scratch --------------------------------------------------------------------------------------------------------- */

static void bins_init(search_scratch *c, const search_input *in, arena *memory)
{
    TAKE(memory, c->bin, in->data->n);
    if (in->criterion->n_moments) {
        c->value_bins = value_bins_new(in->data->n, memory);
    } else if (c->class_counts) {
        c->class_bins = class_bins_new(in, memory);
    } else {
        c->coarse_bins = coarse_bins_new(memory);
    }
}

static rrf_status scratch_init(search_scratch *c, const search_input *in, arena *memory)
{
    size_t n = (size_t)in->data->n, nclass = (size_t)in->nclass;
    /* The SIMD loops read past the end: by a block, and in the slots to the end of a word of marks. */
    TAKE_ZEROS(memory, c->mark, n / 64 + 1);
    TAKE_ZEROS(memory, c->slot, n + 64);
    TAKE(memory, c->present, n + SIMD_BLOCK);
    TAKE(memory, c->present_rank, n + SIMD_BLOCK);
    TAKE(memory, c->sorted, n);
    TAKE(memory, c->packed, n);
    TAKE(memory, c->packed_spare, n + SIMD_BLOCK);
    TAKE(memory, c->node_of, n);
    TAKE(memory, c->left_total, nclass);
    TAKE(memory, c->right_total, nclass);
    TAKE(memory, c->level_total, nclass * RRF_MAX_PACKED);
    c->class_counts = class_counts_new(in, memory);
    if (in->ranks->coarse) {
        bins_init(c, in, memory);
    }
    c->level_order = level_order_new(in, memory);
    if (in->criterion->n_moments) {
        values_init(&c->values, in->data->n, memory);
    }
    return arena_status(memory);
}

static rrf_status scratch_begin_tree(search_scratch *c, const search_input *in, arena *memory)
{
    rare_begin_tree(c, in);
    if (c->value_bins) {
        value_bins_begin_tree(c->value_bins);
    }
    if (c->class_counts) {
        class_counts_forget(c->class_counts);
    } else if (in->packs) {
        return node_rows_begin_tree(&c->node_rows, in->ranks, in->bag, memory);
    }
    return RRF_OK;
}

/* ---- a thread's splitter --------------------------------------------------------------------------------------------- */

rrf_status splitter_init(splitter *s, const search_input *in, const rule *rule, void *rule_own, watch *watch,
                         arena *memory)
{
    *s = (splitter){.in = in, .rule = rule, .rule_own = rule_own, .watch = watch, .memory = memory};
    return scratch_init(&s->scratch, in, memory);
}

rrf_status splitter_begin_tree(splitter *s)
{
    s->listed = false;
    return scratch_begin_tree(&s->scratch, s->in, s->memory);
}

/* ---- numeric features ------------------------------------------------------------------------------------------------ */

/* Moves the missing rows from the end of the sorted rows to their front. */
static void missing_first(search_scratch *c, int size, int n_missing)
{
    int32_t *moved = (int32_t *)c->packed;
    c->sorted_by = -1;
    memcpy(moved, c->sorted + size - n_missing, (size_t)n_missing * sizeof *moved);
    memmove(c->sorted + n_missing, c->sorted, (size_t)(size - n_missing) * sizeof *moved);
    memcpy(c->sorted, moved, (size_t)n_missing * sizeof *moved);
}

static int count_missing(const splitter *s, int size, int feature)
{
    const rrf_ranks *ranks = s->in->ranks;
    int n_missing = 0;
    while (ranks_have_missing(ranks, feature) && n_missing < size &&
           rank_of(ranks, feature, s->scratch.sorted[size - n_missing - 1]) >= (uint32_t)ranks->n_present[feature]) {
        ++n_missing;
    }
    return n_missing;
}

static void scan_sorted(splitter *s, const node_view *node, int feature)
{
    const criterion *criterion = s->in->criterion;
    const int32_t *sorted = s->scratch.sorted;
    sort_rows(s, node, feature);
    int size = node->size, n_missing = count_missing(s, size, feature);
    if (n_missing == size) {
        return;
    }
    /* The cut after the last value separates values from missing ones. */
    criterion->scan(s, node, feature, &(row_order){sorted, 0, n_missing ? size - n_missing - 1 : size - 2});
    if (n_missing) {
        missing_first(&s->scratch, size, n_missing);
        s->missing_left = true;
        criterion->scan(s, node, feature, &(row_order){sorted, n_missing, size - 2});
        s->missing_left = false;
    }
}

/* Compares whole numbers that are near R's sums, which are not exact. True if the feature is to be evaluated as R does. */
static bool remains_in_doubt(splitter *s, const node_view *node, int feature)
{
    bool classes = s->scratch.class_counts != NULL;
    if (!FILTER_COUNTS) {
        incumbent_settle(s, node);
        return true;
    }
    incumbent_begin(s);
    bool doubt = (classes ? class_counts_may_equal_best : two_class_may_equal_best)(s, node, feature);
    if (doubt) {
        incumbent_give_up(s, node);
    } else {
        incumbent_take(s);
    }
    return doubt;
}

/* Whether rows are added up one by one, as R does; otherwise counts by value will do. */
static bool order_matters(const splitter *s)
{
    bool without_counts = !FILTER_COUNTS && s->in->criterion->sums_squares;
    return without_counts || s->in->ranks->kind.ties != TIES_MERGED || (s->in->like_r && !s->rule->takes_bounds);
}

static void split_numeric(splitter *s, const node_view *node, int feature)
{
    if (order_matters(s)) {
        if (!s->in->packs || remains_in_doubt(s, node, feature)) {
            scan_sorted(s, node, feature);
        }
    } else if (rare_split(s, node, feature)) {
        return;
    } else if (s->scratch.class_counts) {
        class_counts_split(s, node, feature);
    } else {
        s->in->criterion->split_merged(s, node, feature);
    }
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

static void set_factor(splitter *s, const node_view *node, int feature, bool is_member)
{
    const feature_profile *profile = s->in->profile + feature;
    bool has_penalty = is_penalized(s->in->members_exempt, is_member);
    s->factor = has_penalty ? profile->coef : 1.0;
    s->inverse = has_penalty ? profile->inverse : 1.0;
    if (has_penalty && s->in->coef_by_depth) {
        s->factor = pow(profile->coef, node->depth + 1);
        s->inverse = inverse_of(s->factor);
    }
}

static void split_feature(splitter *s, const node_view *node, int feature)
{
    if (s->in->profile[feature].n_levels == 1) {
        split_numeric(s, node, feature);
    } else {
        incumbent_settle(s, node);
        split_categorical(s, node, feature);
    }
}

void splitter_try(splitter *s, const node_view *node, int feature, bool is_member)
{
    lanes_answer answer = is_member ? lanes_try(s, node, feature) : LANES_UNKNOWN;
    if (answer == LANES_DONE) {
        return;
    }
    set_factor(s, node, feature, is_member);
    if (answer == LANES_FOUND) {
        incumbent_settle(s, node);
        scan_sorted(s, node, feature);
    } else {
        split_feature(s, node, feature);
    }
}

bool splitter_can_bound(const splitter *s)
{
    return FILTER_THRESHOLD && (s->scratch.value_bins || s->scratch.class_bins) && weights_are_counts(s->in->bag);
}

gain_bounds splitter_bounds(splitter *s, const node_view *node, int feature, bool is_member)
{
    set_factor(s, node, feature, is_member);
    if (!s->in->profile[feature].coarse || s->factor < MIN_FACTOR || node_list(s, node, feature) ||
        (s->scratch.class_bins && node->size < MIN_BINNED)) {
        return (gain_bounds){-INFINITY, INFINITY};
    }
    gain_bounds gain = (s->scratch.value_bins ? value_bins_bound : class_bins_bound)(s, node, feature);
    double base = node->crit - node->offset, least = base + gain.least;
    return (gain_bounds){least > node->least_gain ? s->factor * least * (1.0 - SCAN_SLACK) : -INFINITY,
                         s->factor * (base + gain.most) * (1.0 + SCAN_SLACK)};
}

double splitter_gain(splitter *s, const node_view *node, int feature)
{
    split incumbent = s->best;
    s->factor = s->inverse = 1.0;
    splitter_begin_node(s, node);
    split_feature(s, node, feature);
    double gain = s->best.feature < 0 ? 0.0 : s->best.crit - (node->crit - node->offset);
    s->best = incumbent;
    return gain > 0.0 ? gain : 0.0;
}
