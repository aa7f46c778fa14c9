/* The radix sorts against an insertion sort, up to the largest ranks that there can be.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "data/radix.h"
#include "random/splitmix.h"

enum { MAX_N = 700 };

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

/* Some bits are the same in all numbers, so that whole digits are; equal numbers keep their order. */
static void check_rows(int n, uint64_t fixed)
{
    radix_row items[MAX_N], spare[MAX_N];
    for (int i = 0; i < n; ++i) {
        items[i] = (radix_row){splitmix_word(fixed, (uint64_t)i % 500) & ~fixed, i};
    }
    const radix_row *sorted = radix_sort_rows(items, spare, n);
    bool seen[MAX_N] = {false};
    for (int i = 0; i < n; ++i) {
        bool fits = sorted[i].bits == (splitmix_word(fixed, (uint64_t)sorted[i].row % 500) & ~fixed);
        CHECK(fits && !seen[sorted[i].row], "fixed = %llx: place %d", (unsigned long long)fixed, i);
        seen[sorted[i].row] = true;
        bool ascends = i == 0 || sorted[i - 1].bits < sorted[i].bits ||
                       (sorted[i - 1].bits == sorted[i].bits && sorted[i - 1].row < sorted[i].row);
        CHECK(ascends, "fixed = %llx: place %d descends", (unsigned long long)fixed, i);
    }
}

int main(void)
{
    static const uint64_t fixed[] = {0, UINT64_MAX, UINT64_MAX >> 11, UINT64_C(0xffffffff00000000), UINT64_C(0x3ff800)};
    for (int b = 0; b < COUNT(bounds); ++b) {
        for (int s = 0; s < COUNT(sizes); ++s) {
            check_ranks(sizes[s], bounds[b], false);
            check_ranks(sizes[s], bounds[b], true);
        }
    }
    for (int f = 0; f < COUNT(fixed); ++f) {
        check_rows(1, fixed[f]);
        check_rows(MAX_N, fixed[f]);
    }
    return 0;
}
