/* Sorting of a column by the bits of its values. A value becomes the whole number of its bits, in the order of values.
 * Bits that all values of a column share are omitted: those above the range of its numbers, and trailing zeros of whole
 * numbers, of short decimals in binary, and of floats. As many as fit are above the row in a word; for most columns
 * these are all. Words are sorted by their first bits, which separate most of them, and then by insertion.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "data/radix.h"
#include "data/sort_column.h"

/* Number of bits, beyond those of the row number, after which a radix sort leaves few words out of order; and largest
 * number of rows for insertion sort. */
enum { BITS_BEYOND_ROWS = 10, MAX_INSERTED = 48 };
/* Largest mean distance of moves by insertion before a sort by more bits is faster. */
enum { STEPS_PER_ROW = 2 };

#define SIGN_BIT ((uint64_t)1 << 63)
#define INFINITE ((uint64_t)0x7ff << 52)

/* Common properties of a column's numbers. */
typedef struct bit_range {
    uint64_t low, high;
    uint64_t differ; /* bits in which some number differs from the first one */
} bit_range;

/* The bits of a number that are in its word: number - low, without the `left_out` lowest bits. */
typedef struct word_form {
    uint64_t low;
    int left_out, bits, row_bits;
    bool whole; /* the omitted bits are 0 in all numbers */
} word_form;

/* Both zeros become SIGN_BIT. A value with trailing zero bits becomes a number with trailing zero bits. */
static inline uint64_t number_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t magnitude = bits & ~SIGN_BIT;
    return bits & SIGN_BIT ? SIGN_BIT - magnitude : SIGN_BIT + magnitude;
}

static inline bool is_missing_number(uint64_t number)
{
    return number > SIGN_BIT + INFINITE || number < SIGN_BIT - INFINITE;
}

static bool is_finite_range(const bit_range *range)
{
    return range->high < SIGN_BIT + INFINITE && range->low > SIGN_BIT - INFINITE;
}

static bit_range write_numbers(const double *x, int n, uint64_t *items)
{
    uint64_t first = number_of(x[0]);
    bit_range range = {first, first, 0};
    for (int row = 0; row < n; ++row) {
        uint64_t number = items[row] = number_of(x[row]);
        range.low = number < range.low ? number : range.low;
        range.high = number > range.high ? number : range.high;
        range.differ |= number ^ first;
    }
    return range;
}

/* As above, for values that are not missing; an empty range has low > high. */
static bit_range range_of_present(const uint64_t *items, int n, int *n_missing)
{
    bit_range range = {UINT64_MAX, 0, 0};
    uint64_t first = 0;
    *n_missing = 0;
    for (int row = 0; row < n; ++row) {
        if (is_missing_number(items[row])) {
            ++*n_missing;
            continue;
        }
        first = range.low > range.high ? items[row] : first;
        range.low = items[row] < range.low ? items[row] : range.low;
        range.high = items[row] > range.high ? items[row] : range.high;
        range.differ |= items[row] ^ first;
    }
    return range;
}

static int bits_of(uint64_t number)
{
    return number ? 64 - __builtin_clzll(number) : 0;
}

static word_form choose_form(const bit_range *range, int n)
{
    word_form form = {.low = range->low, .row_bits = bits_of((uint64_t)n - 1), .whole = true};
    int used = range->high > range->low ? bits_of(range->high - range->low) : 0, room = 64 - form.row_bits;
    form.left_out = used ? __builtin_ctzll(range->differ) : 0;
    if (used - form.left_out > room) {
        form.left_out = used - room;
        form.whole = false;
    }
    form.bits = used - form.left_out;
    return form;
}

static inline uint64_t word_of(const word_form *form, uint64_t number, int row)
{
    return (number - form->low) >> form->left_out << form->row_bits | (uint64_t)row;
}

/* Converts numbers to words, and writes the rows of missing ones to the end of `spare`. */
static void write_words(const word_form *form, uint64_t *items, int n, int n_present, uint64_t *spare)
{
    if (n_present == n) {
        for (int row = 0; row < n; ++row) {
            items[row] = word_of(form, items[row], row);
        }
        return;
    }
    int present = 0, missing = n_present;
    for (int row = 0; row < n; ++row) {
        uint64_t number = items[row];
        if (is_missing_number(number)) {
            spare[missing++] = (uint64_t)row;
        } else {
            items[present++] = word_of(form, number, row);
        }
    }
}

