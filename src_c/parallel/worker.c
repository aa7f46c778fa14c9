/* Parallel trees one at a time, for selectors that change rows, weights, responses or features from tree to tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "parallel/parallel.h"

struct rrf_worker {
    parallel_base base;
    parallel_worker worker;
    rrf_parallel_params parallel; /* a copy */
    double *classwt;              /* nclass */
    double *row_weight;           /* n: of the request, mean 1 */
    double *cumulative;           /* p */
    parallel_node *nodes;         /* builder_max_nodes() */
    feature_set set;              /* F */
};

rrf_status rrf_worker_new(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                          const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
                          rrf_worker **worker)
{
    *worker = NULL;
    rrf_status checked = rrf_params_check(train, target, params, parallel, NULL);
    if (checked || !parallel) {
        return checked ? checked : RRF_ERR_ARGUMENT;
    }
    rrf_worker *g = calloc(1, sizeof *g);
    *worker = g;
    if (!g) {
        return RRF_ERR_MEMORY;
    }
    g->parallel = *parallel;
    g->classwt = malloc((size_t)target->nclass * sizeof *g->classwt);
    g->row_weight = malloc((size_t)train->n * sizeof *g->row_weight);
    g->cumulative = malloc((size_t)train->p * sizeof *g->cumulative);
    rrf_status status = feature_set_init(&g->set, train->p);
    status = g->classwt && g->row_weight && g->cumulative ? status : RRF_ERR_MEMORY;
    if (!status) {
        status = parallel_base_init(&g->base, train, target, params, &g->parallel, ranks, g->classwt, monitor);
    }
    if (!status) {
        status = parallel_worker_init(&g->worker, &g->base);
    }
    if (!status) {
        g->nodes = malloc((size_t)rrf_worker_max_nodes(g) * sizeof *g->nodes);
        status = g->nodes ? RRF_OK : RRF_ERR_MEMORY;
    }
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
    parallel_worker_free(&worker->worker);
    parallel_base_free(&worker->base);
    free(worker->classwt);
    free(worker->row_weight);
    free(worker->cumulative);
    free(worker->nodes);
    feature_set_free(&worker->set);
    free(worker);
}

int rrf_worker_max_nodes(const rrf_worker *worker)
{
    return builder_max_nodes(&worker->worker.builder);
}

/* ---- a request ---------------------------------------------------------------------------------------------------------- */

/* Packed counts hold whole numbers only, so a worker that is to take weights is made with weights. */
static rrf_status take_weights(rrf_worker *g, const double *weight)
{
    bag *b = &g->worker.builder.bag;
    if (!weight) {
        b->row_weight = g->base.row_weight;
        return RRF_OK;
    }
    if (g->base.ranks->kind.ties == TIES_MERGED) {
        return RRF_ERR_ARGUMENT;
    }
    b->row_weight = g->row_weight;
    return parallel_scale_weights(weight, b->n, g->row_weight) ? RRF_OK : RRF_ERR_NO_SPLIT;
}

static void take_probabilities(rrf_worker *g, const double *probability)
{
    node_search *s = &g->worker.search;
    double sum = 0.0;
    s->cumulative = NULL;
    s->n_allowed = s->p;
    if (probability) {
        for (int feature = 0; feature < s->p; ++feature) {
            g->cumulative[feature] = sum += probability[feature];
        }
        search_take_probabilities(s, g->cumulative);
    }
}

static rrf_status take_features(rrf_worker *g, const int32_t *used)
{
    feature_set_cut(&g->set, 0);
    feature_set_take(&g->set, used);
    for (int i = 0; i < g->set.size; ++i) {
        int feature = g->set.members[i];
        if (g->base.data->ncat[feature] == 1 && !ranks_sorted_rows(g->base.ranks, feature)) {
            return RRF_ERR_MEMORY;
        }
    }
    search_forget(&g->worker.search);
    search_learn(&g->worker.search, g->set.members, g->set.size);
    return RRF_OK;
}

static void draw_rows(rrf_worker *g, const rrf_tree_request *request)
{
    if (request->count) {
        bag_take(&g->worker.builder.bag, request->count);
    } else {
        parallel_draw_bag(&g->worker, request->stream);
    }
}

static void write_report(const rrf_worker *g, const tree *t, const rrf_tree_report *report, int32_t *used)
{
    const builder *own = &g->worker.builder;
    for (int node = 0; node < t->size; ++node) {
        if (report && report->decrease) {
            report->decrease[node] = g->nodes[node].decrease;
        }
        if (t->split_var[node] > 0) {
            used[t->split_var[node] - 1] = 1;
        }
    }
    if (report && report->total) {
        memcpy(report->total, own->sums, (size_t)t->size * (size_t)own->n_sums * sizeof *report->total);
    }
}

rrf_status rrf_worker_grow(rrf_worker *g, const rrf_tree_request *request, rrf_forest *forest,
                           const rrf_tree_report *report)
{
    tree t;
    g->worker.search.seed = request->seed;
    g->worker.builder.watch.monitor = request->monitor;
    g->worker.builder.bag.response =
        g->base.target->response && request->response ? request->response : g->base.target->response;
    rrf_status status = take_weights(g, request->row_weight);
    if (!status) {
        take_probabilities(g, request->probability);
        status = take_features(g, request->used);
    }
    if (!status) {
        status = forest_reserve_parallel(forest, rrf_worker_max_nodes(g), &t);
    }
    if (!status) {
        draw_rows(g, request);
        status = parallel_grow(&g->worker, request->stream, g->nodes, (attempt){0}, &t);
    }
    if (!status) {
        write_report(g, &t, report, request->used);
        forest_append(forest, &t);
    }
    return status;
}
