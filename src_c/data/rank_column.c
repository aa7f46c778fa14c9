/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/rank_column.h"
#include "data/simd.h"
#include "data/sort_column.h"
#include "data/sort_like_r.h"
#include "data/sparse.h"

rrf_status rank_scratch_init(rank_scratch *scratch, size_t n, arena *memory)
{
    TAKE(memory, scratch->items, n);
    TAKE(memory, scratch->spare, n);
    TAKE(memory, scratch->column, n);
    TAKE(memory, scratch->values, n);
    TAKE(memory, scratch->index, n);
    return arena_status(memory);
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

/* Short columns, and long ones of which too many values begin with the same bits. */
static const uint64_t *sort_whole_values(const double *x, int n, rank_scratch *scratch)
{
    for (int row = 0; row < n; ++row) {
        scratch->items[row] = (ranked){ordered_bits(x[row]), row};
    }
    ranked *sorted = n < MIN_RADIX ? merge_sort(scratch->items, scratch->spare, n)
                                   : radix_sort_rows(scratch->items, scratch->spare, n);
    /* A place is half as long as what it is made from, and so may be written over it. */
    uint64_t *places = (uint64_t *)sorted, before = ~sorted[0].bits;
    for (int at = 0; at < n; ++at) {
        ranked item = sorted[at];
        places[at] = (uint64_t)item.row | (item.bits != before ? NEW_VALUE : 0);
        before = item.bits;
    }
    return places;
}

static const uint64_t *sort_values(const double *x, int n, rank_scratch *scratch)
{
    bool is_long = n >= MIN_RADIX;
    uint64_t *places = is_long ? sort_column(x, n, (uint64_t *)scratch->items, (uint64_t *)scratch->spare) : NULL;
    return places ? places : sort_whole_values(x, n, scratch);
}

/* Ranks by sorting: dense ones or, with ties by row, all different. */
static void rank_by_sort(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n, distinct = 0, rank = -1;
    const uint64_t *places = sort_values(x, n, scratch);
    for (int at = 0; at < n; ++at) {
        distinct += places[at] >= NEW_VALUE;
    }
    bool all_differ = ranks->kind.ties == TIES_BY_ROW && !merges(ranks, distinct);
    for (int at = 0; at < n; ++at) {
        rank += all_differ || places[at] >= NEW_VALUE;
        set_rank(ranks, feature, (int)(places[at] & SORTED_ROW), rank);
    }
    ranks->n_ranks[feature] = rank + 1;
    ranks->has_ties[feature] = distinct < n;
}

/* Whether values with the same count of smaller prefixes are equal. */
static bool prefixes_suffice(const double *x, int n, const int32_t *count)
{
    double first[MAX_COUNTING];
    bool suffice = true;
    for (int row = 0; row < n; ++row) {
        first[count[row]] = x[row];
    }
    for (int row = 0; row < n; ++row) {
        suffice = suffice && first[count[row]] == x[row];
    }
    return suffice;
}

static int sum_of(const int32_t *count, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += count[i];
    }
    return sum;
}

/* In a short column a rank is the number of smaller values. All comparisons are made, without a branch: of the first halves
 * of the values, which are shorter, and only where these do not separate different values, of the values themselves. */
static void rank_by_counting(rrf_ranks *ranks, int feature, const double *x)
{
    int32_t prefix[MAX_COUNTING + SIMD_BLOCK] = {0}, count[MAX_COUNTING + SIMD_BLOCK];
    int n = ranks->n, all_pairs = n * (n - 1) / 2;
    for (int row = 0; row < n; ++row) {
        prefix[row] = (int32_t)((uint32_t)(ordered_bits(x[row]) >> 32) ^ UINT32_C(1) << 31);
    }
    simd_best()->count_smaller_ranks(prefix, n, count);
    if (sum_of(count, n) < all_pairs && !prefixes_suffice(x, n, count)) {
        simd_best()->count_smaller(x, n, count);
    }
    uint16_t *rank = (uint16_t *)ranks->rank + (size_t)feature * (size_t)n;
    for (int row = 0; row < n; ++row) {
        rank[row] = (uint16_t)count[row];
    }
    ranks->n_ranks[feature] = n;
    ranks->has_ties[feature] = sum_of(count, n) < all_pairs;
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
        rank_by_counting(ranks, feature, x);
    }
    bool ties_by_row = ranks->kind.ties == TIES_BY_ROW && ranks->has_ties[feature];
    if (ranks->n > MAX_COUNTING || ties_by_row) {
        rank_by_sort(ranks, feature, x, scratch);
    }
    if (ranks->has_ties[feature] && ranks->kind.ties == TIES_LIKE_R) {
        rank_like_r(ranks, feature, x, scratch);
    }
}

#define COPY_COLUMN(from)                                                                                              \
    for (int row = 0; row < n; ++row) {                                                                                \
        column[row] = (from)[row * step];                                                                              \
    }

static void write_column(const rrf_data *data, int feature, double *column)
{
    int n = data->n;
    bool plain = data->row_step == 0 && data->feature_step == 0;
    ptrdiff_t step = plain ? 1 : data->row_step, start = feature * (plain ? (ptrdiff_t)n : data->feature_step);
    if (data->column_start) {
        sparse_column(data, feature, column);
    } else if (data->x32) {
        COPY_COLUMN(data->x32 + start)
    } else if (step == 1) {
        memcpy(column, data->x + start, (size_t)n * sizeof *column);
    } else {
        COPY_COLUMN(data->x + start)
    }
}

/* How many values are infinite or missing: they have all bits of the exponent. Without a branch, for most columns have none. */
static int count_endless(const double *column, int n)
{
    uint64_t endless = 0;
    for (int row = 0; row < n; ++row) {
        uint64_t bits;
        memcpy(&bits, column + row, sizeof bits);
        endless += ((bits >> 52 & 0x7ff) + 1) >> 11;
    }
    return (int)endless;
}

/* Copies a column in another layout than R's; missing values become infinite, which no other value is, and so come last.
 * Sets how many they are. */
static rrf_status read_column(const rrf_ranks *ranks, const rrf_data *data, int feature, double *column, int *missing)
{
    write_column(data, feature, column);
    int endless = count_endless(column, ranks->n), n_missing = 0;
    for (int row = 0; endless && row < ranks->n; ++row) {
        n_missing += isnan(column[row]) != 0;
        column[row] = isnan(column[row]) ? INFINITY : column[row];
    }
    *missing = n_missing;
    return endless > n_missing || (n_missing && !ranks->kind.may_miss) ? RRF_ERR_ARGUMENT : RRF_OK;
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
