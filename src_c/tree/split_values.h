/* Numeric features of a regression, in ranks that equal values share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_VALUES_H
#define RRF_SPLIT_VALUES_H

#include "tree/search.h"

/* What values_split() works with; {0} for classes. */
void values_init(value_list *values, int n, arena *memory);
/* Offers the cuts of a feature. The rows of a value are added up first, in their order; the sums of the values are then
 * added from the lowest to the highest. So a cut's sums do not depend on how the rows were sorted. */
void values_split(splitter *s, const node_view *node, int feature);

#endif
