/* The features that a node of the parallel engine draws. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_DRAWS_H
#define RRF_NODE_DRAWS_H

#include "parallel/node_search.h"

/* Lists what a node with the random stream `key` looks at into s->list: F, where its members join, then the features that
 * are drawn. Returns how many they are. */
int draws_list(node_search *s, uint64_t key);
/* The feature that the same node draws next; -1: none is left. */
int draws_more(node_search *s);

/* The draws of equal probability, members of F among them. draws_next() gives the next feature that the node has not drawn yet; *i, from
 * 0, counts the draws. */
void draws_begin(node_search *s);
int draws_next(node_search *s, uint64_t key, uint64_t *i);

#endif
