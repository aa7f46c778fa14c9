/* The search for the best split of a node, feature by feature.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLITTER_H
#define RRF_SPLITTER_H

#include "tree/search.h"

/* Initializes a splitter with scratch for one thread. The input must outlive it. */
rrf_status splitter_init(splitter *s, const search_input *in, void *rule_own, watch *watch, arena *memory);
/* Begins the search of a node. */
void splitter_begin_node(splitter *s, const node_view *node);
/* Evaluates a feature at a node; its splits compete with the best so far. */
void splitter_try(splitter *s, const node_view *node, int feature, bool is_member);
/* Returns the decrease in impurity by the feature's best split, without coefReg; 0 if it has none. The best split so
 * far does not change. For rules that do not draw from a stream when they are offered a split. */
double splitter_gain(splitter *s, const node_view *node, int feature);
/* Offers all cuts of a numeric feature, row by row in its order. */
void splitter_scan(splitter *s, const node_view *node, column *c);
/* The feature at a node, with its penalty. */
column splitter_column(const search_input *in, const node_view *node, int feature, bool is_member);

#endif
