/* The radix sorts against an insertion sort, up to the largest ranks that there can be.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "data/radix.h"
#include "random/splitmix.h"

/* MAX_BITS_N: a long column. */
enum { MAX_N = 700, MAX_BITS_N = 5000 };

static const uint32_t bounds[] = {1,
                                  2,
                                  3,
                                  512,
                                  513,
                                  1 << 18,
                                  (1 << 18) + 1,
                                  1 << 27,
                                  (1 << 27) + 1,
                                  1 << 30,
                                  UINT32_C(1) << 31,
                                  (UINT32_C(1) << 31) + 1,
                                  UINT32_MAX};
static const int sizes[] = {0, 1, 2, 3, 41, MAX_N};

/* Ranks below `bound`: anywhere, or all of them next to it, so that the highest digit tells them apart or does not. */
static uint32_t draw_rank(uint64_t key, int i, uint32_t bound, bool high)
{
    uint64_t word = splitmix_word(key, (uint64_t)i);
    uint32_t span = high && bound > 5 ? 5 : bound;
    return (uint32_t)(bound - 1 - word % span);
}

static void check_ranks(int n, uint32_t bound, bool high)
{
    uint64_t items[MAX_N], spare[MAX_N], expected[MAX_N];
    for (int i = 0; i < n; ++i) {
        uint32_t rank = draw_rank(bound + (uint64_t)high, i, bound, high);
        expected[i] = items[i] = (uint64_t)rank << 32 | (uint32_t)(n - i);
        for (int at = i; at > 0 && expected[at - 1] >> 32 > expected[at] >> 32; --at) {
            uint64_t swap = expected[at];
            expected[at] = expected[at - 1];
            expected[at - 1] = swap;
        }
    }
    const uint64_t *sorted = radix_sort_ranks(items, spare, n, bound);
    CHECK(sorted == items || sorted == spare, "n = %d, bound = %u: no buffer", n, (unsigned)bound);
    for (int i = 0; i < n; ++i) {
        CHECK(sorted[i] == expected[i], "n = %d, bound = %u, high = %d: place %d", n, (unsigned)bound, high, i);
    }
}

/* Items are sorted by some of their bits and keep their order where these are equal; `fixed` bits are the same in all, so that
 * whole digits are. */
static void check_bits(int n, uint64_t fixed, int low, int bits)
{
    uint64_t items[MAX_BITS_N], spare[MAX_BITS_N], drawn[MAX_BITS_N];
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int i = 0; i < n; ++i) {
        uint64_t word = splitmix_word(fixed, (uint64_t)i % 500) & ~fixed & mask << low;
        drawn[i] = items[i] = (word & ~(uint64_t)0xffff) | (uint64_t)i;
    }
    const uint64_t *sorted = radix_sort_bits(items, spare, n, low, bits);
    for (int i = 0; i < n; ++i) {
        uint64_t key = sorted[i] >> low & mask;
        CHECK(sorted[i] == drawn[sorted[i] & 0xffff], "bits %d + %d: word %d is none of them", low, bits, i);
        bool ascends = i == 0 || (sorted[i - 1] >> low & mask) < key ||
                       ((sorted[i - 1] >> low & mask) == key && (sorted[i - 1] & 0xffff) < (sorted[i] & 0xffff));
        CHECK(ascends, "fixed = %llx, bits %d + %d: place %d descends", (unsigned long long)fixed, low, bits, i);
    }
}

int main(void)
{
    static const int spans[][2] = {{16, 1}, {16, 8}, {16, 9}, {20, 30}, {16, 48}, {31, 33}, {1, 63}};
    static const uint64_t fixed[] = {0, UINT64_MAX, UINT64_MAX >> 11, UINT64_C(0xffffffff00000000), UINT64_C(0x3ff800)};
    for (int b = 0; b < COUNT(bounds); ++b) {
        for (int s = 0; s < COUNT(sizes); ++s) {
            check_ranks(sizes[s], bounds[b], false);
            check_ranks(sizes[s], bounds[b], true);
        }
    }
    for (int f = 0; f < COUNT(fixed); ++f) {
        for (int b = 0; b < COUNT(spans); ++b) {
            check_bits(1, fixed[f], spans[b][0], spans[b][1]);
            check_bits(MAX_N, fixed[f], spans[b][0], spans[b][1]);
            check_bits(MAX_BITS_N, fixed[f], spans[b][0], spans[b][1]);
        }
    }
    return 0;
}
