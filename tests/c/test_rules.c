/* What the two rules say of split points, ties and levels. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "check.h"
#include "engine_parallel/node_search.h"
#include "engine_r/class_rule.h"
#include "random/priority.h"
#include "random/reservoir.h"

enum { DRAWS = 60000 };

/* A parallel tree sends what is no larger than the split point left: it must lie between the two, below the right one. */
static void check_point(double below, double above)
{
    double point = hashed_rule.split_point(below, above);
    CHECK(below <= point && point < above, "%.17g between %.17g and %.17g", point, below, above);
}

static void test_split_points(void)
{
    static const double from[] = {0.0, 1.0,      -1.0,     3.0,           DBL_MIN,    1e308,
                                  0.1, -DBL_MIN, 12345.67, -DBL_TRUE_MIN, DBL_MAX / 2};
    for (int i = 0; i < COUNT(from); ++i) {
        double below = from[i];
        /* Of two neighbouring pairs one has its middle rounded up. */
        for (int step = 0; step < 4; ++step) {
            double above = nextafter(below, INFINITY);
            check_point(below, above);
            below = above;
        }
        check_point(from[i], 1.7e308);
    }
    check_point(-DBL_MAX, DBL_MAX);
    check_point(-0.0, DBL_TRUE_MIN);
    CHECK(hashed_rule.split_point(5.0, NAN) == INFINITY, "missing values lie right of every number");
    double odd = 1.0 + DBL_EPSILON, even = 1.0 + 2.0 * DBL_EPSILON;
    CHECK(hashed_rule.split_point(odd, even) == odd, "the middle rounds to the right one");
    CHECK(class_rule_table.split_point(odd, even) == even, "R takes the middle as it is rounded");
}

/* Equal candidates lead equally often, and those that are better always: earlier ties of others do not count. */
static void test_reservoir(void)
{
    int led[5] = {0};
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    for (int i = 0; i < DRAWS; ++i) {
        static const double value[] = {1.0, 1.0, 2.0, 2.0, 2.0};
        reservoir r = {.most = 0.0, .ntie = 1};
        int incumbent = -1;
        for (int k = 0; k < COUNT(value); ++k) {
            incumbent = reservoir_takes(&r, value[k], false, &rng, reservoir_draw) ? k : incumbent;
        }
        ++led[incumbent];
    }
    CHECK(led[0] + led[1] == 0, "the worst led %d times", led[0] + led[1]);
    for (int k = 2; k < COUNT(led); ++k) {
        CHECK(abs(led[k] - DRAWS / 3) < DRAWS / 100, "number %d led %d times of %d", k, led[k], DRAWS);
    }
}

/* CRAN's packages draw for a better candidate, too, and for one that is as good as nothing. */
static void test_quirk_draws(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    rrf_rng_uniform(&rng);
    for (int ties = RRF_TIES_INTENDED; ties <= RRF_TIES_RANDOM_FOREST; ++ties) {
        int quirks = ties != RRF_TIES_INTENDED;
        reservoir r = {.most = 0.0, .ntie = 1};
        int before = rng.position;
        reservoir_takes(&r, 0.0, (rrf_ties)ties, &rng, reservoir_draw);
        CHECK(rng.position - before == quirks, "draws of an empty class: %d", rng.position - before);
        before = rng.position;
        CHECK(reservoir_takes(&r, 1.0, (rrf_ties)ties, &rng, reservoir_draw), "a better one leads");
        CHECK(rng.position - before == quirks, "draws of a better one: %d", rng.position - before);
        before = rng.position;
        CHECK(!reservoir_takes(&r, 0.5, (rrf_ties)ties, &rng, reservoir_draw), "a worse one does not");
        CHECK(rng.position == before, "a worse one draws");
    }
}

/* The incumbent does not depend on the order. */
static void test_priority(void)
{
    static const uint64_t priority[] = {7, 9, 8};
    for (int first = 0; first < COUNT(priority); ++first) {
        lead l = {.most = -1.0};
        int incumbent = -1;
        for (int k = 0; k < COUNT(priority); ++k) {
            int at = (first + k) % COUNT(priority);
            incumbent = priority_takes(&l, 0.0, priority[at]) ? at : incumbent;
        }
        CHECK(incumbent == 1, "started with %d, incumbent %d", first, incumbent);
        CHECK(!priority_takes(&l, -0.5, UINT64_MAX), "a worse one leads");
    }
    lead nobody = {.most = 0.0};
    CHECK(!priority_takes(&nobody, 0.0, UINT64_MAX), "a tie with nobody");
}

/* A split has one name, whichever daughter is called left and wherever absent levels go. */
static void test_names_of_levels(void)
{
    const uint32_t present = 0x2d;
    for (uint32_t levels = 0; levels < 64; ++levels) {
        uint32_t name = hashed_rule.name_levels(levels, present);
        CHECK(name == hashed_rule.name_levels(~levels & present, present), "%x and its complement", (unsigned)levels);
        CHECK(name == hashed_rule.name_levels(levels ^ 0x12, present), "%x with absent levels", (unsigned)levels);
        CHECK(!(name & ~0x0dU), "%x: the last level present goes right", (unsigned)levels);
        CHECK(class_rule_table.name_levels(levels, present) == levels, "R takes %x as it is", (unsigned)levels);
    }
}

int main(void)
{
    test_split_points();
    test_reservoir();
    test_quirk_draws();
    test_priority();
    test_names_of_levels();
    return 0;
}
