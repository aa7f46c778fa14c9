/* Native forests: every tree has a random stream of its own, so that trees can be grown side by side.
 *
 * A regularized tree depends on the feature set F that the trees before it left. Workers grow ahead with the F of the
 * moment; trees are taken into the forest one by one, in order, and a tree that was grown with another F than the one it
 * finds is grown again. The forest is therefore that of the sequential rule, whatever the number of workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <pthread.h>

#include "internal.h"

typedef enum job_state { JOB_OPEN, JOB_GROWING, JOB_GROWN } job_state;

/* One tree in the making. */
typedef struct job {
    int index, version; /* the tree; the size of F that it was grown with */
    job_state state;
    rrf_forest room; /* holds the tree */
    tree tree;
    int n_oob, n_used;
    int32_t *oob_rows; /* n */
    double *oob_value; /* n: class from 1, or mean */
    int32_t *used;     /* features split on: new ones in the order of their first use, then the others */
    double *decrease;  /* their decreases in impurity */
} job;

typedef struct native {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    uint64_t seed;
    columns cols;
    rrf_native_result *result;
    rrf_forest *forest;
    vote_rule rule;
    rrf_rng vote_rng;
    int32_t *cases;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    job *jobs;        /* tree i is made in job i % window */
    int window, next; /* next: the tree that the forest waits for */
    int32_t *members; /* F, in the order in which it grew */
    uint8_t *in_f;
    int n_members;
    rrf_status status;
} native;

typedef struct worker {
    native *forest;
    grower grower;
    rrf_rng rng;
    rrf_monitor monitor;
    double *decrease; /* p: decreases of the tree in the making, else zero */
    int32_t *nodes;   /* n */
    pthread_t thread;
    bool started;
} worker;

/* ---- growing one tree ------------------------------------------------------------------------------------------------ */

static void list_used(worker *w, job *j)
{
    const candidates *c = &w->grower.splitter.features;
    j->n_used = 0;
    for (int i = 0; i < w->grower.data->p; ++i) {
        /* From F's end on, id holds what the tree added; the order of the rest does not matter. */
        int feature = c->id[(i + j->version) % c->p];
        if (w->grower.used_in_tree[feature]) {
            j->used[j->n_used] = feature;
            j->decrease[j->n_used++] = w->decrease[feature];
            w->decrease[feature] = 0.0;
        }
    }
}

static void find_oob(worker *w, job *j)
{
    const grower *g = &w->grower;
    j->n_oob = 0;
    for (int row = 0; row < g->data->n; ++row) {
        if (g->bag.count[row] == 0) {
            j->oob_rows[j->n_oob++] = row;
        }
    }
    tree_apply(&j->tree, g->data, j->oob_rows, j->n_oob, -1, NULL, w->nodes);
    for (int i = 0; i < j->n_oob; ++i) {
        j->oob_value[i] = j->tree.prediction[w->nodes[i]];
    }
}

static rrf_status grow_job(worker *w, job *j, const int32_t *members)
{
    grower *g = &w->grower;
    j->room.ntree = 0;
    rrf_status status = forest_reserve(&j->room, grower_max_nodes(g), &j->tree);
    rrf_rng_native(&w->rng, w->forest->seed, (uint64_t)j->index);
    candidates_restart(&g->splitter.features, members, j->version);
    if (!status) {
        bag_draw(&g->bag, g->params, &w->rng);
        status = grow_tree(g, &j->tree);
    }
    if (!status) {
        list_used(w, j);
        find_oob(w, j);
    }
    return status;
}

/* ---- taking a tree into the forest ----------------------------------------------------------------------------------- */

static rrf_status keep_tree(native *f, const job *j)
{
    tree room;
    size_t size = (size_t)j->tree.size;
    rrf_status status = forest_reserve(f->forest, j->tree.size, &room);
    if (!status) {
        memcpy(room.left, j->tree.left, size * sizeof *room.left);
        memcpy(room.split_var, j->tree.split_var, size * sizeof *room.split_var);
        memcpy(room.status, j->tree.status, size * sizeof *room.status);
        memcpy(room.split_point, j->tree.split_point, size * sizeof *room.split_point);
        memcpy(room.prediction, j->tree.prediction, size * sizeof *room.prediction);
        room.size = j->tree.size;
        forest_append(f->forest, &room);
    }
    return status;
}

static rrf_status take_features(native *f, const job *j)
{
    for (int i = 0; i < j->n_used; ++i) {
        int feature = j->used[i];
        f->result->decrease[feature] += j->decrease[i];
        if (f->in_f[feature]) {
            continue;
        }
        /* Workers read this order without a lock. */
        if (f->data->ncat[feature] == 1 && !columns_order(&f->cols, feature)) {
            return RRF_ERR_MEMORY;
        }
        f->in_f[feature] = 1;
        f->members[f->n_members++] = feature;
    }
    return RRF_OK;
}

