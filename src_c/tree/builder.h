/* Grows a tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_BUILDER_H
#define RRF_BUILDER_H

#include "tree/apply.h"
#include "tree/growth.h"
#include "tree/search.h"

/* Rows and ranks, for all of tree/:
 *
 *   A node owns a range of `rows` (growth.h), and the same range of every sorted list of the splitter. When it is split, its
 *   range is partitioned. In each daughter the rows keep their order, in `rows` and in the lists.
 *
 *   A row is split by its rank in a feature, never by its value: rank_of(row) <= cut_rank goes left. Ranks below
 *   n_present[feature] belong to values, the others to missing values, which go where the split sends them. A
 *   factor's rank is its level. */
typedef struct builder {
    /* The data for split points and predictions. The splitter uses ranks of the same rows, except in unsupervised mode,
     * where R ranks the data before it makes the synthetic class. */
    const rrf_data *data;
    const rrf_params *params;
    const rrf_ranks *ranks;
    const criterion *criterion;
    const rule *rule;
    void *rule_own;
    watch watch;
    bag bag;
    search_input input;
    splitter splitter;
    growth nodes;          /* the tree that grow_tree() is growing */
    rrf_rng *rng;          /* draws the bag */
    int32_t *rows, *spare; /* n: in-bag rows, which are the bag's; scratch */
    uint8_t *goes_left;    /* n */
    double *sums;          /* n_sums per node, for the criterion */
    int n_sums;
    uint8_t *used_in_tree;      /* p */
    struct filter_tree *filter; /* of filters/ */
} builder;

typedef struct builder_setup {
    const rrf_data *data, *ranked; /* ranked: the rows that were ranked; `data` except in unsupervised mode */
    const rrf_ranks *ranks;        /* of `ranked` */
    const rrf_target *target;
    const double *classwt; /* nclass: normalised */
    const rrf_params *params;
    const criterion *criterion;
    const rule *rule;
    void *rule_own;     /* the rule's state; made after the splitter */
    bool coef_by_depth; /* see search.h */
    bool depth_first;
    rrf_rng *rng;
    const rrf_monitor *monitor;
} builder_setup;

rrf_status builder_init(builder *g, const builder_setup *setup, arena *memory);
/* Returns whether a node of the current tree is still to be searched, and its view: its rows do not move before it is
 * split. */
bool builder_will_search(const builder *g, int node);
node_view builder_view(const builder *g, int node);
/* Finds the terminal nodes of rows in the last tree. */
void builder_apply(const builder *g, const tree *t, const int32_t *rows, int n_rows, int32_t *nodes);
/* Called when the ranks have changed. */
void builder_read_ranks(builder *g);
/* Moves the rows that a node's best split sends left to the front of its range, and stores the split point: R's
 * movedata. *n_left: their number. */
rrf_status move_data(builder *g, const node_view *node, int *n_left);
/* Grows a tree on the bag's rows; t->size is 1 if its root could not be split. */
rrf_status grow_tree(builder *g, tree *t);

#endif
