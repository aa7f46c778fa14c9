/* Permutation importance of a regression forest.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_IMPORTANCE_H
#define RRF_REGRESSION_IMPORTANCE_H

#include "engine_r/regression_tree.h"

/* The out-of-bag rows of a tree, and its predictions for them. */
typedef struct regression_oob {
    int size;
    int32_t *rows;                /* ascending */
    double *predicted, *residual; /* residual: predicted - y */
    double sum_squares;           /* of the residuals */
} regression_oob;

rrf_status regression_oob_init(regression_oob *oob, int n, arena *memory);

typedef struct permutation_scratch {
    double *column; /* n */
    int32_t *nodes; /* n */
} permutation_scratch;

rrf_status permutation_init(permutation_scratch *scratch, int n, arena *memory);
/* Adds one tree; R's loop in regRF. */
rrf_status permutation_add(regression_builder *g, const tree *t, const regression_oob *oob,
                           permutation_scratch *scratch, const double *y, rrf_regression_result *result);

#endif
