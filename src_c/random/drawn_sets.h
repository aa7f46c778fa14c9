/* Random sets: a draw for each item, which is in the set if the draw is above .5. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_DRAWN_SETS_H
#define RRF_DRAWN_SETS_H

#include "rrf.h"

/* Largest number of sets that are drawn. */
enum { MAX_DRAWN_SETS = 512, MAX_DRAWN_ITEMS = 53 };

/* Draws n_sets sets of n_items items, at most 32. sets NULL: the draws are skipped. */
void rng_draw_sets(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets);
/* Draws sets of more items. */
void rng_draw_wide_sets(rrf_rng *rng, int n_sets, int n_items, uint64_t *sets);

#endif
