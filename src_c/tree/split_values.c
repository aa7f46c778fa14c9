/* Numeric features of a regression: a first look at the ratios of all cuts, then the exact criterion of the few that may be
 * the best. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/row_order.h"
#include "tree/scan.h"
#include "tree/split_values.h"

/* A column of at most so many ranks is not sorted: each rank has a slot, unless the node has few rows for them. */
enum { MAX_SLOTS = 4096, SLOTS_PER_ROW = 4 };

void values_init(value_list *values, int n, arena *memory)
{
    size_t capacity = (size_t)n + SIMD_BLOCK;
    TAKE(memory, values->weight, capacity);
    TAKE(memory, values->sum, capacity);
    TAKE(memory, values->ratio, capacity);
    TAKE(memory, values->rank, capacity);
    TAKE_ZEROS(memory, values->slot, N_MOMENTS * MAX_SLOTS);
}

/* ---- the values of a node ---------------------------------------------------------------------------------------------- */

#define ADD_TO_SLOTS(type)                                                                                             \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        const double *moments = s->in->moments + N_MOMENTS * (size_t)node->rows[i];                                    \
        double *slot =                                                                                                 \
            s->scratch.values.slot + N_MOMENTS * (size_t)((const type *)s->in->ranks->rank + base)[node->rows[i]];     \
        slot[SUM_WEIGHT] += moments[SUM_WEIGHT];                                                                       \
        slot[SUM_RESPONSE] += moments[SUM_RESPONSE];                                                                   \
    }

/* Few ranks for the rows: no sort. Every row in a tree weighs something. */
static void list_by_slots(splitter *s, const node_view *node, int feature)
{
    value_list *v = &s->scratch.values;
    size_t base = (size_t)feature * (size_t)s->in->ranks->n;
    int n_ranks = s->in->profile[feature].n_ranks;
    if (s->in->ranks->wide) {
        ADD_TO_SLOTS(uint32_t)
    } else {
        ADD_TO_SLOTS(uint16_t)
    }
    v->size = 0;
    for (int rank = 0; rank < n_ranks; ++rank) {
        const double *slot = v->slot + N_MOMENTS * (size_t)rank;
        v->weight[v->size] = slot[SUM_WEIGHT];
        v->sum[v->size] = slot[SUM_RESPONSE];
        v->rank[v->size] = (uint32_t)rank;
        v->size += slot[SUM_WEIGHT] > 0.0;
    }
    memset(v->slot, 0, N_MOMENTS * (size_t)n_ranks * sizeof *v->slot);
}

/* No two rows share a value; their ranks are looked up when they are needed. */
static void list_rows(splitter *s, const node_view *node)
{
    value_list *v = &s->scratch.values;
    v->size = node->size;
    for (int i = 0; i < node->size; ++i) {
        const double *moments = s->in->moments + N_MOMENTS * (size_t)s->scratch.sorted[i];
        v->weight[i] = moments[SUM_WEIGHT];
        v->sum[i] = moments[SUM_RESPONSE];
    }
}

static void merge_rows(splitter *s, const node_view *node, int feature)
{
    value_list *v = &s->scratch.values;
    int last = -1;
    uint32_t rank_before = UINT32_MAX;
    for (int i = 0; i < node->size; ++i) {
        const double *moments = s->in->moments + N_MOMENTS * (size_t)s->scratch.sorted[i];
        uint32_t rank = rank_of(s->in->ranks, feature, s->scratch.sorted[i]);
        bool same = rank == rank_before;
        last += !same;
        v->weight[last] = (same ? v->weight[last] : 0.0) + moments[SUM_WEIGHT];
        v->sum[last] = (same ? v->sum[last] : 0.0) + moments[SUM_RESPONSE];
        v->rank[last] = rank_before = rank;
    }
    v->size = last + 1;
}

static void list_values(splitter *s, const node_view *node, int feature)
{
    int n_ranks = s->in->profile[feature].n_ranks;
    s->scratch.values.of_rows = false;
    if (n_ranks <= MAX_SLOTS && n_ranks <= (int64_t)SLOTS_PER_ROW * node->size) {
        list_by_slots(s, node, feature);
        return;
    }
    sort_rows(s, node, feature);
    s->scratch.values.of_rows = !s->in->ranks->has_ties[feature] && !ranks_have_missing(s->in->ranks, feature);
    if (s->scratch.values.of_rows) {
        list_rows(s, node);
    } else {
        merge_rows(s, node, feature);
    }
}

