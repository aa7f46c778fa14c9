/* The bags of a classification forest of CRAN randomForest.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FOREST_BAG_H
#define RRF_FOREST_BAG_H

#include "random/case_draws.h"
#include "tree/bag.h"

/* cases: ready where params->case_weight is set, its rows stratum by stratum. */
rrf_status forest_bag_init(case_draws *cases, const bag *b, const rrf_params *params);
/* Draws a bag. RRF_ERR_ONE_CLASS: without strata 31 bags in a row held a single class. */
rrf_status forest_bag_draw(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng, watch *w);

#endif