static inline void swap_with_previous(uint64_t *words, int at)
{
    uint64_t word = words[at];
    words[at] = words[at - 1];
    words[at - 1] = word;
}

/* Returns whether a word is out of order with the one before it; values are compared if the words are equal. */
static inline bool precedes(const sorted_column *sorted, int at)
{
    if (!words_are_alike(sorted, at)) {
        return sorted->words[at] < sorted->words[at - 1];
    }
    return !sorted->whole && sorted->x[sorted_row(sorted, at)] < sorted->x[sorted_row(sorted, at - 1)];
}

/* Sorts nearly sorted words by insertion; rows of equal words ascend. False: too many steps are needed. */
static bool insert_words(const sorted_column *sorted)
{
    int n = sorted->n_present;
    int64_t most = n > MAX_INSERTED ? STEPS_PER_ROW * (int64_t)n : INT64_MAX;
    for (int i = 1; most >= 0 && i < n; ++i) {
        fetch_value(sorted, i);
        for (int at = i; at > 0 && precedes(sorted, at); --at, --most) {
            swap_with_previous(sorted->words, at);
        }
    }
    return most >= 0;
}

/* Sorts by `bits` bits from bit `low` above the row on; the result is in one of the two buffers. */
static void sort_bits(sorted_column *sorted, int low, int bits, uint64_t *items, uint64_t *spare)
{
    uint64_t *other = sorted->words == items ? spare : items;
    sorted->words = radix_sort_bits(sorted->words, other, sorted->n_present, sorted->row_bits + low, bits);
}

/* Sorts by the omitted bits, before the stable sort by the other bits. */
static void sort_by_left_out(sorted_column *sorted, const word_form *form, uint64_t *items, uint64_t *spare)
{
    int n = sorted->n_present;
    uint64_t left_out = ((uint64_t)1 << form->left_out) - 1;
    for (int at = 0; at < n; ++at) {
        int row = sorted_row(sorted, at);
        uint64_t last = (number_of(sorted->x[row]) - form->low) & left_out;
        sorted->words[at] = last << form->row_bits | (uint64_t)row;
    }
    sort_bits(sorted, 0, form->left_out, items, spare);
    for (int at = 0; at < n; ++at) {
        int row = sorted_row(sorted, at);
        sorted->words[at] = word_of(form, number_of(sorted->x[row]), row);
    }
}

/* Sorts words by their first bits, which separate most of them, and finishes by insertion. */
static void sort_words(sorted_column *sorted, const word_form *form, uint64_t *items, uint64_t *spare)
{
    int wanted = form->row_bits + BITS_BEYOND_ROWS, first = form->bits < wanted ? form->bits : wanted;
    bool is_long = sorted->n_present > MAX_INSERTED && first > 0;
    if (is_long) {
        sort_bits(sorted, form->bits - first, first, items, spare);
    }
    bool done = is_long && form->whole && first == form->bits;
    if (done || insert_words(sorted)) {
        return;
    }
    if (!form->whole) {
        sort_by_left_out(sorted, form, items, spare);
    }
    sort_bits(sorted, 0, form->bits, items, spare);
}

sorted_column sort_column(const double *x, int n, uint64_t *items, uint64_t *spare)
{
    bit_range range = write_numbers(x, n, items);
    int n_missing = 0;
    if (!is_finite_range(&range)) {
        range = range_of_present(items, n, &n_missing);
    }
    sorted_column sorted = {.words = items, .x = x, .n_present = n - n_missing, .n_missing = n_missing};
    if (n_missing < n && !is_finite_range(&range)) {
        sorted.infinite = true;
        return sorted;
    }
    word_form form = choose_form(&range, n);
    sorted.row_bits = form.row_bits;
    sorted.whole = form.whole;
    write_words(&form, items, n, sorted.n_present, spare);
    sort_words(&sorted, &form, items, spare);
    if (sorted.words == items) {
        memcpy(items + sorted.n_present, spare + sorted.n_present, (size_t)n_missing * sizeof *items);
    }
    return sorted;
}
