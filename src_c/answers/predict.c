/* Predictions of a forest for new rows: R's classForest and regForest, and variants on threads, each of which sends
 * ranges of rows down all trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "answers/votes.h"
#include "params.h"
#include "threads/pool.h"
#include "tree/apply.h"
#include "tree/descent.h"

/* Largest number of rows of a range, which one descent takes; smaller ranges balance the threads at the end. */
enum { RANGES_PER_THREAD = 4, MIN_RANGE_ROWS = 1024 };

/* Buffers of a thread for a range of rows. */
typedef struct range {
    uint64_t way[MAX_BLOCK_ROWS]; /* hash of the leaves of a row, which breaks ties of its votes */
    descent descent;
} range;

typedef struct prediction {
    arena memory;
    const rrf_forest *forest;
    descent_plan plan;
    const rrf_data *data;
    int nclass; /* 1: regression */
    bool hashes;
    vote_rule rule;
    int32_t *nodes; /* n x ntree: the caller's array, or a private one for proximities; NULL: not needed */
    range *ranges;  /* n_threads */
    int n_threads, range_rows, n_ranges;
    int32_t *before; /* one per range: votes of its first row that count for the last row of the range before */
    rrf_prediction *out;
} prediction;

/* ---- a range of rows ------------------------------------------------------------------------------------------------- */

/* Counts the votes of a leaf without cases in the bag. The vote of a range's first row may count for a row of another
 * thread. */
static void add_no_class(prediction *r, const uint16_t *rows, int n_rows, int first)
{
    for (int i = 0; i < n_rows; ++i) {
        int row = first + rows[i];
        if (row % r->range_rows == 0) {
            ++r->before[row / r->range_rows];
        } else {
            vote_count(&r->rule, r->out->votes, row, 0);
        }
    }
}

static void add_votes(prediction *r, int leaf_class, const uint16_t *rows, int n_rows, int first)
{
    size_t nclass = (size_t)r->nclass;
    int32_t *votes = r->out->votes + (size_t)first * nclass + leaf_class - 1;
    if (leaf_class == 0) {
        add_no_class(r, rows, n_rows, first);
        return;
    }
    for (int i = 0; i < n_rows; ++i) {
        ++votes[rows[i] * nclass];
    }
}

/* Adds the predictions of a leaf to the votes of its rows, or to their sums. */
static void add_leaf(prediction *r, const tree *t, int leaf, range *own, const uint16_t *rows, int n_rows)
{
    double prediction = t->prediction[leaf], *mean = r->out->mean + own->descent.first;
    if (r->nclass > 1) {
        add_votes(r, (int)prediction, rows, n_rows, own->descent.first);
    } else {
        for (int i = 0; i < n_rows; ++i) {
            mean[rows[i]] += prediction;
        }
    }
    for (int i = 0; r->hashes && i < n_rows; ++i) {
        own->way[rows[i]] = vote_key_after(own->way[rows[i]], leaf);
    }
}

/* Writes the optional results of a tree. start: offset of the block in the tree's column. */
static void write_leaf(prediction *r, const tree *t, int leaf, size_t start, const uint16_t *rows, int n_rows)
{
    for (int i = 0; r->out->individual && i < n_rows; ++i) {
        r->out->individual[start + rows[i]] = t->prediction[leaf] - (r->nclass > 1 ? 1.0 : 0.0);
    }
    for (int i = 0; r->nodes && i < n_rows; ++i) {
        r->nodes[start + rows[i]] = leaf + 1;
    }
}

static void predict_tree(prediction *r, int index, range *own)
{
    descent *d = &own->descent;
    tree t = forest_tree(r->forest, index);
    size_t start = (size_t)index * (size_t)r->data->n + (size_t)d->first;
    descend(d, &t);
    for (int i = 0; i < d->n_arrived; ++i) {
        const part *leaf = d->arrived + i;
        add_leaf(r, &t, leaf->node, own, d->rows + leaf->begin, leaf->n);
        write_leaf(r, &t, leaf->node, start, d->rows + leaf->begin, leaf->n);
    }
}

static void finish_rows(prediction *r, const range *own)
{
    int first = own->descent.first, n_rows = own->descent.n_rows;
    for (int i = 0; r->nclass == 1 && i < n_rows; ++i) {
        r->out->mean[first + i] /= r->forest->ntree;
    }
    for (int i = 0; r->hashes && i < n_rows; ++i) {
        const int32_t *votes = r->out->votes + ((size_t)first + (size_t)i) * (size_t)r->nclass;
        r->out->predicted[first + i] = vote_winner_parallel(&r->rule, votes, r->forest->ntree, own->way[i]);
    }
}

