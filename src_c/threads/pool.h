/* Threads that work on numbered items and hand in the results in the order of the items.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_POOL_H
#define RRF_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "monitor.h"

typedef struct pool {
    /* Set by the user before pool_run; the functions get `context`. */
    void *context;
    int n_items, n_jobs;
    int window; /* items begun and not handed in; at least n_jobs */
    /* Works on an item; worker is below n_jobs, 0 for the calling thread. Runs without the lock, asking `monitor`. */
    rrf_status (*work)(void *context, int worker, int item, const rrf_monitor *monitor);
    /* The others run under the lock, so one at a time. NULL: nothing to do. */
    bool (*may_begin)(void *context);               /* whether to work ahead on items not yet begun */
    void (*begin)(void *context, int item);         /* before an item is worked on */
    bool (*is_stale)(void *context, int item);      /* what was worked out no longer holds: it is to be done again */
    rrf_status (*hand_in)(void *context, int item); /* item after item */
    const rrf_monitor *monitor;                     /* asked from the calling thread; hears of items handed in */
    /* The pool's own. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint8_t *state; /* of item i: state[i % window] */
    int next;       /* the item to be handed in */
    int reported;   /* items that the monitor has heard of */
    atomic_int status;
    rrf_monitor
        helper; /* of the other threads, who have nobody to ask: their work stops with that of the calling one */
} pool;

/* Works on all items. The result is the first failure. */
rrf_status pool_run(pool *p);

/* Threads worth having. */
static inline int pool_size(int n_jobs, int n_items)
{
    int jobs = n_jobs < n_items ? n_jobs : n_items;
    return jobs > 1 ? jobs : 1;
}

#endif
