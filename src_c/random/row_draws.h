/* Rows drawn in R's order: with equal chances or by the weights of the cases, with or without replacement.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROW_DRAWS_H
#define RRF_ROW_DRAWS_H

#include "arena.h"
#include "monitor.h"
#include "random/mersenne.h"

typedef struct row_draws {
    bool replace;
    int n;         /* rows that are drawn from now; without replacement and with equal chances, those left of them */
    int32_t *pool; /* n: which these are */
    /* CRAN randomForest's weights; NULL: equal chances. */
    double *weight;   /* n: chances; the rows that are drawn from stand side by side */
    double *left;     /* n: scratch: those of the rows not drawn yet */
    double *boundary; /* n + 1: scratch: their sums from the first row on */
} row_draws;

/* weight: n chances, or NULL. order: the rows in the order in which they are to stand; NULL: as they are. */
rrf_status row_draws_init(row_draws *d, int n, bool replace, const double *weight, const int32_t *order, arena *memory);
/* Divides the weights, if there are any, of the n rows from `first` on by their sum. */
void row_draws_scale(row_draws *d, int first, int n);
/* From now on the n rows from `first` on are drawn from. Their weights sum to 1. */
void row_draws_begin(row_draws *d, int first, int n);
/* The next `draws` of them, counted from 0 there; without replacement all are different. */
rrf_status row_draws_take(row_draws *d, int32_t *drawn, int draws, rrf_rng *rng, watch *w);

#endif
