/* R's generator and the streams of engine parallel, one draw at a time. An rrf_rng is R's generator or, if its key is not 0, a SplitMix64 stream. Both make words in blocks,
 * and callers draw from both in the same way.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MERSENNE_H
#define RRF_MERSENNE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rrf.h"

#define RRF_TWO_POW_MINUS_32 2.3283064365386963e-10

/* Makes the next block of words. */
void rng_refill(rrf_rng *rng);

static inline uint32_t rng_word(rrf_rng *rng)
{
    if (rng->position >= RRF_MT_WORDS) {
        rng_refill(rng);
    }
    return rng->word[rng->position++];
}

/* unif_rand(): word * 2^-32, kept inside (0, 1). Only word 0 needs this: 1 - (2^32 - 1) * 2^-32 is positive. */
static inline double word_to_uniform(uint32_t word)
{
    return word ? word * RRF_TWO_POW_MINUS_32 : 0.5 * 2.328306437080797e-10;
}

static inline double rng_uniform(rrf_rng *rng)
{
    return word_to_uniform(rng_word(rng));
}

/* (int)(n * u). While n has 21 bits the product of n and a word is exact in a double, so a shift gives the same. */
static inline int word_to_index(uint32_t word, int n)
{
    return n < (1 << 21) ? (int)(((uint64_t)(uint32_t)n * word) >> 32) : (int)(word_to_uniform(word) * n);
}

static inline int rng_below(rrf_rng *rng, int n)
{
    return word_to_index(rng_word(rng), n);
}

/* Skips `count` draws. */
void rng_skip(rrf_rng *rng, int64_t count);

/* The same for a few draws: most are in the current block. */
static inline void rng_pass(rrf_rng *rng, int count)
{
    if (count <= RRF_MT_WORDS - rng->position) {
        rng->position += count;
    } else {
        rng_skip(rng, count);
    }
}

#endif
