/* The cuts of a feature: finds those that may be the best, and evaluates them as R does.
 *
 * R adds the cases one by one in the order of their values, and so does the evaluation. But most features of a node
 * cannot win, and of the others only few cuts are close to the best. To find these, sums over rows in any order are
 * enough: they differ from R's sums by less than a known margin.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "filters.h"
#include "engine_r/regression_cuts.h"
#include "tree/penalty.h"

/* Slack for the rounding of the comparisons; cuts that pass are evaluated exactly. */
#define SLACK 1.0e-12
/* Outside these bounds of the responses squares may lose digits near zero, or overflow, and then no margin holds. */
#define LEAST_RESPONSE 1.0e-100
#define MOST_RESPONSE 1.0e100
/* Below this the product of a ratio and a penalty may lose digits. */
#define TINY 1.0e-100

/* The factor of the decrease. CRAN RRF's regression ignores coefReg with flagReg=0. The intended rule is that of a guided
 * forest, in which every feature is penalized. */
static double penalty_factor(const regression_search *s, int feature)
{
    bool forgets = s->quirks && !s->flag_reg;
    return !forgets && is_penalized(s->flag_reg, s->features.f.has[feature]) ? s->coef_reg[feature] : 1.0;
}

/* ---- a first look ---------------------------------------------------------------------------------------------------- */

/* How far two ratios of the same cut may differ: R's, and the one found here. Half of this is four times the bound on the
 * rounding of both. INFINITY where they cannot be compared: then each cut is evaluated as R does, sums that overflow too. */
double regression_margin(const regression_search *s, const regression_node *node)
{
    double size = node->size, largest = s->bag->largest, error = 8.0 * DBL_EPSILON * size * size * largest;
    if (!FILTER_RATIOS || !(largest > LEAST_RESPONSE && largest < MOST_RESPONSE)) {
        return INFINITY;
    }
    return 4.0 * largest * error + 2.0 * error * error;
}

/* A cut has l cases and the sum a on the left, r and b on the right. To beat the best, its ratio a^2 / l + b^2 / r, as found
 * here, has to be higher than this. */
static double bar_to_beat(const regression_search *s, const regression_node *node, double factor, double margin)
{
    double best = s->best.crit > s->promised ? s->best.crit : s->promised;
    if (!(factor > TINY)) {
        return -INFINITY;
    }
    double bar = (node->parent + best / factor) * (1.0 - SLACK);
    return bar > TINY && margin < INFINITY ? bar - margin : -INFINITY;
}

/* Finds the ratios of all cuts, those between equal values too, and returns the highest. */
static double find_ratios(regression_search *s, const regression_node *node)
{
    regression_sorted *sorted = &s->sorted;
    case_sum sum = {0.0, 0.0};
    double highest = 0.0;
    for (int i = 0; i < sorted->size - 1; ++i) {
        case_sum item = sorted->sums[sorted->place[i]];
        sum.y += item.y;
        sum.cases += item.cases;
        uint32_t left = (uint32_t)(int32_t)sum.cases;
        double ratio = ratio_of_cut(s, node, sum.y, left);
        highest = ratio > highest ? ratio : highest;
        sorted->left[i] = left;
        sorted->ratio[i] = ratio;
    }
    return highest;
}

bool cuts_promise(regression_search *s, const regression_node *node, int feature)
{
    cut_look *look = &s->look;
    look->factor = penalty_factor(s, feature);
    look->margin = regression_margin(s, node);
    look->bar = bar_to_beat(s, node, look->factor, look->margin);
    look->highest = find_ratios(s, node);
    return !(look->highest <= look->bar);
}

double cuts_hope(const regression_search *s, int feature, double bound)
{
    return penalty_factor(s, feature) * bound;
}

bool cuts_bound_promises(const regression_search *s, const regression_node *node, int feature, double bound)
{
    double margin = regression_margin(s, node);
    return !(node->parent + bound + margin <= bar_to_beat(s, node, penalty_factor(s, feature), margin));
}

bool cuts_promise_between_values(regression_search *s)
{
    regression_sorted *sorted = &s->sorted;
    double highest = 0.0;
    for (int i = 0; i < sorted->size - 1; ++i) {
        sorted->ratio[i] = sorted->key[i] < sorted->key[i + 1] ? sorted->ratio[i] : -INFINITY;
        highest = sorted->ratio[i] > highest ? sorted->ratio[i] : highest;
    }
    s->look.highest = highest;
    return !(highest <= s->look.bar);
}

bool cuts_still_promise(const regression_search *s, const regression_node *node, int feature, double highest)
{
    return !(highest <= bar_to_beat(s, node, penalty_factor(s, feature), regression_margin(s, node)));
}

double cuts_lower_bound(const regression_search *s, const regression_node *node)
{
    const cut_look *look = &s->look;
    if (!(look->bar > -INFINITY)) {
        return 0.0;
    }
    double decrease = (look->highest - 2.0 * look->margin) * (1.0 - SLACK) - node->parent;
    return decrease > 0.0 ? look->factor * decrease * (1.0 - SLACK) : 0.0;
}

int cuts_shortlist(regression_search *s)
{
    cut_look *look = &s->look;
    double floor = (look->highest - 2.0 * look->margin) * (1.0 - SLACK);
    if (look->bar > -INFINITY && floor > look->bar) {
        look->bar = floor;
    }
    int end = s->sorted.size - 1;
    while (end > 0 && s->sorted.ratio[end - 1] <= look->bar) {
        --end;
    }
    return end;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

typedef struct cut_sums {
    double left, right; /* R's suml, sumr */
} cut_sums;

/* R's expressions. Of equal cuts of different features the one wins whose feature was drawn first. */
static bool offer_cut(regression_search *s, const regression_node *node, int turn, cut_sums sum, int place)
{
    regression_split *best = &s->best;
    double left = s->sorted.left[place], right = node->size - left;
    double crit = (sum.left * sum.left / left) + (sum.right * sum.right / right) - node->parent;
    crit = penalized(s->look.factor, crit);
    if (!(crit > best->crit || (crit == best->crit && best->feature >= 0 && turn < best->turn))) {
        return false;
    }
    best->crit = crit;
    best->feature = s->drawn[turn];
    best->turn = turn;
    return true;
}

int cuts_evaluate(regression_search *s, const regression_node *node, int turn, int end)
{
    const double *y = s->sorted_y;
    cut_sums sum = {0.0, node->sum};
    uint32_t added = 0;
    int found = -1;
    for (int i = 0; i < end; ++i) {
        if (s->sorted.ratio[i] <= s->look.bar) {
            continue;
        }
        for (; added < s->sorted.left[i]; ++added) {
            sum.left += y[added];
            sum.right -= y[added];
        }
        if (offer_cut(s, node, turn, sum, i)) {
            found = i;
        }
    }
    return found;
}
