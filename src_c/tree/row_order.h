/* The rows of a node in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROW_ORDER_H
#define RRF_ROW_ORDER_H

#include "tree/search.h"

/* The node's rows by ascending rank into s->sorted, and those of equal rank by row, or as in R where that order matters. */
void sort_rows(splitter *s, const node_view *node, int feature);

/* The next two are for ranks that equal values share; they add up the payloads of each rank. */
/* Into s->slot, at the ranks; the caller puts the zeros back. */
void add_by_rank(splitter *s, const node_view *node, int feature, const uint32_t *payload);
/* Into s->present, for the ranks of the node, which are written to s->present_rank. Returns their number. */
int gather_ranks(splitter *s, const node_view *node, int feature, const uint32_t *payload);

/* The payloads of the node's rows by ascending rank into s->present, and these ranks into s->present_rank: an entry for each
 * row. shared: rows may share a rank. */
void sort_payloads(splitter *s, const node_view *node, int feature, const uint32_t *payload, bool shared);

/* Sorts n words of s->packed, whose upper halves are ranks below n_ranks; equal ones in any order. Returns where they are. */
const uint64_t *sort_packed_ranks(splitter *s, int n, int n_ranks);

#endif
