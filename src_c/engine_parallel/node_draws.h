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

/* The time at which a feature was drawn. */
typedef struct drawn {
    uint32_t stamp; /* of the last node that drew it */
    uint32_t at;    /* index in that node's stream of the number for the draw */
} drawn;

typedef struct node_draws {
    int p, mtry;
    bool members_join;    /* the candidates of every node are F and mtry others; otherwise mtry of all features */
    const feature_set *f; /* F */
    const splitter *splitter;
    chances *chances;       /* probabilities of the features; NULL: equal */
    int n_outside;          /* features that can be drawn, with unequal probabilities */
    int64_t chance_outside; /* sum of their weights */
    drawn *drawn;           /* p */
    uint32_t stamp;
    /* State of a node: */
    uint64_t key;     /* its stream */
    uint64_t n_words; /* numbers of the stream used so far */
    uint64_t n_turns; /* of these, the numbers used for the features of the list */
    int n_left;       /* features that can still be drawn */
    int patience;     /* wasted draws that are left before features are excluded, with unequal probabilities */
} node_draws;

/* Begins to draw p features with these probabilities, given the current F; the search changes the probabilities, which
 * must outlive it. NULL: equal ones. */
void draws_take_chances(node_draws *d, chances *c);
/* Lists the candidates of a node with the random stream `key`: the members of F, if they are candidates, then the drawn
 * features. Returns their number. */
int draws_list(node_draws *d, uint64_t key, int32_t *list);
/* Returns the feature that the same node draws next; -1: none is left. */
int draws_more(node_draws *d);

/* Adds the feature to F, so that it is not drawn any more. */
void draws_without(node_draws *d, int feature);

/* Draws with equal probability, members of F included. draws_next() returns the next feature that the node has not
 * drawn before. draws_end_list() marks the end of the draws for the list. */
void draws_begin(node_draws *d, uint64_t key);
int draws_next(node_draws *d);
void draws_end_list(node_draws *d);

/* Returns the position of a candidate in the order of the node, which is RRF's: a shuffle of all features. The lowest
 * comes first; members of F that were not drawn for the list come after it. */
uint64_t draws_turn(const node_draws *d, int feature);

#endif
