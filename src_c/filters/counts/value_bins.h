/* Numeric features of many values in a regression: what their best cuts gain, from counts in bins.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_VALUE_BINS_H
#define RRF_VALUE_BINS_H

#include "filters/state.h"

/* The best cut of a feature gains at least and at most so much, before regularization. `least` is 0 or below, or -INFINITY,
 * where it may have no cut. */
typedef struct gain_bounds {
    double least, most;
} gain_bounds;

struct value_bins *value_bins_new(int n, arena *memory);
/* Begins a tree. */
void value_bins_begin_tree(struct value_bins *bins);
/* Of a feature that has bins, where weights are counts. */
gain_bounds value_bins_bound(const scan *c);

#endif
