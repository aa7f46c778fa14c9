/* Nodes looked at ahead. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "r/ahead.h"

/* A node is looked at ahead if so many rows, times features, are to be scanned: some ten microseconds. The tests in C lower
 * it, so that small trees have helpers, too. */
#ifndef AHEAD_MIN_WORK
#define AHEAD_MIN_WORK (1 << 14)
#endif
/* What a helper takes at a time. */
enum { WORK_PER_TURN = 1 << 15 };
/* Bounds in all: 4 MiB; and nodes. */
enum { MAX_BOUNDS = 1 << 19, MIN_WINDOW = 4, MAX_WINDOW = 64 };
/* A helper's scratch takes about 32 bytes a row. With so many features for each helper, all of it is less than half of
 * what the data, their ranks and the sorted lists take. */
enum { FEATURES_PER_HELPER = 4 };
/* Looks at a helper before the calling thread goes to sleep: some 20 microseconds. */
enum { LOOKS = 500 };

/* ---- the best cut of a feature --------------------------------------------------------------------------------------- */

static bool raise_best(void *context, double worth, int feature, uint32_t cut_rank)
{
    split *best = &((splitter *)context)->best;
    bool better = worth > best->crit;
    if (better) {
        *best = (split){.crit = worth, .feature = feature, .cut_rank = cut_rank};
    }
    return better;
}

static const rule best_cut = {.offer_cut = raise_best};

static double best_worth(splitter *s, const node_view *view, int feature)
{
    splitter_begin_node(s, view);
    splitter_try(s, view, feature, true);
    return s->best.crit;
}

/* ---- helpers --------------------------------------------------------------------------------------------------------- */

typedef struct turn {
    ahead_node *node; /* NULL: nothing to do */
    int first, last;
} turn;

static turn take_turn(ahead *a)
{
    turn own = {0};
    pthread_mutex_lock(&a->lock);
    for (int number = a->first; !own.node && number < a->opened; ++number) {
        ahead_node *node = a->node + number % a->window;
        if (node->number == number && node->next < node->n_features) {
            int n_features = 1 + WORK_PER_TURN / node->view.size, left = node->n_features - node->next;
            own = (turn){node, node->next, node->next + (n_features < left ? n_features : left)};
            node->next = own.last;
            atomic_fetch_add(&node->active, 1);
        }
    }
    pthread_mutex_unlock(&a->lock);
    return own;
}

static void end_turn(ahead *a, ahead_node *node)
{
    pthread_mutex_lock(&a->lock);
    if (atomic_fetch_sub(&node->active, 1) == 1 && atomic_load(&node->closed)) {
        pthread_cond_signal(&a->left);
    }
    pthread_mutex_unlock(&a->lock);
}

static bool look_ahead(void *context, int member)
{
    ahead *a = context;
    turn own = take_turn(a);
    if (!own.node) {
        return false;
    }
    for (int i = own.first; i < own.last && !atomic_load(&own.node->closed); ++i) {
        int feature = a->f->members[i];
        _Atomic(double) *bound = own.node->bound + feature;
        if (a->builder->data->ncat[feature] == 1 && atomic_load_explicit(bound, memory_order_relaxed) > 0.0) {
            double worth = best_worth(a->searcher + member, &own.node->view, feature);
            atomic_store_explicit(bound, worth, memory_order_relaxed);
        }
    }
    end_turn(a, own.node);
    return true;
}

/* ---- the calling thread ---------------------------------------------------------------------------------------------- */

static bool is_worth_it(const builder *g, const feature_set *f, int n_jobs)
{
    return n_jobs > 1 && g->params->flag_reg == 1 && (int64_t)g->data->n * f->p >= AHEAD_MIN_WORK;
}

static rrf_status alloc_nodes(ahead *a, size_t p)
{
    a->window = (int)(MAX_BOUNDS / p < MIN_WINDOW   ? MIN_WINDOW
                      : MAX_BOUNDS / p > MAX_WINDOW ? MAX_WINDOW
                                                    : MAX_BOUNDS / p);
    a->node = calloc((size_t)a->window, sizeof *a->node);
    a->bounds = malloc((size_t)a->window * p * sizeof *a->bounds);
    if (!a->node || !a->bounds) {
        return RRF_ERR_MEMORY;
    }
    for (int i = 0; i < a->window; ++i) {
        a->node[i].number = -1;
        a->node[i].bound = a->bounds + (size_t)i * p;
    }
    for (size_t i = 0; i < (size_t)a->window * p; ++i) {
        atomic_init(a->bounds + i, (double)INFINITY);
    }
    return RRF_OK;
}

