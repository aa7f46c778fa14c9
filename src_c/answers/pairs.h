/* Proximity on several threads.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PAIRS_H
#define RRF_PAIRS_H

#include "monitor.h"

/* How often two rows share a leaf in n_trees trees: the leaves of all n rows and, where only pairs out of bag count, the
 * bags. */
typedef struct pair_count {
    double *proximity;  /* n x n, as proximity_add fills it */
    int32_t *oob_pairs; /* n x n, or NULL: all pairs count */
    const int32_t *const *leaves, *const *bags;
    int n, n_trees;
    bool quirks; /* as in proximity_add */
} pair_count;

rrf_status count_pairs(const pair_count *pairs, int n_jobs, const rrf_monitor *monitor);
/* The pairs of one tree, on several threads where there are many. */
rrf_status count_pairs_of_tree(const pair_count *pairs, int n_jobs, watch *watch);

#endif
