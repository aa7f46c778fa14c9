/* Splits node after node, breadth first or depth first. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/growth.h"

rrf_status growth_init(growth *g, int n_items, int max_nodes, bool depth_first, arena *memory)
{
    /* A binary tree on n items has at most 2n - 1 nodes; the loops below need room for two more. */
    int64_t by_items = 2 * (int64_t)n_items + 1;
    *g = (growth){.capacity = max_nodes < by_items ? max_nodes : (int)by_items};
    TAKE(memory, g->start, g->capacity);
    TAKE(memory, g->size, g->capacity);
    if (depth_first) {
        TAKE(memory, g->waiting, g->capacity);
    }
    return arena_status(memory);
}

static void begin_node(growth *g, int start, int size)
{
    tree *t = g->tree;
    int node = t->size++;
    g->start[node] = start;
    g->size[node] = size;
    t->left[node] = 0;
    t->split_var[node] = 0;
    t->split_point[node] = 0.0;
    t->prediction[node] = 0.0;
    t->status[node] = TO_SPLIT;
    if (t->missing_left) {
        t->missing_left[node] = 0;
    }
}

void growth_begin(growth *g, tree *t, int n_items)
{
    g->tree = t;
    t->size = 0;
    t->n_words = 0;
    begin_node(g, 0, n_items);
}

int growth_split(growth *g, int node, int feature, int interior, int n_left)
{
    tree *t = g->tree;
    int left = t->size;
    t->split_var[node] = feature + 1;
    t->left[node] = left + 1;
    t->status[node] = interior;
    begin_node(g, g->start[node], n_left);
    begin_node(g, g->start[node] + n_left, g->size[node] - n_left);
    return left;
}

static rrf_status visit(growth *g, int node, node_splitter *split, void *own)
{
    rrf_status status = g->tree->status[node] == TO_SPLIT ? split(own, node) : RRF_OK;
    if (g->tree->left[node] == 0) {
        g->tree->status[node] = RRF_TERMINAL;
    }
    return status;
}

static bool has_room(const growth *g)
{
    return g->tree->size + 2 <= g->capacity;
}

/* Node by node, in the order of their numbers. */
static rrf_status run_breadth_first(growth *g, node_splitter *split, void *own)
{
    rrf_status status = RRF_OK;
    for (int node = 0; !status && node < g->tree->size && has_room(g); ++node) {
        status = visit(g, node, split, own);
    }
    return status;
}

/* Grows a left daughter with all its descendants before the right one. */
static rrf_status run_depth_first(growth *g, node_splitter *split, void *own)
{
    rrf_status status = RRF_OK;
    int n_waiting = 1;
    g->waiting[0] = 0;
    while (!status && n_waiting > 0 && has_room(g)) {
        int node = g->waiting[--n_waiting], left = g->tree->size;
        status = visit(g, node, split, own);
        if (g->tree->size > left) {
            g->waiting[n_waiting++] = left + 1;
            g->waiting[n_waiting++] = left;
        }
    }
    return status;
}

rrf_status growth_run(growth *g, node_splitter *split, void *own)
{
    rrf_status status = (g->waiting ? run_depth_first : run_breadth_first)(g, split, own);
    for (int node = 0; node < g->tree->size; ++node) {
        if (g->tree->status[node] == TO_SPLIT) {
            g->tree->status[node] = RRF_TERMINAL;
        }
    }
    return status;
}
