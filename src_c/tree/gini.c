/* Gini's criterion: the sum over both daughters of sum_k n_k^2 / n. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/class_sums.h"
#include "tree/scan.h"
#include "tree/split_two_class.h"

/* RRF's rule: coefReg multiplies the criterion, and a split need not gain anything. */
static void view_criterion(node_view *view, int nclass)
{
    for (int k = 0; k < nclass; ++k) {
        double total = view->sums[k];
        view->class_parts += total * total;
        view->weight += total;
    }
    view->crit = view->class_parts / view->weight;
    view->two_class_scale = view->weight / 2;
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

static scan_sums begin_sums(splitter *s, const node_view *node)
{
    memset(s->scratch.left_total, 0, (size_t)s->in->nclass * sizeof *s->scratch.left_total);
    memcpy(s->scratch.right_total, node->sums, (size_t)s->in->nclass * sizeof *s->scratch.right_total);
    return (scan_sums){0.0, 0.0, node->class_parts, node->weight};
}

static inline void move_left(splitter *s, int row, scan_sums *sum)
{
    int k = s->in->bag->y[row];
    double weight = weight_in_bag(s->in->bag, row);
    sum->left_squares += weight * (2 * s->scratch.left_total[k] + weight);
    sum->right_squares += weight * (-2 * s->scratch.right_total[k] + weight);
    sum->left += weight;
    sum->right -= weight;
    s->scratch.left_total[k] += weight;
    s->scratch.right_total[k] -= weight;
}

static inline double of_sums(const scan_sums *sum)
{
    return sum->left_squares / sum->left + sum->right_squares / sum->right;
}

/* The sums are R's, in R's order. */
static void scan(splitter *s, const node_view *node, int feature, const row_order *order)
{
    double threshold = scan_threshold(s, node->offset);
    const int32_t *rows = order->rows;
    scan_sums sum = begin_sums(s, node);
    for (int i = 0; i <= order->last; ++i) {
        move_left(s, rows[i], &sum);
        if (!scan_promises(&sum, threshold) || !may_cut(s, feature, order, i) || !(sum.right > MIN_WEIGHT) ||
            !(sum.left > MIN_WEIGHT)) {
            continue;
        }
        if (splitter_offer(s, node, of_sums(&sum), feature, rank_of(s->in->ranks, feature, rows[i]))) {
            threshold = scan_threshold(s, node->offset);
        }
    }
}

static double impurity_of_cut(splitter *s, const node_view *node, int feature, uint32_t cut_rank)
{
    const int32_t *rows = s->scratch.sorted;
    scan_sums sum = begin_sums(s, node);
    for (int i = 0; i < node->size && rank_of(s->in->ranks, feature, rows[i]) <= cut_rank; ++i) {
        move_left(s, rows[i], &sum);
    }
    return of_sums(&sum);
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

static double count_price(double total)
{
    (void)total;
    return 1.0;
}

static double count_threshold(const splitter *s, const node_view *node)
{
    return scan_threshold(s, node->offset);
}

#define GINI(look)                                                                                                     \
    {.interior = RRF_INTERIOR_CLASS,                                                                                   \
     .sum_bag = class_sum_bag,                                                                                         \
     .sum_rows = class_sum_rows,                                                                                       \
     .is_pure = class_is_pure,                                                                                         \
     .view = look,                                                                                                     \
     .scan = scan,                                                                                                     \
     .impurity_of_cut = impurity_of_cut,                                                                               \
     .split_merged = two_class_split,                                                                                  \
     .sum_levels = class_sum_levels,                                                                                   \
     .impurity_of_child = impurity_of_child,                                                                           \
     .of_classes = of_classes,                                                                                         \
     .count_price = count_price,                                                                                       \
     .count_threshold = count_threshold,                                                                               \
     .sums_squares = true}

const criterion gini = GINI(view_criterion), gini_gain = GINI(view_gain);
