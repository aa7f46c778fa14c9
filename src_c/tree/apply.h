/* Descent of rows in a tree. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_APPLY_H
#define RRF_APPLY_H

#include "data/matrix.h"
#include "tree/forest.h"

/* Work of the descent of one row, counted in row visits. */
enum { WORK_PER_DESCENT = 16 };

/* Returns whether a row with this value of the node's feature goes left. */
static inline bool goes_left(const tree *t, const rrf_data *data, int node, double value)
{
    if (value != value) {
        return t->missing_left && t->missing_left[node];
    }
    int n_levels = data->ncat[t->split_var[node] - 1];
    if (n_levels == 1) {
        return value <= t->split_point[node];
    }
    if (n_levels > RRF_MAX_LEVELS && t->level_set) {
        return has_level(t->level_set + (int64_t)t->split_point[node], (int)value - 1);
    }
    return (uint64_t)(int64_t)t->split_point[node] >> ((int)value - 1) & 1;
}

/* Finds the terminal node, from 0, of each of the rows; rows NULL: all rows of the data. If column is not NULL, it replaces
 * the values of feature `replaced`. */
void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes);

#endif
