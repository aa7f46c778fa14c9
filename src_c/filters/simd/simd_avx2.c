/* The hot loops for AVX2. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/simd/simd.h"

#ifdef HAVE_AVX2
#include <immintrin.h>
#include <math.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif

#include "filters/simd/simd_body.h"

typedef struct filter_vectors {
    __m256i weights; /* of the halves of a sum in d: N above, -A below */
    __m256i total;
    __m256 threshold;
} filter_vectors;

static inline filter_vectors broadcast_filter(const two_class_filter *filter)
{
    uint32_t weights = (uint32_t)filter->total << 16 | (uint16_t)-filter->class0;
    return (filter_vectors){_mm256_set1_epi32((int32_t)weights), _mm256_set1_epi32(filter->total),
                            _mm256_set1_ps(filter->threshold)};
}

/* Running sums of eight lanes. */
static inline __m256i prefix_sums(__m256i x)
{
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    __m256i lower_total = _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xff);
    return _mm256_add_epi32(x, lower_total);
}

static inline __m256 promises_avx2(__m256i sums, const filter_vectors *filter)
{
    __m256i left = _mm256_and_si256(sums, _mm256_set1_epi32(0xffff));
    __m256i right = _mm256_sub_epi32(filter->total, left);
    __m256 d = _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, filter->weights));
    __m256 product = _mm256_cvtepi32_ps(_mm256_madd_epi16(left, right));
    return _mm256_cmp_ps(_mm256_mul_ps(d, d), _mm256_mul_ps(filter->threshold, product), _CMP_GT_OQ);
}

static inline __m256i last_lane(__m256i x)
{
    return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
}

static int find_promising_avx2(const uint32_t *payload, int from, int size, uint32_t *sum,
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

/* Returns the upper halves of eight entries, in order. */
static inline __m256i load_payload(const uint64_t *entries)
{
    __m256 low = _mm256_loadu_ps((const float *)entries), high = _mm256_loadu_ps((const float *)(entries + 4));
    __m256i mixed = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
    return _mm256_permute4x64_epi64(mixed, _MM_SHUFFLE(3, 1, 2, 0));
}

static int find_promising_entry_avx2(const uint64_t *entries, int from, int size, uint32_t *sum,
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

typedef struct wide_filter {
    __m256d total, class0, threshold;
} wide_filter;

/* Returns a bit for each of four splits that passes. */
static inline unsigned promises_wide_avx2(__m128i class0_left, __m128i cases_left, const wide_filter *filter)
{
    __m256d left = _mm256_cvtepi32_pd(cases_left);
    __m256d d = _mm256_sub_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(class0_left), filter->total),
                              _mm256_mul_pd(left, filter->class0));
    __m256d product = _mm256_mul_pd(left, _mm256_sub_pd(filter->total, left));
    __m256d passes = _mm256_cmp_pd(_mm256_mul_pd(d, d), _mm256_mul_pd(filter->threshold, product), _CMP_GT_OQ);
    return (unsigned)_mm256_movemask_pd(passes);
}

static int find_promising_wide_avx2(const uint64_t *entries, int from, int size, uint64_t *sum,
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

/* Reads the ranks of a word four at a time, though there may be fewer: a loop of unpredictable length is slower.
 * Surplus reads give the highest rank of the word, whose slot is empty by then, and which the next word overwrites. */
static int gather_avx2(uint64_t *mark, int words, uint32_t *slot, uint32_t *ranks, uint32_t *present)
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

static inline void store_picked(__m256i entries, unsigned flags, uint64_t *out)
{
    __m256i order = _mm256_loadu_si256((const __m256i *)flagged_first[flags]);
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(entries, order));
}

static int part_avx2(uint64_t *entries, int size, const uint8_t *left, uint64_t *spare)
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
static inline __m256i drawn_positions(int left, const uint32_t *word)
{
    __m256i lefts = _mm256_sub_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i words = _mm256_loadu_si256((const __m256i *)word);
    __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(lefts, words), 32);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(lefts, 32), _mm256_srli_epi64(words, 32));
    return _mm256_blend_epi32(even, odd, 0xaa);
}

static int pass_untagged_avx2(const uint8_t *tag, int remaining, const uint32_t *word, int draws)
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

/* Eight lanes of a cut. */
static inline __m256 gain_of_two_classes(const uint32_t *left, const filter_vectors *node)
{
    __m256i sums = _mm256_loadu_si256((const __m256i *)left);
    __m256i cases = _mm256_and_si256(sums, _mm256_set1_epi32(0xffff)), right = _mm256_sub_epi32(node->total, cases);
    __m256 d = _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, node->weights));
    return _mm256_div_ps(_mm256_mul_ps(d, d), _mm256_cvtepi32_ps(_mm256_madd_epi16(cases, right)));
}

/* If one of two numbers is NaN, the maximum is the second. */
static void best_of_two_classes_avx2(const uint32_t *left, int n_cuts, const two_class_filter *node, float *best)
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

/* Returns the upper halves of 16 words, in groups of four. */
static inline __m256i load_upper_halves(const uint32_t *state)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)state), high = _mm256_loadu_si256((const __m256i *)(state + 8));
    return _mm256_packus_epi32(_mm256_srli_epi32(low, 16), _mm256_srli_epi32(high, 16));
}

/* Returns the highest bit after tempering, which depends on the upper half only. */
static inline __m256i temper_highest(__m256i y)
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

/* 32 words at a time, and the last 16 twice. MT_HALF is checked if an upper half is the same. */
static void flip_avx2(const uint32_t *state, uint8_t *flips)
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

/* Three items are looked up at once: their bits select one of eight sums. */
enum { LOOKED_UP = 3, MAX_LOOKUPS = (32 + LOOKED_UP - 1) / LOOKED_UP };

/* Writes the cases of the eight sets of each three items. Returns the number of lookups. */
static int list_sums(const uint32_t *payload, int n_things, __m256i *table)
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

static void add_to_sets_avx2(const uint32_t *set, int n_sets, const uint32_t *payload, int n_things, uint32_t total,
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

const simd simd_avx2 = {.find_promising = find_promising_avx2,
                        .find_promising_entry = find_promising_entry_avx2,
                        .find_promising_wide = find_promising_wide_avx2,
                        .gather = gather_avx2,
                        .part = part_avx2,
                        .pass_untagged = pass_untagged_avx2,
                        .best_of_two_classes = best_of_two_classes_avx2,
                        .flip = flip_avx2,
                        .add_to_sets = add_to_sets_avx2,
                        LOOPS_OF_BODY};

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
