/* Random sets. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"
#include "random/drawn_sets.h"
#include "random/mersenne.h"

static uint64_t draw_set(rrf_rng *rng, int n_items)
{
    uint64_t set = 0;
    for (int i = 0; i < n_items; ++i) {
        set |= (uint64_t)(rng_uniform(rng) > 0.5) << i;
    }
    return set;
}

void rng_draw_sets(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets)
{
    if (!sets) {
        rng_skip(rng, (int64_t)n_sets * n_items);
    } else if (!ASK(draw_sets, false, rng, n_sets, n_items, sets)) {
        for (int i = 0; i < n_sets; ++i) {
            sets[i] = (uint32_t)draw_set(rng, n_items);
        }
    }
}

void rng_draw_wide_sets(rrf_rng *rng, int n_sets, int n_items, uint64_t *sets)
{
    for (int i = 0; i < n_sets; ++i) {
        sets[i] = draw_set(rng, n_items);
    }
}
