/* Sends rows down trees: R's predictClassTree. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/apply.h"

static inline bool goes_left(const tree *t, const rrf_data *data, int node, double value)
{
    if (value != value) {
        return t->missing_left && t->missing_left[node];
    }
    int n_levels = data->ncat[t->split_var[node] - 1];
    if (n_levels == 1) {
        return value <= t->split_point[node];
    }
    if (n_levels > RRF_MAX_LEVELS) {
        return has_level(t->level_set + (int64_t)t->split_point[node], (int)value - 1);
    }
    return (uint32_t)(int64_t)t->split_point[node] >> ((int)value - 1) & 1;
}

/* Rows that go down a tree side by side, so that their loads from memory overlap. */
enum { BATCH = 64 };

/* The rows of a batch that have not reached a terminal node. */
typedef struct batch {
    const int32_t *rows;  /* NULL: those from `first` on */
    const double *column; /* values of the replaced feature; or NULL */
    int32_t *nodes;
    int first, n_under_way;
    int under_way[BATCH];
} batch;

/* One level down for every row that is under way. Whether a row has arrived cannot be predicted, so nothing branches on
 * it. */
static void descend(const tree *t, const rrf_data *data, int replaced, batch *b)
{
    int left = 0;
    for (int k = 0; k < b->n_under_way; ++k) {
        int i = b->under_way[k], node = b->nodes[i], feature = t->split_var[node] - 1;
        int row = b->rows ? b->rows[i] : b->first + i;
        double value = feature == replaced ? b->column[i] : data_value(data, feature, row);
        int daughter = t->left[node] - (int)goes_left(t, data, node, value);
        b->nodes[i] = daughter;
        b->under_way[left] = i;
        left += t->split_var[daughter] != 0;
    }
    b->n_under_way = left;
}

void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes)
{
    memset(nodes, 0, (size_t)n_rows * sizeof *nodes);
    for (int start = 0; start < n_rows && t->split_var[0] != 0; start += BATCH) {
        batch b = {.rows = rows ? rows + start : NULL,
                   .column = column ? column + start : NULL,
                   .nodes = nodes + start,
                   .first = start,
                   .n_under_way = n_rows - start < BATCH ? n_rows - start : BATCH};
        for (int i = 0; i < b.n_under_way; ++i) {
            b.under_way[i] = i;
        }
        while (b.n_under_way > 0) {
            descend(t, data, replaced, &b);
        }
    }
}
