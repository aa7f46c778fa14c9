/* The hot loops of the filters. Each has a plain C form that defines its result. simd_body.h is compiled twice, for any
 * processor and for AVX2; a few loops are written for AVX2 by hand. A test checks that both give the same results. The
 * choice is made once, at the begin of a fit. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SIMD_H
#define RRF_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "filters/simd/cut_lanes.h"

/* Number of rows that the loops process at a time. */
enum { SIMD_BLOCK = 8 };
/* Number of 16-bit lanes of a vector, one feature each. */
enum { RANK_LANES = 16 };
_Static_assert((int)RANK_LANES == (int)CUT_LANES, "cuts of one feature or of several take the same loops");
/* Most cases of a node whose class counts are packed into one word: the counts and their products must fit. */
enum { MAX_PACKED = 32767 };
_Static_assert(MAX_PACKED <= INT16_MAX && MAX_PACKED <= INT32_MAX / MAX_PACKED, "the filter multiplies two counts");

/* A node of two classes has N cases, A of them in class 0. A split sends l cases left, a of them of class 0. It can equal
 * the best split so far only if d^2 > threshold * l * (N - l), where d = aN - lA. A packed sum is a << 16 | l. */
typedef struct two_class_filter {
    int32_t total, class0; /* N, A */
    float threshold;
} two_class_filter;

/* A node's rows as bits. Rows of one class whose in-bag counts have a bit in common form a group; a group is a list of the
 * words that are not zero. */
typedef struct node_masks {
    int n_groups;
    int stride;           /* group g's list begins at g * stride */
    const int32_t *size;  /* n_groups: length in words */
    const uint64_t *unit; /* n_groups: the payload that a row's bit in the group stands for */
    const int32_t *word;  /* n_groups lists: indices of the words */
    const uint64_t *mask; /* their bits */
} node_masks;

/* Sums over sets of items, set by set: the cases in the set, and the sums of the squares of a class's cases in the set
 * and outside it. */
typedef struct set_sums {
    int32_t *inside, *inside_squares, *outside_squares;
} set_sums;

/* Number of sets that the loop over them processes at a time. */
enum { SETS_AT_A_TIME = 4 * SIMD_BLOCK };

enum { MAX_BINS = 256, BIN_WORDS = MAX_BINS / 64, BIN_BLOCK = 4 };
/* Marks: a bit for each bin that may have rows; all bins, if there are more rows. Keep marks in a local array, which
 * stays in registers: in memory, additions would wait for each other. */
static inline void begin_marks(uint64_t *used, int n_rows)
{
    for (int word = 0; word < BIN_WORDS; ++word) {
        used[word] = n_rows < MAX_BINS ? 0 : UINT64_MAX;
    }
}

static inline void mark_bin(uint64_t *used, uint32_t bin)
{
    for (uint32_t word = 0; word < BIN_WORDS; ++word) {
        used[word] |= bin >> 6 == word ? (uint64_t)1 << (bin & 63) : 0;
    }
}

/* The bins of a node of two classes: the cases of class 0, and all cases, in the bins before each; and its own cases by
 * class. */
typedef struct bin_cases {
    double left0[MAX_BINS], left[MAX_BINS], own0[MAX_BINS], own1[MAX_BINS];
} bin_cases;

/* The bins of a node in a regression, in ascending order: the weight before each, the sum of w (y - mean) before it,
 * the highest and the lowest sum that a cut inside may have, and the bin's own w (y - mean)^2. The totals are behind
 * the last bin. */
enum { BIN_SUMS = 4 };
typedef struct response_bins {
    double before[MAX_BINS + BIN_BLOCK], sum[MAX_BINS + BIN_BLOCK];
    double high[MAX_BINS + BIN_BLOCK], low[MAX_BINS + BIN_BLOCK], squares[MAX_BINS + BIN_BLOCK];
} response_bins;

