/* Nodes looked at ahead. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "engine_r/lookahead.h"
#include "tree/lanes.h"
#include "tree/split_two_class.h"
#include "tree/splitter.h"
#include "tree/rounding_bound.h"

/* A node is looked at ahead if so many rows, times features, are to be scanned: some ten microseconds. The tests in C lower
 * it, so that small trees have helpers, too. */
#ifndef LOOKAHEAD_MIN_WORK
#define LOOKAHEAD_MIN_WORK (1 << 13)
#endif
/* Helpers are woken once so much is open: waking one costs the calling thread some microseconds. */
enum { WORK_PER_CALL = 8 * LOOKAHEAD_MIN_WORK };
/* Helpers leave a node of fewer rows as soon as its own search begins, which then does not wait for them at its end. */
enum { MIN_SHARED_ROWS = 1 << 13 };
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

static const rule best_cut = {.offer_cut = raise_best, .takes_bounds = true};

/* What the best cut is worth, or a little more where that is found faster. */
static double best_worth(splitter *s, const node_view *view, int feature)
{
    if (two_class_can_bound(s, view, feature)) {
        return two_class_bound(s, view, feature);
    }
    splitter_begin_node(s, view);
    splitter_try(s, view, feature, true);
    return s->best.crit + (s->in->like_r ? rounding_bound(s->in, view, view->weight) : 0.0);
}

/* ---- helpers --------------------------------------------------------------------------------------------------------- */

static bool has_open_work(const lookahead_node *node)
{
    return !atomic_load(&node->closed) && atomic_load_explicit(&node->next, memory_order_relaxed) <
                                              atomic_load_explicit(&node->n_features, memory_order_relaxed);
}

/* Once a helper counts as active, and finds the node open, the node stays as it is until the helper leaves. */
static bool join_node(lookahead_node *node)
{
    if (!has_open_work(node)) {
        return false;
    }
    atomic_fetch_add(&node->active, 1);
    return true;
}

static void leave_node(lookahead *a, lookahead_node *node)
{
    if (atomic_fetch_sub(&node->active, 1) == 1 && atomic_load(&node->closed)) {
        pthread_mutex_lock(&a->lock);
        pthread_cond_signal(&a->left);
        pthread_mutex_unlock(&a->lock);
    }
}

/* The next member of F not yet begun; -1: none, or the search of the node needs no more. */
static int next_member(const lookahead *a, lookahead_node *node)
{
    if (atomic_load(&node->closed)) {
        return -1;
    }
    int i = atomic_fetch_add_explicit(&node->next, 1, memory_order_relaxed);
    return i < atomic_load_explicit(&node->n_features, memory_order_relaxed) ? a->f->members[i] : -1;
}

static bool look_at_node(lookahead *a, lookahead_node *node, splitter *s)
{
    bool any = false;
    for (int feature; (feature = next_member(a, node)) >= 0; any = true) {
        _Atomic(double) *bound = node->bound + feature;
        if (a->builder->data->ncat[feature] == 1 && atomic_load_explicit(bound, memory_order_relaxed) > 0.0) {
            double worth = best_worth(s, &node->view, feature);
            atomic_store_explicit(bound, worth, memory_order_relaxed);
        }
    }
    return any;
}

static bool look_at_open_nodes(void *context, int member)
{
    lookahead *a = context;
    bool any = false;
    for (int number = atomic_load(&a->first); !any && number < atomic_load(&a->opened); ++number) {
        lookahead_node *node = a->node + number % a->window;
        if (join_node(node)) {
            any = look_at_node(a, node, a->searcher + member);
            leave_node(a, node);
        }
    }
    return any;
}

/* ---- the calling thread ---------------------------------------------------------------------------------------------- */

static bool is_worth_it(const builder *g, const feature_set *f, int n_jobs)
{
    return FILTER_LOOKAHEAD && n_jobs > 1 && g->params->flag_reg == 1 &&
           (int64_t)g->data->n * f->p >= LOOKAHEAD_MIN_WORK;
}

static void take_nodes(lookahead *a, size_t p, arena *memory)
{
    a->window = (int)(MAX_BOUNDS / p < MIN_WINDOW   ? MIN_WINDOW
                      : MAX_BOUNDS / p > MAX_WINDOW ? MAX_WINDOW
                                                    : MAX_BOUNDS / p);
    TAKE_ZEROS(memory, a->node, a->window);
    TAKE(memory, a->bounds, (size_t)a->window * p);
    if (arena_status(memory)) {
        return;
    }
    for (int i = 0; i < a->window; ++i) {
        a->node[i].number = -1;
        atomic_init(&a->node[i].closed, true);
        a->node[i].bound = a->bounds + (size_t)i * p;
    }
    for (size_t i = 0; i < (size_t)a->window * p; ++i) {
        atomic_init(a->bounds + i, (double)INFINITY);
    }
}

