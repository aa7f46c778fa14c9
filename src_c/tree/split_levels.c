/* Factors whose levels are put in an order, node by node: the best cut between them.
 *
 * For two classes, by the share of the first one, and for numbers, by the mean, the best cut is the best of all subsets
 * (Fisher 1958, Breiman 1984). More classes are ordered along the first principal component of their shares
 * (Coppersmith, Hong and Hosking 1999).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/scan.h"
#include "tree/split_levels.h"

/* With as few levels every subset is tried where there are more than two classes. */
enum { MAX_EXHAUSTIVE_LEVELS = 10 };
/* Steps of the power method. */
enum { STEPS = 16 };

struct level_order {
    level_mean *table;     /* by level: zeros between uses */
    level_mean *order;     /* the levels of the node */
    double *total;         /* by level and class: zeros between uses. More than two classes only, as what follows */
    double *share;         /* nclass: of the node */
    double *axis, *change; /* nclass */
};

bool levels_are_ordered(const splitter *s, int feature)
{
    int n_levels = s->profile[feature].n_levels;
    return s->orders_levels || n_levels > RRF_MAX_LEVELS ||
           (s->rule->orders_many_levels && n_levels > MAX_EXHAUSTIVE_LEVELS);
}

static int most_levels(const splitter *s)
{
    int most = 0;
    for (int feature = 0; feature < s->data->p; ++feature) {
        int n_levels = s->data->ncat[feature];
        most = n_levels > 1 && levels_are_ordered(s, feature) && n_levels > most ? n_levels : most;
    }
    return most;
}

rrf_status levels_init(splitter *s)
{
    size_t most = (size_t)most_levels(s), nclass = s->criterion->n_moments ? 0 : (size_t)s->nclass;
    if (!most) {
        return RRF_OK;
    }
    level_order *l = s->level_order = calloc(1, sizeof *l);
    if (!l) {
        return RRF_ERR_MEMORY;
    }
    l->table = calloc(most, sizeof *l->table);
    l->order = malloc(most * sizeof *l->order);
    if (nclass > 2) {
        l->total = calloc(most * nclass, sizeof *l->total);
        l->share = malloc(nclass * sizeof *l->share);
        l->axis = malloc(nclass * sizeof *l->axis);
        l->change = malloc(nclass * sizeof *l->change);
    }
    bool ready = l->table && l->order && (nclass <= 2 || (l->total && l->share && l->axis && l->change));
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

void levels_free(splitter *s)
{
    level_order *l = s->level_order;
    if (l) {
        free(l->table);
        free(l->order);
        free(l->total);
        free(l->share);
        free(l->axis);
        free(l->change);
        free(l);
    }
}

/* ---- two classes, and numbers ------------------------------------------------------------------------------------------ */

static int compare_means(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    double difference = x->sum * y->weight - y->sum * x->weight;
    return difference != 0.0 ? (difference > 0.0) - (difference < 0.0) : (x->level > y->level) - (x->level < y->level);
}

/* Lists the levels that rows of the node have. Returns their number. */
static int list_levels(splitter *s, const node_view *node, int feature)
{
    level_order *l = s->level_order;
    int present = 0;
    s->criterion->sum_levels(s, node, feature, l->table);
    for (int i = 0; i < node->size; ++i) {
        int level = (int)rank_of(s->ranks, feature, node->rows[i]);
        if (l->table[level].weight > 0.0) {
            l->order[present] = l->table[level];
            l->order[present++].level = level;
            l->table[level] = (level_mean){0};
        }
    }
    return present;
}

/* ---- more classes ------------------------------------------------------------------------------------------------------ */

static double *class_totals(const splitter *s, const level_mean *of)
{
    return s->level_order->total + (size_t)of->level * (size_t)s->nclass;
}

static void sum_classes(splitter *s, const node_view *node, int feature)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->level_order->total[(size_t)rank_of(s->ranks, feature, row) * (size_t)s->nclass + (size_t)s->bag->y[row]] +=
            s->bag->weight[row];
    }
}

