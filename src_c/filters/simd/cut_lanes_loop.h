/* The criteria of the cuts of a feature, for both sets of loops (simd_body.h).
 *
 * Written with vectors of the compiler, which also compile where the processor's own are shorter. The order of operations is
 * the same in every lane, so every processor gives the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_CUTS_LOOP_H
#define RRF_CLASS_CUTS_LOOP_H

#include <string.h>

#include "filters/simd/cut_lanes.h"

enum { HALF_LANES = CUT_LANES / 2 };
typedef int16_t cut_keys __attribute__((vector_size(CUT_LANES * sizeof(int16_t))));
typedef uint16_t cut_counts __attribute__((vector_size(CUT_LANES * sizeof(uint16_t))));
typedef uint32_t cut_words __attribute__((vector_size(CUT_LANES * sizeof(uint16_t))));
typedef uint16_t half_counts __attribute__((vector_size(HALF_LANES * sizeof(uint16_t))));
typedef int32_t half_words __attribute__((vector_size(HALF_LANES * sizeof(int32_t))));
typedef float half_floats __attribute__((vector_size(HALF_LANES * sizeof(float))));

/* Sums for eight cuts: cases on the left, and the priced sums of squares of both sides. */
typedef struct half_sums {
    half_floats left, left_squares, right_squares;
} half_sums;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void half_as_floats(const cut_counts *counts, int half, half_floats *out)
{
    half_counts own;
    memcpy(&own, (const char *)counts + (size_t)half * sizeof own, sizeof own);
    half_words words = __builtin_convertvector(own, half_words);
    *out = __builtin_convertvector(words, half_floats);
}

/* Counts the cases of rows `first` to `end` - 1 on the right of a cut. */
ALWAYS_INLINE void count_right(const uint32_t *key, const class_rows *rows, const cut_keys *cuts, int first, int end,
                               cut_counts *right)
{
    cut_counts sum = {0};
    for (int i = first; i < end; ++i) {
        cut_keys keys = (cut_keys)((cut_words){0} + key[i]);
        cut_counts weight = (cut_counts)((cut_words){0} + rows->weight[i]);
        sum += (cut_counts)(keys > *cuts) & weight;
    }
    *right = sum;
}

/* With all numbers as whole numbers of 16 bits. */
ALWAYS_INLINE void sum_small(const uint16_t *counts, const class_rows *rows, half_sums *sums)
{
    cut_counts left = {0}, left_squares = {0}, right_squares = {0};
    for (int k = 0; k < rows->n_classes; ++k) {
        cut_counts right;
        memcpy(&right, counts + k * CUT_LANES, sizeof right);
        cut_counts here = (uint16_t)rows->total[k] - right;
        left += here;
        left_squares += here * here;
        right_squares += right * right;
    }
    for (int half = 0; half < 2; ++half) {
        half_as_floats(&left, half, &sums[half].left);
        half_as_floats(&left_squares, half, &sums[half].left_squares);
        half_as_floats(&right_squares, half, &sums[half].right_squares);
    }
}

ALWAYS_INLINE void sum_priced(const uint16_t *counts, const class_rows *rows, half_sums *sums)
{
    memset(sums, 0, 2 * sizeof *sums);
    for (int k = 0; k < rows->n_classes; ++k) {
        cut_counts in_right;
        memcpy(&in_right, counts + k * CUT_LANES, sizeof in_right);
        for (int half = 0; half < 2; ++half) {
            half_floats right;
            half_as_floats(&in_right, half, &right);
            half_floats here = rows->total[k] - right;
            sums[half].left += here;
            sums[half].left_squares += rows->price[k] * (here * here);
            sums[half].right_squares += rows->price[k] * (right * right);
        }
    }
}

/* Adds both quotients; 0 if a side is empty. */
ALWAYS_INLINE void worth_of_half(const half_sums *sums, float cases, half_floats *worth)
{
    half_floats right = cases - sums->left, product = sums->left * right;
    half_floats ratio = (sums->left_squares * right + sums->right_squares * sums->left) / product;
    *worth = (half_floats)((half_words)ratio & (product > 0.0F));
}

