/* Grows one regression tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_TREE_H
#define RRF_REGRESSION_TREE_H

#include "engine_r/regression_split.h"
#include "tree/growth.h"

typedef struct regression_builder {
    const rrf_data *data;
    const rrf_params *params;
    watch watch;
    rrf_rng *rng;
    regression_bag bag;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks; /* owned; NULL: those of the caller */
    regression_search search;
    growth nodes;                     /* the nodes' items are cases */
    bag_case *cases, *spare_cases;    /* a node owns a range of the cases */
    uint8_t *goes_left;               /* n: by row */
    int n_means;                      /* nodes whose means are known */
    uint8_t *used_in_tree;            /* p */
    double *decrease;                 /* p: sums of the decreases */
    struct regression_filter *filter; /* of filters/ */
} regression_builder;

typedef struct regression_setup {
    const rrf_data *data;
    const double *y; /* n */
    const rrf_params *params;
    const rrf_ranks *ranks; /* the caller's, or NULL */
    const int32_t *used;    /* p: F at the start; NULL: it is empty */
    double *decrease;       /* p */
    rrf_rng *rng;
    const rrf_monitor *monitor;
} regression_setup;

rrf_status regression_builder_init(regression_builder *g, const regression_setup *setup, arena *memory);
/* Grows a tree on the bag's draws; it may be a single node. */
rrf_status grow_regression_tree(regression_builder *g, tree *t);

/* Updates the mean with one more case, with R's rounding: the sum divided by the count would round differently. */
static inline double mean_with(double mean, double y, int before)
{
    return (before * mean + y) / (before + 1);
}

#endif
