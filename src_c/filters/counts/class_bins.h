/* Numeric features of many values, several classes: what their best cuts are worth, from counts in bins.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_BINS_H
#define RRF_CLASS_BINS_H

#include "filters/counts/value_bins.h"

/* Smaller nodes are sorted in less time. */
#ifndef MIN_BINNED
#define MIN_BINNED 256
#endif

/* NULL: it would not be of use. */
struct class_bins *class_bins_new(const search_input *in, arena *memory);
/* Before regularization. */
gain_bounds class_bins_bound(const scan *c);

#endif
