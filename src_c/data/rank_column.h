/* Ranks one feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANK_COLUMN_H
#define RRF_RANK_COLUMN_H

#include "data/radix.h"
#include "data/ranks.h"

/* bits: ordered_bits() of the value. */
typedef radix_row ranked;

/* n of each */
typedef struct rank_scratch {
    ranked *items, *spare;
    double *column, *values;
    int32_t *index;
} rank_scratch;

rrf_status rank_scratch_init(rank_scratch *scratch, size_t n, arena *memory);
/* Fills in what `ranks` holds of the feature: its ranks, how many they are, and whether values are tied. RRF_ERR_ARGUMENT: a
 * value is infinite, or missing and may not be. */
rrf_status rank_feature(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch);

#endif
