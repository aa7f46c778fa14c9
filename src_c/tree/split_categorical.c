/* Splits of a factor: R's catmax and catmaxb. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/splitter.h"
#include "data/sort_like_r.h"
#include "random/splitmix.h"

/* Up to this many levels every split is tried; above it, this many random ones. */
enum { MAX_EXHAUSTIVE_LEVELS = 10, RANDOM_SPLITS = 512 };
#define MIN_LEFT_WEIGHT 1.0e-8
#define MIN_WEIGHT 1.0e-5

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

/* Of the daughters with s->left_total and the rest. */
static double negative_entropy(const splitter *s, const node_view *node, double left)
{
    double logs = -v_log_v(left) - v_log_v(node->sum - left);
    for (int k = 0; k < s->nclass; ++k) {
        logs += v_log_v(s->left_total[k]) + v_log_v(node->class_total[k] - s->left_total[k]);
    }
    return logs;
}

/* The criterion of sending `levels` left; false when a daughter would be empty. */
static bool evaluate_levels(splitter *s, const node_view *node, int n_levels, uint32_t levels, double *crit)
{
    double left = 0.0, left_squares = 0.0, right_squares = 0.0;
    for (int k = 0; k < s->nclass; ++k) {
        double total = 0.0;
        for (int level = 0; level < n_levels; ++level) {
            if (levels >> level & 1) {
                total += s->level_total[k + level * s->nclass];
            }
        }
        left_squares += total * total;
        left += total;
        s->left_total[k] = total;
    }
    if (left <= MIN_LEFT_WEIGHT || node->sum - left <= MIN_WEIGHT) {
        return false;
    }
    for (int k = 0; k < s->nclass; ++k) {
        double total = node->class_total[k] - s->left_total[k];
        right_squares += total * total;
    }
    *crit = left_squares / left + right_squares / (node->sum - left);
    if (s->parallel && s->parallel->entropy) {
        *crit = negative_entropy(s, node, left);
    }
    return true;
}

static void offer_levels(splitter *s, const node_view *node, double crit, int feature, uint32_t levels)
{
    double gain = crit - node->offset;
    if (gain > node->least_gain) {
        splitter_offer_levels(s, s->factor * gain, feature, levels);
    }
}

/* The parallel engine names each way of parting the levels present once, and sends absent ones right, with the last level
 * present: where R tries every subset it takes the same among equal ones. */
static uint32_t canonical_levels(uint32_t levels, uint32_t present)
{
    uint32_t last = (uint32_t)1 << (31 - __builtin_clz(present));
    return levels & last ? present & ~levels : present & levels;
}

static uint32_t present_levels(const double *level_weight, int n_levels)
{
    uint32_t present = 0;
    for (int level = 0; level < n_levels; ++level) {
        present |= (uint32_t)(level_weight[level] > 0.0) << level;
    }
    return present;
}

static uint32_t random_levels(splitter *s, int feature, int try, int n_levels)
{
    uint32_t levels = 0;
    if (s->parallel) {
        uint64_t stream = splitmix_word(s->node_key ^ SPLITMIX_STEP, (uint64_t)feature);
        return (uint32_t)(splitmix_word(stream, (uint64_t)try) >> (64 - n_levels));
    }
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint32_t)(rng_uniform(s->rng) > 0.5) << level;
    }
    return levels;
}

static void search_subsets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    int n_levels = s->profile[feature].n_levels;
    bool exhaustive = n_levels <= MAX_EXHAUSTIVE_LEVELS;
    int tries = exhaustive ? (1 << (n_levels - 1)) - 1 : RANDOM_SPLITS;
    double crit;
    for (int i = 0; i < tries; ++i) {
        uint32_t levels = exhaustive ? (uint32_t)i + 1 : random_levels(s, feature, i, n_levels);
        if (s->parallel) {
            levels = canonical_levels(levels, present);
        }
        if (evaluate_levels(s, node, n_levels, levels, &crit)) {
            offer_levels(s, node, crit, feature, levels);
        }
    }
}

static double class0_share(const splitter *s, const double *level_weight, int level)
{
    return level_weight[level] != 0.0 ? s->level_total[level * s->nclass] / level_weight[level] : 0.0;
}

/* The best cut among the levels sorted by their share of class 0: the share below which a level goes left. */
static bool search_sorted_shares(splitter *s, const node_view *node, int feature, const double *level_weight,
                                 double *cut)
{
    double share[RRF_MAX_LEVELS], left = 0.0, right = node->sum, factor = s->factor, best = s->best.crit;
    double in_left[2] = {0.0, 0.0}, in_right[2] = {node->class_total[0], node->class_total[1]};
    int32_t level[RRF_MAX_LEVELS];
    int n_levels = s->profile[feature].n_levels;
    bool found = false;
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
            double crit = factor * (left_squares / left + right_squares / right);
            if (crit > best) {
                best = crit;
                *cut = .5 * (share[i] + share[i + 1]);
                found = true;
            }
        }
    }
    if (found) {
        s->best = (split){.crit = best, .feature = feature};
    }
    return found;
}

