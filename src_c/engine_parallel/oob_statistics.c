/* Results of a grown forest: permutation importance, bags, proximity. Bags are drawn again from the streams of the
 * trees instead of stored. Trees are processed in batches: most results tree by tree, proximity row by row.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_parallel/parallel.h"
#include "answers/importance.h"
#include "answers/oob.h"
#include "answers/pairs.h"
#include "random/splitmix.h"
#include "tree/apply.h"

enum { TREES_PER_BATCH = 32 };

/* Results of one tree. */
typedef struct tree_report {
    int32_t *leaves; /* n: terminal node of every row, for proximity */
    int32_t *count;  /* n: the bag */
    oob_sample oob;
    int n_features;
    int32_t *features; /* permuted */
    double *loss;      /* n_measures a feature */
    double *rise;      /* by row out of bag, for each feature: its loss; NULL without local importance */
    size_t loss_capacity, rise_capacity;
    arena memory; /* owner of the losses: any thread that works on the tree allocates them */
} tree_report;

/* A thread's scratch. */
typedef struct permuter {
    int32_t *leaves; /* n */
    double *column;  /* n */
    uint8_t *used;   /* p */
} permuter;

typedef struct oob_statistics {
    arena memory;
    parallel_base *base;
    const rrf_forest *forest;
    parallel_worker *workers;
    int n_jobs, n_perm, first; /* first tree of the batch */
    uint64_t permutation_seed;
    permuter *permuters;
    tree_report *trees; /* TREES_PER_BATCH */
    const forest_statistics *out;
} oob_statistics;

/* ---- permutation importance -------------------------------------------------------------------------------------------- */

/* Returns the contribution of a row to the loss of a tree: 1 for a wrong class, the squared residual in regression. */
static double row_loss(const oob_statistics *r, int row, double predicted)
{
    const rrf_target *target = r->base->target;
    if (target->response) {
        double residual = predicted - target->response[row];
        return residual * residual;
    }
    return (int)predicted - 1 != target->y[row];
}

/* Adds the increase of the loss with the values of `column` for the feature, by class (regression: none) and overall. */
static void add_rise(const oob_statistics *r, const tree *t, const permuter *s, tree_report *out, int at)
{
    const oob_sample *oob = &out->oob;
    int n_measures = r->out->n_measures;
    double *loss = out->loss + (size_t)at * (size_t)n_measures;
    double *rise = out->rise ? out->rise + (size_t)at * (size_t)oob->size : NULL;
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i];
        double more = row_loss(r, row, t->prediction[s->leaves[i]]) - row_loss(r, row, oob->predicted[i]);
        loss[n_measures - 1] += more;
        if (n_measures > 1) {
            loss[r->base->target->y[row]] += more;
        }
        if (rise) {
            rise[i] += more;
        }
    }
}

static rrf_status permute_feature(oob_statistics *r, const tree *t, int index, int worker, tree_report *out, int at)
{
    permuter *s = r->permuters + worker;
    const rrf_data *data = r->base->data;
    int feature = out->features[at];
    rrf_rng rng;
    rrf_rng_splitmix(&rng, r->permutation_seed, tree_stream(r->base, index) * (uint64_t)data->p + (uint64_t)feature);
    rrf_status status = RRF_OK;
    for (int k = 0; !status && k < r->n_perm; ++k) {
        permute_column(data, feature, &out->oob, k, &rng, s->column);
        tree_apply(t, data, out->oob.rows, out->oob.size, feature, s->column, s->leaves);
        add_rise(r, t, s, out, at);
        status = watch_work(&r->workers[worker].builder.watch, (int64_t)out->oob.size * WORK_PER_DESCENT);
    }
    return status;
}

