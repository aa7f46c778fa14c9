/* Single parallel trees, for selectors that change rows, weights, responses or features from tree to tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_parallel/node_draws.h"
#include "engine_parallel/parallel.h"
#include "data/centre.h"
#include "tree/apply.h"

struct rrf_worker {
    parallel_base base;
    parallel_worker worker;
    rrf_parallel_params parallel; /* a copy */
    double *classwt;              /* nclass; this and the following arrays belong to the worker's arena */
    double *row_weight;           /* n: of the request, mean 1 */
    double *centred;              /* n: the response of the request minus its median; NULL for classes */
    chances chances;              /* of p features */
    feature_set set;              /* F */
};

static rrf_status fill(rrf_worker *g, const rrf_data *train, const rrf_target *target, const rrf_params *params,
                       const rrf_ranks *ranks, const rrf_monitor *monitor)
{
    arena *memory = &g->worker.memory;
    TAKE(memory, g->classwt, target->nclass);
    TAKE(memory, g->row_weight, train->n);
    if (target->response) {
        TAKE(memory, g->centred, train->n);
    }
    chances_init(&g->chances, train->p, memory);
    rrf_status status = feature_set_init(&g->set, train->p, params->feature_group, memory);
    if (!status) {
        status = parallel_base_init(&g->base, train, target, params, &g->parallel, ranks, g->classwt, monitor, memory);
    }
    return status ? status : parallel_worker_init(&g->worker, &g->base);
}

rrf_status rrf_worker_new(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                          const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
                          rrf_worker **worker)
{
    *worker = NULL;
    rrf_status checked = rrf_params_check(train, target, params, parallel, NULL);
    /* Depth first, nodes would not be numbered as in a forest, which reports rely on. */
    if (checked || !parallel || parallel->depth_first) {
        return checked ? checked : RRF_ERR_ARGUMENT;
    }
    rrf_worker *g = calloc(1, sizeof *g);
    *worker = g;
    if (!g) {
        return RRF_ERR_MEMORY;
    }
    g->parallel = *parallel;
    rrf_status status = fill(g, train, target, params, ranks, monitor);
    if (status) {
        rrf_worker_free(g);
        *worker = NULL;
    }
    return status;
}

void rrf_worker_free(rrf_worker *worker)
{
    if (!worker) {
        return;
    }
    rrf_ranks_free(worker->base.own_ranks);
    arena_free(&worker->worker.memory);
    free(worker);
}

int rrf_worker_max_nodes(const rrf_worker *worker)
{
    return worker->worker.builder.nodes.capacity;
}

/* ---- a request ---------------------------------------------------------------------------------------------------------- */

/* Packed counts hold whole numbers only, so a worker for weighted requests is initialized with weights. */
static rrf_status take_weights(rrf_worker *g, const double *weight)
{
    bag *b = &g->worker.builder.bag;
    if (!weight) {
        b->row_weight = g->base.row_weight;
        return RRF_OK;
    }
    if (g->base.ranks->kind.counts) {
        return RRF_ERR_ARGUMENT;
    }
    b->row_weight = g->row_weight;
    return parallel_scale_weights(weight, b->n, g->row_weight) ? RRF_OK : RRF_ERR_NO_SPLIT;
}

static void take_response(rrf_worker *g, const double *response)
{
    bool own = g->centred && response;
    g->worker.location = own ? centre(response, g->base.data->n, g->centred) : g->base.location;
    g->worker.builder.bag.response = own ? g->centred : g->base.centred;
}

static rrf_status take_probabilities(rrf_worker *g, const double *probability)
{
    rrf_status status = probability ? chances_take(&g->chances, probability) : RRF_OK;
    draws_take_chances(&g->worker.search.draws, probability && !status ? &g->chances : NULL);
    return status;
}

static void take_features(rrf_worker *g, const int32_t *used)
{
    feature_set_cut(&g->set, 0);
    feature_set_take(&g->set, used);
    known_forget(&g->worker.search.known);
    known_learn(&g->worker.search.known, g->set.members, g->set.size);
}

static rrf_status draw_rows(rrf_worker *g, const rrf_tree_request *request)
{
    builder *b = &g->worker.builder;
    return request->count ? bag_take(&b->bag, request->count, &b->watch)
                          : parallel_draw_bag(&g->worker, request->stream);
}

/* ---- the report ----------------------------------------------------------------------------------------------------- */

static void count_rows(const builder *g, int node, int32_t *count)
{
    for (int i = 0; i < g->nodes.size[node]; ++i) {
        ++count[g->bag.y[g->rows[g->nodes.start[node] + i]]];
    }
}

/* The rows of a split node are those of its daughters, which come after it. */
static void count_distinct(const rrf_worker *g, const tree *t, int32_t *distinct)
{
    size_t nclass = (size_t)g->base.target->nclass;
    memset(distinct, 0, (size_t)t->size * nclass * sizeof *distinct);
    for (int node = t->size - 1; node >= 0; --node) {
        int32_t *count = distinct + (size_t)node * nclass;
        if (t->left[node] == 0) {
            count_rows(&g->worker.builder, node, count);
            continue;
        }
        const int32_t *left = distinct + (size_t)(t->left[node] - 1) * nclass;
        for (size_t k = 0; k < nclass; ++k) {
            count[k] = left[k] + left[k + nclass];
        }
    }
}

