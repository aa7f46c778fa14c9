/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/split_few_values.h"
#include "tree/split_wide.h"

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

static void fill_slots(splitter *s, const node_view *node, int feature)
{
    if (s->in->profile[feature].packed && s->in->rows_pack > 0) {
        count_values_wide(s, node, feature);
        return;
    }
    for (int i = 0; i < node->size; ++i) {
        s->scratch.wide_slot[rank_of(s->in->ranks, feature, node->rows[i])] += wide_count(s, node->rows[i]);
    }
}

static void split_slots(two_class *t)
{
    splitter *s = t->s;
    int feature = t->feature;
    uint64_t *slot = s->scratch.wide_slot;
    int n_ranks = s->in->profile[feature].n_ranks, n_present = s->in->ranks->n_present[feature];
    fill_slots(s, t->node, feature);
    scan_slots(t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        s->missing_left = true;
        scan_slots(t, slot, n_present, slot[n_present]);
        s->missing_left = false;
    }
    memset(slot, 0, (size_t)n_ranks * sizeof *slot);
}

/* The first block from `from` on that may hold a split; where payloads cannot be added in blocks, every block may. */
static int find_block(const two_class *t, const uint64_t *entries, int from, int size, uint64_t *sum)
{
    return t->s->in->rows_pack >= SIMD_BLOCK ? t->s->in->simd->find_promising_wide(entries, from, size, sum, &t->filter)
                                             : from;
}

static void split_sorted(two_class *t, const uint64_t *entries)
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
                values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
                two_class_evaluate_wide(t, sum, rank_of(s->in->ranks, feature, row));
            }
        }
        block = find_block(t, entries, end, size, &sum);
    }
}

void wide_split(two_class *t, const uint64_t *entries)
{
    if (entries) {
        split_sorted(t, entries);
    } else {
        split_slots(t);
    }
}

static bool slots_promise(const two_class *t)
{
    splitter *s = t->s;
    uint64_t *slot = s->scratch.wide_slot, sum = 0;
    int n_ranks = s->in->profile[t->feature].n_ranks;
    bool found = false;
    fill_slots(s, t->node, t->feature);
    for (int rank = 0; rank < n_ranks && !found; ++rank) {
        sum += slot[rank];
        found = slot[rank] && two_class_promises_wide(sum, &t->filter);
    }
    memset(slot, 0, (size_t)n_ranks * sizeof *slot);
    return found;
}

bool wide_may_equal_best(two_class *t, const uint64_t *entries)
{
    uint64_t sum = 0;
    return entries ? find_block(t, entries, 0, t->node->size - 1, &sum) < t->node->size - 1 : slots_promise(t);
}
