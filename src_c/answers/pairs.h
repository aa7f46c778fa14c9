/* Proximity on several threads.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PAIRS_H
#define RRF_PAIRS_H

#include "monitor.h"

/* Counts of the trees in which two rows share a leaf, for n_trees trees: their leaves of all n rows and, if only pairs
 * out of bag count, their bags. */
typedef struct pair_count {
    double *proximity;  /* n x n, in the layout of proximity_add */
    int32_t *oob_pairs; /* n x n, or NULL if all pairs count */
    const int32_t *const *leaves, *const *bags;
    int n, n_trees;
    bool quirks; /* as in proximity_add */
} pair_count;

rrf_status count_pairs(const pair_count *pairs, int n_jobs, const rrf_monitor *monitor);
/* Adds the pairs of one tree, on several threads if there are many. */
rrf_status count_pairs_of_tree(const pair_count *pairs, int n_jobs, watch *watch);

#endif
