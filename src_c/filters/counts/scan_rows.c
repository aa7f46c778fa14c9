/* The plain scan of gini.c without cuts that cannot equal the best split so far. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "filters/counts/scan_rows.h"
#include "tree/class_sums.h"

bool scan_rows(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
               bar *bar)
{
    const filter_input *f = in->filter;
    double *left = sums, *right = sums + in->nclass, threshold = scan_threshold(c, node->offset, bar);
    scan_sums sum = {0.0, 0.0, node->class_parts, node->weight};
    if (!FILTER_THRESHOLD || !f->squares) {
        return false;
    }
    begin_sides(in, node, sums);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i], k = in->bag->y[row];
        double weight = weight_in_bag(in->bag, row);
        sum.left_squares += weight * (2 * left[k] + weight);
        sum.right_squares += weight * (-2 * right[k] + weight);
        sum.left += weight;
        sum.right -= weight;
        left[k] += weight;
        right[k] -= weight;
        if (scan_promises(&sum, threshold) && may_cut(in, c, order, i) && sum.right > MIN_WEIGHT &&
            sum.left > MIN_WEIGHT) {
            double crit = sum.left_squares / sum.left + sum.right_squares / sum.right;
            if (bar_offer(bar, node, c, crit, rank_of(in->ranks, c->feature, row))) {
                threshold = scan_threshold(c, node->offset, bar);
            }
        }
    }
    return true;
}
