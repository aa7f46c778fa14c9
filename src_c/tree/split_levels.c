/* Factors with ordered levels, node by node: the best cut between them.
 *
 * For two classes, by the share of the first one, and in regression, by the mean, the best cut is the best of all subsets
 * (Fisher 1958, Breiman 1984). More classes are ordered along the first principal component of their shares
 * (Coppersmith, Hong and Hosking 1999).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/split_levels.h"

/* Number of steps of the power method. */
enum { STEPS = 16 };
/* Classes are added up four at a time, each in the order of the levels. */
enum { QUAD = 4 };
typedef double quad __attribute__((vector_size(QUAD * sizeof(double)), aligned(sizeof(double))));

typedef struct level_order {
    level_mean *table;    /* by level: zeros between uses */
    level_mean *order;    /* the levels of the node */
    double *total;        /* by level and class: zeros between uses. From here on, for more than two classes only */
    double *share;        /* nclass: of the node */
    double *axis;         /* nclass */
    double *deviation;    /* by class and position in `order`: difference of a level's share from the node's */
    double *along;        /* by position in `order`: coordinate of a level along the axis */
    quad *by_level;       /* copy of the deviations by level, in whole quads */
    quad *change;         /* of the axis, likewise */
    size_t most, n_quads; /* levels; quads of classes */
} level_order;

static int most_levels(const search_input *in)
{
    int most = 0;
    for (int feature = 0; feature < in->data->p; ++feature) {
        int n_levels = in->data->ncat[feature];
        most = n_levels > 1 && levels_are_ordered(in, feature) && n_levels > most ? n_levels : most;
    }
    return most;
}

static void take_classes(level_order *l, size_t nclass, arena *memory)
{
    l->n_quads = (nclass + QUAD - 1) / QUAD;
    TAKE_ZEROS(memory, l->total, l->most * nclass);
    TAKE(memory, l->share, nclass);
    TAKE(memory, l->axis, nclass);
    TAKE(memory, l->change, l->n_quads);
    TAKE_ZEROS(memory, l->by_level, l->most * l->n_quads);
    TAKE(memory, l->deviation, l->most * nclass);
    TAKE(memory, l->along, l->most);
}

level_order *level_order_new(const search_input *in, arena *memory)
{
    size_t most = (size_t)most_levels(in), nclass = (size_t)in->nclass;
    struct level_order *l = most ? arena_take_zeros(memory, 1, sizeof *l) : NULL;
    if (!l) {
        return NULL;
    }
    l->most = most;
    TAKE_ZEROS(memory, l->table, most);
    TAKE(memory, l->order, most);
    if (!in->criterion->n_moments && nclass > 2) {
        take_classes(l, nclass, memory);
    }
    return l;
}

/* ---- two classes, and numbers ------------------------------------------------------------------------------------------ */

static int compare_means(const void *a, const void *b)
{
    const level_mean *x = a, *y = b;
    double difference = x->sum * y->weight - y->sum * x->weight;
    return difference != 0.0 ? (difference > 0.0) - (difference < 0.0) : (x->level > y->level) - (x->level < y->level);
}

/* Lists the levels with rows in the node. Returns their number. */
static int list_levels(const search_input *in, level_order *l, const node_view *node, int feature)
{
    int present = 0;
    in->criterion->sum_levels(in, node, feature, l->table);
    for (int i = 0; i < node->size; ++i) {
        int level = (int)rank_of(in->ranks, feature, node->rows[i]);
        if (l->table[level].weight > 0.0) {
            l->order[present] = l->table[level];
            l->order[present++].level = level;
            l->table[level] = (level_mean){0};
        }
    }
    return present;
}

/* ---- more classes ------------------------------------------------------------------------------------------------------ */

static double *class_totals(const level_order *l, int nclass, const level_mean *of)
{
    return l->total + (size_t)of->level * (size_t)nclass;
}

static void sum_classes(const search_input *in, level_order *l, const node_view *node, int feature)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        l->total[(size_t)rank_of(in->ranks, feature, row) * (size_t)in->nclass + (size_t)in->bag->y[row]] +=
            weight_in_bag(in->bag, row);
    }
}

static void clear_classes(level_order *l, int nclass, int present)
{
    for (int i = 0; i < present && l->total; ++i) {
        memset(class_totals(l, nclass, l->order + i), 0, (size_t)nclass * sizeof(double));
    }
}

/* Computes shares minus those of the node, class by class. */
static void take_deviations(level_order *l, int nclass, const node_view *node, int present)
{
    for (int k = 0; k < nclass; ++k) {
        double *deviation = l->deviation + (size_t)k * l->most;
        l->share[k] = node->sums[k] / node->weight;
        for (int i = 0; i < present; ++i) {
            deviation[i] = class_totals(l, nclass, l->order + i)[k] / l->order[i].weight - l->share[k];
            ((double *)(l->by_level + (size_t)i * l->n_quads))[k] = deviation[i];
        }
    }
}

