/* Two classes in columns of few values. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_FEW_VALUES_H
#define RRF_SPLIT_FEW_VALUES_H

#include "filters/columns/few_values.h"
#include "filters/counts/two_class.h"

/* Returns whether the feature is stored as planes. */
static inline bool is_in_planes(const scan *c)
{
    return packed_column(c) && scan_profile(c)->n_ranks <= MAX_PLANES + 1;
}

/* Offers its cuts; nodes of any size. True as in two_class_evaluate(). */
bool planes_scan(two_class *t);
/* Adds up the payloads of the node's rows by rank, of a feature that is stored as bytes: into the slots, which the
 * caller clears. */
void count_values(const scan *c);
/* The same into wide slots, which hold zeros. rows_pack is not 0. */
void count_values_wide(const scan *c, uint64_t *slot);

#endif
