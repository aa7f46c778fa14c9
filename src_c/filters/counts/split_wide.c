/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/split_few_values.h"
#include "filters/counts/split_wide.h"

static bool scan_slots(two_class *t, const uint64_t *slot, int size, uint64_t sum)
{
    for (int rank = 0; rank < size; ++rank) {
        sum += slot[rank];
        if (slot[rank] && two_class_promises_wide(sum, &t->filter) && two_class_evaluate_wide(t, sum, (uint32_t)rank)) {
            return true;
        }
    }
    return false;
}

/* The slots, of eight bytes a row, reuse memory that is free meanwhile. */
static void fill_slots(const scan *c, uint64_t *slot)
{
    memset(slot, 0, (size_t)scan_profile(c)->n_ranks * sizeof *slot);
    if (packed_column(c) && c->read->rows_pack > 0) {
        count_values_wide(c, slot);
        return;
    }
    for (int i = 0; i < c->node->size; ++i) {
        slot[scan_rank(c, c->node->rows[i])] += wide_count(c->in->bag, c->node->rows[i]);
    }
}

static bool split_slots(two_class *t)
{
    const scan *c = &t->scan;
    uint64_t *slot = c->own->splitter->spare;
    int n_ranks = scan_profile(c)->n_ranks, n_present = c->in->ranks->n_present[c->column.feature];
    fill_slots(c, slot);
    bool done = scan_slots(t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        t->scan.column.missing_left = true;
        done = scan_slots(t, slot, n_present, slot[n_present]) || done;
    }
    return done;
}

/* Returns the first block from `from` on that may have a split; if payloads cannot be added in blocks, every block may. */
static int find_block(const two_class *t, const uint64_t *entries, int from, int size, uint64_t *sum)
{
    const filter_input *read = t->scan.read;
    return read->rows_pack >= SIMD_BLOCK ? read->simd->find_promising_wide(entries, from, size, sum, &t->filter) : from;
}

static bool split_sorted(two_class *t, const uint64_t *entries)
{
    const scan *c = &t->scan;
    int size = c->node->size - 1;
    uint64_t sum = 0;
    int block = find_block(t, entries, 0, size, &sum);
    while (block < size) {
        int end = block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
        for (int i = block; i < end; ++i) {
            int row = (int)(uint32_t)entries[i], next = (int)(uint32_t)entries[i + 1];
            sum += wide_count(c->in->bag, row);
            if (two_class_promises_wide(sum, &t->filter) && values_differ(c->in, c->column.feature, row, next) &&
                two_class_evaluate_wide(t, sum, scan_rank(c, row))) {
                return true;
            }
        }
        block = find_block(t, entries, end, size, &sum);
    }
    return false;
}

bool wide_scan(two_class *t, const uint64_t *entries)
{
    return entries ? split_sorted(t, entries) : split_slots(t);
}
