/* Which criterion a fit asks for. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/criterion.h"

const criterion *criterion_choose(const rrf_target *target, const rrf_parallel_params *parallel)
{
    if (target->response) {
        return &variance;
    }
    if (parallel && parallel->entropy) {
        return &entropy;
    }
    return parallel && parallel->penalize_gain ? &gini_gain : &gini;
}
