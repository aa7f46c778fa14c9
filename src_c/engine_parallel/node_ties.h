/* Ties between splits at a node of the parallel engine, with R's probabilities, by hashes.
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

#include "engine_parallel/node_draws.h"

typedef struct node_ties {
    const node_draws *draws; /* of the node: the order of the features */
    bool first_wins;         /* the first of equal splits wins: in regression, and with ties_first */
    bool lowest_wins;        /* features are ordered by number, not by draw, as are the classes of a leaf: ties_first */
    uint64_t key;            /* of the current node */
    /* The current feature: */
    split incumbent;   /* the best split before it */
    int n_equal;       /* number of its splits that equal the best; 0: none */
    uint64_t priority; /* priority of the leader among them */
} node_ties;

/* The splits of one feature are offered between these two calls. */
void ties_begin_feature(node_ties *t, const split *best);
void ties_end_feature(node_ties *t, split *best);
/* Offers a split of the feature, see rule.h. cut: a rank, or a set of levels. */
bool ties_offer(node_ties *t, split *best, const column *c, double worth, uint32_t cut);

#endif
