/* Grows one tree: R's buildtree, which goes breadth first, and the trees of engine parallel.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/coarse_ranks.h"
#include "data/few_values.h"
#include "data/partition.h"
#include "tree/builder.h"
#include "tree/lanes.h"
#include "tree/row_order.h"
#include "tree/search_input.h"
#include "tree/split_levels.h"
#include "tree/splitter.h"

/* As in R, a split that is worth less is ignored. */
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
                           .packs = setup->packs,
                           .coef_by_depth = setup->coef_by_depth};
    rrf_status status =
        bag_init(&g->bag, n, target->nclass, target->y, target->response, setup->classwt, params, memory);
    status = status ? status : search_input_init(&g->input, &search, &g->bag, memory);
    status = status ? status : splitter_init(&g->splitter, &g->input, g->rule, g->rule_own, &g->watch, memory);
    status = status ? status : lanes_init(&g->splitter, setup->lane_bytes);
    status = status ? status : growth_init(&g->nodes, n, params->max_nodes, setup->depth_first, memory);
    /* The tree parts the bag's rows in place; what is for the search is free between two of them. */
    g->rows = g->bag.rows;
    g->spare = (int32_t *)(void *)g->splitter.scratch.packed_spare;
    TAKE_ZEROS(memory, g->goes_left, n);
    TAKE(memory, g->sums, (size_t)g->nodes.capacity * (size_t)g->n_sums);
    TAKE(memory, g->below, g->nodes.capacity);
    TAKE(memory, g->used_in_tree, g->data->p);
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

/* ---- committing a split ---------------------------------------------------------------------------------------------- */

static int part_marked(builder *g, const node_view *node)
{
    return partition_rows(g->rows + node->start, node->size, g->goes_left, g->spare);
}

/* Sorts the node's rows by the feature; the first ones go left. */
static beside_cut part_sorted(builder *g, const node_view *node, const split *best)
{
    int32_t *rows = g->rows + node->start;
    int n_left = 0;
    if (g->splitter.scratch.sorted_by != best->feature) {
        sort_rows(&g->splitter, node, best->feature);
    }
    memcpy(rows, g->splitter.scratch.sorted, (size_t)node->size * sizeof *rows);
    for (int i = 0; i < node->size; ++i) {
        n_left += rank_of(g->ranks, best->feature, rows[i]) <= best->cut_rank;
    }
    return (beside_cut){n_left, rows[n_left - 1], rows[n_left], rank_of(g->ranks, best->feature, rows[n_left])};
}

/* Sends rows left by their rank; rows keep their order. */
static beside_cut part_by_rank(builder *g, const node_view *node, const split *best)
{
    const rrf_ranks *ranks = g->ranks;
    uint32_t missing = best->missing_left ? (uint32_t)ranks->n_present[best->feature] : UINT32_MAX;
    rank_cut cut = {best->cut_rank, missing};
    int32_t *rows = g->rows + node->start;
    if (ranks_are_few(ranks, best->feature) && !ranks_are_planes(ranks, best->feature)) {
        return partition_by_rank(ranks->packed[best->feature], sizeof(uint8_t), cut, rows, node->size, g->spare);
    }
    if (coarse_column(ranks, best->feature) && coarse_reads_rows(ranks, node->size)) {
        return partition_by_bin(ranks, best->feature, best->cut_rank, rows, node->size, g->spare);
    }
    const char *column = (const char *)ranks->rank + (size_t)best->feature * (size_t)ranks->n * rank_width(ranks);
    return ranks->wide ? partition_by_rank(column, sizeof(uint32_t), cut, rows, node->size, g->spare)
                       : partition_by_rank(column, sizeof(uint16_t), cut, rows, node->size, g->spare);
}

/* R's order of the rows decides how the daughters' sums are rounded. Exact sums do not depend on it; then rows ascend in every
 * node. */
static bool order_is_free(const builder *g)
{
    return !g->rule->leaves_sorted || g->bag.exact;
}

static double value_of_rank(const builder *g, int feature, uint32_t rank)
{
    return data_value(g->data, feature, row_of_rank(g->ranks, feature, rank));
}

/* How many of the feature's ranks go left where values are compared with the split point. It may have been rounded to a
 * value on its right, or to an infinity. */
static uint32_t ranks_up_to(const builder *g, int feature, uint32_t cut_rank, double point)
{
    uint32_t below = cut_rank + 1, n_present = (uint32_t)g->ranks->n_present[feature];
    while (below > 0 && !(value_of_rank(g, feature, below - 1) <= point)) {
        --below;
    }
    while (below < n_present && value_of_rank(g, feature, below) <= point) {
        ++below;
    }
    return below;
}

/* Few values: the split point is found, and rows are sent down, without a look at the values of single rows. */
static double split_few_values(builder *g, int node, const split *best, uint32_t next)
{
    double point =
        g->rule->split_point(value_of_rank(g, best->feature, best->cut_rank), value_of_rank(g, best->feature, next));
    g->below[node] = ranks_up_to(g, best->feature, best->cut_rank, point);
    return point;
}

/* Rows in bins beside those of the two ranks are sent down without a look at their values. */
static uint32_t between_bins(const rrf_ranks *ranks, int feature, uint32_t cut_rank, uint32_t next_rank)
{
    uint64_t scale = coarse_scale(ranks->n_ranks[feature]);
    return coarse_column(ranks, feature) ? BY_BIN | coarse_bin(next_rank, scale) << 8 | coarse_bin(cut_rank, scale)
                                         : BY_VALUE;
}

