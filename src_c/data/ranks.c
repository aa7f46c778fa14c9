/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/radix.h"
#include "data/ranks.h"
#include "data/simd.h"
#include "data/sort_like_r.h"
#include "monitor.h"

/* bits: the value, as an unsigned number of the same order. */
typedef radix_row ranked;

/* -0.0 + 0.0 is 0.0, so that the two zeros, which compare equal, get the same bits. */
static uint64_t ordered_bits(double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Rows up to which counting beats sorting, rows from which a radix sort beats merging, and the runs that are merged. */
enum { MAX_COUNTING = 128, MIN_RADIX = 512, RUN = 8 };

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

static void set_key(rrf_ranks *ranks, int feature, int row, int key)
{
    size_t at = (size_t)feature * ranks->n + row;
    if (ranks->wide) {
        ((uint32_t *)ranks->key)[at] = (uint32_t)key;
    } else {
        ((uint16_t *)ranks->key)[at] = (uint16_t)key;
    }
}

typedef struct rank_scratch {
    ranked *items, *spare;
    double *column, *values;
    int32_t *index;
} rank_scratch;

/* Keys in the order that R's sort leaves among equal values. */
static void key_like_r(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    for (int row = 0; row < ranks->n; ++row) {
        scratch->values[row] = x[row];
        scratch->index[row] = row;
    }
    sort_like_r(scratch->values, scratch->index, ranks->n);
    for (int at = 0; at < ranks->n; ++at) {
        set_key(ranks, feature, scratch->index[at], at);
    }
    ranks->n_ranks[feature] = ranks->n;
}

/* Ranks by sorting: dense ones or, with ties by row, all different. */
static void rank_by_sort(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n, distinct = 0;
    for (int row = 0; row < n; ++row) {
        scratch->items[row] = (ranked){ordered_bits(x[row]), row};
    }
    const ranked *sorted = n < MIN_RADIX ? merge_sort(scratch->items, scratch->spare, n)
                                         : radix_sort_rows(scratch->items, scratch->spare, n);
    for (int at = 0; at < n; ++at) {
        distinct += at == 0 || sorted[at].bits != sorted[at - 1].bits;
        set_key(ranks, feature, (int)sorted[at].row, ranks->ties == TIES_BY_ROW ? at : distinct - 1);
    }
    ranks->n_ranks[feature] = ranks->ties == TIES_BY_ROW ? n : distinct;
    ranks->has_ties[feature] = distinct < n;
}

/* In a short column a key is the number of smaller values: every comparison is made, and none has to be foreseen. */
static void rank_by_counting(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    int n = ranks->n;
    int64_t smaller_pairs = 0;
    simd_best()->count_smaller(x, n, scratch->index);
    for (int row = 0; row < n; ++row) {
        set_key(ranks, feature, row, scratch->index[row]);
        smaller_pairs += scratch->index[row];
    }
    ranks->n_ranks[feature] = n;
    ranks->has_ties[feature] = smaller_pairs < (int64_t)n * (n - 1) / 2;
}

static void rank_values(rrf_ranks *ranks, int feature, const double *x, rank_scratch *scratch)
{
    if (ranks->n <= MAX_COUNTING) {
        rank_by_counting(ranks, feature, x, scratch);
    }
    bool key_ties_by_row = ranks->ties == TIES_BY_ROW && ranks->has_ties[feature];
    if (ranks->n > MAX_COUNTING || key_ties_by_row) {
        rank_by_sort(ranks, feature, x, scratch);
    }
    if (ranks->has_ties[feature] && ranks->ties == TIES_LIKE_R) {
        key_like_r(ranks, feature, x, scratch);
    }
}

/* Copies a column in another layout than R's; missing values become infinite, which no other value is, and so come last.
 * Returns how many they are. */
static int read_column(const rrf_data *data, int feature, double *column)
{
    int missing = 0;
    for (int row = 0; row < data->n; ++row) {
        double value = data_value(data, feature, row);
        missing += isnan(value);
        column[row] = isnan(value) ? INFINITY : value;
    }
    return missing;
}

/* Missing values share a key if equal values do, and otherwise have the last ones. */
static void rank_column(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch)
{
    int missing = read_column(data, feature, scratch->column);
    rank_values(ranks, feature, scratch->column, scratch);
    int of_missing = ranks->ties == TIES_MERGED && ranks->n > MAX_COUNTING ? missing > 0 : missing;
    ranks->n_present[feature] = ranks->n_ranks[feature] - of_missing;
}

static void key_levels(rrf_ranks *ranks, const rrf_data *data, int feature)
{
    for (int row = 0; row < ranks->n; ++row) {
        set_key(ranks, feature, row, (int)data_value(data, feature, row) - 1);
    }
    ranks->n_ranks[feature] = ranks->n_present[feature] = data->ncat[feature];
}

rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor)
{
    return ranks_make_range(ranks, data, 0, ranks->p, monitor);
}

rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, const rrf_monitor *monitor)
{
    watch watch = {.monitor = monitor};
    size_t n = (size_t)ranks->n;
    rank_scratch scratch = {malloc(n * sizeof(ranked)), malloc(n * sizeof(ranked)), malloc(n * sizeof(double)),
                            malloc(n * sizeof(double)), malloc(n * sizeof(int32_t))};
    bool ready = scratch.items && scratch.spare && scratch.column && scratch.values && scratch.index;
    rrf_status status = ready ? RRF_OK : RRF_ERR_MEMORY;
    for (int feature = first; !status && feature < last; ++feature) {
        if (data->ncat[feature] == 1) {
            rank_column(ranks, data, feature, &scratch);
        } else {
            key_levels(ranks, data, feature);
        }
        free(ranks->order[feature]);
        ranks->order[feature] = NULL;
        status = watch_work(&watch, ranks->n);
    }
    free(scratch.items);
    free(scratch.spare);
    free(scratch.column);
    free(scratch.values);
    free(scratch.index);
    return status;
}

rrf_status ranks_alloc(rrf_ranks *ranks, const rrf_data *data, tie_order ties)
{
    size_t p = (size_t)data->p;
    *ranks = (rrf_ranks){.n = data->n, .p = data->p, .ties = ties, .wide = data->n > 65536};
    ranks->key = malloc(p * (size_t)data->n * (ranks->wide ? sizeof(uint32_t) : sizeof(uint16_t)));
    ranks->n_ranks = calloc(p, sizeof *ranks->n_ranks);
    ranks->n_present = calloc(p, sizeof *ranks->n_present);
    ranks->has_ties = calloc(p, sizeof *ranks->has_ties);
    ranks->order = calloc(p, sizeof *ranks->order);
    return ranks->key && ranks->n_ranks && ranks->n_present && ranks->has_ties && ranks->order ? RRF_OK
                                                                                               : RRF_ERR_MEMORY;
}

rrf_status ranks_init(rrf_ranks *ranks, const rrf_data *data, tie_order ties, const rrf_monitor *monitor)
{
    rrf_status status = ranks_alloc(ranks, data, ties);
    return status ? status : ranks_make(ranks, data, monitor);
}

void ranks_free(rrf_ranks *ranks)
{
    for (int feature = 0; ranks->order && feature < ranks->p; ++feature) {
        free(ranks->order[feature]);
    }
    free(ranks->key);
    free(ranks->n_ranks);
    free(ranks->n_present);
    free(ranks->has_ties);
    free(ranks->order);
    *ranks = (rrf_ranks){0};
}

const int32_t *ranks_sorted_rows(rrf_ranks *ranks, int feature)
{
    if (!ranks->order[feature]) {
        int32_t *order = malloc((size_t)ranks->n * sizeof *order);
        int32_t *next = calloc((size_t)ranks->n_ranks[feature] + 1, sizeof *next);
        if (!order || !next) {
            free(order);
            free(next);
            return NULL;
        }
        for (int row = 0; row < ranks->n; ++row) {
            ++next[rank_of(ranks, feature, row) + 1];
        }
        for (int key = 0; key < ranks->n_ranks[feature]; ++key) {
            next[key + 1] += next[key];
        }
        for (int row = 0; row < ranks->n; ++row) {
            order[next[rank_of(ranks, feature, row)]++] = row;
        }
        free(next);
        ranks->order[feature] = order;
    }
    return ranks->order[feature];
}
