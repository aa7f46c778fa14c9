/* Descent of rows in trees: R's predictClassTree. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/apply.h"

/* Number of rows that descend a tree together, so that their loads from memory overlap. */
enum { BATCH = 256 };

/* The rows of a batch that have not reached a terminal node. */
typedef struct batch {
    const int32_t *rows; /* NULL: those from `first` on */
    int32_t *nodes;
    int first, n_under_way;
    int under_way[BATCH];
} batch;

static void begin_batch(batch *b, const int32_t *rows, int start, int n_rows, int32_t *nodes)
{
    b->rows = rows ? rows + start : NULL;
    b->nodes = nodes + start;
    b->first = start;
    b->n_under_way = n_rows - start < BATCH ? n_rows - start : BATCH;
    for (int i = 0; i < b->n_under_way; ++i) {
        b->under_way[i] = i;
    }
}

static inline int row_in_batch(const batch *b, int i)
{
    return b->rows ? b->rows[i] : b->first + i;
}

/* There is no branch on the arrival of a row, which cannot be predicted. Returns the number of rows that have not
 * arrived. */
static inline int step(const tree *t, batch *b, int i, bool left, int under_way)
{
    int daughter = t->left[b->nodes[i]] - (int)left;
    b->nodes[i] = daughter;
    b->under_way[under_way] = i;
    return under_way + (t->split_var[daughter] != 0);
}

/* Moves every row that has not arrived down one level. column: values of the replaced feature; or NULL. */
static inline void descend_in(const tree *t, const rrf_data *data, bool sparse, int replaced, const double *column,
                              batch *b)
{
    int under_way = 0;
    for (int k = 0; k < b->n_under_way; ++k) {
        int i = b->under_way[k], node = b->nodes[i], feature = t->split_var[node] - 1;
        int row = row_in_batch(b, i);
        double value = feature == replaced ? column[b->first + i]
                       : sparse            ? sparse_value(data, feature, row)
                                           : dense_value(data, feature, row);
        under_way = step(t, b, i, goes_left(t, data, node, value), under_way);
    }
    b->n_under_way = under_way;
}

/* Two loops, so that none tests the layout at every step. */
static void descend(const tree *t, const rrf_data *data, int replaced, const double *column, batch *b)
{
    if (data->column_start) {
        descend_in(t, data, true, replaced, column, b);
    } else {
        descend_in(t, data, false, replaced, column, b);
    }
}

void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes)
{
    batch b;
    memset(nodes, 0, (size_t)n_rows * sizeof *nodes);
    for (int start = 0; start < n_rows && t->split_var[0] != 0; start += BATCH) {
        begin_batch(&b, rows, start, n_rows, nodes);
        while (b.n_under_way > 0) {
            descend(t, data, replaced, column, &b);
        }
    }
}
