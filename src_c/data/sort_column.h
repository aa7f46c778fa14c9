/* Long columns are sorted. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_COLUMN_H
#define RRF_SORT_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

/* A place in the order of a column: the row, and a bit that says whether its value is not that of the place before. */
#define SORTED_ROW UINT32_MAX
#define NEW_VALUE ((uint64_t)1 << 63)

/* Sorts the rows of n > 0 numbers, none of them NaN, by value; equal ones, which both zeros are, stay in the order of rows.
 * Both buffers hold n words. Returns the one with the places, or NULL where too many values begin with the same bits. */
uint64_t *sort_column(const double *x, int n, uint64_t *items, uint64_t *spare);

#endif
