/* The features that a node of the parallel engine draws.
 *
 * R's shuffle (engine_r/candidates.h) would not do: a node is grown again when F has grown, and then has to draw the same
 * features in the same order, whichever of them are in F by now. So it draws numbers of a stream of its own, and passes over
 * those that it has drawn before. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_DRAWS_H
#define RRF_NODE_DRAWS_H

#include "engine_parallel/node_state.h"

/* Draws features with these chances, over p features, from the F that is known now on; they must outlive the search's use,
 * which changes them. NULL: equal ones. */
void draws_take_chances(node_search *s, chances *c);
/* Lists what a node with the random stream `key` looks at into s->list: F, where its members join, then the features that
 * are drawn. Returns how many they are. */
int draws_list(node_search *s, uint64_t key);
/* The feature that the same node draws next; -1: none is left. */
int draws_more(node_search *s);

/* The feature enters F, and is no longer among those that are drawn. */
void draws_without(node_search *s, int feature);

/* The draws of equal probability, members of F among them. draws_next() gives the next feature that the node has not drawn
 * yet. draws_end_list() marks the end of those that make up the list. */
void draws_begin(node_search *s, uint64_t key);
int draws_next(node_search *s);
void draws_end_list(node_search *s);

/* The turn of a candidate in the order of the node, which is RRF's: a shuffle of all features. The least turn comes first;
 * members of F that were not drawn with the list come after it. */
uint64_t draws_turn(const node_search *s, int feature);

#endif
