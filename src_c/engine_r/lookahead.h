/* Nodes looked at ahead, on other threads: how much the best cut of a feature is worth at most.
 *
 * R's stream says in which order a node's features are tried, but not what their cuts are worth. Members of F are tried at
 * every node. So helpers find the best cut of each member in the nodes that come next, and the search passes over features
 * that cannot equal the best split so far. What it would have drawn for such a feature is nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_AHEAD_H
#define RRF_AHEAD_H

#include <math.h>

#include "threads/team.h"
#include "tree/builder.h"
#include "tree/feature_set.h"

typedef struct lookahead_node {
    node_view view;
    int number;             /* of the node in its tree; -1: none, or its search is over */
    atomic_int n_features;  /* members of F when the node was opened */
    atomic_int next;        /* the first of them that no helper has begun */
    atomic_int active;      /* helpers at work */
    atomic_bool closed;     /* no helper begins any more; the rest stays as it is until they have left */
    _Atomic(double) *bound; /* p: what the best cut is worth; INFINITY: not known, -INFINITY: tried already */
} lookahead_node;

typedef struct lookahead {
    const builder *builder;
    const feature_set *f;
    int n_helpers; /* 0: nothing is done ahead */
    team team;
    splitter *searcher;   /* n_helpers: what a helper searches with */
    int window;           /* nodes at a time */
    lookahead_node *node; /* window: node i is at i % window */
    _Atomic(double) *bounds;
    atomic_int opened;    /* nodes below it have been opened, or were too small */
    atomic_int first;     /* nodes below it are over */
    int64_t untold;       /* rows, times features, of the nodes opened since the helpers were told */
    pthread_mutex_t lock; /* for the next one */
    pthread_cond_t left;  /* the last helper has left a node */
} lookahead;

/* Up to n_jobs - 1 helpers; none for small data, or where features are not exempt from coefReg once they are in F. */
rrf_status lookahead_init(lookahead *a, const builder *g, const feature_set *f, int n_jobs, arena *memory);
/* Ends the helpers, before the arena is freed. */
void lookahead_end(lookahead *a);
/* After the splitter has begun a tree, and its sorted lists are filled. */
rrf_status lookahead_begin_tree(lookahead *a);
/* The search of a node begins; its rows and those of the nodes after it lie where they will be searched. Returns what is
 * known about the node; NULL: nothing. */
lookahead_node *lookahead_enter(lookahead *a, int node);
/* The search is over. On return no helper looks at the node. */
void lookahead_leave(lookahead *a, lookahead_node *node);
/* The tree is complete, or given up. */
void lookahead_end_tree(lookahead *a);

/* Whether no cut of the feature, a member of F, is worth `best`. */
static inline bool lookahead_rules_out(const lookahead_node *node, int feature, double best)
{
    return atomic_load_explicit(node->bound + feature, memory_order_relaxed) < best;
}

/* No helper needs to look at the feature any more. */
static inline void lookahead_skip(lookahead_node *node, int feature)
{
    atomic_store_explicit(node->bound + feature, (double)-INFINITY, memory_order_relaxed);
}

#endif
