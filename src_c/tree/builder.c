/* Grows one tree: R's buildtree, breadth first, and the trees of engine parallel. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "filters.h"
#include "tree/builder.h"
#include "tree/search_input.h"
#include "tree/splitter.h"

/* The smallest gain of a split, as in R. */
#define MIN_WORTH (-1.0e10)

rrf_status builder_init(builder *g, const builder_setup *setup, arena *memory)
{
    const rrf_target *target = setup->target;
    const rrf_params *params = setup->params;
    int n = setup->data->n;
    *g = (builder){.data = setup->data,
                   .params = params,
                   .ranks = setup->ranks,
                   .criterion = setup->criterion,
                   .rule = setup->rule,
                   .rule_own = setup->rule_own,
                   .watch = {.monitor = setup->monitor},
                   .rng = setup->rng,
                   .n_sums = criterion_sums(setup->criterion, target->nclass)};
    search_setup search = {.data = setup->ranked,
                           .ranks = setup->ranks,
                           .criterion = setup->criterion,
                           .rule = setup->rule,
                           .params = params,
                           .coef_by_depth = setup->coef_by_depth};
    rrf_status status =
        bag_init(&g->bag, n, target->nclass, target->y, target->response, setup->classwt, params, memory);
    status = status ? status : search_input_init(&g->input, &search, &g->bag, memory);
    status = status ? status : splitter_init(&g->splitter, &g->input, g->rule_own, &g->watch, memory);
    status = status ? status : growth_init(&g->nodes, n, params->max_nodes, setup->depth_first, memory);
    /* The tree partitions the bag's rows in place; scratch of the search is free between two trees. */
    g->rows = g->bag.rows;
    g->spare = (int32_t *)(void *)g->splitter.spare;
    TAKE_ZEROS(memory, g->goes_left, n);
    TAKE(memory, g->sums, (size_t)g->nodes.capacity * (size_t)g->n_sums);
    TAKE(memory, g->used_in_tree, g->data->p);
    status = status ? status : ASK(builder_init, RRF_OK, g, memory);
    return status ? status : arena_status(memory);
}

static double *node_sums(const builder *g, int node)
{
    return g->sums + (size_t)node * (size_t)g->n_sums;
}

bool builder_will_search(const builder *g, int node)
{
    return g->nodes.tree->status[node] == TO_SPLIT;
}

node_view builder_view(const builder *g, int node)
{
    node_view view = {.number = node,
                      .rows = g->rows + g->nodes.start[node],
                      .start = g->nodes.start[node],
                      .size = g->nodes.size[node],
                      .sums = node_sums(g, node)};
    g->criterion->view(&view, g->bag.nclass);
    g->rule->view(g->rule_own, &view);
    return view;
}

/* ---- daughters ------------------------------------------------------------------------------------------------------- */

static int sum_node(const builder *g, int node)
{
    return g->criterion->sum_rows(&g->input, g->rows + g->nodes.start[node], g->nodes.size[node], node_sums(g, node));
}

/* Whole numbers: the sums of the larger daughter are those of the node minus the smaller one. */
static void sum_daughters_exactly(const builder *g, int node, int left)
{
    const int32_t *size = g->nodes.size;
    int smaller = size[left] <= size[left + 1] ? left : left + 1, larger = 2 * left + 1 - smaller;
    const double *all = node_sums(g, node), *some = node_sums(g, smaller);
    double *rest = node_sums(g, larger);
    sum_node(g, smaller);
    for (int k = 0; k < g->n_sums; ++k) {
        rest[k] = all[k] - some[k];
    }
}

/* Sets the status of a new node, whose size is compared with nodesize. */
static void settle_status(const builder *g, int node, int size)
{
    const double *sums = node_sums(g, node);
    if (size <= g->params->nodesize || g->criterion->is_pure(sums, g->bag.nclass) ||
        g->rule->at_bottom(g->rule_own, node)) {
        g->nodes.tree->status[node] = RRF_TERMINAL;
    }
}

