/* Two classes in columns of few values. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/split_few_values.h"

/* ---- planes ---------------------------------------------------------------------------------------------------------- */

/* left: cases that go left at each cut; more: missing cases that go left as well. A rank without rows has no cut. */
static bool offer_planes(two_class *t, const uint64_t *left, int n_cuts, uint64_t more)
{
    uint64_t before = 0;
    for (int rank = 0; rank < n_cuts; ++rank) {
        uint64_t sum = left[rank] + more;
        if (left[rank] != before && two_class_promises_wide(sum, &t->filter) &&
            two_class_evaluate_wide(t, sum, (uint32_t)rank)) {
            return true;
        }
        before = left[rank];
    }
    return false;
}

static uint64_t payload_of_node(const two_class *t)
{
    return (uint64_t)t->filter.class0 << 32 | (uint32_t)t->filter.total;
}

bool planes_scan(two_class *t)
{
    scan *c = &t->scan;
    const rrf_ranks *ranks = c->in->ranks;
    uint64_t left[MAX_PLANES];
    int n_planes = scan_profile(c)->n_ranks - 1, n_present = ranks->n_present[c->column.feature];
    if (n_planes == 0) {
        return false;
    }
    node_masks masks = node_rows_masks(&c->own->node_rows, c->node, c->in->bag);
    c->read->simd->count_planes(packed_column(c), n_planes, plane_words(ranks->n), &masks, left);
    bool done = offer_planes(t, left, n_planes, 0);
    uint64_t missing = n_present <= n_planes ? payload_of_node(t) - (n_present ? left[n_present - 1] : 0) : 0;
    if (missing) {
        c->column.missing_left = true;
        done = offer_planes(t, left, n_present - 1, missing) || done;
    }
    return done;
}

/* ---- counts ---------------------------------------------------------------------------------------------------------- */

/* Number of rows below which adding up the parts costs more than they save. */
enum { MIN_ROWS_IN_PARTS = 128 };

static void count_in_parts(const uint8_t *rank, const int32_t *rows, const uint32_t *payload, int size, uint32_t *part)
{
    int i = 0;
    for (; i + N_PARTS <= size; i += N_PARTS) {
        for (int k = 0; k < N_PARTS; ++k) {
            part[k * MAX_BYTE_RANKS + rank[rows[i + k]]] += payload[i + k];
        }
    }
    for (; i < size; ++i) {
        part[rank[rows[i]]] += payload[i];
    }
}

/* Returns the sum of a rank over the parts, and clears them. */
static inline uint32_t take_parts(uint32_t *part, int rank)
{
    uint32_t sum = 0;
    for (int k = 0; k < N_PARTS; ++k) {
        sum += part[k * MAX_BYTE_RANKS + rank];
        part[k * MAX_BYTE_RANKS + rank] = 0;
    }
    return sum;
}

void count_values(const scan *c)
{
    const node_view *node = c->node;
    const uint8_t *rank = packed_column(c);
    uint32_t *slot = c->own->slot, *part = c->own->node_rows.part;
    const uint32_t *payload = node_rows_payload(&c->own->node_rows, node, c->read->payload);
    if (node->size < MIN_ROWS_IN_PARTS) {
        for (int i = 0; i < node->size; ++i) {
            slot[rank[node->rows[i]]] += payload[i];
        }
        return;
    }
    count_in_parts(rank, node->rows, payload, node->size, part);
    for (int r = 0; r < scan_profile(c)->n_ranks; ++r) {
        slot[r] = take_parts(part, r);
    }
}

void count_values_wide(const scan *c, uint64_t *slot)
{
    const node_view *node = c->node;
    uint32_t *part = c->own->node_rows.part;
    const uint32_t *payload = node_rows_payload(&c->own->node_rows, node, c->read->payload);
    for (int start = 0; start < node->size; start += c->read->rows_pack) {
        int left = node->size - start, size = left < c->read->rows_pack ? left : c->read->rows_pack;
        count_in_parts(packed_column(c), node->rows + start, payload + start, size, part);
        for (int r = 0; r < scan_profile(c)->n_ranks; ++r) {
            slot[r] += widen(take_parts(part, r));
        }
    }
}
