/* Predictions of a forest for new rows: R's classForest and regForest, and their like on threads, each of which takes ranges of
 * rows down all trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "answers/votes.h"
#include "params.h"
#include "threads/pool.h"
#include "tree/apply.h"
#include "tree/compact.h"

enum { ROWS_PER_RANGE = 2048 };

/* What a thread needs for a range of rows. */
typedef struct range {
    int32_t rows[ROWS_PER_RANGE], leaves[ROWS_PER_RANGE];
    uint64_t way[ROWS_PER_RANGE]; /* a hash of the leaves that a row falls into; breaks ties of its votes */
    row_block block;
} range;

typedef struct prediction {
    arena memory;
    const rrf_forest *forest;
    compact_forest compact; /* the same, where rows are many enough for it */
    const rrf_data *data;
    int nclass; /* 1: numbers */
    bool hashes;
    vote_rule rule;
    int32_t *nodes; /* n x ntree: the caller's, or where only proximities are wanted our own; NULL: not needed */
    range *ranges;  /* n_ranges: one per thread */
    int n_ranges;
    int32_t *before; /* one per range: votes of its first row that count for the row before, another thread's */
    rrf_prediction *out;
} prediction;

/* ---- a range of rows ------------------------------------------------------------------------------------------------- */

/* Adds a tree's predictions to the votes, or to the sums. */
static void add_tree(prediction *r, const tree *t, range *own, int first, int n_rows)
{
    if (r->nclass > 1) {
        bool displaced = first % ROWS_PER_RANGE == 0 && t->prediction[own->leaves[0]] == 0.0;
        r->before[first / ROWS_PER_RANGE] += displaced;
        for (int i = displaced; i < n_rows; ++i) {
            vote_count(&r->rule, r->out->votes, first + i, (int)t->prediction[own->leaves[i]]);
        }
    } else {
        for (int i = 0; i < n_rows; ++i) {
            r->out->mean[first + i] += t->prediction[own->leaves[i]];
        }
    }
    for (int i = 0; r->hashes && i < n_rows; ++i) {
        own->way[i] = vote_key_after(own->way[i], own->leaves[i]);
    }
}

/* What is asked for tree by tree. */
static void write_tree(prediction *r, const tree *t, int index, const range *own, int first, int n_rows)
{
    size_t start = (size_t)index * (size_t)r->data->n + (size_t)first;
    for (int i = 0; r->out->individual && i < n_rows; ++i) {
        r->out->individual[start + (size_t)i] = t->prediction[own->leaves[i]] - (r->nclass > 1 ? 1.0 : 0.0);
    }
    for (int i = 0; r->nodes && i < n_rows; ++i) {
        r->nodes[start + (size_t)i] = own->leaves[i] + 1;
    }
}

static void finish_rows(prediction *r, const range *own, int first, int n_rows)
{
    for (int i = 0; r->nclass == 1 && i < n_rows; ++i) {
        r->out->mean[first + i] /= r->forest->ntree;
    }
    for (int i = 0; r->hashes && i < n_rows; ++i) {
        const int32_t *votes = r->out->votes + ((size_t)first + (size_t)i) * (size_t)r->nclass;
        r->out->predicted[first + i] = vote_winner_parallel(&r->rule, votes, r->forest->ntree, own->way[i]);
    }
}

static void find_leaves(const prediction *r, const tree *t, int index, range *own, int n_rows)
{
    if (r->compact.nodes) {
        compact_apply(&r->compact, index, &own->block, own->leaves);
    } else {
        tree_apply(t, r->data, own->rows, n_rows, -1, NULL, own->leaves);
    }
}

static rrf_status predict_block(prediction *r, range *own, int first, int n_rows, watch *watch)
{
    rrf_status status = RRF_OK;
    for (int i = 0; i < n_rows; ++i) {
        own->rows[i] = first + i;
        own->way[i] = 0;
    }
    for (int index = 0; !status && index < r->forest->ntree; ++index) {
        tree t = forest_tree(r->forest, index);
        find_leaves(r, &t, index, own, n_rows);
        add_tree(r, &t, own, first, n_rows);
        write_tree(r, &t, index, own, first, n_rows);
        status = watch_work(watch, (int64_t)n_rows * WORK_PER_DESCENT);
    }
    finish_rows(r, own, first, n_rows);
    return status;
}

static rrf_status predict_range(void *context, int worker, int item, const rrf_monitor *monitor)
{
    prediction *r = context;
    range *own = r->ranges + worker;
    int first = item * ROWS_PER_RANGE, left = r->data->n - first;
    int end = left < ROWS_PER_RANGE ? r->data->n : first + ROWS_PER_RANGE;
    watch watch = {.monitor = monitor};
    rrf_status status = RRF_OK;
    if (r->compact.nodes) {
        row_block_begin(&own->block, &r->compact, first);
    }
    for (int row = first, n_rows; !status && row < end; row += n_rows) {
        n_rows = r->compact.nodes ? row_block_read(&own->block, &r->compact, end - row) : end - row;
        status = predict_block(r, own, row, n_rows, &watch);
    }
    return status;
}

