/* The rows of a node in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/radix.h"
#include "filters.h"
#include "tree/row_order.h"

/* Largest number of rows that are sorted by insertion. */
enum { MAX_INSERTION = 40 };

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
        return radix_sort_ranks(s->packed, s->spare, n, (uint32_t)n_ranks);
    }
    sort_by_insertion(s->packed, n);
    return s->packed;
}

void sort_rows(splitter *s, const node_view *node, int feature)
{
    s->sorted_by = feature;
    if (ASK(sort_rows, false, s, node, feature)) {
        return;
    }
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->packed[i] = (uint64_t)rank_of(s->in->ranks, feature, row) << 32 | (uint32_t)row;
    }
    const uint64_t *sorted = sort_packed_ranks(s, node->size, s->in->profile[feature].n_ranks);
    for (int i = 0; i < node->size; ++i) {
        s->sorted[i] = (int32_t)(uint32_t)sorted[i];
    }
}
