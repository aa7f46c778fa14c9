/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/rank_column.h"
#include "data/simd.h"
#include "data/sort_like_r.h"
#include "data/sparse.h"

rrf_status rank_scratch_init(rank_scratch *scratch, size_t n)
{
    *scratch = (rank_scratch){malloc(n * sizeof(ranked)), malloc(n * sizeof(ranked)), malloc(n * sizeof(double)),
                              malloc(n * sizeof(double)), malloc(n * sizeof(int32_t))};
    bool ready = scratch->items && scratch->spare && scratch->column && scratch->values && scratch->index;
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

void rank_scratch_free(rank_scratch *scratch)
{
    free(scratch->items);
    free(scratch->spare);
    free(scratch->column);
    free(scratch->values);
    free(scratch->index);
}

/* Rows up to which counting beats sorting, rows from which a radix sort beats merging, and the runs that are merged. */
enum { MAX_COUNTING = 128, MIN_RADIX = 512, RUN = 8 };

/* Sums by value are worth their memory up to this many values. */
enum { MAX_MERGED_VALUES = 1 << 16 };

static void sort_runs(ranked *items, int n)
{
    for (int start = 0; start < n; start += RUN) {
        int end = start + RUN < n ? start + RUN : n;
        for (int i = start + 1; i < end; ++i) {
            ranked item = items[i];
            int j = i;
            for (; j > start && items[j - 1].bits > item.bits; --j) {
                items[j] = items[j - 1];
            }
            items[j] = item;
        }
    }
}

static void merge_pair(const ranked *a, const ranked *a_end, const ranked *b, const ranked *b_end, ranked *out)
{
    while (a < a_end && b < b_end) {
        bool take_b = b->bits < a->bits;
        *out++ = take_b ? *b : *a;
        b += take_b;
        a += !take_b;
    }
    memcpy(out, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(out + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

/* Stable. Returns which of the two buffers holds the result. */
static ranked *merge_sort(ranked *items, ranked *scratch, int n)
{
    sort_runs(items, n);
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t middle = start + width < n ? start + width : n;
            int64_t end = middle + width < n ? middle + width : n;
            merge_pair(items + start, items + middle, items + middle, items + end, scratch + start);
        }
        ranked *swap = items;
        items = scratch;
        scratch = swap;
    }
    return items;
}

/* Ranks in the order that R's sort leaves among equal values. */
static void rank_like_r(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    for (int row = 0; row < ranks->n; ++row) {
        scratch->values[row] = x[row];
        scratch->index[row] = row;
    }
    sort_like_r(scratch->values, scratch->index, ranks->n);
    for (int at = 0; at < ranks->n; ++at) {
        set_rank(ranks, feature, scratch->index[at], at);
    }
    ranks->n_ranks[feature] = ranks->n;
}

/* R's regression adds up the cases of each value before anything else, where values are few. */
static bool merges(const rrf_ranks *ranks, int distinct)
{
    return ranks->kind.ties == TIES_MERGED ||
           (ranks->kind.values && distinct <= ranks->n / 2 && distinct <= MAX_MERGED_VALUES);
}

/* Ranks by sorting: dense ones or, with ties by row, all different. */
static void rank_by_sort(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n, distinct = 1, rank = 0;
    for (int row = 0; row < n; ++row) {
        scratch->items[row] = (ranked){ordered_bits(x[row]), row};
    }
    const ranked *sorted = n < MIN_RADIX ? merge_sort(scratch->items, scratch->spare, n)
                                         : radix_sort_rows(scratch->items, scratch->spare, n);
    for (int at = 1; at < n; ++at) {
        distinct += sorted[at].bits != sorted[at - 1].bits;
    }
    bool all_differ = ranks->kind.ties == TIES_BY_ROW && !merges(ranks, distinct);
    for (int at = 0; at < n; ++at) {
        rank += at > 0 && (all_differ || sorted[at].bits != sorted[at - 1].bits);
        set_rank(ranks, feature, (int)sorted[at].row, rank);
    }
    ranks->n_ranks[feature] = rank + 1;
    ranks->has_ties[feature] = distinct < n;
}

/* In a short column a rank is the number of smaller values. All comparisons are made, without a branch. */
static void rank_by_counting(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n;
    int64_t smaller_pairs = 0;
    simd_best()->count_smaller(x, n, scratch->index);
    for (int row = 0; row < n; ++row) {
        set_rank(ranks, feature, row, scratch->index[row]);
        smaller_pairs += scratch->index[row];
    }
    ranks->n_ranks[feature] = n;
    ranks->has_ties[feature] = smaller_pairs < (int64_t)n * (n - 1) / 2;
}

/* Whole numbers that lie close together are ranked by a table of them. */
enum { MAX_TABLE = 1024 };

/* Finds the lowest of the column's numbers, missing ones aside; false if they are not whole or too far apart. */
static bool spans_table(const double *x, int n, int *lowest)
{
    int low = INT32_MAX, high = INT32_MIN;
    for (int row = 0; row < n; ++row) {
        bool small = fabs(x[row]) < 1.0e9;
        int value = small ? (int)x[row] : 0;
        if (!small ? x[row] != INFINITY : (double)value != x[row]) {
            return false;
        }
        low = small && value < low ? value : low;
        high = small && value > high ? value : high;
        if (high - (int64_t)low >= MAX_TABLE) {
            return false;
        }
    }
    *lowest = low;
    return true;
}

/* Dense ranks; false if the column does not fit a table, whose last place is that of missing values. */
static bool rank_by_table(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int rank[MAX_TABLE + 1] = {0}, low, distinct = 0;
    if (!spans_table(x, ranks->n, &low)) {
        return false;
    }
    for (int row = 0; row < ranks->n; ++row) {
        scratch->index[row] = x[row] == INFINITY ? MAX_TABLE : (int)x[row] - low;
        rank[scratch->index[row]] = 1;
    }
    for (int at = 0; at <= MAX_TABLE; ++at) {
        int present = rank[at];
        rank[at] = distinct;
        distinct += present;
    }
    for (int row = 0; row < ranks->n; ++row) {
        set_rank(ranks, feature, row, rank[scratch->index[row]]);
    }
    ranks->n_ranks[feature] = distinct;
    ranks->has_ties[feature] = distinct < ranks->n;
    return true;
}

static void rank_values(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    if (ranks->n > MAX_COUNTING && ranks->kind.ties == TIES_MERGED && rank_by_table(ranks, feature, x, scratch)) {
        return;
    }
    if (ranks->n <= MAX_COUNTING) {
        rank_by_counting(ranks, feature, x, scratch);
    }
    bool ties_by_row = ranks->kind.ties == TIES_BY_ROW && ranks->has_ties[feature];
    if (ranks->n > MAX_COUNTING || ties_by_row) {
        rank_by_sort(ranks, feature, x, scratch);
    }
    if (ranks->has_ties[feature] && ranks->kind.ties == TIES_LIKE_R) {
        rank_like_r(ranks, feature, x, scratch);
    }
}

static void write_column(const rrf_data *data, int feature, double *column)
{
    if (data->column_start) {
        sparse_column(data, feature, column);
        return;
    }
    for (int row = 0; row < data->n; ++row) {
        column[row] = data_value(data, feature, row);
    }
}

/* Copies a column in another layout than R's; missing values become infinite, which no other value is, and so come last.
 * Sets how many they are. */
static rrf_status read_column(const rrf_ranks *ranks, const rrf_data *data, int feature, double *column, int *missing)
{
    int infinite = 0, n_missing = 0;
    write_column(data, feature, column);
    for (int row = 0; row < data->n; ++row) {
        double value = column[row];
        n_missing += isnan(value) != 0;
        infinite += isinf(value) != 0;
        column[row] = isnan(value) ? INFINITY : value;
    }
    *missing = n_missing;
    return infinite || (n_missing && !ranks->kind.may_miss) ? RRF_ERR_ARGUMENT : RRF_OK;
}

/* Missing values get the last ranks: one rank if equal values share one, otherwise one each. */
static rrf_status rank_column(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch)
{
    int missing;
    if (data->column_start && ranks->kind.ties == TIES_MERGED && ranks->n > MAX_COUNTING) {
        return sparse_rank(ranks, data, feature, scratch->items, scratch->spare);
    }
    rrf_status status = read_column(ranks, data, feature, scratch->column, &missing);
    if (!status) {
        rank_values(ranks, feature, scratch->column, scratch);
        int of_missing = ranks->kind.ties == TIES_MERGED && ranks->n > MAX_COUNTING ? missing > 0 : missing;
        ranks->n_present[feature] = ranks->n_ranks[feature] - of_missing;
    }
    return status;
}

static void rank_levels(rrf_ranks *ranks, const rrf_data *data, int feature)
{
    for (int row = 0; row < ranks->n; ++row) {
        set_rank(ranks, feature, row, (int)data_value(data, feature, row) - 1);
    }
    ranks->n_ranks[feature] = ranks->n_present[feature] = data->ncat[feature];
}

rrf_status rank_feature(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch)
{
    if (data->ncat[feature] == 1) {
        return rank_column(ranks, data, feature, scratch);
    }
    rank_levels(ranks, data, feature);
    return RRF_OK;
}
