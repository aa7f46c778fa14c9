/* The in-bag sample of a regression tree. RRF copies a row as often as it is drawn; each draw is a case.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_BAG_H
#define RRF_REGRESSION_BAG_H

#include "random/row_draws.h"

typedef struct bag_case {
    double y;
    int32_t row;
} bag_case;

typedef struct regression_bag {
    const double *y; /* n */
    int n, size;     /* rows; draws */
    row_draws draws;
    int32_t *draw;  /* size: the row of each draw */
    int32_t *count; /* n: times a row was drawn */
} regression_bag;

rrf_status regression_bag_init(regression_bag *b, const double *y, int n, const rrf_params *params, arena *memory);
rrf_status regression_bag_draw(regression_bag *b, rrf_rng *rng, watch *w);

#endif
