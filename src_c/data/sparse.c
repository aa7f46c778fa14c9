/* Columns of which few values are not 0. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/sparse.h"

/* Values up to which their insertion is faster than a radix sort. */
enum { MAX_INSERTED = 48 };
/* Stands for the rows that hold 0. */
enum { ZEROS = -1 };

void sparse_column(const rrf_data *data, int feature, double *column)
{
    memset(column, 0, (size_t)data->n * sizeof *column);
    for (int64_t at = data->column_start[feature]; at < data->column_start[feature + 1]; ++at) {
        column[data->row_index[at]] = data->x[at];
    }
}

/* Lists what is not 0, missing values as infinite ones, which come last; and one item for all zeros, if there is one. */
static rrf_status list_values(const rrf_ranks *ranks, const rrf_data *data, int feature, radix_row *items, int *n_items,
                              bool *any_missing)
{
    bool missing = false, infinite = false;
    int n = 0;
    for (int64_t at = data->column_start[feature]; at < data->column_start[feature + 1]; ++at) {
        double value = data->x[at];
        missing = missing || isnan(value);
        infinite = infinite || isinf(value);
        if (value != 0.0) {
            items[n++] = (radix_row){ordered_bits(isnan(value) ? INFINITY : value), data->row_index[at]};
        }
    }
    if (n < ranks->n) {
        items[n++] = (radix_row){ordered_bits(0.0), ZEROS};
    }
    *n_items = n;
    *any_missing = missing;
    return infinite || (missing && !ranks->kind.may_miss) ? RRF_ERR_ARGUMENT : RRF_OK;
}

static const radix_row *sort_values(radix_row *items, radix_row *spare, int n)
{
    if (n > MAX_INSERTED) {
        return radix_sort_rows(items, spare, n);
    }
    for (int i = 1; i < n; ++i) {
        radix_row item = items[i];
        int at = i;
        for (; at > 0 && items[at - 1].bits > item.bits; --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
    return items;
}

static void fill_ranks(rrf_ranks *ranks, int feature, int rank)
{
    for (int row = 0; row < ranks->n; ++row) {
        set_rank(ranks, feature, row, rank);
    }
}

rrf_status sparse_rank(rrf_ranks *ranks, const rrf_data *data, int feature, radix_row *items, radix_row *spare)
{
    int n, rank = 0;
    bool missing;
    rrf_status status = list_values(ranks, data, feature, items, &n, &missing);
    if (status) {
        return status;
    }
    const radix_row *sorted = sort_values(items, spare, n);
    /* The zeros are written first: they take all rows. */
    for (int at = 0; at < n; ++at) {
        rank += at > 0 && sorted[at].bits != sorted[at - 1].bits;
        if (sorted[at].row == ZEROS) {
            fill_ranks(ranks, feature, rank);
        }
    }
    ranks->n_ranks[feature] = rank + 1;
    ranks->n_present[feature] = rank + 1 - missing;
    ranks->has_ties[feature] = rank + 1 < ranks->n;
    rank = 0;
    for (int at = 0; at < n; ++at) {
        rank += at > 0 && sorted[at].bits != sorted[at - 1].bits;
        if (sorted[at].row != ZEROS) {
            set_rank(ranks, feature, (int)sorted[at].row, rank);
        }
    }
    return RRF_OK;
}
