/* Splits of a factor by trying sets of levels: R's catmax and catmaxb. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sort_like_r.h"
#include "filters.h"
#include "tree/split_categorical.h"
#include "tree/split_levels.h"

/* The bound of catmaxb is a double, not of single precision like R's other one. */
#define LEAST_WEIGHT 1.0e-5

/* Class totals by level: s->level_total[k + level * nclass]. Returns the number of levels present. */
static int tabulate(splitter *s, const node_view *node, int feature, double *level_weight)
{
    const search_input *in = s->in;
    int nclass = in->nclass, n_levels = in->profile[feature].n_levels, n_present = 0;
    memset(s->level_total, 0, (size_t)nclass * (size_t)n_levels * sizeof *s->level_total);
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i], level = (int)rank_of(in->ranks, feature, row);
        s->level_total[in->bag->y[row] + level * nclass] += weight_in_bag(in->bag, row);
    }
    for (int level = 0; level < n_levels; ++level) {
        double sum = 0.0;
        for (int k = 0; k < nclass; ++k) {
            sum += s->level_total[k + level * nclass];
        }
        level_weight[level] = sum;
        n_present += sum > 0;
    }
    return n_present;
}

static uint64_t present_levels(const double *level_weight, int n_levels)
{
    uint64_t present = 0;
    for (int level = 0; level < n_levels; ++level) {
        present |= (uint64_t)(level_weight[level] > 0.0) << level;
    }
    return present;
}

/* ---- catmax: sets of levels ------------------------------------------------------------------------------------------- */

/* R adds levels up in ascending order; those that are absent add 0. */
void try_set(splitter *s, const node_view *node, const column *c, uint64_t levels, uint64_t present)
{
    const search_input *in = s->in;
    double left = 0.0, *left_total = s->class_sums;
    for (int k = 0; k < in->nclass; ++k) {
        double total = 0.0;
        for (uint64_t rest = levels & present; rest; rest &= rest - 1) {
            total += s->level_total[k + __builtin_ctzll(rest) * in->nclass];
        }
        left += total;
        left_total[k] = total;
    }
    if (left > MIN_LEFT_WEIGHT && node->weight - left > MIN_WEIGHT) {
        bar_offer_levels(&s->bar, node, c, in->criterion->of_classes(in, node, left_total, left), levels);
    }
}

/* R tries every set of levels without the last one, in ascending order. Among sets that differ in absent levels only
 * the first wins, which has none of these. So does the first of two complementary sets. */
static void try_all_sets(splitter *s, const node_view *node, const column *c, uint32_t present)
{
    uint32_t end = (uint32_t)1 << (s->in->profile[c->feature].n_levels - 1),
             last = (uint32_t)1 << (31 - __builtin_clz(present));
    uint32_t all = sets_mirror(s) ? present & ~last : present;
    for (uint32_t levels = all & -all; levels && levels < end; levels = (levels - all) & all) {
        try_set(s, node, c, s->in->rule->name_levels(levels, present), present);
    }
}

static void try_random_sets(splitter *s, const node_view *node, const column *c, uint32_t present)
{
    uint32_t sets[RANDOM_SETS];
    s->in->rule->draw_sets(s->bar.own, RANDOM_SETS, s->in->profile[c->feature].n_levels, sets);
    for (int i = 0; i < RANDOM_SETS; ++i) {
        try_set(s, node, c, sets[i], present);
    }
}

/* As above, for more than 32 levels. */
static void try_wide_sets(splitter *s, const node_view *node, const column *c, uint64_t present)
{
    uint64_t sets[RANDOM_SETS];
    s->in->rule->draw_wide_sets(s->bar.own, RANDOM_SETS, s->in->profile[c->feature].n_levels, sets);
    for (int i = 0; i < RANDOM_SETS; ++i) {
        try_set(s, node, c, sets[i], present);
    }
}

/* ---- catmaxb: two classes, many levels -------------------------------------------------------------------------------- */

static double class0_share(const splitter *s, const double *level_weight, int level)
{
    return level_weight[level] != 0.0 ? s->level_total[level * s->in->nclass] / level_weight[level] : 0.0;
}

static uint64_t levels_below(const splitter *s, const double *level_weight, int n_levels, double cut)
{
    uint64_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint64_t)(class0_share(s, level_weight, level) < cut) << level;
    }
    return levels;
}

/* Finds the best cut among the levels sorted by their share of class 0; levels with a share below it go left. */
static void search_shares(splitter *s, const node_view *node, const column *c, const double *level_weight)
{
    double share[RRF_MAX_PACKED], left = 0.0, right = node->weight;
    double in_left[2] = {0.0, 0.0}, in_right[2] = {node->sums[0], node->sums[1]};
    int32_t level[RRF_MAX_PACKED];
    int n_levels = s->in->profile[c->feature].n_levels;
    for (int i = 0; i < n_levels; ++i) {
        share[i] = class0_share(s, level_weight, i);
        level[i] = i;
    }
    sort_like_r(share, level, n_levels);
    for (int i = 0; i < n_levels - 1; ++i) {
        const double *total = s->level_total + (size_t)level[i] * 2;
        double left_squares = 0.0, right_squares = 0.0;
        left += level_weight[level[i]];
        right -= level_weight[level[i]];
        for (int k = 0; k < 2; ++k) {
            in_left[k] += total[k];
            in_right[k] -= total[k];
            left_squares += in_left[k] * in_left[k];
            right_squares += in_right[k] * in_right[k];
        }
        if (share[i] < share[i + 1] && right > LEAST_WEIGHT && left > LEAST_WEIGHT) {
            double crit = left_squares / left + right_squares / right;
            if (penalized(c->factor, crit) > s->bar.best.crit) {
                double cut = .5 * (share[i] + share[i + 1]);
                bar_offer_levels(&s->bar, node, c, crit, levels_below(s, level_weight, n_levels, cut));
            }
        }
    }
}

void split_categorical(splitter *s, const node_view *node, const column *c)
{
    double level_weight[RRF_MAX_PACKED];
    int n_levels = s->in->profile[c->feature].n_levels;
    if (levels_are_ordered(s->in, c->feature)) {
        split_levels(s, node, c);
        return;
    }
    if (tabulate(s, node, c->feature, level_weight) <= 1) {
        return;
    }
    uint64_t present = present_levels(level_weight, n_levels);
    if (s->in->nclass == 2 && n_levels > MAX_EXHAUSTIVE_LEVELS) {
        search_shares(s, node, c, level_weight);
    } else if (n_levels > RRF_MAX_LEVELS) {
        try_wide_sets(s, node, c, present);
    } else if (ASK(try_sets, false, s, node, c, (uint32_t)present)) {
        return;
    } else if (n_levels > MAX_EXHAUSTIVE_LEVELS) {
        try_random_sets(s, node, c, (uint32_t)present);
    } else {
        try_all_sets(s, node, c, (uint32_t)present);
    }
}
