/* Gini's criterion: the sum over both daughters of sum_k n_k^2 / n. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/class_sums.h"

/* A lower bound on any criterion of classes: R's first critmax. */
#define NO_CRITERION ((double)-1.0e25F)

/* RRF's rule: coefReg multiplies the criterion, and a split may have no gain. */
static void view_criterion(node_view *view, int nclass)
{
    for (int k = 0; k < nclass; ++k) {
        double total = view->sums[k];
        view->class_parts += total * total;
        view->weight += total;
    }
    view->crit = view->class_parts / view->weight;
    view->least_gain = -INFINITY;
    view->floor = NO_CRITERION;
}

/* coefReg multiplies the gain. */
static void view_gain(node_view *view, int nclass)
{
    view_criterion(view, nclass);
    view->offset = view->crit;
    view->least_gain = ROUNDING * view->weight;
    view->floor = 0.0;
}

/* R's loop over the cases of a node in the order of a feature: the sums are R's, in R's order. */
static void scan(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
                 bar *bar)
{
    double *wl = sums, *wr = sums + in->nclass; /* names as in R's findbestsplit */
    double rln = 0.0, rld = 0.0, rrn = node->class_parts, rrd = node->weight;
    begin_sides(in, node, sums);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i], k = in->bag->y[row];
        double u = weight_in_bag(in->bag, row);
        rln += u * (2 * wl[k] + u);
        rrn += u * (-2 * wr[k] + u);
        rld += u;
        rrd -= u;
        wl[k] += u;
        wr[k] -= u;
        if (may_cut(in, c, order, i) && rrd > MIN_WEIGHT && rld > MIN_WEIGHT) {
            bar_offer(bar, node, c, rln / rld + rrn / rrd, rank_of(in->ranks, c->feature, row));
        }
    }
}

static double impurity_of_child(double weight, double class0)
{
    double class1 = weight - class0;
    return (class0 * class0 + class1 * class1) / weight;
}

static double of_classes(const search_input *in, const node_view *node, const double *left_total, double left)
{
    double left_squares = 0.0, right_squares = 0.0;
    for (int k = 0; k < in->nclass; ++k) {
        double total = node->sums[k] - left_total[k];
        left_squares += left_total[k] * left_total[k];
        right_squares += total * total;
    }
    return left_squares / left + right_squares / (node->weight - left);
}

#define GINI(look)                                                                                                     \
    {.interior = RRF_INTERIOR_CLASS,                                                                                   \
     .sum_bag = class_sum_bag,                                                                                         \
     .sum_rows = class_sum_rows,                                                                                       \
     .is_pure = class_is_pure,                                                                                         \
     .view = look,                                                                                                     \
     .scan = scan,                                                                                                     \
     .sum_levels = class_sum_levels,                                                                                   \
     .impurity_of_child = impurity_of_child,                                                                           \
     .of_classes = of_classes}

const criterion gini = GINI(view_criterion), gini_gain = GINI(view_gain);
