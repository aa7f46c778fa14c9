/* The current column if two classes are counted in whole numbers. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TWO_CLASS_H
#define RRF_TWO_CLASS_H

#include "filters/counts/incumbent.h"
#include "filters/counts/rounding_bound.h"

/* Slack for the rounding of the comparisons; cuts that pass are evaluated exactly. */
#define TWO_CLASS_SLACK 1.0e-12

/* With a of the left's l cases in class 0, and A of the node's N, Gini's criterion is N - 2AB/N + 2 d^2 / (N l r) where
 * d = aN - lA. Of another one a cut gains at most d^2 / (scale l r). */
typedef struct two_class {
    scan scan;
    bool asks;            /* the search ends at the first cut that may equal the best */
    double total, class0; /* N, A */
    double slack;         /* largest difference between R's criterion and the one of whole numbers */
    double scale;         /* a cut gains at most d^2 / (scale l r) */
    two_class_filter filter;
} two_class;

/* A node's own criterion is N - 2AB/N. */
static inline void set_threshold(two_class *t)
{
    const node_view *node = t->scan.node;
    double threshold = -INFINITY, inverse = t->scan.column.inverse;
    if (FILTER_THRESHOLD && inverse > 0.0) {
        threshold = (t->scan.bar->best.crit * inverse + node->offset - node->crit - t->slack) * t->scale;
    }
    t->filter.threshold = (float)(threshold > 0.0 ? threshold * (1.0 - SINGLE_SLACK) : threshold);
}

/* Returns the count nearest to a sum; round() would be a library call. */
static inline double whole(double sum)
{
    return (double)(int64_t)(sum + 0.5);
}

/* Written in place, because the structure is too large to be returned in registers. */
static inline void two_class_begin(two_class *t, const scan *c)
{
    const node_view *node = c->node;
    t->scan = *c;
    t->asks = false;
    t->total = whole(node->weight);
    t->class0 = whole(node->sums[0]);
    t->scale = c->own->scale;
    t->slack = TWO_CLASS_SLACK * t->total + rounding_bound(c->in, node, t->total);
    t->filter.total = (int32_t)t->total;
    t->filter.class0 = (int32_t)t->class0;
    set_threshold(t);
}

/* Returns whether even a perfect split, of which d^2 = AB * l * r, would not suffice. */
static inline bool two_class_is_hopeless(const two_class *t)
{
    return (double)t->filter.threshold > t->class0 * (t->total - t->class0);
}

/* Evaluates R's expressions on whole numbers, or another criterion. True if the search can end. */
static inline bool two_class_evaluate(two_class *t, double class0_left, double left, uint32_t cut_rank)
{
    scan *c = &t->scan;
    double class1_left = left - class0_left, right = t->total - left;
    double class0_right = t->class0 - class0_left, class1_right = right - class0_right;
    if (left <= 0.0 || right <= 0.0) {
        return false;
    }
    double left_squares = class0_left * class0_left + class1_left * class1_left;
    double right_squares = class0_right * class0_right + class1_right * class1_right;
    double crit = left_squares / left + right_squares / right;
    if (t->asks) {
        incumbent_answer answer = incumbent_compare(c, crit, t->slack, cut_rank);
        if (answer == INCUMBENT_BEATEN) {
            set_threshold(t);
        }
        return answer == INCUMBENT_UNSURE;
    }
    if (!c->read->counts->sums_squares) {
        crit = c->read->counts->of_classes(c->in, c->node, (double[]){class0_left, class1_left}, left);
    }
    if (scan_offer(c, crit, cut_rank)) {
        set_threshold(t);
    }
    return false;
}

/* The same from a wide sum: class 0 in the upper half, all cases in the lower. */
static inline bool two_class_evaluate_wide(two_class *t, uint64_t sum, uint32_t cut_rank)
{
    return two_class_evaluate(t, (double)(sum >> 32), (double)(uint32_t)sum, cut_rank);
}

/* Returns the wide payload of a row, read from the bag, because the halves of a packed one may be too small for the
 * count of a row. */
static inline uint64_t wide_count(const bag *b, int row)
{
    uint64_t count = (uint64_t)b->count[row];
    return b->y[row] == 0 ? count << 32 | count : count;
}

#endif
