/* Results of a forest of either engine besides its predictions, for classes and for regression: importance, proximity,
 * bags and F. Cleared before the first tree, filled tree by tree, finished after the last. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_STATISTICS_H
#define RRF_STATISTICS_H

#include "arena.h"
#include "tree/feature_set.h"

typedef struct forest_statistics {
    int n, p, ntree, n_test;
    int n_shown;    /* rows of inbag and proximity: all rows except those of a synthetic class */
    int n_measures; /* columns of importance: nclass + 1; 1 in regression */
    /* Arrays of the caller. An optional array that is NULL is not computed. */
    int32_t *oob_times;                 /* n */
    double *decrease;                   /* p */
    int32_t *used;                      /* p: F */
    double *importance, *importance_sd; /* n_measures columns of p, or NULL */
    double *local_importance;           /* n columns of p, or NULL */
    double *proximity;                  /* n_shown x n_shown, or NULL */
    double *test_proximity;             /* n_test + n_shown columns of n_test, or NULL */
    int32_t *inbag;                     /* ntree columns of n_shown, or NULL */
    /* n_shown x n_shown: number of trees in which a pair of rows counts; NULL: all trees. */
    int32_t *oob_pairs;
} forest_statistics;

/* The statistics that every kind of result has. */
#define STATISTICS_OF(result)                                                                                          \
    .oob_times = (result)->oob_times, .decrease = (result)->decrease, .used = (result)->used,                          \
    .importance = (result)->importance, .importance_sd = (result)->importance_sd,                                      \
    .local_importance = (result)->local_importance, .proximity = (result)->proximity, .inbag = (result)->inbag

/* Returns whether the required arrays of a fit exist; importance: whether it is requested. */
bool statistics_have_buffers(const forest_statistics *s, bool importance);
/* Clears the arrays. oob_pairs: only pairs out of bag count for proximity. */
rrf_status statistics_begin(forest_statistics *s, bool oob_pairs, arena *memory);
/* R's inbag of a tree: 1 for a row in the bag, otherwise 0; or, with `times`, the number of times that it was drawn. */
void statistics_keep_bag(const forest_statistics *s, int index, const int32_t *count, bool times);
/* Converts sums over trees to means, and sums of squares to standard errors. A variance that rounding makes negative
 * has the root NaN, as in R, or 0 with `clamp`. */
void importance_finish(double *sum, double *squares, size_t cells, int ntree, bool clamp);
/* Converts sums by row (n columns of p values, or NULL) to means over the trees for which the row was out of bag. */
void local_importance_finish(double *sum, const int32_t *oob_times, int n, int p);
/* Applies this to all statistics of a forest. */
void statistics_finish(const forest_statistics *s, const feature_set *f, bool clamp);

#endif
