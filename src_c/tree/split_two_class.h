/* Numeric features where two classes are counted in whole numbers. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_TWO_CLASS_H
#define RRF_SPLIT_TWO_CLASS_H

#include "tree/search.h"

/* Engine r: class weights of 1.0 or near it, and few enough draws for exact sums. */
bool counts_pack(const double *classwt, int nclass, const rrf_params *params);
/* Whether rows of equal value can share a rank: their order does not matter, or order_like_r.h says what it is. */
bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params);
/* The same for engine parallel, which also handles nodes that are too large for the SIMD loops. */
bool parallel_ties_can_merge(const double *classwt, int nclass, const criterion *criterion, bool row_weights);

/* Offers the cuts of a feature whose equal values share a rank. */
void two_class_split(splitter *s, const node_view *node, int feature);
/* Sums are not exact: false when no cut of the feature can equal the best split so far. */
bool two_class_may_equal_best(splitter *s, const node_view *node, int feature);
/* Whether the next one knows the feature, and what no cut of it is worth more than, if the feature is in F: one pass without
 * comparing, and hardly above the best cut. */
bool two_class_can_bound(const splitter *s, const node_view *node, int feature);
double two_class_bound(splitter *s, const node_view *node, int feature);

#endif
