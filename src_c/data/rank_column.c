/* Ranks every numeric feature once, so that a node can order its rows without reading values again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/rank_column.h"
#include "data/sort_column.h"
#include "data/sort_like_r.h"
#include "data/sparse.h"
#include "filters.h"

rrf_status rank_scratch_begin(rank_scratch *scratch, const rrf_data *data, rrf_ranks *ranks, int last)
{
    arena *memory = &scratch->memory;
    double *copy = scratch->reader.copy;
    scratch->reader = (column_reader){.data = data, .ranks = ranks, .last = last, .copy = copy, .memory = memory};
    if (!scratch->items) {
        TAKE_LARGE(memory, scratch->items, data->n);
        TAKE_LARGE(memory, scratch->spare, data->n);
    }
    return arena_status(memory);
}

void rank_scratch_free(rank_scratch *scratch)
{
    arena_free(&scratch->memory);
}

/* Largest number of values for which sums by value are stored. */
enum { MAX_MERGED_VALUES = 1 << 16 };

/* Writes ranks in the order of R's sort among equal values; no value is missing. */
static void rank_like_r(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    double *values = (double *)(void *)scratch->items;
    int32_t *index = (int32_t *)(void *)scratch->spare;
    for (int row = 0; row < ranks->n; ++row) {
        values[row] = x[row];
        index[row] = row;
    }
    sort_like_r(values, index, ranks->n);
    for (int at = 0; at < ranks->n; ++at) {
        set_rank(ranks, feature, index[at], at);
    }
    ranks->n_ranks[feature] = ranks->n_present[feature] = ranks->n;
}

/* ---- by sorting -------------------------------------------------------------------------------------------------------- */

/* Returns whether each row has its own rank. R's regression first adds up the cases of each value if there are few
 * values. */
static bool rows_differ(const rrf_ranks *ranks, const sorted_column *sorted)
{
    int distinct = 0;
    if (ranks->kind.ties == TIES_MERGED || !ranks->kind.values) {
        return ranks->kind.ties == TIES_BY_ROW;
    }
    for (int at = 0; at < sorted->n_present; ++at) {
        fetch_value(sorted, at);
        distinct += is_new_value(sorted, at);
    }
    return distinct > ranks->n / 2 || distinct > MAX_MERGED_VALUES;
}

/* The rank of a value is its first position in the order. Returns the last position. */
static int rank_by_place(rrf_ranks *ranks, int feature, const sorted_column *sorted)
{
    int first = 0;
    for (int at = 0; at < sorted->n_present; ++at) {
        first = is_new_value(sorted, at) ? at : first;
        set_rank(ranks, feature, sorted_row(sorted, at), first);
    }
    return sorted->n_present - 1;
}

/* Ranks by sorting. With ties by row, all ranks differ. Otherwise equal values share a rank: the number of smaller
 * values in a short column, dense ranks in others. Missing values are equal, and come last. */
static rrf_status rank_by_sort(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n, distinct = 0, rank = -1;
    sorted_column sorted = sort_column(x, n, scratch->items, scratch->spare);
    if (sorted.infinite || (sorted.n_missing && !ranks->kind.may_miss)) {
        return RRF_ERR_ARGUMENT;
    }
    bool all_differ = rows_differ(ranks, &sorted);
    for (int at = 0; at < sorted.n_present; ++at) {
        fetch_value(&sorted, at);
        bool is_new = is_new_value(&sorted, at);
        distinct += is_new;
        rank += all_differ || is_new;
        set_rank(ranks, feature, sorted_row(&sorted, at), rank);
    }
    if (n <= SHORT_COLUMN && ranks->kind.ties == TIES_MERGED) {
        rank = rank_by_place(ranks, feature, &sorted);
    }
    ranks->n_present[feature] = rank + 1;
    for (int at = sorted.n_present; at < n; ++at) {
        rank += all_differ || at == sorted.n_present;
        set_rank(ranks, feature, (int)sorted.words[at], rank);
    }
    ranks->n_ranks[feature] = n <= SHORT_COLUMN && ranks->kind.ties == TIES_MERGED ? n : rank + 1;
    ranks->has_ties[feature] = distinct + (sorted.n_missing > 0) < n;
    return RRF_OK;
}

