/* What the filters keep of ranked columns: other forms of them. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COLUMN_FILTER_H
#define RRF_COLUMN_FILTER_H

#include <stdatomic.h>

#include "data/ranks.h"

typedef struct rare_values rare_values;

/* rrf_ranks.filter */
typedef struct column_filter {
    void **packed;      /* p: columns of few values, see few_values.h; where classes are counted, otherwise NULL */
    _Atomic int n_few;  /* how many of them there are */
    rare_values **rare; /* p: see rare_values.h; where equal values share ranks, otherwise NULL */
    uint8_t *coarse; /* n x p: see coarse_ranks.h; where equal values share ranks, and of many rows; otherwise NULL */
    _Atomic(int32_t *) *order; /* p: rows by rank; NULL until a thread first needs them */
    /* R's regression only, where rows may have ranks of their own: by rank, the lowest one with the same value; NULL for
     * factors, merged numbers and those without ties. And the ranks row by row, n x p, of many rows. */
    uint32_t **first_equal;
    void *by_row;
} column_filter;

#endif
