/* Stable radix sorts: by a rank in the upper half of a word, and by some of its bits.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RADIX_H
#define RRF_RADIX_H

#include <stdint.h>
#include <string.h>

/* Sorts n words by their upper halves, all of which are below `bound`; lower halves move along. Both buffers
 * hold n words and are overwritten. Returns the one that holds the result. */
uint64_t *radix_sort_ranks(uint64_t *items, uint64_t *spare, int n, uint32_t bound);

/* Sorts n words by the `bits` bits, 1 or more, from bit `low` on, above which all bits are 0; those below move along. Buffers
 * and result as above. */
uint64_t *radix_sort_bits(uint64_t *items, uint64_t *spare, int n, int low, int bits);

#endif
