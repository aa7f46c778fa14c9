/* Columns in which most rows have the same value, as in sparse matrices: the rows with another one.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RARE_VALUES_H
#define RRF_RARE_VALUES_H

#include "filters/columns/column_filter.h"

typedef struct rare_row {
    int32_t row;
    uint32_t rank;
} rare_row;

struct rare_values {
    uint32_t common; /* the rank of all other rows */
    int32_t n_rows;  /* number of rows with another rank */
    rare_row rows[]; /* n_rows: by ascending rank, and then ascending */
};

/* NULL: no value is so frequent, or equal values do not share ranks. */
static inline const rare_values *ranks_rare(const rrf_ranks *ranks, int feature)
{
    return ranks->filter->rare ? ranks->filter->rare[feature] : NULL;
}

/* Lists the rows of a ranked column with a rare value, if there are few. */
rrf_status rare_values_list(rrf_ranks *ranks, int feature);

#endif
