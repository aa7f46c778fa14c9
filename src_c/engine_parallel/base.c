/* State shared by parallel trees: ranked columns, weights, and workers. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/centre.h"
#include "engine_parallel/parallel.h"
#include "filters.h"
#include "tree/ranking.h"
#include "random/splitmix.h"

/* Rows per feature from which the first tree is expected to take nearly all features into F. */
enum { ROWS_PER_FEATURE = 64 };
/* Largest number of attempts to draw a bag. */
enum { MAX_BAGS = 10000 };

static void weigh_classes(parallel_base *base)
{
    int nclass = base->target->nclass;
    normalize_class_weights(base->target->y, base->data->n, nclass, base->params, base->classwt);
    settle_class_weights(base->classwt, nclass);
}

bool parallel_scale_weights(const double *weight, int n, double *scaled)
{
    double sum = 0.0;
    for (int row = 0; row < n; ++row) {
        sum += weight[row];
    }
    for (int row = 0; row < n; ++row) {
        scaled[row] = weight[row] * (n / sum);
    }
    return sum > 0.0;
}

static rrf_status weigh_rows(parallel_base *base, arena *memory)
{
    const double *weight = base->parallel->row_weight;
    if (!weight) {
        return RRF_OK;
    }
    TAKE(memory, base->row_weight, base->data->n);
    if (!base->row_weight) {
        return RRF_ERR_MEMORY;
    }
    return parallel_scale_weights(weight, base->data->n, base->row_weight) ? RRF_OK : RRF_ERR_NO_SPLIT;
}

static void centre_response(parallel_base *base, arena *memory)
{
    const double *y = base->target->response;
    if (y) {
        TAKE(memory, base->centred, base->data->n);
        base->location = base->centred ? centre(y, base->data->n, base->centred) : 0.0;
    }
}

rrf_status parallel_base_init(parallel_base *base, const rrf_data *data, const rrf_target *target,
                              const rrf_params *params, const rrf_parallel_params *parallel, const rrf_ranks *ranks,
                              double *classwt, const rrf_monitor *monitor, arena *memory)
{
    *base = (parallel_base){.data = data, .target = target, .params = params, .parallel = parallel, .classwt = classwt};
    TAKE(memory, base->all_features, data->p);
    for (int feature = 0; base->all_features && feature < data->p; ++feature) {
        base->all_features[feature] = feature;
    }
    base->expects_all = params->flag_reg == 1 && data->n / ROWS_PER_FEATURE >= data->p;
    weigh_classes(base);
    centre_response(base, memory);
    rrf_status status = weigh_rows(base, memory);
    status = status ? status : arena_status(memory);
    if (!status) {
        ranks_kind kind = ranks_kind_of_fit(target, classwt, params, parallel);
        status = ranks_take(ranks, data, kind, parallel->n_jobs, monitor, &base->ranks, &base->own_ranks);
    }
    bool expects = !status && base->expects_all && !parallel->draw_from_all;
    return expects ? ASK(expect_members, RRF_OK, base->ranks, parallel->n_jobs, monitor) : status;
}

/* ---- workers ----------------------------------------------------------------------------------------------------------- */

rrf_status parallel_worker_init(parallel_worker *w, parallel_base *base)
{
    builder_setup setup = {.data = base->data,
                           .ranked = base->data,
                           .ranks = base->ranks,
                           .target = base->target,
                           .classwt = base->classwt,
                           .params = base->params,
                           .criterion = criterion_choose(base->target, base->parallel),
                           .rule = &hashed_rule,
                           .rule_own = &w->search,
                           .coef_by_depth = base->parallel->use_depth,
                           .depth_first = base->parallel->depth_first,
                           .rng = &w->rng};
    rrf_status status = builder_init(&w->builder, &setup, &w->memory);
    if (status) {
        return status;
    }
    w->location = base->location;
    w->builder.bag.response = base->centred;
    w->builder.bag.row_weight = base->row_weight;
    w->builder.bag.exact = w->builder.bag.exact && !base->row_weight;
    status = node_search_init(&w->search, &w->builder, base->params, base->parallel, &w->memory);
    w->search.known.expected = base->expects_all ? base->all_features : NULL;
    TAKE(&w->memory, w->nodes, w->builder.nodes.capacity);
    return status ? status : arena_status(&w->memory);
}

static bool has_weight(const bag *b)
{
    double weight = 0.0;
    for (int k = 0; k < b->nclass; ++k) {
        weight += b->class_total[k];
    }
    return weight > 0.0;
}

/* Redraws bags without a row of positive weight, which are likely if few rows have one. */
rrf_status parallel_draw_bag(parallel_worker *w, uint64_t stream)
{
    bag *b = &w->builder.bag;
    rrf_status status = RRF_OK;
    rrf_rng_splitmix(&w->rng, w->search.seed, stream);
    for (int bags = 0; !status && bags < MAX_BAGS; ++bags) {
        status = bag_draw(b, w->builder.params, &w->rng, &w->builder.watch);
        if (has_weight(b)) {
            break;
        }
    }
    return status;
}

rrf_status parallel_grow(parallel_worker *w, uint64_t stream, attempt earlier, tree *t)
{
    if (!has_weight(&w->builder.bag)) {
        return RRF_ERR_NO_SPLIT;
    }
    node_search_begin_tree(&w->search, stream, w->nodes, earlier);
    rrf_status status = grow_tree(&w->builder, t);
    node_search_end_tree(&w->search);
    for (int node = 0; !status && w->builder.bag.response && node < t->size; ++node) {
        t->prediction[node] += w->location;
    }
    return status;
}