typedef struct simd {
    /* Searches payload[from .. size - 1], size a multiple of the block, for the first block with a split that passes
     * the filter. Returns the start of that block, or size. *sum is the packed sum of all payload before `from`; on
     * return, before that block. A payload of zero is a rank without rows in the node: no split there. */
    int (*find_promising)(const uint32_t *payload, int from, int size, uint32_t *sum, const two_class_filter *filter);
    /* As above for payloads in the upper halves of sorted rows. Any size; reads up to a block beyond it. */
    int (*find_promising_entry)(const uint64_t *entries, int from, int size, uint32_t *sum,
                                const two_class_filter *filter);
    /* Lists the ranks whose bits are set in `mark`, ascending, and what their slots hold; then clears both. Writes up to a
     * block too much of ranks and present. Returns how many ranks there are. */
    int (*gather)(uint64_t *mark, int words, uint32_t *slot, uint32_t *ranks, uint32_t *present);
    /* Moves the entries whose row goes left to the front, and the others to spare; both keep their order. Writes up to a
     * block too much of spare. Returns how many go left. */
    int (*part)(uint64_t *entries, int size, const uint8_t *left, uint64_t *spare);
    /* Draws from a shuffle of `remaining` features, at most `draws` of them. A draw touches a tagged feature if it takes
     * one, or if it moves one: the last feature moves to where the drawn one was. Returns how many draws there are before
     * the first that touches one. */
    int (*pass_untagged)(const uint8_t *tag, int remaining, const uint32_t *word, int draws);
    /* Writes to count[i] the number of the n values that are smaller than x[i]. */
    void (*count_smaller)(const double *x, int n, int32_t *count);
    /* As above for ranks. Reads rank and writes count to the end of the last block; values read beyond n do not matter. */
    void (*count_smaller_ranks)(const int32_t *rank, int n, int32_t *count);
    /* As find_promising_entry(), for nodes of more than MAX_PACKED cases; eight payloads in a row must still add up in their
     * halves. *sum: class 0 in the upper half, all cases in the lower. */
    int (*find_promising_wide)(const uint64_t *entries, int from, int size, uint64_t *sum,
                               const two_class_filter *filter);
    /* Adds up the payloads of a node's rows in each of 1 to 3 planes (planes.h): into sums, as in find_promising_wide(). */
    void (*count_planes)(const uint64_t *plane, int n_planes, int words, const node_masks *masks, uint64_t *sums);
    /* Counts rows at the cuts of each lane: `cut` has RANK_LANES ranks of each of n_cuts cuts, `rank` those of n rows,
     * payload a word of each row. left, RANK_LANES of each cut: the payload of the rows whose rank is at most the
     * cut's. */
    void (*count_at_most)(const int16_t *cut, int n_cuts, const int16_t *rank, int n, const uint16_t *payload,
                          uint16_t *left);
    /* Adds counts of eight bits each to packed sums: of class 0 above, of all cases below. */
    void (*add_counts)(const uint16_t *counts, int n, uint32_t *sums);
    /* In each lane the largest d^2 / (l * (N - l)) of n cuts, as in two_class_filter, whose threshold is not read; -INFINITY
     * where no cut has cases on both sides. left: the packed sums at the cuts. */
    void (*best_of_two_classes)(const uint32_t *left, int n_cuts, const two_class_filter *node, float *best);
    /* Computes the next block of the Mersenne-Twister; computes the tempered words of a block. */
    void (*twist)(uint32_t *state);
    void (*temper)(const uint32_t *state, uint32_t *word);
    /* Writes a bit for each of the block's words, the first one lowest: whether the tempered word is above 2^31. */
    void (*flip)(const uint32_t *state, uint8_t *flips);
    /* Adds the part of two classes to the sums of n_sets sets, a multiple of those processed at a time. Item j is bit j
     * of a set, and payload[j] has its cases, one class above bit 16; total: of all items. At most MAX_PACKED cases. */
    void (*add_to_sets)(const uint32_t *set, int n_sets, const uint32_t *payload, int n_things, uint32_t total,
                        const set_sums *sums);
    /* Searches the first block, from `from` on, with a set whose squares over their cases add up to more than
     * `threshold`; single precision. all: the cases of all items. Returns the start of the block, or n_sets, a multiple
     * of it. */
    int (*find_promising_set)(const set_sums *sums, int from, int n_sets, int32_t all, float threshold);
    /* Computes the criterion of each cut, approximately; 0 if a side is empty. key: the ranks of the rows as
     * cut_key_twice(). Writes worth, and reads cut, to the end of the last block of CUT_LANES. right: the cases on the
     * right of the cuts, by block, and within a block by class. Returns the largest criterion. */
    float (*class_cuts_worth)(const uint32_t *key, const int16_t *cut, int n_cuts, const class_rows *rows,
                              uint16_t *right, float *worth);
    /* As class_cuts_worth(), of cuts in CUT_LANES features: `cut` has a rank of each for each of n_cuts cuts. worth: cut by
     * cut; right: cut by cut, and of a cut class by class. best: the largest worth in each lane. */
    void (*class_lanes_worth)(const int16_t *cut, int n_cuts, const lane_rows *lanes, const class_rows *rows,
                              uint16_t *right, float *worth, float *best);
    /* The larger d^2 / (l * (N - l)) of each of n bins when all its cases of one class go left and none of the other; 0 where
     * a side is empty. Reads bins, and writes strength, to the end of the last BIN_BLOCK; n is at most MAX_BINS. Returns the
     * largest of the cuts between bins. */
    double (*bin_strengths)(const bin_cases *bins, int n, double total, double class0, double *strength);
    /* Adds the BIN_SUMS values of each of n rows to those of its bin. used: as begin_marks() and mark_bin() leave it. */
    void (*add_to_bins)(const uint8_t *bin, int n, const float *values, double *sums, uint64_t *used);
    /* Computes a lower bound on the gain of the best cut between n bins, and an upper bound on the gains inside all but
     * the first and the last bin. `sum`, high and low may be off by `error`. Reads up to a block behind the last bin. */
    void (*bound_bins)(const response_bins *list, int n, double total, double error, double *least, double *most);
} simd;

static inline int two_class_promises(uint32_t sum, const two_class_filter *filter)
{
    int32_t class0_left = (int32_t)(sum >> 16), left = (int32_t)(sum & 0xffff);
    float d = (float)(class0_left * filter->total - left * filter->class0);
    return d * d > filter->threshold * (float)(left * (filter->total - left));
}

/* As two_class_promises() without a limit of the cases. */
static inline int two_class_promises_wide(uint64_t sum, const two_class_filter *filter)
{
    double total = (double)filter->total, left = (double)(uint32_t)sum;
    double d = (double)(uint32_t)(sum >> 32) * total - left * (double)filter->class0;
    return d * d > (double)filter->threshold * (left * (total - left));
}

/* Converts a packed sum to a wide one. */
static inline uint64_t widen(uint32_t sum)
{
    return (uint64_t)(sum >> 16) << 32 | (sum & 0xffff);
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_AVX2 1
extern const simd simd_avx2;
#endif
extern const simd simd_plain;
/* The fastest loops that this processor can run. */
const simd *simd_best(void);

#endif
