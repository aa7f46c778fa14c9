/* The loop that looks at cuts of eight features at once, plain and the fastest that this processor can run, against what simd.h
 * says of it. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "check.h"
#include "filters/simd/simd.h"
#include "random/mersenne.h"

enum { ROUNDS = 3000 };

static int draw(rrf_rng *rng, int low, int high)
{
    return low + rng_below(rng, high - low + 1);
}

static void draw_lanes(rrf_rng *rng, cut_lanes *lanes, int32_t *rank, float *sums, float *n_cases, int32_t *cut)
{
    int n_values = draw(rng, 1, 2 * lanes->n_rows), total = 0;
    for (int row = 0; row < lanes->n_rows; ++row) {
        int count = draw(rng, 1, 4);
        total += count;
        n_cases[row] = (float)count;
        sums[row] = (float)(rng_uniform(rng) - 0.5) / (float)lanes->n_rows;
    }
    for (int i = 0; i < lanes->n_rows * SIMD_BLOCK; ++i) {
        rank[i] = draw(rng, 0, n_values - 1);
    }
    for (int i = 0; i < lanes->n_cuts * SIMD_BLOCK; ++i) {
        cut[i] = draw(rng, 0, n_values - 1);
    }
    *lanes = (cut_lanes){rank, sums, n_cases, lanes->n_rows, lanes->n_cuts, cut, (float)total, lanes->slack};
}

static double naive_bound(const cut_lanes *lanes, int lane)
{
    double highest = 0.0;
    for (int k = 0; k < lanes->n_cuts; ++k) {
        double sum = 0.0, left = 0.0;
        for (int row = 0; row < lanes->n_rows; ++row) {
            bool goes_left = lanes->rank[row * SIMD_BLOCK + lane] <= lanes->cut[k * SIMD_BLOCK + lane];
            sum += goes_left ? (double)lanes->sums[row] : 0.0;
            left += goes_left ? (double)lanes->n_cases[row] : 0.0;
        }
        double distance = fabs(sum) + (double)lanes->slack, product = left * ((double)lanes->total - left);
        highest = product > 0.0 ? fmax(highest, distance * distance / product) : highest;
    }
    return highest;
}

static void test_bound_cuts(void)
{
    enum { MAX_CUTS = 9, MAX_ROWS = 40 };
    rrf_rng rng;
    rrf_rng_seed(&rng, 23);
    for (int round = 0; round < ROUNDS; ++round) {
        int32_t rank[MAX_ROWS * SIMD_BLOCK], cut[MAX_CUTS * SIMD_BLOCK];
        float sums[MAX_ROWS], n_cases[MAX_ROWS], plain[SIMD_BLOCK], best[SIMD_BLOCK];
        cut_lanes lanes = {.n_rows = draw(&rng, 1, MAX_ROWS), .n_cuts = draw(&rng, 0, MAX_CUTS), .slack = 1e-3F};
        draw_lanes(&rng, &lanes, rank, sums, n_cases, cut);
        simd_plain.bound_cuts(&lanes, plain);
        simd_best()->bound_cuts(&lanes, best);
        for (int lane = 0; lane < SIMD_BLOCK; ++lane) {
            double expected = naive_bound(&lanes, lane), error = fabs((double)plain[lane] - expected);
            CHECK(best[lane] == plain[lane], "round %d: the fastest is not as plain C", round);
            CHECK(error <= 1e-5 * expected, "round %d: %g, not %g", round, (double)plain[lane], expected);
        }
    }
}

int main(void)
{
    test_bound_cuts();
    return 0;
}
