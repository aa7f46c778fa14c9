/* The hot loops for AVX2. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/simd_avx2.h"

#ifdef HAVE_AVX2_TWINS
#include <math.h>

typedef struct filter_vectors {
    __m256i weights; /* of the halves of a sum in d: N above, -A below */
    __m256i total;
    __m256 threshold;
} filter_vectors;

AVX2 static inline filter_vectors broadcast_filter(const two_class_filter *filter)
{
    uint32_t weights = (uint32_t)filter->total << 16 | (uint16_t)-filter->class0;
    return (filter_vectors){_mm256_set1_epi32((int32_t)weights), _mm256_set1_epi32(filter->total),
                            _mm256_set1_ps(filter->threshold)};
}

/* Running sums of eight lanes. */
AVX2 static inline __m256i prefix_sums(__m256i x)
{
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    __m256i lower_total = _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xff);
    return _mm256_add_epi32(x, lower_total);
}

AVX2 static inline __m256 promises_avx2(__m256i sums, const filter_vectors *filter)
{
    __m256i left = _mm256_and_si256(sums, _mm256_set1_epi32(0xffff));
    __m256i right = _mm256_sub_epi32(filter->total, left);
    __m256 d = _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, filter->weights));
    __m256 product = _mm256_cvtepi32_ps(_mm256_madd_epi16(left, right));
    return _mm256_cmp_ps(_mm256_mul_ps(d, d), _mm256_mul_ps(filter->threshold, product), _CMP_GT_OQ);
}

AVX2 static inline __m256i last_lane(__m256i x)
{
    return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
}

AVX2 static int find_promising_avx2(const uint32_t *payload, int from, int size, uint32_t *sum,
                                    const two_class_filter *filter)
{
    filter_vectors vectors = broadcast_filter(filter);
    __m256i carry = _mm256_set1_epi32((int32_t)*sum);
    int block = from;
    for (; block < size; block += SIMD_BLOCK) {
        __m256i values = _mm256_loadu_si256((const __m256i *)(payload + block));
        __m256i sums = _mm256_add_epi32(prefix_sums(values), carry);
        __m256 absent = _mm256_castsi256_ps(_mm256_cmpeq_epi32(values, _mm256_setzero_si256()));
        if (_mm256_movemask_ps(_mm256_andnot_ps(absent, promises_avx2(sums, &vectors)))) {
            break;
        }
        carry = last_lane(sums);
    }
    *sum = (uint32_t)_mm256_cvtsi256_si32(carry);
    return block;
}

/* The upper halves of eight entries, in order. */
AVX2 static inline __m256i load_payload(const uint64_t *entries)
{
    __m256 low = _mm256_loadu_ps((const float *)entries), high = _mm256_loadu_ps((const float *)(entries + 4));
    __m256i mixed = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
    return _mm256_permute4x64_epi64(mixed, _MM_SHUFFLE(3, 1, 2, 0));
}

AVX2 static int find_promising_entry_avx2(const uint64_t *entries, int from, int size, uint32_t *sum,
                                          const two_class_filter *filter)
{
    filter_vectors vectors = broadcast_filter(filter);
    __m256i carry = _mm256_set1_epi32((int32_t)*sum);
    int block = from;
    for (; block < size; block += SIMD_BLOCK) {
        __m256i sums = _mm256_add_epi32(prefix_sums(load_payload(entries + block)), carry);
        unsigned found = (unsigned)_mm256_movemask_ps(promises_avx2(sums, &vectors));
        if (size - block < SIMD_BLOCK) {
            found &= (1U << (size - block)) - 1;
        }
        if (found) {
            break;
        }
        carry = last_lane(sums);
    }
    *sum = (uint32_t)_mm256_cvtsi256_si32(carry);
    return block < size ? block : size;
}

/* d^2 / (l * (N - l)) in eight lanes, and what was the largest before. A quotient 0 / 0 is none: of two numbers one of which is
 * not a number, the maximum is the second. */
