/* Regression in engine parallel: the decrease of the sum of squares. The criterion is the sum over both
 * daughters of (sum of w y)^2 / (sum of w). SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>

#include "tree/search.h"

static void sum_bag(const bag *b, double *sums)
{
    sums[SUM_WEIGHT] = b->class_total[0];
    sums[SUM_RESPONSE] = 0.0;
    for (int i = 0; i < b->size; ++i) {
        sums[SUM_RESPONSE] += weight_in_bag(b, b->rows[i]) * b->response[b->rows[i]];
    }
}

/* As in R's regression, a row that was drawn twice counts twice in a node's size. */
static int sum_rows(const search_input *in, const int32_t *rows, int n_rows, double *sums)
{
    int draws = 0;
    double weight = 0.0, sum = 0.0;
    for (int i = 0; i < n_rows; ++i) {
        const double *moments = in->moments + N_MOMENTS * (size_t)rows[i];
        weight += moments[SUM_WEIGHT];
        sum += moments[SUM_RESPONSE];
    }
    for (int i = 0; !weights_are_counts(in->bag) && i < n_rows; ++i) {
        draws += in->bag->count[rows[i]];
    }
    sums[SUM_WEIGHT] = weight;
    sums[SUM_RESPONSE] = sum;
    return weights_are_counts(in->bag) ? (int)weight : draws;
}

static bool is_pure(const double *sums, int nclass)
{
    (void)sums, (void)nclass;
    return false;
}

static double predict(const double *sums)
{
    return sums[SUM_RESPONSE] / sums[SUM_WEIGHT];
}

static void view_node(node_view *view, int nclass)
{
    double weight = view->sums[SUM_WEIGHT], sum = view->sums[SUM_RESPONSE];
    (void)nclass;
    view->weight = weight;
    view->crit = view->offset = sum * sum / weight;
    view->least_gain = 16.0 * DBL_EPSILON * view->crit;
}

/* The moments of a row are contiguous, so that one fetch loads them. */
static void begin_tree(const bag *b, double *values)
{
    for (int i = 0; i < b->size; ++i) {
        int row = b->rows[i];
        double *moments = values + N_MOMENTS * (size_t)row;
        moments[SUM_WEIGHT] = weight_in_bag(b, row);
        moments[SUM_RESPONSE] = weight_in_bag(b, row) * b->response[row];
    }
}

/* The rows of a value are added up first, in their order; the sums of the values are then added in ascending order. So
 * a cut's sums do not depend on the order of rows of equal value. */
static void scan(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
                 bar *bar)
{
    const double total_sum = node->sums[SUM_RESPONSE];
    double left = 0.0, left_sum = 0.0, weight = 0.0, sum = 0.0; /* left of the cut; of the current value */
    (void)sums;
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i];
        weight += in->moments[N_MOMENTS * (size_t)row + SUM_WEIGHT];
        sum += in->moments[N_MOMENTS * (size_t)row + SUM_RESPONSE];
        if (!values_differ(in, c->feature, row, order->rows[i + 1])) {
            continue;
        }
        left += weight;
        left_sum += sum;
        weight = sum = 0.0;
        double right = node->weight - left, right_sum = total_sum - left_sum;
        if (i >= order->first && right > MIN_WEIGHT && left > MIN_WEIGHT) {
            double crit = left_sum * left_sum / left + right_sum * right_sum / right;
            bar_offer(bar, node, c, crit, rank_of(in->ranks, c->feature, row));
        }
    }
}

static void sum_levels(const search_input *in, const node_view *node, int feature, level_mean *means)
{
    for (int i = 0; i < node->size; ++i) {
        const double *moments = in->moments + N_MOMENTS * (size_t)node->rows[i];
        level_mean *mean = means + rank_of(in->ranks, feature, node->rows[i]);
        mean->weight += moments[SUM_WEIGHT];
        mean->sum += moments[SUM_RESPONSE];
    }
}

static double impurity_of_child(double weight, double sum)
{
    return sum * sum / weight;
}

const criterion variance = {.n_moments = N_MOMENTS,
                            .mean_sum = SUM_RESPONSE,
                            .interior = RRF_INTERIOR_REGRESS,
                            .orders_levels = true,
                            .absent_right = true,
                            .sum_bag = sum_bag,
                            .sum_rows = sum_rows,
                            .is_pure = is_pure,
                            .predict = predict,
                            .view = view_node,
                            .begin_tree = begin_tree,
                            .scan = scan,
                            .sum_levels = sum_levels,
                            .impurity_of_child = impurity_of_child};
