/* The hot loops for any processor, and the choice. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>

#include "filters/simd/simd_body.h"
#include "filters/switches.h"

static int find_promising_plain(const uint32_t *payload, int from, int size, uint32_t *sum,
                                const two_class_filter *filter)
{
    for (int block = from; block < size; block += SIMD_BLOCK) {
        uint32_t running = *sum;
        bool found = false;
        for (int i = block; i < block + SIMD_BLOCK; ++i) {
            running += payload[i];
            found |= payload[i] != 0 && two_class_promises(running, filter);
        }
        if (found) {
            return block;
        }
        *sum = running;
    }
    return size;
}

static int find_promising_entry_plain(const uint64_t *entries, int from, int size, uint32_t *sum,
                                      const two_class_filter *filter)
{
    for (int block = from; block < size; block += SIMD_BLOCK) {
        int end = block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
        uint32_t running = *sum;
        bool found = false;
        for (int i = block; i < end; ++i) {
            running += (uint32_t)(entries[i] >> 32);
            found |= two_class_promises(running, filter);
        }
        if (found) {
            return block;
        }
        *sum = running;
    }
    return size;
}

static int find_promising_wide_plain(const uint64_t *entries, int from, int size, uint64_t *sum,
                                     const two_class_filter *filter)
{
    for (int block = from; block < size; block += SIMD_BLOCK) {
        int end = block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
        uint64_t running = *sum;
        bool found = false;
        for (int i = block; i < end; ++i) {
            running += widen((uint32_t)(entries[i] >> 32));
            found |= two_class_promises_wide(running, filter);
        }
        if (found) {
            return block;
        }
        *sum = running;
    }
    return size;
}

static int gather_plain(uint64_t *mark, int words, uint32_t *slot, uint32_t *ranks, uint32_t *present)
{
    int at = 0;
    for (int w = 0; w < words; ++w) {
        for (uint64_t bits = mark[w]; bits; bits &= bits - 1) {
            uint32_t rank = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(bits);
            ranks[at] = rank;
            present[at++] = slot[rank];
            slot[rank] = 0;
        }
        mark[w] = 0;
    }
    return at;
}

static int part_plain(uint64_t *entries, int size, const uint8_t *left, uint64_t *spare)
{
    return part_rest(entries, 0, size, left, 0, spare);
}

static int pass_untagged_plain(const uint8_t *tag, int remaining, const uint32_t *word, int draws)
{
    return pass_from(tag, remaining, word, draws, 0);
}

/* If a cut leaves nothing on one side, 0 / 0 is not above anything. */
static void best_of_two_classes_plain(const uint32_t *left, int n_cuts, const two_class_filter *node, float *best)
{
    float most[RANK_LANES];
    for (int lane = 0; lane < RANK_LANES; ++lane) {
        most[lane] = -INFINITY;
    }
    for (int i = 0; i < n_cuts; ++i) {
        for (int lane = 0; lane < RANK_LANES; ++lane) {
            int32_t first = (int32_t)(left[i * RANK_LANES + lane] >> 16);
            int32_t cases = (int32_t)(left[i * RANK_LANES + lane] & 0xffff);
            float d = (float)(first * node->total - cases * node->class0);
            float gain = d * d / (float)(cases * (node->total - cases));
            most[lane] = gain > most[lane] ? gain : most[lane];
        }
    }
    memcpy(best, most, sizeof most);
}

static void flip_plain(const uint32_t *state, uint8_t *flips)
{
    for (int i = 0; i < MT_WORDS; i += 8) {
        uint32_t eight = 0;
        for (int j = 0; j < 8; ++j) {
            uint32_t y = state[i + j];
            eight |= ((y ^ y << 4 ^ y << 7 ^ y << 15) >> 31 & (y != MT_HALF)) << j;
        }
        flips[i / 8] = (uint8_t)eight;
    }
}

static void add_to_sets_plain(const uint32_t *set, int n_sets, const uint32_t *payload, int n_things, uint32_t total,
                              const set_sums *sums)
{
    enum { BLOCKS = SETS_AT_A_TIME / SIMD_BLOCK };
    for (int from = 0; from < n_sets; from += SETS_AT_A_TIME) {
        rank_block block[BLOCKS], sum[BLOCKS] = {{0}};
        memcpy(block, set + from, sizeof block);
        for (int j = 0; j < n_things; ++j) {
            for (int b = 0; b < BLOCKS; ++b) {
                sum[b] += -(block[b] >> j & 1) & (int32_t)payload[j];
            }
        }
        for (int b = 0; b < BLOCKS; ++b) {
            add_pair_to_sets(sum + b, total, from + b * SIMD_BLOCK, sums);
        }
    }
}

const simd simd_plain = {.find_promising = find_promising_plain,
                         .find_promising_entry = find_promising_entry_plain,
                         .find_promising_wide = find_promising_wide_plain,
                         .gather = gather_plain,
                         .part = part_plain,
                         .pass_untagged = pass_untagged_plain,
                         .best_of_two_classes = best_of_two_classes_plain,
                         .flip = flip_plain,
                         .add_to_sets = add_to_sets_plain,
                         LOOPS_OF_BODY};

const simd *simd_best(void)
{
#ifdef HAVE_AVX2
    if (FILTER_SIMD && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt")) {
        return &simd_avx2;
    }
#endif
    return &simd_plain;
}
