/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_WIDE_H
#define RRF_SPLIT_WIDE_H

#include "tree/two_class.h"

/* Offers the cuts of a feature whose equal values share a rank. entries: its sorted list, or NULL. */
void wide_split(two_class *t, const uint64_t *entries);
/* Sums are not exact: false when no cut of the feature can equal the best split so far. */
bool wide_may_equal_best(two_class *t, const uint64_t *entries);

#endif
