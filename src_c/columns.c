/* Ranks every numeric feature once, so that a node can order its rows without looking at a value again.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "internal.h"

typedef struct ranked {
    uint64_t bits; /* the value, as an unsigned number of the same order */
    int32_t row;
} ranked;

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

/* Stable; both sorts return which of the two buffers holds the result. */
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

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

static inline unsigned digit_of(uint64_t bits, int digit)
{
    return bits >> (digit * DIGIT_BITS) & (BUCKETS - 1);
}

static void count_digits(const ranked *items, int n, uint32_t count[DIGITS][BUCKETS])
{
    memset(count, 0, sizeof(uint32_t) * DIGITS * BUCKETS);
    for (int i = 0; i < n; ++i) {
        for (int digit = 0; digit < DIGITS; ++digit) {
            ++count[digit][digit_of(items[i].bits, digit)];
        }
    }
}

/* From the lowest digit to the highest; a digit in which all values agree is passed over. */
static ranked *radix_sort(ranked *items, ranked *scratch, int n)
{
    uint32_t count[DIGITS][BUCKETS];
    count_digits(items, n, count);
    for (int digit = 0; digit < DIGITS; ++digit) {
        uint32_t *next = count[digit], total = 0;
        if (next[digit_of(items[0].bits, digit)] == (uint32_t)n) {
            continue;
        }
        for (int bucket = 0; bucket < BUCKETS; ++bucket) {
            uint32_t size = next[bucket];
            next[bucket] = total;
            total += size;
        }
        for (int i = 0; i < n; ++i) {
            scratch[next[digit_of(items[i].bits, digit)]++] = items[i];
        }
        ranked *swap = items;
        items = scratch;
        scratch = swap;
    }
    return items;
}

static void set_key(columns *cols, int feature, int row, int key)
{
    size_t at = (size_t)feature * cols->n + row;
    if (cols->wide) {
        ((uint32_t *)cols->key)[at] = (uint32_t)key;
    } else {
        ((uint16_t *)cols->key)[at] = (uint16_t)key;
    }
}

typedef struct rank_scratch {
    ranked *items, *spare;
    double *column, *values;
    int32_t *index;
} rank_scratch;

/* Keys in the order that R's sort leaves among equal values. */
static void key_like_r(columns *cols, int feature, const double *x, rank_scratch *scratch)
{
    for (int row = 0; row < cols->n; ++row) {
        scratch->values[row] = x[row];
        scratch->index[row] = row;
    }
    sort_like_r(scratch->values, scratch->index, cols->n);
    for (int at = 0; at < cols->n; ++at) {
        set_key(cols, feature, scratch->index[at], at);
    }
    cols->n_keys[feature] = cols->n;
}

/* Ranks by sorting: dense ones or, with ties by row, all different. */
static void rank_by_sort(columns *cols, int feature, const double *x, rank_scratch *scratch)
{
    int n = cols->n, distinct = 0;
    for (int row = 0; row < n; ++row) {
        scratch->items[row] = (ranked){ordered_bits(x[row]), row};
    }
    const ranked *sorted =
        n < MIN_RADIX ? merge_sort(scratch->items, scratch->spare, n) : radix_sort(scratch->items, scratch->spare, n);
    for (int at = 0; at < n; ++at) {
        distinct += at == 0 || sorted[at].bits != sorted[at - 1].bits;
        set_key(cols, feature, sorted[at].row, cols->ties == TIES_BY_ROW ? at : distinct - 1);
    }
    cols->n_keys[feature] = cols->ties == TIES_BY_ROW ? n : distinct;
    cols->has_ties[feature] = distinct < n;
}

/* In a short column a key is the number of smaller values: every comparison is made, and none has to be foreseen. */
static void rank_by_counting(columns *cols, int feature, const double *x, rank_scratch *scratch)
{
    int n = cols->n;
    int64_t smaller_pairs = 0;
    kernels_best()->count_smaller(x, n, scratch->index);
    for (int row = 0; row < n; ++row) {
        set_key(cols, feature, row, scratch->index[row]);
        smaller_pairs += scratch->index[row];
    }
    cols->n_keys[feature] = n;
    cols->has_ties[feature] = smaller_pairs < (int64_t)n * (n - 1) / 2;
}

