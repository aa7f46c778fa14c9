/* What a forest of either engine answers besides its predictions, for classes and for regression: importance, proximity, bags
 * and F. Cleared before the first tree, filled tree by tree, finished after the last.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_STATISTICS_H
#define RRF_STATISTICS_H

#include "arena.h"
#include "tree/feature_set.h"

typedef struct forest_statistics {
    int n, p, ntree, n_test;
    int n_shown;    /* rows of bags and proximity: all but those of a second class that is made */
    int n_measures; /* of importance: the classes and 1; 1 in regression */
    /* The caller's arrays. Those that may be NULL are then not wanted. */
    int32_t *oob_times;                 /* n */
    double *decrease;                   /* p */
    int32_t *used;                      /* p: F */
    double *importance, *importance_sd; /* n_measures columns of p, or NULL */
    double *local_importance;           /* n columns of p, or NULL */
    double *proximity;                  /* n_shown x n_shown, or NULL */
    double *test_proximity;             /* n_test + n_shown columns of n_test, or NULL */
    int32_t *inbag;                     /* ntree columns of n_shown, or NULL */
    /* n_shown x n_shown: the trees that count for a pair of rows; NULL: all do. */
    int32_t *oob_pairs;
} forest_statistics;

/* Those of them that every kind of result holds. */
#define STATISTICS_OF(result)                                                                                          \
    .oob_times = (result)->oob_times, .decrease = (result)->decrease, .used = (result)->used,                          \
    .importance = (result)->importance, .importance_sd = (result)->importance_sd,                                      \
    .local_importance = (result)->local_importance, .proximity = (result)->proximity, .inbag = (result)->inbag

/* Whether the arrays are there that a fit writes to without asking; importance: that is wanted. */
bool statistics_have_buffers(const forest_statistics *s, bool importance);
/* Clears the arrays. oob_pairs: only pairs out of bag count for proximity. */
rrf_status statistics_begin(forest_statistics *s, bool oob_pairs, arena *memory);
/* R's inbag of a tree: 1 for a row that the bag holds, otherwise 0; or, with `times`, how often it was drawn. */
void statistics_keep_bag(const forest_statistics *s, int index, const int32_t *count, bool times);
/* Turns sums over trees into means, and sums of squares into their standard errors. Rounding may make a variance negative:
 * its root is NaN, as in R, or 0 with `clamp`. */
void importance_finish(double *sum, double *squares, size_t cells, int ntree, bool clamp);
/* Turns sums by row (n columns of p values, or NULL) into means over the trees for which the row was out of bag. */
void local_importance_finish(double *sum, const int32_t *oob_times, int n, int p);
/* The same for all statistics of a forest. */
void statistics_finish(const forest_statistics *s, const feature_set *f, bool clamp);

#endif
