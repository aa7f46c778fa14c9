/* Several classes where rows or values are few: all cuts of a feature are looked at side by side, and no row is sorted.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TREE_CLASS_CUTS_H
#define RRF_TREE_CLASS_CUTS_H

#include "filters/counts/class_counts.h"

void class_cuts_init(class_cuts *c, int n, int nclass, arena *memory);
/* Room for the rows of all nodes, of up to n rows. */
rrf_status class_cuts_reserve(class_cuts *c, int n, arena *memory);
/* After the rest of the node's counts. */
void class_cuts_begin_node(class_counts *counts, int nclass, const node_view *node);
/* Whether the cuts of the feature are few enough. */
bool class_cuts_are_few(const scan *c);
/* Offers them. True if the scan has its answer. */
bool class_cuts_scan(class_scan *scan);

/* The cuts of one feature as class_lanes_worth() leaves them; steps of CUT_LANES lead from one to the next. */
typedef struct cuts_of_lane {
    int n_cuts;
    const int16_t *rank; /* the last one on the left; NULL: 0, 1, 2, ... */
    const float *worth;
    const uint16_t *right;
} cuts_of_lane;

/* The same of cuts that have been looked at. */
bool class_cuts_offer_lane(class_scan *scan, const cuts_of_lane *lane);

#endif
