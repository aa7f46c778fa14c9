/* The best gain of each candidate of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_GAINS_H
#define RRF_GAINS_H

#include "arena.h"
#include "data/keyed_heap.h"

/* Writes the gains of a tree's candidates, node by node. */
typedef struct gains_writer {
    rrf_gains *out; /* NULL: not requested */
    keyed *found;   /* p: candidates of the node under search; the key is the negative of the gain */
    int n_found;
    int64_t n_kept; /* of the nodes before this one */
} gains_writer;

/* For a tree of up to max_nodes nodes and p features; out NULL: not requested. */
rrf_status gains_begin_tree(gains_writer *w, rrf_gains *out, int p, int max_nodes, arena *memory);
/* Stores the best gains of a node. Nodes are passed in the order of their numbers, from 0. */
rrf_status gains_end_node(gains_writer *w, int node);
void gains_end_tree(gains_writer *w, int n_nodes);

static inline void gains_add(gains_writer *w, int feature, double gain)
{
    w->found[w->n_found++] = (keyed){-gain, feature};
}

#endif
