/* Several classes with few rows or values: all cuts of a feature are evaluated together, and no row is sorted.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TREE_CLASS_CUTS_H
#define RRF_TREE_CLASS_CUTS_H

#include "filters/counts/class_counts.h"

void class_cuts_init(class_cuts *c, int n, int nclass, arena *memory);
/* Allocates arrays for the rows of all nodes, of up to n rows. */
rrf_status class_cuts_reserve(class_cuts *c, int n, arena *memory);
/* Begins a node, after its other counts. */
void class_cuts_begin_node(class_counts *counts, int nclass, const node_view *node);
/* Returns whether the feature has few enough cuts. */
bool class_cuts_are_few(const scan *c);
/* Offers the cuts. True if the scan can end. */
bool class_cuts_scan(class_scan *scan);

/* The cuts of one feature as class_lanes_worth() leaves them; the stride between cuts is CUT_LANES. */
typedef struct cuts_of_lane {
    int n_cuts;
    const int16_t *rank; /* the last rank on the left; NULL: 0, 1, 2, ... */
    const float *worth;
    const uint16_t *right;
} cuts_of_lane;

/* Offers cuts whose values have been computed. */
bool class_cuts_offer_lane(class_scan *scan, const cuts_of_lane *lane);

#endif
