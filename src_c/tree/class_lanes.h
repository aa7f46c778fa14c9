/* Lanes of several classes: F counted at once (lanes.h). SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_LANES_H
#define RRF_CLASS_LANES_H

#include "tree/node_lanes.h"

/* Makes room for the vectors of l, whose number has grown. */
rrf_status class_lanes_reserve(class_lanes *c, const search_input *in, int vectors, arena *memory);
/* Counts a node whose cuts have been chosen. False if there are too many cases or classes for that. */
bool class_lanes_count(splitter *s, const node_view *node);
/* As lanes_try(), of a feature that lanes serve. */
lanes_answer class_lanes_try(splitter *s, const node_view *node, int feature);

#endif