static void clear_classes(splitter *s, int present)
{
    for (int i = 0; i < present && s->level_order->total; ++i) {
        memset(class_totals(s, s->level_order->order + i), 0, (size_t)s->nclass * sizeof(double));
    }
}

/* By how much a level's share of class k differs from the node's. */
static inline double deviation(const level_order *l, const double *total, double weight, int k)
{
    return total[k] / weight - l->share[k];
}

static double along_axis(const splitter *s, const level_mean *of)
{
    const level_order *l = s->level_order;
    const double *total = class_totals(s, of);
    double sum = 0.0;
    for (int k = 0; k < s->nclass; ++k) {
        sum += deviation(l, total, of->weight, k) * l->axis[k];
    }
    return sum;
}

/* The axis along the level that differs most, from which the power method starts. */
static void begin_axis(splitter *s, const node_view *node, int present)
{
    level_order *l = s->level_order;
    double most = -1.0;
    for (int k = 0; k < s->nclass; ++k) {
        l->share[k] = node->sums[k] / node->weight;
    }
    for (int i = 0; i < present; ++i) {
        const double *total = class_totals(s, l->order + i);
        double weight = l->order[i].weight, squares = 0.0;
        for (int k = 0; k < s->nclass; ++k) {
            double d = deviation(l, total, weight, k);
            squares += d * d;
        }
        if (squares * weight > most) {
            most = squares * weight;
            for (int k = 0; k < s->nclass; ++k) {
                l->axis[k] = deviation(l, total, weight, k);
            }
        }
    }
}

/* One step towards the first principal component. False if all levels have the same shares. */
static bool turn_axis(splitter *s, int present)
{
    level_order *l = s->level_order;
    double largest = 0.0;
    memset(l->change, 0, (size_t)s->nclass * sizeof *l->change);
    for (int i = 0; i < present; ++i) {
        const double *total = class_totals(s, l->order + i);
        double weight = l->order[i].weight, along = weight * along_axis(s, l->order + i);
        for (int k = 0; k < s->nclass; ++k) {
            l->change[k] += along * deviation(l, total, weight, k);
        }
    }
    for (int k = 0; k < s->nclass; ++k) {
        largest = fabs(l->change[k]) > largest ? fabs(l->change[k]) : largest;
    }
    for (int k = 0; k < s->nclass && largest > 0.0; ++k) {
        l->axis[k] = l->change[k] / largest;
    }
    return largest > 0.0;
}

static int compare_levels(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    return (x->level > y->level) - (x->level < y->level);
}

static int compare_scores(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    return x->sum != y->sum ? (x->sum > y->sum) - (x->sum < y->sum) : compare_levels(a, b);
}

/* ---- the order and its cuts -------------------------------------------------------------------------------------------- */

/* Puts the levels that the node has in order. Returns their number. The caller clears the classes. */
static int order_levels(splitter *s, const node_view *node, int feature)
{
    level_order *l = s->level_order;
    int present = list_levels(s, node, feature);
    if (!l->total) {
        qsort(l->order, (size_t)present, sizeof *l->order, compare_means);
        return present;
    }
    /* Sums over levels are taken in an order that does not depend on the rows'. */
    qsort(l->order, (size_t)present, sizeof *l->order, compare_levels);
    sum_classes(s, node, feature);
    begin_axis(s, node, present);
    for (int step = 0; step < STEPS && turn_axis(s, present); ++step) {}
    for (int i = 0; i < present; ++i) {
        l->order[i].sum = along_axis(s, l->order + i);
    }
    qsort(l->order, (size_t)present, sizeof *l->order, compare_scores);
    return present;
}

/* For two classes levels that no row of the node has go where R sends them: with the last level present or, if there are
 * many levels, left. Otherwise right. */
