/* Sorts the rows of a node by the keys of a feature, which all differ. SPDX-License-Identifier: GPL-2.0-or-later */
#include "regression.h"

/* Up to SMALL rows each one counts the keys below its own, which branches nowhere; more are sorted digit by digit. */
enum { SMALL = 64, LANES = 8, DIGIT_BITS_SMALL = 7, DIGIT_BITS = 9 };

rrf_status node_order_init(node_order *o, const columns *cols)
{
    size_t n = (size_t)cols->n;
    *o = (node_order){.cols = cols, .items = malloc(n * sizeof *o->items), .spare = malloc(n * sizeof *o->spare)};
    return o->items && o->spare ? RRF_OK : RRF_ERR_MEMORY;
}

void node_order_free(node_order *o)
{
    free(o->items);
    free(o->spare);
    *o = (node_order){0};
}

static void sort_by_counting(const node_order *o, int feature, const int32_t *rows, int n_rows, int32_t *sorted)
{
    int32_t key[SMALL], rank[SMALL];
    int padded = (n_rows + LANES - 1) / LANES * LANES;
    for (int i = 0; i < n_rows; ++i) {
        key[i] = (int32_t)column_key(o->cols, feature, rows[i]);
    }
    for (int i = n_rows; i < padded; ++i) {
        key[i] = INT32_MAX;
    }
    for (int start = 0; start < padded; start += LANES) {
        int32_t below[LANES] = {0};
        for (int j = 0; j < n_rows; ++j) {
            int32_t other = key[j];
            for (int lane = 0; lane < LANES; ++lane) {
                below[lane] += other < key[start + lane];
            }
        }
        memcpy(rank + start, below, sizeof below);
    }
    for (int i = 0; i < n_rows; ++i) {
        sorted[rank[i]] = rows[i];
    }
}

/* One stable pass over the digit at `shift`. */
static void sort_digit(const uint64_t *items, uint64_t *out, int n, int shift, int bits)
{
    uint32_t start[1 << DIGIT_BITS] = {0}, mask = (1U << bits) - 1, sum = 0;
    for (int i = 0; i < n; ++i) {
        ++start[items[i] >> shift & mask];
    }
    for (uint32_t digit = 0; digit <= mask; ++digit) {
        uint32_t count = start[digit];
        start[digit] = sum;
        sum += count;
    }
    for (int i = 0; i < n; ++i) {
        out[start[items[i] >> shift & mask]++] = items[i];
    }
}

static void sort_by_digits(const node_order *o, int feature, const int32_t *rows, int n_rows, int32_t *sorted)
{
    uint64_t *items = o->items, *spare = o->spare;
    int key_bits = 32 - __builtin_clz((unsigned)o->cols->n_keys[feature]);
    int widest = n_rows < 512 ? DIGIT_BITS_SMALL : DIGIT_BITS;
    int passes = (key_bits + widest - 1) / widest, bits = (key_bits + passes - 1) / passes;
    for (int i = 0; i < n_rows; ++i) {
        items[i] = (uint64_t)column_key(o->cols, feature, rows[i]) << 32 | (uint32_t)rows[i];
    }
    for (int pass = 0; pass < passes; ++pass) {
        sort_digit(items, spare, n_rows, 32 + pass * bits, bits);
        uint64_t *swap = items;
        items = spare;
        spare = swap;
    }
    for (int i = 0; i < n_rows; ++i) {
        sorted[i] = (int32_t)(uint32_t)items[i];
    }
}

void node_order_rows(node_order *o, int feature, const int32_t *rows, int n_rows, int32_t *sorted)
{
    if (n_rows <= SMALL) {
        sort_by_counting(o, feature, rows, n_rows, sorted);
    } else {
        sort_by_digits(o, feature, rows, n_rows, sorted);
    }
}
