/* The list of the splits of a forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "engine_parallel/split_list.h"

enum { FIRST_CAPACITY = 256 };

void rrf_splits_init(rrf_splits *splits)
{
    *splits = (rrf_splits){0};
}

void rrf_splits_free(rrf_splits *splits)
{
    free(splits->feature);
    free(splits->decrease);
    rrf_splits_init(splits);
}

/* If the second array cannot grow, the first one keeps its larger size. */
static rrf_status reserve_split(rrf_splits *splits)
{
    if (splits->n < splits->capacity) {
        return RRF_OK;
    }
    int64_t capacity = splits->capacity ? 2 * splits->capacity : FIRST_CAPACITY;
    int32_t *feature = realloc(splits->feature, (size_t)capacity * sizeof *feature);
    if (!feature) {
        return RRF_ERR_MEMORY;
    }
    splits->feature = feature;
    double *decrease = realloc(splits->decrease, (size_t)capacity * sizeof *decrease);
    if (!decrease) {
        return RRF_ERR_MEMORY;
    }
    splits->decrease = decrease;
    splits->capacity = capacity;
    return RRF_OK;
}

rrf_status splits_add(rrf_splits *splits, int feature, double decrease)
{
    rrf_status status = splits ? reserve_split(splits) : RRF_OK;
    if (splits && !status) {
        splits->feature[splits->n] = feature;
        splits->decrease[splits->n++] = decrease;
    }
    return status;
}
