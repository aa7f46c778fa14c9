/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/feature_set.h"

#include <stdlib.h>

/* Links each feature behind the last one with its label, before the first one. */
static rrf_status link_groups(feature_set *f, const int32_t *group)
{
    int32_t *last = malloc((size_t)f->p * sizeof *last);
    if (!last) {
        return RRF_ERR_MEMORY;
    }
    for (int label = 0; label < f->p; ++label) {
        last[label] = -1;
    }
    for (int feature = 0; feature < f->p; ++feature) {
        int before = last[group[feature]] < 0 ? feature : last[group[feature]];
        f->next[feature] = before == feature ? feature : f->next[before];
        f->next[before] = last[group[feature]] = feature;
    }
    free(last);
    return RRF_OK;
}

rrf_status feature_set_init(feature_set *f, int p, const int32_t *group, arena *memory)
{
    *f = (feature_set){.p = p};
    TAKE_ZEROS(memory, f->has, p);
    TAKE(memory, f->members, p);
    if (group) {
        TAKE(memory, f->next, p);
    }
    rrf_status status = arena_status(memory);
    return status || !group ? status : link_groups(f, group);
}

void feature_set_enter(feature_set *f, int feature)
{
    if (feature_set_add(f, feature)) {
        for (int other = feature_set_next(f, feature); other != feature; other = feature_set_next(f, other)) {
            feature_set_add(f, other);
        }
    }
}

void feature_set_take(feature_set *f, const int32_t *used)
{
    for (int feature = 0; feature < f->p; ++feature) {
        if (used[feature]) {
            feature_set_enter(f, feature);
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
