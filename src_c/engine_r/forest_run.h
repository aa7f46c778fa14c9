/* A forest of R's engine, tree by tree. A table has the functions that differ between classes and regression.
 *
 *   class_forest.c, regression_forest.c ──► forest_run.c ──► the table: bag and tree, votes or means, importance
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FOREST_RUN_H
#define RRF_FOREST_RUN_H

#include "answers/oob.h"
#include "answers/statistics.h"
#include "monitor.h"

typedef struct forest_kind {
    /* Draws a bag and grows a tree on it. */
    rrf_status (*grow)(void *own, tree *t);
    /* Finds the terminal nodes of rows of the training data. rows NULL: the first n_rows. */
    void (*apply)(const void *own, const tree *t, const int32_t *rows, int n_rows, int32_t *leaves);
    /* Adds the votes or the means of the tree for the rows out of bag and for the test set. */
    void (*predict)(void *own, const tree *t);
    /* Adds the permutation importance of the tree. */
    rrf_status (*permute)(void *own, const tree *t);
    /* Called after the last tree and all other functions; NULL: not needed. */
    void (*finish)(void *own);
} forest_kind;

typedef struct forest_run {
    const forest_kind *kind;
    void *own; /* argument of these functions */
    arena memory;
    const rrf_data *train, *test; /* test NULL: there is no test set */
    const rrf_params *params;
    const rrf_ranks *ranks; /* the caller's, or NULL */
    rrf_rng *rng;
    const rrf_monitor *monitor;
    rrf_forest *forest;
    forest_statistics statistics; /* n_measures and the caller's arrays are set in advance */
    /* Of the builder: */
    watch *watch;
    const int32_t *count;    /* n: times a row is in the bag */
    const feature_set *used; /* F */
    int max_nodes;
    /* The current tree: */
    int n_grown; /* number of trees including it */
    oob_sample oob;
    int32_t *leaves, *test_leaves; /* n, n_test: terminal node of a row */
} forest_run;

/* Returns whether the required arrays of the statistics exist. */
bool forest_run_has_buffers(const forest_run *f);
/* Grows all trees and finishes the statistics. */
rrf_status forest_run_trees(forest_run *f);

#endif
