/* What all criteria share where a sorted feature is scanned for its best cut. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SCAN_H
#define RRF_SCAN_H

#include <math.h>

#include "filters.h"
#include "tree/search.h"

/* R's 1.0e-5, single precision: neither daughter may weigh less. */
#define MIN_WEIGHT ((double)1.0e-5F)
/* A useless split may have this gain by rounding, as a share of the node's weight. */
#define ROUNDING 1.0e-12
/* Any split of classes is worth more: R's first critmax. */
#define NO_CRITERION ((double)-1.0e25F)

/* Slack for the rounding of the comparison below; cuts that pass are evaluated exactly. */
#define SCAN_SLACK 1.0e-12
/* With a smaller factor a criterion may lose digits to gradual underflow, and all cuts are evaluated. */
#define MIN_FACTOR 1.0e-200

/* A criterion that is a quotient in each daughter. */
typedef struct scan_sums {
    double left_squares, left, right_squares, right; /* R's rln, rld, rrn, rrd */
} scan_sums;

/* The criterion that a cut needs to equal the best split so far. */
static inline double scan_threshold(const splitter *s, double offset)
{
    bool known = FILTER_THRESHOLD && s->factor > MIN_FACTOR && s->best.crit > 0.0;
    return known ? (s->best.crit / s->factor + offset) * (1.0 - SCAN_SLACK) : -INFINITY;
}

/* The same comparison without divisions. */
static inline bool scan_promises(const scan_sums *sum, double threshold)
{
    double weight = sum->left * sum->right;
    return !(sum->left_squares * sum->right + sum->right_squares * sum->left <= threshold * weight);
}

/* Whether there may be a cut after row i of the order. */
static inline bool may_cut(const splitter *s, int feature, const row_order *order, int i)
{
    return i >= order->first && values_differ(s, feature, order->rows[i], order->rows[i + 1]);
}

#endif
