/* Answers of a grown forest: permutation importance, bags, proximity. Bags are drawn again from the
 * streams of the trees rather than kept. Trees are taken in batches: what needs one tree is worked out tree by tree,
 * proximity row by row. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_parallel/parallel.h"
#include "answers/importance.h"
#include "answers/oob.h"
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "random/splitmix.h"
#include "tree/apply.h"

enum { TREES_PER_BATCH = 32 };

/* Results of one tree. */
typedef struct tree_report {
    int32_t *leaves; /* n: terminal node of every row, for proximity */
    int32_t *count;  /* n: the bag */
    int n_oob;
    int32_t *oob_rows;
    int n_features;
    int32_t *features; /* permuted */
    double *loss;      /* n_measures a feature */
    double *rise;      /* n_oob a feature: loss by row; NULL unless local importance is wanted */
    size_t loss_capacity, rise_capacity;
} tree_report;

/* A thread's scratch. */
typedef struct permuter {
    int32_t *leaves, *permuted_leaves; /* n */
    double *column;                    /* n */
    uint8_t *used;                     /* p */
} permuter;

typedef struct oob_statistics {
    parallel_base *base;
    const rrf_forest *forest;
    parallel_worker *workers;
    int n_jobs, n_measures, n_perm, first; /* first tree of the batch */
    uint64_t permutation_seed;
    permuter *permuters;
    tree_report *trees; /* TREES_PER_BATCH */
    int32_t *oob_pairs; /* n x n, or NULL */
    rrf_parallel_result *result;
} oob_statistics;

/* ---- permutation importance -------------------------------------------------------------------------------------------- */

/* What a row adds to the loss of a tree: 1 for a class that is missed, the squared residual of a number. */
static double row_loss(const oob_statistics *r, const tree *t, int row, int leaf)
{
    const rrf_target *target = r->base->target;
    if (target->response) {
        double residual = t->prediction[leaf] - target->response[row];
        return residual * residual;
    }
    return (int)t->prediction[leaf] - 1 != target->y[row];
}

