/* Radix sorts, least significant digit first: each pass sorts by one digit and keeps the order of equal ones.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "data/radix.h"

/* Short digits of ranks keep their counters in the fastest cache, together with the items of a small node. Whole columns
 * are long, and there fewer passes are faster. */
enum { RANK_BITS = 32, MAX_RANK_DIGIT_BITS = 9, MAX_RANK_PASSES = 4 };
enum { VALUE_DIGIT_BITS = 11, VALUE_PASSES = 6 };

/* How a number is divided: `passes` digits of `bits` bits each, starting at bit `low` of an item's first word. */
typedef struct digits {
    int low, bits, passes;
} digits;

static inline uint32_t digit_of(uint64_t word, digits d, int pass)
{
    return word >> (d.low + pass * d.bits) & ((1U << d.bits) - 1);
}

/* count: a row of 2^bits counters for each pass. */
static inline __attribute__((always_inline)) void count_digits(const uint64_t *items, int n, int words, digits d,
                                                               uint32_t *count)
{
    memset(count, 0, sizeof *count * ((size_t)d.passes << d.bits));
    for (size_t i = 0; i < (size_t)n; ++i) {
        for (int pass = 0; pass < d.passes; ++pass) {
            ++count[((size_t)pass << d.bits) + digit_of(items[i * words], d, pass)];
        }
    }
}

/* Turns counts into the position of the first item with each digit. */
static inline void sum_counts(uint32_t *count, int bits)
{
    uint32_t total = 0;
    for (size_t digit = 0; digit < (size_t)1 << bits; ++digit) {
        uint32_t size = count[digit];
        count[digit] = total;
        total += size;
    }
}

/* An item has `words` words. A pass is skipped if all items have the same digit. */
static inline __attribute__((always_inline)) uint64_t *sort_words(uint64_t *items, uint64_t *spare, int n, int words,
                                                                  digits d, uint32_t *count)
{
    count_digits(items, n, words, d, count);
    for (int pass = 0; pass < d.passes; ++pass) {
        uint32_t *next = count + ((size_t)pass << d.bits);
        if (next[digit_of(items[0], d, pass)] == (uint32_t)n) {
            continue;
        }
        sum_counts(next, d.bits);
        for (size_t i = 0; i < (size_t)n; ++i) {
            size_t at = next[digit_of(items[i * words], d, pass)]++;
            memcpy(spare + at * words, items + i * words, sizeof *items * words);
        }
        uint64_t *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

/* The fewest digits that hold the largest rank, as short as possible. */
static digits digits_of_ranks(uint32_t bound)
{
    int needed = bound > 1 ? RANK_BITS - __builtin_clz(bound - 1) : 1;
    int passes = (needed + MAX_RANK_DIGIT_BITS - 1) / MAX_RANK_DIGIT_BITS;
    return (digits){RANK_BITS, (needed + passes - 1) / passes, passes};
}

uint64_t *radix_sort_ranks(uint64_t *items, uint64_t *spare, int n, uint32_t bound)
{
    uint32_t count[MAX_RANK_PASSES << MAX_RANK_DIGIT_BITS];
    return n > 1 ? sort_words(items, spare, n, 1, digits_of_ranks(bound), count) : items;
}

radix_row *radix_sort_rows(radix_row *items, radix_row *spare, int n)
{
    uint32_t count[VALUE_PASSES << VALUE_DIGIT_BITS];
    digits d = {0, VALUE_DIGIT_BITS, VALUE_PASSES};
    return (radix_row *)sort_words((uint64_t *)items, (uint64_t *)spare, n, 2, d, count);
}

uint64_t *radix_sort_prefixes(uint64_t *items, uint64_t *spare, int n, int low)
{
    uint32_t count[PREFIX_BITS / VALUE_DIGIT_BITS << VALUE_DIGIT_BITS];
    digits d = {low, VALUE_DIGIT_BITS, PREFIX_BITS / VALUE_DIGIT_BITS};
    return sort_words(items, spare, n, 1, d, count);
}
