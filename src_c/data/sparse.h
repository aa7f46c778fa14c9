/* Sparse columns. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPARSE_H
#define RRF_SPARSE_H

#include "data/ranks.h"

/* Writes all n values of a column. */
void sparse_column(const rrf_data *data, int feature, double *column);
/* Ranks a column whose equal values share a rank, with the same result as for a dense column, in a time that depends on
 * the number of stored values except for writing the ranks. items, spare: scratch, n each. RRF_ERR_ARGUMENT: a value is
 * infinite, or missing where that is not allowed. */
rrf_status sparse_rank(rrf_ranks *ranks, const rrf_data *data, int feature, uint64_t *items, uint64_t *spare);

#endif
