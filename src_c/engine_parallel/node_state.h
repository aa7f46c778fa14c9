/* What the search of a node of the parallel engine works with. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_STATE_H
#define RRF_NODE_STATE_H

#include <stdatomic.h>

#include "engine_parallel/gains.h"
#include "random/chances.h"
#include "tree/feature_set.h"
#include "tree/builder.h"

/* What is kept of a node of a parallel tree. */
typedef struct parallel_node {
    uint64_t key; /* of its random stream: it depends on the way from the root, not on the node's number */
    split best;
    double decrease; /* of impurity; 0 in a terminal node */
    int32_t depth;
    int32_t left;    /* left daughter, or 0 */
    int32_t hint;    /* the same node, with the same rows, of an earlier attempt at the tree; -1: none */
    int32_t n_known; /* features that F was known to hold when the node was searched, besides the tree's own */
    bool searched;
    bool sorted; /* the features that F was known to hold have sorted lists of its rows */
} parallel_node;

/* The feature under evaluation among those before it (node_ties.c). */
typedef struct node_ties {
    split incumbent;   /* the best split before it */
    int n_equal;       /* its splits that are as good as the best; 0: none is */
    uint64_t priority; /* of the one that leads among them */
} node_ties;

/* An earlier attempt at the tree, made when F was smaller. Where nothing that has changed since could have won, its splits
 * stand. */
typedef struct attempt {
    const parallel_node *nodes; /* NULL: none */
    int size;                   /* nodes */
} attempt;

/* When a feature was drawn. */
typedef struct drawn {
    uint32_t stamp; /* of the last node that drew it */
    uint32_t at;    /* which number of that node's stream it was */
} drawn;

/* The draws of a node, one after the other (node_draws.c). */
typedef struct node_draws {
    uint64_t key;     /* the node's stream */
    uint64_t n_words; /* numbers of it that are used up */
    uint64_t n_turns; /* of these, what it took to draw the features of the list */
    int n_left;       /* features that can still be drawn */
    int patience;     /* draws that may still be wasted, with unequal probabilities */
} node_draws;

typedef struct node_search {
    splitter *splitter;
    sorted_rows *sorted_rows; /* of known members of F */
    const rrf_parallel_params *parallel;
    int p, mtry;
    bool members_join; /* F is looked at in every node, and mtry others; otherwise mtry of all features */
    bool first_wins;   /* of equal splits the first one wins: numbers, and ties_first */
    bool lowest_wins; /* features stand by their numbers, not by their draws; so do the classes of a leaf: ties_first */
    uint64_t seed;
    chances *chances;       /* the features' probabilities; NULL: equal ones */
    int n_outside;          /* features that can be drawn, with unequal ones */
    int64_t chance_outside; /* their weights in all */
    /* F: first what is known of it from the trees before, n_known features, then what the tree has added. */
    feature_set f;
    int n_known;
    int32_t *known_at; /* p: place of a known member; INT32_MAX for others */
    /* F as other trees leave it meanwhile, to be taken over from node to node; n_shared NULL: it does not change. */
    const int32_t *shared;
    const atomic_int *n_shared;
    const int32_t *expected; /* p: features whose rows are sorted as long as F is empty; NULL: none */
    /* Draws of a node. */
    drawn *drawn; /* p */
    uint32_t stamp;
    double *most;  /* p: the most that each feature of the list may be worth */
    int32_t *list; /* p: features to evaluate */
    node_draws draws;
    node_ties ties;
    gains_writer gains; /* of the candidates, where they are wanted */
    /* The tree in the making. */
    uint64_t key; /* of the node under search */
    parallel_node *nodes;
    attempt earlier;
    int32_t
        *brought_in_at;  /* p: first node of the earlier attempt that a feature of the group splits; INT32_MAX: none */
    int32_t *brought_in; /* the features that the earlier attempt splits on, and their groups */
    int n_brought_in;
    int64_t n_searched; /* nodes searched in full, this tree */
    bool changed;       /* the tree differs from the earlier attempt */
} node_search;

#endif
