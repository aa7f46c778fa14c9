/* Sorting of a column by words: a word holds the first bits of a value and its row. Most values need no further
 * comparison. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_COLUMN_H
#define RRF_SORT_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

/* The rows of a column by value; rows of equal values, such as both zeros, ascend. */
typedef struct sorted_column {
    uint64_t *words; /* n_present: the row in the low bits; then the rows of missing values, ascending */
    int n_present, n_missing;
    int row_bits;
    bool whole;      /* equal bits above the row mean equal values; otherwise values must be compared */
    bool infinite;   /* a value is infinite, and nothing is sorted */
    const double *x; /* the column; not read if `whole` */
} sorted_column;

/* Sorts n > 0 numbers; NaN are missing. Both buffers hold n words. Numbers converted from floats may be in `spare` if
 * floats_are_whole(). */
sorted_column sort_column(const double *x, int n, uint64_t *items, uint64_t *spare);

/* Returns whether a word has room for all bits in which floats differ and for a row number up to n. */
static inline bool floats_are_whole(int n)
{
    return n <= 1 << 28;
}

/* Returns whether the words at a position and before it differ in their rows only. */
static inline bool words_are_alike(const sorted_column *sorted, int at)
{
    return (sorted->words[at] ^ sorted->words[at - 1]) >> sorted->row_bits == 0;
}

static inline int sorted_row(const sorted_column *sorted, int at)
{
    return (int)(sorted->words[at] & (((uint64_t)1 << sorted->row_bits) - 1));
}

/* Values are in the order of rows. A loop over positions prefetches a value that will be compared. */
enum { PLACES_AHEAD = 24 };
static inline void fetch_value(const sorted_column *sorted, int at)
{
    int64_t later = (int64_t)at + PLACES_AHEAD;
    if (!sorted->whole && later < sorted->n_present && words_are_alike(sorted, (int)later)) {
        __builtin_prefetch(sorted->x + sorted_row(sorted, (int)later));
    }
}

/* Returns whether the value at a position below n_present differs from the one before. */
static inline bool is_new_value(const sorted_column *sorted, int at)
{
    return at == 0 || !words_are_alike(sorted, at) ||
           (!sorted->whole && sorted->x[sorted_row(sorted, at)] != sorted->x[sorted_row(sorted, at - 1)]);
}

#endif