static rrf_status predict_range(void *context, int worker, int item, const rrf_monitor *monitor)
{
    prediction *r = context;
    range *own = r->ranges + worker;
    int first = item * r->range_rows, left = r->data->n - first;
    int end = left < r->range_rows ? r->data->n : first + r->range_rows;
    watch watch = {.monitor = monitor};
    rrf_status status = RRF_OK;
    descent_begin(&own->descent, first);
    for (int row = first, n_rows; !status && row < end; row += n_rows) {
        n_rows = descent_read(&own->descent, end - row);
        memset(own->way, 0, (size_t)n_rows * sizeof *own->way);
        for (int index = 0; !status && index < r->forest->ntree; ++index) {
            predict_tree(r, index, own);
            status = watch_work(&watch, (int64_t)n_rows * WORK_PER_DESCENT);
        }
        finish_rows(r, own);
    }
    return status;
}

/* ---- all rows -------------------------------------------------------------------------------------------------------- */

static void count_votes_before(prediction *r)
{
    for (int item = 0; r->nclass > 1 && item < r->n_ranges; ++item) {
        for (int i = 0; i < r->before[item]; ++i) {
            vote_count(&r->rule, r->out->votes, item * r->range_rows, 0);
        }
    }
}

static rrf_status predict_rows(prediction *r, const rrf_monitor *monitor)
{
    pool pool = {.context = r,
                 .n_items = r->n_ranges,
                 .n_jobs = r->n_threads,
                 .window = 4 * r->n_threads,
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

static void split_ranges(prediction *r, int n_jobs)
{
    int64_t n = r->data->n, wanted = n_jobs > 1 ? n / (RANGES_PER_THREAD * (int64_t)n_jobs) : n;
    r->range_rows = MIN_RANGE_ROWS;
    while (r->range_rows < wanted && r->range_rows < MAX_BLOCK_ROWS) {
        r->range_rows *= 2;
    }
    r->n_ranges = (r->data->n - 1) / r->range_rows + 1;
    r->n_threads = pool_size(n_jobs, r->n_ranges);
}

static rrf_status prediction_init(prediction *r, int n_jobs)
{
    size_t n = (size_t)r->data->n;
    arena *memory = &r->memory;
    split_ranges(r, n_jobs);
    TAKE(memory, r->ranges, r->n_threads);
    r->nodes = r->out->nodes;
    if (r->out->proximity && !r->nodes) {
        TAKE(memory, r->nodes, n * (size_t)r->forest->ntree);
    }
    TAKE_ZEROS(memory, r->before, r->n_ranges);
    descent_plan_init(&r->plan, r->forest, r->data, memory);
    for (int i = 0; r->ranges && i < r->n_threads; ++i) {
        descent_init(&r->ranges[i].descent, &r->plan, memory);
    }
    if (arena_status(memory)) {
        return RRF_ERR_MEMORY;
    }
    if (r->nclass > 1) {
        memset(r->out->votes, 0, n * (size_t)r->nclass * sizeof *r->out->votes);
        if (r->out->predicted) {
            memset(r->out->predicted, 0xff, n * sizeof *r->out->predicted);
        }
    } else {
        memset(r->out->mean, 0, n * sizeof *r->out->mean);
    }
    if (r->out->proximity) {
        memset(r->out->proximity, 0, n * n * sizeof *r->out->proximity);
    }
    return RRF_OK;
}

/* Breaks ties row after row, as R draws. */
static void draw_winners(prediction *r, rrf_rng *rng)
{
    ballot b = {.n = r->data->n, .votes = r->out->votes, .ntree = r->forest->ntree, .predicted = r->out->predicted};
    ballot_count(&b, &r->rule, rng, NULL, NULL);
}

rrf_status rrf_predict(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, rrf_ties ties,
                       rrf_rng *rng, int n_jobs, const rrf_monitor *monitor, rrf_prediction *out)
{
    bool classes = nclass > 1;
    prediction r = {
        .forest = forest, .data = data, .nclass = nclass, .hashes = classes && !rng && out->predicted, .out = out};
    bool room = classes ? out->votes && (out->predicted || !rng) : out->mean != NULL;
    if (check_new_data(data, forest->missing_left != NULL) || !room) {
        return RRF_ERR_ARGUMENT;
    }
    r.rule = classes ? vote_rule_make(nclass, cutoff, ties) : r.rule;
    rrf_status status = prediction_init(&r, n_jobs);
    status = status ? status : predict_rows(&r, monitor);
    if (!status && out->proximity) {
        status = count_proximity(&r, n_jobs, monitor);
    }
    if (!status && classes && rng) {
        draw_winners(&r, rng);
    }
    arena_free(&r.memory);
    return status;
}
