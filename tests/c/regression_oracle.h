/* A slow reimplementation of the regression fit: every node sorts all its cases by every feature it draws, with R's sort,
 * and evaluates every cut as written in the specification. No keys, no first look, no filters. It shares with the core the
 * random stream and sort_like_r, which have tests of their own. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGRESSION_ORACLE_H
#define REGRESSION_ORACLE_H

#include "rrf.h"

/* As rrf_fit_regression; forest is filled whatever keep_forest says. *degenerate counts the splits whose point lies
 * outside the two values next to it. */
void regression_oracle_fit(const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
                           const rrf_params *params, rrf_rng *rng, rrf_forest *forest, rrf_regression_result *result,
                           int *degenerate);

#endif