/* Computes the criteria of the lanes from the cases on their right, class by class. Raises the two halves of most. */
ALWAYS_INLINE void worth_of_lanes(const uint16_t *counts, const class_rows *rows, float *worth, half_floats *most)
{
    half_sums sums[2];
    if (rows->even && rows->cases <= (float)SMALL_CASES) {
        sum_small(counts, rows, sums);
    } else {
        sum_priced(counts, rows, sums);
    }
    for (int half = 0; half < 2; ++half) {
        half_floats own;
        worth_of_half(sums + half, rows->cases, &own);
        memcpy(worth + half * HALF_LANES, &own, sizeof own);
        half_words more = own > most[half];
        most[half] = (half_floats)(((half_words)own & more) | ((half_words)most[half] & ~more));
    }
}

static float class_cuts_worth(const uint32_t *key, const int16_t *cut, int n_cuts, const class_rows *rows,
                              uint16_t *right, float *worth)
{
    half_floats most[2] = {{0.0F}};
    for (int block = 0; block < n_cuts; block += CUT_LANES) {
        cut_keys cuts;
        uint16_t *counts = right + block * rows->n_classes;
        memcpy(&cuts, cut + block, sizeof cuts);
        for (int k = 0, first = 0; k < rows->n_classes; first = rows->end[k++]) {
            cut_counts in_right;
            count_right(key, rows, &cuts, first, rows->end[k], &in_right);
            memcpy(counts + k * CUT_LANES, &in_right, sizeof in_right);
        }
        worth_of_lanes(counts, rows, worth + block, most);
    }
    float best = 0.0F;
    for (int i = 0; i < CUT_LANES; ++i) {
        float own = most[i / HALF_LANES][i % HALF_LANES];
        best = own > best ? own : best;
    }
    return best;
}

/* ---- cuts of several features
 * ----------------------------------------------------------------------------------------- */

/* Number of cuts that share one read of the ranks. */
enum { CUTS_AT_A_TIME = 4 };

/* With a constant number of cuts the compiler keeps all sums in registers. */
ALWAYS_INLINE void count_lanes_right(const int16_t *cut, int n_cuts, const lane_rows *lanes, const class_rows *rows,
                                     uint16_t *right)
{
    cut_keys cuts[CUTS_AT_A_TIME];
    memcpy(cuts, cut, (size_t)n_cuts * sizeof *cuts);
    for (int k = 0, i = 0; k < rows->n_classes; ++k) {
        cut_counts sum[CUTS_AT_A_TIME] = {{0}};
        for (; i < rows->end[k]; ++i) {
            cut_keys ranks;
            cut_counts weight = (cut_counts)((cut_words){0} + rows->weight[i]);
            memcpy(&ranks, lanes->rank + (size_t)lanes->row[i] * lanes->stride, sizeof ranks);
            for (int j = 0; j < n_cuts; ++j) {
                sum[j] += (cut_counts)(ranks > cuts[j]) & weight;
            }
        }
        for (int j = 0; j < n_cuts; ++j) {
            memcpy(right + (j * rows->n_classes + k) * CUT_LANES, sum + j, sizeof *sum);
        }
    }
}

static void class_lanes_worth(const int16_t *cut, int n_cuts, const lane_rows *lanes, const class_rows *rows,
                              uint16_t *right, float *worth, float *best)
{
    half_floats most[2] = {{0.0F}};
    int of_cut = rows->n_classes * CUT_LANES, at = 0;
    for (; at + CUTS_AT_A_TIME <= n_cuts; at += CUTS_AT_A_TIME) {
        count_lanes_right(cut + at * CUT_LANES, CUTS_AT_A_TIME, lanes, rows, right + at * of_cut);
    }
    if (at + 2 <= n_cuts) {
        count_lanes_right(cut + at * CUT_LANES, 2, lanes, rows, right + at * of_cut);
        at += 2;
    }
    if (at < n_cuts) {
        count_lanes_right(cut + at * CUT_LANES, 1, lanes, rows, right + at * of_cut);
    }
    for (int i = 0; i < n_cuts; ++i) {
        worth_of_lanes(right + i * of_cut, rows, worth + i * CUT_LANES, most);
    }
    memcpy(best, most, sizeof most);
}

#endif
