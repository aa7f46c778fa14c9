/* Numeric features of a regression, in ranks that equal values share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_VALUES_H
#define RRF_SPLIT_VALUES_H

#include "filters/state.h"

/* Buffers of values_split(). */
void values_init(value_list *values, int n, arena *memory);
/* Offers the cuts of a feature that may be the best, with the sums of variance.c. */
void values_split(const scan *c);

#endif
