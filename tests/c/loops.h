/* What the tests of the hot loops share: both sets of loops, and a draw from a range.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LOOPS_H
#define LOOPS_H

#include "filters/simd/simd.h"
#include "random/mersenne.h"

static const struct {
    const char *name;
    bool best;
} sets[] = {{"plain", false}, {"best", true}};

static inline const simd *set_at(int i)
{
    return sets[i].best ? simd_best() : &simd_plain;
}

static inline int draw(rrf_rng *rng, int low, int high)
{
    return low + rng_below(rng, high - low + 1);
}

#endif
