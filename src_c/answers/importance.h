/* Permutation importance.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_IMPORTANCE_H
#define RRF_IMPORTANCE_H

#include "answers/oob.h"
#include "answers/statistics.h"
#include "tree/builder.h"

/* The values of a feature in the rows out of bag, shuffled as R's permuteOOB does. Permutation k: the first one, 0, shuffles
 * the values themselves, and each further one what the one before has left in `column`. */
void permute_column(const rrf_data *data, int feature, const oob_sample *oob, int k, rrf_rng *rng, double *column);

/* A feature that is permuted. */
typedef struct permuted_feature {
    double *column;   /* n: its values out of bag, shuffled */
    int32_t *nodes;   /* n: where the rows then end */
    int32_t *correct; /* nclass + 1, the last for all classes */
} permuted_feature;

typedef struct importance_scratch {
    int n_jobs, window;
    permuted_feature *permuted; /* window: features that are worked on at a time */
    int32_t *feature;           /* p: those that the tree uses */
    int32_t *n_oob, *correct;   /* nclass + 1, the last for all classes */
} importance_scratch;

/* For up to n_jobs threads, but no more than one for each four features, so that scratch takes less than the data. */
rrf_status importance_init(importance_scratch *scratch, const rrf_data *data, int nclass, int n_jobs, arena *memory);
/* Adds the accuracy that one tree loses when a feature is permuted; R's loop in classRF. The answer does not depend on the
 * number of threads: features are shuffled and added one after the other. */
rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          const forest_statistics *statistics);

#endif
