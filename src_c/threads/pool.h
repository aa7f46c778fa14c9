/* Threads that work on numbered items and complete them in order. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_POOL_H
#define RRF_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "monitor.h"

typedef struct pool {
    /* Set by the user before pool_run; the functions receive `context`. */
    void *context;
    int n_items, n_jobs;
    int window; /* limit of items begun and not completed; at least n_jobs */
    /* Works on an item; worker is below n_jobs, 0 for the calling thread. Runs without the lock, and calls `monitor`. */
    rrf_status (*work)(void *context, int worker, int item, const rrf_monitor *monitor);
    /* The other functions run under the lock, so one at a time. NULL: not needed. */
    bool (*may_begin)(void *context);               /* returns whether to work ahead on items not yet begun */
    void (*begin)(void *context, int item);         /* before an item is worked on */
    bool (*is_stale)(void *context, int item);      /* returns whether the result of an item is outdated and must be
                                                     * redone */
    rrf_status (*hand_in)(void *context, int item); /* completes items in order */
    const rrf_monitor *monitor;                     /* called from the calling thread; receives completed items */
    /* Private fields: */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint8_t *state; /* of item i: state[i % window] */
    int next;       /* the next item to complete */
    int reported;   /* number of items reported to the monitor */
    atomic_int status;
    rrf_monitor helper; /* monitor of the other threads, which stop together with the calling one */
} pool;

/* Works on all items. Returns the first failure. */
rrf_status pool_run(pool *p);

/* Returns the useful number of threads. */
static inline int pool_size(int n_jobs, int n_items)
{
    int jobs = n_jobs < n_items ? n_jobs : n_items;
    return jobs > 1 ? jobs : 1;
}

#endif
