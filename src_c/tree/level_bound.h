/* The most that a split of a factor's levels can gain, whichever of them go left: Gini's criterion.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_LEVEL_BOUND_H
#define RRF_LEVEL_BOUND_H

#include "tree/search.h"

/* For the rounding of a bound, as a share of it and of the node's weight. */
#define BOUND_SLACK 1.0e-9
/* Up to so many classes the bound costs less than it saves. */
enum { MAX_BOUND_CLASSES = 16 };

/* levels: their weights. deviation: by how much the share of a class in a level differs from the node's, class by class,
 * `stride` apart. */
double bound_gain(const level_mean *levels, int n_levels, const double *deviation, size_t stride, int nclass);

/* Whether sums by level are whole numbers or next to them, up to so many cases that a bound's slack covers the distance. */
bool counts_cases(const splitter *s, const node_view *node);
/* Whether no split of the levels, those of the node, can equal the best so far. s->scratch.level_total holds its sums by level
 * and class. */
bool levels_are_hopeless(const splitter *s, const node_view *node, const int *level, int n_levels);

#endif
