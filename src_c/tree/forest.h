/* Packed trees. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FOREST_H
#define RRF_FOREST_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rrf.h"

/* The arrays of one tree's nodes within a forest. */
typedef struct tree {
    int32_t *left, *split_var, *status;
    double *split_point, *prediction;
    uint8_t *missing_left; /* NULL in R's engine */
    uint32_t *level_set;   /* n_words: see rrf_forest */
    rrf_forest *forest;    /* where it grows */
    int size;
    int64_t n_words;
} tree;

/* Reserves room for one more tree of at most max_nodes nodes; its contents are undefined. */
rrf_status forest_reserve(rrf_forest *forest, int max_nodes, tree *t);
/* Reserves room for a tree of a parallel forest, which also stores the direction of missing values. */
rrf_status forest_reserve_parallel(rrf_forest *forest, int max_nodes, tree *t);
/* Ensures room for n more words of sets in a tree that is growing, at t->level_set + t->n_words, filled by the caller. */
rrf_status forest_reserve_sets(tree *t, int64_t n);
/* Adds the tree that was grown in the reserved room. */
void forest_append(rrf_forest *forest, const tree *t);
/* Adds a copy of a parallel tree, breadth first, whatever the order in which it grew: all readers of a forest rely on
 * that. order: t->size: for each node of the copy the node of the tree. */
rrf_status forest_add_copy(rrf_forest *forest, const tree *t, int32_t *order);
tree forest_tree(const rrf_forest *forest, int index);

#endif
