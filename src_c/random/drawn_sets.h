/* Random sets: a draw for each thing, which is in the set if the draw is above .5.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_DRAWN_SETS_H
#define RRF_DRAWN_SETS_H

#include "rrf.h"

/* As many are drawn at most. */
enum { MAX_DRAWN_SETS = 512, MAX_DRAWN_ITEMS = 53 };

/* Draws n_sets sets of n_items things, 32 at most, one after the other. sets NULL: the draws are passed over. */
void rng_draw_sets(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets);
/* The same of more things. */
void rng_draw_wide_sets(rrf_rng *rng, int n_sets, int n_items, uint64_t *sets);

#endif
