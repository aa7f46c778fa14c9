/* Grows one regression tree, breadth first, R's regTree. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/partition.h"
#include "engine_r/regression_tree.h"
#include "filters.h"
#include "tree/ranking.h"

rrf_status regression_builder_init(regression_builder *g, const regression_setup *setup, arena *memory)
{
    const rrf_data *data = setup->data;
    const rrf_params *params = setup->params;
    int n_cases = params->sampsize[0];
    *g = (regression_builder){.data = data,
                              .params = params,
                              .watch = {.monitor = setup->monitor},
                              .rng = setup->rng,
                              .decrease = setup->decrease};
    rrf_status status = regression_bag_init(&g->bag, setup->y, data->n, params, memory);
    if (!status) {
        ranks_kind kind = {.ties = TIES_BY_ROW, .values = true};
        status = ranks_take(setup->ranks, data, kind, params->n_jobs, setup->monitor, &g->ranks, &g->own_ranks);
    }
    if (!status) {
        regression_input input = {.data = data,
                                  .ranks = g->ranks,
                                  .bag = &g->bag,
                                  .coef_reg = params->coef_reg,
                                  .mtry = params->mtry,
                                  .flag_reg = params->flag_reg == 1,
                                  .quirks = params->quirks,
                                  .random_forest = params->random_forest};
        status = regression_search_init(&g->search, &input, params, setup->used, setup->rng, memory);
    }
    status = status ? status : growth_init(&g->nodes, n_cases, params->max_nodes, false, memory);
    TAKE(memory, g->cases, n_cases);
    TAKE(memory, g->spare_cases, n_cases);
    TAKE(memory, g->goes_left, data->n);
    TAKE(memory, g->used_in_tree, data->p);
    status = status ? status : ASK(regression_init, RRF_OK, g, memory);
    return status ? status : arena_status(memory);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

/* Computes the means of all nodes that have none yet. */
static void find_means(regression_builder *g)
{
    tree *t = g->nodes.tree;
    for (; g->n_means < t->size; ++g->n_means) {
        const bag_case *cases = g->cases + g->nodes.start[g->n_means];
        double mean = 0.0;
        for (int i = 0; i < g->nodes.size[g->n_means]; ++i) {
            mean = mean_with(mean, cases[i].y, i);
        }
        t->prediction[g->n_means] = mean;
    }
}

static regression_node view_node(const regression_builder *g, int node)
{
    int size = g->nodes.size[node];
    double sum = size * g->nodes.tree->prediction[node];
    return (regression_node){
        .number = node, .cases = g->cases + g->nodes.start[node], .size = size, .sum = sum, .parent = sum * sum / size};
}

/* ---- the end of R's findBestSplit: the partition of the cases
 * ---------------------------------------------------------- */

/* Returns the levels whose means are at most the point or, for R's xbestsplit, below it. */
static uint64_t levels_up_to(const regression_split *best, int n_levels, bool with_equal)
{
    uint64_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        double mean = best->level_mean[level];
        levels |= (uint64_t)(with_equal ? mean <= best->point : mean < best->point) << level;
    }
    return levels;
}

/* Marks the rows that go left. */
static void mark_left(regression_builder *g, const regression_node *view)
{
    const regression_split *best = &g->search.best;
    const double *x = g->data->x + (size_t)best->feature * (size_t)g->data->n;
    bool factor = is_factor(g->data, best->feature);
    uint64_t levels = factor ? levels_up_to(best, g->data->ncat[best->feature], true) : 0;
    for (int i = 0; i < view->size; ++i) {
        int row = view->cases[i].row;
        g->goes_left[row] = factor ? levels >> rank_of(g->ranks, best->feature, row) & 1 : x[row] <= best->point;
    }
}