rrf_status ahead_init(ahead *a, const builder *g, const feature_set *f, int n_jobs)
{
    *a = (ahead){.builder = g, .f = f};
    int most = g->data->p / FEATURES_PER_HELPER, wanted = n_jobs - 1;
    int n_helpers = is_worth_it(g, f, n_jobs) ? (wanted < most ? wanted : most) : 0;
    if (n_helpers == 0) {
        return RRF_OK;
    }
    rrf_status status = alloc_nodes(a, (size_t)f->p);
    a->searcher = calloc((size_t)n_helpers, sizeof *a->searcher);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->left, NULL);
    a->n_helpers = n_helpers;
    if (!team_init(&a->team, n_helpers, look_ahead, a) || !a->searcher) {
        status = RRF_ERR_MEMORY;
    }
    for (int i = 0; !status && i < n_helpers; ++i) {
        status = splitter_fork(a->searcher + i, &g->splitter, &best_cut);
    }
    return status;
}

void ahead_free(ahead *a)
{
    team_end(&a->team);
    for (int i = 0; a->searcher && i < a->n_helpers; ++i) {
        splitter_free_fork(a->searcher + i);
    }
    if (a->n_helpers) {
        pthread_cond_destroy(&a->left);
        pthread_mutex_destroy(&a->lock);
    }
    free(a->searcher);
    free(a->node);
    free(a->bounds);
    *a = (ahead){0};
}

rrf_status ahead_begin_tree(ahead *a)
{
    rrf_status status = RRF_OK;
    if (a->n_helpers == 0) {
        return RRF_OK;
    }
    /* Helpers without work look here, too. */
    pthread_mutex_lock(&a->lock);
    a->first = a->opened = 0;
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; !status && i < a->n_helpers; ++i) {
        status = splitter_follow(a->searcher + i, &a->builder->splitter);
    }
    return status;
}

static void open_node(ahead *a, int number, int n_features)
{
    ahead_node *node = a->node + number % a->window;
    node->view = builder_view(a->builder, number);
    node->number = number;
    node->n_features = n_features;
    node->next = 0;
    atomic_store(&node->closed, false);
}

/* The nodes up to `last` that are large enough. Nodes that are not are passed over without the lock. */
static bool open_nodes(ahead *a, int last)
{
    bool any = false;
    for (; a->opened < last; ++a->opened) {
        int n_features = a->f->size;
        if ((int64_t)a->builder->n_rows[a->opened] * n_features >= AHEAD_MIN_WORK &&
            builder_will_search(a->builder, a->opened)) {
            open_node(a, a->opened, n_features);
            any = true;
        }
    }
    return any;
}

ahead_node *ahead_enter(ahead *a, int number)
{
    if (a->n_helpers == 0) {
        return NULL;
    }
    int last = a->builder->growing->size, end = number + a->window;
    if (a->opened < (last < end ? last : end)) {
        pthread_mutex_lock(&a->lock);
        a->first = number;
        bool any = open_nodes(a, last < end ? last : end);
        pthread_mutex_unlock(&a->lock);
        if (any) {
            team_tell(&a->team);
        }
    }
    ahead_node *node = a->node + number % a->window;
    return node->number == number ? node : NULL;
}

/* A helper stops after the feature that it is at; that is a matter of microseconds unless its processor is taken away. */
static void wait_for_helpers(ahead *a, ahead_node *node)
{
    for (int look = 0; look < LOOKS && atomic_load(&node->active) > 0; ++look) {
        pause_briefly();
    }
    pthread_mutex_lock(&a->lock);
    node->number = -1;
    while (atomic_load(&node->active) > 0) {
        pthread_cond_wait(&a->left, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
}

void ahead_leave(ahead *a, ahead_node *node)
{
    if (!node) {
        return;
    }
    atomic_store(&node->closed, true);
    wait_for_helpers(a, node);
    for (int i = 0; i < a->f->size; ++i) {
        atomic_store_explicit(node->bound + a->f->members[i], (double)INFINITY, memory_order_relaxed);
    }
}

void ahead_end_tree(ahead *a)
{
    for (int i = 0; i < a->window; ++i) {
        if (a->node[i].number >= 0) {
            ahead_leave(a, a->node + i);
        }
    }
}
