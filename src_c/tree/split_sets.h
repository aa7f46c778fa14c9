/* Sets of a factor's levels that go left: all of them, or random ones. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_SETS_H
#define RRF_SPLIT_SETS_H

#include "tree/search.h"

/* They offer the best set. s->level_total holds the node's sums by level and class; present: the levels that have rows. */
void split_all_sets(splitter *s, const node_view *node, int feature, uint32_t present);
void split_random_sets(splitter *s, const node_view *node, int feature, uint32_t present);
/* Random ones of more than 32 levels. */
void split_wide_sets(splitter *s, const node_view *node, int feature, uint64_t present);

#endif
