/* The payloads of a node's rows in the order of a numeric feature, and its rows in R's order.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PAYLOADS_H
#define RRF_PAYLOADS_H

#include "filters/state.h"

/* The first two are for ranks that equal values share; they add up the payloads of each rank. */
/* Into the slots, at the ranks; the caller clears them. */
void add_by_rank(const scan *c);
/* Into `present`, for the ranks of the node, which are written to `present_rank`. Returns their number. */
int gather_ranks(const scan *c);
/* The payloads of the node's rows by ascending rank into `present`, and these ranks into `present_rank`: an entry for each
 * row. shared: rows may share a rank. */
void sort_payloads(const scan *c, bool shared);
/* The hook of sort_rows(). */
bool sort_rows_faster(splitter *s, const node_view *node, int feature);

#endif