rrf_status lookahead_init(lookahead *a, const builder *g, const feature_set *f, int n_jobs, arena *memory)
{
    *a = (lookahead){.builder = g, .f = f};
    int most = g->data->p / FEATURES_PER_HELPER, wanted = n_jobs - 1;
    int n_helpers = is_worth_it(g, f, n_jobs) ? (wanted < most ? wanted : most) : 0;
    if (n_helpers == 0) {
        return RRF_OK;
    }
    take_nodes(a, (size_t)f->p, memory);
    TAKE(memory, a->searcher, n_helpers);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->left, NULL);
    a->n_helpers = n_helpers;
    rrf_status status = team_init(&a->team, n_helpers, look_at_open_nodes, a, memory);
    /* Only the calling thread takes memory: helpers search with what they are given here and when a tree begins. */
    for (int i = 0; !status && i < n_helpers; ++i) {
        status = splitter_init(a->searcher + i, &g->input, &best_cut, a->searcher + i, NULL, memory);
    }
    return status;
}

void lookahead_end(lookahead *a)
{
    team_end(&a->team);
    if (a->n_helpers) {
        pthread_cond_destroy(&a->left);
        pthread_mutex_destroy(&a->lock);
    }
}

rrf_status lookahead_begin_tree(lookahead *a)
{
    rrf_status status = RRF_OK;
    if (a->n_helpers == 0) {
        return RRF_OK;
    }
    /* Helpers without work look here, too. */
    atomic_store(&a->opened, 0);
    atomic_store(&a->first, 0);
    for (int i = 0; !status && i < a->n_helpers; ++i) {
        status = splitter_begin_tree(a->searcher + i);
        a->searcher[i].listed = a->builder->splitter.listed;
    }
    return status;
}

static void open_node(lookahead *a, int number, int n_features)
{
    lookahead_node *node = a->node + number % a->window;
    node->view = builder_view(a->builder, number);
    node->number = number;
    atomic_store_explicit(&node->n_features, n_features, memory_order_relaxed);
    atomic_store_explicit(&node->next, 0, memory_order_relaxed);
    atomic_store(&node->closed, false);
}

/* Opens the nodes up to `last` that are large enough, and where lanes do not look at all features at once. */
static void open_nodes(lookahead *a, int last)
{
    int number = atomic_load_explicit(&a->opened, memory_order_relaxed);
    for (; number < last; ++number) {
        int64_t work = (int64_t)a->builder->nodes.size[number] * a->f->size;
        bool in_lanes = lanes_are_enough(&a->builder->splitter, a->f->size, a->builder->nodes.size[number]);
        if (work >= LOOKAHEAD_MIN_WORK && !in_lanes && builder_will_search(a->builder, number)) {
            open_node(a, number, a->f->size);
            a->untold += work;
        }
    }
    atomic_store(&a->opened, number);
}

static void tell_helpers(lookahead *a)
{
    if (a->untold >= WORK_PER_CALL) {
        a->untold = 0;
        team_tell(&a->team);
    }
}

lookahead_node *lookahead_enter(lookahead *a, int number)
{
    if (a->n_helpers == 0) {
        return NULL;
    }
    int last = a->builder->nodes.tree->size, end = number + a->window;
    atomic_store_explicit(&a->first, number, memory_order_relaxed);
    open_nodes(a, last < end ? last : end);
    tell_helpers(a);
    lookahead_node *node = a->node + number % a->window;
    if (node->number != number) {
        return NULL;
    }
    if (node->view.size < MIN_SHARED_ROWS) {
        atomic_store(&node->closed, true);
    }
    return node;
}

/* A helper stops after the feature that it is at; that is a matter of microseconds unless its processor is taken away. */
static void wait_for_helpers(lookahead *a, lookahead_node *node)
{
    for (int look = 0; look < LOOKS && atomic_load(&node->active) > 0; ++look) {
        pause_briefly();
    }
    if (atomic_load(&node->active) > 0) {
        pthread_mutex_lock(&a->lock);
        while (atomic_load(&node->active) > 0) {
            pthread_cond_wait(&a->left, &a->lock);
        }
        pthread_mutex_unlock(&a->lock);
    }
}

void lookahead_leave(lookahead *a, lookahead_node *node)
{
    if (!node) {
        return;
    }
    atomic_store(&node->closed, true);
    wait_for_helpers(a, node);
    node->number = -1;
    for (int i = 0; i < a->f->size; ++i) {
        atomic_store_explicit(node->bound + a->f->members[i], (double)INFINITY, memory_order_relaxed);
    }
}

void lookahead_end_tree(lookahead *a)
{
    for (int i = 0; i < a->window; ++i) {
        if (a->node[i].number >= 0) {
            lookahead_leave(a, a->node + i);
        }
    }
}