/* Computes for each level the sum over classes of its deviation times `axis`. */
static void project(level_order *l, int nclass, int present)
{
    memset(l->along, 0, (size_t)present * sizeof *l->along);
    for (int k = 0; k < nclass; ++k) {
        const double *deviation = l->deviation + (size_t)k * l->most;
        double axis = l->axis[k];
        for (int i = 0; i < present; ++i) {
            l->along[i] += deviation[i] * axis;
        }
    }
}

/* Sets the axis to the level that differs most, as the start of the power method. */
static void begin_axis(level_order *l, int nclass, int present)
{
    double most = -1.0;
    int first = 0;
    for (int i = 0; i < present; ++i) {
        double squares = 0.0;
        for (int k = 0; k < nclass; ++k) {
            double d = l->deviation[(size_t)k * l->most + (size_t)i];
            squares += d * d;
        }
        if (squares * l->order[i].weight > most) {
            most = squares * l->order[i].weight;
            first = i;
        }
    }
    for (int k = 0; k < nclass; ++k) {
        l->axis[k] = l->deviation[(size_t)k * l->most + (size_t)first];
    }
}

static double sum_changes(level_order *l, int nclass, int present)
{
    const double *change = (const double *)l->change;
    double largest = 0.0;
    for (size_t q = 0; q < l->n_quads; ++q) {
        quad sum = {0.0};
        for (int i = 0; i < present; ++i) {
            sum += l->along[i] * l->order[i].weight * l->by_level[(size_t)i * l->n_quads + q];
        }
        l->change[q] = sum;
    }
    for (int k = 0; k < nclass; ++k) {
        largest = fabs(change[k]) > largest ? fabs(change[k]) : largest;
    }
    return largest;
}

/* Makes one step towards the first principal component. False if there is none: the axis has converged, or all levels
 * have the same shares. */