static uint32_t send_absent(const splitter *s, uint32_t levels, uint32_t present, int n_levels)
{
    if (s->criterion->absent_right || s->nclass > 2) {
        return levels;
    }
    return n_levels <= MAX_EXHAUSTIVE_LEVELS ? s->rule->name_levels(levels, present)
                                             : levels | (~present & (UINT32_MAX >> (32 - n_levels)));
}

/* The first n of the ordered levels, as they are offered. */
static uint32_t name_cut(const splitter *s, int feature, int n, int present)
{
    int n_levels = s->profile[feature].n_levels;
    uint32_t levels = 0, all = 0;
    if (n_levels > RRF_MAX_LEVELS) {
        return (uint32_t)n;
    }
    for (int i = 0; i < present; ++i) {
        all |= (uint32_t)1 << s->level_order->order[i].level;
        levels = i < n ? all : levels;
    }
    return send_absent(s, levels, all, n_levels);
}

static void offer_cut(splitter *s, const node_view *node, int feature, double crit, int n, int present)
{
    if (crit - node->offset > node->least_gain && penalized(s->factor, crit - node->offset) >= s->best.crit) {
        splitter_offer_levels(s, node, crit, feature, name_cut(s, feature, n, present));
    }
}

static void scan_means(splitter *s, const node_view *node, int feature, int present)
{
    const level_mean *order = s->level_order->order;
    double weight = 0.0, sum = 0.0, total_sum = node->sums[s->criterion->mean_sum];
    for (int i = 0; i < present - 1; ++i) {
        weight += order[i].weight;
        sum += order[i].sum;
        double right = node->weight - weight;
        if (weight > MIN_WEIGHT && right > MIN_WEIGHT) {
            double crit = s->criterion->of_side(weight, sum) + s->criterion->of_side(right, total_sum - sum);
            offer_cut(s, node, feature, crit, i + 1, present);
        }
    }
}

static void scan_classes(splitter *s, const node_view *node, int feature, int present)
{
    const level_mean *order = s->level_order->order;
    double left = 0.0;
    memset(s->left_total, 0, (size_t)s->nclass * sizeof *s->left_total);
    for (int i = 0; i < present - 1; ++i) {
        const double *total = class_totals(s, order + i);
        left += order[i].weight;
        for (int k = 0; k < s->nclass; ++k) {
            s->left_total[k] += total[k];
        }
        if (left > MIN_WEIGHT && node->weight - left > MIN_WEIGHT) {
            double crit = s->criterion->of_classes(s, node, s->left_total, left);
            offer_cut(s, node, feature, crit, i + 1, present);
        }
    }
}

void split_levels(splitter *s, const node_view *node, int feature)
{
    int present = order_levels(s, node, feature);
    if (s->level_order->total) {
        scan_classes(s, node, feature, present);
    } else {
        scan_means(s, node, feature, present);
    }
    clear_classes(s, present);
}

/* ---- the set of a wide factor ------------------------------------------------------------------------------------------ */

static void put_level(uint32_t *set, int level, bool left)
{
    uint32_t bit = (uint32_t)1 << (level & 31);
    set[level >> 5] = left ? set[level >> 5] | bit : set[level >> 5] & ~bit;
}

void levels_write(splitter *s, const node_view *node, const split *best, uint32_t *set)
{
    int n_levels = s->profile[best->feature].n_levels, n_left = (int)best->levels;
    int present = order_levels(s, node, best->feature), rows_left = 0;
    memset(set, 0, (size_t)level_words(n_levels) * sizeof *set);
    for (int i = 0; i < n_left; ++i) {
        put_level(set, s->level_order->order[i].level, true);
    }
    for (int i = 0; i < node->size; ++i) {
        rows_left += has_level(set, (int)rank_of(s->ranks, best->feature, node->rows[i]));
    }
    if (rows_left > node->size - rows_left) {
        for (int level = 0; level < n_levels; ++level) {
            put_level(set, level, true);
        }
        for (int i = n_left; i < present; ++i) {
            put_level(set, s->level_order->order[i].level, false);
        }
    }
    clear_classes(s, present);
}
