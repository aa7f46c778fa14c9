/* Numeric features where two classes are counted in whole numbers: the fast way of Gini's criterion.
 *
 * SIMD loops without divisions find cuts that may equal the best split so far; only for these R's expressions are evaluated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "tree/row_order.h"
#include "tree/split_two_class.h"

/* Slack for the rounding of the comparisons; cuts that pass are evaluated exactly. */
#define SLACK 1.0e-12

/* ---- when it is possible --------------------------------------------------------------------------------------------- */

static int64_t total_draws(const rrf_params *params)
{
    int64_t draws = 0;
    for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    return draws;
}

bool counts_pack(const double *classwt, int nclass, const rrf_params *params)
{
    bool near = nclass == 2 && is_near_one(classwt[0]) && is_near_one(classwt[1]);
    return near && total_draws(params) <= MAX_PACKED;
}

bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params)
{
    /* In unsupervised mode every value is tied, and the split point depends on which of the tied rows is next to the cut. */
    bool order_shows = params->add_class && params->quirks;
    return counts_pack(classwt, nclass, params) && weights_are_exact(classwt, nclass) && !order_shows;
}

bool parallel_ties_can_merge(const double *classwt, int nclass, const rrf_parallel_params *parallel)
{
    return nclass == 2 && weights_are_exact(classwt, nclass) && !parallel->row_weight && !parallel->entropy;
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

/* Packed counts, as data/simd.h describes them; zero for rows that are out of bag. */
static void pack_counts(splitter *s)
{
    const bag *b = s->bag;
    memset(s->payload, 0, (size_t)b->n * sizeof *s->payload);
    for (int i = 0; i < b->size; ++i) {
        uint32_t count = (uint32_t)b->count[b->rows[i]];
        s->payload[b->rows[i]] = b->y[b->rows[i]] == 0 ? count << 16 | count : count;
    }
}

/* Nodes with more cases than packed counts can hold need slots of their own. */
static rrf_status reserve_wide(splitter *s)
{
    const double *total = s->bag->class_total;
    if (s->ranks->kind.ties == TIES_MERGED && total[0] + total[1] > MAX_PACKED && !s->wide_slot) {
        s->wide_slot = calloc((size_t)s->data->n, sizeof *s->wide_slot);
        return s->wide_slot ? RRF_OK : RRF_ERR_MEMORY;
    }
    return RRF_OK;
}

rrf_status two_class_begin_tree(splitter *s)
{
    pack_counts(s);
    return reserve_wide(s);
}

/* ---- exact sums ------------------------------------------------------------------------------------------------------ */

/* With a of the left's l cases in class 0, and A of the node's N, the criterion is N - 2AB/N + 2 d^2 / (N l r) where
 * d = aN - lA. */
typedef struct two_class {
    splitter *s;
    int feature;
    double total, class0; /* N, A */
    double base;          /* N - 2AB/N, which is the criterion of the node itself */
    const node_view *node;
    double slack; /* how far R's criterion may lie from the one of whole numbers */
    double inverse;
    two_class_filter filter;
} two_class;

/* The filter works in single precision: a few parts in 10^7. */
#define FILTER_SLACK 4.0e-6

static void set_threshold(two_class *t)
{
    double threshold = -INFINITY;
    if (t->inverse > 0.0) {
        threshold = (t->s->best.crit * t->inverse + t->node->offset - t->base - t->slack) * t->total / 2;
    }
    t->filter.threshold = (float)(threshold > 0.0 ? threshold * (1.0 - FILTER_SLACK) : threshold);
}

/* The count that a sum next to it stands for; round() is a call into the library. */
static inline double whole(double sum)
{
    return (double)(int64_t)(sum + 0.5);
}

/* Written in place, because the structure is too large to be returned in registers. */
static inline void two_class_begin(two_class *t, splitter *s, const node_view *node, int feature)
{
    t->s = s;
    t->node = node;
    t->feature = feature;
    t->total = whole(node->weight);
    t->class0 = whole(node->sums[0]);
    t->base = node->crit;
    t->inverse = s->inverse;
    /* Sums that are not exact err by half an ulp of N^2 per row, also for a daughter of one case. */
    t->slack = SLACK * t->total + (s->bag->exact ? 0.0 : 8.0 * DBL_EPSILON * node->size * t->total * t->total);
    t->filter.total = (int32_t)t->total;
    t->filter.class0 = (int32_t)t->class0;
    set_threshold(t);
}

/* R's expressions, on whole numbers. */
static void two_class_evaluate(two_class *t, double class0_left, double left, uint32_t cut_rank)
{
    double class1_left = left - class0_left, right = t->total - left;
    double class0_right = t->class0 - class0_left, class1_right = right - class0_right;
    if (left <= 0.0 || right <= 0.0) {
        return;
    }
    double left_squares = class0_left * class0_left + class1_left * class1_left;
    double right_squares = class0_right * class0_right + class1_right * class1_right;
    if (splitter_offer(t->s, t->node, left_squares / left + right_squares / right, t->feature, cut_rank)) {
        set_threshold(t);
    }
}

static inline void evaluate_packed(two_class *t, uint32_t sum, uint32_t cut_rank)
{
    two_class_evaluate(t, sum >> 16, sum & 0xffff, cut_rank);
}

static inline int block_end(int block, int size)
{
    return block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
}

/* payload: the sum at each of `size` ranks, in whole blocks, with zeros for absent ranks; ranks NULL: 0, 1, 2, ...
 * sum: the payload that always goes left. */
static void scan_payload(two_class *t, const uint32_t *payload, const uint32_t *ranks, int size, uint32_t sum)
{
    int whole = (size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    int block = t->s->simd->find_promising(payload, 0, whole, &sum, &t->filter);
    while (block < whole) {
        for (int i = block; i < block_end(block, size); ++i) {
            sum += payload[i];
            if (payload[i] && two_class_promises(sum, &t->filter)) {
                evaluate_packed(t, sum, ranks ? ranks[i] : (uint32_t)i);
            }
        }
        block = t->s->simd->find_promising(payload, block + SIMD_BLOCK, whole, &sum, &t->filter);
    }
}

/* The node's payload by rank. */
typedef struct payload_list {
    uint32_t *payload;
    const uint32_t *ranks; /* NULL: 0, 1, 2, ... */
    int size;
} payload_list;

/* With at most this many slots per row of the node, slots are scanned in place. */
enum { SLOTS_PER_ROW = 8 };

static payload_list list_payload(splitter *s, const node_view *node, int feature)
{
    int n_ranks = s->profile[feature].n_ranks;
    if (n_ranks <= (int64_t)SLOTS_PER_ROW * node->size) {
        add_by_rank(s, node, feature, s->payload);
        return (payload_list){s->slot, NULL, n_ranks};
    }
    int size = gather_ranks(s, node, feature, s->payload);
    memset(s->present + size, 0, SIMD_BLOCK * sizeof *s->present);
    return (payload_list){s->present, s->present_rank, size};
}

static void clear_payload(splitter *s, const payload_list *list)
{
    if (!list->ranks) {
        memset(s->slot, 0, (size_t)list->size * sizeof *s->slot);
    }
}

/* The payload at the rank of missing values; NULL if the node has none. */
static uint32_t *missing_payload(const splitter *s, const payload_list *list, int feature)
{
    uint32_t rank = (uint32_t)s->ranks->n_present[feature];
    int at = list->ranks ? list->size - 1 : (int)rank;
    bool present = !list->ranks || list->ranks[at] == rank;
    return ranks_have_missing(s->ranks, feature) && present && list->payload[at] ? list->payload + at : NULL;
}

static void scan_slots(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    payload_list list = list_payload(s, node, feature);
    scan_payload(&t, list.payload, list.ranks, list.size, 0);
    uint32_t *missing = missing_payload(s, &list, feature);
    if (missing) {
        uint32_t sum = *missing;
        *missing = 0;
        s->missing_left = true;
        scan_payload(&t, list.payload, list.ranks, list.size, sum);
        s->missing_left = false;
    }
    clear_payload(s, &list);
}

static void scan_sorted_rows(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    int size = node->size - 1;
    uint32_t sum = 0;
    int block = s->simd->find_promising_entry(entries, 0, size, &sum, &t.filter);
    while (block < size) {
        for (int i = block; i < block_end(block, size); ++i) {
            int row = (int)(uint32_t)entries[i];
            sum += (uint32_t)(entries[i] >> 32);
            if (two_class_promises(sum, &t.filter) && values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
                evaluate_packed(&t, sum, rank_of(s->ranks, feature, row));
            }
        }
        block = s->simd->find_promising_entry(entries, block + SIMD_BLOCK, size, &sum, &t.filter);
    }
}

/* ---- exact sums, more cases than the kernels can pack ---------------------------------------------------------------- */

/* Class 0 in the upper half, all cases in the lower. Read from the bag, because 16 bits may not hold the count of a row. */
static inline uint64_t wide_count(const splitter *s, int row)
{
    uint64_t count = (uint64_t)s->bag->count[row];
    return s->bag->y[row] == 0 ? count << 32 | count : count;
}

static inline bool wide_promises(const two_class *t, uint64_t sum)
{
    double left = (double)(uint32_t)sum, d = (double)(sum >> 32) * t->total - left * t->class0;
    return d * d > (double)t->filter.threshold * left * (t->total - left);
}

/* Returns the sum over the `size` slots, on top of `sum`. */
static void scan_wide(two_class *t, const uint64_t *slot, int size, uint64_t sum)
{
    for (int rank = 0; rank < size; ++rank) {
        sum += slot[rank];
        if (slot[rank] && wide_promises(t, sum)) {
            two_class_evaluate(t, (double)(sum >> 32), (double)(uint32_t)sum, (uint32_t)rank);
        }
    }
}

static void scan_wide_slots(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t *slot = s->wide_slot;
    int n_ranks = s->profile[feature].n_ranks, n_present = s->ranks->n_present[feature];
    for (int i = 0; i < node->size; ++i) {
        slot[rank_of(s->ranks, feature, node->rows[i])] += wide_count(s, node->rows[i]);
    }
    scan_wide(&t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        s->missing_left = true;
        scan_wide(&t, slot, n_present, slot[n_present]);
        s->missing_left = false;
    }
    memset(slot, 0, (size_t)n_ranks * sizeof *slot);
}

static void scan_wide_sorted(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t sum = 0;
    for (int i = 0; i < node->size - 1; ++i) {
        int row = (int)(uint32_t)entries[i];
        sum += wide_count(s, row);
        if (wide_promises(&t, sum) && values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
            two_class_evaluate(&t, (double)(sum >> 32), (double)(uint32_t)sum, rank_of(s->ranks, feature, row));
        }
    }
}

void two_class_split(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = sorted_rows_range(&s->sorted_rows, feature, node->start);
    bool wide = node->weight > MAX_PACKED;
    if (wide && entries) {
        scan_wide_sorted(s, node, feature, entries);
    } else if (wide) {
        scan_wide_slots(s, node, feature);
    } else if (entries) {
        scan_sorted_rows(s, node, feature, entries);
    } else {
        scan_slots(s, node, feature);
    }
}

/* ---- sums that are not exact ----------------------------------------------------------------------------------------- */

/* Weights near 1.0: whole numbers show whether any split of the feature can equal the best. Cuts between equal values are
 * included; the scan that follows leaves them out. */
bool two_class_may_equal_best(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    const uint64_t *entries = sorted_rows_range(&s->sorted_rows, feature, node->start);
    uint32_t sum = 0;
    if (entries) {
        int size = node->size - 1;
        return s->simd->find_promising_entry(entries, 0, size, &sum, &t.filter) < size;
    }
    payload_list list = list_payload(s, node, feature);
    int whole = (list.size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    bool found = s->simd->find_promising(list.payload, 0, whole, &sum, &t.filter) < whole;
    clear_payload(s, &list);
    return found;
}
