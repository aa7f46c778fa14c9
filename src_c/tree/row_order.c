/* The rows of a node in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/row_order.h"
#include "data/radix.h"

/* A column's ranks: those that equal values share, or R's. */
typedef struct column_ranks {
    const void *rank;
    bool wide;
    int n_ranks;
} column_ranks;

static column_ranks shared_ranks(const splitter *s, int feature)
{
    const rrf_ranks *ranks = s->in->ranks;
    size_t base = (size_t)feature * (size_t)ranks->n * rank_width(ranks);
    return (column_ranks){(const char *)ranks->rank + base, ranks->wide, s->in->profile[feature].n_ranks};
}

static column_ranks ranks_in_order(const splitter *s, int feature)
{
    const rrf_ranks *ranks = s->in->ranks;
    if (!s->in->like_r || !ranks->has_ties[feature]) {
        return shared_ranks(s, feature);
    }
    return (column_ranks){order_like_r_ranks(s->in->like_r, feature), ranks->wide, ranks->n};
}

static inline uint32_t rank_at(const column_ranks *column, int row)
{
    return column->wide ? ((const uint32_t *)column->rank)[row] : ((const uint16_t *)column->rank)[row];
}

/* ---- by slots: every rank has one ------------------------------------------------------------------------------------ */

/* What is sorted: a row's payload, or, without any, the row itself. */
static inline uint32_t payload_of(const uint32_t *payload, int row)
{
    return payload ? payload[row] : (uint32_t)row;
}

/* Adds the payload of each row at the slot of its rank; with `with_mark` also marks the rank. */
#define FILL_SLOTS(type, with_mark)                                                                                    \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        uint32_t rank = ((const type *)column->rank)[node->rows[i]];                                                   \
        s->scratch.slot[rank] += payload_of(payload, node->rows[i]);                                                   \
        if (with_mark) {                                                                                               \
            s->scratch.mark[rank >> 6] |= (uint64_t)1 << (rank & 63);                                                  \
        }                                                                                                              \
    }

static inline void fill_slots(splitter *s, const node_view *node, const column_ranks *column, const uint32_t *payload,
                              bool with_mark)
{
    if (column->wide) {
        FILL_SLOTS(uint32_t, with_mark)
    } else {
        FILL_SLOTS(uint16_t, with_mark)
    }
}

void add_by_rank(splitter *s, const node_view *node, int feature, const uint32_t *payload)
{
    column_ranks column = shared_ranks(s, feature);
    fill_slots(s, node, &column, payload, false);
}

static int gather_marked(splitter *s, const node_view *node, const column_ranks *column, const uint32_t *payload)
{
    fill_slots(s, node, column, payload, true);
    return s->in->simd->gather(s->scratch.mark, (column->n_ranks + 63) / 64, s->scratch.slot, s->scratch.present_rank,
                               s->scratch.present);
}

static void sort_by_slots(splitter *s, const node_view *node, const column_ranks *column)
{
    int size = gather_marked(s, node, column, NULL);
    for (int i = 0; i < size; ++i) {
        s->scratch.sorted[i] = (int32_t)s->scratch.present[i];
    }
}

/* ---- by sorting: few rows for many ranks ----------------------------------------------------------------------------- */

/* Slots are faster unless there are many more ranks than rows, because the marks of all ranks are walked. Slots of more
 * than 65,536 ranks do not stay in the processor's cache. */
enum { RANKS_PER_ROW = 128, WIDE_RANKS_PER_ROW = 16 };
enum { MAX_INSERTION = 40 };
/* So few rows are sorted by counting, for each of them, those before it, without a branch. Their places in the node go into
 * the low bits of their ranks. */
enum { MAX_COUNTING = 64, PLACE_BITS = 6, MAX_COUNTED_RANK = 1 << 25 };

static bool is_sparse(const node_view *node, const column_ranks *column)
{
    int64_t per_row = column->wide ? WIDE_RANKS_PER_ROW : RANKS_PER_ROW;
    return column->n_ranks > per_row * node->size;
}

