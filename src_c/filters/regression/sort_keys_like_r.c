/* The permutation of data/sort_like_r.c, for whole-number keys that share a word with the index.
 *
 * A partition exchanges the k-th value from the left that is not below the pivot with the k-th from the right that is not
 * above it. So the places of both can be listed first, block by block and without a branch that depends on a value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/regression/sort_keys_like_r.h"

#include <stdbool.h>

#define INSERTION_SPAN 10 /* these four are explained in data/sort_like_r.c */
#define STACK_DEPTH 32
#define FIRST_FRACTION 0.375
#define FRACTION_STEP 0.0390625

/* Items that are compared at a time, to test whether all keys are equal. */
enum { EQUAL_BLOCK = 16 };
/* Items of a block, and smallest number between the two scans for which a block at each end is faster. */
enum { BLOCK = 64, MIN_IN_BLOCKS = 16 };

typedef struct segment {
    int first, last;
} segment;

static inline void exchange(uint64_t *a, int i, int j)
{
    uint64_t item = a[i];
    a[i] = a[j];
    a[j] = item;
}

static inline bool is_above(uint64_t item, uint64_t other)
{
    return item >> 32 > other >> 32;
}

static inline uint64_t median_to_middle(uint64_t *a, int first, int middle, int last)
{
    if (is_above(a[first], a[middle])) {
        exchange(a, first, middle);
    }
    if (is_above(a[middle], a[last])) {
        exchange(a, middle, last);
        if (is_above(a[first], a[middle])) {
            exchange(a, first, middle);
        }
    }
    return a[middle];
}

/* Continues the exchanges while many items are between the scans, which have reached part->first and part->last. low,
 * high: the lowest and the highest item with the pivot's key. */
static void exchange_blocks(uint64_t *a, segment *part, uint64_t low, uint64_t high)
{
    uint8_t left[BLOCK], right[BLOCK];
    for (int between; (between = part->last - part->first - 1) >= MIN_IN_BLOCKS;) {
        int size = between / 2 < BLOCK ? between / 2 : BLOCK, n_left = 0, n_right = 0;
        uint64_t *up = a + part->first + 1, *down = a + part->last - 1;
        for (int i = 0; i < size; ++i) {
            left[n_left] = right[n_right] = (uint8_t)i;
            n_left += up[i] >= low;
            n_right += down[-i] <= high;
        }
        int n = n_left < n_right ? n_left : n_right;
        for (int k = 0; k < n; ++k) {
            uint64_t item = up[left[k]];
            up[left[k]] = down[-right[k]];
            down[-right[k]] = item;
        }
        part->first += n < n_left ? left[n] : size;
        part->last -= n < n_right ? right[n] : size;
    }
}

/* Returns whether all keys of a segment are equal. */
static bool is_one_key(const uint64_t *a, segment part)
{
    uint64_t differs = a[part.first] ^ a[part.last];
    int i = part.first;
    for (; differs >> 32 == 0 && i + EQUAL_BLOCK <= part.last; i += EQUAL_BLOCK) {
        for (int k = 0; k < EQUAL_BLOCK; ++k) {
            differs |= a[i + k] ^ a[part.last];
        }
    }
    for (; differs >> 32 == 0 && i < part.last; ++i) {
        differs |= a[i] ^ a[part.last];
    }
    return differs >> 32 == 0;
}

/* Partitions a segment with equal keys: all items but the two ends are exchanged, until the scans have met. */
static void reverse_segment(uint64_t *a, segment whole, segment *lower, segment *upper)
{
    int span = whole.last - whole.first, met = span / 2 + 1;
    for (int k = 1; k < met; ++k) {
        exchange(a, whole.first + k, whole.last - k);
    }
    *lower = (segment){whole.first, whole.last - met};
    *upper = (segment){whole.first + met, whole.last};
}

static void split_segment(uint64_t *a, segment whole, double fraction, segment *lower, segment *upper)
{
    if (is_one_key(a, whole)) {
        reverse_segment(a, whole, lower, upper);
        return;
    }
    int middle = whole.first + (int)((whole.last - whole.first) * fraction);
    uint64_t low = median_to_middle(a, whole.first, middle, whole.last) >> 32 << 32, high = low | UINT32_MAX;
    segment part = whole;
    exchange_blocks(a, &part, low, high);
    for (;;) {
        do {
            part.last--;
        } while (a[part.last] > high);
        do {
            part.first++;
        } while (a[part.first] < low);
        if (part.first > part.last) {
            break;
        }
        exchange(a, part.first, part.last);
    }
    *lower = (segment){whole.first, part.last};
    *upper = (segment){part.first, whole.last};
}

static void insert_segment(uint64_t *a, segment part)
{
    for (int i = part.first + 1; i <= part.last; i++) {
        uint64_t item = a[i], equal = item | UINT32_MAX;
        int hole = i;
        while (a[hole - 1] > equal) {
            a[hole] = a[hole - 1];
            hole--;
        }
        a[hole] = item;
    }
}

void sort_keys_like_r(uint64_t *items, int n)
{
    segment stack[STACK_DEPTH], part = {0, n - 1}, lower, upper;
    int depth = 0;
    double fraction = n - 1 > INSERTION_SPAN ? FIRST_FRACTION + FRACTION_STEP : FIRST_FRACTION;
    for (;;) {
        bool is_short = part.last - part.first <= INSERTION_SPAN;
        if (is_short && (part.first > 0 || part.last <= 0)) {
            insert_segment(items, part);
            if (depth == 0) {
                return;
            }
            part = stack[--depth];
            continue;
        }
        if (is_short) {
            fraction += FRACTION_STEP;
        }
        split_segment(items, part, fraction, &lower, &upper);
        bool lower_first = lower.last - lower.first <= upper.last - upper.first;
        stack[depth++] = lower_first ? upper : lower;
        part = lower_first ? lower : upper;
    }
}