static void list_features(const tree *t, permuter *s, tree_report *out)
{
    out->n_features = 0;
    for (int node = 0; node < t->size; ++node) {
        int feature = t->split_var[node] - 1;
        if (feature >= 0 && !s->used[feature]) {
            s->used[feature] = 1;
            out->features[out->n_features++] = feature;
        }
    }
    for (int i = 0; i < out->n_features; ++i) {
        s->used[out->features[i]] = 0;
    }
}

/* Ensures room for `needed` zeros. */
static rrf_status reserve_zeros(arena *memory, double **buffer, size_t *capacity, size_t needed)
{
    rrf_status status = needed > *capacity ? RENEW(memory, *buffer, needed) : RRF_OK;
    if (!status) {
        *capacity = needed > *capacity ? needed : *capacity;
        memset(*buffer, 0, needed * sizeof **buffer);
    }
    return status;
}

static rrf_status reserve_losses(const oob_statistics *r, tree_report *out)
{
    size_t n_features = (size_t)out->n_features;
    size_t n_losses = n_features * (size_t)r->out->n_measures + 1, n_rises = n_features * (size_t)out->oob.size + 1;
    rrf_status status = reserve_zeros(&out->memory, &out->loss, &out->loss_capacity, n_losses);
    if (!status && r->out->local_importance) {
        status = reserve_zeros(&out->memory, &out->rise, &out->rise_capacity, n_rises);
    }
    return status;
}

static rrf_status permute_features(oob_statistics *r, const tree *t, int index, int worker, tree_report *out)
{
    permuter *s = r->permuters + worker;
    list_features(t, s, out);
    rrf_status status = reserve_losses(r, out);
    if (!status) {
        tree_apply(t, r->base->data, out->oob.rows, out->oob.size, -1, NULL, s->leaves);
        oob_predict(&out->oob, t, s->leaves);
    }
    for (int at = 0; !status && at < out->n_features; ++at) {
        status = permute_feature(r, t, index, worker, out, at);
    }
    return status;
}

/* Returns the number of rows that share loss number k of a tree. */
static int count_cases(const oob_statistics *r, const oob_sample *oob, int k)
{
    int cases = 0;
    for (int i = 0; i < oob->size; ++i) {
        cases += k == r->out->n_measures - 1 || r->base->target->y[oob->rows[i]] == k;
    }
    return cases;
}

static rrf_status add_importance(void *context, int item)
{
    const oob_statistics *r = context;
    const tree_report *report = r->trees + item;
    const oob_sample *oob = &report->oob;
    const forest_statistics *out = r->out;
    size_t p = (size_t)out->p, n_measures = (size_t)out->n_measures;
    for (size_t k = 0; out->importance && k < n_measures; ++k) {
        double cases = count_cases(r, oob, (int)k);
        for (int at = 0; cases > 0.0 && at < report->n_features; ++at) {
            double share = report->loss[(size_t)at * n_measures + k] / r->n_perm / cases;
            out->importance[(size_t)report->features[at] + k * p] += share;
            out->importance_sd[(size_t)report->features[at] + k * p] += share * share;
        }
    }
    for (int at = 0; out->local_importance && at < report->n_features; ++at) {
        const double *rise = report->rise + (size_t)at * (size_t)oob->size;
        for (int i = 0; i < oob->size; ++i) {
            out->local_importance[(size_t)report->features[at] + (size_t)oob->rows[i] * p] += rise[i] / r->n_perm;
        }
    }
    return RRF_OK;
}

/* ---- a batch of trees --------------------------------------------------------------------------------------------------- */

