/* The hot loops in plain C, and the choice. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>

#include "filters.h"
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

/* Half of the lanes: the vectors that every processor has. */
enum { HALF = RANK_LANES / 2 };
typedef int16_t half_ranks __attribute__((vector_size(HALF * sizeof(int16_t))));
typedef uint16_t half_counts __attribute__((vector_size(HALF * sizeof(uint16_t))));

/* One word of the payload, of the rows that are at most the cut. */
static void count_word(const int16_t *cut, const int16_t *rank, int n, const uint16_t *payload, int n_words,
                       uint16_t *left)
{
    half_ranks at, ranks;
    half_counts sum = {0};
    memcpy(&at, cut, sizeof at);
    for (int row = 0; row < n; ++row) {
        memcpy(&ranks, rank + (size_t)row * RANK_LANES, sizeof ranks);
        sum += (half_counts)(ranks <= at) & payload[(size_t)row * (size_t)n_words];
    }
    memcpy(left, &sum, sizeof sum);
}

static void count_at_most_plain(const int16_t *cut, int n_cuts, const int16_t *rank, int n, const uint16_t *payload,
                                int n_words, uint16_t *left)
{
    for (int i = 0; i < n_cuts * n_words; ++i) {
        const int16_t *at = cut + (size_t)(i / n_words) * RANK_LANES;
        uint16_t *out = left + (size_t)i * RANK_LANES;
        count_word(at, rank, n, payload + i % n_words, n_words, out);
        count_word(at + HALF, rank + HALF, n, payload + i % n_words, n_words, out + HALF);
    }
}

static void add_counts_plain(const uint16_t *counts, int n, uint32_t *sums)
{
    add_counts(counts, n, sums);
}

/* Where a cut leaves nothing on one side, 0 / 0 is not above anything. */
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

static float best_cut_plain(const uint32_t *payload, int size, uint32_t sum, const two_class_filter *node)
{
    float best = 0.0F;
    for (int i = 0; i < size; ++i) {
        sum += payload[i];
        float own = two_class_strength(sum, node);
        best = own > best ? own : best;
    }
    return best;
}

static float best_cut_of_entries_plain(const uint64_t *entries, int size, const two_class_filter *node)
{
    uint32_t sum = 0;
    float best = 0.0F;
    for (int i = 0; i < size; ++i) {
        sum += (uint32_t)(entries[i] >> 32);
        float own = two_class_strength(sum, node);
        best = own > best ? own : best;
    }
    return best;
}

static void bound_cuts_plain(const cut_lanes *lanes, float *highest)
{
    bound_cuts(lanes, highest);
}

static void twist_plain(uint32_t *state)
{
    twist_block(state);
}
static void temper_plain(const uint32_t *state, uint32_t *word)
{
    temper_block(state, word);
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

static int find_promising_set_plain(const set_sums *sums, int from, int n_sets, int32_t all, float threshold)
{
    return find_promising_set(sums, from, n_sets, all, threshold);
}

static float class_cuts_worth_plain(const uint32_t *key, const int16_t *cut, int n_cuts, const class_rows *rows,
                                    uint16_t *right, float *worth)
{
    return class_cuts_worth(key, cut, n_cuts, rows, right, worth);
}

static int find_promising_classes_plain(const uint32_t *payload, int shift, int from, int size, const class_rows *rows,
                                        uint16_t *left, float threshold)
{
    return find_promising_classes(payload, shift, from, size, rows, left, threshold);
}

static void class_lanes_worth_plain(const int16_t *cut, int n_cuts, const lane_rows *lanes, const class_rows *rows,
                                    uint16_t *right, float *worth, float *best)
{
    class_lanes_worth(cut, n_cuts, lanes, rows, right, worth, best);
}

static double bin_strengths_plain(const bin_cases *bins, int n, double total, double class0, double *strength)
{
    return bin_strengths(bins, n, total, class0, strength);
}

static void add_to_bins_plain(const uint8_t *bin, int n, const float *values, double *sums, uint64_t *used)
{
    add_to_bins(bin, n, values, sums, used);
}

static void bound_bins_plain(const response_bins *list, int n, double total, double error, double *least, double *most)
{
    bound_bins(list, n, total, error, least, most);
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
                         count_at_most_plain,
                         add_counts_plain,
                         best_of_two_classes_plain,
                         best_cut_plain,
                         best_cut_of_entries_plain,
                         bound_cuts_plain,
                         twist_plain,
                         temper_plain,
                         flip_plain,
                         add_to_sets_plain,
                         find_promising_set_plain,
                         class_cuts_worth_plain,
                         find_promising_classes_plain,
                         class_lanes_worth_plain,
                         bin_strengths_plain,
                         add_to_bins_plain,
                         bound_bins_plain};

const simd *simd_best(void)
{
#ifdef HAVE_AVX2_TWINS
    if (FILTER_SIMD && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt")) {
        return &simd_avx2;
    }
#endif
    return &simd_plain;
}
