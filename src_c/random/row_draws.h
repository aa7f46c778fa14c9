/* Rows drawn in R's order: with equal probabilities or by the weights of the cases, with or without replacement.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROW_DRAWS_H
#define RRF_ROW_DRAWS_H

#include "arena.h"
#include "monitor.h"
#include "random/mersenne.h"

typedef struct row_draws {
    bool replace;
    int n;         /* rows that are drawn from; without replacement and with equal probabilities, those that remain */
    int32_t *pool; /* n: their row numbers */
    /* CRAN randomForest's weights; NULL: equal probabilities. */
    double *weight;   /* n: probabilities, in the order of the rows that are drawn from */
    double *left;     /* n: scratch: those of the remaining rows */
    double *boundary; /* n + 1: scratch: their cumulative sums */
} row_draws;

/* weight: n probabilities, or NULL. order: the order of the rows; NULL: unchanged. */
rrf_status row_draws_init(row_draws *d, int n, bool replace, const double *weight, const int32_t *order, arena *memory);
/* Divides the weights, if there are any, of the n rows from `first` on by their sum. */
void row_draws_scale(row_draws *d, int first, int n);
/* Restricts draws to the n rows from `first` on, whose weights have a sum of 1. */
void row_draws_begin(row_draws *d, int first, int n);
/* Draws the next `draws` rows, numbered from 0 at `first`; without replacement all are different. */
rrf_status row_draws_take(row_draws *d, int32_t *drawn, int draws, rrf_rng *rng, watch *w);

#endif
