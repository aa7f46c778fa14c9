/* The rows of a node in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROW_ORDER_H
#define RRF_ROW_ORDER_H

#include "tree/splitter.h"

/* The node's rows by ascending rank, into s->sorted. No two rows have the same rank, so that this is one order only. */
void sort_rows(splitter *s, const node_view *node, int feature);

/* Where rows of equal value share a rank: payloads are added by rank. */
/* Into s->slot, at the ranks; the caller puts the zeros back. */
void add_by_rank(splitter *s, const node_view *node, int feature, const uint32_t *payload);
/* Into s->present, for the ranks that the node has, which stand in s->present_rank. Returns how many they are. */
int gather_ranks(splitter *s, const node_view *node, int feature, const uint32_t *payload);

#endif
