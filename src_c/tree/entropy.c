/* Information gain: the criterion is the sum over both daughters of sum_k n_k log n_k - n log n, the negative of their
 * entropies. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>

#include "filters.h"
#include "tree/class_sums.h"
#include "tree/scan.h"
#include "tree/split_two_class.h"

/* log 2 */
#define LN_2 0.69314718055994530942

static double v_log_v(double v)
{
    return v > 0.0 ? v * log2(v) : 0.0;
}

/* The same, from a table where the counts are whole numbers. A difference of weights may be less than 0. */
static inline double look_up(const search_input *in, double v)
{
    return v >= 0.0 && v < (double)in->n_counts ? in->impurity_of_count[(int)v] : v_log_v(v);
}

/* Two classes: a cut gains at most d^2 / (scale l r).
 *
 * A daughter of n cases with a share p of class 0 gains n h(p) nats, h(p) = KL(p || p0), p0 the node's share. As h and h' are
 * 0 at p0, h(p) / (p - p0)^2 is the integral over 0 < t < 1 of (1 - t) h''(p0 + t (p - p0)). With h''(q) = 1 / (q (1 - q)),
 * which is convex, it is convex in p and greatest at p = 0 or p = 1: call that K. Both daughters' n (p - p0)^2 add up to
 * d^2 / (N l r). */
static double scale_of(double class0, double class1)
{
    double weight = class0 + class1, p = class0 / weight, q = class1 / weight;
    double at_0 = -log(q) / (p * p), at_1 = -log(p) / (q * q);
    return p > 0.0 && q > 0.0 ? weight * LN_2 / (at_0 > at_1 ? at_0 : at_1) : 0.0;
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
    view->two_class_scale = nclass == 2 ? scale_of(view->sums[0], view->sums[1]) : 0.0;
}

static void scan(splitter *s, const node_view *node, int feature, const row_order *order)
{
    double left = 0.0, right = node->weight, left_logs = 0.0, right_logs = node->class_parts;
    memset(s->scratch.left_total, 0, (size_t)s->in->nclass * sizeof *s->scratch.left_total);
    memcpy(s->scratch.right_total, node->sums, (size_t)s->in->nclass * sizeof *s->scratch.right_total);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i], k = s->in->bag->y[row];
        double weight = weight_in_bag(s->in->bag, row);
        left_logs += v_log_v(s->scratch.left_total[k] + weight) - v_log_v(s->scratch.left_total[k]);
        right_logs += v_log_v(s->scratch.right_total[k] - weight) - v_log_v(s->scratch.right_total[k]);
        s->scratch.left_total[k] += weight;
        s->scratch.right_total[k] -= weight;
        left += weight;
        right -= weight;
        if (right > MIN_WEIGHT && left > MIN_WEIGHT && may_cut(s, feature, order, i)) {
            double crit = left_logs - v_log_v(left) + right_logs - v_log_v(right);
            splitter_offer(s, node, crit, feature, rank_of(s->in->ranks, feature, row));
        }
    }
}

static double impurity_of_child(double weight, double class0)
{
    return v_log_v(class0) + v_log_v(weight - class0) - v_log_v(weight);
}

static double of_classes(const search_input *in, const node_view *node, const double *left_total, double left)
{
    double logs = -look_up(in, left) - look_up(in, node->weight - left);
    for (int k = 0; k < in->nclass; ++k) {
        logs += look_up(in, left_total[k]) + look_up(in, node->sums[k] - left_total[k]);
    }
    return logs;
}

/* The gain in nats is at most half of Pearson's statistic of the cut, or all of it: KL divergence is at most chi^2. With a
 * class of T cases in a node of N priced at 1/T, the statistic is N times the priced sum, less N. */
static double count_price(double total)
{
    return total > 0.0 ? 1.0 / total : 0.0;
}

static double count_threshold(const splitter *s, const node_view *node)
{
    bool known = FILTER_THRESHOLD && s->factor > MIN_FACTOR && s->best.crit > 0.0;
    double slack = SCAN_SLACK + 8.0 * DBL_EPSILON * node->size;
    return known ? (1.0 + s->best.crit / s->factor * LN_2 / node->weight) * (1.0 - slack) : -INFINITY;
}

const criterion entropy = {.interior = RRF_INTERIOR_CLASS,
                           .sum_bag = class_sum_bag,
                           .sum_rows = class_sum_rows,
                           .is_pure = class_is_pure,
                           .view = view_node,
                           .scan = scan,
                           .split_merged = two_class_split,
                           .sum_levels = class_sum_levels,
                           .impurity_of_child = impurity_of_child,
                           .of_classes = of_classes,
                           .count_price = count_price,
                           .impurity_of_count = v_log_v,
                           .count_threshold = count_threshold};
