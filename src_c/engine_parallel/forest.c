/* Parallel forests: every tree has its own random stream, so that trees can be grown side by side.
 *
 * A regularized tree depends on the feature set F that the trees before it left. Workers grow ahead with the F of the
 * moment; trees are taken into the forest one by one, in order, and where F has grown since, the parts of a tree that this
 * changes are grown again before it is taken. The forest is therefore that of the sequential rule, whatever the number of
 * workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_parallel/parallel.h"
#include "engine_parallel/split_list.h"
#include "engine_parallel/test_rows.h"
#include "answers/oob.h"
#include "answers/votes.h"
#include "random/splitmix.h"
#include "data/make_ranks.h"
#include "filters.h"
#include "tree/apply.h"

/* A tree in progress. */
typedef struct job {
    int n_known;       /* size of F at the start of growing this tree */
    bool grown, again; /* it has been grown; a part of it has been regrown */
    bool guessed;      /* grown with all features in F, before the first tree was known */
    int64_t searched, repeated;
    rrf_forest buffer; /* owner of the tree */
    tree tree;
    parallel_node *nodes;
    oob_sample oob;
    int32_t *test_leaves; /* of the test set; NULL: there is none */
} job;

typedef struct parallel_forest {
    arena memory;
    parallel_base base;
    rrf_parallel_result *result;
    forest_statistics statistics;
    rrf_forest *forest;
    vote_rule rule;
    uint64_t vote_key; /* breaks ties of the votes */
    int32_t *cases;    /* nclass: rows that have been out of bag at least once */
    int32_t *wrong;    /* nclass: rows among these whose votes are wrong */
    parallel_worker *workers;
    int n_jobs;
    job *jobs; /* job i % window grows tree i */
    int window;
    int32_t *order; /* nodes of the last tree added to the forest, breadth first */
    test_rows test;
    feature_set set;     /* F */
    atomic_int n_shared; /* its size, which workers read without the lock */
    bool first_taken;    /* the features of the first tree are known, if any */
} parallel_forest;

/* ---- growing one tree ------------------------------------------------------------------------------------------------ */

static void begin_tree(void *context, int index)
{
    parallel_forest *f = context;
    job *j = f->jobs + index % f->window;
    if (j->guessed) {
        /* The guess was wrong, so nothing of the attempt can be reused. */
        j->again = true;
        j->grown = false;
    }
    j->guessed = index > 0 && !f->first_taken && f->set.size == 0 && f->base.expects_all;
    j->n_known = f->base.params->flag_reg == 1 ? f->set.size : 0;
    if (j->guessed) {
        j->n_known = f->base.data->p;
    }
}

static void find_oob(const parallel_worker *w, job *j)
{
    const builder *g = &w->builder;
    j->oob.size = oob_list(g->bag.count, g->data->n, j->oob.rows);
    int32_t *leaves = g->spare; /* scratch between two trees */
    builder_apply(g, &j->tree, j->oob.rows, j->oob.size, leaves);
    oob_predict(&j->oob, &j->tree, leaves);
}

static rrf_status find_test_leaves(const parallel_forest *f, parallel_worker *w, job *j)
{
    const rrf_data *data = f->test.rows ? f->test.rows->data : NULL;
    if (!data) {
        return RRF_OK;
    }
    tree_apply(&j->tree, data, NULL, data->n, -1, NULL, j->test_leaves);
    return watch_work(&w->builder.watch, (int64_t)data->n * WORK_PER_DESCENT);
}

/* A job that has not been grown has no earlier attempt. The state of F at a node of an earlier attempt is derived from
 * the numbers of the nodes before it (regrow.c). Depth first these are not the nodes that came before, so such a tree
 * is regrown as a whole. */
static attempt earlier_attempt(const parallel_forest *f, const job *j)
{
    return j->grown && !f->base.parallel->depth_first ? (attempt){.nodes = j->nodes, .size = j->tree.size}
                                                      : (attempt){0};
}

static void swap_nodes(parallel_node **a, parallel_node **b)
{
    parallel_node *swap = *a;
    *a = *b;
    *b = swap;
}

