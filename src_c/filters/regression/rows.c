/* The distinct rows of the nodes of regression. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/partition.h"
#include "filters/regression/search.h"

void regression_filter_begin_tree(regression_builder *g)
{
    regression_filter *f = g->filter;
    const regression_bag *b = &g->bag;
    int n_rows = 0;
    for (int row = 0; row < b->n; ++row) {
        if (b->count[row] > 0) {
            f->rows[n_rows++] = (bag_row){.y = b->y[row], .row = row, .count = b->count[row]};
        }
    }
    f->n_rows[0] = n_rows;
}

/* Moves the rows that go left to the front; the ranges of the daughters begin where their cases do. Returns the number
 * of these rows. */
static int part_rows(const regression_builder *g, int node, int n_cases_left)
{
    const regression_filter *f = g->filter;
    bag_row *part = f->rows + g->nodes.start[node];
    int n_rows = f->n_rows[node], n_left = 0;
    PARTITION(bag_row, part, 0, n_rows, g->goes_left, item.row, n_left, f->spare_rows)
    memcpy(part + n_cases_left, f->spare_rows, (size_t)(n_rows - n_left) * sizeof *part);
    return n_left;
}

/* Lists the rows of a node's cases, if a split may have separated draws of a row. Returns their number. */
static int gather_rows(const regression_builder *g, int node)
{
    int start = g->nodes.start[node], size = g->nodes.size[node], n_rows = 0;
    const bag_case *first = g->cases + start;
    bag_row *rows = g->filter->rows + start;
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

void regression_filter_parted(regression_builder *g, int node, int left, bool degenerate)
{
    int32_t *n_rows = g->filter->n_rows;
    n_rows[left] = degenerate ? gather_rows(g, left) : part_rows(g, node, g->nodes.size[left]);
    n_rows[left + 1] = degenerate ? gather_rows(g, left + 1) : n_rows[node] - n_rows[left];
}
