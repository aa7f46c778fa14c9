/* Numeric features if classes are counted in whole numbers: more than two classes.
 *
 * A cut that sends l_k cases of class k left and r_k right can equal the best split so far only if
 *     sum_k price_k l_k^2 / l + sum_k price_k r_k^2 / r
 * reaches a threshold; the criterion sets the prices and the threshold. For cuts that do, the criterion itself is evaluated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "filters/columns/few_values.h"
#include "filters/counts/class_cuts.h"
#include "filters/counts/payloads.h"
#include "filters/counts/rounding_bound.h"
#include "filters/counts/split_classes.h"

/* Limit of counts by value and class, which stay in the processor's cache. */
enum { TABLE_SIZE = 1 << 14 };
/* A table is scanned from end to end: largest number of lanes per row, and, if a list saves sorting, smallest number of
 * rows per lane. */
enum { LANES_PER_ROW = 2, ROWS_PER_LANE = 4 };
/* Classes are added up four at a time. */
enum { LANES = 4 };
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
_Static_assert(sizeof(lanes) <= _Alignof(max_align_t), "malloc aligns lanes");
typedef int32_t count_lanes __attribute__((vector_size(LANES * sizeof(int32_t))));

bool class_counts_fit(int nclass, int64_t draws)
{
    return nclass <= MAX_CLASSES && draws <= MAX_DRAWS;
}

/* ---- a fit ----------------------------------------------------------------------------------------------------------- */

class_counts *class_counts_new(const search_input *in, arena *memory)
{
    class_counts *c = in->filter->several ? arena_take_zeros(memory, 1, sizeof *c) : NULL;
    if (!c) {
        return NULL;
    }
    class_counts_forget(c);
    c->stride = (in->nclass + LANES - 1) / LANES * LANES;
    TAKE_ZEROS(memory, c->table, TABLE_SIZE);
    TAKE(memory, c->lane, 3 * c->stride);
    TAKE(memory, c->price, in->nclass);
    TAKE(memory, c->total, in->nclass);
    TAKE(memory, c->payload, in->data->n);
    class_cuts_init(&c->cuts, in->data->n, in->nclass, memory);
    return c;
}

