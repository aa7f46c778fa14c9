/* Numeric features of many values in a regression: bounds on the gains of their best cuts, from sums in bins.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_VALUE_BINS_H
#define RRF_VALUE_BINS_H

#include "filters/state.h"

/* Lower and upper bounds on the gain of the best cut of a feature, before regularization. `least` is 0 or below, or
 * -INFINITY, if there may be no cut. */
typedef struct gain_bounds {
    double least, most;
} gain_bounds;

struct value_bins *value_bins_new(int n, arena *memory);
/* Begins a tree. */
void value_bins_begin_tree(struct value_bins *bins);
/* Computes bounds for a feature with bins, if weights are counts. */
gain_bounds value_bins_bound(const scan *c);

#endif
