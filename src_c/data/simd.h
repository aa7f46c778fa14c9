/* The hot loops. Each has a plain C form that says what it does and, where it pays, a twin for AVX2; a test holds the
 * two equal. Which one runs is decided once, when a fit begins. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_KERNELS_H
#define RRF_KERNELS_H

#include <stdint.h>

/* Rows taken together by the kernels. */
enum { SIMD_BLOCK = 8 };
/* Cases of a two-class node: both counts, and their products, must fit a packed sum. */
enum { MAX_PACKED = 32767 };

/* A split that sends l of N cases left, a of them from the A in class 0, may equal the best so far when
 * d^2 > threshold * l * (N - l), d = aN - lA. Sums are packed: a << 16 | l. */
typedef struct two_class_filter {
    int32_t total, class0; /* N, A */
    float threshold;
} two_class_filter;

typedef struct simd {
    /* From payload[from] on, block by block: the first block that holds a promising boundary, or size (a multiple of
     * the block) when none does. *sum is the packed sum before `from`, and on return before that block. Zeros among the
     * payload stand for keys that are not in the node; there is no boundary behind them. */
    int (*find_promising)(const uint32_t *payload, int from, int size, uint32_t *sum, const two_class_filter *filter);
    /* The same over the upper halves of a stream's entries, with any size; reads a block beyond it. */
    int (*find_promising_entry)(const uint64_t *entries, int from, int size, uint32_t *sum,
                                const two_class_filter *filter);
    /* The keys that `mark` has bits for, in order, and what stands in their slots; clears both. keys and present are
     * written a block beyond. Returns how many keys there are. */
    int (*gather)(uint64_t *mark, int words, uint32_t *slot, uint32_t *keys, uint32_t *present);
    /* Parts entries by left[row]: those that go left to the front, the others to spare, both in their order; spare is
     * written a block beyond. Returns how many go left. */
    int (*part)(uint64_t *entries, int size, const uint8_t *left, uint64_t *spare);
    /* The shuffle of `remaining` features: draws, at most `draws` of them, before the first that touches a tagged one,
     * because its position is tagged or because the last feature, which moves there, is. */
    int (*pass_untagged)(const uint8_t *tag, int remaining, const uint32_t *word, int draws);
    /* count[i] = how many of the n values are smaller than x[i]. */
    void (*count_smaller)(const double *x, int n, int32_t *count);
    /* The same for keys. key is read and count is written up to the end of the last block; what is read there, any
     * number, counts for nothing. */
    void (*count_smaller_keys)(const int32_t *key, int n, int32_t *count);
    /* The next block of the Mersenne-Twister, and the words that a block gives. */
    void (*twist)(uint32_t *state);
    void (*temper)(const uint32_t *state, uint32_t *word);
} simd;

static inline int two_class_promises(uint32_t sum, const two_class_filter *filter)
{
    int32_t class0_left = (int32_t)(sum >> 16), left = (int32_t)(sum & 0xffff);
    float d = (float)(class0_left * filter->total - left * filter->class0);
    return d * d > filter->threshold * (float)(left * (filter->total - left));
}

extern const simd simd_plain;
/* The fastest set that this processor can run. */
const simd *simd_best(void);

#endif
