/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/few_values.h"
#include "data/radix.h"
#include "data/ranks.h"
#include "data/simd.h"
#include "data/sparse.h"
#include "data/sort_like_r.h"
#include "monitor.h"

/* bits: ordered_bits() of the value. */
typedef radix_row ranked;

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

typedef struct rank_scratch {
    ranked *items, *spare;
    double *column, *values;
    int32_t *index;
} rank_scratch;

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

rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor)
{
    rrf_status status = ranks_make_range(ranks, data, 0, ranks->p, monitor);
    return status ? status : ranks_finish(ranks);
}

static void forget_sorted_rows(rrf_ranks *ranks, int feature)
{
    free(atomic_load_explicit(ranks->order + feature, memory_order_relaxed));
    atomic_init(ranks->order + feature, NULL);
}

/* Where equal values have ranks of their own, regression has to know which values are equal. value: scratch. */
static rrf_status keep_first_equal(rrf_ranks *ranks, const rrf_data *data, int feature, double *value)
{
    if (!ranks->first_equal) {
        return RRF_OK;
    }
    free(ranks->first_equal[feature]);
    ranks->first_equal[feature] = NULL;
    if (!ranks->has_ties[feature] || ranks->n_ranks[feature] < ranks->n) {
        return RRF_OK;
    }
    uint32_t *first = ranks->first_equal[feature] = malloc((size_t)ranks->n * sizeof *first);
    for (int row = 0; row < ranks->n; ++row) {
        value[rank_of(ranks, feature, row)] = data_value(data, feature, row);
    }
    for (int rank = 0; first && rank < ranks->n; ++rank) {
        first[rank] = rank > 0 && value[rank] == value[rank - 1] ? first[rank - 1] : (uint32_t)rank;
    }
    return first ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status rank_scratch_init(rank_scratch *scratch, size_t n)
{
    *scratch = (rank_scratch){malloc(n * sizeof(ranked)), malloc(n * sizeof(ranked)), malloc(n * sizeof(double)),
                              malloc(n * sizeof(double)), malloc(n * sizeof(int32_t))};
    bool ready = scratch->items && scratch->spare && scratch->column && scratch->values && scratch->index;
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

static void rank_scratch_free(rank_scratch *scratch)
{
    free(scratch->items);
    free(scratch->spare);
    free(scratch->column);
    free(scratch->values);
    free(scratch->index);
}

rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, const rrf_monitor *monitor)
{
    watch watch = {.monitor = monitor};
    rank_scratch scratch;
    rrf_status status = rank_scratch_init(&scratch, (size_t)ranks->n);
    for (int feature = first; !status && feature < last; ++feature) {
        forget_sorted_rows(ranks, feature);
        if (data->ncat[feature] == 1) {
            status = rank_column(ranks, data, feature, &scratch);
        } else {
            rank_levels(ranks, data, feature);
        }
        status = status ? status : keep_first_equal(ranks, data, feature, scratch.values);
        status = status ? status : few_values_pack(ranks, feature);
        status = status ? status : watch_work(&watch, ranks->n);
    }
    rank_scratch_free(&scratch);
    return status;
}

/* With this many rows, ranks are also stored row by row: the rows of a small node are far apart, and each feature would
 * fetch other lines of memory. */
enum { MIN_BY_ROW = 2048 };

#define COPY_RANKS(type)                                                                                               \
    for (size_t row = 0; row < n; ++row) {                                                                             \
        for (size_t feature = 0; feature < p; ++feature) {                                                             \
            ((type *)ranks->by_row)[row * p + feature] = ((const type *)ranks->rank)[feature * n + row];               \
        }                                                                                                              \
    }

rrf_status ranks_finish(rrf_ranks *ranks)
{
    size_t n = (size_t)ranks->n, p = (size_t)ranks->p;
    if (!ranks->kind.values || n < MIN_BY_ROW) {
        return RRF_OK;
    }
    if (!ranks->by_row) {
        ranks->by_row = malloc(n * p * rank_width(ranks));
    }
    if (!ranks->by_row) {
        return RRF_ERR_MEMORY;
    }
    if (ranks->wide) {
        COPY_RANKS(uint32_t)
    } else {
        COPY_RANKS(uint16_t)
    }
    return RRF_OK;
}

/* ---- the object ------------------------------------------------------------------------------------------------------ */

static rrf_status alloc_columns(rrf_ranks *ranks, int n, int p, ranks_kind kind)
{
    size_t columns = (size_t)p;
    *ranks = (rrf_ranks){.n = n, .p = p, .kind = kind, .wide = n > 65536 /* RRF_MAX_WIDE fits, too */};
    ranks->rank = malloc(columns * (size_t)n * rank_width(ranks));
    ranks->ncat = malloc(columns * sizeof *ranks->ncat);
    ranks->n_ranks = calloc(columns, sizeof *ranks->n_ranks);
    ranks->n_present = calloc(columns, sizeof *ranks->n_present);
    ranks->has_ties = calloc(columns, sizeof *ranks->has_ties);
    ranks->order = calloc(columns, sizeof *ranks->order);
    ranks->first_equal = kind.values ? calloc(columns, sizeof *ranks->first_equal) : NULL;
    bool ready = ranks->rank && ranks->ncat && ranks->n_ranks && ranks->n_present && ranks->has_ties && ranks->order;
    ranks->packed = kind.few ? calloc(columns, sizeof *ranks->packed) : NULL;
    ready = ready && (ranks->packed || !kind.few);
    return ready && (ranks->first_equal || !kind.values) ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status ranks_alloc(rrf_ranks *ranks, const rrf_data *data, ranks_kind kind)
{
    rrf_status status = alloc_columns(ranks, data->n, data->p, kind);
    if (!status) {
        memcpy(ranks->ncat, data->ncat, (size_t)data->p * sizeof *ranks->ncat);
    }
    return status;
}

void ranks_clear(rrf_ranks *ranks)
{
    for (int feature = 0; ranks->order && feature < ranks->p; ++feature) {
        free(atomic_load_explicit(ranks->order + feature, memory_order_relaxed));
    }
    for (int feature = 0; ranks->first_equal && feature < ranks->p; ++feature) {
        free(ranks->first_equal[feature]);
    }
    few_values_free(ranks);
    free(ranks->rank);
    free(ranks->ncat);
    free(ranks->n_ranks);
    free(ranks->n_present);
    free(ranks->has_ties);
    free(ranks->order);
    free(ranks->first_equal);
    free(ranks->by_row);
    *ranks = (rrf_ranks){0};
}

void rrf_ranks_free(rrf_ranks *ranks)
{
    if (ranks) {
        ranks_clear(ranks);
        free(ranks);
    }
}

static rrf_status copy_column(const rrf_ranks *from, int feature, rrf_ranks *to, int at)
{
    size_t bytes = (size_t)from->n * rank_width(from), n = (size_t)from->n;
    memcpy((char *)to->rank + (size_t)at * bytes, (const char *)from->rank + (size_t)feature * bytes, bytes);
    to->ncat[at] = from->ncat[feature];
    to->n_ranks[at] = from->n_ranks[feature];
    to->n_present[at] = from->n_present[feature];
    to->has_ties[at] = from->has_ties[feature];
    if (!from->first_equal || !from->first_equal[feature]) {
        return few_values_pack(to, at);
    }
    to->first_equal[at] = malloc(n * sizeof *to->first_equal[at]);
    if (to->first_equal[at]) {
        memcpy(to->first_equal[at], from->first_equal[feature], n * sizeof *to->first_equal[at]);
    }
    return to->first_equal[at] ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status rrf_ranks_select(const rrf_ranks *ranks, const int32_t *features, int n_features, rrf_ranks **selected)
{
    *selected = NULL;
    for (int i = 0; i < n_features; ++i) {
        if (features[i] < 0 || features[i] >= ranks->p) {
            return RRF_ERR_ARGUMENT;
        }
    }
    rrf_ranks *own = n_features > 0 ? malloc(sizeof *own) : NULL;
    if (!own) {
        return n_features > 0 ? RRF_ERR_MEMORY : RRF_ERR_ARGUMENT;
    }
    rrf_status status = alloc_columns(own, ranks->n, n_features, ranks->kind);
    for (int i = 0; !status && i < n_features; ++i) {
        status = copy_column(ranks, features[i], own, i);
    }
    status = status ? status : ranks_finish(own);
    if (status) {
        rrf_ranks_free(own);
        return status;
    }
    *selected = own;
    return RRF_OK;
}

/* ---- sorted rows ----------------------------------------------------------------------------------------------------- */

/* next: n_ranks + 1 zeros. */
static void sort_rows_by_key(const rrf_ranks *ranks, int feature, int32_t *next, int32_t *order)
{
    for (int row = 0; row < ranks->n; ++row) {
        ++next[rank_of(ranks, feature, row) + 1];
    }
    for (int rank = 0; rank < ranks->n_ranks[feature]; ++rank) {
        next[rank + 1] += next[rank];
    }
    for (int row = 0; row < ranks->n; ++row) {
        order[next[rank_of(ranks, feature, row)]++] = row;
    }
}

/* Two threads may make the same rows at the same time; all then use those of the first to finish. */
static const int32_t *publish(const rrf_ranks *ranks, int feature, int32_t *order)
{
    int32_t *shown = NULL;
    if (atomic_compare_exchange_strong(ranks->order + feature, &shown, order)) {
        return order;
    }
    free(order);
    return shown;
}

const int32_t *ranks_sorted_rows(const rrf_ranks *ranks, int feature)
{
    const int32_t *shown = atomic_load_explicit(ranks->order + feature, memory_order_acquire);
    if (shown) {
        return shown;
    }
    int32_t *order = malloc((size_t)ranks->n * sizeof *order);
    int32_t *next = calloc((size_t)ranks->n_ranks[feature] + 1, sizeof *next);
    bool ready = order && next;
    if (ready) {
        sort_rows_by_key(ranks, feature, next, order);
    } else {
        free(order);
    }
    free(next);
    return ready ? publish(ranks, feature, order) : NULL;
}
