/* Declarations shared by the files of the parallel engine. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PARALLEL_H
#define RRF_PARALLEL_H

#include "answers/statistics.h"
#include "engine_parallel/node_search.h"
#include "tree/builder.h"
#include "threads/pool.h"

/* State shared by all trees of a parallel forest, or by a worker of single trees. */
typedef struct parallel_base {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    const rrf_parallel_params *parallel;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks;  /* owned; NULL: those of the caller */
    double *classwt;       /* nclass: normalised */
    double *row_weight;    /* n: mean 1; NULL: none */
    double *centred;       /* n: the response minus its median; NULL for classes */
    double location;       /* the median of the response, added to the predictions */
    int32_t *all_features; /* 0, 1, ..., p - 1 */
    bool expects_all;      /* many rows and few features: the first tree is expected to take all of them into F */
} parallel_base;

/* Returns the key of the random stream of a tree of the forest. */
static inline uint64_t tree_stream(const parallel_base *base, int index)
{
    return base->parallel->first_tree + (uint64_t)index;
}

/* Prepares the state. ranks NULL: the columns are ranked here, on n_jobs threads; the caller frees them, also after a
 * failure. classwt: nclass, filled in. */
rrf_status parallel_base_init(parallel_base *base, const rrf_data *data, const rrf_target *target,
                              const rrf_params *params, const rrf_parallel_params *parallel, const rrf_ranks *ranks,
                              double *classwt, const rrf_monitor *monitor, arena *memory);
/* Scales weights to a mean of 1, so that the least weight of a daughter has the same meaning for all. False if all are
 * zero. */
bool parallel_scale_weights(const double *weight, int n, double *scaled);

/* A worker: the state of one thread for growing trees. */
typedef struct parallel_worker {
    arena memory; /* owner of all arrays of the thread */
    builder builder;
    node_search search;
    rrf_rng rng;
    double location;      /* of the centred responses in the bag */
    parallel_node *nodes; /* builder.nodes.capacity: of the tree in progress */
    bool guesses;         /* the search uses a guess of F */
} parallel_worker;

/* Initializes a zeroed worker; the caller frees w->memory, also after a failure. The worker calls
 * builder.watch.monitor; the current user of the worker sets it. */
rrf_status parallel_worker_init(parallel_worker *w, parallel_base *base);
/* Draws the bag of a tree, which uses up its stream. */
rrf_status parallel_draw_bag(parallel_worker *w, uint64_t stream);
/* Grows a tree on the worker's bag, and stores the state of its nodes in w->nodes. */
rrf_status parallel_grow(parallel_worker *w, uint64_t stream, attempt earlier, tree *t);

/* Adds the permutation importance, the bags and the proximity of a grown forest. */
rrf_status parallel_oob_statistics(parallel_base *base, const rrf_forest *forest, parallel_worker *workers, int n_jobs,
                                   const rrf_monitor *monitor, const forest_statistics *statistics);

#endif
