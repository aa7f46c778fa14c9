/* Radix sorts, least significant digit first: each pass sorts by one digit and keeps the order of equal ones.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/radix.h"

/* Digits of ranks are short, so that their counters stay in the first-level cache together with the items of a small
 * node. */
enum { RANK_BITS = 32, MAX_RANK_DIGIT_BITS = 9, MAX_RANK_PASSES = 4 };
/* Columns are long. A pass that writes to more than a thousand positions takes more than twice as long. Short columns
 * have fewer counters to add up. */
enum { MAX_DIGIT_BITS = 10, SHORT_DIGIT_BITS = 8, MIN_LONG = 4096, MAX_PASSES = 8 };

/* The division of a number into digits: `passes` digits of `bits` bits each, starting at bit `low` of a word. */
typedef struct digits {
    int low, bits, passes;
} digits;

/* Returns the smallest number of digits of at most `most` bits for a number of bits, and the shortest such digits. */
static digits digits_of(int low, int bits, int most)
{
    int passes = (bits + most - 1) / most;
    return (digits){low, (bits + passes - 1) / passes, passes};
}

static inline uint32_t digit_of(uint64_t word, digits d, int pass)
{
    return word >> (d.low + pass * d.bits) & ((1U << d.bits) - 1);
}

static inline __attribute__((always_inline)) void add_digits(const uint64_t *items, int n, digits d, int first,
                                                             int passes, uint32_t *count)
{
    for (int i = 0; i < n; ++i) {
        for (int pass = first; pass < first + passes; ++pass) {
            ++count[((size_t)pass << d.bits) + digit_of(items[i], d, pass)];
        }
    }
}

/* Counts all digits in one pass over the items, with an unrolled loop of three. count: a row of 2^bits counters for
 * each pass. */
static void count_digits(const uint64_t *items, int n, digits d, uint32_t *count)
{
    int pass = 0;
    memset(count, 0, sizeof *count * ((size_t)d.passes << d.bits));
    for (; pass + 3 <= d.passes; pass += 3) {
        add_digits(items, n, d, pass, 3, count);
    }
    for (; pass < d.passes; ++pass) {
        add_digits(items, n, d, pass, 1, count);
    }
}

/* Converts counts to the position of the first item with each digit. */
static void sum_counts(uint32_t *count, int bits)
{
    uint32_t total = 0;
    for (size_t digit = 0; digit < (size_t)1 << bits; ++digit) {
        uint32_t size = count[digit];
        count[digit] = total;
        total += size;
    }
}

/* A pass is skipped if all items have the same digit. */
static uint64_t *sort_words(uint64_t *items, uint64_t *spare, int n, digits d, uint32_t *count)
{
    count_digits(items, n, d, count);
    for (int pass = 0; pass < d.passes; ++pass) {
        uint32_t *next = count + ((size_t)pass << d.bits);
        if (next[digit_of(items[0], d, pass)] == (uint32_t)n) {
            continue;
        }
        sum_counts(next, d.bits);
        for (int i = 0; i < n; ++i) {
            spare[next[digit_of(items[i], d, pass)]++] = items[i];
        }
        uint64_t *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

uint64_t *radix_sort_ranks(uint64_t *items, uint64_t *spare, int n, uint32_t bound)
{
    uint32_t count[MAX_RANK_PASSES << MAX_RANK_DIGIT_BITS];
    int bits = bound > 1 ? RANK_BITS - __builtin_clz(bound - 1) : 1;
    return n > 1 ? sort_words(items, spare, n, digits_of(RANK_BITS, bits, MAX_RANK_DIGIT_BITS), count) : items;
}

uint64_t *radix_sort_bits(uint64_t *items, uint64_t *spare, int n, int low, int bits)
{
    uint32_t count[MAX_PASSES << MAX_DIGIT_BITS];
    int most = n < MIN_LONG ? SHORT_DIGIT_BITS : MAX_DIGIT_BITS;
    return n > 1 ? sort_words(items, spare, n, digits_of(low, bits, most), count) : items;
}
