/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/rank_column.h"
#include "data/simd.h"
#include "data/sort_column.h"
#include "data/sort_like_r.h"
#include "data/sparse.h"

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

/* Rows up to which counting beats sorting. */
enum { MAX_COUNTING = 128 };

/* Sums by value are worth their memory up to this many values. */
enum { MAX_MERGED_VALUES = 1 << 16 };

/* Ranks in the order that R's sort leaves among equal values, none of which is missing. */
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

/* Whether each row has a rank of its own. R's regression adds up the cases of each value before anything else, where values
 * are few. */
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

/* Ranks by sorting: dense ones or, with ties by row, all different. Missing values are equal, and come last. */
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
    ranks->n_present[feature] = rank + 1;
    for (int at = sorted.n_present; at < n; ++at) {
        rank += all_differ || at == sorted.n_present;
        set_rank(ranks, feature, (int)sorted.words[at], rank);
    }
    ranks->n_ranks[feature] = rank + 1;
    ranks->has_ties[feature] = distinct + (sorted.n_missing > 0) < n;
    return RRF_OK;
}

/* ---- short columns ------------------------------------------------------------------------------------------------------ */

/* The first half of a value as a number of the same order, which is the same for both zeros. */
static inline int32_t prefix_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0.0 becomes 0.0 */
    memcpy(&bits, &value, sizeof bits);
    uint32_t first = (uint32_t)(bits >> 32);
    return (int32_t)(bits >> 63 ? ~first ^ UINT32_C(1) << 31 : first);
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

/* Copies the values of a short column; missing ones become infinite, which no other value is, and so come last. Returns how
 * many they are, or -1 where others are infinite, too. */
static int copy_short(const double *x, int n, double *copy)
{
    int n_missing = 0;
    bool infinite = false;
    for (int row = 0; row < n; ++row) {
        n_missing += isnan(x[row]) != 0;
        infinite = infinite || isinf(x[row]);
        copy[row] = isnan(x[row]) ? INFINITY : x[row];
    }
    return infinite ? -1 : n_missing;
}

/* In a short column a rank is the number of smaller values. All comparisons are made, without a branch: of the first halves
 * of the values, which are shorter, and only where these do not separate different values, of the values themselves. */
static rrf_status rank_by_counting(rrf_ranks *ranks, int feature, const double *values)
{
    double x[MAX_COUNTING];
    int32_t prefix[MAX_COUNTING + SIMD_BLOCK] = {0}, count[MAX_COUNTING + SIMD_BLOCK];
    int n = ranks->n, all_pairs = n * (n - 1) / 2, n_missing = copy_short(values, n, x);
    if (n_missing < 0 || (n_missing && !ranks->kind.may_miss)) {
        return RRF_ERR_ARGUMENT;
    }
    for (int row = 0; row < n; ++row) {
        prefix[row] = prefix_of(x[row]);
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
    ranks->n_present[feature] = n - n_missing;
    ranks->has_ties[feature] = sum_of(count, n) < all_pairs;
    return RRF_OK;
}

/* ---- whole numbers ----------------------------------------------------------------------------------------------------- */

/* Finds the lowest of the column's numbers, missing ones aside, and how many numbers there are from it to the highest; false
 * if they are not whole, or that is `most` or more. */
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

/* Turns marks of those numbers that there are into their ranks. Returns how many they are. */
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

/* Whole numbers that lie close together are ranked by a table of them, whose last place is that of missing values. Dense ranks;
 * false if the column does not fit a table. */
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

static rrf_status rank_long(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    if (ranks->kind.ties == TIES_MERGED && rank_by_table(ranks, feature, x, scratch)) {
        return ranks_have_missing(ranks, feature) && !ranks->kind.may_miss ? RRF_ERR_ARGUMENT : RRF_OK;
    }
    return rank_by_sort(ranks, feature, x, scratch);
}

static rrf_status rank_short(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    rrf_status status = rank_by_counting(ranks, feature, x);
    bool ties_by_row = ranks->kind.ties == TIES_BY_ROW && ranks->has_ties[feature];
    return status || !ties_by_row ? status : rank_by_sort(ranks, feature, x, scratch);
}

static rrf_status rank_column(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    rrf_status status = (ranks->n > MAX_COUNTING ? rank_long : rank_short)(ranks, feature, x, scratch);
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
    if (data->column_start && is_number && ranks->kind.ties == TIES_MERGED && ranks->n > MAX_COUNTING) {
        return sparse_rank(ranks, data, feature, scratch->items, scratch->spare);
    }
    /* Only R's order, and the last bits of numbers, take a second look at values. */
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
