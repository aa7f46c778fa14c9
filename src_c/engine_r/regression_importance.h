/* Permutation importance of a regression forest.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_IMPORTANCE_H
#define RRF_REGRESSION_IMPORTANCE_H

#include "answers/oob.h"
#include "answers/statistics.h"
#include "engine_r/regression_tree.h"

typedef struct permuted_tree {
    regression_builder *builder;
    const tree *tree;
    const double *y; /* n */
    const oob_sample *oob;
    double *column;  /* n: scratch */
    int32_t *leaves; /* n: scratch */
} permuted_tree;

/* Adds the increase of the squared errors when a feature is permuted; R's loop in regRF. */
rrf_status permuted_tree_add(const permuted_tree *p, const forest_statistics *statistics);

#endif
