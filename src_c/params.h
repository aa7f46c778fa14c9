/* Checks of arguments outside of the parameter structs. Each returns the name of the field that is out of its range, or
 * NULL. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PARAMS_H
#define RRF_PARAMS_H

#include <float.h>
#include <stdbool.h>

#include "rrf.h"

/* Returns whether to reproduce slips of CRAN RRF that CRAN randomForest does not have. */
static inline bool has_slips_of_rrf(const rrf_params *params)
{
    return params->quirks && !params->random_forest;
}

static inline rrf_ties ties_of(const rrf_params *params)
{
    return !params->quirks ? RRF_TIES_INTENDED : params->random_forest ? RRF_TIES_RANDOM_FOREST : RRF_TIES_RRF;
}

/* Checks the arguments of rrf_ranks_new. */
rrf_status check_ranking(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                         const rrf_parallel_params *parallel);
/* Returns whether all values are from 0 to nclass - 1. */
bool are_classes(const int32_t *values, int n, int nclass);
/* Checks data for prediction, in any layout; may_miss: levels may be missing, which forests of the parallel engine
 * allow. */
const char *check_new_data(const rrf_data *data, bool may_miss);
/* Checks test data against training data; NULL: there is none. */
const char *check_test_data(const rrf_data *train, const rrf_data *test);

#endif