AVX2 static inline __m256 stronger(__m256 best, __m256i sums, const filter_vectors *filter)
{
    __m256i left = _mm256_and_si256(sums, _mm256_set1_epi32(0xffff));
    __m256 product = _mm256_cvtepi32_ps(_mm256_madd_epi16(left, _mm256_sub_epi32(filter->total, left)));
    __m256 d = _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, filter->weights));
    return _mm256_max_ps(_mm256_div_ps(_mm256_mul_ps(d, d), product), best);
}

AVX2 static inline float largest_lane(__m256 x)
{
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

AVX2 static float best_cut_avx2(const uint32_t *payload, int size, uint32_t sum, const two_class_filter *node)
{
    filter_vectors vectors = broadcast_filter(node);
    __m256i carry = _mm256_set1_epi32((int32_t)sum);
    __m256 best = _mm256_setzero_ps();
    for (int block = 0; block < size; block += SIMD_BLOCK) {
        __m256i values = _mm256_loadu_si256((const __m256i *)(payload + block));
        __m256i sums = _mm256_add_epi32(prefix_sums(values), carry);
        best = stronger(best, sums, &vectors);
        carry = last_lane(sums);
    }
    return largest_lane(best);
}

/* What is read beyond the end counts as no cases. */
AVX2 static float best_cut_of_entries_avx2(const uint64_t *entries, int size, const two_class_filter *node)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    filter_vectors vectors = broadcast_filter(node);
    __m256i carry = _mm256_setzero_si256();
    __m256 best = _mm256_setzero_ps();
    for (int block = 0; block < size; block += SIMD_BLOCK) {
        __m256i own = _mm256_cmpgt_epi32(_mm256_set1_epi32(size - block), lane);
        __m256i payload = _mm256_and_si256(load_payload(entries + block), own);
        __m256i sums = _mm256_add_epi32(prefix_sums(payload), carry);
        best = stronger(best, sums, &vectors);
        carry = last_lane(sums);
    }
    return largest_lane(best);
}

typedef struct wide_filter {
    __m256d total, class0, threshold;
} wide_filter;

/* Which of four splits pass, as bits. */
AVX2 static inline unsigned promises_wide_avx2(__m128i class0_left, __m128i cases_left, const wide_filter *filter)
{
    __m256d left = _mm256_cvtepi32_pd(cases_left);
    __m256d d = _mm256_sub_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(class0_left), filter->total),
                              _mm256_mul_pd(left, filter->class0));
    __m256d product = _mm256_mul_pd(left, _mm256_sub_pd(filter->total, left));
    __m256d passes = _mm256_cmp_pd(_mm256_mul_pd(d, d), _mm256_mul_pd(filter->threshold, product), _CMP_GT_OQ);
    return (unsigned)_mm256_movemask_pd(passes);
}

AVX2 static int find_promising_wide_avx2(const uint64_t *entries, int from, int size, uint64_t *sum,
                                         const two_class_filter *filter)
{
    wide_filter wide = {_mm256_set1_pd((double)filter->total), _mm256_set1_pd((double)filter->class0),
                        _mm256_set1_pd((double)filter->threshold)};
    __m256i class0 = _mm256_set1_epi32((int32_t)(*sum >> 32)), cases = _mm256_set1_epi32((int32_t)*sum);
    int block = from;
    for (; block < size; block += SIMD_BLOCK) {
        __m256i sums = prefix_sums(load_payload(entries + block));
        __m256i class0_left = _mm256_add_epi32(class0, _mm256_srli_epi32(sums, 16));
        __m256i left = _mm256_add_epi32(cases, _mm256_and_si256(sums, _mm256_set1_epi32(0xffff)));
        unsigned found =
            promises_wide_avx2(_mm256_castsi256_si128(class0_left), _mm256_castsi256_si128(left), &wide) |
            promises_wide_avx2(_mm256_extracti128_si256(class0_left, 1), _mm256_extracti128_si256(left, 1), &wide) << 4;
        if (size - block < SIMD_BLOCK) {
            found &= (1U << (size - block)) - 1;
        }
        if (found) {
            break;
        }
        class0 = last_lane(class0_left);
        cases = last_lane(left);
    }
    *sum = (uint64_t)(uint32_t)_mm256_cvtsi256_si32(class0) << 32 | (uint32_t)_mm256_cvtsi256_si32(cases);
    return block < size ? block : size;
}

