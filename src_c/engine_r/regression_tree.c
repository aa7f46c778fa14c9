/* Grows one regression tree, breadth first, R's regTree. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/partition.h"
#include "engine_r/forest_scan.h"
#include "engine_r/forest_search.h"
#include "engine_r/regression_tree.h"
#include "tree/ranking.h"

/* Nodes whose means are found at a time. */
enum { LANES = 4 };

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
        status = regression_search_init(&g->search, data, g->ranks, &g->bag, params, setup->used, setup->rng, memory);
    }
    if (!status && params->random_forest) {
        forest_cuts_init(&g->search.cuts, n_cases, memory);
    }
    status = status ? status : growth_init(&g->nodes, n_cases, params->max_nodes, false, memory);
    TAKE(memory, g->cases, n_cases);
    TAKE(memory, g->spare_cases, n_cases);
    TAKE(memory, g->rows, n_cases);
    TAKE(memory, g->spare_rows, n_cases);
    TAKE(memory, g->n_rows, g->nodes.capacity);
    TAKE(memory, g->goes_left, data->n);
    TAKE(memory, g->used_in_tree, data->p);
    return status ? status : arena_status(memory);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

/* R's update of a mean by one case: the sum divided by the count would round otherwise. */
static inline double mean_with(double mean, double y, int before)
{
    return (before * mean + y) / (before + 1);
}

/* A node whose mean is being found. */
typedef struct mean_lane {
    const bag_case *next;
    int node, left, count; /* cases to go; cases so far */
    double mean;
} mean_lane;

static mean_lane open_lane(const regression_builder *g, int node)
{
    return (mean_lane){.next = g->cases + g->nodes.start[node], .node = node, .left = g->nodes.size[node]};
}

/* As many steps in all lanes as the shortest has to go. */
static inline __attribute__((always_inline)) void advance(mean_lane *lane, int n_open)
{
    mean_lane at[LANES];
    int steps = lane[0].left;
    for (int k = 0; k < n_open; ++k) {
        at[k] = lane[k];
        steps = at[k].left < steps ? at[k].left : steps;
    }
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < n_open; ++k) {
            at[k].mean = mean_with(at[k].mean, at[k].next[i].y, at[k].count + i);
        }
    }
    for (int k = 0; k < n_open; ++k) {
        lane[k] = (mean_lane){at[k].next + steps, at[k].node, at[k].left - steps, at[k].count + steps, at[k].mean};
    }
}

/* The means of all nodes that have none yet. The division after each case is slow, so several nodes take turns. */
static void find_means(regression_builder *g)
{
    tree *t = g->nodes.tree;
    mean_lane lane[LANES];
    int n_open = 0;
    while (g->n_means < t->size || n_open > 0) {
        while (n_open < LANES && g->n_means < t->size) {
            lane[n_open++] = open_lane(g, g->n_means++);
        }
        if (n_open == LANES) { /* a constant: the compiler then keeps the means in registers */
            advance(lane, LANES);
        } else {
            advance(lane, n_open);
        }
        for (int k = n_open - 1; k >= 0; --k) {
            if (lane[k].left == 0) {
                t->prediction[lane[k].node] = lane[k].mean;
                lane[k] = lane[--n_open];
            }
        }
    }
}

static regression_node view_node(const regression_builder *g, int node)
{
    int start = g->nodes.start[node], size = g->nodes.size[node];
    regression_node view = {.rows = g->rows + start,
                            .n_rows = g->n_rows[node],
                            .cases = g->cases + start,
                            .size = size,
                            .sum = size * g->nodes.tree->prediction[node]};
    view.parent = view.sum * view.sum / view.size;
    return view;
}

/* ---- committing a split ---------------------------------------------------------------------------------------------- */

/* The levels that go left, by their means. */
static uint64_t left_levels(const regression_split *best, double point, int n_levels)
{
    uint64_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint64_t)(best->level_mean[level] <= point) << level;
    }
    return levels;
}

