/* Permutation importance.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_IMPORTANCE_H
#define RRF_IMPORTANCE_H

#include "tree/builder.h"

/* Shuffles the values, R's permuteOOB: the last one changes places with any, then the one before it, and so on. */
void shuffle(double *values, int n, rrf_rng *rng);
/* The values of a feature in the given rows, shuffled. */
void permute_column(const rrf_data *data, int feature, const int32_t *rows, int n_rows, rrf_rng *rng, double *column);

/* The rows that a tree has not seen, and what it predicts for them. */
typedef struct oob_sample {
    int size;
    int32_t *rows;      /* ascending */
    int32_t *predicted; /* classes from 0 */
} oob_sample;

typedef struct importance_scratch {
    double *column;                              /* n */
    int32_t *nodes;                              /* n */
    int32_t *n_oob, *correct, *permuted_correct; /* nclass + 1, the last for all classes */
} importance_scratch;

rrf_status importance_init(importance_scratch *scratch, int n, int nclass);
void importance_free(importance_scratch *scratch);
/* Adds what one tree loses when a feature is permuted; R's loop in classRF. */
rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          rrf_class_result *result);
/* Sums over the trees become means; sums of squares become the standard errors of these. Rounding can leave a variance
 * below zero: its root is NaN, as in R, unless `clamp` asks for 0. */
void importance_finish(double *sum, double *squares, size_t cells, int ntree, bool clamp);
/* Sums by row (n columns of p values, or NULL) become means over the trees that have not seen the row. */
void local_importance_finish(double *sum, const int32_t *oob_times, int n, int p);

#endif
