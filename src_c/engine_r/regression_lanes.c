/* A first look at many features at once: from above, how much their cuts can lower the sum of squares of a node.
 *
 * Most features of a node cannot win, and single precision is enough to see that. So eight features are looked at side by
 * side, and without sorting: for each cut the rows up to it are added up. This takes time in proportion to rows times cuts,
 * which pays where either values or rows are few. The responses are taken from the node's mean: then the decrease of a cut
 * is s^2 N / (l r), where s is the sum of l of N cases, r = N - l.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "filters.h"
#include "engine_r/regression_lanes.h"

/* No more cuts are tried than this, and only in nodes of so many rows, whose ranks stay in the cache. */
enum { MAX_CUTS = 32, MAX_ROWS = 8192 };
/* Up to here whole numbers are exact in single precision. */
enum { MAX_CASES = 1 << FLT_MANT_DIG };
/* The rounding of the last steps in single precision. */
#define RATIO_SLACK 1.0e-6
/* Outside these bounds a square may lose digits near zero, or overflow. */
#define LEAST_SPREAD 1.0e-100
#define MOST_SPREAD 1.0e100

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

void regression_lanes_init(regression_lanes *lanes, const rrf_ranks *ranks, arena *memory)
{
    size_t n = (size_t)(ranks->n < MAX_ROWS ? ranks->n : MAX_ROWS);
    *lanes = (regression_lanes){.ranks = ranks, .simd = simd_best()};
    TAKE(memory, lanes->rank, n * SIMD_BLOCK);
    TAKE(memory, lanes->sums, n);
    TAKE(memory, lanes->n_cases, n);
    TAKE(memory, lanes->values, MAX_CUTS * SIMD_BLOCK);
    for (int i = 0; lanes->values && i < MAX_CUTS * SIMD_BLOCK; ++i) {
        lanes->values[i] = i / SIMD_BLOCK;
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* The sum of the cases' distances from the mean. */
static double find_spread(const regression_node *node, double mean)
{
    double spread = 0.0;
    for (int i = 0; i < node->n_rows; ++i) {
        spread += node->rows[i].count * fabs(node->rows[i].y - mean);
    }
    return spread;
}

/* The rows' parts of the spread, so that no sum of them is beyond 1. */
static void load_rows(regression_lanes *lanes, const regression_node *node, double mean, double spread)
{
    double scale = 1.0 / spread;
    for (int i = 0; i < node->n_rows; ++i) {
        lanes->sums[i] = (float)(node->rows[i].count * (node->rows[i].y - mean) * scale);
        lanes->n_cases[i] = (float)node->rows[i].count;
    }
}

/* ---- features -------------------------------------------------------------------------------------------------------- */

/* The cuts to be tried: after each value, or after each row, whichever are fewer. */
static int count_cuts(const regression_lanes *lanes, const regression_node *node, int feature)
{
    int by_value = lanes->ranks->n_ranks[feature] - 1;
    return by_value < node->n_rows ? by_value : node->n_rows;
}

static bool can_bound(const regression_lanes *lanes, const regression_node *node, int feature)
{
    return lanes->ranks->ncat[feature] == 1 && count_cuts(lanes, node, feature) <= MAX_CUTS;
}

static bool can_bound_any(const regression_lanes *lanes, const regression_node *node, const int32_t *features,
                          int n_features)
{
    bool any = node->n_rows <= MAX_CUTS;
    for (int turn = 0; !any && turn < n_features; ++turn) {
        any = can_bound(lanes, node, features[turn]);
    }
    return FILTER_REGRESSION_LANES && any && node->n_rows <= MAX_ROWS && node->size <= MAX_CASES;
}

/* Bounds the features drawn in these turns, SIMD_BLOCK at most. */
static void bound_together(const regression_lanes *lanes, const regression_node *node, const int32_t *features,
                           const int *turns, int n_turns, double scale, double *bound)
{
    float highest[SIMD_BLOCK];
    bool by_value = true;
    int n_cuts = 0;
    for (int lane = 0; lane < SIMD_BLOCK; ++lane) {
        int feature = features[turns[lane < n_turns ? lane : 0]], cuts = count_cuts(lanes, node, feature);
        n_cuts = cuts > n_cuts ? cuts : n_cuts;
        by_value = by_value && cuts < node->n_rows;
        regression_load_lane(lanes->ranks, feature, node->rows, node->n_rows, lanes->rank + lane);
    }
    cut_lanes look = {.rank = lanes->rank,
                      .sums = lanes->sums,
                      .n_cases = lanes->n_cases,
                      .n_rows = node->n_rows,
                      .n_cuts = n_cuts,
                      .cut = by_value ? lanes->values : lanes->rank,
                      .total = (float)node->size,
                      .slack = (float)(node->n_rows + SIMD_BLOCK) * FLT_EPSILON};
    lanes->simd->bound_cuts(&look, highest);
    for (int lane = 0; lane < n_turns; ++lane) {
        bound[turns[lane]] = (double)highest[lane] * scale;
    }
}

void regression_bound(regression_lanes *lanes, const regression_node *node, const int32_t *features, int n_features,
                      double *bound)
{
    bool any = can_bound_any(lanes, node, features, n_features);
    double mean = node->sum / node->size, spread = any ? find_spread(node, mean) : 0.0;
    bool in_bounds = spread > LEAST_SPREAD && spread < MOST_SPREAD;
    double scale = (1.0 + RATIO_SLACK) * node->size * spread * spread;
    int turns[SIMD_BLOCK], n_turns = 0;
    if (in_bounds) {
        load_rows(lanes, node, mean, spread);
    }
    for (int turn = 0; turn < n_features; ++turn) {
        bound[turn] = INFINITY;
        if (in_bounds && can_bound(lanes, node, features[turn])) {
            turns[n_turns++] = turn;
        }
        if (n_turns == SIMD_BLOCK || (n_turns > 0 && turn == n_features - 1)) {
            bound_together(lanes, node, features, turns, n_turns, scale, bound);
            n_turns = 0;
        }
    }
}
