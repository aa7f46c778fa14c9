/* Gini's criterion and entropy in whole numbers of cases. Other criteria are not counted. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include <float.h>

#include "filters/counts/criteria.h"

/* log 2 */
#define LN_2 0.69314718055994530942

/* ---- Gini -------------------------------------------------------------------------------------------------------------- */

static double gini_scale(const node_view *node)
{
    return node->weight / 2;
}

static double gini_of_classes(const search_input *in, const node_view *node, const double *left_total, double left)
{
    return gini.of_classes(in, node, left_total, left);
}

static double gini_price(double total)
{
    (void)total;
    return 1.0;
}

static double gini_threshold(const column *c, const node_view *node, const bar *bar)
{
    return scan_threshold(c, node->offset, bar);
}

/* ---- entropy ----------------------------------------------------------------------------------------------------------- */

/* Two classes: a cut gains at most d^2 / (scale l r).
 *
 * A daughter of n cases with a share p of class 0 gains n h(p) nats, h(p) = KL(p || p0), p0 the node's share. As h and h' are
 * 0 at p0, h(p) / (p - p0)^2 is the integral over 0 < t < 1 of (1 - t) h''(p0 + t (p - p0)). With h''(q) = 1 / (q (1 - q)),
 * which is convex, it is convex in p and greatest at p = 0 or p = 1: call that K. Both daughters' n (p - p0)^2 add up to
 * d^2 / (N l r). */
static double entropy_scale(const node_view *node)
{
    double weight = node->sums[0] + node->sums[1], p = node->sums[0] / weight, q = node->sums[1] / weight;
    double at_0 = -log(q) / (p * p), at_1 = -log(p) / (q * q);
    return p > 0.0 && q > 0.0 ? weight * LN_2 / (at_0 > at_1 ? at_0 : at_1) : 0.0;
}

/* Returns n log n from a table of whole numbers. */
static inline double look_up(const filter_input *f, double count)
{
    return count < (double)f->n_logarithms ? f->logarithm[(int)count] : count > 0.0 ? count * log2(count) : 0.0;
}

/* Adds logarithms in the order of entropy.c. */
static double entropy_of_classes(const search_input *in, const node_view *node, const double *left_total, double left)
{
    const filter_input *f = in->filter;
    double logs = -look_up(f, left) - look_up(f, node->weight - left);
    for (int k = 0; k < in->nclass; ++k) {
        logs += look_up(f, left_total[k]) + look_up(f, node->sums[k] - left_total[k]);
    }
    return logs;
}

/* The gain in nats is at most half of Pearson's statistic of the cut, or all of it: KL divergence is at most chi^2. With a
 * class of T cases in a node of N priced at 1/T, the statistic is N times the priced sum, less N. */
static double entropy_price(double total)
{
    return total > 0.0 ? 1.0 / total : 0.0;
}

static double entropy_threshold(const column *c, const node_view *node, const bar *bar)
{
    bool known = FILTER_THRESHOLD && c->factor > MIN_FACTOR && bar->best.crit > 0.0;
    double slack = SCAN_SLACK + 8.0 * DBL_EPSILON * node->size;
    return known ? (1.0 + bar->best.crit / c->factor * LN_2 / node->weight) * (1.0 - slack) : -INFINITY;
}

/* Larger counts are rare: they occur in nodes near the root of a large tree. */
enum { MAX_TABULATED = 1 << 16 };

void tabulate_logarithms(filter_input *f, const search_input *in, arena *memory)
{
    int size = in->data->n < MAX_TABULATED ? in->data->n + 1 : MAX_TABULATED;
    if (in->criterion == &entropy && (f->two_classes || f->several)) {
        TAKE(memory, f->logarithm, size);
        f->n_logarithms = f->logarithm ? size : 0;
    }
    for (int i = 0; i < f->n_logarithms; ++i) {
        f->logarithm[i] = i ? i * log2((double)i) : 0.0;
    }
}

const count_criterion *count_criterion_of(const criterion *c)
{
    static const count_criterion squares = {true, gini_scale, gini_of_classes, gini_price, gini_threshold};
    static const count_criterion logarithms = {false, entropy_scale, entropy_of_classes, entropy_price,
                                               entropy_threshold};
    return c == &gini || c == &gini_gain ? &squares : c == &entropy ? &logarithms : NULL;
}