static rrf_status report_tree(void *context, int worker, int item, const rrf_monitor *monitor)
{
    oob_statistics *r = context;
    tree_report *out = r->trees + item;
    const bag *bag = &r->workers[worker].builder.bag;
    int index = r->first + item, n = r->base->data->n;
    tree t = forest_tree(r->forest, index);
    r->workers[worker].builder.watch.monitor = monitor;
    rrf_status status = parallel_draw_bag(r->workers + worker, tree_stream(r->base, index));
    if (status) {
        return status;
    }
    memcpy(out->count, bag->count, (size_t)n * sizeof *out->count);
    out->oob.size = oob_list(out->count, n, out->oob.rows);
    statistics_keep_bag(r->out, index, out->count, true);
    if (r->out->proximity) {
        tree_apply(&t, r->base->data, NULL, n, -1, NULL, out->leaves);
    }
    status = watch_work(&r->workers[worker].builder.watch, (int64_t)n * WORK_PER_DESCENT);
    return status || !r->out->importance ? status : permute_features(r, &t, index, worker, out);
}

static rrf_status add_pairs(oob_statistics *r, int n_trees, const rrf_monitor *monitor)
{
    const int32_t *leaves[TREES_PER_BATCH], *bags[TREES_PER_BATCH];
    for (int i = 0; i < n_trees; ++i) {
        leaves[i] = r->trees[i].leaves;
        bags[i] = r->trees[i].count;
    }
    pair_count pairs = {r->out->proximity, r->out->oob_pairs, leaves, bags, r->out->n, n_trees, false};
    return count_pairs(&pairs, r->n_jobs, monitor);
}

static rrf_status run_batch(oob_statistics *r, const rrf_monitor *monitor)
{
    int left = r->forest->ntree - r->first, n_trees = left < TREES_PER_BATCH ? left : TREES_PER_BATCH;
    pool pool = {.context = r,
                 .n_items = n_trees,
                 .n_jobs = pool_size(r->n_jobs, n_trees),
                 .window = TREES_PER_BATCH,
                 .work = report_tree,
                 .hand_in = add_importance,
                 .monitor = monitor};
    rrf_status status = pool_run(&pool);
    return !status && r->out->proximity ? add_pairs(r, n_trees, monitor) : status;
}

/* ---- all trees
 * ----------------------------------------------------------------------------------------------------------- */

static rrf_status oob_statistics_init(oob_statistics *r)
{
    int n = r->out->n, p = r->out->p;
    arena *memory = &r->memory;
    TAKE_ZEROS(memory, r->trees, TREES_PER_BATCH);
    TAKE_ZEROS(memory, r->permuters, r->n_jobs);
    for (int i = 0; r->trees && i < TREES_PER_BATCH; ++i) {
        tree_report *out = r->trees + i;
        TAKE(memory, out->leaves, n);
        TAKE(memory, out->count, n);
        oob_init(&out->oob, n, memory);
        TAKE(memory, out->features, p);
    }
    for (int i = 0; r->permuters && i < r->n_jobs; ++i) {
        permuter *s = r->permuters + i;
        TAKE(memory, s->leaves, n);
        TAKE(memory, s->column, n);
        TAKE_ZEROS(memory, s->used, p);
    }
    return arena_status(memory);
}

static void oob_statistics_free(oob_statistics *r)
{
    for (int i = 0; r->trees && i < TREES_PER_BATCH; ++i) {
        arena_free(&r->trees[i].memory);
    }
    arena_free(&r->memory);
}

rrf_status parallel_oob_statistics(parallel_base *base, const rrf_forest *forest, parallel_worker *workers, int n_jobs,
                                   const rrf_monitor *monitor, const forest_statistics *statistics)
{
    oob_statistics r = {.base = base,
                        .forest = forest,
                        .workers = workers,
                        .n_jobs = n_jobs,
                        .n_perm = base->target->response ? base->params->n_perm : 1,
                        .permutation_seed = splitmix_word(base->parallel->seed, 2),
                        .out = statistics};
    if (!statistics->importance && !statistics->proximity && !statistics->inbag) {
        return RRF_OK;
    }
    rrf_status status = oob_statistics_init(&r);
    for (; !status && r.first < forest->ntree; r.first += TREES_PER_BATCH) {
        status = run_batch(&r, monitor);
    }
    oob_statistics_free(&r);
    return status;
}