/* Moves the cases that go left to the front; both sides keep their order. Returns how many go left. */
static int part_cases(regression_builder *g, int start, int size)
{
    bag_case *part = g->cases + start;
    int n_left = 0;
    PARTITION(bag_case, part, 0, size, g->goes_left, item.row, n_left, g->spare_cases)
    memcpy(part + n_left, g->spare_cases, (size_t)(size - n_left) * sizeof *part);
    return n_left;
}

/* Reproduces R where the midpoint of two values overflowed and lies outside them, or is that of another feature. R then
 * sends one case to the side that would be empty. If all were to go left, it is the last one. Otherwise R takes a
 * number from its workspace: the position in the node of the smallest value of the feature drawn last. R uses this
 * position as the number of a draw, and that draw becomes the case; the last case of the node is lost. A midpoint of
 * means that overflowed in both directions is NaN, to which all comparisons are false: then all cases come from such
 * numbers. */
static int part_degenerate(regression_builder *g, int start, const regression_node *view, int n_left)
{
    if (n_left > 0) {
        return view->size - 1;
    }
    bag_case *first = g->cases + start;
    sort_cases(&g->search.in, view, g->search.drawn[g->params->mtry - 1], &g->search.sorted);
    memmove(first + 1, first, (size_t)(view->size - 1) * sizeof *first);
    for (int i = 0; i < (isnan(g->search.best.point) ? view->size : 1); ++i) {
        int row = g->bag.draw[start + g->search.sorted.index[i]];
        first[i] = (bag_case){g->bag.y[row], row};
    }
    return 1;
}

/* Makes the daughters of a node, with their cases. */
static void part_node(regression_builder *g, const regression_node *view)
{
    int start = g->nodes.start[view->number], n_left = part_cases(g, start, view->size);
    bool degenerate = n_left == 0 || n_left == view->size;
    n_left = degenerate ? part_degenerate(g, start, view, n_left) : n_left;
    int left = growth_split(&g->nodes, view->number, g->search.best.feature, RRF_INTERIOR_REGRESS, n_left);
    for (int daughter = left; daughter <= left + 1; ++daughter) {
        if (g->nodes.size[daughter] <= g->params->nodesize) {
            g->nodes.tree->status[daughter] = RRF_TERMINAL;
        }
    }
    TELL(regression_parted, g, view->number, left, degenerate);
}

static void commit_split(regression_builder *g, const regression_node *view)
{
    const regression_split *best = &g->search.best;
    int n_levels = g->data->ncat[best->feature];
    candidates_enter(&g->search.features, best->feature);
    g->used_in_tree[best->feature] = 1;
    g->decrease[best->feature] += best->crit;
    g->nodes.tree->split_point[view->number] =
        n_levels == 1 ? best->point : (double)levels_up_to(best, n_levels, false);
    if (!ASK(regression_mark, false, g, view)) {
        mark_left(g, view);
    }
    part_node(g, view);
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

/* The root is searched whatever its size. */
static void begin_tree(regression_builder *g, tree *t)
{
    const regression_bag *b = &g->bag;
    memset(g->used_in_tree, 0, (size_t)g->data->p);
    for (int i = 0; i < b->size; ++i) {
        g->cases[i] = (bag_case){b->y[b->draw[i]], b->draw[i]};
    }
    growth_begin(&g->nodes, t, b->size);
    g->n_means = 0;
    TELL(regression_begin_tree, g);
}

static rrf_status split_node(void *own, int node)
{
    regression_builder *g = own;
    if (node >= g->n_means) {
        find_means(g);
    }
    regression_node view = view_node(g, node);
    if (!ASK(regression_search, false, g, &view)) {
        find_best_split(&g->search, &view);
    }
    if (g->search.best.feature >= 0) {
        commit_split(g, &view);
    }
    return watch_work(&g->watch, (int64_t)view.size * g->params->mtry);
}

rrf_status grow_regression_tree(regression_builder *g, tree *t)
{
    begin_tree(g, t);
    rrf_status status = growth_run(&g->nodes, split_node, g);
    find_means(g);
    return status;
}
