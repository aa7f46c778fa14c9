/* Rows drawn by the weights of the cases, as CRAN randomForest draws them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CASE_DRAWS_H
#define RRF_CASE_DRAWS_H

#include "random/mersenne.h"

typedef struct case_draws {
    double *weight;   /* n: chances; the rows that are drawn from stand side by side */
    double *left;     /* n: scratch: those of the rows not drawn yet */
    double *boundary; /* n + 1: scratch: their sums from the first row on */
    int n;            /* of the rows that are drawn from now */
} case_draws;

/* order: the rows in the order in which they are to stand; NULL: as they are. */
rrf_status case_draws_init(case_draws *d, int n, const double *weight, const int32_t *order);
void case_draws_free(case_draws *d);
/* Divides the weights of the n rows from `first` on by their sum. */
void case_draws_scale(case_draws *d, int first, int n);
/* What the next draw costs, in numbers that are looked at. */
int64_t case_draws_work(const case_draws *d, bool replace);
/* From now on the n rows from `first` on are drawn from. Their weights sum to 1. */
void case_draws_begin(case_draws *d, int first, int n);
/* One of them, counted from 0 there; without replacement one that has not been drawn. */
int case_draws_next(case_draws *d, bool replace, rrf_rng *rng);

#endif
