/* Numeric features of which most rows hold the same value: only the others are looked at.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_RARE_H
#define RRF_SPLIT_RARE_H

#include "tree/search.h"

/* Nodes are numbered anew. */
void rare_begin_tree(search_scratch *c, const search_input *in);
/* Offers the cuts of the feature. False if it is to be evaluated in another way. */
bool rare_split(splitter *s, const node_view *node, int feature);

#endif
