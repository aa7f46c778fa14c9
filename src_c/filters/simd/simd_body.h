/* Loops that simd_plain.c and simd_avx2.c compile alike, each for its own processors. Vectors are those of the compiler, which also
 * compile where the processor's own are shorter; they are not passed by value, because how depends on the processor.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SIMD_LOOPS_H
#define RRF_SIMD_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "data/partition.h"
#include "filters/simd/cut_lanes_loop.h"
#include "filters/simd/simd.h"

/* A constant number of planes lets the compiler keep their counts in registers. */
ALWAYS_INLINE void count_in(const uint64_t *plane, int n_planes, int words, const node_masks *masks, uint64_t *sums)
{
    for (int v = 0; v < n_planes; ++v) {
        sums[v] = 0;
    }
    for (int group = 0; group < masks->n_groups; ++group) {
        uint64_t count[3] = {0};
        const int32_t *word = masks->word + (size_t)group * (size_t)masks->stride;
        const uint64_t *mask = masks->mask + (size_t)group * (size_t)masks->stride;
        for (int i = 0; i < masks->size[group]; ++i) {
            for (int v = 0; v < n_planes; ++v) {
                uint64_t bits = plane[(size_t)v * (size_t)words + (size_t)word[i]] & mask[i];
                count[v] += (uint64_t)__builtin_popcountll(bits);
            }
        }
        for (int v = 0; v < n_planes; ++v) {
            sums[v] += count[v] * masks->unit[group];
        }
    }
}

static void count_planes(const uint64_t *plane, int n_planes, int words, const node_masks *masks, uint64_t *sums)
{
    if (n_planes == 1) {
        count_in(plane, 1, words, masks, sums);
    } else if (n_planes == 2) {
        count_in(plane, 2, words, masks, sums);
    } else {
        count_in(plane, 3, words, masks, sums);
    }
}

/* Partitions entries[from] .. entries[size - 1]; n_left of those before them went left. */
static inline int part_rest(uint64_t *entries, int from, int size, const uint8_t *left, int n_left, uint64_t *spare)
{
    PARTITION(uint64_t, entries, from, size, left, (uint32_t)item, n_left, spare)
    return n_left;
}

/* The first `passed` draws do not touch a tagged feature. */
static inline int pass_from(const uint8_t *tag, int remaining, const uint32_t *word, int draws, int passed)
{
    while (passed < draws) {
        uint32_t left = (uint32_t)(remaining - passed);
        if (tag[(uint64_t)left * word[passed] >> 32] || tag[left - 1]) {
            break;
        }
        ++passed;
    }
    return passed;
}

static void count_smaller(const double *x, int n, int32_t *count)
{
    for (int i = 0; i < n; ++i) {
        double value = x[i];
        int64_t smaller = 0;
        for (int j = 0; j < n; ++j) {
            smaller += x[j] < value;
        }
        count[i] = (int32_t)smaller;
    }
}

/* Compares a block of ranks. As a loop, the compiler would vectorize the wrong one of the two loops. */
typedef int32_t rank_block __attribute__((vector_size(SIMD_BLOCK * sizeof(int32_t))));

/* Number of blocks that fit the registers, with their counts. */
enum { COUNTED_BLOCKS = 4 };

/* Compares each rank with n_blocks blocks, a compile-time constant. */
ALWAYS_INLINE void count_smaller_of_blocks(const int32_t *rank, int n, int from, int n_blocks, int32_t *count)
{
    rank_block ranks[COUNTED_BLOCKS], smaller[COUNTED_BLOCKS];
    for (int block = 0; block < n_blocks; ++block) {
        memcpy(ranks + block, rank + from + block * SIMD_BLOCK, sizeof *ranks);
        smaller[block] = (rank_block){0};
    }
    for (int j = 0; j < n; ++j) {
#pragma GCC unroll 4
        for (int block = 0; block < n_blocks; ++block) {
            smaller[block] -= ranks[block] > rank[j];
        }
    }
    for (int block = 0; block < n_blocks; ++block) {
        memcpy(count + from + block * SIMD_BLOCK, smaller + block, sizeof *smaller);
    }
}

