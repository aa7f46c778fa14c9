/* The hooks of ranked columns (filters.h). SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COLUMNS_H
#define RRF_COLUMNS_H

#include "filters/columns/column_filter.h"

rrf_status columns_init(rrf_ranks *ranks);
/* Computes the other forms of a ranked column. value: scratch of n. */
rrf_status columns_take(rrf_ranks *ranks, const rrf_data *data, int feature, double *value);
rrf_status columns_copy(const rrf_ranks *from, int feature, rrf_ranks *to, int at);
/* Computes the forms that depend on all columns. */
rrf_status columns_finish(rrf_ranks *ranks);
void columns_free(rrf_ranks *ranks);

/* Returns the rows of a column by ascending rank; NULL if memory is short. Several threads may call it at once. */
const int32_t *columns_sorted_rows(const rrf_ranks *ranks, int feature);
/* Ranks a short column by counting. False: the values must be sorted. */
bool rank_short(rrf_ranks *ranks, int feature, const double *x, rrf_status *status);

#endif
