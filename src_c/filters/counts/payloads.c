/* The payloads of a node's rows in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/few_values.h"
#include "filters/counts/payloads.h"
#include "tree/row_order.h"

/* A column's ranks: shared by equal values, or in R's order. */
typedef struct column_ranks {
    const void *rank;
    bool wide;
    int n_ranks;
} column_ranks;

static column_ranks shared_ranks(const search_input *in, int feature)
{
    const rrf_ranks *ranks = in->ranks;
    size_t base = (size_t)feature * (size_t)ranks->n * rank_width(ranks);
    return (column_ranks){(const char *)ranks->rank + base, ranks->wide, in->profile[feature].n_ranks};
}

static column_ranks ranks_in_order(const search_input *in, int feature)
{
    if (!in->filter->like_r || !in->ranks->has_ties[feature]) {
        return shared_ranks(in, feature);
    }
    return (column_ranks){order_like_r_ranks(in->filter->like_r, feature), in->ranks->wide, in->ranks->n};
}

static inline uint32_t rank_at(const column_ranks *column, int row)
{
    return column->wide ? ((const uint32_t *)column->rank)[row] : ((const uint16_t *)column->rank)[row];
}

/* ---- by slots: every rank has one ------------------------------------------------------------------------------------ */

/* Returns the word to sort: a row's payload, or, without payloads, the row itself. */
static inline uint32_t payload_of(const uint32_t *payload, int row)
{
    return payload ? payload[row] : (uint32_t)row;
}

/* Adds the payload of each row at the slot of its rank; with `with_mark` also marks the rank. */
#define FILL_SLOTS(type, with_mark)                                                                                    \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        uint32_t rank = ((const type *)column->rank)[node->rows[i]];                                                   \
        slot[rank] += payload_of(payload, node->rows[i]);                                                              \
        if (with_mark) {                                                                                               \
            mark[rank >> 6] |= (uint64_t)1 << (rank & 63);                                                             \
        }                                                                                                              \
    }

static inline void fill_slots(filter_scratch *own, const node_view *node, const column_ranks *column,
                              const uint32_t *payload, bool with_mark)
{
    uint32_t *slot = own->slot;
    uint64_t *mark = own->mark;
    if (column->wide) {
        FILL_SLOTS(uint32_t, with_mark)
    } else {
        FILL_SLOTS(uint16_t, with_mark)
    }
}

void add_by_rank(const scan *c)
{
    column_ranks column = shared_ranks(c->in, c->column.feature);
    fill_slots(c->own, c->node, &column, c->read->payload, false);
}

static int gather_marked(filter_scratch *own, const node_view *node, const column_ranks *column,
                         const uint32_t *payload)
{
    const simd *loops = own->splitter->in->filter->simd;
    fill_slots(own, node, column, payload, true);
    return loops->gather(own->mark, (column->n_ranks + 63) / 64, own->slot, own->present_rank, own->present);
}

static void sort_by_slots(splitter *s, const node_view *node, const column_ranks *column)
{
    int size = gather_marked(s->filter, node, column, NULL);
    memcpy(s->sorted, s->filter->present, (size_t)size * sizeof *s->sorted);
}

/* ---- by sorting: few rows for many ranks ----------------------------------------------------------------------------- */

/* Slots are faster unless there are many more ranks than rows, because the marks of all ranks are read. Slots of more
 * than 65,536 ranks do not stay in the processor's cache. */
enum { RANKS_PER_ROW = 128, WIDE_RANKS_PER_ROW = 16 };
enum { MAX_INSERTION = 40 };
/* Largest number of rows that are sorted by counting the smaller ones of each, without a branch. Their positions in the
 * node are the low bits of their ranks. */
enum { MAX_COUNTING = 64, PLACE_BITS = 6, MAX_COUNTED_RANK = 1 << 25 };

static bool is_sparse(const node_view *node, const column_ranks *column)
{
    int64_t per_row = column->wide ? WIDE_RANKS_PER_ROW : RANKS_PER_ROW;
    return column->n_ranks > per_row * node->size;
}

