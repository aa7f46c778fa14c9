/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/feature_set.h"

#include <stdlib.h>

rrf_status feature_set_init(feature_set *f, int p)
{
    *f = (feature_set){.has = calloc((size_t)p, 1), .members = malloc((size_t)p * sizeof *f->members), .p = p};
    return f->has && f->members ? RRF_OK : RRF_ERR_MEMORY;
}

void feature_set_free(feature_set *f)
{
    free(f->has);
    free(f->members);
    *f = (feature_set){0};
}

void feature_set_take(feature_set *f, const int32_t *used)
{
    for (int feature = 0; feature < f->p; ++feature) {
        if (used[feature]) {
            feature_set_add(f, feature);
        }
    }
}

void feature_set_write(const feature_set *f, int32_t *used)
{
    for (int feature = 0; feature < f->p; ++feature) {
        used[feature] = f->has[feature];
    }
}

void feature_set_cut(feature_set *f, int size)
{
    while (f->size > size) {
        f->has[f->members[--f->size]] = 0;
    }
}
