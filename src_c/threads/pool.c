/* A pool lives for one pass over its items. Threads of the operating system, no OpenMP: its pools are shared by all
 * libraries of a process and do not survive a fork, on which Python's multiprocessing builds; and items here are handed in
 * in order, which its loops cannot say. SPDX-License-Identifier: GPL-2.0-or-later */
#include "arena.h"
#include "threads/pool.h"
#include "threads/timed_wait.h"

enum { ITEM_OPEN, ITEM_TAKEN, ITEM_DONE };

typedef struct helper {
    pool *pool;
    int worker;
    bool started;
    pthread_t thread;
} helper;

static int poll_status(void *context)
{
    pool *p = context;
    return atomic_load(&p->status) != RRF_OK;
}

static void fail(pool *p, rrf_status status)
{
    int none = RRF_OK;
    if (status) {
        atomic_compare_exchange_strong(&p->status, &none, (int)status);
    }
}

static bool is_running(pool *p)
{
    return atomic_load(&p->status) == RRF_OK && p->next < p->n_items;
}

static bool is_stale(pool *p, int item)
{
    return p->state[item % p->window] == ITEM_DONE && p->is_stale && p->is_stale(p->context, item);
}

/* Returns the next item to work on: the item that all wait for, then one that is not begun, then one that must be
 * redone. -1: none. */
static int choose_item(pool *p)
{
    int end = p->next + p->window < p->n_items ? p->next + p->window : p->n_items;
    if (p->state[p->next % p->window] == ITEM_OPEN || is_stale(p, p->next)) {
        return p->next;
    }
    bool ahead = !p->may_begin || p->may_begin(p->context);
    for (int item = p->next + 1; ahead && item < end; ++item) {
        if (p->state[item % p->window] == ITEM_OPEN) {
            return item;
        }
    }
    for (int item = p->next + 1; item < end; ++item) {
        if (is_stale(p, item)) {
            return item;
        }
    }
    return -1;
}

static void hand_in_ready(pool *p)
{
    while (is_running(p) && p->state[p->next % p->window] == ITEM_DONE && !is_stale(p, p->next)) {
        if (p->hand_in) {
            fail(p, p->hand_in(p->context, p->next));
        }
        p->state[p->next % p->window] = ITEM_OPEN;
        ++p->next;
    }
}

/* Reports completed items to the monitor, and asks whether to continue. Called without the lock. */
static void report(pool *p, int handed_in)
{
    const rrf_monitor *m = p->monitor;
    if (!atomic_load(&p->status)) {
        fail(p, monitor_poll(m));
    }
    while (m && m->tree && p->reported < handed_in && !atomic_load(&p->status)) {
        ++p->reported;
        fail(p, m->tree(m->context, p->reported) ? RRF_ERR_INTERRUPT : RRF_OK);
    }
}

/* Interval at which the calling thread wakes to ask whether to continue. */
enum { MILLISECONDS_PER_POLL = 50 };

static void wait_for_change(pool *p, int worker)
{
    if (worker > 0) {
        pthread_cond_wait(&p->changed, &p->lock);
        return;
    }
    timed_condition_wait(&p->changed, &p->lock, MILLISECONDS_PER_POLL);
}

static void run_worker(pool *p, int worker)
{
    pthread_mutex_lock(&p->lock);
    while (is_running(p)) {
        int item = choose_item(p), handed_in;
        if (item < 0) {
            wait_for_change(p, worker);
        } else {
            p->state[item % p->window] = ITEM_TAKEN;
            if (p->begin) {
                p->begin(p->context, item);
            }
            pthread_mutex_unlock(&p->lock);
            fail(p, p->work(p->context, worker, item, worker ? &p->helper : p->monitor));
            pthread_mutex_lock(&p->lock);
            p->state[item % p->window] = ITEM_DONE;
            hand_in_ready(p);
            pthread_cond_broadcast(&p->changed);
        }
        handed_in = p->next;
        if (worker == 0) {
            pthread_mutex_unlock(&p->lock);
            report(p, handed_in);
            pthread_mutex_lock(&p->lock);
        }
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void *thread_main(void *argument)
{
    helper *h = argument;
    run_worker(h->pool, h->worker);
    return NULL;
}

static void run_helpers(pool *p, helper *helpers)
{
    for (int i = 1; i < p->n_jobs; ++i) {
        /* If a thread cannot be started, there is one worker less. */
        helpers[i] = (helper){.pool = p, .worker = i};
        helpers[i].started = pthread_create(&helpers[i].thread, NULL, thread_main, helpers + i) == 0;
    }
    run_worker(p, 0);
    for (int i = 1; i < p->n_jobs; ++i) {
        if (helpers[i].started) {
            pthread_join(helpers[i].thread, NULL);
        }
    }
    if (!atomic_load(&p->status)) {
        report(p, p->next);
    }
}

rrf_status pool_run(pool *p)
{
    p->window = p->window < p->n_jobs ? p->n_jobs : p->window;
    p->next = p->reported = 0;
    p->helper = (rrf_monitor){.poll = poll_status, .context = p};
    atomic_store(&p->status, RRF_OK);
    arena memory = {0};
    helper *helpers;
    TAKE_ZEROS(&memory, p->state, p->window);
    TAKE(&memory, helpers, p->n_jobs);
    fail(p, arena_status(&memory));
    if (!arena_status(&memory)) {
        pthread_mutex_init(&p->lock, NULL);
        timed_condition_init(&p->changed);
        run_helpers(p, helpers);
        pthread_cond_destroy(&p->changed);
        pthread_mutex_destroy(&p->lock);
    }
    arena_free(&memory);
    return (rrf_status)atomic_load(&p->status);
}
