/* The in-bag sample of a regression tree.
 *
 * RRF copies a row as often as it is drawn. Each draw is a case. The cases of a node are in the order of R's sorting,
 * which decides how sums are rounded. A node has fewer rows than cases, so the search looks at rows, with their number of
 * draws, first. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_BAG_H
#define RRF_REGRESSION_BAG_H

#include "random/row_draws.h"

/* A row that was drawn. */
typedef struct bag_row {
    double y;
    int32_t row;
    int32_t count; /* times it was drawn */
} bag_row;

/* A draw: RRF copies the row. */
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
    bag_row *rows;  /* the rows that were drawn, ascending */
    int n_rows;     /* how many these are */
    double largest; /* of all |y| */
} regression_bag;

rrf_status regression_bag_init(regression_bag *b, const double *y, int n, const rrf_params *params, arena *memory);
rrf_status regression_bag_draw(regression_bag *b, rrf_rng *rng, watch *w);

#endif
