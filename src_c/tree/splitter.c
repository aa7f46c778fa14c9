/* The search for the best split of a node, feature by feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "tree/row_order.h"
#include "tree/split_categorical.h"
#include "tree/split_levels.h"
#include "tree/splitter.h"

rrf_status splitter_init(splitter *s, const search_input *in, void *rule_own, watch *watch, arena *memory)
{
    size_t n = (size_t)in->data->n, nclass = (size_t)in->nclass;
    *s = (splitter){.in = in, .bar = {.rule = in->rule, .own = rule_own}, .watch = watch, .memory = memory};
    TAKE(memory, s->sorted, n);
    TAKE(memory, s->packed, n);
    TAKE(memory, s->spare, n + 1);
    TAKE(memory, s->class_sums, 2 * nclass);
    TAKE(memory, s->level_total, nclass * RRF_MAX_PACKED);
    s->level_order = level_order_new(in, memory);
    rrf_status status = ASK(splitter_init, RRF_OK, s);
    return status ? status : arena_status(memory);
}

void splitter_begin_node(splitter *s, const node_view *node)
{
    bar_begin(&s->bar, node);
    s->sorted_by = -1;
    TELL(begin_node, s, node);
}

/* ---- numeric features ------------------------------------------------------------------------------------------------ */

/* Moves the missing rows from the end of the sorted rows to their front. */
static void missing_first(splitter *s, int size, int n_missing)
{
    int32_t *moved = (int32_t *)s->packed;
    s->sorted_by = -1;
    memcpy(moved, s->sorted + size - n_missing, (size_t)n_missing * sizeof *moved);
    memmove(s->sorted + n_missing, s->sorted, (size_t)(size - n_missing) * sizeof *moved);
    memcpy(s->sorted, moved, (size_t)n_missing * sizeof *moved);
}

static int count_missing(const splitter *s, int size, int feature)
{
    const rrf_ranks *ranks = s->in->ranks;
    int n_missing = 0;
    while (ranks_have_missing(ranks, feature) && n_missing < size &&
           rank_of(ranks, feature, s->sorted[size - n_missing - 1]) >= (uint32_t)ranks->n_present[feature]) {
        ++n_missing;
    }
    return n_missing;
}

static void scan(splitter *s, const node_view *node, const column *c, const row_order *order)
{
    if (!ASK(scan, false, s->in, node, c, order, s->class_sums, &s->bar)) {
        s->in->criterion->scan(s->in, node, c, order, s->class_sums, &s->bar);
    }
}

void splitter_scan(splitter *s, const node_view *node, column *c)
{
    sort_rows(s, node, c->feature);
    int size = node->size, n_missing = count_missing(s, size, c->feature);
    if (n_missing == size) {
        return;
    }
    /* The cut after the last value separates values from missing ones. */
    scan(s, node, c, &(row_order){s->sorted, 0, n_missing ? size - n_missing - 1 : size - 2});
    if (n_missing) {
        missing_first(s, size, n_missing);
        c->missing_left = true;
        scan(s, node, c, &(row_order){s->sorted, n_missing, size - 2});
    }
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

column splitter_column(const search_input *in, const node_view *node, int feature, bool is_member)
{
    const feature_profile *profile = in->profile + feature;
    column c = {.feature = feature, .factor = 1.0, .inverse = 1.0};
    if (is_penalized(in->members_exempt, is_member)) {
        bool by_depth = in->coef_by_depth;
        c.factor = by_depth ? pow(profile->coef, node->depth + 1) : profile->coef;
        c.inverse = by_depth ? inverse_of(c.factor) : profile->inverse;
    }
    return c;
}

static void split_column(splitter *s, const node_view *node, column *c)
{
    if (s->in->profile[c->feature].n_levels > 1) {
        TELL(settle, s, node);
        split_categorical(s, node, c);
    } else if (!ASK(split_numeric, false, s, node, c)) {
        splitter_scan(s, node, c);
    }
}

void splitter_try(splitter *s, const node_view *node, int feature, bool is_member)
{
    if (!is_member || !ASK(try_member, false, s, node, feature)) {
        column c = splitter_column(s->in, node, feature, is_member);
        split_column(s, node, &c);
    }
}

double splitter_gain(splitter *s, const node_view *node, int feature)
{
    split best = s->bar.best;
    column c = {.feature = feature, .factor = 1.0, .inverse = 1.0};
    splitter_begin_node(s, node);
    split_column(s, node, &c);
    double gain = s->bar.best.feature < 0 ? 0.0 : s->bar.best.crit - (node->crit - node->offset);
    s->bar.best = best;
    return gain > 0.0 ? gain : 0.0;
}
