/* Columns of which few values are not 0. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPARSE_H
#define RRF_SPARSE_H

#include "data/ranks.h"

/* Writes all n values of a column. */
void sparse_column(const rrf_data *data, int feature, double *column);
/* Ranks a column whose equal values share a rank, as if it were dense, in a time that depends on what it stores but for
 * writing the ranks. items, spare: scratch, n each. RRF_ERR_ARGUMENT: a value is infinite, or missing and may not be. */
rrf_status sparse_rank(rrf_ranks *ranks, const rrf_data *data, int feature, uint64_t *items, uint64_t *spare);

#endif
