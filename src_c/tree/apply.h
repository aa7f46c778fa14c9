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

/* Returns whether a row of the data, the i-th of those that descend, goes left at the node. */
typedef bool (*left_rule)(const void *own, const tree *t, int node, int row, int i);

/* Number of rows that descend a tree together, so that their loads from memory overlap. */
enum { BATCH = 256 };

/* Finds the terminal node, from 0, of each of the rows by a rule, which the compiler puts in place; rows NULL: those from 0
 * on. There is no branch on the arrival of a row, which cannot be predicted. */
static inline __attribute__((always_inline)) void descend_by(const tree *t, left_rule left, const void *own,
                                                             const int32_t *rows, int n_rows, int32_t *nodes)
{
    int under_way[BATCH];
    memset(nodes, 0, (size_t)n_rows * sizeof *nodes);
    for (int first = 0; first < n_rows && t->split_var[0] != 0; first += BATCH) {
        int n = n_rows - first < BATCH ? n_rows - first : BATCH;
        for (int k = 0; k < n; ++k) {
            under_way[k] = first + k;
        }
        while (n > 0) {
            int still = 0;
            for (int k = 0; k < n; ++k) {
                int i = under_way[k], node = nodes[i];
                int daughter = t->left[node] - (int)left(own, t, node, rows ? rows[i] : i, i);
                nodes[i] = daughter;
                under_way[still] = i;
                still += t->split_var[daughter] != 0;
            }
            n = still;
        }
    }
}

/* Finds the terminal node, from 0, of each of the rows; rows NULL: all rows of the data. If column is not NULL, it replaces
 * the values of feature `replaced`. */
void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes);

#endif
