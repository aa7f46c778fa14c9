/* The in-bag rows of a tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_BAG_H
#define RRF_BAG_H

#include "data/matrix.h"
#include "random/row_draws.h"

typedef struct bag {
    int n, nclass;
    const int32_t *y;
    const double *response;   /* n: a numeric target (all of y is then class 0); NULL for classes */
    const double *classwt;    /* normalised class weights */
    const double *row_weight; /* n: weight of a drawn row; NULL: 1 */
    bool exact;               /* every weight is 1.0, so all sums by class are whole numbers */
    int32_t *count;           /* n: times a row was drawn */
    double *weight;           /* n: sum of its class weights, added draw by draw; see weight_in_bag() */
    double *class_total;      /* nclass: the same by class */
    int32_t *rows;            /* in-bag rows, ascending until a tree is grown on them */
    int size;                 /* their number */
    row_draws draws;
    int32_t *stratum_start; /* nstrata + 1: rows of stratum s are stratum_rows[stratum_start[s] ..] */
    int32_t *stratum_rows;
} bag;

/* Returns whether a class weight is 1.0 or would be without rounding; R's weights miss 1.0 by an ulp for some class
 * sizes. */
static inline bool is_near_one(double weight)
{
    return weight > 1.0 - 1.0e-14 && weight < 1.0 + 1.0e-14;
}

/* Returns whether the weight of a row is the number of times that it was drawn. */
static inline bool weights_are_counts(const bag *b)
{
    return b->exact && !b->row_weight;
}

/* Returns the weight of a row in the bag; if weights are whole numbers it is not stored. */
static inline double weight_in_bag(const bag *b, int row)
{
    return weights_are_counts(b) ? (double)b->count[row] : b->weight[row];
}

/* Computes class weights for the bag, R's normClassWt. */
void normalize_class_weights(const int32_t *y, int n, int nclass, const rrf_params *params, double *classwt);
/* Sets weights near 1.0 to 1.0, because whole numbers are faster. Engine r keeps R's weights. */
void settle_class_weights(double *classwt, int nclass);
/* Returns whether every class weight is 1.0. */
bool weights_are_exact(const double *classwt, int nclass);
rrf_status bag_init(bag *b, int n, int nclass, const int32_t *y, const double *response, const double *classwt,
                    const rrf_params *params, arena *memory);
/* Draws a bag. RRF_ERR_ONE_CLASS: CRAN randomForest has drawn 31 in a row that hold a single class. */
rrf_status bag_draw(bag *b, const rrf_params *params, rrf_rng *rng, watch *w);
/* Sets the bag to count[row] draws of each row. */
rrf_status bag_take(bag *b, const int32_t *count, watch *w);

#endif
