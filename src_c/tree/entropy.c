/* Information gain: the criterion is the sum over both daughters of sum_k n_k log n_k - n log n, the negative of their
 * entropies. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/class_sums.h"

static double v_log_v(double v)
{
    return v > 0.0 ? v * log2(v) : 0.0;
}

static void view_node(node_view *view, int nclass)
{
    for (int k = 0; k < nclass; ++k) {
        double total = view->sums[k];
        view->class_parts += v_log_v(total);
        view->weight += total;
    }
    view->crit = view->offset = view->class_parts - v_log_v(view->weight);
    view->least_gain = ROUNDING * view->weight;
}

static double of_classes(const search_input *in, const node_view *node, const double *left_total, double left)
{
    double logs = -v_log_v(left) - v_log_v(node->weight - left);
    for (int k = 0; k < in->nclass; ++k) {
        logs += v_log_v(left_total[k]) + v_log_v(node->sums[k] - left_total[k]);
    }
    return logs;
}

/* If equal values share a rank, weights are whole numbers: the logarithms are those of the counts at the cut. Otherwise
 * they are added up row by row. */
static void scan(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
                 bar *bar)
{
    double left = 0.0, right = node->weight, left_logs = 0.0, right_logs = node->class_parts;
    double *left_total = sums, *right_total = sums + in->nclass;
    bool counts = in->ranks->kind.ties == TIES_MERGED;
    begin_sides(in, node, sums);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i], k = in->bag->y[row];
        double weight = weight_in_bag(in->bag, row);
        if (!counts) {
            left_logs += v_log_v(left_total[k] + weight) - v_log_v(left_total[k]);
            right_logs += v_log_v(right_total[k] - weight) - v_log_v(right_total[k]);
        }
        left_total[k] += weight;
        right_total[k] -= weight;
        left += weight;
        right -= weight;
        if (right > MIN_WEIGHT && left > MIN_WEIGHT && may_cut(in, c, order, i)) {
            double crit = counts ? of_classes(in, node, left_total, left)
                                 : left_logs - v_log_v(left) + right_logs - v_log_v(right);
            bar_offer(bar, node, c, crit, rank_of(in->ranks, c->feature, row));
        }
    }
}

static double impurity_of_child(double weight, double class0)
{
    return v_log_v(class0) + v_log_v(weight - class0) - v_log_v(weight);
}

const criterion entropy = {.interior = RRF_INTERIOR_CLASS,
                           .sum_bag = class_sum_bag,
                           .sum_rows = class_sum_rows,
                           .is_pure = class_is_pure,
                           .view = view_node,
                           .scan = scan,
                           .sum_levels = class_sum_levels,
                           .impurity_of_child = impurity_of_child,
                           .of_classes = of_classes};