/* Takes the ranks of a word four at a time, though there may be fewer: a loop whose length nobody can foresee costs more.
 * What is taken too much is the highest rank of the word. Its slot is empty by then, and the next word overwrites it. */
AVX2 static int gather_avx2(uint64_t *mark, int words, uint32_t *slot, uint32_t *ranks, uint32_t *present)
{
    int at = 0;
    for (int w = 0; w < words; ++w) {
        uint64_t bits = mark[w];
        int count = (int)_mm_popcnt_u64(bits);
        mark[w] = 0;
        for (int taken = 0; taken < count; taken += 4) {
            for (int i = 0; i < 4; ++i) {
                uint32_t rank = (uint32_t)w * 64 + (uint32_t)_tzcnt_u64(bits | (uint64_t)1 << 63);
                ranks[at + taken + i] = rank;
                present[at + taken + i] = slot[rank];
                slot[rank] = 0;
                bits = _blsr_u64(bits);
            }
        }
        at += count;
    }
    return at;
}

/* For each set of four flags (bit i for entry i), the permutation that puts the flagged entries first. It moves halves of
 * entries. */
#define PICK(a, b, c, d) {2 * a, 2 * a + 1, 2 * b, 2 * b + 1, 2 * c, 2 * c + 1, 2 * d, 2 * d + 1}
static const int32_t flagged_first[16][8] = {PICK(0, 1, 2, 3), PICK(0, 1, 2, 3), PICK(1, 0, 2, 3), PICK(0, 1, 2, 3),
                                             PICK(2, 0, 1, 3), PICK(0, 2, 1, 3), PICK(1, 2, 0, 3), PICK(0, 1, 2, 3),
                                             PICK(3, 0, 1, 2), PICK(0, 3, 1, 2), PICK(1, 3, 0, 2), PICK(0, 1, 3, 2),
                                             PICK(2, 3, 0, 1), PICK(0, 2, 3, 1), PICK(1, 2, 3, 0), PICK(0, 1, 2, 3)};

AVX2 static inline void store_picked(__m256i entries, unsigned flags, uint64_t *out)
{
    __m256i order = _mm256_loadu_si256((const __m256i *)flagged_first[flags]);
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(entries, order));
}

AVX2 static int part_avx2(uint64_t *entries, int size, const uint8_t *left, uint64_t *spare)
{
    int n_left = 0, n_right = 0, i = 0;
    for (; i + 4 <= size; i += 4) {
        __m256i four = _mm256_loadu_si256((const __m256i *)(entries + i));
        unsigned low = left[(uint32_t)entries[i]] + 2U * left[(uint32_t)entries[i + 1]];
        unsigned high = left[(uint32_t)entries[i + 2]] + 2U * left[(uint32_t)entries[i + 3]];
        unsigned flags = low + 4 * high;
        int count = _mm_popcnt_u32(flags);
        store_picked(four, flags, entries + n_left);
        store_picked(four, 15 - flags, spare + n_right);
        n_left += count;
        n_right += 4 - count;
    }
    return part_rest(entries, i, size, left, n_left, spare + n_right);
}

/* Positions of eight draws: the upper halves of left * word, left - 1 * next word, ... */
AVX2 static inline __m256i drawn_positions(int left, const uint32_t *word)
{
    __m256i lefts = _mm256_sub_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i words = _mm256_loadu_si256((const __m256i *)word);
    __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(lefts, words), 32);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(lefts, 32), _mm256_srli_epi64(words, 32));
    return _mm256_blend_epi32(even, odd, 0xaa);
}

