/* The criterion of a fit, by its parameters. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/criterion.h"

/* By rrf_criterion and rrf_penalty. */
static const criterion *const CRITERIA[RRF_N_CRITERIA][RRF_N_PENALTIES] = {
    [RRF_GINI] = {[RRF_PENALIZE_CRITERION] = &gini, [RRF_PENALIZE_GAIN] = &gini_gain},
    [RRF_ENTROPY] = {&entropy, &entropy},
    [RRF_VARIANCE] = {&variance, &variance},
};

const criterion *criterion_choose(const rrf_target *target, const rrf_parallel_params *parallel)
{
    rrf_criterion asked = parallel ? parallel->criterion : RRF_CRITERION_OF_R;
    rrf_penalty penalty = parallel ? parallel->penalty : RRF_PENALIZE_CRITERION;
    if (asked == RRF_CRITERION_OF_R) {
        asked = target->response ? RRF_VARIANCE : RRF_GINI;
    }
    return CRITERIA[asked][penalty];
}
