/* A forest of R's engine, tree by tree. What classes and regression do differently is in a table.
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
    /* Sends rows of the training data down the tree. rows NULL: the first n_rows. */
    void (*apply)(const void *own, const tree *t, const int32_t *rows, int n_rows, int32_t *leaves);
    /* Adds the votes of the tree, or its means, for the rows out of bag and for the test set. */
    void (*predict)(void *own, const tree *t);
    /* Adds what the rows out of bag lose when a feature is permuted. */
    rrf_status (*permute)(void *own, const tree *t);
    /* After the last tree and all else; NULL: there is nothing to do. */
    void (*finish)(void *own);
} forest_kind;

typedef struct forest_run {
    const forest_kind *kind;
    void *own; /* what its functions get */
    arena memory;
    const rrf_data *train, *test; /* test NULL: there is no test set */
    const rrf_params *params;
    const rrf_ranks *ranks; /* the caller's, or NULL */
    rrf_rng *rng;
    const rrf_monitor *monitor;
    rrf_forest *forest;
    forest_statistics statistics; /* n_measures and the caller's arrays are set before */
    /* Of the builder: */
    watch *watch;
    const int32_t *count;    /* n: times a row is in the bag */
    const feature_set *used; /* F */
    int max_nodes;
    /* The tree in hand: */
    int n_grown; /* trees with it */
    oob_sample oob;
    int32_t *leaves, *test_leaves; /* n, n_test: terminal node of a row */
} forest_run;

/* Whether the statistics have the arrays that a fit writes to without asking. */
bool forest_run_has_buffers(const forest_run *f);
/* Grows all trees and finishes the statistics. */
rrf_status forest_run_trees(forest_run *f);

#endif
