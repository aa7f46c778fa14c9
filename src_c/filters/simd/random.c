/* R's generator in vectors, and random sets from whole blocks of it. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/simd/random.h"
#include "filters/simd/simd.h"
#include "filters/switches.h"
#include "random/drawn_sets.h"
#include "random/mersenne.h"

bool fast_twist(uint32_t *state)
{
    if (FILTER_SIMD) {
        simd_best()->twist(state);
    }
    return FILTER_SIMD;
}

bool fast_temper(const uint32_t *state, uint32_t *word)
{
    if (FILTER_SIMD) {
        simd_best()->temper(state, word);
    }
    return FILTER_SIMD;
}

int fast_pass_untagged(const uint8_t *tag, int remaining, const uint32_t *word, int draws)
{
    return simd_best()->pass_untagged(tag, remaining, word, draws);
}

/* ---- random sets ------------------------------------------------------------------------------------------------------- */

enum { BLOCK_BYTES = RRF_MT_WORDS / 8, WORD_BYTES = 8 };
/* The first and the last block may be used partly; a set is read as a word, of which up to 7 bits may belong to another
 * set. */
enum { MAX_BYTES = (MAX_DRAWN_SETS * MAX_DRAWN_ITEMS / RRF_MT_WORDS + 2) * BLOCK_BYTES + WORD_BYTES };

/* Writes a bit for each word of the block: whether the draw is above .5. */
static void flip_block(const rrf_rng *rng, uint8_t *flips)
{
    if (!rng->key) {
        simd_best()->flip(rng->state, flips);
        return;
    }
    memset(flips, 0, BLOCK_BYTES);
    for (int i = 0; i < RRF_MT_WORDS; ++i) {
        flips[i / 8] |= (uint8_t)((word_to_uniform(rng->word[i]) > 0.5) << i % 8);
    }
}

/* Tempers the last block, for the following draws. */
static void next_block(rrf_rng *rng, int wanted)
{
    if (wanted <= RRF_MT_WORDS || rng->key) {
        rng_refill(rng);
    } else {
        simd_best()->twist(rng->state);
    }
}

/* Draws `count` numbers, as whole blocks of bits. Returns the index of the first one's bit. */
static uint32_t flip_coins(rrf_rng *rng, int count, uint8_t *flips)
{
    if (rng->position >= RRF_MT_WORDS) {
        rng_refill(rng);
    }
    int first = rng->position, end = first + count;
    flip_block(rng, flips);
    for (; end > RRF_MT_WORDS; end -= RRF_MT_WORDS) {
        next_block(rng, end - RRF_MT_WORDS);
        flip_block(rng, flips += BLOCK_BYTES);
    }
    rng->position = end;
    return (uint32_t)first;
}

/* Expanded by hand, so that compilers make a single load of it. */
static inline uint64_t read_word(const uint8_t *bytes)
{
    uint64_t low = bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
    return low | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 | (uint64_t)bytes[6] << 48 |
           (uint64_t)bytes[7] << 56;
}

/* Returns the set that begins with bit number `at`. */
static inline uint64_t read_set(const uint8_t *flips, uint32_t at, int n_items)
{
    uint64_t word = read_word(flips + at / 8) >> at % 8;
    return word & (((uint64_t)1 << n_items) - 1);
}

bool fast_draw_sets(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets)
{
    uint8_t flips[MAX_BYTES];
    if (!FILTER_SETS) {
        return false;
    }
    uint32_t at = flip_coins(rng, n_sets * n_items, flips);
    for (int i = 0; i < n_sets; ++i, at += (uint32_t)n_items) {
        sets[i] = (uint32_t)read_set(flips, at, n_items);
    }
    return true;
}
