/* Ranks one feature. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANK_COLUMN_H
#define RRF_RANK_COLUMN_H

#include "data/read_column.h"

/* Largest number of rows for which the rank of a value is the number of smaller ones. */
enum { SHORT_COLUMN = 128 };

/* Buffers of a thread for ranking features; {0} at first. */
typedef struct rank_scratch {
    column_reader reader;
    uint64_t *items, *spare; /* n */
    arena memory;
} rank_scratch;

/* Begins a range of features up to `last` - 1, which are then ranked in order. */
rrf_status rank_scratch_begin(rank_scratch *scratch, const rrf_data *data, rrf_ranks *ranks, int last);
void rank_scratch_free(rank_scratch *scratch);
/* Fills in the ranks of a feature, their number, and whether values are tied. RRF_ERR_ARGUMENT: a value is infinite, or
 * missing where that is not allowed. */
rrf_status rank_feature(rrf_ranks *ranks, const rrf_data *data, int feature, rank_scratch *scratch);

#endif
