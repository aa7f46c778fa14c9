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
enum { BATCH = 16 };

/* One level down for every row of a batch; false when all stand in terminal nodes. */
static bool descend(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                    const double *column, int32_t *nodes)
{
    bool moved = false;
    for (int i = 0; i < n_rows; ++i) {
        int node = nodes[i], feature = t->split_var[node] - 1;
        if (feature >= 0) {
            double value = feature == replaced ? column[i] : data_value(data, feature, rows[i]);
            nodes[i] = t->left[node] - (int)goes_left(t, data, node, value);
            moved = true;
        }
    }
    return moved;
}

void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes)
{
    memset(nodes, 0, (size_t)n_rows * sizeof *nodes);
    for (int start = 0; start < n_rows; start += BATCH) {
        int32_t batch[BATCH];
        int size = n_rows - start < BATCH ? n_rows - start : BATCH;
        for (int i = 0; i < size; ++i) {
            batch[i] = rows ? rows[start + i] : start + i;
        }
        while (descend(t, data, batch, size, replaced, column ? column + start : NULL, nodes + start)) {}
    }
}
