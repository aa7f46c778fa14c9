/* Numeric features of many values, two classes: first 256 bins, then the rows of bins that may have the best cut.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_COARSE_H
#define RRF_SPLIT_COARSE_H

#include "filters/counts/two_class.h"

struct coarse_bins *coarse_bins_new(arena *memory);
/* Returns whether the feature has bins, and the node few enough cases for their sums. */
bool coarse_can_scan(const scan *c);
/* Offers the cuts that may equal the best, and possibly others. */
void coarse_scan(two_class *t);

#endif
