/* What the scans of a sorted feature share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SCAN_H
#define RRF_SCAN_H

#include <math.h>

#include "tree/splitter.h"

/* R's 1.0e-5, single precision: neither daughter may weigh less. */
#define MIN_WEIGHT ((double)1.0e-5F)
/* What rounding may leave of the gain of a useless split, in parts of the node's weight. */
#define ROUNDING 1.0e-12
/* Any split of classes is worth more: R's first critmax. */
#define NO_CRITERION ((double)-1.0e25F)

/* Room that the comparison below leaves for its own rounding; what passes is evaluated exactly. */
#define SCAN_SLACK 1.0e-12
/* A criterion times less than this may lose digits to gradual underflow: no comparison then. */
#define MIN_FACTOR 1.0e-200

/* A criterion that is a quotient in each daughter. */
typedef struct scan_sums {
    double left_squares, left, right_squares, right; /* R's rln, rld, rrn, rrd */
} scan_sums;

/* What a criterion has to reach if it is to equal the best split so far. */
static inline double scan_threshold(const splitter *s, double offset)
{
    bool known = s->factor > MIN_FACTOR && s->best.crit > 0.0;
    return known ? (s->best.crit / s->factor + offset) * (1.0 - SCAN_SLACK) : -INFINITY;
}

/* The same comparison without divisions. */
static inline bool scan_promises(const scan_sums *sum, double threshold)
{
    double weight = sum->left * sum->right;
    return !(sum->left_squares * sum->right + sum->right_squares * sum->left <= threshold * weight);
}

/* There may be a cut behind row i of the order. */
static inline bool may_cut(const splitter *s, int feature, const row_order *order, int i)
{
    return i >= order->first && values_differ(s, feature, order->rows[i], order->rows[i + 1]);
}

#endif