/* ---- the cuts ---------------------------------------------------------------------------------------------------------- */

/* What lies left of every cut. */
typedef struct left_part {
    double weight, sum;
} left_part;

/* Turns the sums of values into those of all up to them, and finds the ratios of the first n_cuts; returns the highest. */
static double find_ratios(value_list *v, const node_view *node, int n_cuts, left_part left)
{
    const double total = node->weight, total_sum = node->sums[SUM_RESPONSE];
    double highest = -INFINITY;
    for (int i = 0; i < n_cuts; ++i) {
        v->weight[i] = left.weight += v->weight[i];
        v->sum[i] = left.sum += v->sum[i];
        double right = total - left.weight, right_sum = total_sum - left.sum;
        double ratio = left.sum * left.sum / left.weight + right_sum * right_sum / right;
        v->ratio[i] = ratio = left.weight > MIN_WEIGHT && right > MIN_WEIGHT ? ratio : -INFINITY;
        highest = ratio > highest ? ratio : highest;
    }
    return highest;
}

/* The same for whole weights. */
static double find_ratios_by_table(value_list *v, const double *inverse, const node_view *node, int n_cuts,
                                   left_part left)
{
    const double total_sum = node->sums[SUM_RESPONSE];
    const double *inverse_right = inverse + (int)node->weight;
    double highest = -INFINITY;
    for (int i = 0; i < n_cuts; ++i) {
        v->weight[i] = left.weight += v->weight[i];
        v->sum[i] = left.sum += v->sum[i];
        int draws = (int)left.weight;
        double right_sum = total_sum - left.sum;
        double ratio = left.sum * left.sum * inverse[draws] + right_sum * right_sum * inverse_right[-draws];
        v->ratio[i] = ratio;
        highest = ratio > highest ? ratio : highest;
    }
    return highest;
}

/* Cuts of at least this ratio may be the best. */
static double bar_of(const splitter *s, double threshold, double highest)
{
    double own = s->factor > MIN_FACTOR ? highest * (1.0 - SCAN_SLACK) : -INFINITY;
    return own > threshold ? own : threshold;
}

static void scan_values(splitter *s, const node_view *node, int feature, int n_cuts, left_part left)
{
    value_list *v = &s->scratch.values;
    bool whole = s->in->bag->exact && !s->in->bag->row_weight && node->weight <= MAX_INVERSE;
    double threshold = scan_threshold(s, node->offset);
    double highest =
        whole ? find_ratios_by_table(v, s->in->inverse, node, n_cuts, left) : find_ratios(v, node, n_cuts, left);
    if (highest < threshold) {
        return;
    }
    double bar = bar_of(s, threshold, highest), total_sum = node->sums[SUM_RESPONSE];
    for (int i = 0; i < n_cuts; ++i) {
        if (v->ratio[i] < bar) {
            continue;
        }
        double right = node->weight - v->weight[i], right_sum = total_sum - v->sum[i];
        if (right > MIN_WEIGHT && v->weight[i] > MIN_WEIGHT) {
            double crit = v->sum[i] * v->sum[i] / v->weight[i] + right_sum * right_sum / right;
            splitter_offer(s, node, crit, feature,
                           v->of_rows ? rank_of(s->in->ranks, feature, s->scratch.sorted[i]) : v->rank[i]);
        }
    }
}

/* Missing values share the last rank. They go right, and then left. */
void values_split(splitter *s, const node_view *node, int feature)
{
    value_list *v = &s->scratch.values;
    list_values(s, node, feature);
    bool missing = !v->of_rows && v->rank[v->size - 1] >= (uint32_t)s->in->ranks->n_present[feature];
    scan_values(s, node, feature, v->size - 1, (left_part){0});
    if (missing && v->size > 2) {
        list_values(s, node, feature);
        s->missing_left = true;
        scan_values(s, node, feature, v->size - 2, (left_part){v->weight[v->size - 1], v->sum[v->size - 1]});
        s->missing_left = false;
    }
}
