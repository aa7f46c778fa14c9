/* Random numbers and random sets of levels for AVX2. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/simd_avx2.h"

#ifdef HAVE_AVX2_TWINS

AVX2 void twist_avx2(uint32_t *state)
{
    twist_block(state);
}
AVX2 void temper_avx2(const uint32_t *state, uint32_t *word)
{
    temper_block(state, word);
}

/* The upper halves of 16 words; those of each four words stand together. */
AVX2 static inline __m256i load_upper_halves(const uint32_t *state)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)state), high = _mm256_loadu_si256((const __m256i *)(state + 8));
    return _mm256_packus_epi32(_mm256_srli_epi32(low, 16), _mm256_srli_epi32(high, 16));
}

/* What tempering makes of the highest bit, which it takes from the upper half. */
AVX2 static inline __m256i temper_highest(__m256i y)
{
    __m256i near = _mm256_xor_si256(y, _mm256_slli_epi16(y, 4));
    return _mm256_xor_si256(near, _mm256_xor_si256(_mm256_slli_epi16(y, 7), _mm256_slli_epi16(y, 15)));
}

/* Tempered, MT_HALF is not above 2^31. */
static void clear_halves(const uint32_t *state, uint8_t *flips)
{
    for (int i = 0; i < MT_WORDS; ++i) {
        if (state[i] == MT_HALF) {
            flips[i / 8] &= (uint8_t)~(1U << i % 8);
        }
    }
}

/* 32 words at a time, and 16 of the last ones twice. MT_HALF is looked for where an upper half is the same. */
AVX2 void flip_avx2(const uint32_t *state, uint8_t *flips)
{
    __m256i half = _mm256_set1_epi16((int16_t)(MT_HALF >> 16)), found = _mm256_setzero_si256();
    for (int i = 0; i < MT_WORDS; i = i + 32 == MT_WORDS - 16 ? MT_WORDS - 32 : i + 32) {
        __m256i low = load_upper_halves(state + i), high = load_upper_halves(state + i + 16);
        __m256i signs = _mm256_packs_epi16(temper_highest(low), temper_highest(high));
        __m256i in_order = _mm256_permutevar8x32_epi32(signs, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(in_order);
        found = _mm256_or_si256(found, _mm256_or_si256(_mm256_cmpeq_epi16(low, half), _mm256_cmpeq_epi16(high, half)));
        memcpy(flips + i / 8, &bits, sizeof bits);
    }
    if (!_mm256_testz_si256(found, found)) {
        clear_halves(state, flips);
    }
}

/* Three things are looked up at once: their bits say which of eight sums. */
enum { LOOKED_UP = 3, MAX_LOOKUPS = (32 + LOOKED_UP - 1) / LOOKED_UP };

/* For each three things the cases of their eight sets. Returns how many lookups there are. */
AVX2 static int list_sums(const uint32_t *payload, int n_things, __m256i *table)
{
    int n_lookups = (n_things + LOOKED_UP - 1) / LOOKED_UP;
    for (int t = 0; t < n_lookups; ++t) {
        uint32_t sum[SIMD_BLOCK] = {0};
        for (int j = 0; j < LOOKED_UP; ++j) {
            uint32_t more = t * LOOKED_UP + j < n_things ? payload[t * LOOKED_UP + j] : 0;
            for (int i = 0; i < 1 << j; ++i) {
                sum[(1 << j) + i] = sum[i] + more;
            }
        }
        table[t] = _mm256_loadu_si256((const __m256i *)sum);
    }
    return n_lookups;
}

AVX2 void add_to_sets_avx2(const uint32_t *set, int n_sets, const uint32_t *payload, int n_things, uint32_t total,
                           const set_sums *sums)
{
    enum { BLOCKS = SETS_AT_A_TIME / SIMD_BLOCK };
    __m256i table[MAX_LOOKUPS];
    int n_lookups = list_sums(payload, n_things, table);
    for (int from = 0; from < n_sets; from += SETS_AT_A_TIME) {
        __m256i rest[BLOCKS], sum[BLOCKS];
        rank_block pair[BLOCKS];
        for (int b = 0; b < BLOCKS; ++b) {
            rest[b] = _mm256_loadu_si256((const __m256i *)(set + from + b * SIMD_BLOCK));
            sum[b] = _mm256_setzero_si256();
        }
        for (int t = 0; t < n_lookups; ++t) {
            for (int b = 0; b < BLOCKS; ++b) {
                sum[b] = _mm256_add_epi32(sum[b], _mm256_permutevar8x32_epi32(table[t], rest[b]));
                rest[b] = _mm256_srli_epi32(rest[b], LOOKED_UP);
            }
        }
        memcpy(pair, sum, sizeof pair);
        for (int b = 0; b < BLOCKS; ++b) {
            add_pair_to_sets(pair + b, total, from + b * SIMD_BLOCK, sums);
        }
    }
}

AVX2 int find_promising_set_avx2(const set_sums *sums, int from, int n_sets, int32_t all, float threshold)
{
    return find_promising_set(sums, from, n_sets, all, threshold);
}

#endif
