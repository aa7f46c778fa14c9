/* Ranks one feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANK_COLUMN_H
#define RRF_RANK_COLUMN_H

#include "data/read_column.h"

/* What a thread ranks the features of a range with. */
typedef struct rank_scratch {
    column_reader reader;
    uint64_t *items, *spare; /* n */
} rank_scratch;

/* For the features up to `last` - 1, one after the other. */
rrf_status rank_scratch_init(rank_scratch *scratch, const rrf_data *data, rrf_ranks *ranks, int last, arena *memory);
/* Fills in what `ranks` holds of the feature: its ranks, how many they are, and whether values are tied. RRF_ERR_ARGUMENT: a
 * value is infinite, or missing and may not be. */
rrf_status rank_feature(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch);

#endif
