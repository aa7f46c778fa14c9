/* R's order among equal values, of columns whose equal values share a rank.
 *
 * Where sums are not exact, the order in which R adds decides how they are rounded. A filter by value says which columns may
 * hold the best split; only for these R's order matters, so it is found when a column is first read in it. For one thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ORDER_LIKE_R_H
#define RRF_ORDER_LIKE_R_H

#include "data/ranks.h"

typedef struct order_like_r {
    const rrf_ranks *merged;
    uint8_t *known; /* p: the column's order has been computed */
    void *rank; /* p x n, of the width of the merged ranks; columns without a computed order use only address space */
    double *value;   /* n: scratch */
    int32_t *row_at; /* p x n: rows by these ranks, of columns with a computed order */
} order_like_r;

/* Allocates all memory, so that no column needs any later. */
rrf_status order_like_r_init(order_like_r *o, const rrf_ranks *merged, arena *memory);
/* Discards all orders after the merged ranks have changed. */
void order_like_r_forget(order_like_r *o);
/* Returns a numeric column's n ranks, all different also for equal values, in the order of R's sort. */
const void *order_like_r_ranks(order_like_r *o, int feature);
/* Returns the rows in R's order, for a column with ties. */
const int32_t *order_like_r_rows(order_like_r *o, int feature);

#endif
