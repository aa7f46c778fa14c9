/* What the loops for AVX2 share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SIMD_AVX2_H
#define RRF_SIMD_AVX2_H

#include "data/simd_loops.h"

#ifdef HAVE_AVX2_TWINS
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* simd_avx2_sets.c */
void twist_avx2(uint32_t *state);
void temper_avx2(const uint32_t *state, uint32_t *word);
void flip_avx2(const uint32_t *state, uint8_t *flips);
void add_to_sets_avx2(const uint32_t *set, int n_sets, const uint32_t *payload, int n_things, uint32_t total,
                      const set_sums *sums);
int find_promising_set_avx2(const set_sums *sums, int from, int n_sets, int32_t all, float threshold);

#endif
#endif
