/* Permutation importance.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_IMPORTANCE_H
#define RRF_IMPORTANCE_H

#include "tree/builder.h"

void shuffle(double *values, int n, rrf_rng *rng);
/* R's permuteOOB: the values of a feature in the given rows, shuffled. */
void permute_column(const rrf_data *data, int feature, const int32_t *rows, int n_rows, rrf_rng *rng, double *column);

typedef struct oob_sample {
    int size;
    int32_t *rows;      /* ascending */
    int32_t *predicted; /* class that the tree gives each of them */
} oob_sample;
/* Permutation importance of one tree; R's loop in classRF. */
typedef struct importance_scratch {
    double *column;                              /* n */
    int32_t *nodes;                              /* n */
    int32_t *n_oob, *correct, *permuted_correct; /* nclass + 1, the last for all classes */
} importance_scratch;
rrf_status importance_init(importance_scratch *scratch, int n, int nclass);
void importance_free(importance_scratch *scratch);
rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          rrf_class_result *result);
void importance_finish(const builder *g, rrf_class_result *result);

#endif