AVX2 static int pass_untagged_avx2(const uint8_t *tag, int remaining, const uint32_t *word, int draws)
{
    int passed = 0;
    for (; passed + 8 <= draws; passed += 8) {
        uint32_t at[8];
        uint64_t tail;
        int left = remaining - passed;
        _mm256_storeu_si256((__m256i *)at, drawn_positions(left, word + passed));
        memcpy(&tail, tag + left - 8, sizeof tail);
        unsigned hit = tag[at[0]] | tag[at[1]] | tag[at[2]] | tag[at[3]];
        hit |= tag[at[4]] | tag[at[5]] | tag[at[6]] | tag[at[7]];
        if (hit || tail) {
            break;
        }
    }
    return pass_from(tag, remaining, word, draws, passed);
}

/* ---- lanes ----------------------------------------------------------------------------------------------------------- */

/* With a constant number of cuts and words the compiler keeps all sums in registers. */
AVX2 static inline __attribute__((always_inline)) void count_some(const int16_t *cut, int cuts, const int16_t *rank,
                                                                  int n, const uint16_t *payload, int n_words,
                                                                  int words, uint16_t *left)
{
    __m256i sum[LANE_CUTS][2], at[LANE_CUTS];
    for (int i = 0; i < cuts; ++i) {
        at[i] = _mm256_loadu_si256((const __m256i *)(cut + i * RANK_LANES));
        sum[i][0] = sum[i][1] = _mm256_setzero_si256();
    }
    for (int row = 0; row < n; ++row) {
        __m256i ranks = _mm256_loadu_si256((const __m256i *)(rank + row * RANK_LANES));
        for (int i = 0; i < cuts; ++i) {
            __m256i above = _mm256_cmpgt_epi16(ranks, at[i]);
            for (int w = 0; w < words; ++w) {
                __m256i unit = _mm256_set1_epi16((int16_t)payload[row * n_words + w]);
                sum[i][w] = _mm256_add_epi16(sum[i][w], _mm256_andnot_si256(above, unit));
            }
        }
    }
    for (int i = 0; i < cuts * words; ++i) {
        uint16_t *out = left + (i / words * n_words + i % words) * RANK_LANES;
        _mm256_storeu_si256((__m256i *)out, sum[i / words][i % words]);
    }
}

AVX2 static inline __attribute__((always_inline)) void count_cuts(const int16_t *cut, int cuts, const int16_t *rank,
                                                                  int n, const uint16_t *payload, int n_words,
                                                                  uint16_t *left)
{
    int word = 0;
    for (; word + 2 <= n_words; word += 2) {
        count_some(cut, cuts, rank, n, payload + word, n_words, 2, left + word * RANK_LANES);
    }
    if (word < n_words) {
        count_some(cut, cuts, rank, n, payload + word, n_words, 1, left + word * RANK_LANES);
    }
}

AVX2 static void count_at_most_avx2(const int16_t *cut, int n_cuts, const int16_t *rank, int n, const uint16_t *payload,
                                    int n_words, uint16_t *left)
{
    int i = 0;
    for (; i + 1 < n_cuts; i += LANE_CUTS) {
        count_cuts(cut + i * RANK_LANES, LANE_CUTS, rank, n, payload, n_words, left + i * n_words * RANK_LANES);
    }
    if (i < n_cuts) {
        count_cuts(cut + i * RANK_LANES, 1, rank, n, payload, n_words, left + i * n_words * RANK_LANES);
    }
}

/* Eight lanes of a cut. */
AVX2 static inline __m256 gain_of_two_classes(const uint32_t *left, const filter_vectors *node)
{
    __m256i sums = _mm256_loadu_si256((const __m256i *)left);
    __m256i cases = _mm256_and_si256(sums, _mm256_set1_epi32(0xffff)), right = _mm256_sub_epi32(node->total, cases);
    __m256 d = _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, node->weights));
    return _mm256_div_ps(_mm256_mul_ps(d, d), _mm256_cvtepi32_ps(_mm256_madd_epi16(cases, right)));
}