/* The rise of the loss when the feature's values are those of `column`, by class (numbers: none) and over all. */
static void add_rise(const oob_statistics *r, const tree *t, const permuter *s, tree_report *out, int at)
{
    double *loss = out->loss + (size_t)at * (size_t)r->n_measures;
    double *rise = out->rise ? out->rise + (size_t)at * (size_t)out->n_oob : NULL;
    for (int i = 0; i < out->n_oob; ++i) {
        int row = out->oob_rows[i];
        double more = row_loss(r, t, row, s->permuted_leaves[i]) - row_loss(r, t, row, s->leaves[i]);
        loss[r->n_measures - 1] += more;
        if (r->n_measures > 1) {
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
        if (k == 0) {
            permute_column(data, feature, out->oob_rows, out->n_oob, &rng, s->column);
        } else {
            shuffle(s->column, out->n_oob, &rng);
        }
        tree_apply(t, data, out->oob_rows, out->n_oob, feature, s->column, s->permuted_leaves);
        add_rise(r, t, s, out, at);
        status = watch_work(&r->workers[worker].builder.watch, (int64_t)out->n_oob * WORK_PER_DESCENT);
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

/* Room for `needed` zeros. */
static rrf_status reserve_zeros(double **buffer, size_t *capacity, size_t needed)
{
    if (needed > *capacity) {
        free(*buffer);
        *buffer = malloc(needed * sizeof **buffer);
        *capacity = *buffer ? needed : 0;
    }
    if (*buffer) {
        memset(*buffer, 0, needed * sizeof **buffer);
    }
    return *buffer ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status reserve_losses(const oob_statistics *r, tree_report *out)
{
    size_t n_features = (size_t)out->n_features;
    rrf_status status = reserve_zeros(&out->loss, &out->loss_capacity, n_features * (size_t)r->n_measures + 1);
    if (!status && r->result->local_importance) {
        status = reserve_zeros(&out->rise, &out->rise_capacity, n_features * (size_t)out->n_oob + 1);
    }
    return status;
}

static rrf_status permute_features(oob_statistics *r, const tree *t, int index, int worker, tree_report *out)
{
    permuter *s = r->permuters + worker;
    list_features(t, s, out);
    rrf_status status = reserve_losses(r, out);
    if (!status) {
        tree_apply(t, r->base->data, out->oob_rows, out->n_oob, -1, NULL, s->leaves);
    }
    for (int at = 0; !status && at < out->n_features; ++at) {
        status = permute_feature(r, t, index, worker, out, at);
    }
    return status;
}

/* Rows that loss number k of a tree is shared by. */
static int count_cases(const oob_statistics *r, const tree_report *out, int k)
{
    int cases = 0;
    for (int i = 0; i < out->n_oob; ++i) {
        cases += k == r->n_measures - 1 || r->base->target->y[out->oob_rows[i]] == k;
    }
    return cases;
}

static void add_importance(oob_statistics *r, const tree_report *out)
{
    rrf_parallel_result *result = r->result;
    size_t p = (size_t)r->base->data->p;
    for (int k = 0; k < r->n_measures; ++k) {
        double cases = count_cases(r, out, k);
        for (int at = 0; cases > 0.0 && at < out->n_features; ++at) {
            double share = out->loss[(size_t)at * (size_t)r->n_measures + (size_t)k] / r->n_perm / cases;
            result->importance[(size_t)out->features[at] + (size_t)k * p] += share;
            result->importance_sd[(size_t)out->features[at] + (size_t)k * p] += share * share;
        }
    }
    for (int at = 0; result->local_importance && at < out->n_features; ++at) {
        for (int i = 0; i < out->n_oob; ++i) {
            result->local_importance[(size_t)out->features[at] + (size_t)out->oob_rows[i] * p] +=
                out->rise[(size_t)at * (size_t)out->n_oob + (size_t)i] / r->n_perm;
        }
    }
}

static void finish_importance(oob_statistics *r)
{
    rrf_parallel_result *result = r->result;
    int n = r->base->data->n, p = r->base->data->p;
    importance_finish(result->importance, result->importance_sd, (size_t)p * (size_t)r->n_measures, r->forest->ntree,
                      true);
    local_importance_finish(result->local_importance, result->oob_times, n, p);
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
    out->n_oob = oob_list(out->count, n, out->oob_rows);
    if (r->result->inbag) {
        memcpy(r->result->inbag + (size_t)index * (size_t)n, out->count, (size_t)n * sizeof *out->count);
    }
    if (r->result->proximity) {
        tree_apply(&t, r->base->data, NULL, n, -1, NULL, out->leaves);
    }
    status = watch_work(&r->workers[worker].builder.watch, (int64_t)n * WORK_PER_DESCENT);
    return status || !r->result->importance ? status : permute_features(r, &t, index, worker, out);
}

static rrf_status take_report(void *context, int item)
{
    oob_statistics *r = context;
    if (r->result->importance) {
        add_importance(r, r->trees + item);
    }
    return RRF_OK;
}

static rrf_status add_pairs(oob_statistics *r, int n_trees, const rrf_monitor *monitor)
{
    const int32_t *leaves[TREES_PER_BATCH], *bags[TREES_PER_BATCH];
    for (int i = 0; i < n_trees; ++i) {
        leaves[i] = r->trees[i].leaves;
        bags[i] = r->trees[i].count;
    }
    pair_count pairs = {r->result->proximity, r->oob_pairs, leaves, bags, r->base->data->n, n_trees, false};
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
                 .hand_in = take_report,
                 .monitor = monitor};
    rrf_status status = pool_run(&pool);
    return !status && r->result->proximity ? add_pairs(r, n_trees, monitor) : status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static rrf_status alloc_trees(oob_statistics *r)
{
    size_t n = (size_t)r->base->data->n, p = (size_t)r->base->data->p;
    r->trees = calloc(TREES_PER_BATCH, sizeof *r->trees);
    for (int i = 0; r->trees && i < TREES_PER_BATCH; ++i) {
        tree_report *out = r->trees + i;
        out->leaves = malloc(n * sizeof *out->leaves);
        out->count = malloc(n * sizeof *out->count);
        out->oob_rows = malloc(n * sizeof *out->oob_rows);
        out->features = malloc(p * sizeof *out->features);
        if (!out->leaves || !out->count || !out->oob_rows || !out->features) {
            return RRF_ERR_MEMORY;
        }
    }
    return r->trees ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status alloc_permuters(oob_statistics *r)
{
    size_t n = (size_t)r->base->data->n, p = (size_t)r->base->data->p;
    r->permuters = calloc((size_t)r->n_jobs, sizeof *r->permuters);
    for (int i = 0; r->permuters && i < r->n_jobs; ++i) {
        permuter *s = r->permuters + i;
        s->leaves = malloc(n * sizeof *s->leaves);
        s->permuted_leaves = malloc(n * sizeof *s->permuted_leaves);
        s->column = malloc(n * sizeof *s->column);
        s->used = calloc(p, 1);
        if (!s->leaves || !s->permuted_leaves || !s->column || !s->used) {
            return RRF_ERR_MEMORY;
        }
    }
    return r->permuters ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status clear_statistics(oob_statistics *r)
{
    rrf_parallel_result *result = r->result;
    size_t n = (size_t)r->base->data->n, p = (size_t)r->base->data->p, cells = p * (size_t)r->n_measures;
    if (result->importance) {
        memset(result->importance, 0, cells * sizeof *result->importance);
        memset(result->importance_sd, 0, cells * sizeof *result->importance_sd);
    }
    if (result->local_importance) {
        memset(result->local_importance, 0, n * p * sizeof *result->local_importance);
    }
    if (result->proximity) {
        memset(result->proximity, 0, n * n * sizeof *result->proximity);
    }
    if (result->proximity && r->base->params->oob_proximity) {
        r->oob_pairs = calloc(n * n, sizeof *r->oob_pairs);
        return r->oob_pairs ? RRF_OK : RRF_ERR_MEMORY;
    }
    return RRF_OK;
}

static void oob_statistics_free(oob_statistics *r)
{
    for (int i = 0; r->trees && i < TREES_PER_BATCH; ++i) {
        free(r->trees[i].leaves);
        free(r->trees[i].count);
        free(r->trees[i].oob_rows);
        free(r->trees[i].features);
        free(r->trees[i].loss);
        free(r->trees[i].rise);
    }
    for (int i = 0; r->permuters && i < r->n_jobs; ++i) {
        free(r->permuters[i].leaves);
        free(r->permuters[i].permuted_leaves);
        free(r->permuters[i].column);
        free(r->permuters[i].used);
    }
    free(r->trees);
    free(r->permuters);
    free(r->oob_pairs);
}

rrf_status parallel_oob_statistics(parallel_base *base, const rrf_forest *forest, parallel_worker *workers, int n_jobs,
                                   const rrf_monitor *monitor, rrf_parallel_result *result)
{
    oob_statistics r = {.base = base,
                        .forest = forest,
                        .workers = workers,
                        .n_jobs = n_jobs,
                        .n_measures = base->target->response ? 1 : base->target->nclass + 1,
                        .n_perm = base->target->response ? base->params->n_perm : 1,
                        .permutation_seed = splitmix_word(base->parallel->seed, 2),
                        .result = result};
    if (!result->importance && !result->proximity && !result->inbag) {
        return RRF_OK;
    }
    rrf_status status = alloc_trees(&r);
    if (!status) {
        status = alloc_permuters(&r);
    }
    if (!status) {
        status = clear_statistics(&r);
    }
    for (; !status && r.first < forest->ntree; r.first += TREES_PER_BATCH) {
        status = run_batch(&r, monitor);
    }
    if (!status && result->importance) {
        finish_importance(&r);
    }
    if (!status && result->proximity) {
        proximity_finish(result->proximity, r.oob_pairs, base->data->n, forest->ntree);
    }
    oob_statistics_free(&r);
    return status;
}