/* ---- whole numbers ----------------------------------------------------------------------------------------------------- */

/* Finds the lowest number of a column without missing values, and the size of the range to the highest; false if a
 * number is not whole, or the size is `most` or more. */
static bool spans_table(const double *x, int n, int most, int *lowest, int *span)
{
    int low = INT32_MAX, high = INT32_MIN;
    for (int row = 0; row < n; ++row) {
        bool small = fabs(x[row]) < 1.0e9;
        int value = small ? (int)x[row] : 0;
        if (!small ? !isnan(x[row]) : (double)value != x[row]) {
            return false;
        }
        low = small && value < low ? value : low;
        high = small && value > high ? value : high;
        if (high - (int64_t)low >= most - 1) {
            return false;
        }
    }
    *lowest = low;
    *span = high < low ? 0 : high - low + 1;
    return true;
}

/* Converts marks of the numbers that occur to their ranks. Returns the number of ranks. */
static int rank_marked(int32_t *mark, int span)
{
    int distinct = 0;
    for (int at = 0; at < span; ++at) {
        int present = mark[at];
        mark[at] = distinct;
        distinct += present;
    }
    return distinct;
}

/* Ranks whole numbers of a small range by a table, whose last entry is for missing values. Dense ranks; false if the
 * column does not fit a table. */
static bool rank_by_table(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n, low, span;
    int32_t *place = (int32_t *)(void *)scratch->items, *rank = place + n;
    if (!spans_table(x, n, n, &low, &span)) {
        return false;
    }
    memset(rank, 0, ((size_t)span + 1) * sizeof *rank);
    for (int row = 0; row < n; ++row) {
        place[row] = isnan(x[row]) ? span : (int)x[row] - low;
        rank[place[row]] = 1;
    }
    bool missing = rank[span] != 0;
    rank[span] = ranks->n_present[feature] = rank_marked(rank, span);
    for (int row = 0; row < n; ++row) {
        set_rank(ranks, feature, row, rank[place[row]]);
    }
    ranks->n_ranks[feature] = rank[span] + missing;
    ranks->has_ties[feature] = ranks->n_ranks[feature] < n;
    return true;
}

/* ---- a feature --------------------------------------------------------------------------------------------------------- */

static rrf_status rank_values(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    rrf_status status = RRF_OK;
    if (ranks->n <= SHORT_COLUMN) {
        return ASK(rank_short, false, ranks, feature, x, &status) ? status : rank_by_sort(ranks, feature, x, scratch);
    }
    if (ranks->kind.ties == TIES_MERGED && rank_by_table(ranks, feature, x, scratch)) {
        return ranks_have_missing(ranks, feature) && !ranks->kind.may_miss ? RRF_ERR_ARGUMENT : RRF_OK;
    }
    return rank_by_sort(ranks, feature, x, scratch);
}

static rrf_status rank_column(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    rrf_status status = rank_values(ranks, feature, x, scratch);
    if (!status && ranks->has_ties[feature] && ranks->kind.ties == TIES_LIKE_R) {
        rank_like_r(ranks, feature, x, scratch);
    }
    return status;
}

static void rank_levels(rrf_ranks *ranks, int feature, const double *x)
{
    for (int row = 0; row < ranks->n; ++row) {
        set_rank(ranks, feature, row, (int)x[row] - 1);
    }
    ranks->n_ranks[feature] = ranks->n_present[feature] = ranks->ncat[feature];
}

rrf_status rank_feature(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch)
{
    bool is_number = data->ncat[feature] == 1;
    if (data->column_start && is_number && ranks->kind.ties == TIES_MERGED && ranks->n > SHORT_COLUMN) {
        return sparse_rank(ranks, data, feature, scratch->items, scratch->spare);
    }
    /* Values are read again only for R's order and for the last bits of numbers. */
    bool once = floats_are_whole(ranks->n) && ranks->kind.ties != TIES_LIKE_R;
    const double *x = read_column(&scratch->reader, feature, once ? (double *)(void *)scratch->spare : NULL);
    if (!x) {
        return RRF_ERR_MEMORY;
    }
    if (is_number) {
        return rank_column(ranks, feature, x, scratch);
    }
    rank_levels(ranks, feature, x);
    return RRF_OK;
}
