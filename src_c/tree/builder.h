/* Grows a tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_BUILDER_H
#define RRF_BUILDER_H

#include "tree/forest.h"
#include "tree/splitter.h"

typedef struct node_search node_search;

typedef struct builder {
    /* What split points and predictions read; the splitter searches the same rows, except in unsupervised mode, where R
     * ranks the data before it makes the second class. */
    const rrf_data *data;
    const rrf_params *params;
    const rrf_parallel_params *parallel; /* NULL: R's engine */
    node_search *search;             /* the parallel engine's; NULL: R's walk */
    watch watch;
    bag bag;
    rrf_ranks *ranks;
    splitter splitter;
    rrf_rng *rng;
    int32_t *rows, *spare;   /* n: in-bag rows; a node owns a range */
    uint8_t *goes_left;      /* n */
    int32_t *start, *n_rows; /* by node */
    double *class_total;     /* nclass by node */
    int node_capacity;
    uint8_t *used_in_tree; /* p */
    double *gini;          /* p: sum of the decreases in impurity */
} builder;

/* ranked: what the splitter searches; data itself but in unsupervised mode. ranks: its columns, which builder_rank made. */
rrf_status builder_init(builder *g, const rrf_data *data, const rrf_data *ranked, rrf_ranks *ranks, const int32_t *y,
                       const double *response, int nclass, const double *classwt, const rrf_params *params,
                       const rrf_parallel_params *parallel, const int32_t *used, double *gini, rrf_rng *rng,
                       const rrf_monitor *monitor);
void builder_free(builder *g);
/* Nodes that a tree can have at most. */
int builder_max_nodes(const builder *g);
/* Grows a tree on the bag's rows; t->size is 1 when its root could not be split. */
rrf_status grow_tree(builder *g, tree *t);

#endif
