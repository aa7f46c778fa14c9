/* Construction, copying and freeing of ranks. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MAKE_RANKS_H
#define RRF_MAKE_RANKS_H

#include "data/rank_column.h"

/* Allocates ranks. Then ranges of features can be ranked in parallel, each thread with its own scratch, which the
 * caller frees; last, the filters process all columns (columns_ranked). */
rrf_status ranks_alloc(rrf_ranks *ranks, const rrf_data *data, ranks_kind kind);
rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, rank_scratch *scratch,
                            const rrf_monitor *monitor);
/* Ranks data whose values have changed; no other thread may read the ranks meanwhile. */
rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor);
/* Frees everything but the struct itself. */
void ranks_clear(rrf_ranks *ranks);

#endif