static void find_leaves(const rrf_worker *g, const tree *t, int32_t *leaves)
{
    const rrf_data *data = g->base.data;
    tree_apply(t, data, NULL, data->n, -1, NULL, leaves);
    for (int row = 0; row < data->n; ++row) {
        ++leaves[row];
    }
}

/* Adds a row out of the bag to the totals of its leaf. */
static void add_outside(const rrf_worker *g, const rrf_tree_request *request, int row, double *sums)
{
    const double *response = request->response ? request->response : g->base.target->response;
    double weight = request->row_weight ? request->row_weight[row] : 1.0;
    if (response) {
        sums[SUM_WEIGHT] += weight;
        sums[SUM_RESPONSE] += weight * response[row];
    } else {
        sums[g->base.target->y[row]] += weight;
    }
}

/* Leaves first; the totals of a split node are the sums over its daughters, which come after it. */
static void sum_outside(const rrf_worker *g, const rrf_tree_request *request, const tree *t, const int32_t *leaves,
                        double *outside)
{
    size_t n_sums = (size_t)g->worker.builder.n_sums;
    const int32_t *count = g->worker.builder.bag.count;
    memset(outside, 0, (size_t)t->size * n_sums * sizeof *outside);
    for (int row = 0; row < g->base.data->n; ++row) {
        if (count[row] == 0) {
            add_outside(g, request, row, outside + (size_t)(leaves[row] - 1) * n_sums);
        }
    }
    for (int node = t->size - 1; node >= 0; --node) {
        const double *left = outside + (size_t)(t->left[node] - 1) * n_sums;
        for (size_t k = 0; t->left[node] > 0 && k < n_sums; ++k) {
            outside[(size_t)node * n_sums + k] = left[k] + left[k + n_sums];
        }
    }
}

/* Writes the sums of the nodes; for centred responses the median is added back. */
static void write_totals(const rrf_worker *g, const tree *t, double *total)
{
    const builder *own = &g->worker.builder;
    memcpy(total, own->sums, (size_t)t->size * (size_t)own->n_sums * sizeof *total);
    for (int node = 0; own->bag.response && node < t->size; ++node) {
        double *moments = total + N_MOMENTS * (size_t)node;
        moments[SUM_RESPONSE] += moments[SUM_WEIGHT] * g->worker.location;
    }
}

static void write_report(rrf_worker *g, const rrf_tree_request *request, const tree *t, const rrf_tree_report *report)
{
    for (int node = 0; report->decrease && node < t->size; ++node) {
        report->decrease[node] = g->worker.nodes[node].decrease;
    }
    if (report->total) {
        write_totals(g, t, report->total);
    }
    if (report->distinct) {
        count_distinct(g, t, report->distinct);
    }
    if (report->leaves) {
        find_leaves(g, t, report->leaves);
        if (report->outside) {
            sum_outside(g, request, t, report->leaves, report->outside);
        }
    }
    if (report->gains) {
        gains_end_tree(&g->worker.search.gains, t->size);
    }
}

static void write_features(rrf_worker *g, const tree *t, int32_t *used)
{
    for (int node = 0; node < t->size; ++node) {
        if (t->split_var[node] > 0) {
            feature_set_enter(&g->set, t->split_var[node] - 1);
        }
    }
    feature_set_write(&g->set, used);
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

static rrf_status take_request(rrf_worker *g, const rrf_tree_request *request, const rrf_tree_report *report)
{
    g->worker.search.seed = request->seed;
    g->worker.builder.watch.monitor = request->monitor;
    take_response(g, request->response);
    take_features(g, request->used);
    rrf_status status = take_weights(g, request->row_weight);
    if (!status) {
        status = take_probabilities(g, request->probability);
    }
    if (!status) {
        status = gains_begin_tree(&g->worker.search.gains, report ? report->gains : NULL, g->base.data->p,
                                  rrf_worker_max_nodes(g), &g->worker.memory);
    }
    return status;
}

rrf_status rrf_worker_grow(rrf_worker *g, const rrf_tree_request *request, rrf_forest *forest,
                           const rrf_tree_report *report)
{
    tree t;
    rrf_status status = take_request(g, request, report);
    if (!status) {
        status = forest_reserve_parallel(forest, rrf_worker_max_nodes(g), &t);
    }
    status = status ? status : draw_rows(g, request);
    if (!status) {
        status = parallel_grow(&g->worker, request->stream, (attempt){0}, &t);
    }
    if (!status && report) {
        write_report(g, request, &t, report);
    }
    if (!status) {
        write_features(g, &t, request->used);
        forest_append(forest, &t);
    }
    return status;
}
