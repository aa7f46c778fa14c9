/* Counting of all features of F together, in the lanes of vectors (simd.h). Two classes in whole numbers; more of them
 * in class_lanes.c.
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

/* Allocates lanes if they can be used: classes are counted in whole numbers, and members of F are exempt from coefReg. */
rrf_status lanes_init(splitter *s);
/* Called after the splitter has begun a tree: assigns lanes to the members of F. */
rrf_status lanes_begin_tree(splitter *s, const int32_t *members, int n_members);
/* Called when F has grown within a tree. */
void lanes_add(splitter *s, int feature);
/* Called when the ranks have changed. */
void lanes_forget(splitter *s);
/* Begins the search of a node whose candidates include F. */
void lanes_begin_node(splitter *s, const node_view *node);
/* Offers the cuts of a member of F that may equal the best split. If sums depend on R's order, none is offered;
 * LANES_FOUND then means that there may be one. LANES_UNKNOWN: the feature must be evaluated in another way. */
lanes_answer lanes_try(splitter *s, const node_view *node, int feature);

/* Returns whether the feature, if it is in F, has a lane that is used at the node. */
static inline bool lanes_serve(const splitter *s, const node_view *node, int feature)
{
    const node_lanes *l = s->filter->lanes;
    int lane = l && l->node == node->number ? l->members.lane[feature] : -1;
    return lane >= 0 && lane < l->n_vectors * RANK_LANES && l->cuts[lane / RANK_LANES].n_cuts > 0;
}

#endif
