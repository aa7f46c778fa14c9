/* The rule of the parallel engine: what is evaluated at a node, and which split wins. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_SEARCH_H
#define RRF_NODE_SEARCH_H

#include "engine_parallel/node_state.h"

/* The state of a search is the `own` of this rule. */
extern const rule hashed_rule;

/* The builder must not move, nor the search. */
rrf_status node_search_init(node_search *s, builder *g, const rrf_params *params, const rrf_parallel_params *parallel,
                            arena *memory);
/* Begins a tree. nodes: array for its nodes; earlier: {0} or an attempt at the same tree. */
void node_search_begin_tree(node_search *s, uint64_t stream, parallel_node *nodes, attempt earlier);
/* Removes the features that the tree has added to F. */
void node_search_end_tree(node_search *s);

/* Takes over further members of F; the first n_known of them are known. */
void known_learn(known_features *k, const int32_t *members, int n_members);
/* Empties F. */
void known_forget(known_features *k);

#endif