static void search_two_class(splitter *s, const node_view *node, int feature, const double *level_weight)
{
    double cut;
    if (!search_sorted_shares(s, node, feature, level_weight, &cut)) {
        return;
    }
    for (int level = 0; level < s->profile[feature].n_levels; ++level) {
        s->best.levels |= (uint32_t)(class0_share(s, level_weight, level) < cut) << level;
    }
}

/* ---- the parallel engine: numbers, and two classes -------------------------------------------------------------------- */

/* Of a number the weighted response, of two classes the weight of class 0. */
typedef struct level_mean {
    double weight, sum;
    int level;
} level_mean;

static int compare_means(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    double difference = x->sum * y->weight - y->sum * x->weight;
    return difference != 0.0 ? (difference > 0.0) - (difference < 0.0) : (x->level > y->level) - (x->level < y->level);
}

/* Where absent levels go is R's choice for classes: with the last level present or, of many levels, left. */
static uint32_t send_absent(const splitter *s, uint32_t levels, uint32_t present, int n_levels)
{
    if (s->bag->response) {
        return levels;
    }
    return n_levels <= MAX_EXHAUSTIVE_LEVELS ? canonical_levels(levels, present)
                                             : levels | (~present & (UINT32_MAX >> (32 - n_levels)));
}

/* The levels present, by ascending mean: the best cut among them is the best of all subsets (Fisher 1958, Breiman 1984). */
static int sort_level_means(const splitter *s, const node_view *node, int feature, level_mean *means)
{
    int present = 0;
    for (int level = 0; level < s->profile[feature].n_levels; ++level) {
        means[level] = (level_mean){.level = level};
    }
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        double weight = s->bag->weight[row];
        level_mean *mean = means + rank_of(s->ranks, feature, row);
        mean->weight += weight;
        mean->sum += s->bag->response ? weight * s->bag->response[row] : s->bag->y[row] == 0 ? weight : 0.0;
    }
    for (int level = 0; level < s->profile[feature].n_levels; ++level) {
        if (means[level].weight > 0.0) {
            means[present++] = means[level];
        }
    }
    qsort(means, (size_t)present, sizeof *means, compare_means);
    return present;
}

/* What a daughter adds to the criterion. */
static double side_criterion(const splitter *s, double weight, double sum)
{
    double rest = weight - sum;
    if (s->bag->response) {
        return sum * sum / weight;
    }
    if (s->parallel->entropy) {
        return v_log_v(sum) + v_log_v(rest) - v_log_v(weight);
    }
    return (sum * sum + rest * rest) / weight;
}

static void search_level_means(splitter *s, const node_view *node, int feature)
{
    level_mean means[RRF_MAX_LEVELS];
    int present = sort_level_means(s, node, feature, means);
    double left = 0.0, left_sum = 0.0, total_sum = node->class_total[s->bag->response ? 1 : 0];
    int n_levels = s->profile[feature].n_levels;
    uint32_t levels = 0, all = 0;
    for (int i = 0; i < present; ++i) {
        all |= (uint32_t)1 << means[i].level;
    }
    for (int i = 0; i < present - 1; ++i) {
        left += means[i].weight;
        left_sum += means[i].sum;
        levels |= (uint32_t)1 << means[i].level;
        if (left > MIN_WEIGHT && node->sum - left > MIN_WEIGHT) {
            double crit = side_criterion(s, left, left_sum) + side_criterion(s, node->sum - left, total_sum - left_sum);
            uint32_t parted = send_absent(s, levels, all, n_levels);
            offer_levels(s, node, crit, feature, parted);
        }
    }
}

void split_categorical(splitter *s, const node_view *node, int feature)
{
    if (s->bag->response || (s->parallel && s->nclass == 2)) {
        search_level_means(s, node, feature);
        return;
    }
    double level_weight[RRF_MAX_LEVELS];
    if (tabulate(s, node, feature, level_weight) <= 1) {
        return;
    }
    if (s->nclass == 2 && s->profile[feature].n_levels > MAX_EXHAUSTIVE_LEVELS) {
        search_two_class(s, node, feature, level_weight);
    } else {
        search_subsets(s, node, feature, present_levels(level_weight, s->profile[feature].n_levels));
    }
}