static void rank_values(columns *cols, int feature, const double *x, rank_scratch *scratch)
{
    if (cols->n <= MAX_COUNTING) {
        rank_by_counting(cols, feature, x, scratch);
    }
    bool key_ties_by_row = cols->ties == TIES_BY_ROW && cols->has_ties[feature];
    if (cols->n > MAX_COUNTING || key_ties_by_row) {
        rank_by_sort(cols, feature, x, scratch);
    }
    if (cols->has_ties[feature] && cols->ties == TIES_LIKE_R) {
        key_like_r(cols, feature, x, scratch);
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
static void rank_column(columns *cols, const rrf_data *data, int feature, rank_scratch *scratch)
{
    int missing = read_column(data, feature, scratch->column);
    rank_values(cols, feature, scratch->column, scratch);
    int of_missing = cols->ties == TIES_MERGED && cols->n > MAX_COUNTING ? missing > 0 : missing;
    cols->n_present[feature] = cols->n_keys[feature] - of_missing;
}

static void key_levels(columns *cols, const rrf_data *data, int feature)
{
    for (int row = 0; row < cols->n; ++row) {
        set_key(cols, feature, row, (int)data_value(data, feature, row) - 1);
    }
    cols->n_keys[feature] = cols->n_present[feature] = data->ncat[feature];
}

rrf_status columns_rank(columns *cols, const rrf_data *data, const rrf_monitor *monitor)
{
    return columns_rank_range(cols, data, 0, cols->p, monitor);
}

rrf_status columns_rank_range(columns *cols, const rrf_data *data, int first, int last, const rrf_monitor *monitor)
{
    watch watch = {.monitor = monitor};
    size_t n = (size_t)cols->n;
    rank_scratch scratch = {malloc(n * sizeof(ranked)), malloc(n * sizeof(ranked)), malloc(n * sizeof(double)),
                            malloc(n * sizeof(double)), malloc(n * sizeof(int32_t))};
    bool ready = scratch.items && scratch.spare && scratch.column && scratch.values && scratch.index;
    rrf_status status = ready ? RRF_OK : RRF_ERR_MEMORY;
    for (int feature = first; !status && feature < last; ++feature) {
        if (data->ncat[feature] == 1) {
            rank_column(cols, data, feature, &scratch);
        } else {
            key_levels(cols, data, feature);
        }
        free(cols->order[feature]);
        cols->order[feature] = NULL;
        status = watch_work(&watch, cols->n);
    }
    free(scratch.items);
    free(scratch.spare);
    free(scratch.column);
    free(scratch.values);
    free(scratch.index);
    return status;
}

rrf_status columns_alloc(columns *cols, const rrf_data *data, tie_order ties)
{
    size_t p = (size_t)data->p;
    *cols = (columns){.n = data->n, .p = data->p, .ties = ties, .wide = data->n > 65536};
    cols->key = malloc(p * (size_t)data->n * (cols->wide ? sizeof(uint32_t) : sizeof(uint16_t)));
    cols->n_keys = calloc(p, sizeof *cols->n_keys);
    cols->n_present = calloc(p, sizeof *cols->n_present);
    cols->has_ties = calloc(p, sizeof *cols->has_ties);
    cols->order = calloc(p, sizeof *cols->order);
    return cols->key && cols->n_keys && cols->n_present && cols->has_ties && cols->order ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status columns_init(columns *cols, const rrf_data *data, tie_order ties, const rrf_monitor *monitor)
{
    rrf_status status = columns_alloc(cols, data, ties);
    return status ? status : columns_rank(cols, data, monitor);
}

void columns_free(columns *cols)
{
    for (int feature = 0; cols->order && feature < cols->p; ++feature) {
        free(cols->order[feature]);
    }
    free(cols->key);
    free(cols->n_keys);
    free(cols->n_present);
    free(cols->has_ties);
    free(cols->order);
    *cols = (columns){0};
}

const int32_t *columns_order(columns *cols, int feature)
{
    if (!cols->order[feature]) {
        int32_t *order = malloc((size_t)cols->n * sizeof *order);
        int32_t *next = calloc((size_t)cols->n_keys[feature] + 1, sizeof *next);
        if (!order || !next) {
            free(order);
            free(next);
            return NULL;
        }
        for (int row = 0; row < cols->n; ++row) {
            ++next[column_key(cols, feature, row) + 1];
        }
        for (int key = 0; key < cols->n_keys[feature]; ++key) {
            next[key + 1] += next[key];
        }
        for (int row = 0; row < cols->n; ++row) {
            order[next[column_key(cols, feature, row)]++] = row;
        }
        free(next);
        cols->order[feature] = order;
    }
    return cols->order[feature];
}
