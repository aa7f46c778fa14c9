/* The best split of a node, R's findBestSplit of regression, and what it shares with randomForest's search.
 *
 *   regression_bag ──► regression_search ──► regression_tree ──► regression_forest
 *     (draws)     (lanes, sorted rows, cuts)    (means)         (errors, importance, proximity)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_SEARCH_H
#define RRF_REGRESSION_SEARCH_H

#include "engine_r/regression_state.h"

rrf_status regression_search_init(regression_search *s, const rrf_data *data, const rrf_ranks *ranks,
                                  const regression_bag *bag, const rrf_params *params, const int32_t *used,
                                  rrf_rng *rng, arena *memory);
/* Searches mtry features and writes the best split to s->best. Fills node->sums. */
void regression_search_node(regression_search *s, regression_node *node);
/* Fills node->sums. */
void regression_sum_rows(regression_search *s, regression_node *node);
/* The mean response of each level up to rounding, and the levels that have cases sorted by it. */
void regression_rough_means(regression_search *s, const regression_node *node, int feature);
void regression_sort_levels(regression_search *s, int n_levels);
/* The responses of the first sorted rows, each as often as the row was drawn: s->sorted_y. */
void regression_list_rows(regression_search *s, int n_rows);
/* A row of the node that has a value; s->sorted.rank has the values. */
int regression_row_of_value(const regression_search *s, const regression_node *node, uint32_t value);
/* Sorts the node's cases by a feature as R does: their values into s->value, their places in the node into s->index. */
void sort_cases_like_r(regression_search *s, const regression_node *node, int feature);

#endif
