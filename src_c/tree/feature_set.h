/* F, the features that a forest has split on. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FEATURE_SET_H
#define RRF_FEATURE_SET_H

#include "rrf.h"

#include <stdbool.h>

/* Feature f is a member where has[f] is 1; members[0] to members[size - 1] are the same features in the order in which they
 * entered. */
typedef struct feature_set {
    uint8_t *has;     /* p */
    int32_t *members; /* room for p */
    int size, p;
} feature_set;

/* An empty set. */
rrf_status feature_set_init(feature_set *f, int p);
void feature_set_free(feature_set *f);
/* Adds all features with used[feature] != 0. */
void feature_set_take(feature_set *f, const int32_t *used);
/* used[feature] = 1 for members, 0 for others. */
void feature_set_write(const feature_set *f, int32_t *used);
/* Removes the members from number `size` on. */
void feature_set_cut(feature_set *f, int size);

/* Returns whether the feature is new. */
static inline bool feature_set_add(feature_set *f, int feature)
{
    bool is_new = !f->has[feature];
    if (is_new) {
        f->has[feature] = 1;
        f->members[f->size++] = feature;
    }
    return is_new;
}

#endif
