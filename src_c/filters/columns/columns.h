/* What the filters keep of ranked columns: other forms of them. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COLUMNS_H
#define RRF_COLUMNS_H

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

rrf_status columns_init(rrf_ranks *ranks);
/* Fills in what is kept of a column that has been ranked. value: scratch of n. */
rrf_status columns_take(rrf_ranks *ranks, const rrf_data *data, int feature, double *value);
rrf_status columns_copy(const rrf_ranks *from, int feature, rrf_ranks *to, int at);
/* What needs all columns. */
rrf_status columns_finish(rrf_ranks *ranks);
void columns_free(rrf_ranks *ranks);

/* The rows of a column by ascending rank; NULL when memory is short. Several threads may ask at once. */
const int32_t *columns_sorted_rows(const rrf_ranks *ranks, int feature);
/* Ranks a short column by counting. False: the values are to be sorted. */
bool rank_short(rrf_ranks *ranks, int feature, const double *x, rrf_status *status);

#endif
