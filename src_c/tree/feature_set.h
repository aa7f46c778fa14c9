/* F, the features that a forest has split on, and the groups of features that enter it together.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FEATURE_SET_H
#define RRF_FEATURE_SET_H

#include "arena.h"

/* Feature f is a member where has[f] is 1; members[0] to members[size - 1] are the same features in the order in which they
 * entered. Features of a group enter together: next[f] is the next feature of the group by position;
 * after the last comes the first. */
typedef struct feature_set {
    uint8_t *has;     /* p */
    int32_t *members; /* room for p */
    int size, p;
    int32_t *next; /* p; NULL: each feature is a group of its own */
} feature_set;

/* An empty set. group: a label from 0 to p - 1 for each feature; NULL: there are no groups. */
rrf_status feature_set_init(feature_set *f, int p, const int32_t *group, arena *memory);
/* Adds all features with used[feature] != 0, and their groups. */
void feature_set_take(feature_set *f, const int32_t *used);
/* used[feature] = 1 for members, 0 for others. */
void feature_set_write(const feature_set *f, int32_t *used);
/* Removes the members from number `size` on. */
void feature_set_cut(feature_set *f, int size);

/* Returns the next feature of the same group; the feature itself, if it is alone. */
static inline int feature_set_next(const feature_set *f, int feature)
{
    return f->next ? f->next[feature] : feature;
}

/* Adds the feature and its group; the new members are the last ones. If a feature is in F, its group is, too. */
void feature_set_enter(feature_set *f, int feature);

/* Adds the feature alone. Returns whether it is new. */
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