static void mark_levels(regression_builder *g, const regression_node *view, double point)
{
    const regression_split *best = &g->search.best;
    uint32_t *rank = g->search.sorted.rank;
    uint64_t levels = left_levels(best, point, g->data->ncat[best->feature]);
    regression_load_ranks(g->ranks, best->feature, view->rows, view->n_rows, rank);
    for (int i = 0; i < view->n_rows; ++i) {
        g->goes_left[view->rows[i].row] = levels >> rank[i] & 1;
    }
}

static void mark_ranks(regression_builder *g, const regression_node *view)
{
    const regression_split *best = &g->search.best;
    uint32_t *rank = g->search.sorted.rank;
    regression_load_ranks(g->ranks, best->feature, view->rows, view->n_rows, rank);
    for (int i = 0; i < view->n_rows; ++i) {
        g->goes_left[view->rows[i].row] = rank[i] <= best->cut_rank;
    }
}

static void mark_values(regression_builder *g, const regression_node *view, const double *x, double point)
{
    for (int i = 0; i < view->n_rows; ++i) {
        g->goes_left[view->rows[i].row] = x[view->rows[i].row] <= point;
    }
}

/* Decides which cases go left. Returns the split point, half-way between the values next to the cut. A level of a factor goes
 * where the mean goes that stood for it in the search. */
