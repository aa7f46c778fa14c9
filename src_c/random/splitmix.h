/* SplitMix64: each number depends only on the key of its stream and its position in the stream.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLITMIX_H
#define RRF_SPLITMIX_H

#include <stdint.h>

/* A hash of a number: each bit depends on all bits of `value`. */
static inline uint64_t splitmix_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

#define SPLITMIX_STEP 0x9e3779b97f4a7c15U

/* Word i of the stream `key`. */
static inline uint64_t splitmix_word(uint64_t key, uint64_t i)
{
    return splitmix_mix(key + (i + 1) * SPLITMIX_STEP);
}

#endif
