/* Native trees one at a time, for selectors that change rows, weights, responses or features from tree to tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "native.h"

struct rrf_grower {
    native_base base;
    native_worker worker;
    rrf_native_params native; /* a copy */
    double *classwt;          /* nclass */
    double *row_weight;       /* n: of the request, mean 1 */
    double *cumulative;       /* p */
    native_node *nodes;       /* grower_max_nodes() */
    int32_t *members;         /* p */
};

rrf_status rrf_grower_new(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                          const rrf_native_params *native, const rrf_monitor *monitor, rrf_grower **grower)
{
    rrf_grower *g = calloc(1, sizeof *g);
    *grower = g;
    if (!g) {
        return RRF_ERR_MEMORY;
    }
    g->native = *native;
    g->classwt = malloc((size_t)target->nclass * sizeof *g->classwt);
    g->row_weight = malloc((size_t)train->n * sizeof *g->row_weight);
    g->cumulative = malloc((size_t)train->p * sizeof *g->cumulative);
    g->members = malloc((size_t)train->p * sizeof *g->members);
    bool ready = g->classwt && g->row_weight && g->cumulative && g->members;
    rrf_status status = ready ? RRF_OK : RRF_ERR_MEMORY;
    if (!status) {
        status = native_base_init(&g->base, train, target, params, &g->native, g->classwt, monitor);
    }
    if (!status) {
        status = native_worker_init(&g->worker, &g->base);
    }
    if (!status) {
        g->nodes = malloc((size_t)rrf_grower_max_nodes(g) * sizeof *g->nodes);
        status = g->nodes ? RRF_OK : RRF_ERR_MEMORY;
    }
    if (status) {
        rrf_grower_free(g);
        *grower = NULL;
    }
    return status;
}

void rrf_grower_free(rrf_grower *grower)
{
    if (!grower) {
        return;
    }
    native_worker_free(&grower->worker);
    native_base_free(&grower->base);
    free(grower->classwt);
    free(grower->row_weight);
    free(grower->cumulative);
    free(grower->nodes);
    free(grower->members);
    free(grower);
}

int rrf_grower_max_nodes(const rrf_grower *grower)
{
    return grower_max_nodes(&grower->worker.grower);
}

/* ---- a request ---------------------------------------------------------------------------------------------------------- */

/* Packed counts hold whole numbers only, so a grower that is to take weights is made with weights. */
static rrf_status take_weights(rrf_grower *g, const double *weight)
{
    bag *b = &g->worker.grower.bag;
    if (!weight) {
        b->row_weight = g->base.row_weight;
        return RRF_OK;
    }
    if (g->base.cols.ties == TIES_MERGED) {
        return RRF_ERR_ARGUMENT;
    }
    b->row_weight = g->row_weight;
    return native_scale_weights(weight, b->n, g->row_weight) ? RRF_OK : RRF_ERR_NO_SPLIT;
}

static void take_probabilities(rrf_grower *g, const double *probability)
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

static rrf_status take_features(rrf_grower *g, const int32_t *used)
{
    int n = 0;
    for (int feature = 0; feature < g->base.data->p; ++feature) {
        g->members[n] = feature;
        n += used[feature] != 0;
        if (used[feature] && g->base.data->ncat[feature] == 1 && !columns_order(&g->base.cols, feature)) {
            return RRF_ERR_MEMORY;
        }
    }
    search_forget(&g->worker.search);
    search_learn(&g->worker.search, g->members, n);
    return RRF_OK;
}

static void draw_rows(rrf_grower *g, const rrf_tree_request *request)
{
    if (request->count) {
        bag_take(&g->worker.grower.bag, request->count);
    } else {
        native_draw_bag(&g->worker, request->stream);
    }
}

static void write_report(const rrf_grower *g, const tree *t, const rrf_tree_report *report, int32_t *used)
{
    const grower *own = &g->worker.grower;
    for (int node = 0; node < t->size; ++node) {
        if (report && report->decrease) {
            report->decrease[node] = g->nodes[node].decrease;
        }
        if (t->split_var[node] > 0) {
            used[t->split_var[node] - 1] = 1;
        }
    }
    if (report && report->total) {
        memcpy(report->total, own->class_total, (size_t)t->size * (size_t)own->bag.n_totals * sizeof *report->total);
    }
}

rrf_status rrf_grower_grow(rrf_grower *g, const rrf_tree_request *request, rrf_forest *forest,
                           const rrf_tree_report *report)
{
    tree t;
    g->worker.search.seed = request->seed;
    g->worker.grower.watch.monitor = request->monitor;
    g->worker.grower.bag.response =
        g->base.target->response && request->response ? request->response : g->base.target->response;
    rrf_status status = take_weights(g, request->row_weight);
    if (!status) {
        take_probabilities(g, request->probability);
        status = take_features(g, request->used);
    }
    if (!status) {
        status = forest_reserve_native(forest, rrf_grower_max_nodes(g), &t);
    }
    if (!status) {
        draw_rows(g, request);
        status = native_grow(&g->worker, request->stream, g->nodes, (attempt){0}, &t);
    }
    if (!status) {
        write_report(g, &t, report, request->used);
        forest_append(forest, &t);
    }
    return status;
}
