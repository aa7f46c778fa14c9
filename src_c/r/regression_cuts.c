/* The cuts of a feature: which may be the best, and what R computes for those.
 *
 * The sums are R's, in R's order: cases are added one by one in the order by value. Most features of a node beat nothing,
 * though, and of the others few cuts come close to the best. To tell which, sums over rows will do, in any order and
 * rounding: the ratios that they give lie within a margin of those that R's sums would give.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "r/regression.h"

/* Room that the comparisons leave for their own rounding; what passes is evaluated exactly. */
#define SLACK 1.0e-12
/* Outside these bounds the product of a ratio, or a part of it, and a penalty may lose digits to gradual underflow, or
 * overflow: no comparison then. */
#define TINY 1.0e-100
#define HUGE_RATIO 1.0e250

/* What the decrease is multiplied by. Without flagReg RRF's regression forgets coefReg; meant is the guided forest, in
 * which every feature is weighed. */
static double penalty_factor(const variance_search *s, int feature)
{
    if (s->flag_reg) {
        return s->used[feature] ? 1.0 : s->coef_reg[feature];
    }
    return s->quirks ? 1.0 : s->coef_reg[feature];
}

/* ---- a first look ---------------------------------------------------------------------------------------------------- */

/* Half of it bounds the rounding of R's sums and of these, four times over. */
static double find_margin(const variance_search *s, const variance_node *node)
{
    double size = node->size, largest = s->bag->largest, error = 8.0 * DBL_EPSILON * size * size * largest;
    return 4.0 * largest * error + 2.0 * error * error;
}

/* A cut with the sums a and b over l and r cases can beat the best only if a^2 / l + b^2 / r, in these sums, is higher. */
static double bar_to_beat(const variance_search *s, const variance_node *node, double factor, double margin)
{
    double best = fmax(s->best.crit, s->promised);
    if (!(factor > TINY)) {
        return -INFINITY;
    }
    double bar = (node->parent + best / factor) * (1.0 - SLACK);
    return bar > TINY ? bar - margin : -INFINITY;
}

/* The ratio, where l of the node's cases go left and their responses sum to a. */
static inline double ratio_of_cut(const variance_search *s, const variance_node *node, double left_sum, uint32_t left)
{
    double right_sum = node->sum - left_sum;
    return left_sum * left_sum * s->inverse[left] + right_sum * right_sum * s->inverse[(uint32_t)node->size - left];
}

/* The ratios of all cuts; returns the highest. No cut lies between equal values; that is not left to a branch, which
 * nobody could foresee. */
static inline double find_ratios(variance_search *s, const variance_node *node, const double *x)
{
    static const double cap[2] = {-INFINITY, INFINITY};
    node_order *o = &s->order;
    double sum = 0.0, highest = 0.0;
    uint32_t left = 0;
    for (int i = 0; i < o->size - 1; ++i) {
        const bag_row *row = o->rows + o->place[i];
        sum += row->count * row->y;
        left += (uint32_t)row->count;
        double ratio = ratio_of_cut(s, node, sum, left);
        if (x) {
            double most = cap[x[o->key[o->place[i]]] < x[o->key[o->place[i + 1]]]];
            ratio = ratio < most ? ratio : most;
        }
        highest = ratio > highest ? ratio : highest;
        o->left[i] = left;
        o->ratio[i] = ratio;
    }
    return highest;
}

bool cuts_promise(variance_search *s, const variance_node *node, int feature, const double *x)
{
    cut_look *look = &s->look;
    look->factor = penalty_factor(s, feature);
    look->margin = find_margin(s, node);
    look->bar = bar_to_beat(s, node, look->factor, look->margin);
    look->highest = x ? find_ratios(s, node, x) : find_ratios(s, node, NULL);
    return !(look->highest <= look->bar);
}

double cuts_lower_bound(const variance_search *s, const variance_node *node)
{
    const cut_look *look = &s->look;
    if (!(look->bar > -INFINITY) || !(look->highest < HUGE_RATIO)) {
        return 0.0;
    }
    double decrease = (look->highest - 2.0 * look->margin) * (1.0 - SLACK) - node->parent;
    return decrease > 0.0 ? look->factor * decrease * (1.0 - SLACK) : 0.0;
}

int cuts_shortlist(variance_search *s)
{
    cut_look *look = &s->look;
    double floor = (look->highest - 2.0 * look->margin) * (1.0 - SLACK);
    if (look->bar > -INFINITY && look->highest < HUGE_RATIO && floor > look->bar) {
        look->bar = floor;
    }
    int end = s->order.size - 1;
    while (end > 0 && s->order.ratio[end - 1] <= look->bar) {
        --end;
    }
    return end;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

typedef struct cut_sums {
    double left, right; /* R's suml, sumr */
} cut_sums;

/* R's expressions. Of equal cuts the one stands whose feature was drawn first. */
static bool offer_cut(variance_search *s, const variance_node *node, int turn, cut_sums sum, int place)
{
    variance_split *best = &s->best;
    double left = s->order.left[place], right = node->size - left;
    double crit = (sum.left * sum.left / left) + (sum.right * sum.right / right) - node->parent;
    crit = s->look.factor * crit;
    if (!(crit > best->crit || (crit == best->crit && best->feature >= 0 && turn < best->turn))) {
        return false;
    }
    best->crit = crit;
    best->feature = s->drawn[turn];
    best->turn = turn;
    return true;
}

int cuts_evaluate(variance_search *s, const variance_node *node, int turn, int end)
{
    const double *y = s->sorted_y;
    cut_sums sum = {0.0, node->sum};
    uint32_t added = 0;
    int found = -1;
    for (int i = 0; i < end; ++i) {
        if (s->order.ratio[i] <= s->look.bar) {
            continue;
        }
        for (; added < s->order.left[i]; ++added) {
            sum.left += y[added];
            sum.right -= y[added];
        }
        if (offer_cut(s, node, turn, sum, i)) {
            found = i;
        }
    }
    return found;
}
