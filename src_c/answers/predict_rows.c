/* Predictions on several threads: each takes a range of rows down all trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "answers/votes.h"
#include "random/splitmix.h"
#include "threads/pool.h"
#include "tree/apply.h"

enum { ROWS_PER_RANGE = 2048 };

typedef struct prediction {
    const rrf_forest *forest;
    const rrf_data *data;
    int nclass;
    vote_rule rule;
    int32_t *nodes;  /* n x ntree from 0, for proximity; NULL */
    int32_t *leaves; /* ROWS_PER_RANGE a worker */
    int32_t *rows;   /* likewise */
    uint64_t *way;   /* likewise: a hash of the leaves that a row falls into; breaks ties of its votes */
    rrf_prediction *out;
} prediction;

static void take_leaves(prediction *r, const tree *t, int index, int first, int n_rows, const int32_t *leaves,
                        uint64_t *way)
{
    rrf_prediction *out = r->out;
    size_t column = (size_t)index * (size_t)r->data->n;
    for (int i = 0; i < n_rows; ++i) {
        size_t row = (size_t)first + (size_t)i;
        double value = t->prediction[leaves[i]];
        way[i] = splitmix_mix(way[i] + (uint64_t)leaves[i] + SPLITMIX_STEP);
        if (r->nclass > 1) {
            ++out->votes[row * (size_t)r->nclass + (size_t)value - 1];
        } else {
            out->mean[row] += value;
        }
        if (out->individual) {
            out->individual[column + row] = r->nclass > 1 ? value - 1.0 : value;
        }
        if (out->nodes) {
            out->nodes[column + row] = leaves[i] + 1;
        }
        if (r->nodes) {
            r->nodes[column + row] = leaves[i];
        }
    }
}

static void decide(prediction *r, int first, int n_rows, const uint64_t *way)
{
    for (int row = first; row < first + n_rows; ++row) {
        if (r->nclass > 1) {
            const int32_t *votes = r->out->votes + (size_t)row * (size_t)r->nclass;
            r->out->predicted[row] = vote_winner_parallel(&r->rule, votes, r->forest->ntree, way[row - first]);
        } else {
            r->out->mean[row] /= r->forest->ntree;
        }
    }
}

static rrf_status predict_range(void *context, int worker, int item, const rrf_monitor *monitor)
{
    prediction *r = context;
    int first = item * ROWS_PER_RANGE, left = r->data->n - first;
    int n_rows = left < ROWS_PER_RANGE ? left : ROWS_PER_RANGE;
    int32_t *leaves = r->leaves + (size_t)worker * ROWS_PER_RANGE, *rows = r->rows + (size_t)worker * ROWS_PER_RANGE;
    uint64_t *way = r->way + (size_t)worker * ROWS_PER_RANGE;
    watch watch = {.monitor = monitor};
    rrf_status status = RRF_OK;
    for (int i = 0; i < n_rows; ++i) {
        rows[i] = first + i;
        way[i] = 0;
    }
    for (int index = 0; !status && index < r->forest->ntree; ++index) {
        tree t = forest_tree(r->forest, index);
        tree_apply(&t, r->data, rows, n_rows, -1, NULL, leaves);
        take_leaves(r, &t, index, first, n_rows, leaves, way);
        status = watch_work(&watch, (int64_t)n_rows * WORK_PER_DESCENT);
    }
    decide(r, first, n_rows, way);
    return status;
}

static rrf_status add_pairs(prediction *r, int n_jobs, const rrf_monitor *monitor)
{
    int n = r->data->n, ntree = r->forest->ntree;
    const int32_t **leaves = malloc((size_t)ntree * sizeof *leaves);
    rrf_status status = leaves ? RRF_OK : RRF_ERR_MEMORY;
    for (int i = 0; leaves && i < ntree; ++i) {
        leaves[i] = r->nodes + (size_t)i * (size_t)n;
    }
    if (!status) {
        pair_count pairs = {r->out->proximity, NULL, leaves, NULL, n, ntree};
        status = count_pairs(&pairs, n_jobs, monitor);
    }
    free(leaves);
    if (!status) {
        proximity_finish(r->out->proximity, NULL, n, ntree);
    }
    return status;
}

static rrf_status prediction_alloc(prediction *r, int n_jobs)
{
    size_t n = (size_t)r->data->n, scratch = (size_t)n_jobs * ROWS_PER_RANGE;
    r->leaves = malloc(scratch * sizeof *r->leaves);
    r->rows = malloc(scratch * sizeof *r->rows);
    r->way = malloc(scratch * sizeof *r->way);
    if (r->nclass > 1) {
        memset(r->out->votes, 0, n * (size_t)r->nclass * sizeof *r->out->votes);
    } else {
        memset(r->out->mean, 0, n * sizeof *r->out->mean);
    }
    if (r->out->proximity) {
        memset(r->out->proximity, 0, n * n * sizeof *r->out->proximity);
        r->nodes = malloc(n * (size_t)r->forest->ntree * sizeof *r->nodes);
    }
    return r->leaves && r->rows && r->way && (!r->out->proximity || r->nodes) ? RRF_OK : RRF_ERR_MEMORY;
}

static int count_ranges(const rrf_data *data)
{
    return (data->n + ROWS_PER_RANGE - 1) / ROWS_PER_RANGE;
}

static rrf_status prediction_run(prediction *r, int n_jobs, const rrf_monitor *monitor)
{
    int size = pool_size(n_jobs, count_ranges(r->data));
    pool pool = {.context = r,
                 .n_items = count_ranges(r->data),
                 .n_jobs = size,
                 .window = 4 * size,
                 .work = predict_range,
                 .monitor = monitor};
    rrf_status status = pool_run(&pool);
    return !status && r->out->proximity ? add_pairs(r, n_jobs, monitor) : status;
}

rrf_status rrf_predict(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, int n_jobs,
                       const rrf_monitor *monitor, rrf_prediction *out)
{
    prediction r = {.forest = forest,
                    .data = data,
                    .nclass = nclass,
                    .rule = nclass > 1 ? vote_rule_make(nclass, cutoff, 0) : (vote_rule){0},
                    .out = out};
    rrf_status status = prediction_alloc(&r, pool_size(n_jobs, count_ranges(data)));
    if (!status) {
        status = prediction_run(&r, n_jobs, monitor);
    }
    free(r.leaves);
    free(r.rows);
    free(r.way);
    free(r.nodes);
    return status;
}