/* Of two numbers, one of which is not a number, the maximum is the second. */
AVX2 static void best_of_two_classes_avx2(const uint32_t *left, int n_cuts, const two_class_filter *node, float *best)
{
    filter_vectors vectors = broadcast_filter(node);
    __m256 low = _mm256_set1_ps(-INFINITY), high = low;
    for (int i = 0; i < n_cuts; ++i) {
        low = _mm256_max_ps(gain_of_two_classes(left + i * RANK_LANES, &vectors), low);
        high = _mm256_max_ps(gain_of_two_classes(left + i * RANK_LANES + SIMD_BLOCK, &vectors), high);
    }
    _mm256_storeu_ps(best, low);
    _mm256_storeu_ps(best + SIMD_BLOCK, high);
}

/* ---- the same loops, for wider vectors ------------------------------------------------------------------------------- */

AVX2 static void count_smaller_avx2(const double *x, int n, int32_t *count)
{
    count_smaller(x, n, count);
}
AVX2 static void count_smaller_ranks_avx2(const int32_t *rank, int n, int32_t *count)
{
    count_smaller_ranks(rank, n, count);
}
AVX2 static void count_planes_avx2(const uint64_t *plane, int n_planes, int words, const node_masks *masks,
                                   uint64_t *sums)
{
    count_planes(plane, n_planes, words, masks, sums);
}
AVX2 static void bound_cuts_avx2(const cut_lanes *lanes, float *highest)
{
    bound_cuts(lanes, highest);
}
AVX2 static void add_counts_avx2(const uint16_t *counts, int n, uint32_t *sums)
{
    add_counts(counts, n, sums);
}
AVX2 static float class_cuts_worth_avx2(const uint32_t *key, const int16_t *cut, int n_cuts, const class_rows *rows,
                                        uint16_t *right, float *worth)
{
    return class_cuts_worth(key, cut, n_cuts, rows, right, worth);
}

AVX2 static int find_promising_classes_avx2(const uint32_t *payload, int shift, int from, int size,
                                            const class_rows *rows, uint16_t *left, float threshold)
{
    return find_promising_classes(payload, shift, from, size, rows, left, threshold);
}

AVX2 static void class_lanes_worth_avx2(const int16_t *cut, int n_cuts, const lane_rows *lanes, const class_rows *rows,
                                        uint16_t *right, float *worth, float *best)
{
    class_lanes_worth(cut, n_cuts, lanes, rows, right, worth, best);
}

AVX2 static double bin_strengths_avx2(const bin_cases *bins, int n, double total, double class0, double *strength)
{
    return bin_strengths(bins, n, total, class0, strength);
}

AVX2 static void add_to_bins_avx2(const uint8_t *bin, int n, const float *values, double *sums, uint64_t *used)
{
    add_to_bins(bin, n, values, sums, used);
}

AVX2 static void bound_bins_avx2(const response_bins *list, int n, double total, double error, double *least,
                                 double *most)
{
    bound_bins(list, n, total, error, least, most);
}

const simd simd_avx2 = {find_promising_avx2,
                        find_promising_entry_avx2,
                        gather_avx2,
                        part_avx2,
                        pass_untagged_avx2,
                        count_smaller_avx2,
                        count_smaller_ranks_avx2,
                        find_promising_wide_avx2,
                        count_planes_avx2,
                        count_at_most_avx2,
                        add_counts_avx2,
                        best_of_two_classes_avx2,
                        best_cut_avx2,
                        best_cut_of_entries_avx2,
                        bound_cuts_avx2,
                        twist_avx2,
                        temper_avx2,
                        flip_avx2,
                        add_to_sets_avx2,
                        find_promising_set_avx2,
                        class_cuts_worth_avx2,
                        find_promising_classes_avx2,
                        class_lanes_worth_avx2,
                        bin_strengths_avx2,
                        add_to_bins_avx2,
                        bound_bins_avx2};

#endif
