/* The features that a node of the parallel engine draws.
 *
 * R's shuffle (engine_r/candidates.h) would not do: a node is grown again when F has grown, and then has to draw the same
 * features in the same order, whichever of them are in F by now. So it draws numbers of a stream of its own, and passes over
 * those that it has drawn before. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_DRAWS_H
#define RRF_NODE_DRAWS_H

#include "random/chances.h"
#include "tree/feature_set.h"
#include "tree/search.h"

/* When a feature was drawn. */
typedef struct drawn {
    uint32_t stamp; /* of the last node that drew it */
    uint32_t at;    /* which number of that node's stream it was */
} drawn;

typedef struct node_draws {
    int p, mtry;
    bool members_join;    /* F is looked at in every node, and mtry others; otherwise mtry of all features */
    const feature_set *f; /* F */
    const splitter *splitter;
    chances *chances;       /* the features' probabilities; NULL: equal ones */
    int n_outside;          /* features that can be drawn, with unequal ones */
    int64_t chance_outside; /* their weights in all */
    drawn *drawn;           /* p */
    uint32_t stamp;
    /* Of a node: */
    uint64_t key;     /* its stream */
    uint64_t n_words; /* numbers of it that are used up */
    uint64_t n_turns; /* of these, what it took to draw the features of the list */
    int n_left;       /* features that can still be drawn */
    int patience;     /* draws that may still be wasted, with unequal probabilities */
} node_draws;

/* Draws features with these chances, over p features, from the F that is known now on; they must outlive the search's use,
 * which changes them. NULL: equal ones. */
void draws_take_chances(node_draws *d, chances *c);
/* Lists what a node with the random stream `key` looks at: F, where its members join, then the features that are drawn.
 * Returns how many they are. */
int draws_list(node_draws *d, uint64_t key, int32_t *list);
/* The feature that the same node draws next; -1: none is left. */
int draws_more(node_draws *d);

/* The feature enters F, and is no longer among those that are drawn. */
void draws_without(node_draws *d, int feature);

/* The draws of equal probability, members of F among them. draws_next() gives the next feature that the node has not drawn
 * yet. draws_end_list() marks the end of those that make up the list. */
void draws_begin(node_draws *d, uint64_t key);
int draws_next(node_draws *d);
void draws_end_list(node_draws *d);

/* The turn of a candidate in the order of the node, which is RRF's: a shuffle of all features. The least turn comes first;
 * members of F that were not drawn with the list come after it. */
uint64_t draws_turn(const node_draws *d, int feature);

#endif
