/* F counted at once: its features lie side by side in the lanes of vectors (data/simd.h). Two classes in whole numbers; more of
 * them in class_lanes.c.
 *
 * Nothing is sorted. Where the features of a vector have few ranks, there is a cut after each rank. In nodes of few rows there
 * is one after the rank of each row. What goes left at a cut is the payload of the rows whose rank is at most the cut's.
 * From that comes a bound on what a feature's best cut is worth; a feature whose bound does not reach the best split at its
 * turn is passed over.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_LANES_H
#define RRF_LANES_H

#include "filters/lanes/node_lanes.h"

/* Lanes where they can be used: classes in whole numbers, and features that are exempt from coefReg once they are in F. */
rrf_status lanes_init(splitter *s);
/* After the splitter has begun a tree: lanes for the members of F. */
rrf_status lanes_begin_tree(splitter *s, const int32_t *members, int n_members);
/* F has grown within a tree. */
void lanes_add(splitter *s, int feature);
/* The ranks have changed. */
void lanes_forget(splitter *s);
/* Begins the search of a node that looks at all of F. */
void lanes_begin_node(splitter *s, const node_view *node);
/* Offers the cuts of a member of F that may equal the best split. Where R's order matters none is offered; LANES_FOUND then
 * says that there may be one. LANES_UNKNOWN: the feature is to be evaluated in another way. */
lanes_answer lanes_try(splitter *s, const node_view *node, int feature);

/* Whether the feature, if it is in F, is served by lanes at the node. */
static inline bool lanes_serve(const splitter *s, const node_view *node, int feature)
{
    const node_lanes *l = s->filter->lanes;
    int lane = l && l->node == node->number ? l->members.lane[feature] : -1;
    return lane >= 0 && lane < l->n_vectors * RANK_LANES && l->cuts[lane / RANK_LANES].n_cuts > 0;
}

#endif
