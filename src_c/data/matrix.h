/* Access to the values of a matrix in any layout. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MATRIX_H
#define RRF_MATRIX_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rrf.h"

#define RRF_MAX_LEVELS 32
/* Most levels of a factor of CRAN randomForest, whose sets of levels are whole numbers in a double. */
#define RRF_MAX_PACKED 53
/* Most levels of a factor of engine parallel, which are ranks of 16 bits. */
#define RRF_MAX_WIDE 65536

/* Returns the position of a row in a sparse column, or of the first stored row above it; it lies in [low, high]. */
static inline int64_t sparse_place(const rrf_data *data, int feature, int row)
{
    int64_t low = data->column_start[feature], high = data->column_start[feature + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool below = data->row_index[middle] < row;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

static inline double sparse_value(const rrf_data *data, int feature, int row)
{
    int64_t at = sparse_place(data, feature, row), end = data->column_start[feature + 1];
    return at < end && data->row_index[at] == row ? data->x[at] : 0.0;
}

static inline double dense_value(const rrf_data *data, int feature, int row)
{
    bool plain = data->row_step == 0 && data->feature_step == 0;
    ptrdiff_t at = plain ? (ptrdiff_t)feature * data->n + row
                         : (ptrdiff_t)feature * data->feature_step + (ptrdiff_t)row * data->row_step;
    return data->x32 ? (double)data->x32[at] : data->x[at];
}

/* The value of a row, whatever the layout. */
static inline double data_value(const rrf_data *data, int feature, int row)
{
    return data->column_start ? sparse_value(data, feature, row) : dense_value(data, feature, row);
}

/* A set of levels of a factor with more than 32: a bit for each. */
static inline int level_words(int n_levels)
{
    return (n_levels + 31) / 32;
}

static inline bool has_level(const uint32_t *set, int level)
{
    return set[level >> 5] >> (level & 31) & 1;
}

#endif
