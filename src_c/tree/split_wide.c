/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/split_wide.h"
#include "tree/two_class.h"

/* In-bag counts up to which eight packed payloads add up in 16 bits. */
enum { MAX_COUNT_OF_BLOCK = UINT16_MAX / SIMD_BLOCK };

rrf_status wide_begin_tree(splitter *s)
{
    const double *total = s->bag->class_total;
    int32_t most = 0;
    for (int i = 0; i < s->bag->size; ++i) {
        int32_t count = s->bag->count[s->bag->rows[i]];
        most = count > most ? count : most;
    }
    s->blocks_pack = most <= MAX_COUNT_OF_BLOCK;
    if (s->ranks->kind.ties == TIES_MERGED && total[0] + total[1] > MAX_PACKED && !s->wide_slot) {
        s->wide_slot = calloc((size_t)s->data->n, sizeof *s->wide_slot);
        return s->wide_slot ? RRF_OK : RRF_ERR_MEMORY;
    }
    return RRF_OK;
}

/* Returns the sum over the `size` slots, on top of `sum`. */
static void scan_slots(two_class *t, const uint64_t *slot, int size, uint64_t sum)
{
    for (int rank = 0; rank < size; ++rank) {
        sum += slot[rank];
        if (slot[rank] && two_class_promises_wide(sum, &t->filter)) {
            two_class_evaluate_wide(t, sum, (uint32_t)rank);
        }
    }
}

static void split_slots(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t *slot = s->wide_slot;
    int n_ranks = s->profile[feature].n_ranks, n_present = s->ranks->n_present[feature];
    for (int i = 0; i < node->size; ++i) {
        slot[rank_of(s->ranks, feature, node->rows[i])] += wide_count(s, node->rows[i]);
    }
    scan_slots(&t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        s->missing_left = true;
        scan_slots(&t, slot, n_present, slot[n_present]);
        s->missing_left = false;
    }
    memset(slot, 0, (size_t)n_ranks * sizeof *slot);
}

/* The first block from `from` on that may hold a split; where payloads cannot be added in blocks, every block may. */
static int find_block(const two_class *t, const uint64_t *entries, int from, int size, uint64_t *sum)
{
    return t->s->blocks_pack ? t->s->simd->find_promising_wide(entries, from, size, sum, &t->filter) : from;
}

static void split_sorted(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    int size = node->size - 1;
    uint64_t sum = 0;
    int block = find_block(&t, entries, 0, size, &sum);
    while (block < size) {
        int end = block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
        for (int i = block; i < end; ++i) {
            int row = (int)(uint32_t)entries[i];
            sum += wide_count(s, row);
            if (two_class_promises_wide(sum, &t.filter) &&
                values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
                two_class_evaluate_wide(&t, sum, rank_of(s->ranks, feature, row));
            }
        }
        block = find_block(&t, entries, end, size, &sum);
    }
}

void wide_split(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    if (entries) {
        split_sorted(s, node, feature, entries);
    } else {
        split_slots(s, node, feature);
    }
}

bool wide_may_equal_best(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t sum = 0;
    return !entries || find_block(&t, entries, 0, node->size - 1, &sum) < node->size - 1;
}
