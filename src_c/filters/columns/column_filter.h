/* Other forms of ranked columns, which the filters store. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COLUMN_FILTER_H
#define RRF_COLUMN_FILTER_H

#include <stdatomic.h>

#include "data/ranks.h"

typedef struct rare_values rare_values;

/* rrf_ranks.filter */
typedef struct column_filter {
    void **packed;      /* p: columns of few values, see few_values.h; NULL if classes are not counted */
    _Atomic int n_few;  /* their number */
    rare_values **rare; /* p: see rare_values.h; NULL unless equal values share ranks */
    uint8_t *coarse;    /* n x p: see coarse_ranks.h; NULL unless equal values share ranks and there are many rows */
    _Atomic(int32_t *) *order; /* p: rows by rank; NULL until first needed */
    /* R's regression only, if rows may have different ranks for equal values: by rank, the lowest one with the same
     * value; NULL for factors, merged numbers and columns without ties. And the ranks row by row, n x p, if there are
     * many rows. */
    uint32_t **first_equal;
    void *by_row;
} column_filter;

#endif
