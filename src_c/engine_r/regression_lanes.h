/* Several features of a node side by side: how much the cuts of each can be worth at most.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_LANES_H
#define RRF_REGRESSION_LANES_H

#include "engine_r/regression_sorted.h"

typedef struct regression_lanes {
    const rrf_ranks *ranks;
    const simd *simd;
    int32_t *rank;         /* rows x SIMD_BLOCK: by place in the node, for each lane */
    float *sums, *n_cases; /* rows: by place */
    int32_t *values;       /* cuts x SIMD_BLOCK: rank k in all lanes of cut k */
} regression_lanes;

void regression_lanes_init(regression_lanes *lanes, const rrf_ranks *ranks, arena *memory);
/* Bounds from above what the cuts of each feature lower the node's sum of squares by, roughly: R's decrease without the
 * penalty exceeds it by half the margin of cuts_promise() at most. INFINITY where a bound would not be faster. */
void regression_bound(regression_lanes *lanes, const regression_node *node, const int32_t *features, int n_features,
                      double *bound);

#endif
