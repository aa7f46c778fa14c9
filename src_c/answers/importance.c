/* Permutation importance of a classification forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/importance.h"
#include "params.h"
#include "threads/pool.h"
#include "tree/apply.h"

/* Minimal number of row visits of a tree for which threads are started: some milliseconds. */
#ifndef IMPORTANCE_MIN_DESCENTS
#define IMPORTANCE_MIN_DESCENTS (1 << 16)
#endif
enum { FEATURES_PER_THREAD = 4 };

rrf_status importance_init(importance_scratch *scratch, const rrf_data *data, int nclass, int n_jobs, arena *memory)
{
    int most = 1 + data->p / FEATURES_PER_THREAD, jobs = n_jobs < 1 ? 1 : n_jobs < most ? n_jobs : most;
    *scratch = (importance_scratch){.n_jobs = jobs, .window = jobs > 1 ? 2 * jobs : 1};
    TAKE(memory, scratch->permuted, scratch->window);
    TAKE(memory, scratch->feature, data->p);
    TAKE(memory, scratch->n_oob, nclass + 1);
    TAKE(memory, scratch->correct, nclass + 1);
    for (int i = 0; scratch->permuted && i < scratch->window; ++i) {
        TAKE(memory, scratch->permuted[i].column, data->n);
        TAKE(memory, scratch->permuted[i].nodes, data->n);
        TAKE(memory, scratch->permuted[i].correct, nclass + 1);
    }
    return arena_status(memory);
}

/* Fisher-Yates: from the last value backwards, each is exchanged with a random one at or before its position. */
void permute_column(const rrf_data *data, int feature, const oob_sample *oob, int k, rrf_rng *rng, double *column)
{
    for (int i = 0; k == 0 && i < oob->size; ++i) {
        column[i] = data_value(data, feature, oob->rows[i]);
    }
    for (int last = oob->size; last > 0; --last) {
        int at = rng_below(rng, last);
        double swap = column[last - 1];
        column[last - 1] = column[at];
        column[at] = swap;
    }
}

static void count_correct(const builder *g, const oob_sample *oob, importance_scratch *scratch)
{
    int nclass = g->bag.nclass;
    size_t bytes = ((size_t)nclass + 1) * sizeof(int32_t);
    memset(scratch->n_oob, 0, bytes);
    memset(scratch->correct, 0, bytes);
    for (int i = 0; i < oob->size; ++i) {
        int k = g->bag.y[oob->rows[i]], correct = (int)oob->predicted[i] - 1 == k;
        ++scratch->n_oob[k];
        scratch->correct[k] += correct;
        scratch->correct[nclass] += correct;
    }
    scratch->n_oob[nclass] = oob->size;
}

/* State for one tree, shared by the functions below. Item i is the tree's feature number i. */
typedef struct permutation {
    builder *g;
    const tree *t;
    const oob_sample *oob;
    importance_scratch *scratch;
    const forest_statistics *statistics;
} permutation;

static permuted_feature *permuted_of(const permutation *p, int item)
{
    return p->scratch->permuted + item % p->scratch->window;
}

static void draw_feature(void *context, int item)
{
    const permutation *p = context;
    permute_column(p->g->data, p->scratch->feature[item], p->oob, 0, p->g->rng, permuted_of(p, item)->column);
}

static rrf_status count_feature(void *context, int worker, int item, const rrf_monitor *monitor)
{
    const permutation *p = context;
    const builder *g = p->g;
    const oob_sample *oob = p->oob;
    permuted_feature *own = permuted_of(p, item);
    double *local_importance = p->statistics->local_importance;
    int nclass = g->bag.nclass, feature = p->scratch->feature[item];
    (void)worker, (void)monitor;
    memset(own->correct, 0, ((size_t)nclass + 1) * sizeof *own->correct);
    tree_apply(p->t, g->data, oob->rows, oob->size, feature, own->column, own->nodes);
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i], k = g->bag.y[row];
        double permuted = p->t->prediction[own->nodes[i]];
        bool correct = (int)permuted - 1 == k;
        own->correct[k] += correct;
        own->correct[nclass] += correct;
        if (local_importance && permuted != oob->predicted[i]) {
            local_importance[feature + (size_t)row * (size_t)g->data->p] += correct ? -1.0 : 1.0;
        }
    }
    return RRF_OK;
}

static rrf_status add_feature(void *context, int item)
{
    const permutation *p = context;
    const builder *g = p->g;
    const permuted_feature *own = permuted_of(p, item);
    for (int k = 0; k <= g->bag.nclass; ++k) {
        size_t at = (size_t)p->scratch->feature[item] + (size_t)k * (size_t)g->data->p;
        double lost = p->scratch->correct[k] - own->correct[k], cases = p->scratch->n_oob[k];
        if (cases > 0) {
            p->statistics->importance[at] += lost / cases;
            /* The intended value squares the share; RRF squares the count and divides once. */
            p->statistics->importance_sd[at] +=
                has_slips_of_rrf(g->params) ? lost * lost / cases : lost / cases * (lost / cases);
        }
    }
    return RRF_OK;
}

static rrf_status add_in_turn(permutation *p, int n_features)
{
    rrf_status status = RRF_OK;
    for (int item = 0; !status && item < n_features; ++item) {
        /* Each row is sent down the whole tree. */
        status = watch_work(&p->g->watch, (int64_t)p->oob->size * WORK_PER_DESCENT);
        draw_feature(p, item);
        count_feature(p, 0, item, NULL);
        add_feature(p, item);
    }
    return status;
}

/* The pool starts and completes items in order, one at a time. */
static rrf_status add_on_threads(permutation *p, int n_features)
{
    rrf_monitor quiet = p->g->watch.monitor ? *p->g->watch.monitor : (rrf_monitor){0};
    quiet.tree = NULL;
    pool pool = {.context = p,
                 .n_items = n_features,
                 .n_jobs = pool_size(p->scratch->n_jobs, n_features),
                 .window = p->scratch->window,
                 .work = count_feature,
                 .begin = draw_feature,
                 .hand_in = add_feature,
                 .monitor = &quiet};
    return pool_run(&pool);
}

rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          const forest_statistics *statistics)
{
    permutation p = {g, t, oob, scratch, statistics};
    int n_features = 0;
    for (int feature = 0; feature < g->data->p; ++feature) {
        scratch->feature[n_features] = feature;
        n_features += g->used_in_tree[feature];
    }
    count_correct(g, oob, scratch);
    bool many = scratch->n_jobs > 1 && (int64_t)n_features * oob->size >= IMPORTANCE_MIN_DESCENTS;
    return many ? add_on_threads(&p, n_features) : add_in_turn(&p, n_features);
}