/* ---- all rows -------------------------------------------------------------------------------------------------------- */

static int count_ranges(const rrf_data *data)
{
    return (data->n - 1) / ROWS_PER_RANGE + 1;
}

static void count_votes_before(prediction *r)
{
    for (int item = 0; r->nclass > 1 && item < count_ranges(r->data); ++item) {
        for (int i = 0; i < r->before[item]; ++i) {
            vote_count(&r->rule, r->out->votes, item * ROWS_PER_RANGE, 0);
        }
    }
}

static rrf_status predict_rows(prediction *r, int n_jobs, const rrf_monitor *monitor)
{
    int n_items = count_ranges(r->data), size = pool_size(n_jobs, n_items);
    pool pool = {.context = r,
                 .n_items = n_items,
                 .n_jobs = size,
                 .window = 4 * size,
                 .work = predict_range,
                 .monitor = monitor};
    rrf_status status = pool_run(&pool);
    count_votes_before(r);
    return status;
}

static rrf_status count_proximity(prediction *r, int n_jobs, const rrf_monitor *monitor)
{
    int n = r->data->n, ntree = r->forest->ntree;
    const int32_t **nodes = arena_take(&r->memory, (size_t)ntree, sizeof *nodes);
    if (!nodes) {
        return RRF_ERR_MEMORY;
    }
    for (int i = 0; i < ntree; ++i) {
        nodes[i] = r->nodes + (size_t)i * (size_t)n;
    }
    pair_count pairs = {r->out->proximity, NULL, nodes, NULL, n, ntree, false};
    rrf_status status = count_pairs(&pairs, n_jobs, monitor);
    if (!status) {
        proximity_finish(r->out->proximity, NULL, n, ntree);
    }
    return status;
}

static rrf_status prediction_init(prediction *r, int n_jobs)
{
    size_t n = (size_t)r->data->n;
    arena *memory = &r->memory;
    r->n_ranges = pool_size(n_jobs, count_ranges(r->data));
    TAKE(memory, r->ranges, r->n_ranges);
    r->nodes = r->out->nodes;
    if (r->out->proximity && !r->nodes) {
        TAKE(memory, r->nodes, n * (size_t)r->forest->ntree);
    }
    TAKE_ZEROS(memory, r->before, count_ranges(r->data));
    compact_init(&r->compact, r->forest, r->data, memory);
    for (int i = 0; r->ranges && r->compact.nodes && i < r->n_ranges; ++i) {
        row_block_init(&r->ranges[i].block, &r->compact, memory);
    }
    if (arena_status(memory)) {
        return RRF_ERR_MEMORY;
    }
    if (r->nclass > 1) {
        memset(r->out->votes, 0, n * (size_t)r->nclass * sizeof *r->out->votes);
        memset(r->out->predicted, 0xff, n * sizeof *r->out->predicted);
    } else {
        memset(r->out->mean, 0, n * sizeof *r->out->mean);
    }
    if (r->out->proximity) {
        memset(r->out->proximity, 0, n * n * sizeof *r->out->proximity);
    }
    return RRF_OK;
}

/* Row after row, as R draws. */
static void draw_winners(prediction *r, rrf_rng *rng)
{
    ballot b = {.n = r->data->n, .votes = r->out->votes, .ntree = r->forest->ntree, .predicted = r->out->predicted};
    ballot_count(&b, &r->rule, rng, NULL, NULL);
}

rrf_status rrf_predict(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, rrf_ties ties,
                       rrf_rng *rng, int n_jobs, const rrf_monitor *monitor, rrf_prediction *out)
{
    bool classes = nclass > 1;
    prediction r = {.forest = forest, .data = data, .nclass = nclass, .hashes = classes && !rng, .out = out};
    if (check_new_data(data, forest->missing_left != NULL) || (classes ? !out->votes || !out->predicted : !out->mean)) {
        return RRF_ERR_ARGUMENT;
    }
    r.rule = classes ? vote_rule_make(nclass, cutoff, ties) : r.rule;
    rrf_status status = prediction_init(&r, n_jobs);
    status = status ? status : predict_rows(&r, n_jobs, monitor);
    if (!status && out->proximity) {
        status = count_proximity(&r, n_jobs, monitor);
    }
    if (!status && classes && rng) {
        draw_winners(&r, rng);
    }
    arena_free(&r.memory);
    return status;
}