static double part_numeric(builder *g, const node_view *node, const split *best, int *n_left)
{
    beside_cut beside = order_is_free(g) ? part_by_rank(g, node, best) : part_sorted(g, node, best);
    *n_left = beside.n_left;
    if (ranks_are_few(g->ranks, best->feature)) {
        return split_few_values(g, node->number, best, beside.next_rank);
    }
    double point = g->rule->split_point(data_value(g->data, best->feature, beside.last_left),
                                        data_value(g->data, best->feature, beside.first_right));
    if (isfinite(point)) { /* R's middle of two large numbers may not be, and then lies on one side of all values */
        g->below[node->number] = between_bins(g->ranks, best->feature, best->cut_rank, beside.next_rank);
    }
    return point;
}

/* More levels than go into a number: what is stored is where the split's set of levels begins. */
static rrf_status part_wide(builder *g, const node_view *node, const split *best, int *n_left)
{
    tree *t = g->nodes.tree;
    int n_words = level_words(g->data->ncat[best->feature]);
    rrf_status status = forest_reserve_sets(t, n_words);
    if (status) {
        return status;
    }
    uint32_t *set = t->level_set + t->n_words;
    levels_write(&g->splitter, node, best, set);
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        g->goes_left[row] = has_level(set, (int)rank_of(g->ranks, best->feature, row));
    }
    t->split_point[node->number] = (double)t->n_words;
    t->n_words += n_words;
    *n_left = part_marked(g, node);
    return RRF_OK;
}

static double part_categorical(builder *g, const node_view *node, const split *best, int *n_left)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        g->goes_left[row] = best->levels >> rank_of(g->ranks, best->feature, row) & 1;
    }
    *n_left = part_marked(g, node);
    /* RRF keeps the bits in a signed int: level 32 makes the number negative. */
    return g->params->random_forest ? (double)best->levels : (double)(int32_t)best->levels;
}

static int sum_node(const builder *g, int node)
{
    return g->criterion->sum_rows(&g->input, g->rows + g->nodes.start[node], g->nodes.size[node], node_sums(g, node));
}

/* Whole numbers: the larger daughter has what the smaller one leaves. */
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

/* Status of a new node, whose size is compared with nodesize. */
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

/* Parts the sorted lists as the node's rows have been. */
static void part_lists(builder *g, const node_view *node, int left)
{
    bool keep_left = builder_will_search(g, left), keep_right = builder_will_search(g, left + 1);
    if (!g->splitter.listed || (!keep_left && !keep_right)) {
        return;
    }
    for (int i = 0; i < node->size; ++i) {
        g->goes_left[node->rows[i]] = i < g->nodes.size[left];
    }
    sorted_rows_part(&g->input.sorted_rows, node->start, node->size, g->goes_left, keep_right,
                     g->splitter.scratch.packed_spare);
}

/* Whether the node holds rows whose value is missing. */
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
    const split *best = &g->splitter.best;
    bool met = g->data->ncat[best->feature] == 1 && node_misses(g, node, best->feature);
    return met ? best->missing_left : n_left > node->size - n_left;
}

/* Parts the rows of a node by its best split, and stores the split point. */
static rrf_status part_rows(builder *g, const node_view *view, int *n_left)
{
    const split *best = &g->splitter.best;
    int n_levels = g->data->ncat[best->feature];
    g->below[view->number] = BY_VALUE;
    if (n_levels > RRF_MAX_LEVELS && !g->rule->draw_wide_sets) {
        return part_wide(g, view, best, n_left);
    }
    g->nodes.tree->split_point[view->number] =
        n_levels == 1 ? part_numeric(g, view, best, n_left) : part_categorical(g, view, best, n_left);
    return RRF_OK;
}

static rrf_status commit_split(builder *g, const node_view *view)
{
    const split *best = &g->splitter.best;
    tree *t = g->nodes.tree;
    int n_left, node = view->number;
    double decrease = best->crit - (view->crit - view->offset);
    g->used_in_tree[best->feature] = 1;
    g->rule->record(g->rule_own, node, t->size, decrease < 0.0 ? 0.0 : decrease);
    rrf_status status = part_rows(g, view, &n_left);
    if (status) {
        return status;
    }
    int left = growth_split(&g->nodes, node, best->feature, g->criterion->interior, n_left);
    if (t->missing_left) {
        t->missing_left[node] = send_missing(g, view, n_left);
    }
    finish_daughters(g, node, left);
    part_lists(g, view, left);
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
    ranked_rows ranked = {g->data, g->ranks, g->below};
    if (g->ranks->n_few > 0 || g->ranks->coarse) {
        tree_apply_ranked(t, &ranked, rows, n_rows, nodes);
    } else {
        tree_apply(t, g->data, rows, n_rows, -1, NULL, nodes);
    }
}

static rrf_status begin_tree(builder *g, tree *t)
{
    memset(g->used_in_tree, 0, (size_t)g->data->p);
    g->criterion->sum_bag(&g->bag, node_sums(g, 0));
    growth_begin(&g->nodes, t, g->bag.size);
    rrf_status status = search_input_begin_tree(&g->input);
    status = status ? status : splitter_begin_tree(&g->splitter);
    return status ? status : g->rule->begin_tree(g->rule_own);
}

void builder_read_ranks(builder *g)
{
    search_input_read_ranks(&g->input);
    lanes_forget(&g->splitter);
}

static rrf_status split_node(void *own, int node)
{
    builder *g = own;
    const split *best = &g->splitter.best;
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
