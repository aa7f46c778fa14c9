/* The rows of a node in the order of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROW_ORDER_H
#define RRF_ROW_ORDER_H

#include "tree/search.h"

/* Sorts the node's rows by rank into s->sorted; those of equal rank by row, or as in R if that order matters. */
void sort_rows(splitter *s, const node_view *node, int feature);
/* Sorts n words of s->packed, whose upper halves are ranks below n_ranks; equal ones by their lower halves. Returns the
 * sorted words. */
const uint64_t *sort_packed_ranks(splitter *s, int n, int n_ranks);

#endif
