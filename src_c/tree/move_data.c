/* The partition of a node's rows by its best split: R's movedata. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/partition.h"
#include "filters.h"
#include "tree/builder.h"
#include "tree/row_order.h"
#include "tree/split_levels.h"

static int part_marked(builder *g, const node_view *node)
{
    return partition_rows(g->rows + node->start, node->size, g->goes_left, g->spare);
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

/* Sorts the node's rows by the feature; the first ones go left. */
static beside_cut part_sorted(builder *g, const node_view *node, const split *best)
{
    int32_t *rows = g->rows + node->start;
    int n_left = 0;
    if (g->splitter.sorted_by != best->feature) {
        sort_rows(&g->splitter, node, best->feature);
    }
    memcpy(rows, g->splitter.sorted, (size_t)node->size * sizeof *rows);
    for (int i = 0; i < node->size; ++i) {
        n_left += rank_of(g->ranks, best->feature, rows[i]) <= best->cut_rank;
    }
    return (beside_cut){n_left, rows[n_left - 1], rows[n_left]};
}

/* Partitions rows by their rank; rows keep their order. */
static beside_cut part_by_rank(builder *g, const node_view *node, const split *best)
{
    const rrf_ranks *ranks = g->ranks;
    uint32_t missing = best->missing_left ? (uint32_t)ranks->n_present[best->feature] : UINT32_MAX;
    rank_cut cut = {best->cut_rank, missing};
    int32_t *rows = g->rows + node->start;
    beside_cut beside;
    if (ASK(part_rows, false, g, node, &beside)) {
        return beside;
    }
    const char *column = (const char *)ranks->rank + (size_t)best->feature * (size_t)ranks->n * rank_width(ranks);
    return ranks->wide ? partition_by_rank(column, sizeof(uint32_t), cut, rows, node->size, g->spare)
                       : partition_by_rank(column, sizeof(uint16_t), cut, rows, node->size, g->spare);
}

/* R's order of the rows determines the rounding of the daughters' sums. Exact sums do not depend on it; then rows
 * ascend in every node. */
static bool order_is_free(const builder *g)
{
    return !g->rule->leaves_sorted || g->bag.exact;
}

static double part_numeric(builder *g, const node_view *node, const split *best, int *n_left)
{
    beside_cut beside = order_is_free(g) ? part_by_rank(g, node, best) : part_sorted(g, node, best);
    *n_left = beside.n_left;
    return g->rule->split_point(data_value(g->data, best->feature, beside.last_left),
                                data_value(g->data, best->feature, beside.first_right));
}

/* ---- factors --------------------------------------------------------------------------------------------------------- */

/* More levels than bits of a number: the stored number is the index of the split's set of levels. */
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
    /* RRF stores the bits in a signed int: level 32 makes the number negative. */
    return g->params->random_forest ? (double)best->levels : (double)(int32_t)best->levels;
}

rrf_status move_data(builder *g, const node_view *node, int *n_left)
{
    const split *best = &g->splitter.bar.best;
    int n_levels = g->data->ncat[best->feature];
    if (n_levels > RRF_MAX_LEVELS && !g->rule->draw_wide_sets) {
        return part_wide(g, node, best, n_left);
    }
    g->nodes.tree->split_point[node->number] =
        n_levels == 1 ? part_numeric(g, node, best, n_left) : part_categorical(g, node, best, n_left);
    return RRF_OK;
}
