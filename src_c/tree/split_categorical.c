/* Splits of a factor by trying sets of levels: R's catmax and catmaxb. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sort_like_r.h"
#include "tree/class_sums.h"
#include "tree/level_bound.h"
#include "tree/split_categorical.h"
#include "tree/split_levels.h"
#include "tree/split_sets.h"

#define MIN_WEIGHT 1.0e-5

/* ---- sums by level and class ------------------------------------------------------------------------------------------ */

/* Two classes in whole numbers, whose sums do not depend on the order of rows. */
static int tabulate_counts(splitter *s, const node_view *node, int feature, double *level_weight)
{
    level_mean mean[RRF_MAX_PACKED] = {{0.0, 0.0, 0}};
    int present = 0;
    class_sum_levels(s->in, node, feature, mean);
    for (int level = 0; level < s->in->profile[feature].n_levels; ++level) {
        s->scratch.level_total[2 * level] = mean[level].sum;
        s->scratch.level_total[2 * level + 1] = mean[level].weight - mean[level].sum;
        level_weight[level] = mean[level].weight;
        present += mean[level].weight > 0.0;
    }
    return present;
}

static int tabulate_weights(splitter *s, const node_view *node, int feature, double *level_weight)
{
    int nclass = s->in->nclass, present = 0;
    memset(s->scratch.level_total, 0,
           (size_t)nclass * (size_t)s->in->profile[feature].n_levels * sizeof *s->scratch.level_total);
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->scratch.level_total[s->in->bag->y[row] + (int)rank_of(s->in->ranks, feature, row) * nclass] +=
            weight_in_bag(s->in->bag, row);
    }
    for (int level = 0; level < s->in->profile[feature].n_levels; ++level) {
        double sum = 0.0;
        for (int k = 0; k < nclass; ++k) {
            sum += s->scratch.level_total[k + level * nclass];
        }
        level_weight[level] = sum;
        present += sum > 0;
    }
    return present;
}

/* Class totals by level: level_total[k + level * nclass]. Returns the number of levels present. */
static int tabulate(splitter *s, const node_view *node, int feature, double *level_weight)
{
    return (class_counts_levels(s->in, node, feature) ? tabulate_counts : tabulate_weights)(s, node, feature,
                                                                                            level_weight);
}

static uint64_t present_levels(const double *level_weight, int n_levels)
{
    uint64_t present = 0;
    for (int level = 0; level < n_levels; ++level) {
        present |= (uint64_t)(level_weight[level] > 0.0) << level;
    }
    return present;
}

/* ---- R's order of many levels: two classes --------------------------------------------------------------------------- */

static double class0_share(const splitter *s, const double *level_weight, int level)
{
    return level_weight[level] != 0.0 ? s->scratch.level_total[level * s->in->nclass] / level_weight[level] : 0.0;
}

static uint64_t levels_below(const splitter *s, const double *level_weight, int n_levels, double cut)
{
    uint64_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint64_t)(class0_share(s, level_weight, level) < cut) << level;
    }
    return levels;
}

static bool shares_are_hopeless(const splitter *s, const node_view *node, const double *level_weight, int n_levels)
{
    int level[RRF_MAX_PACKED], present = 0;
    for (int i = 0; i < n_levels; ++i) {
        if (level_weight[i] > 0.0) {
            level[present++] = i;
        }
    }
    return levels_are_hopeless(s, node, level, present);
}

/* Sums of whole numbers do not depend on the order of equal shares, between which there are no cuts. */
static void sort_shares(const splitter *s, double *share, int32_t *level, int n_levels)
{
    double given[RRF_MAX_PACKED];
    int32_t smaller[RRF_MAX_PACKED], equal[RRF_MAX_PACKED] = {0};
    if (!s->in->bag->exact) {
        sort_like_r(share, level, n_levels);
        return;
    }
    memcpy(given, share, (size_t)n_levels * sizeof *share);
    s->in->simd->count_smaller(given, n_levels, smaller);
    for (int i = 0; i < n_levels; ++i) {
        int place = smaller[i] + equal[smaller[i]]++;
        share[place] = given[i];
        level[place] = i;
    }
}

/* The best cut among the levels sorted by their share of class 0; levels with a share below it go left. */
static void search_shares_like_r(splitter *s, const node_view *node, int feature, const double *level_weight)
{
    double share[RRF_MAX_PACKED], left = 0.0, right = node->weight;
    double in_left[2] = {0.0, 0.0}, in_right[2] = {node->sums[0], node->sums[1]};
    int32_t level[RRF_MAX_PACKED];
    int n_levels = s->in->profile[feature].n_levels;
    if (shares_are_hopeless(s, node, level_weight, n_levels)) {
        return;
    }
    for (int i = 0; i < n_levels; ++i) {
        share[i] = class0_share(s, level_weight, i);
        level[i] = i;
    }
    sort_shares(s, share, level, n_levels);
    for (int i = 0; i < n_levels - 1; ++i) {
        const double *total = s->scratch.level_total + (size_t)level[i] * 2;
        double left_squares = 0.0, right_squares = 0.0;
        left += level_weight[level[i]];
        right -= level_weight[level[i]];
        for (int k = 0; k < 2; ++k) {
            in_left[k] += total[k];
            in_right[k] -= total[k];
            left_squares += in_left[k] * in_left[k];
            right_squares += in_right[k] * in_right[k];
        }
        if (share[i] < share[i + 1] && right > MIN_WEIGHT && left > MIN_WEIGHT) {
            double crit = left_squares / left + right_squares / right;
            if (penalized(s->factor, crit) > s->best.crit) {
                double cut = .5 * (share[i] + share[i + 1]);
                splitter_offer_levels(s, node, crit, feature, levels_below(s, level_weight, n_levels, cut));
            }
        }
    }
}

void split_categorical(splitter *s, const node_view *node, int feature)
{
    double level_weight[RRF_MAX_PACKED];
    int n_levels = s->in->profile[feature].n_levels;
    if (levels_are_ordered(s->in, feature)) {
        split_levels(s, node, feature);
        return;
    }
    if (tabulate(s, node, feature, level_weight) <= 1) {
        return;
    } else if (s->in->nclass == 2 && n_levels > MAX_EXHAUSTIVE_LEVELS) {
        search_shares_like_r(s, node, feature, level_weight);
    } else if (n_levels > RRF_MAX_LEVELS) {
        split_wide_sets(s, node, feature, present_levels(level_weight, n_levels));
    } else if (n_levels > MAX_EXHAUSTIVE_LEVELS) {
        split_random_sets(s, node, feature, (uint32_t)present_levels(level_weight, n_levels));
    } else {
        split_all_sets(s, node, feature, (uint32_t)present_levels(level_weight, n_levels));
    }
}
