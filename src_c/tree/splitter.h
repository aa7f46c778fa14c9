/* The search for the best split of a node, feature by feature.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLITTER_H
#define RRF_SPLITTER_H

#include "tree/search.h"
#include "tree/value_bins.h"

/* For one thread: with scratch of its own. The input must outlive it. */
rrf_status splitter_init(splitter *s, const search_input *in, const rule *rule, void *rule_own, watch *watch,
                         arena *memory);
/* After the input has begun a tree. */
rrf_status splitter_begin_tree(splitter *s);
/* Evaluates a feature at a node; its splits compete with s->best. */
void splitter_try(splitter *s, const node_view *node, int feature, bool is_member);
/* What a feature's best split is worth, after regularization; -INFINITY if it may have none. */
bool splitter_can_bound(const splitter *s);
gain_bounds splitter_bounds(splitter *s, const node_view *node, int feature, bool is_member);
/* By how much the feature's best split lowers the node's impurity, coefReg left aside; 0 where it has none. s->best stays as
 * it is. For rules that do not draw from a stream when they are offered a split. */
double splitter_gain(splitter *s, const node_view *node, int feature);

#endif