static void count_votes(native *f, const job *j)
{
    rrf_native_result *r = f->result;
    size_t nclass = (size_t)f->target->nclass;
    for (int i = 0; i < j->n_oob; ++i) {
        int row = j->oob_rows[i];
        ++r->votes[(size_t)row * nclass + (size_t)j->oob_value[i] - 1];
        ++r->oob_times[row];
    }
    ballot b = {
        .n = f->data->n, .votes = r->votes, .n_votes = r->oob_times, .y = f->target->y, .predicted = r->predicted};
    ballot_count(&b, &f->rule, &f->vote_rng, r->error + (size_t)j->index * (nclass + 1), f->cases);
}

static void average_predictions(native *f, const job *j)
{
    rrf_native_result *r = f->result;
    double sum = 0.0;
    int seen = 0;
    for (int i = 0; i < j->n_oob; ++i) {
        int row = j->oob_rows[i], times = ++r->oob_times[row];
        double before = times == 1 ? 0.0 : r->mean[row];
        r->mean[row] = before + (j->oob_value[i] - before) / times;
    }
    for (int row = 0; row < f->data->n; ++row) {
        if (r->oob_times[row] > 0) {
            double residual = f->target->response[row] - r->mean[row];
            sum += residual * residual;
            ++seen;
        }
    }
    r->error[j->index] = sum / seen;
}

static rrf_status take_tree(native *f, job *j)
{
    rrf_status status = f->params->keep_forest ? keep_tree(f, j) : RRF_OK;
    if (!status) {
        status = take_features(f, j);
    }
    if (!status) {
        if (f->target->response) {
            average_predictions(f, j);
        } else {
            count_votes(f, j);
        }
        ++f->next;
        j->index += f->window;
        j->state = JOB_OPEN;
    }
    return status;
}

/* ---- workers --------------------------------------------------------------------------------------------------------- */

static bool is_stale(const native *f, const job *j)
{
    return f->params->flag_reg == 1 && j->version != f->n_members;
}

/* The first tree that nobody has grown with the present F; NULL if there is none in the window. */
static job *open_job(native *f)
{
    for (int index = f->next; index < f->next + f->window && index < f->params->ntree; ++index) {
        job *j = f->jobs + index % f->window;
        if (j->state == JOB_OPEN || (j->state == JOB_GROWN && is_stale(f, j))) {
            f->result->regrown += j->state == JOB_GROWN;
            return j;
        }
    }
    return NULL;
}

static void take_ready_trees(native *f)
{
    while (!f->status && f->next < f->params->ntree) {
        job *j = f->jobs + f->next % f->window;
        if (j->state != JOB_GROWN || is_stale(f, j)) {
            return;
        }
        f->status = take_tree(f, j);
    }
}

static void run_worker(worker *w)
{
    native *f = w->forest;
    pthread_mutex_lock(&f->lock);
    while (!f->status && f->next < f->params->ntree) {
        job *j = open_job(f);
        if (!j) {
            pthread_cond_wait(&f->changed, &f->lock);
            continue;
        }
        j->state = JOB_GROWING;
        j->version = f->params->flag_reg == 1 ? f->n_members : 0;
        pthread_mutex_unlock(&f->lock);
        rrf_status status = grow_job(w, j, f->members);
        pthread_mutex_lock(&f->lock);
        j->state = JOB_GROWN;
        if (status && !f->status) {
            f->status = status;
        }
        take_ready_trees(f);
        pthread_cond_broadcast(&f->changed);
    }
    pthread_mutex_unlock(&f->lock);
}

static void *thread_main(void *argument)
{
    run_worker(argument);
    return NULL;
}

/* A helper thread has no one to ask; it stops with the others. */
static int poll_status(void *context)
{
    native *f = context;
    pthread_mutex_lock(&f->lock);
    int stop = f->status != RRF_OK;
    pthread_mutex_unlock(&f->lock);
    return stop;
}

static rrf_status worker_init(worker *w, native *f, const rrf_monitor *monitor)
{
    w->forest = f;
    w->monitor = monitor ? *monitor : (rrf_monitor){.poll = poll_status, .context = f};
    w->decrease = calloc((size_t)f->data->p, sizeof *w->decrease);
    w->nodes = malloc((size_t)f->data->n * sizeof *w->nodes);
    rrf_status status =
        grower_init(&w->grower, f->data, f->data, &f->cols, f->target->y, f->target->response, f->target->nclass,
                    f->result->classwt, f->params, f->result->used, w->decrease, &w->rng, &w->monitor);
    return w->decrease && w->nodes ? status : RRF_ERR_MEMORY;
}