static bool turn_axis(level_order *l, int nclass, int present)
{
    bool turned = false;
    project(l, nclass, present);
    double largest = sum_changes(l, nclass, present);
    for (int k = 0; k < nclass && largest > 0.0; ++k) {
        double axis = ((const double *)l->change)[k] / largest;
        turned = turned || axis != l->axis[k];
        l->axis[k] = axis;
    }
    return turned;
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

/* Largest number of levels that are scanned, and sorted one by one. */
enum { FEW_LEVELS = 64 };

/* Lists the levels with rows in the node, in ascending order. Returns their number. */
static int list_ascending(const search_input *in, level_order *l, const node_view *node, int feature)
{
    int n_levels = in->profile[feature].n_levels, present = 0;
    if (n_levels > FEW_LEVELS) {
        present = list_levels(in, l, node, feature);
        qsort(l->order, (size_t)present, sizeof *l->order, compare_levels);
        return present;
    }
    in->criterion->sum_levels(in, node, feature, l->table);
    for (int level = 0; level < n_levels; ++level) {
        if (l->table[level].weight > 0.0) {
            l->order[present] = l->table[level];
            l->order[present++].level = level;
            l->table[level] = (level_mean){0};
        }
    }
    return present;
}

static inline void sort_by_insertion(level_mean *order, int present, int (*compare)(const void *a, const void *b))
{
    for (int i = 1; i < present; ++i) {
        level_mean moved = order[i];
        int at = i;
        for (; at > 0 && compare(order + at - 1, &moved) > 0; --at) {
            order[at] = order[at - 1];
        }
        order[at] = moved;
    }
}

static void sort_by_scores(level_mean *order, int present)
{
    if (present > FEW_LEVELS) {
        qsort(order, (size_t)present, sizeof *order, compare_scores);
    } else {
        sort_by_insertion(order, present, compare_scores);
    }
}

/* Few levels, listed in ascending order, are first sorted by quotients. Their rounding may exchange neighbours; the
 * second sort corrects this. */
static void sort_by_means(level_mean *order, int present)
{
    double mean[FEW_LEVELS];
    if (present > FEW_LEVELS) {
        qsort(order, (size_t)present, sizeof *order, compare_means);
        return;
    }
    for (int i = 0; i < present; ++i) {
        level_mean moved = order[i];
        double own = moved.sum / moved.weight;
        int at = i;
        for (; at > 0 && mean[at - 1] > own; --at) {
            mean[at] = mean[at - 1];
            order[at] = order[at - 1];
        }
        mean[at] = own;
        order[at] = moved;
    }
    sort_by_insertion(order, present, compare_means);
}

/* Lists the levels of the node. Returns their number. The caller clears the classes. The order of sums over levels does
 * not depend on the order of the rows. */
static int begin_levels(const search_input *in, level_order *l, const node_view *node, int feature)
{
    bool several = l->total != NULL;
    if (!several && in->profile[feature].n_levels > FEW_LEVELS) {
        return list_levels(in, l, node, feature);
    }
    int present = list_ascending(in, l, node, feature);
    if (!several) {
        return present;
    }
    sum_classes(in, l, node, feature);
    take_deviations(l, in->nclass, node, present);
    return present;
}

/* Sorts the listed levels: by their means, or along the first principal component. */
static void order_levels(level_order *l, int nclass, int present)
{
    if (!l->total) {
        sort_by_means(l->order, present);
        return;
    }
    begin_axis(l, nclass, present);
    for (int step = 0; step < STEPS && turn_axis(l, nclass, present); ++step) {}
    project(l, nclass, present);
    for (int i = 0; i < present; ++i) {
        l->order[i].sum = l->along[i];
    }
    sort_by_scores(l->order, present);
}

/* For two classes, levels without rows in the node go where R sends them: with the last level present or, if there are
 * many levels, left. Otherwise right. */
static uint32_t send_absent(const splitter *s, uint32_t levels, uint32_t present, int n_levels)
{
    if (s->in->criterion->absent_right || s->in->nclass > 2) {
        return levels;
    }
    return n_levels <= MAX_EXHAUSTIVE_LEVELS ? s->in->rule->name_levels(levels, present)
                                             : levels | (~present & (UINT32_MAX >> (32 - n_levels)));
}

/* Returns the set of the first n ordered levels, for an offer. */
static uint32_t name_cut(const splitter *s, const column *c, int n, int present)
{
    int n_levels = s->in->profile[c->feature].n_levels;
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

static void offer_cut(splitter *s, const node_view *node, const column *c, double crit, int n, int present)
{
    if (crit - node->offset > node->least_gain && penalized(c->factor, crit - node->offset) >= s->bar.best.crit) {
        bar_offer_levels(&s->bar, node, c, crit, name_cut(s, c, n, present));
    }
}

static void scan_means(splitter *s, const node_view *node, const column *c, int present)
{
    const level_mean *order = s->level_order->order;
    double weight = 0.0, sum = 0.0, total_sum = node->sums[s->in->criterion->mean_sum];
    for (int i = 0; i < present - 1; ++i) {
        weight += order[i].weight;
        sum += order[i].sum;
        double right = node->weight - weight;
        if (weight > MIN_WEIGHT && right > MIN_WEIGHT) {
            double crit = s->in->criterion->impurity_of_child(weight, sum) +
                          s->in->criterion->impurity_of_child(right, total_sum - sum);
            offer_cut(s, node, c, crit, i + 1, present);
        }
    }
}

static void scan_classes(splitter *s, const node_view *node, const column *c, int present)
{
    const level_mean *order = s->level_order->order;
    double left = 0.0;
    memset(s->class_sums, 0, (size_t)s->in->nclass * sizeof *s->class_sums);
    for (int i = 0; i < present - 1; ++i) {
        const double *total = class_totals(s->level_order, s->in->nclass, order + i);
        left += order[i].weight;
        for (int k = 0; k < s->in->nclass; ++k) {
            s->class_sums[k] += total[k];
        }
        if (left > MIN_WEIGHT && node->weight - left > MIN_WEIGHT) {
            double crit = s->in->criterion->of_classes(s->in, node, s->class_sums, left);
            offer_cut(s, node, c, crit, i + 1, present);
        }
    }
}

void split_levels(splitter *s, const node_view *node, const column *c)
{
    const search_input *in = s->in;
    level_order *l = s->level_order;
    int present = begin_levels(in, l, node, c->feature);
    order_levels(l, in->nclass, present);
    (l->total ? scan_classes : scan_means)(s, node, c, present);
    clear_classes(l, in->nclass, present);
}

/* ---- the set of a wide factor ------------------------------------------------------------------------------------------ */

static void put_level(uint32_t *set, int level, bool left)
{
    uint32_t bit = (uint32_t)1 << (level & 31);
    set[level >> 5] = left ? set[level >> 5] | bit : set[level >> 5] & ~bit;
}

void levels_write(splitter *s, const node_view *node, const split *best, uint32_t *set)
{
    const search_input *in = s->in;
    level_order *l = s->level_order;
    int n_levels = in->profile[best->feature].n_levels, n_left = (int)best->levels;
    int present = begin_levels(in, l, node, best->feature), rows_left = 0;
    order_levels(l, in->nclass, present);
    memset(set, 0, (size_t)level_words(n_levels) * sizeof *set);
    for (int i = 0; i < n_left; ++i) {
        put_level(set, l->order[i].level, true);
    }
    for (int i = 0; i < node->size; ++i) {
        rows_left += has_level(set, (int)rank_of(in->ranks, best->feature, node->rows[i]));
    }
    if (rows_left > node->size - rows_left) {
        for (int level = 0; level < n_levels; ++level) {
            put_level(set, level, true);
        }
        for (int i = n_left; i < present; ++i) {
            put_level(set, l->order[i].level, false);
        }
    }
    clear_classes(l, in->nclass, present);
}
