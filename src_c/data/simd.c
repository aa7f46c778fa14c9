/* The hot loops in plain C, and the choice. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>

#include "data/simd_loops.h"

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

static void count_planes_plain(const uint64_t *plane, int n_planes, int words, const node_masks *masks, uint64_t *sums)
{
    count_planes(plane, n_planes, words, masks, sums);
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

static void count_smaller_plain(const double *x, int n, int32_t *count)
{
    count_smaller(x, n, count);
}

static void count_smaller_ranks_plain(const int32_t *rank, int n, int32_t *count)
{
    count_smaller_ranks(rank, n, count);
}

static void twist_plain(uint32_t *state)
{
    twist_block(state);
}
static void temper_plain(const uint32_t *state, uint32_t *word)
{
    temper_block(state, word);
}

const simd simd_plain = {find_promising_plain,
                         find_promising_entry_plain,
                         gather_plain,
                         part_plain,
                         pass_untagged_plain,
                         count_smaller_plain,
                         count_smaller_ranks_plain,
                         find_promising_wide_plain,
                         count_planes_plain,
                         twist_plain,
                         temper_plain};

const simd *simd_best(void)
{
#ifdef HAVE_AVX2_TWINS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")) {
        return &simd_avx2;
    }
#endif
    return &simd_plain;
}
