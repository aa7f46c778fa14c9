/* Descent of rows in trees: R's predictClassTree. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/apply.h"

typedef struct values {
    const rrf_data *data;
    int replaced;
    const double *column; /* values of the replaced feature; or NULL */
} values;

static inline bool goes_left_by_value(const values *v, bool sparse, const tree *t, int node, int row, int i)
{
    int feature = t->split_var[node] - 1;
    double value = feature == v->replaced ? v->column[i]
                   : sparse               ? sparse_value(v->data, feature, row)
                                          : dense_value(v->data, feature, row);
    return goes_left(t, v->data, node, value);
}

static inline bool left_of_sparse(const void *own, const tree *t, int node, int row, int i)
{
    return goes_left_by_value(own, true, t, node, row, i);
}

static inline bool left_of_dense(const void *own, const tree *t, int node, int row, int i)
{
    return goes_left_by_value(own, false, t, node, row, i);
}

/* Two descents, so that none tests the layout at every step. */
void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes)
{
    values own = {data, replaced, column};
    if (data->column_start) {
        descend_by(t, left_of_sparse, &own, rows, n_rows, nodes);
    } else {
        descend_by(t, left_of_dense, &own, rows, n_rows, nodes);
    }
}
