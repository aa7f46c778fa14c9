/* Numeric features of which most rows hold the same value: only the others are looked at.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_RARE_H
#define RRF_SPLIT_RARE_H

#include "filters/state.h"

/* Nodes are numbered anew. */
void rare_begin_tree(filter_scratch *own, const rrf_ranks *ranks);
/* Offers the cuts of the feature. False if it is to be evaluated in another way. */
bool rare_split(const scan *c);

#endif
