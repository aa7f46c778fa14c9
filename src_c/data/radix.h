/* Stable radix sorts: by a rank in the upper half of a word, and by a whole word.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RADIX_H
#define RRF_RADIX_H

#include <stdint.h>
#include <string.h>

/* Sorts n words by their upper halves, all of which are below `bound`; lower halves move along. Both buffers
 * hold n words and are overwritten. Returns the one that holds the result. */
uint64_t *radix_sort_ranks(uint64_t *items, uint64_t *spare, int n, uint32_t bound);

/* A row with the number that it is sorted by. */
typedef struct radix_row {
    uint64_t bits;
    int64_t row;
} radix_row;

/* The bits of a value as an unsigned number of the same order. -0.0 + 0.0 is 0.0, so that the two zeros, which compare
 * equal, get the same bits. */
static inline uint64_t ordered_bits(double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Sorts n > 0 rows by all 64 bits of their numbers; buffers and result as above. */
radix_row *radix_sort_rows(radix_row *items, radix_row *spare, int n);

/* Sorts n > 0 words by the 33 bits above bit `low`, at most 31; the other bits move along. Buffers and result as above. */
enum { PREFIX_BITS = 33 };
uint64_t *radix_sort_prefixes(uint64_t *items, uint64_t *spare, int n, int low);

#endif
