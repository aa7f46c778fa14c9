/* Draws from distributions as in R: the same numbers of the stream in the same order, the same rounding. Parameters
 * that describe no distribution give NaN without a draw, as in R. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_LAWS_H
#define RRF_LAWS_H

#include "rrf.h"

double law_exponential(rrf_rng *rng); /* of mean 1 */
double law_gamma(rrf_rng *rng, double shape, double scale);
double law_beta(rrf_rng *rng, double shape1, double shape2);
double law_poisson(rrf_rng *rng, double mean);
/* From this number of trials on, R uses a quantile of one uniform number. */
#define LAW_MAX_TRIALS 2147483647.0
double law_binomial(rrf_rng *rng, double trials, double chance);

#endif
