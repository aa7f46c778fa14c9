/* Splits of a factor: R's catmax and catmaxb, and the parallel engine's. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sort_like_r.h"
#include "tree/splitter.h"

/* Up to this many levels every split is tried; above it, this many random ones. */
enum { MAX_EXHAUSTIVE_LEVELS = 10, RANDOM_SPLITS = 512 };
/* Least weight of a left daughter where R tries subsets. */
#define MIN_LEFT_WEIGHT 1.0e-8
#define MIN_WEIGHT 1.0e-5

/* ---- subsets: any number of classes ---------------------------------------------------------------------------------- */

/* Class totals by level: level_total[k + level * nclass]. Returns the number of levels present. */
static int tabulate(splitter *s, const node_view *node, int feature, double *level_weight)
{
    int nclass = s->nclass, present = 0;
    memset(s->level_total, 0, (size_t)nclass * RRF_MAX_LEVELS * sizeof *s->level_total);
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->level_total[s->bag->y[row] + (int)rank_of(s->ranks, feature, row) * nclass] += s->bag->weight[row];
    }
    for (int level = 0; level < s->profile[feature].n_levels; ++level) {
        double sum = 0.0;
        for (int k = 0; k < nclass; ++k) {
            sum += s->level_total[k + level * nclass];
        }
        level_weight[level] = sum;
        present += sum > 0;
    }
    return present;
}

/* Sums the levels that go left into s->left_total; returns their weight. */
static double sum_left(splitter *s, int n_levels, uint32_t levels)
{
    double left = 0.0;
    for (int k = 0; k < s->nclass; ++k) {
        double total = 0.0;
        for (int level = 0; level < n_levels; ++level) {
            if (levels >> level & 1) {
                total += s->level_total[k + level * s->nclass];
            }
        }
        left += total;
        s->left_total[k] = total;
    }
    return left;
}

static uint32_t present_levels(const double *level_weight, int n_levels)
{
    uint32_t present = 0;
    for (int level = 0; level < n_levels; ++level) {
        present |= (uint32_t)(level_weight[level] > 0.0) << level;
    }
    return present;
}

static void search_subsets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    int n_levels = s->profile[feature].n_levels;
    bool exhaustive = n_levels <= MAX_EXHAUSTIVE_LEVELS;
    int tries = exhaustive ? (1 << (n_levels - 1)) - 1 : RANDOM_SPLITS;
    for (int i = 0; i < tries; ++i) {
        uint32_t drawn = exhaustive ? (uint32_t)i + 1 : s->rule->draw_levels(s->rule_own, feature, i, n_levels);
        uint32_t levels = s->rule->name_levels(drawn, present);
        double left = sum_left(s, n_levels, levels);
        if (left > MIN_LEFT_WEIGHT && node->weight - left > MIN_WEIGHT) {
            double crit = s->criterion->of_classes(node, s->nclass, s->left_total, left);
            splitter_offer_levels(s, node, crit, feature, levels);
        }
    }
}

/* ---- R's order of many levels: two classes --------------------------------------------------------------------------- */

static double class0_share(const splitter *s, const double *level_weight, int level)
{
    return level_weight[level] != 0.0 ? s->level_total[level * s->nclass] / level_weight[level] : 0.0;
}

static uint32_t levels_below(const splitter *s, const double *level_weight, int n_levels, double cut)
{
    uint32_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint32_t)(class0_share(s, level_weight, level) < cut) << level;
    }
    return levels;
}

/* The best cut among the levels sorted by their share of class 0; levels with a share below it go left. */
static void search_shares_like_r(splitter *s, const node_view *node, int feature, const double *level_weight)
{
    double share[RRF_MAX_LEVELS], left = 0.0, right = node->weight;
    double in_left[2] = {0.0, 0.0}, in_right[2] = {node->sums[0], node->sums[1]};
    int32_t level[RRF_MAX_LEVELS];
    int n_levels = s->profile[feature].n_levels;
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
        if (share[i] < share[i + 1] && right > MIN_WEIGHT && left > MIN_WEIGHT) {
            double crit = left_squares / left + right_squares / right;
            if (penalized(s->factor, crit) > s->best.crit) {
                double cut = .5 * (share[i] + share[i + 1]);
                splitter_offer_levels(s, node, crit, feature, levels_below(s, level_weight, n_levels, cut));
            }
        }
    }
}

/* ---- levels by their means: numbers, and the parallel engine's two classes --------------------------------------------- */

static int compare_means(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    double difference = x->sum * y->weight - y->sum * x->weight;
    return difference != 0.0 ? (difference > 0.0) - (difference < 0.0) : (x->level > y->level) - (x->level < y->level);
}

/* The levels present, by ascending mean: the best cut among them is the best of all subsets (Fisher 1958, Breiman 1984).
 * Returns their number. */
static int sort_level_means(const splitter *s, const node_view *node, int feature, level_mean *means)
{
    int present = 0, n_levels = s->profile[feature].n_levels;
    for (int level = 0; level < n_levels; ++level) {
        means[level] = (level_mean){.level = level};
    }
    s->criterion->sum_levels(s, node, feature, means);
    for (int level = 0; level < n_levels; ++level) {
        if (means[level].weight > 0.0) {
            means[present++] = means[level];
        }
    }
    qsort(means, (size_t)present, sizeof *means, compare_means);
    return present;
}

/* For classes absent levels go where R sends them: with the last level present or, if there are many levels, left. */
static uint32_t send_absent(const splitter *s, uint32_t levels, uint32_t present, int n_levels)
{
    if (s->criterion->absent_right) {
        return levels;
    }
    return n_levels <= MAX_EXHAUSTIVE_LEVELS ? s->rule->name_levels(levels, present)
                                             : levels | (~present & (UINT32_MAX >> (32 - n_levels)));
}

static void search_level_means(splitter *s, const node_view *node, int feature)
{
    level_mean means[RRF_MAX_LEVELS], left = {0};
    int present = sort_level_means(s, node, feature, means), n_levels = s->profile[feature].n_levels;
    double total_sum = node->sums[s->criterion->mean_sum];
    uint32_t levels = 0, all = 0;
    for (int i = 0; i < present; ++i) {
        all |= (uint32_t)1 << means[i].level;
    }
    for (int i = 0; i < present - 1; ++i) {
        left.weight += means[i].weight;
        left.sum += means[i].sum;
        levels |= (uint32_t)1 << means[i].level;
        double right = node->weight - left.weight;
        if (left.weight > MIN_WEIGHT && right > MIN_WEIGHT) {
            double crit =
                s->criterion->of_side(left.weight, left.sum) + s->criterion->of_side(right, total_sum - left.sum);
            splitter_offer_levels(s, node, crit, feature, send_absent(s, levels, all, n_levels));
        }
    }
}

void split_categorical(splitter *s, const node_view *node, int feature)
{
    double level_weight[RRF_MAX_LEVELS];
    int n_levels = s->profile[feature].n_levels;
    if (s->orders_levels) {
        search_level_means(s, node, feature);
    } else if (tabulate(s, node, feature, level_weight) <= 1) {
        return;
    } else if (s->nclass == 2 && n_levels > MAX_EXHAUSTIVE_LEVELS) {
        search_shares_like_r(s, node, feature, level_weight);
    } else {
        search_subsets(s, node, feature, present_levels(level_weight, n_levels));
    }
}
