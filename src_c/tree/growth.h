/* The nodes of a growing tree: their order, and the ranges of their rows. Both builders grow trees with it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_GROWTH_H
#define RRF_GROWTH_H

#include "arena.h"
#include "tree/forest.h"

/* The status of a node that may still be split. */
enum { TO_SPLIT = 2 };

/* A node owns the range start[node] to start[node] + size[node] - 1 of the tree's items. When it is split, its left
 * daughter owns the first part of the range, and the right one the rest. */
typedef struct growth {
    tree *tree;
    int capacity;          /* the largest number of nodes */
    int32_t *start, *size; /* by node */
    int32_t *waiting;      /* stack of nodes to split, the next one last; NULL: breadth first, by number */
} growth;

/* Allocates arrays for trees on up to n_items items. */
rrf_status growth_init(growth *g, int n_items, int max_nodes, bool depth_first, arena *memory);
/* Begins a tree, whose root owns n_items items. */
void growth_begin(growth *g, tree *t, int n_items);
/* Adds two daughters to a node, the left one with n_left items. Returns the left one; the right one is the next.
 * interior: the new status of the node. */
int growth_split(growth *g, int node, int feature, int interior, int n_left);
/* Searches a node, and splits it if that helps. */
typedef rrf_status node_splitter(void *own, int node);
/* Splits nodes until none, or no room, is left. */
rrf_status growth_run(growth *g, node_splitter *split, void *own);

#endif
