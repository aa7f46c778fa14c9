/* Which cut of a feature is the best.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_CUTS_H
#define RRF_REGRESSION_CUTS_H

#include "engine_r/regression_state.h"

/* Looks at the cuts between the sorted rows. False when none can beat what has been found or promised so far. */
bool cuts_promise(regression_search *s, const regression_node *node, int feature);
/* How much a feature may lower the node's sum of squares, roughly, by the bound of its decrease. */
double cuts_hope(const regression_search *s, int feature, double bound);
/* Whether a feature whose decrease has this bound may win, and not only equal what has been found. */
bool cuts_bound_promises(const regression_search *s, const regression_node *node, int feature, double bound);
/* The same once more, without the cuts between equal values. */
bool cuts_promise_between_values(regression_search *s);
/* Whether a feature whose cuts have no higher ratio than this may still win. */
bool cuts_still_promise(const regression_search *s, const regression_node *node, int feature, double highest);
/* The ratio of a cut with `left` cases on the left, whose responses sum to left_sum: a^2 / l + b^2 / r. */
static inline double ratio_of_cut(const regression_search *s, const regression_node *node, double left_sum,
                                  uint32_t left)
{
    double right_sum = node->sum - left_sum;
    return left_sum * left_sum * s->inverse[left] + right_sum * right_sum * s->inverse[(uint32_t)node->size - left];
}
/* How far two ratios of the same cut may differ: R's, and the one found there. */
double regression_margin(const regression_search *s, const regression_node *node);
/* A lower bound of the best of these cuts. */
double cuts_lower_bound(const regression_search *s, const regression_node *node);
/* The number of sorted rows up to the last cut that might be the best. Raises the bar accordingly. */
int cuts_shortlist(regression_search *s);
/* Computes, as R does, the decrease of those cuts before `end` whose ratio is above the bar. s->sorted_y holds the responses
 * in R's order. Returns the position of the best cut, or -1 if none beats s->best. */
int cuts_evaluate(regression_search *s, const regression_node *node, int turn, int end);

#endif
