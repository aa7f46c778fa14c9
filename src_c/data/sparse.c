/* Sparse columns. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sort_column.h"
#include "data/sparse.h"

void sparse_column(const rrf_data *data, int feature, double *column)
{
    memset(column, 0, (size_t)data->n * sizeof *column);
    for (int64_t at = data->column_start[feature]; at < data->column_start[feature + 1]; ++at) {
        column[data->row_index[at]] = data->x[at];
    }
}

static void fill_ranks(rrf_ranks *ranks, int feature, int rank)
{
    for (int row = 0; row < ranks->n; ++row) {
        set_rank(ranks, feature, row, rank);
    }
}

/* Returns the number of distinct negative values. */
static int count_negative(const sorted_column *sorted)
{
    int n = 0;
    for (int at = 0; at < sorted->n_present && sorted->x[sorted_row(sorted, at)] < 0.0; ++at) {
        n += is_new_value(sorted, at);
    }
    return n;
}

/* Writes the ranks of stored values. any_zero: whether there are rows without a stored value; their zeros have a rank,
 * which stored zeros share. Returns the number of ranks of values. */
static int rank_stored(rrf_ranks *ranks, int feature, const sorted_column *sorted, const int32_t *row_of, bool any_zero)
{
    int next = 0;
    for (int at = 0; at < sorted->n_present; ++at) {
        int stored = sorted_row(sorted, at);
        double value = sorted->x[stored];
        bool passes_zero = any_zero && value >= 0.0;
        any_zero = any_zero && !passes_zero;
        next += passes_zero + (is_new_value(sorted, at) && !(passes_zero && value == 0.0));
        set_rank(ranks, feature, row_of[stored], next - 1);
    }
    next += any_zero;
    for (int at = sorted->n_present; at < sorted->n_present + sorted->n_missing; ++at) {
        set_rank(ranks, feature, row_of[sorted->words[at]], next);
    }
    return next;
}

rrf_status sparse_rank(rrf_ranks *ranks, const rrf_data *data, int feature, uint64_t *items, uint64_t *spare)
{
    int64_t start = data->column_start[feature];
    int n_stored = (int)(data->column_start[feature + 1] - start);
    sorted_column sorted = {0};
    if (n_stored) {
        sorted = sort_column(data->x + start, n_stored, items, spare);
    }
    if (sorted.infinite || (sorted.n_missing && !ranks->kind.may_miss)) {
        return RRF_ERR_ARGUMENT;
    }
    bool any_zero = n_stored < ranks->n;
    /* The rank of zero is written to all rows first. */
    if (any_zero) {
        fill_ranks(ranks, feature, count_negative(&sorted));
    }
    int n_present = rank_stored(ranks, feature, &sorted, data->row_index + start, any_zero);
    ranks->n_present[feature] = n_present;
    ranks->n_ranks[feature] = n_present + (sorted.n_missing > 0);
    ranks->has_ties[feature] = ranks->n_ranks[feature] < ranks->n;
    return RRF_OK;
}
