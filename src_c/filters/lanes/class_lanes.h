/* Lanes of several classes (lanes.h). SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_LANES_H
#define RRF_CLASS_LANES_H

#include "filters/lanes/node_lanes.h"

/* Allocates arrays for the vectors of l, whose number has grown. */
rrf_status class_lanes_reserve(class_lanes *c, int nclass, int vectors, arena *memory);
/* Counts a node whose cuts have been chosen. False if it has too many cases or classes. */
bool class_lanes_count(node_lanes *l, const scan *c);
/* As lanes_try(), for a feature with a lane. */
lanes_answer class_lanes_try(node_lanes *l, const scan *c);

#endif
