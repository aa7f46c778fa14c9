/* Which of equal splits wins at a node of the parallel engine: with R's chances, by hashes.
 *
 * R's classification takes the features one after the other, in a shuffled order, and counts ties anew with each. So the
 * incumbent is challenged by every later feature that has an equal split: by one that has k of them it is replaced with
 * probability k / (k + 1), one time in two as a rule. A late feature wins more often than an early one. A factor never
 * replaces an equal split. In R's regression nothing does.
 *
 * Whether a challenge succeeds is a hash of node and feature. Then the winner is the last feature whose challenge succeeds
 * or, where none does, the first of all: a maximum, which may be found in any order.
 *
 * With ties_first nothing is left to chance: the lowest feature wins, and of its splits the lowest cut.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_TIES_H
#define RRF_NODE_TIES_H

#include "engine_parallel/node_state.h"

/* Between the two, splits of one feature are offered. */
void ties_begin_feature(node_search *s);
void ties_end_feature(node_search *s);
/* For `own`, a node_search: a split of the feature, see rule.h. cut: a rank, or a set of levels. */
bool ties_offer(void *own, double worth, int feature, uint32_t cut);

#endif