static rrf_status grow_job(void *context, int worker, int index, const rrf_monitor *monitor)
{
    parallel_forest *f = context;
    job *j = f->jobs + index % f->window;
    parallel_worker *w = f->workers + worker;
    j->buffer.ntree = 0;
    w->builder.watch.monitor = monitor;
    if (w->guesses != j->guessed) {
        known_forget(&w->search.known);
        w->guesses = j->guessed;
    }
    known_learn(&w->search.known, j->guessed ? f->base.all_features : f->set.members, j->n_known);
    w->search.known.shared = f->set.members;
    w->search.known.n_shared = j->guessed || f->base.params->flag_reg != 1 ? NULL : &f->n_shared;
    rrf_status status = parallel_draw_bag(w, tree_stream(&f->base, index));
    attempt earlier = earlier_attempt(f, j);
    /* The worker's own nodes are needed only together with an earlier attempt, and take no memory until they are
     * written. */
    if (!earlier.nodes) {
        swap_nodes(&w->nodes, &j->nodes);
    }
    if (!status) {
        status = forest_reserve_parallel(&j->buffer, w->builder.nodes.capacity, &j->tree);
    }
    if (!status) {
        status = parallel_grow(w, tree_stream(&f->base, index), earlier, &j->tree);
    }
    swap_nodes(&w->nodes, &j->nodes);
    if (!status && (!j->grown || w->search.tree.changed)) {
        find_oob(w, j);
        status = find_test_leaves(f, w, j);
    }
    j->again = j->again || (j->grown && w->search.tree.changed);
    j->repeated += j->grown ? w->search.tree.n_searched : 0;
    j->searched += w->search.tree.n_searched;
    j->grown = true;
    return status;
}

/* ---- adding a tree to the forest ------------------------------------------------------------------------------------ */

/* The size is stored last, so that workers see complete groups. */
static rrf_status enter_f(parallel_forest *f, int feature)
{
    bool joins = f->base.params->flag_reg == 1 && !f->base.parallel->draw_from_all;
    int before = f->set.size;
    rrf_status status = RRF_OK;
    feature_set_enter(&f->set, feature);
    for (int i = before; joins && !status && i < f->set.size; ++i) {
        status = ASK(know_member, RRF_OK, f->base.ranks, f->set.members[i], f->set.size);
    }
    if (status) {
        return status;
    }
    atomic_store_explicit(&f->n_shared, f->set.size, memory_order_release);
    return RRF_OK;
}

static rrf_status take_features(parallel_forest *f, const job *j)
{
    rrf_status status = RRF_OK;
    for (int i = 0; !status && i < j->tree.size; ++i) {
        const parallel_node *node = j->nodes + f->order[i];
        if (node->left) {
            int feature = node->best.feature;
            f->result->decrease[feature] += node->decrease;
            status = splits_add(f->result->splits, feature, node->decrease);
            status = status ? status : enter_f(f, feature);
        }
    }
    return status;
}

static void count_vote(parallel_forest *f, int row, int k)
{
    rrf_parallel_result *r = f->result;
    int truth = f->base.target->y[row], before = r->predicted[row];
    int32_t *votes = r->votes + (size_t)row * (size_t)f->base.target->nclass;
    ++votes[k];
    ++r->oob_times[row];
    r->predicted[row] =
        vote_winner_parallel(&f->rule, votes, r->oob_times[row], splitmix_word(f->vote_key, (uint64_t)row));
    f->cases[truth] += before < 0;
    f->wrong[truth] += (r->predicted[row] != truth) - (before >= 0 && before != truth);
}

static void count_votes(parallel_forest *f, const job *j, int index)
{
    int nclass = f->base.target->nclass;
    double *error = f->result->error + (size_t)index * ((size_t)nclass + 1);
    for (int i = 0; i < j->oob.size; ++i) {
        count_vote(f, j->oob.rows[i], (int)j->oob.predicted[i] - 1);
    }
    for (int k = 0; k < nclass; ++k) {
        error[k + 1] = f->wrong[k];
    }
    oob_error_rates(error, f->cases, nclass);
}

static void average_predictions(parallel_forest *f, const job *j, int index)
{
    rrf_parallel_result *r = f->result;
    for (int i = 0; i < j->oob.size; ++i) {
        int row = j->oob.rows[i], times = ++r->oob_times[row];
        double before = times == 1 ? 0.0 : r->mean[row];
        r->mean[row] = before + (j->oob.predicted[i] - before) / times;
    }
    r->error[index] = oob_mean_square(f->base.target->response, r->mean, r->oob_times, f->base.data->n);
}

/* Frees trees that are not read any more, to make room for the next one. */
static bool keeps_trees(const parallel_forest *f)
{
    return f->base.params->keep_forest || f->statistics.importance || f->statistics.proximity;
}

static rrf_status take_tree(void *context, int index)
{
    parallel_forest *f = context;
    job *j = f->jobs + index % f->window;
    if (!keeps_trees(f)) {
        f->forest->ntree = 0;
    }
    rrf_status status = forest_add_copy(f->forest, &j->tree, f->order);
    if (!status) {
        status = take_features(f, j);
    }
    if (f->base.target->response) {
        average_predictions(f, j, index);
    } else {
        count_votes(f, j, index);
    }
    if (f->test.rows) {
        test_rows_add(&f->test, &j->tree, j->test_leaves, index);
    }
    f->first_taken = true;
    f->result->regrown += j->again;
    f->result->searched += j->searched;
    f->result->repeated += j->repeated;
    j->grown = j->again = j->guessed = false;
    j->searched = j->repeated = 0;
    return status;
}

