/* What the files of the native engine share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NATIVE_H
#define RRF_NATIVE_H

#include "pool.h"
#include "search.h"

/* What all trees of a native forest, and a grower of single trees, have in common. */
typedef struct native_base {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    const rrf_native_params *native;
    columns cols;
    double *classwt;       /* nclass: normalised */
    double *row_weight;    /* n: mean 1; NULL: none */
    int32_t *all_features; /* 0, 1, ..., p - 1 */
    bool expects_all;      /* so many rows for few features that the first tree will take all of them into F */
} native_base;

/* classwt: nclass, filled in. Ranks the columns on n_jobs threads. */
rrf_status native_base_init(native_base *base, const rrf_data *data, const rrf_target *target, const rrf_params *params,
                            const rrf_native_params *native, double *classwt, const rrf_monitor *monitor);
void native_base_free(native_base *base);
/* Weights count relative to their mean, so that the least weight of a daughter means the same for all. False when they are
 * all zero. */
bool native_scale_weights(const double *weight, int n, double *scaled);

/* One thread's means of growing trees. */
typedef struct native_worker {
    grower grower;
    node_search search;
    rrf_rng rng;
} native_worker;

/* What the worker does asks grower.watch.monitor, which is whoever may stop it at the time. */
rrf_status native_worker_init(native_worker *w, native_base *base);
void native_worker_free(native_worker *w);
/* Draws the bag of a tree; what its stream gives next is for nothing else. */
void native_draw_bag(native_worker *w, uint64_t stream);
/* Grows a tree on the worker's bag. nodes: room for grower_max_nodes(). */
rrf_status native_grow(native_worker *w, uint64_t stream, native_node *nodes, attempt earlier, tree *t);

/* native_reports.c: permutation importance, bags and proximity of a grown forest. */
rrf_status native_report(native_base *base, const rrf_forest *forest, native_worker *workers, int n_jobs,
                         const rrf_monitor *monitor, rrf_native_result *result);

/* native_pairs.c: adds up which rows share a leaf, in n_trees trees: leaves of all n rows and, of pairs out of bag, their
 * bags. */
typedef struct pair_count {
    double *proximity;  /* n x n */
    int32_t *oob_pairs; /* n x n, or NULL: all pairs count */
    const int32_t *const *leaves, *const *bags;
    int n, n_trees;
} pair_count;

rrf_status native_count_pairs(const pair_count *pairs, int n_jobs, const rrf_monitor *monitor);

#endif