static void sort_by_insertion(uint64_t *items, int n)
{
    for (int i = 1; i < n; ++i) {
        uint64_t item = items[i];
        int at = i;
        for (; at > 0 && items[at - 1] > item; --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

const uint64_t *sort_packed_ranks(splitter *s, int n, int n_ranks)
{
    if (n > MAX_INSERTION) {
        return radix_sort_ranks(s->scratch.packed, s->scratch.packed_spare, n, (uint32_t)n_ranks);
    }
    sort_by_insertion(s->scratch.packed, n);
    return s->scratch.packed;
}

/* The node's rows by ascending rank, as sort_packed_ranks() takes them. */
static const uint64_t *sort_packed(splitter *s, const node_view *node, const column_ranks *column,
                                   const uint32_t *payload)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->scratch.packed[i] = (uint64_t)rank_at(column, row) << 32 | payload_of(payload, row);
    }
    return sort_packed_ranks(s, node->size, column->n_ranks);
}

static void sort_by_counting(splitter *s, const node_view *node, const column_ranks *column)
{
    int32_t key[MAX_COUNTING + SIMD_BLOCK], before[MAX_COUNTING + SIMD_BLOCK];
    memset(key + node->size, 0, SIMD_BLOCK * sizeof *key);
    for (int i = 0; i < node->size; ++i) {
        key[i] = (int32_t)(rank_at(column, node->rows[i]) << PLACE_BITS | (uint32_t)i);
    }
    s->in->simd->count_smaller_ranks(key, node->size, before);
    for (int i = 0; i < node->size; ++i) {
        s->scratch.sorted[before[i]] = node->rows[i];
    }
}

static void sort_sparse(splitter *s, const node_view *node, const column_ranks *column)
{
    const uint64_t *packed = sort_packed(s, node, column, NULL);
    for (int i = 0; i < node->size; ++i) {
        s->scratch.sorted[i] = (int32_t)(uint32_t)packed[i];
    }
}

static int gather_sparse(splitter *s, const node_view *node, const column_ranks *column, const uint32_t *payload)
{
    const uint64_t *packed = sort_packed(s, node, column, payload);
    int n_present = 0;
    for (int i = 0; i < node->size; ++i) {
        uint32_t rank = (uint32_t)(packed[i] >> 32), own = (uint32_t)packed[i];
        if (n_present > 0 && s->scratch.present_rank[n_present - 1] == rank) {
            s->scratch.present[n_present - 1] += own;
        } else {
            s->scratch.present_rank[n_present] = rank;
            s->scratch.present[n_present++] = own;
        }
    }
    return n_present;
}

/* ---- either way ------------------------------------------------------------------------------------------------------ */

int gather_ranks(splitter *s, const node_view *node, int feature, const uint32_t *payload)
{
    column_ranks column = shared_ranks(s, feature);
    return is_sparse(node, &column) ? gather_sparse(s, node, &column, payload)
                                    : gather_marked(s, node, &column, payload);
}

/* R's ranks are all different. */
static bool rows_share_ranks(const splitter *s, int feature)
{
    return s->in->ranks->kind.ties == TIES_MERGED && !s->in->like_r && s->in->ranks->has_ties[feature];
}

/* The rows of the node's range in a sorted list. */
static void unpack_rows(splitter *s, const uint64_t *entries, int size)
{
    for (int i = 0; i < size; ++i) {
        s->scratch.sorted[i] = (int32_t)(uint32_t)entries[i];
    }
}

/* Whether R's order among equal values of the sorted rows makes a difference: rows of one class that are in the bag equally
 * often are interchangeable. */
static bool ties_differ(const splitter *s, int size, int feature)
{
    const bag *bag = s->in->bag;
    bool differ = false;
    for (int i = 0; i + 1 < size && !differ; ++i) {
        int row = s->scratch.sorted[i], next = s->scratch.sorted[i + 1];
        bool same = bag->y[row] == bag->y[next] && bag->count[row] == bag->count[next];
        differ = !same && !values_differ(s, feature, row, next);
    }
    return differ;
}

/* Few rows of many values are sorted by the shared ranks, which have been read by the filter. True if R's are not needed. */
static bool sort_without_r(splitter *s, const node_view *node, int feature)
{
    bool ties = s->in->like_r && s->in->ranks->has_ties[feature];
    if (!ties || ranks_are_few(s->in->ranks, feature) || node->size > MAX_COUNTING) {
        return false;
    }
    column_ranks column = shared_ranks(s, feature);
    sort_by_counting(s, node, &column);
    return !ties_differ(s, node->size, feature);
}

void sort_rows(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = node_list(s, node, feature);
    s->scratch.sorted_by = feature;
    if (entries) {
        unpack_rows(s, entries, node->size);
        return;
    }
    if (sort_without_r(s, node, feature)) {
        return;
    }
    column_ranks column = ranks_in_order(s, feature);
    if (node->size <= MAX_COUNTING && column.n_ranks <= MAX_COUNTED_RANK) {
        sort_by_counting(s, node, &column);
    } else if (is_sparse(node, &column) || rows_share_ranks(s, feature)) {
        sort_sparse(s, node, &column);
    } else {
        sort_by_slots(s, node, &column);
    }
}

void sort_payloads(splitter *s, const node_view *node, int feature, const uint32_t *payload, bool shared)
{
    column_ranks column = shared_ranks(s, feature);
    if (!shared && node->size > MAX_INSERTION && !is_sparse(node, &column)) {
        gather_marked(s, node, &column, payload);
        return;
    }
    const uint64_t *packed = sort_packed(s, node, &column, payload);
    for (int i = 0; i < node->size; ++i) {
        s->scratch.present_rank[i] = (uint32_t)(packed[i] >> 32);
        s->scratch.present[i] = (uint32_t)packed[i];
    }
}
