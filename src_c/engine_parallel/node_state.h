/* The state of the search of a node of the parallel engine. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_STATE_H
#define RRF_NODE_STATE_H

#include <stdatomic.h>

#include "engine_parallel/gains.h"
#include "engine_parallel/node_draws.h"
#include "engine_parallel/node_ties.h"
#include "tree/builder.h"

/* The stored state of a node of a parallel tree. */
typedef struct parallel_node {
    uint64_t key; /* key of its random stream: it depends on the path from the root, not on the node's number */
    split best;
    double decrease; /* of impurity; 0 in a terminal node */
    int32_t depth;
    int32_t left;    /* left daughter, or 0 */
    int32_t hint;    /* the same node, with the same rows, of an earlier attempt at the tree; -1: none */
    int32_t n_known; /* number of known members of F when the node was searched, without those that the tree added */
    bool searched;
} parallel_node;

/* An earlier attempt at the tree, made with a smaller F. Its splits are reused where no later change can win. */
typedef struct attempt {
    const parallel_node *nodes; /* NULL: none */
    int size;                   /* nodes */
} attempt;

/* F: first the n_known features known from the trees before, then those that the tree has added. */
typedef struct known_features {
    feature_set f;
    int n_known;
    int32_t *known_at; /* p: position of a known member; INT32_MAX for others */
    /* F as changed by other trees meanwhile, which is taken over from node to node; n_shared NULL: it does not change. */
    const int32_t *shared;
    const atomic_int *n_shared;
    const int32_t *expected; /* p: features that are expected to become members, as long as F is empty; NULL: none */
} known_features;

/* The tree in progress. */
typedef struct tree_in_work {
    parallel_node *nodes;
    attempt earlier;
    int64_t n_searched; /* number of nodes searched in full */
    bool changed;       /* it differs from the earlier attempt */
} tree_in_work;

typedef struct node_search {
    splitter *splitter;
    const rrf_parallel_params *parallel;
    uint64_t seed;
    known_features known;
    node_draws draws;
    int32_t *list; /* p: features to evaluate */
    node_ties ties;
    gains_writer gains; /* of the candidates, if requested */
    tree_in_work tree;
    struct regrow *regrow; /* of filters/ */
} node_search;

#endif