static void finish_daughters(const builder *g, int node, int left)
{
    if (weights_are_counts(&g->bag) && !g->criterion->n_moments) {
        sum_daughters_exactly(g, node, left);
        settle_status(g, left, g->nodes.size[left]);
        settle_status(g, left + 1, g->nodes.size[left + 1]);
    } else {
        settle_status(g, left, sum_node(g, left));
        settle_status(g, left + 1, sum_node(g, left + 1));
    }
}

/* Returns whether the node has rows with a missing value. */
static bool node_misses(const builder *g, const node_view *node, int feature)
{
    bool misses = false;
    for (int i = 0; ranks_have_missing(g->ranks, feature) && i < node->size && !misses; ++i) {
        misses = rank_of(g->ranks, feature, node->rows[i]) >= (uint32_t)g->ranks->n_present[feature];
    }
    return misses;
}

/* If no row of the node has a missing value, missing values go to the larger daughter. */
static bool send_missing(const builder *g, const node_view *node, int n_left)
{
    const split *best = &g->splitter.bar.best;
    bool met = g->data->ncat[best->feature] == 1 && node_misses(g, node, best->feature);
    return met ? best->missing_left : n_left > node->size - n_left;
}

static rrf_status commit_split(builder *g, const node_view *view)
{
    const split *best = &g->splitter.bar.best;
    tree *t = g->nodes.tree;
    int n_left, node = view->number;
    double decrease = best->crit - (view->crit - view->offset);
    g->used_in_tree[best->feature] = 1;
    g->rule->record(g->rule_own, best, node, t->size, decrease < 0.0 ? 0.0 : decrease);
    rrf_status status = move_data(g, view, &n_left);
    if (status) {
        return status;
    }
    int left = growth_split(&g->nodes, node, best->feature, g->criterion->interior, n_left);
    if (t->missing_left) {
        t->missing_left[node] = send_missing(g, view, n_left);
    }
    finish_daughters(g, node, left);
    TELL(node_parted, g, view, left);
    return RRF_OK;
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

static void finish_tree(builder *g, tree *t)
{
    for (int node = 0; node < t->size; ++node) {
        if (g->criterion->predict) {
            t->prediction[node] = g->criterion->predict(node_sums(g, node));
        } else if (t->status[node] == RRF_TERMINAL) {
            t->prediction[node] = 1 + g->rule->leaf_class(g->rule_own, node, node_sums(g, node));
        }
    }
}

void builder_apply(const builder *g, const tree *t, const int32_t *rows, int n_rows, int32_t *nodes)
{
    if (!ASK(apply_rows, false, g, t, rows, n_rows, nodes)) {
        tree_apply(t, g->data, rows, n_rows, -1, NULL, nodes);
    }
}

static rrf_status begin_tree(builder *g, tree *t)
{
    memset(g->used_in_tree, 0, (size_t)g->data->p);
    g->criterion->sum_bag(&g->bag, node_sums(g, 0));
    growth_begin(&g->nodes, t, g->bag.size);
    rrf_status status = search_input_begin_tree(&g->input);
    return status ? status : g->rule->begin_tree(g->rule_own);
}

void builder_read_ranks(builder *g)
{
    search_input_read_ranks(&g->input);
    TELL(ranks_changed, &g->splitter);
}

static rrf_status split_node(void *own, int node)
{
    builder *g = own;
    const split *best = &g->splitter.bar.best;
    node_view view = builder_view(g, node);
    rrf_status status = g->rule->search(g->rule_own, &view);
    bool helps = best->feature >= 0 && !(best->crit < MIN_WORTH);
    return status || !helps ? status : commit_split(g, &view);
}

rrf_status grow_tree(builder *g, tree *t)
{
    rrf_status status = begin_tree(g, t);
    if (!status) {
        status = growth_run(&g->nodes, split_node, g);
    }
    if (!status) {
        finish_tree(g, t);
    }
    return status;
}
