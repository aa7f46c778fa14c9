/* Numeric features of a regression: the ratios of all cuts first, then the exact criterion of the few that may be the
 * best. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/split_values.h"
#include "tree/row_order.h"

/* A column of at most so many ranks is not sorted: each rank has a slot, unless the node has few rows. */
enum { MAX_SLOTS = 4096 };

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
        const double *moments = in->moments + N_MOMENTS * (size_t)node->rows[i];                                       \
        double *slot = v->slot + N_MOMENTS * (size_t)((const type *)in->ranks->rank + base)[node->rows[i]];            \
        slot[SUM_WEIGHT] += moments[SUM_WEIGHT];                                                                       \
        slot[SUM_RESPONSE] += moments[SUM_RESPONSE];                                                                   \
    }

/* Few ranks relative to rows: no sort. Every row in a tree has a positive weight. */
static void list_by_slots(value_list *v, const search_input *in, const node_view *node, int feature)
{
    size_t base = (size_t)feature * (size_t)in->ranks->n;
    int n_ranks = in->profile[feature].n_ranks;
    if (in->ranks->wide) {
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

/* No two rows share a value; ranks are read when needed. */
static void list_rows(value_list *v, const double *moments, const int32_t *sorted, int size)
{
    v->size = size;
    for (int i = 0; i < size; ++i) {
        v->weight[i] = moments[N_MOMENTS * (size_t)sorted[i] + SUM_WEIGHT];
        v->sum[i] = moments[N_MOMENTS * (size_t)sorted[i] + SUM_RESPONSE];
    }
}

static void merge_rows(value_list *v, const scan *c, const int32_t *sorted)
{
    int last = -1;
    uint32_t rank_before = UINT32_MAX;
    for (int i = 0; i < c->node->size; ++i) {
        const double *moments = c->in->moments + N_MOMENTS * (size_t)sorted[i];
        uint32_t rank = scan_rank(c, sorted[i]);
        bool same = rank == rank_before;
        last += !same;
        v->weight[last] = (same ? v->weight[last] : 0.0) + moments[SUM_WEIGHT];
        v->sum[last] = (same ? v->sum[last] : 0.0) + moments[SUM_RESPONSE];
        v->rank[last] = rank_before = rank;
    }
    v->size = last + 1;
}

static void list_values(const scan *c)
{
    value_list *v = &c->own->values;
    const rrf_ranks *ranks = c->in->ranks;
    int n_ranks = scan_profile(c)->n_ranks, feature = c->column.feature;
    v->of_rows = false;
    if (n_ranks <= MAX_SLOTS && n_ranks <= (int64_t)SLOTS_PER_ROW * c->node->size) {
        list_by_slots(v, c->in, c->node, feature);
        return;
    }
    sort_rows(c->own->splitter, c->node, feature);
    v->of_rows = !ranks->has_ties[feature] && !ranks_have_missing(ranks, feature);
    if (v->of_rows) {
        list_rows(v, c->in->moments, c->own->splitter->sorted, c->node->size);
    } else {
        merge_rows(v, c, c->own->splitter->sorted);
    }
}

/* ---- the cuts ---------------------------------------------------------------------------------------------------------- */

/* The sums left of every cut. */
typedef struct left_part {
    double weight, sum;
} left_part;

/* Converts sums by value to cumulative sums, and computes the ratios of the first n_cuts; returns the highest. */
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

/* As above, for whole weights. */
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

static void scan_values(const scan *c, int n_cuts, left_part left)
{
    const node_view *node = c->node;
    const bag *bag = c->in->bag;
    value_list *v = &c->own->values;
    bool whole = bag->exact && !bag->row_weight && node->weight <= MAX_INVERSE;
    double threshold = scan_threshold(&c->column, node->offset, c->bar), total_sum = node->sums[SUM_RESPONSE];
    double highest =
        whole ? find_ratios_by_table(v, c->read->inverse, node, n_cuts, left) : find_ratios(v, node, n_cuts, left);
    if (highest < threshold) {
        return;
    }
    double own = c->column.factor > MIN_FACTOR ? highest * (1.0 - SCAN_SLACK) : -INFINITY;
    double least = own > threshold ? own : threshold; /* cuts of at least this ratio may be the best */
    for (int i = 0; i < n_cuts; ++i) {
        if (v->ratio[i] < least) {
            continue;
        }
        double right = node->weight - v->weight[i], right_sum = total_sum - v->sum[i];
        if (right > MIN_WEIGHT && v->weight[i] > MIN_WEIGHT) {
            double crit = v->sum[i] * v->sum[i] / v->weight[i] + right_sum * right_sum / right;
            bar_offer(c->bar, node, &c->column, crit,
                      v->of_rows ? scan_rank(c, c->own->splitter->sorted[i]) : v->rank[i]);
        }
    }
}

/* Missing values share the last rank. They go right, and then left. */
void values_split(const scan *c)
{
    const value_list *v = &c->own->values;
    list_values(c);
    bool missing = !v->of_rows && v->rank[v->size - 1] >= (uint32_t)c->in->ranks->n_present[c->column.feature];
    scan_values(c, v->size - 1, (left_part){0});
    if (missing && v->size > 2) {
        scan left = *c;
        left.column.missing_left = true;
        list_values(&left);
        scan_values(&left, v->size - 2, (left_part){v->weight[v->size - 1], v->sum[v->size - 1]});
    }
}
