/* What the files of the parallel engine share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PARALLEL_H
#define RRF_PARALLEL_H

#include "answers/statistics.h"
#include "engine_parallel/node_search.h"
#include "tree/builder.h"
#include "threads/pool.h"

/* What all trees of a parallel forest, and a worker of single trees, have in common. */
typedef struct parallel_base {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    const rrf_parallel_params *parallel;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks;  /* to be freed; NULL: the caller's */
    double *classwt;       /* nclass: normalised */
    double *row_weight;    /* n: mean 1; NULL: none */
    double *centred;       /* n: the response less its median; NULL for classes */
    double location;       /* that median, which is added to the predictions */
    int32_t *all_features; /* 0, 1, ..., p - 1 */
    bool expects_all;      /* many rows and few features: the first tree will take all of them into F */
} parallel_base;

/* The random stream of a tree of the forest. */
static inline uint64_t tree_stream(const parallel_base *base, int index)
{
    return base->parallel->first_tree + (uint64_t)index;
}

/* ranks NULL: the columns are ranked here, on n_jobs threads; whoever makes the base frees them, also where it fails.
 * classwt: nclass, filled in. */
rrf_status parallel_base_init(parallel_base *base, const rrf_data *data, const rrf_target *target,
                              const rrf_params *params, const rrf_parallel_params *parallel, const rrf_ranks *ranks,
                              double *classwt, const rrf_monitor *monitor, arena *memory);
/* Weights count relative to their mean, so that the least weight of a daughter means the same for all. False when they are
 * all zero. */
bool parallel_scale_weights(const double *weight, int n, double *scaled);

/* One thread's means of growing trees. */
typedef struct parallel_worker {
    arena memory; /* of all that is the thread's */
    builder builder;
    node_search search;
    rrf_rng rng;
    double location;      /* of the responses in the bag, which are centred */
    parallel_node *nodes; /* builder.nodes.capacity: of the tree in the making */
    bool guesses;         /* what the search knows of F is a guess */
} parallel_worker;

/* Of zeros; w->memory is to be freed, also where it fails. What the worker does asks builder.watch.monitor, which is whoever
 * may stop it at the time. */
rrf_status parallel_worker_init(parallel_worker *w, parallel_base *base);
/* Draws the bag of a tree; what its stream gives next is for nothing else. */
rrf_status parallel_draw_bag(parallel_worker *w, uint64_t stream);
/* Grows a tree on the worker's bag, and leaves what is kept of its nodes in w->nodes. */
rrf_status parallel_grow(parallel_worker *w, uint64_t stream, attempt earlier, tree *t);

/* Adds the permutation importance, the bags and the proximity of a grown forest. */
rrf_status parallel_oob_statistics(parallel_base *base, const rrf_forest *forest, parallel_worker *workers, int n_jobs,
                                   const rrf_monitor *monitor, const forest_statistics *statistics);

#endif
