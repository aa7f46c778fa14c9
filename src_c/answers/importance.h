/* Permutation importance.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_IMPORTANCE_H
#define RRF_IMPORTANCE_H

#include "answers/oob.h"
#include "answers/statistics.h"
#include "tree/builder.h"

/* Shuffles the values of a feature in the rows out of bag as R's permuteOOB does. Permutation 0 shuffles the values
 * themselves; each further one shuffles the result of the one before, which is in `column`. */
void permute_column(const rrf_data *data, int feature, const oob_sample *oob, int k, rrf_rng *rng, double *column);

/* A permuted feature. */
typedef struct permuted_feature {
    double *column;   /* n: its values out of bag, shuffled */
    int32_t *nodes;   /* n: terminal nodes of the rows after the permutation */
    int32_t *correct; /* nclass + 1, the last for all classes */
} permuted_feature;

typedef struct importance_scratch {
    int n_jobs, window;
    permuted_feature *permuted; /* window: features in progress */
    int32_t *feature;           /* p: the features that the tree uses */
    int32_t *n_oob, *correct;   /* nclass + 1, the last for all classes */
} importance_scratch;

/* Buffers for up to n_jobs threads, but at most one for each four features, so that scratch takes less memory than the
 * data. */
rrf_status importance_init(importance_scratch *scratch, const rrf_data *data, int nclass, int n_jobs, arena *memory);
/* Adds the loss of accuracy of one tree when a feature is permuted; R's loop in classRF. The results do not depend on
 * the number of threads: features are shuffled and added in order. */
rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          const forest_statistics *statistics);

#endif