/* Lists the node's rows by rank for sort_packed_ranks(). */
static const uint64_t *sort_packed(splitter *s, const node_view *node, const column_ranks *column,
                                   const uint32_t *payload)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->packed[i] = (uint64_t)rank_at(column, row) << 32 | payload_of(payload, row);
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
    s->in->filter->simd->count_smaller_ranks(key, node->size, before);
    for (int i = 0; i < node->size; ++i) {
        s->sorted[before[i]] = node->rows[i];
    }
}

static int gather_sparse(const scan *c, const column_ranks *column)
{
    filter_scratch *own = c->own;
    const uint64_t *packed = sort_packed(own->splitter, c->node, column, c->read->payload);
    int n_present = 0;
    for (int i = 0; i < c->node->size; ++i) {
        uint32_t rank = (uint32_t)(packed[i] >> 32), payload = (uint32_t)packed[i];
        if (n_present > 0 && own->present_rank[n_present - 1] == rank) {
            own->present[n_present - 1] += payload;
        } else {
            own->present_rank[n_present] = rank;
            own->present[n_present++] = payload;
        }
    }
    return n_present;
}

int gather_ranks(const scan *c)
{
    column_ranks column = shared_ranks(c->in, c->column.feature);
    return is_sparse(c->node, &column) ? gather_sparse(c, &column)
                                       : gather_marked(c->own, c->node, &column, c->read->payload);
}

void sort_payloads(const scan *c, bool shared)
{
    filter_scratch *own = c->own;
    column_ranks column = shared_ranks(c->in, c->column.feature);
    if (!shared && c->node->size > MAX_INSERTION && !is_sparse(c->node, &column)) {
        gather_marked(own, c->node, &column, c->read->payload);
        return;
    }
    const uint64_t *packed = sort_packed(own->splitter, c->node, &column, c->read->payload);
    for (int i = 0; i < c->node->size; ++i) {
        own->present_rank[i] = (uint32_t)(packed[i] >> 32);
        own->present[i] = (uint32_t)packed[i];
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* The rows of a range of a list, or of packed words. */
static void unpack_rows(splitter *s, const uint64_t *words, int size)
{
    for (int i = 0; i < size; ++i) {
        s->sorted[i] = (int32_t)(uint32_t)words[i];
    }
}

/* R's ranks are all different. */
static bool rows_share_ranks(const search_input *in, int feature)
{
    return in->ranks->kind.ties == TIES_MERGED && !in->filter->like_r && in->ranks->has_ties[feature];
}

/* Returns whether R's order among equal values of the sorted rows matters: rows of one class with equal in-bag counts
 * are interchangeable. */
static bool ties_differ(const splitter *s, int size, int feature)
{
    const bag *bag = s->in->bag;
    bool differ = false;
    for (int i = 0; i + 1 < size && !differ; ++i) {
        int row = s->sorted[i], next = s->sorted[i + 1];
        bool same = bag->y[row] == bag->y[next] && bag->count[row] == bag->count[next];
        differ = !same && !values_differ(s->in, feature, row, next);
    }
    return differ;
}

/* Sorts few rows of many values by the shared ranks, which the filter has read. True if R's order is not needed. */
static bool sort_without_r(splitter *s, const node_view *node, int feature)
{
    const search_input *in = s->in;
    bool ties = in->filter->like_r && in->ranks->has_ties[feature];
    if (!ties || ranks_are_few(in->ranks, feature) || node->size > MAX_COUNTING) {
        return false;
    }
    column_ranks column = shared_ranks(in, feature);
    sort_by_counting(s, node, &column);
    return !ties_differ(s, node->size, feature);
}

bool sort_rows_faster(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = node_list(s->filter, node, feature);
    if (entries) {
        unpack_rows(s, entries, node->size);
        return true;
    }
    if (sort_without_r(s, node, feature)) {
        return true;
    }
    column_ranks column = ranks_in_order(s->in, feature);
    if (node->size <= MAX_COUNTING && column.n_ranks <= MAX_COUNTED_RANK) {
        sort_by_counting(s, node, &column);
    } else if (is_sparse(node, &column) || rows_share_ranks(s->in, feature)) {
        unpack_rows(s, sort_packed(s, node, &column, NULL), node->size);
    } else {
        sort_by_slots(s, node, &column);
    }
    return true;
}
