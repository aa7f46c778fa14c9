/* The bounds on what a split of a factor's levels gains, against all of their splits.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "random/mersenne.h"
#include "tree/level_bound.h"

enum { LEVELS = 8, CLASSES = 5, ROUNDS = 3000 };

typedef struct table {
    int n_levels, nclass, level[LEVELS];
    double count[CLASSES * LEVELS];
    bag bag;
    search_input in;
    node_view node;
    double sums[CLASSES];
    splitter s;
} table;

/* near: sums miss whole numbers by some ulps. groups: levels have only so many kinds of shares. */
static void make_table(table *t, rrf_rng *rng, bool near, int groups)
{
    memset(t, 0, sizeof *t);
    t->n_levels = 2 + rng_below(rng, LEVELS - 1);
    t->nclass = 2 + rng_below(rng, CLASSES - 1);
    t->bag.exact = !near;
    t->in = (search_input){.bag = &t->bag, .nclass = t->nclass, .criterion = &gini, .packs = true};
    for (int j = 0; j < t->n_levels; ++j) {
        double *count = t->count + j * t->nclass;
        t->level[j] = j;
        for (int k = 0; k < t->nclass; ++k) {
            double shared = j >= groups ? t->count[j % groups * t->nclass + k] * (1 + j / groups) : rng_below(rng, 9);
            count[k] = shared * (near ? 1.0 + (rng_below(rng, 5) - 2) * DBL_EPSILON : 1.0);
        }
        count[0] += j < groups;
        for (int k = 0; k < t->nclass; ++k) {
            t->sums[k] += count[k];
        }
    }
    t->node = (node_view){.sums = t->sums, .size = 40};
    gini.view(&t->node, t->nclass);
    t->s = (splitter){.in = &t->in, .factor = 1.0, .inverse = 1.0, .scratch = {.level_total = t->count}};
}

/* Levels that differ as much in every direction: t^2 - 3 s^2 = 1, so that the eigenvalues differ by 1 of t^2. */
static void make_even_table(table *t)
{
    const double along = 5042.0, across = 2911.0, mean = 7979.0;
    memset(t, 0, sizeof *t);
    t->n_levels = LEVELS;
    t->nclass = 3;
    t->bag.exact = true;
    t->in = (search_input){.bag = &t->bag, .nclass = t->nclass, .criterion = &gini, .packs = false};
    for (int j = 0; j < LEVELS; ++j) {
        double *count = t->count + j * t->nclass, a = j & 4 ? -along : along, b = j & 2 ? -across : across;
        t->level[j] = j;
        count[0] = mean + a + b;
        count[1] = mean - a + b;
        count[2] = mean - 2.0 * b;
        for (int k = 0; k < t->nclass; ++k) {
            t->sums[k] += count[k];
        }
    }
    t->node = (node_view){.sums = t->sums, .size = 191496};
    gini.view(&t->node, t->nclass);
    t->s = (splitter){.in = &t->in, .factor = 1.0, .inverse = 1.0, .scratch = {.level_total = t->count}};
}

static double best_crit(const table *t)
{
    double best = 0.0;
    for (uint32_t set = 1; set < (uint32_t)1 << (t->n_levels - 1); ++set) {
        double left[CLASSES] = {0.0}, weight = 0.0;
        for (int i = 0; i < t->n_levels * t->nclass; ++i) {
            double inside = set >> i / t->nclass & 1 ? t->count[i] : 0.0;
            left[i % t->nclass] += inside;
            weight += inside;
        }
        best = fmax(best, gini.of_classes(&t->in, &t->node, left, weight));
    }
    return best;
}

static double bound(const table *t)
{
    level_mean levels[LEVELS];
    double deviation[CLASSES * LEVELS];
    for (int j = 0; j < t->n_levels; ++j) {
        levels[j].weight = 0.0;
        for (int k = 0; k < t->nclass; ++k) {
            levels[j].weight += t->count[j * t->nclass + k];
        }
        for (int k = 0; k < t->nclass; ++k) {
            deviation[k * LEVELS + j] = t->count[j * t->nclass + k] / levels[j].weight - t->sums[k] / t->node.weight;
        }
    }
    return bound_gain(levels, t->n_levels, deviation, LEVELS, t->nclass);
}

static bool is_hopeless(table *t, double best)
{
    t->s.best.crit = best;
    return levels_are_hopeless(&t->s, &t->node, t->level, t->n_levels);
}

static void check_table(table *t, int round, int groups)
{
    double most = best_crit(t), gain = most - t->node.crit, at_most = bound(t);
    double slack = 1.0e-10 * t->node.weight, slacks = 1.0e-6 * t->node.weight;
    CHECK(at_most >= gain - slack, "round %d: %g gained, and at most %g", round, gain, at_most);
    CHECK(groups > 2 || at_most <= gain + slack, "round %d: two kinds of levels gain %g, not %g", round, gain, at_most);
    CHECK(!is_hopeless(t, most), "round %d: the best split is ruled out", round);
    CHECK(is_hopeless(t, t->node.crit + at_most + slacks), "round %d: nothing reaches that", round);
    t->s.factor = 0.5;
    CHECK(!is_hopeless(t, 0.5 * most) && is_hopeless(t, 0.5 * (t->node.crit + at_most + slacks)), "round %d: factor",
          round);
}

/* Without a split so far, of other criteria, or with other weights nothing is known. */
static void check_unknown(table *t)
{
    double never = 2.0 * t->node.weight;
    t->s.factor = 1.0;
    CHECK(!is_hopeless(t, -1.0), "no split yet");
    t->in.criterion = &entropy;
    CHECK(!is_hopeless(t, never), "entropy");
    t->in.criterion = &gini;
    t->bag.exact = t->in.packs = false;
    CHECK(!is_hopeless(t, never), "weights");
    t->bag.exact = true;
    CHECK(is_hopeless(t, never), "a split that is out of reach");
}

int main(void)
{
    static table t;
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    make_even_table(&t);
    check_table(&t, -1, LEVELS);
    for (int round = 0; round < ROUNDS; ++round) {
        int groups = round % 3 ? LEVELS : 2;
        make_table(&t, &rng, round % 2, groups);
        check_table(&t, round, groups);
        check_unknown(&t);
    }
    return 0;
}