static double mark_left(regression_builder *g, const regression_node *view)
{
    const regression_split *best = &g->search.best;
    if (g->data->ncat[best->feature] > 1) {
        double point =
            best->borrows ? best->point : (best->level_mean[best->below] + best->level_mean[best->above]) / 2.0;
        mark_levels(g, view, point);
        return point;
    }
    const double *x = g->data->x + (size_t)best->feature * (size_t)g->data->n;
    if (best->borrows) {
        mark_values(g, view, x, best->point);
        return best->point;
    }
    double below = x[best->below], above = x[best->above], point = (below + above) / 2.0;
    /* Between neighbouring doubles the point may be one of them; beyond the largest double it is infinite. */
    if (below <= point && point < above) {
        mark_ranks(g, view);
    } else {
        mark_values(g, view, x, point);
    }
    return point;
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

/* The same for the rows of a node; those of its daughters begin where their cases do. Returns how many go left. */
static int part_rows(regression_builder *g, int node, int n_cases_left)
{
    bag_row *part = g->rows + g->nodes.start[node];
    int n_rows = g->n_rows[node], n_left = 0;
    PARTITION(bag_row, part, 0, n_rows, g->goes_left, item.row, n_left, g->spare_rows)
    memcpy(part + n_cases_left, g->spare_rows, (size_t)(n_rows - n_left) * sizeof *part);
    return n_left;
}

/* The rows of a node's cases, where a split may have separated draws of a row. Returns how many they are. */
static int gather_rows(regression_builder *g, int node)
{
    int start = g->nodes.start[node], size = g->nodes.size[node], n_rows = 0;
    const bag_case *first = g->cases + start;
    bag_row *rows = g->rows + start;
    int32_t *place = g->bag.draws.pool; /* scratch between two bags */
    for (int i = 0; i < size; ++i) {
        place[first[i].row] = -1;
    }
    for (int i = 0; i < size; ++i) {
        int row = first[i].row;
        if (place[row] < 0) {
            place[row] = n_rows;
            rows[n_rows++] = (bag_row){.y = first[i].y, .row = row};
        }
        ++rows[place[row]].count;
    }
    return n_rows;
}

/* The point between two values overflowed and lies outside them, or is that of another feature. R then sends one case to
 * the side that would be empty. When all were to go left, it is the last one. Otherwise R takes a number from its
 * workspace: the place in the node of the smallest value of the feature that was drawn last. It takes this place for the
 * number of a draw, and that draw becomes the case; the last case of the node is lost. A point between means that
 * overflowed both ways is NaN, to which no case is on either side: then all cases come from such numbers. */
static int part_degenerate(regression_builder *g, int start, const regression_node *view, int n_left, double point)
{
    if (n_left > 0) {
        return view->size - 1;
    }
    bag_case *first = g->cases + start;
    sort_cases_like_r(&g->search, view, g->search.drawn[g->params->mtry - 1]);
    memmove(first + 1, first, (size_t)(view->size - 1) * sizeof *first);
    for (int i = 0; i < (isnan(point) ? view->size : 1); ++i) {
        int row = g->bag.draw[start + g->search.index[i]];
        first[i] = (bag_case){g->bag.y[row], row};
    }
    return 1;
}

/* R's xbestsplit of a factor: a bit for each level that goes left, below the point rather than up to it. */
static double pack_levels(const regression_split *best, double point, int n_levels)
{
    uint64_t levels = 0;
    for (int level = 0; level < n_levels; ++level) {
        levels |= (uint64_t)(best->level_mean[level] < point) << level;
    }
    return (double)levels;
}

/* Makes the daughters of a node, with their cases and their rows. */
static void part_node(regression_builder *g, int node, const regression_node *view, double point)
{
    int start = g->nodes.start[node], n_left = part_cases(g, start, view->size);
    bool degenerate = n_left == 0 || n_left == view->size;
    n_left = degenerate ? part_degenerate(g, start, view, n_left, point) : n_left;
    int left = growth_split(&g->nodes, node, g->search.best.feature, RRF_INTERIOR_REGRESS, n_left), right = left + 1;
    g->n_rows[left] = degenerate ? gather_rows(g, left) : part_rows(g, node, n_left);
    g->n_rows[right] = degenerate ? gather_rows(g, right) : g->n_rows[node] - g->n_rows[left];
    for (int daughter = left; daughter <= right; ++daughter) {
        if (g->nodes.size[daughter] <= g->params->nodesize) {
            g->nodes.tree->status[daughter] = RRF_TERMINAL;
        }
    }
}

static void commit_split(regression_builder *g, int node, const regression_node *view)
{
    const regression_split *best = &g->search.best;
    candidates_enter(&g->search.features, best->feature);
    g->used_in_tree[best->feature] = 1;
    g->decrease[best->feature] += best->crit;
    double point = mark_left(g, view);
    int n_levels = g->data->ncat[best->feature];
    g->nodes.tree->split_point[node] = n_levels == 1 ? point : pack_levels(best, point, n_levels);
    part_node(g, node, view, point);
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

/* Asks for the memory that the search of the next node will read. */
static void fetch_next(const regression_builder *g, int node)
{
    const tree *t = g->nodes.tree;
    while (++node < t->size && t->status[node] != TO_SPLIT) {}
    if (node < t->size) {
        regression_fetch_ranks(g->ranks, g->rows + g->nodes.start[node], g->n_rows[node]);
    }
}

/* The root is tried whatever its size. */
static void begin_tree(regression_builder *g, tree *t)
{
    const regression_bag *b = &g->bag;
    memset(g->used_in_tree, 0, (size_t)g->data->p);
    memcpy(g->rows, b->rows, (size_t)b->n_rows * sizeof *g->rows);
    for (int i = 0; i < b->size; ++i) {
        g->cases[i] = (bag_case){b->y[b->draw[i]], b->draw[i]};
    }
    growth_begin(&g->nodes, t, b->size);
    g->n_rows[0] = b->n_rows;
    g->n_means = 0;
}

static rrf_status split_node(void *own, int node)
{
    regression_builder *g = own;
    if (node >= g->n_means) {
        find_means(g);
    }
    regression_node view = view_node(g, node);
    fetch_next(g, node);
    (g->params->random_forest ? forest_search_node : regression_search_node)(&g->search, &view);
    if (g->search.best.feature >= 0) {
        commit_split(g, node, &view);
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
