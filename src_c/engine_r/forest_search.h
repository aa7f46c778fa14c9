/* The best split of a node as randomForest finds it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FOREST_SEARCH_H
#define RRF_FOREST_SEARCH_H

#include "engine_r/regression_search.h"

/* The same as regression_search_node() for randomForest. */
void forest_search_node(regression_search *s, regression_node *node);

#endif