void class_counts_forget(class_counts *c)
{
    c->node = -1;
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

/* Prepares the state that is the same for all features of a node. */
static void begin_node(const scan *scan, class_counts *c)
{
    const node_view *node = scan->node;
    float *total = c->lane + c->stride, *price = total + c->stride;
    memset(c->lane, 0, 3 * (size_t)c->stride * sizeof(float));
    c->node = node->number;
    c->weight = c->squares = 0.0;
    for (int k = 0; k < scan->in->nclass; ++k) {
        c->total[k] = (double)(int64_t)(node->sums[k] + 0.5);
        c->price[k] = scan->read->counts->price(c->total[k]);
        c->weight += c->total[k];
        c->squares += c->price[k] * c->total[k] * c->total[k];
        total[k] = (float)c->total[k];
        price[k] = (float)c->price[k];
    }
    for (int i = 0; i < node->size; ++i) {
        c->payload[i] = scan->read->payload[node->rows[i]];
    }
    class_cuts_begin_node(c, scan->in->nclass, node);
}

const class_counts *class_counts_of_node(const scan *scan)
{
    class_counts *c = scan->own->classes;
    if (c->node != scan->node->number) {
        begin_node(scan, c);
    }
    return c;
}

class_scan class_scan_begin(const scan *c, bool asks)
{
    class_scan scan = {.scan = *c, .asks = asks, .counts = class_counts_of_node(c)};
    scan.slack = rounding_bound(c->in, c->node, scan.counts->weight);
    class_scan_set_threshold(&scan);
    return scan;
}

/* ---- many values: row by row in their order ---------------------------------------------------------------------------- */

/* The node's payloads in the order of the feature. */
typedef struct payload_order {
    const uint32_t *payload;
    const uint32_t *rank; /* NULL: payloads are in the entries */
    const uint64_t *entries;
    int size;
} payload_order;

static inline uint32_t rank_at(const class_scan *scan, const payload_order *order, int i)
{
    return order->rank ? order->rank[i] : scan_rank(&scan->scan, (int)(uint32_t)order->entries[i]);
}

/* Moves the rows from `first` to `last` to the left one by one, after those before; there are cuts after rows from
 * `cut` on. True as in meet(). */
static bool scan_order(class_scan *scan, const payload_order *order, scan_sums *sums, int first, int last, int cut)
{
    double *left = left_of(scan), threshold = scan->threshold;
    const double *total = scan->counts->total, *price = scan->counts->price;
    scan_sums sum =
        *sums; /* A copy stays in registers; *sums might overlap `left`, and would be stored for each row. */
    for (int i = first; i <= last; ++i) {
        uint32_t payload = order->payload[i], k = payload & (MAX_CLASSES - 1);
        double weight = payload >> CLASS_BITS, was = left[k], priced = weight * price[k];
        sum.left_squares += priced * (2 * was + weight);
        sum.right_squares += priced * (weight - 2 * (total[k] - was));
        sum.left += weight;
        sum.right -= weight;
        left[k] = was + weight;
        if (scan_promises(&sum, threshold) && i >= cut && rank_at(scan, order, i) != rank_at(scan, order, i + 1)) {
            if (class_scan_meet(scan, sum.left, rank_at(scan, order, i))) {
                return true;
            }
            threshold = scan->threshold;
        }
    }
    *sums = sum;
    return false;
}

static scan_sums nothing_left(const class_scan *scan)
{
    memset(left_of(scan), 0, (size_t)scan->scan.in->nclass * sizeof(double));
    return (scan_sums){0.0, 0.0, scan->counts->squares, scan->counts->weight};
}

static payload_order order_payloads(const scan *c)
{
    filter_scratch *own = c->own;
    const uint64_t *entries = node_list(own, c->node, c->column.feature);
    int size = c->node->size;
    if (entries) {
        for (int i = 0; i < size; ++i) {
            own->present[i] = (uint32_t)(entries[i] >> 32);
        }
        return (payload_order){own->present, NULL, entries, size};
    }
    sort_payloads(c, c->in->ranks->kind.ties == TIES_MERGED && c->in->ranks->has_ties[c->column.feature]);
    return (payload_order){own->present, own->present_rank, NULL, size};
}

/* Missing rows, which come last, are tried on the right and on the left. */
static bool scan_ordered(class_scan *scan)
{
    column *column = &scan->scan.column;
    const rrf_ranks *ranks = scan->scan.in->ranks;
    payload_order order = order_payloads(&scan->scan);
    uint32_t n_present = (uint32_t)ranks->n_present[column->feature];
    int n_values = order.size;
    scan_sums sum = nothing_left(scan);
    while (ranks_have_missing(ranks, column->feature) && n_values > 0 && order.rank[n_values - 1] >= n_present) {
        --n_values;
    }
    if (n_values == 0 ||
        scan_order(scan, &order, &sum, 0, (n_values < order.size ? n_values : order.size - 1) - 1, 0)) {
        return n_values > 0;
    }
    if (n_values < order.size) {
        sum = nothing_left(scan);
        column->missing_left = true;
        scan_order(scan, &order, &sum, n_values, order.size - 1, order.size);
        scan_order(scan, &order, &sum, 0, n_values - 2, 0);
    }
    return false;
}

/* ---- few values: counts by value and class ----------------------------------------------------------------------------- */

static void fill_table(const scan *scan)
{
    class_counts *c = scan->own->classes;
    for (int i = 0; i < scan->node->size; ++i) {
        uint32_t payload = c->payload[i], k = payload & (MAX_CLASSES - 1);
        c->table[(int)scan_rank(scan, scan->node->rows[i]) * c->stride + (int)k] += (int32_t)(payload >> CLASS_BITS);
    }
}

static float sum_lanes(lanes x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

/* The sums of a cut, from what is on its left; single precision. */
static inline scan_sums sum_sides(const class_counts *c, const class_scan *scan, float size)
{
    int n_lanes = c->stride / LANES;
    const lanes *left = (const lanes *)c->lane, *total = left + n_lanes, *price = total + n_lanes;
    lanes in_left = {0.0F}, in_right = {0.0F};
    for (int i = 0; i < n_lanes; ++i) {
        lanes right = total[i] - left[i];
        in_left += price[i] * left[i] * left[i];
        in_right += price[i] * right * right;
    }
    return (scan_sums){sum_lanes(in_left), size, sum_lanes(in_right), scan->counts->weight - size};
}

/* Moves the cases of a rank to the left. Returns their number. */
static inline float move_rank(class_counts *c, int rank)
{
    const count_lanes *counts = (const count_lanes *)(c->table + (size_t)rank * (size_t)c->stride);
    lanes *left = (lanes *)c->lane, moved = {0.0F};
    for (int i = 0; i < c->stride / LANES; ++i) {
        lanes here = __builtin_convertvector(counts[i], lanes);
        left[i] += here;
        moved += here;
    }
    return sum_lanes(moved);
}

static bool meet_rank(class_scan *scan, float size, int rank)
{
    const float *left = scan->counts->lane;
    for (int k = 0; k < scan->scan.in->nclass; ++k) {
        left_of(scan)[k] = (double)left[k];
    }
    return class_scan_meet(scan, size, (uint32_t)rank);
}

/* The ranks with an entry in the table. */
typedef struct table_ranks {
    int n, n_present;     /* entries; those of values, before the one of missing values */
    const uint32_t *rank; /* NULL: 0, 1, 2, ... */
} table_ranks;

/* Offers cuts after the first n_places entries; `size` cases are on the left of all. True as in meet(). */
static bool scan_table(class_scan *scan, const table_ranks *ranks, int n_places, float size)
{
    class_counts *c = scan->scan.own->classes;
    float all = (float)c->weight;
    for (int at = 0; at < n_places && size < all; ++at) {
        float moved = move_rank(c, at);
        size += moved;
        if (moved > 0.0F && size < all) {
            scan_sums sum = sum_sides(c, scan, size);
            if (scan_promises(&sum, scan->threshold * (1.0 - SINGLE_SLACK)) &&
                meet_rank(scan, size, ranks->rank ? (int)ranks->rank[at] : at)) {
                return true;
            }
        }
    }
    return false;
}

static void nothing_in_lanes(const class_scan *scan)
{
    memset(scan->counts->lane, 0, (size_t)scan->counts->stride * sizeof(float));
}

/* Clears the table. True as in meet(). */
static bool scan_counts(class_scan *scan, table_ranks ranks)
{
    class_counts *c = scan->scan.own->classes;
    nothing_in_lanes(scan);
    bool done = scan_table(scan, &ranks, ranks.n_present, 0.0F);
    if (ranks.n_present < ranks.n) {
        nothing_in_lanes(scan);
        float missing = move_rank(c, ranks.n_present);
        scan->scan.column.missing_left = true;
        done = scan_table(scan, &ranks, missing > 0.0F ? ranks.n_present : 0, missing) || done;
    }
    memset(c->table, 0, (size_t)ranks.n * (size_t)c->stride * sizeof *c->table);
    return done;
}

/* ---- both ways
 * ------------------------------------------------------------------------------------------------------- */

static bool has_table(const scan *c)
{
    const node_view *node = c->node;
    int64_t size = (int64_t)scan_profile(c)->n_ranks * c->own->classes->stride, n_lanes = size / LANES;
    bool listed = node_list(c->own, node, c->column.feature);
    int64_t most = listed ? node->size / ROWS_PER_LANE : (int64_t)LANES_PER_ROW * node->size;
    return node->weight <= (double)MAX_DRAWS && size <= TABLE_SIZE && n_lanes <= most;
}

bool class_counts_scan(const scan *c, bool asks)
{
    class_scan scan = class_scan_begin(c, asks);
    const rrf_ranks *ranks = c->in->ranks;
    int feature = c->column.feature;
    /* With many values, comparing all cuts in whole numbers takes as long as R's sums; finding the first one that may
     * equal the best suffices. */
    c->own->incumbent.compares = c->own->incumbent.compares && ranks_are_few(ranks, feature);
    if (class_cuts_are_few(c)) {
        return class_cuts_scan(&scan);
    }
    if (!has_table(c)) {
        return scan_ordered(&scan);
    }
    fill_table(c);
    return scan_counts(&scan, (table_ranks){ranks->n_ranks[feature], ranks->n_present[feature], NULL});
}

bool class_counts_fit_table(const scan *c, int n_ranks)
{
    return c->node->weight <= (double)MAX_DRAWS && (int64_t)n_ranks * c->own->classes->stride <= TABLE_SIZE;
}

/* The cases of the common rank are those of the node minus the others. */
void class_counts_split_rare(const scan *scan, const rare_ranks *ranks)
{
    class_counts *c = scan->own->classes;
    class_scan own = class_scan_begin(scan, false);
    int32_t *common = c->table + (size_t)ranks->common * (size_t)c->stride;
    for (int k = 0; k < scan->in->nclass; ++k) {
        common[k] = (int32_t)c->total[k];
    }
    for (int i = 0; i < ranks->n_rows; ++i) {
        uint32_t payload = scan->read->payload[ranks->row[i]], k = payload & (MAX_CLASSES - 1);
        int32_t count = (int32_t)(payload >> CLASS_BITS);
        c->table[ranks->place[i] * (uint32_t)c->stride + k] += count;
        common[k] -= count;
    }
    scan_counts(&own, (table_ranks){ranks->n, ranks->n_present, ranks->rank});
}
