/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/split_few_values.h"
#include "tree/split_wide.h"

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

/* The slots, of eight bytes a row, take the place of what nothing else needs meanwhile. */
static void fill_slots(splitter *s, const node_view *node, int feature)
{
    uint64_t *slot = s->scratch.packed_spare;
    memset(slot, 0, (size_t)s->in->profile[feature].n_ranks * sizeof *slot);
    if (s->in->profile[feature].packed && s->in->rows_pack > 0) {
        count_values_wide(s, node, feature);
        return;
    }
    for (int i = 0; i < node->size; ++i) {
        slot[rank_of(s->in->ranks, feature, node->rows[i])] += wide_count(s, node->rows[i]);
    }
}

static bool split_slots(two_class *t)
{
    splitter *s = t->s;
    int feature = t->feature;
    uint64_t *slot = s->scratch.packed_spare;
    int n_ranks = s->in->profile[feature].n_ranks, n_present = s->in->ranks->n_present[feature];
    fill_slots(s, t->node, feature);
    bool done = scan_slots(t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        s->missing_left = true;
        done = scan_slots(t, slot, n_present, slot[n_present]) || done;
        s->missing_left = false;
    }
    return done;
}

/* The first block from `from` on that may hold a split; where payloads cannot be added in blocks, every block may. */
static int find_block(const two_class *t, const uint64_t *entries, int from, int size, uint64_t *sum)
{
    return t->s->in->rows_pack >= SIMD_BLOCK ? t->s->in->simd->find_promising_wide(entries, from, size, sum, &t->filter)
                                             : from;
}

static bool split_sorted(two_class *t, const uint64_t *entries)
{
    const splitter *s = t->s;
    int size = t->node->size - 1, feature = t->feature;
    uint64_t sum = 0;
    int block = find_block(t, entries, 0, size, &sum);
    while (block < size) {
        int end = block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
        for (int i = block; i < end; ++i) {
            int row = (int)(uint32_t)entries[i];
            sum += wide_count(s, row);
            if (two_class_promises_wide(sum, &t->filter) &&
                values_differ(s, feature, row, (int)(uint32_t)entries[i + 1]) &&
                two_class_evaluate_wide(t, sum, rank_of(s->in->ranks, feature, row))) {
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
