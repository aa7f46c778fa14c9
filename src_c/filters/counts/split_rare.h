/* Numeric features of which most rows have the same value: only the other rows are read. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_SPLIT_RARE_H
#define RRF_SPLIT_RARE_H

#include "filters/state.h"

/* Called when nodes are renumbered. */
void rare_begin_tree(filter_scratch *own, const rrf_ranks *ranks);
/* Offers the cuts of the feature. False if it must be evaluated in another way. */
bool rare_split(const scan *c);

#endif
