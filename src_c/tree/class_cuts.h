/* Several classes where rows or values are few: all cuts of a feature are looked at side by side, and no row is sorted.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TREE_CLASS_CUTS_H
#define RRF_TREE_CLASS_CUTS_H

#include "tree/class_counts.h"

rrf_status class_cuts_init(class_cuts *c, int n, int nclass);
void class_cuts_free(class_cuts *c);
/* After the rest of the node's counts. */
void class_cuts_begin_node(class_cuts *c, const splitter *s, const node_view *node);
/* Whether the cuts of the feature are few enough. */
bool class_cuts_are_few(const class_cuts *c, const splitter *s, const node_view *node, int feature);
/* Offers them. True if the scan has its answer. */
bool class_cuts_scan(class_scan *scan);

#endif