/* The first tree adds so many features to F that work ahead on others is wasted, unless its features can be guessed. */
static bool knows_features(void *context)
{
    const parallel_forest *f = context;
    return f->base.params->flag_reg != 1 || f->set.size > 0 || f->first_taken || f->base.expects_all;
}

static bool is_stale(void *context, int index)
{
    parallel_forest *f = context;
    const job *j = f->jobs + index % f->window;
    bool undecided = j->guessed && !f->first_taken;
    return f->base.params->flag_reg == 1 && !undecided && j->n_known != f->set.size;
}

/* ---- the forest ------------------------------------------------------------------------------------------------------ */

static void take_jobs(parallel_forest *f, int max_nodes)
{
    int n = f->base.data->n;
    TAKE_ZEROS(&f->memory, f->jobs, f->window);
    for (int i = 0; f->jobs && i < f->window; ++i) {
        job *j = f->jobs + i;
        TAKE(&f->memory, j->nodes, max_nodes);
        oob_init(&j->oob, n, &f->memory);
        if (f->test.rows) {
            TAKE(&f->memory, j->test_leaves, f->test.rows->data->n);
        }
    }
}

static rrf_status make_worker(void *context, int thread, int index, const rrf_monitor *monitor)
{
    parallel_forest *f = context;
    (void)thread;
    (void)monitor;
    return parallel_worker_init(f->workers + index, &f->base);
}

/* A worker has arrays with one number per feature; from this number of features on, writing them takes longer than
 * starting a thread. */
enum { MANY_FEATURES = 1 << 16 };

static rrf_status make_workers(parallel_forest *f)
{
    TAKE_ZEROS(&f->memory, f->workers, f->n_jobs);
    if (arena_status(&f->memory)) {
        return RRF_ERR_MEMORY;
    }
    int threads = f->base.data->p < MANY_FEATURES ? 1 : f->n_jobs;
    pool pool = {.context = f, .n_items = f->n_jobs, .n_jobs = threads, .window = f->n_jobs, .work = make_worker};
    return pool_run(&pool);
}

static rrf_status parallel_alloc(parallel_forest *f)
{
    int nclass = f->base.target->nclass;
    const rrf_params *params = f->base.params;
    TAKE_ZEROS(&f->memory, f->cases, nclass);
    TAKE_ZEROS(&f->memory, f->wrong, nclass);
    test_rows_init(&f->test, f->result->test, f->base.target->response ? NULL : &f->rule, params->ntree, &f->memory);
    rrf_status status = feature_set_init(&f->set, f->base.data->p, params->feature_group, &f->memory);
    status = status ? status : statistics_begin(&f->statistics, params->oob_proximity, &f->memory);
    status = status ? status : make_workers(f);
    if (!status) {
        int max_nodes = f->workers[0].builder.nodes.capacity;
        TAKE(&f->memory, f->order, max_nodes);
        take_jobs(f, max_nodes);
        status = arena_status(&f->memory);
    }
    return status;
}

static void parallel_free(parallel_forest *f)
{
    for (int i = 0; f->jobs && i < f->window; ++i) {
        rrf_forest_free(&f->jobs[i].buffer);
    }
    for (int i = 0; f->workers && i < f->n_jobs; ++i) {
        arena_free(&f->workers[i].memory);
    }
    rrf_ranks_free(f->base.own_ranks);
    arena_free(&f->memory);
}

/* F at the start. */
static rrf_status take_initial_features(parallel_forest *f)
{
    rrf_status status = RRF_OK;
    for (int feature = 0; !status && feature < f->base.data->p; ++feature) {
        if (f->result->used[feature]) {
            status = enter_f(f, feature);
        }
    }
    return status;
}

static void clear_predictions(const parallel_forest *f)
{
    rrf_parallel_result *r = f->result;
    size_t n = (size_t)f->base.data->n;
    r->regrown = r->searched = r->repeated = 0;
    if (f->base.target->response) {
        for (size_t row = 0; row < n; ++row) {
            r->mean[row] = NAN;
        }
    } else {
        memset(r->votes, 0, n * (size_t)f->base.target->nclass * sizeof *r->votes);
        memset(r->predicted, 0xff, n * sizeof *r->predicted);
    }
}

/* Trees in progress for each thread: many small ones, so that no thread waits for another, or few large ones. */
static int trees_ahead(int n)
{
    return n < 5000 ? 4 : 2;
}

static rrf_status grow_forest(parallel_forest *f, const rrf_monitor *monitor)
{
    pool pool = {.context = f,
                 .n_items = f->base.params->ntree,
                 .n_jobs = f->n_jobs,
                 .window = f->window,
                 .work = grow_job,
                 .may_begin = knows_features,
                 .begin = begin_tree,
                 .is_stale = is_stale,
                 .hand_in = take_tree,
                 .monitor = monitor};
    return pool_run(&pool);
}

