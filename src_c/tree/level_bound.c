/* How much a split of a factor's levels can gain. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "tree/level_bound.h"
#include "tree/scan.h"
#include "tree/rounding_bound.h"

/* Up to 32 levels and MAX_BOUND_CLASSES classes, deviations that miss by 4 ulps, sums that miss by 1 a term: the squares and
 * the trace's square miss by less than this share of trace * (trace + weight). */
#define REST_SLACK 1.0e-13

/* A split gains at most the largest eigenvalue of C = sum_i w_i d_i d_i', d_i the deviations of level i. For daughters are
 * sums of levels: with z_i = sqrt(w_i) times a number for each side, of length 1 and at a right angle to sqrt(w), the gain is
 * z' D D' z, where D D' and C share their eigenvalues. C has rank K - 1 at most. Of its eigenvalues the sum t and the sum of
 * squares f are known: the others of the largest one have at least (t - largest)^2 / (K - 2) of f. */
double bound_gain(const level_mean *levels, int n_levels, const double *deviation, size_t stride, int nclass)
{
    double trace = 0.0, squares = 0.0, weight = 0.0, others = nclass - 2;
    for (int i = 0; i < n_levels; ++i) {
        weight += levels[i].weight;
    }
    for (int a = 0; a < nclass; ++a) {
        const double *row = deviation + (size_t)a * stride;
        for (int b = 0; b <= a; ++b) {
            const double *column = deviation + (size_t)b * stride;
            double sum = 0.0;
            for (int i = 0; i < n_levels; ++i) {
                sum += levels[i].weight * row[i] * column[i];
            }
            trace += a == b ? sum : 0.0;
            squares += a == b ? sum * sum : 2.0 * sum * sum;
        }
    }
    /* Of nearly equal eigenvalues the root would make much of what is lost to rounding here, so that is added first. */
    double lost = REST_SLACK * (others + 1.0) * trace * (trace + weight);
    double rest = (others + 1.0) * squares - trace * trace + lost;
    return (trace + sqrt(others * (rest > 0.0 ? rest : 0.0))) / (others + 1.0);
}

/* ---- from sums by level and class ------------------------------------------------------------------------------------ */

bool counts_cases(const splitter *s, const node_view *node)
{
    bool counts = weights_are_counts(s->in->bag) || (s->in->packs && node->weight <= (double)MAX_PACKED);
    return counts && s->in->criterion->sums_squares;
}

/* What a gain of at most `gain` falls short of the best split so far, with what R may add in rounding (rounding_bound.h). */
static bool falls_short(const splitter *s, const node_view *node, double gain)
{
    double most = node->crit + gain + BOUND_SLACK * (gain + node->weight) + rounding_bound(s->in, node, node->weight);
    return most < scan_threshold(s, node->offset);
}

/* What is gained if each level becomes a daughter: no two daughters gain more. Fills in the levels' weights. */
static double gain_of_all(const splitter *s, const node_view *node, const int *level, int n_levels, level_mean *weighed)
{
    double crit = 0.0;
    for (int j = 0; j < n_levels; ++j) {
        const double *total = s->scratch.level_total + (size_t)level[j] * (size_t)s->in->nclass;
        double weight = 0.0, squares = 0.0;
        for (int k = 0; k < s->in->nclass; ++k) {
            weight += total[k];
            squares += total[k] * total[k];
        }
        weighed[j].weight = weight;
        crit += squares / weight;
    }
    return crit - node->crit;
}

static double gain_at_most(const splitter *s, const node_view *node, const int *level, int n_levels,
                           const level_mean *weighed)
{
    double deviation[MAX_BOUND_CLASSES * RRF_MAX_PACKED];
    for (int k = 0; k < s->in->nclass; ++k) {
        double share = node->sums[k] / node->weight;
        for (int j = 0; j < n_levels; ++j) {
            double total = s->scratch.level_total[(size_t)k + (size_t)level[j] * (size_t)s->in->nclass];
            deviation[k * RRF_MAX_PACKED + j] = total / weighed[j].weight - share;
        }
    }
    return bound_gain(weighed, n_levels, deviation, RRF_MAX_PACKED, s->in->nclass);
}

/* The second bound is at least the first one's share of each of the K - 1 directions in which levels differ. */
bool levels_are_hopeless(const splitter *s, const node_view *node, const int *level, int n_levels)
{
    level_mean weighed[RRF_MAX_PACKED];
    if (!FILTER_LEVEL_BOUND || !counts_cases(s, node)) {
        return false;
    }
    double gain = gain_of_all(s, node, level, n_levels, weighed);
    bool differs = s->in->nclass > 2 && s->in->nclass <= MAX_BOUND_CLASSES;
    return falls_short(s, node, gain) || (differs && falls_short(s, node, gain / (s->in->nclass - 1)) &&
                                          falls_short(s, node, gain_at_most(s, node, level, n_levels, weighed)));
}