static void count_smaller_ranks(const int32_t *rank, int n, int32_t *count)
{
    int from = 0, several = COUNTED_BLOCKS * SIMD_BLOCK;
    for (; from + several - SIMD_BLOCK < n; from += several) {
        count_smaller_of_blocks(rank, n, from, COUNTED_BLOCKS, count);
    }
    for (; from < n; from += SIMD_BLOCK) {
        count_smaller_of_blocks(rank, n, from, 1, count);
    }
}

typedef double bin_block __attribute__((vector_size(BIN_BLOCK * sizeof(double))));
typedef int64_t bin_mask __attribute__((vector_size(BIN_BLOCK * sizeof(double))));

/* strength = d^2 / (left * (total - left)), or 0 if a side is empty. Vectors are not passed by value. */
ALWAYS_INLINE void bin_ratio(const bin_block *d, const bin_block *left, double total, bin_block *strength)
{
    bin_block product = *left * (total - *left);
    *strength = (bin_block)((bin_mask)(*d * *d / product) & (bin_mask)(product > 0.0));
}

ALWAYS_INLINE void bin_larger(bin_block *most, const bin_block *other)
{
    bin_mask is_less = *most < *other;
    *most = (bin_block)(((bin_mask)*most & ~is_less) | ((bin_mask)*other & is_less));
}

static double bin_strengths(const bin_cases *bins, int n, double total, double class0, double *strength)
{
    bin_block between = {0.0};
    for (int i = 0; i < n; i += BIN_BLOCK) {
        bin_block left0, left, own0, own1, d, with0, with1, end;
        memcpy(&left0, bins->left0 + i, sizeof left0);
        memcpy(&left, bins->left + i, sizeof left);
        memcpy(&own0, bins->own0 + i, sizeof own0);
        memcpy(&own1, bins->own1 + i, sizeof own1);
        d = left0 * total - left * class0;
        bin_ratio(&d, &left, total, &end);
        bin_larger(&between, &end);
        with1 = d - own1 * class0;
        own1 += left;
        bin_ratio(&with1, &own1, total, &end);
        with0 = d + own0 * (total - class0);
        own0 += left;
        bin_ratio(&with0, &own0, total, &with0);
        bin_larger(&with0, &end);
        memcpy(strength + i, &with0, sizeof with0);
    }
    double most = 0.0;
    for (int i = 0; i < BIN_BLOCK; ++i) {
        most = between[i] > most ? between[i] : most;
    }
    return most;
}

typedef float bin_values __attribute__((vector_size(BIN_SUMS * sizeof(float))));

ALWAYS_INLINE void add_to_bin(double *own, const float *values)
{
    bin_values row;
    bin_block sum;
    memcpy(&row, values, sizeof row);
    memcpy(&sum, own, sizeof sum);
    sum += __builtin_convertvector(row, bin_block);
    memcpy(own, &sum, sizeof sum);
}

static void add_to_bins(const uint8_t *bin, int n, const float *values, double *sums, uint64_t *used)
{
    uint64_t marks[BIN_WORDS];
    begin_marks(marks, n);
    for (int i = 0; i < n && n < MAX_BINS; ++i) {
        add_to_bin(sums + BIN_SUMS * (size_t)bin[i], values + BIN_SUMS * (size_t)i);
        mark_bin(marks, bin[i]);
    }
    for (int i = 0; i < n && n >= MAX_BINS; ++i) {
        add_to_bin(sums + BIN_SUMS * (size_t)bin[i], values + BIN_SUMS * (size_t)i);
    }
    memcpy(used, marks, sizeof marks);
}

ALWAYS_INLINE void bin_absolute(bin_block *number)
{
    *number = (bin_block)((bin_mask)*number & INT64_MAX);
}

