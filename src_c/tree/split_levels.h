/* Factors with ordered levels, node by node: the best cut between them. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_LEVELS_H
#define RRF_SPLIT_LEVELS_H

#include "tree/search.h"

/* Returns whether the levels of a factor are ordered; otherwise sets of them are tried. */
static inline bool levels_are_ordered(const search_input *in, int feature)
{
    return in->data->ncat[feature] >= in->least_ordered;
}

/* Allocates scratch; NULL if no factor's levels are ordered. */
struct level_order *level_order_new(const search_input *in, arena *memory);
/* Offers the cuts between the ordered levels. If the levels fit into 32 bits, a cut is a set of levels; for wider
 * factors it is the number of levels that go left. */
void split_levels(splitter *s, const node_view *node, const column *c);
/* Writes the set of levels that the best split, of a wide factor, sends left: a bit for each level, in words of 32.
 * Levels without rows in the node go to the larger daughter. */
void levels_write(splitter *s, const node_view *node, const split *best, uint32_t *set);

#endif
