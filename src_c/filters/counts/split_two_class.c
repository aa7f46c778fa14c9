/* Numeric features if two classes are counted in whole numbers: Gini's criterion, and entropy.
 *
 * SIMD loops without divisions find cuts that may equal the best split so far; only for these R's expressions are evaluated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/few_values.h"
#include "filters/counts/payloads.h"
#include "filters/counts/split_coarse.h"
#include "filters/counts/split_few_values.h"
#include "filters/counts/split_two_class.h"
#include "filters/counts/split_wide.h"

static inline bool evaluate_packed(two_class *t, uint32_t sum, uint32_t cut_rank)
{
    return two_class_evaluate(t, sum >> 16, sum & 0xffff, cut_rank);
}

static inline int block_end(int block, int size)
{
    return block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
}

/* payload: the sum at each of `size` ranks, in whole blocks, with zeros for absent ranks; ranks NULL: 0, 1, 2, ...
 * sum: the payload that always goes left. True as in two_class_evaluate(), here and below. */
static bool scan_payload(two_class *t, const uint32_t *payload, const uint32_t *ranks, int size, uint32_t sum)
{
    int whole = (size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    int block = t->scan.read->simd->find_promising(payload, 0, whole, &sum, &t->filter);
    while (block < whole) {
        for (int i = block; i < block_end(block, size); ++i) {
            sum += payload[i];
            if (payload[i] && two_class_promises(sum, &t->filter) &&
                evaluate_packed(t, sum, ranks ? ranks[i] : (uint32_t)i)) {
                return true;
            }
        }
        block = t->scan.read->simd->find_promising(payload, block + SIMD_BLOCK, whole, &sum, &t->filter);
    }
    return false;
}

/* The node's payload by rank. */
typedef struct payload_list {
    uint32_t *payload;
    const uint32_t *ranks; /* NULL: 0, 1, 2, ... */
    int size;
} payload_list;

/* Largest ratio of slots to rows of the node for which slots are scanned in place. */
enum { SCANNED_PER_ROW = 8 };

static payload_list list_payload(const scan *c)
{
    filter_scratch *own = c->own;
    int n_ranks = scan_profile(c)->n_ranks;
    if (n_ranks <= (int64_t)SCANNED_PER_ROW * c->node->size) {
        (packed_column(c) ? count_values : add_by_rank)(c);
        return (payload_list){own->slot, NULL, n_ranks};
    }
    int size = gather_ranks(c);
    memset(own->present + size, 0, SIMD_BLOCK * sizeof *own->present);
    return (payload_list){own->present, own->present_rank, size};
}

/* Returns the payload at the rank of missing values; NULL if the node has none. */
static uint32_t *missing_payload(const scan *c, const payload_list *list)
{
    const rrf_ranks *ranks = c->in->ranks;
    uint32_t rank = (uint32_t)ranks->n_present[c->column.feature];
    int at = list->ranks ? list->size - 1 : (int)rank;
    bool present = !list->ranks || list->ranks[at] == rank;
    return ranks_have_missing(ranks, c->column.feature) && present && list->payload[at] ? list->payload + at : NULL;
}

static bool scan_slots(two_class *t)
{
    payload_list list = list_payload(&t->scan);
    bool done = scan_payload(t, list.payload, list.ranks, list.size, 0);
    uint32_t *missing = missing_payload(&t->scan, &list);
    if (missing) {
        uint32_t sum = *missing;
        *missing = 0;
        t->scan.column.missing_left = true;
        done = scan_payload(t, list.payload, list.ranks, list.size, sum) || done;
    }
    if (!list.ranks) {
        memset(list.payload, 0, (size_t)list.size * sizeof *list.payload);
    }
    return done;
}

static bool scan_sorted_rows(two_class *t, const uint64_t *entries)
{
    const scan *c = &t->scan;
    const simd *loops = c->read->simd;
    int size = c->node->size - 1;
    uint32_t sum = 0;
    int block = loops->find_promising_entry(entries, 0, size, &sum, &t->filter);
    while (block < size) {
        for (int i = block; i < block_end(block, size); ++i) {
            int row = (int)(uint32_t)entries[i], next = (int)(uint32_t)entries[i + 1];
            sum += (uint32_t)(entries[i] >> 32);
            if (two_class_promises(sum, &t->filter) && values_differ(c->in, c->column.feature, row, next) &&
                evaluate_packed(t, sum, scan_rank(c, row))) {
                return true;
            }
        }
        block = loops->find_promising_entry(entries, block + SIMD_BLOCK, size, &sum, &t->filter);
    }
    return false;
}

bool two_class_scan(const scan *c, bool asks)
{
    const uint64_t *entries = node_list(c->own, c->node, c->column.feature);
    two_class t;
    two_class_begin(&t, c);
    t.asks = asks;
    if (two_class_is_hopeless(&t)) {
        return false;
    }
    if (is_in_planes(c)) {
        return planes_scan(&t);
    }
    if (!entries && !asks && coarse_can_scan(c)) {
        coarse_scan(&t);
        return false;
    }
    if (c->node->weight > MAX_PACKED) {
        return wide_scan(&t, entries);
    }
    return entries ? scan_sorted_rows(&t, entries) : scan_slots(&t);
}