/* Bytes of a worker's arrays for each row, and of its trees in progress for each node; a tree has up to two nodes for
 * five rows. Measured, accurate to a fifth. */
enum { BYTES_OF_ROW = 57, BYTES_OF_NUMBERS = 32, BYTES_OF_NODE = 250, BYTES_OF_RANKS = 8 };
#define NODES_PER_ROW 0.4
/* The share of the rows that is drawn with replacement. */
#define SHARE_IN_BAG 0.64
/* Memory that the workers beyond the first may always take. */
#define SPARE_BYTES (104.0 * 1024 * 1024)

static double bytes_of_worker(const rrf_data *data, const rrf_target *target, const rrf_params *params)
{
    double n = data->n, share = params->replace ? SHARE_IN_BAG : 1.0;
    double nodes = params->max_nodes < NODES_PER_ROW * n ? params->max_nodes : NODES_PER_ROW * n;
    double bytes = n * (BYTES_OF_ROW + (target->response ? BYTES_OF_NUMBERS : 0)) + nodes * BYTES_OF_NODE;
    return bytes + (params->flag_reg == 1 ? share * ASK(bytes_of_members, 0.0, data->n, data->p) : 0.0);
}

/* Returns the number of threads whose workers, except for the first, take at most half of the memory of one thread. */
static int affordable_jobs(int n_jobs, const rrf_data *data, const rrf_target *target, const rrf_params *params)
{
    double worker = bytes_of_worker(data, target, params);
    double half = (worker + (double)data->n * data->p * BYTES_OF_RANKS) / 2.0;
    double spare = half > SPARE_BYTES ? half : SPARE_BYTES;
    double most = 1.0 + floor(spare / worker);
    return most < n_jobs ? (int)most : n_jobs;
}

/* With large training or test sets, few trees are in progress. */
static int rows_at_hand(const rrf_data *train, const rrf_test_rows *test)
{
    return test && test->data->n > train->n ? test->data->n : train->n;
}

/* Returns whether the required arrays of the fit exist. */
static bool has_buffers(const rrf_parallel_result *r, const rrf_target *target, const forest_statistics *s)
{
    bool answers = target->response ? r->mean != NULL : r->votes && r->predicted;
    return answers && r->error && r->classwt &&
           statistics_have_buffers(s, r->importance || r->importance_sd || r->local_importance);
}

static rrf_status add_statistics(parallel_forest *f, const rrf_monitor *monitor)
{
    rrf_monitor quiet = monitor ? *monitor : (rrf_monitor){0};
    quiet.tree = NULL;
    rrf_status status = parallel_oob_statistics(&f->base, f->forest, f->workers, f->n_jobs, &quiet, &f->statistics);
    if (!status) {
        statistics_finish(&f->statistics, &f->set, true);
    }
    return status;
}

rrf_status rrf_fit_parallel(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                            const rrf_parallel_params *parallel_params, const rrf_ranks *ranks,
                            const rrf_monitor *monitor, rrf_forest *forest, rrf_parallel_result *result)
{
    rrf_status checked = rrf_params_check(train, target, params, parallel_params, NULL);
    if (checked) {
        return checked;
    }
    forest_statistics statistics = {.n = train->n,
                                    .p = train->p,
                                    .ntree = params->ntree,
                                    .n_shown = train->n,
                                    .n_measures = target->response ? 1 : target->nclass + 1,
                                    STATISTICS_OF(result)};
    if (!parallel_params || !has_buffers(result, target, &statistics) ||
        !test_rows_are_sound(result->test, train, target)) {
        return RRF_ERR_ARGUMENT;
    }
    int n_jobs = pool_size(affordable_jobs(parallel_params->n_jobs, train, target, params), params->ntree);
    parallel_forest f = {.result = result,
                         .statistics = statistics,
                         .forest = forest,
                         .rule = target->response ? (vote_rule){0} : vote_rule_make(target->nclass, params->cutoff, 0),
                         .vote_key = splitmix_word(parallel_params->seed, 3),
                         .n_jobs = n_jobs,
                         .window = n_jobs > 1 ? trees_ahead(rows_at_hand(train, result->test)) * n_jobs : 1};
    rrf_status status =
        parallel_base_init(&f.base, train, target, params, parallel_params, ranks, result->classwt, monitor, &f.memory);
    if (!status) {
        status = parallel_alloc(&f);
    }
    if (!status) {
        clear_predictions(&f);
        status = take_initial_features(&f);
    }
    status = status ? status : grow_forest(&f, monitor);
    status = status ? status : add_statistics(&f, monitor);
    forest->ntree = params->keep_forest ? forest->ntree : 0;
    parallel_free(&f);
    return status;
}
