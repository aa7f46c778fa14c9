/* R's order among equal values.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_TIES_H
#define RRF_REGRESSION_TIES_H

#include "engine_r/regression_state.h"

/* Whether rows tie in value and differ in response, among those up to the cut before `end`. */
bool ties_matter(const regression_search *s, int end);
/* Puts the responses of tied cases up to that cut in R's order. s->sorted_y holds them in the order of the rows. */
void order_ties_like_r(regression_search *s, const regression_node *node, int feature, int end);
/* Lists the responses of the first n_cases in R's order, without knowing which tie: s->sorted_y. They end where a value does. */
void list_first_like_r(regression_search *s, const regression_node *node, int feature, uint32_t n_cases);

#endif