static void bound_bins(const response_bins *list, int n, double total, double error, double *least, double *most)
{
    bin_block least_of = {0.0}, most_of = {0.0};
    for (int i = 1; i < n; i += BIN_BLOCK) {
        bin_block begins, ends, sum, high, low, bound;
        memcpy(&begins, list->before + i, sizeof begins);
        memcpy(&ends, list->before + i + 1, sizeof ends);
        memcpy(&sum, list->sum + i, sizeof sum);
        memcpy(&high, list->high + i, sizeof high);
        memcpy(&low, list->low + i, sizeof low);
        begins *= total - begins;
        ends *= total - ends;
        bin_absolute(&sum);
        bin_absolute(&high);
        bin_absolute(&low);
        bin_larger(&high, &low);
        sum -= error;
        high += error;
        sum = (bin_block)((bin_mask)sum & (bin_mask)(sum > 0.0));
        bound = sum * sum * total / begins;
        bin_larger(&least_of, &bound);
        bin_mask is_less = ends < begins;
        ends = (bin_block)(((bin_mask)ends & is_less) | ((bin_mask)begins & ~is_less));
        bound = high * high * total / ends;
        bin_larger(&most_of, &bound);
    }
    *least = *most = 0.0;
    for (int i = 0; i < BIN_BLOCK; ++i) {
        *least = least_of[i] > *least ? least_of[i] : *least;
        *most = most_of[i] > *most ? most_of[i] : *most;
    }
}

/* Computes the cases of one class in a block of sets, and their part in the sums. Vectors are not passed by value: the
 * convention depends on the processor. */
ALWAYS_INLINE void add_class_to_sets(const rank_block *cases, int32_t total, int from, const set_sums *sums)
{
    rank_block inside = *cases, outside = total - inside, sum, inside_squares, outside_squares;
    memcpy(&sum, sums->inside + from, sizeof sum);
    memcpy(&inside_squares, sums->inside_squares + from, sizeof sum);
    memcpy(&outside_squares, sums->outside_squares + from, sizeof sum);
    sum += inside;
    inside_squares += inside * inside;
    outside_squares += outside * outside;
    memcpy(sums->inside + from, &sum, sizeof sum);
    memcpy(sums->inside_squares + from, &inside_squares, sizeof sum);
    memcpy(sums->outside_squares + from, &outside_squares, sizeof sum);
}

/* Both classes of a packed sum. */
ALWAYS_INLINE void add_pair_to_sets(const rank_block *sum, uint32_t total, int from, const set_sums *sums)
{
    rank_block low = *sum & 0xffff, high = *sum >> 16;
    add_class_to_sets(&low, (int32_t)(total & 0xffff), from, sums);
    add_class_to_sets(&high, (int32_t)(total >> 16), from, sums);
}

typedef float real_block __attribute__((vector_size(SIMD_BLOCK * sizeof(float))));

static int find_promising_set(const set_sums *sums, int from, int n_sets, int32_t all, float threshold)
{
    for (; from < n_sets; from += SIMD_BLOCK) {
        uint64_t found[SIMD_BLOCK / 2];
        rank_block inside, inside_squares, outside_squares;
        memcpy(&inside, sums->inside + from, sizeof inside);
        memcpy(&inside_squares, sums->inside_squares + from, sizeof inside);
        memcpy(&outside_squares, sums->outside_squares + from, sizeof inside);
        real_block left = __builtin_convertvector(inside, real_block), right = (float)all - left;
        real_block squares = __builtin_convertvector(inside_squares, real_block) * right;
        squares += __builtin_convertvector(outside_squares, real_block) * left;
        rank_block passes = squares > left * right * threshold;
        memcpy(found, &passes, sizeof found);
        if (found[0] | found[1] | found[2] | found[3]) {
            break;
        }
    }
    return from;
}

static void add_counts(const uint16_t *restrict counts, int n, uint32_t *restrict sums)
{
    for (int i = 0; i < n; ++i) {
        sums[i] += (uint32_t)(counts[i] >> 8) << 16 | (counts[i] & 0xffU);
    }
}

