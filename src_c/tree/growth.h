/* The nodes of a tree in the making: which comes next, and where its rows lie. Both builders grow trees with it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_GROWTH_H
#define RRF_GROWTH_H

#include "arena.h"
#include "tree/forest.h"

/* The status of a node that may still be split. */
enum { TO_SPLIT = 2 };

/* A node owns the range start[node] to start[node] + size[node] - 1 of the items that the tree grows on. When it is split,
 * its left daughter owns the first part of the range, and the right one the rest. */
typedef struct growth {
    tree *tree;
    int capacity;          /* the largest number of nodes */
    int32_t *start, *size; /* by node */
    int32_t *waiting;      /* nodes to come, the next one last; NULL: breadth first, by their numbers */
} growth;

/* For trees on up to n_items items. */
rrf_status growth_init(growth *g, int n_items, int max_nodes, bool depth_first, arena *memory);
/* Begins a tree, whose root owns n_items items. */
void growth_begin(growth *g, tree *t, int n_items);
/* Gives the node two daughters, to be split in their turn, the left one with n_left items. Returns the left one; the right
 * one is the next. interior: the node's status from now on. */
int growth_split(growth *g, int node, int feature, int interior, int n_left);
/* Searches a node, and splits it if that helps. */
typedef rrf_status node_splitter(void *own, int node);
/* Goes from node to node until none, or no room, is left. */
rrf_status growth_run(growth *g, node_splitter *split, void *own);

#endif