static rrf_status run_workers(native *f, int n_jobs, const rrf_monitor *monitor)
{
    worker *workers = calloc((size_t)n_jobs, sizeof *workers);
    rrf_status status = workers ? RRF_OK : RRF_ERR_MEMORY;
    rrf_monitor silent = {0};
    for (int i = 0; !status && i < n_jobs; ++i) {
        status = worker_init(workers + i, f, i ? NULL : monitor ? monitor : &silent);
    }
    f->status = status;
    for (int i = 1; !status && i < n_jobs; ++i) {
        /* A thread that cannot be had is one worker less. */
        workers[i].started = pthread_create(&workers[i].thread, NULL, thread_main, workers + i) == 0;
    }
    if (!status) {
        run_worker(workers);
    }
    for (int i = 0; workers && i < n_jobs; ++i) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
        grower_free(&workers[i].grower);
        free(workers[i].decrease);
        free(workers[i].nodes);
    }
    free(workers);
    return f->status;
}

/* ---- the forest ------------------------------------------------------------------------------------------------------ */

static rrf_status alloc_jobs(native *f)
{
    size_t n = (size_t)f->data->n, p = (size_t)f->data->p;
    f->jobs = calloc((size_t)f->window, sizeof *f->jobs);
    for (int i = 0; f->jobs && i < f->window; ++i) {
        job *j = f->jobs + i;
        j->index = i;
        j->oob_rows = malloc(n * sizeof *j->oob_rows);
        j->oob_value = malloc(n * sizeof *j->oob_value);
        j->used = malloc(p * sizeof *j->used);
        j->decrease = malloc(p * sizeof *j->decrease);
        if (!j->oob_rows || !j->oob_value || !j->used || !j->decrease) {
            return RRF_ERR_MEMORY;
        }
    }
    return f->jobs ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status native_alloc(native *f, const rrf_monitor *monitor)
{
    size_t p = (size_t)f->data->p;
    f->members = malloc(p * sizeof *f->members);
    f->in_f = calloc(p, 1);
    f->cases = malloc((size_t)f->target->nclass * sizeof *f->cases);
    if (!f->members || !f->in_f || !f->cases) {
        return RRF_ERR_MEMORY;
    }
    rrf_status status = alloc_jobs(f);
    bool merged = ties_can_merge(f->result->classwt, f->target->nclass, f->params);
    return status ? status : columns_init(&f->cols, f->data, merged, monitor);
}

static void native_free(native *f)
{
    for (int i = 0; f->jobs && i < f->window; ++i) {
        rrf_forest_free(&f->jobs[i].room);
        free(f->jobs[i].oob_rows);
        free(f->jobs[i].oob_value);
        free(f->jobs[i].used);
        free(f->jobs[i].decrease);
    }
    free(f->jobs);
    free(f->members);
    free(f->in_f);
    free(f->cases);
    columns_free(&f->cols);
}

/* F at the start. */
static rrf_status take_initial_features(native *f)
{
    for (int feature = 0; feature < f->data->p; ++feature) {
        if (f->result->used[feature]) {
            f->in_f[feature] = 1;
            f->members[f->n_members++] = feature;
            if (f->data->ncat[feature] == 1 && !columns_order(&f->cols, feature)) {
                return RRF_ERR_MEMORY;
            }
        }
    }
    return RRF_OK;
}

static void finish(native *f)
{
    for (int feature = 0; feature < f->data->p; ++feature) {
        f->result->decrease[feature] /= f->params->ntree;
        f->result->used[feature] = f->in_f[feature];
    }
}

static void clear_results(const native *f)
{
    rrf_native_result *r = f->result;
    size_t n = (size_t)f->data->n;
    memset(r->decrease, 0, (size_t)f->data->p * sizeof *r->decrease);
    memset(r->oob_times, 0, n * sizeof *r->oob_times);
    r->regrown = 0;
    if (f->target->response) {
        for (size_t row = 0; row < n; ++row) {
            r->mean[row] = NAN;
        }
    } else {
        memset(r->votes, 0, n * (size_t)f->target->nclass * sizeof *r->votes);
        memset(r->predicted, 0xff, n * sizeof *r->predicted);
    }
}

rrf_status rrf_fit_native(const rrf_data *train, const rrf_target *target, const rrf_params *params, uint64_t seed,
                          int n_jobs, const rrf_monitor *monitor, rrf_forest *forest, rrf_native_result *result)
{
    native f = {.data = train,
                .target = target,
                .params = params,
                .seed = seed,
                .result = result,
                .forest = forest,
                .rule = target->response ? (vote_rule){0} : vote_rule_make(target->nclass, params->cutoff, 0),
                .window = n_jobs > 1 ? 4 * n_jobs : 1};
    rrf_rng_native(&f.vote_rng, seed, UINT64_MAX);
    normalize_class_weights(target->y, train->n, target->nclass, params, result->classwt);
    clear_results(&f);
    pthread_mutex_init(&f.lock, NULL);
    pthread_cond_init(&f.changed, NULL);
    rrf_status status = native_alloc(&f, monitor);
    if (!status) {
        status = take_initial_features(&f);
    }
    if (!status) {
        status = run_workers(&f, n_jobs, monitor);
    }
    if (!status) {
        finish(&f);
    }
    pthread_cond_destroy(&f.changed);
    pthread_mutex_destroy(&f.lock);
    native_free(&f);
    return status;
}
