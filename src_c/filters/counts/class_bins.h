/* Numeric features of many values, several classes: bounds on the gains of their best cuts, from counts in bins.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_BINS_H
#define RRF_CLASS_BINS_H

#include "filters/counts/value_bins.h"

/* Smallest number of rows of a node for which bins are faster than sorting. */
#ifndef MIN_BINNED
#define MIN_BINNED 256
#endif

/* NULL: bins are not useful. */
struct class_bins *class_bins_new(const search_input *in, arena *memory);
/* Bounds before regularization. */
gain_bounds class_bins_bound(const scan *c);

#endif
