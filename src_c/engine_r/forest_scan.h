/* The cuts of one feature as randomForest scans them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FOREST_SCAN_H
#define RRF_FOREST_SCAN_H

#include "engine_r/regression_search.h"

void forest_cuts_init(forest_cuts *cuts, int n_cases, arena *memory);
/* Begins with a node. */
void forest_scan_begin(regression_search *s, const regression_node *node);
/* Scans the feature drawn in this turn, with R's draws: s->cuts.here. False where it has one value in the node. */
bool forest_scan(regression_search *s, const regression_node *node, int turn);
/* Makes s->cuts.here exact, without draws. */
void forest_settle(regression_search *s, const regression_node *node);

#endif