typedef int16_t lane_ranks __attribute__((vector_size(RANK_LANES * sizeof(int16_t))));
typedef uint16_t lane_counts __attribute__((vector_size(RANK_LANES * sizeof(uint16_t))));

/* Cuts that are counted together. With a constant number of them the compiler keeps all sums in registers. */
enum { COUNTED_CUTS = 4 };
ALWAYS_INLINE void count_some(const int16_t *cut, int n_cuts, const int16_t *rank, int n, const uint16_t *payload,
                              uint16_t *left)
{
    lane_ranks at[COUNTED_CUTS], ranks;
    lane_counts sum[COUNTED_CUTS] = {{0}};
    memcpy(at, cut, (size_t)n_cuts * sizeof *at);
    for (int row = 0; row < n; ++row) {
        memcpy(&ranks, rank + (size_t)row * RANK_LANES, sizeof ranks);
        lane_counts own = (lane_counts){0} + payload[row];
        for (int i = 0; i < n_cuts; ++i) {
            sum[i] += (lane_counts)(ranks <= at[i]) & own;
        }
    }
    memcpy(left, sum, (size_t)n_cuts * sizeof *sum);
}

static void count_at_most(const int16_t *cut, int n_cuts, const int16_t *rank, int n, const uint16_t *payload,
                          uint16_t *left)
{
    int i = 0;
    for (; i + COUNTED_CUTS <= n_cuts; i += COUNTED_CUTS) {
        count_some(cut + i * RANK_LANES, COUNTED_CUTS, rank, n, payload, left + i * RANK_LANES);
    }
    for (; i < n_cuts; ++i) {
        count_some(cut + i * RANK_LANES, 1, rank, n, payload, left + i * RANK_LANES);
    }
}

enum { MT_WORDS = 624, MT_SHIFT = 397, MT_WRAP = MT_WORDS - MT_SHIFT };

static inline uint32_t twist(uint32_t upper, uint32_t lower, uint32_t ahead)
{
    uint32_t mixed = (upper & 0x80000000U) | (lower & 0x7fffffffU);
    return ahead ^ (mixed >> 1) ^ (-(mixed & 1U) & 0x9908b0dfU);
}

/* Three ranges, so that no index is taken modulo 624 and the compiler can use vectors. */
static void twist_block(uint32_t *state)
{
    for (int i = 0; i < MT_WRAP; ++i) {
        state[i] = twist(state[i], state[i + 1], state[i + MT_SHIFT]);
    }
    for (int i = MT_WRAP; i < MT_WORDS - 1; ++i) {
        state[i] = twist(state[i], state[i + 1], state[i - MT_WRAP]);
    }
    state[MT_WORDS - 1] = twist(state[MT_WORDS - 1], state[0], state[MT_SHIFT - 1]);
}

static void temper_block(const uint32_t *restrict state, uint32_t *restrict word)
{
    for (int i = 0; i < MT_WORDS; ++i) {
        uint32_t y = state[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680U;
        y ^= (y << 15) & 0xefc60000U;
        word[i] = y ^ (y >> 18);
    }
}

/* The highest bit of a tempered word is the sum of four bits of the state. One state gives 2^31 itself. */
#define MT_HALF 0x80102204U

/* The rows of the table (simd.h) for the functions compiled here. */
#define LOOPS_OF_BODY                                                                                                  \
    .count_smaller = count_smaller, .count_smaller_ranks = count_smaller_ranks, .count_planes = count_planes,          \
    .count_at_most = count_at_most, .add_counts = add_counts, .twist = twist_block, .temper = temper_block,            \
    .find_promising_set = find_promising_set, .class_cuts_worth = class_cuts_worth,                                    \
    .class_lanes_worth = class_lanes_worth, .bin_strengths = bin_strengths, .add_to_bins = add_to_bins,                \
    .bound_bins = bound_bins

#endif
