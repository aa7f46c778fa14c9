/* The hooks of random numbers (filters.h). SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FAST_RANDOM_H
#define RRF_FAST_RANDOM_H

#include <stdbool.h>

#include "rrf.h"

bool fast_twist(uint32_t *state);
bool fast_temper(const uint32_t *state, uint32_t *word);
int fast_pass_untagged(const uint8_t *tag, int remaining, const uint32_t *word, int draws);
bool fast_draw_sets(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets);

#endif
