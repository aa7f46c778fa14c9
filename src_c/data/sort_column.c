/* A long column is sorted by the first bits of its values, which share a word with the row: half the memory and half the
 * passes of a sort by whole values. Values that begin alike are put in order afterwards; they are few, or equal.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/radix.h"
#include "data/sort_column.h"

enum { ROW_BITS = 31 };
/* What whole columns of values that begin alike may cost; a sort by whole values costs about as much. */
enum { STEPS_PER_ROW = 2 };
#define ROW_MASK (((uint64_t)1 << ROW_BITS) - 1)

/* The first bits are counted from the highest one in which values differ. Returns how many bits of a value are left out. */
static int pack_prefixes(const double *x, int n, uint64_t *items)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (int row = 0; row < n; ++row) {
        uint64_t bits = items[row] = ordered_bits(x[row]);
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    int used = high > low ? 64 - __builtin_clzll(high - low) : 1;
    int left_out = used > PREFIX_BITS ? used - PREFIX_BITS : 0;
    for (int row = 0; row < n; ++row) {
        items[row] = (items[row] - low) >> left_out << ROW_BITS | (uint64_t)row;
    }
    return left_out;
}

/* Sorts places first .. last - 1 by whole values, in which equal ones keep their order. Stops after `most` steps or so;
 * returns how many are left of them, below 0 if it stopped. */
static int64_t insert_by_value(const double *x, uint64_t *items, int first, int last, int64_t most)
{
    for (int i = first + 1; most >= 0 && i < last; ++i) {
        uint64_t item = items[i];
        double value = x[item & ROW_MASK];
        int at = i;
        for (; at > first && x[items[at - 1] & ROW_MASK] > value; --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
        most -= i - at;
    }
    return most;
}

/* Leaves the row, and whether the value is another than at the place before. */
static void mark_new_values(const double *x, uint64_t *items, int first, int last)
{
    for (int at = first; at < last; ++at) {
        int row = (int)(items[at] & ROW_MASK);
        bool other = at == first || x[row] != x[items[at - 1] & ROW_MASK];
        items[at] = (uint64_t)row | (other ? NEW_VALUE : 0);
    }
}

/* The same where equal prefixes are equal values. */
static void mark_new_prefixes(uint64_t *items, int first, int last)
{
    for (int at = first; at < last; ++at) {
        items[at] = (items[at] & ROW_MASK) | (at == first ? NEW_VALUE : 0);
    }
}

/* Where the values that begin as the one at `first` does end. */
static int end_of_prefix(const uint64_t *items, int first, int n)
{
    int last = first + 1;
    while (last < n && items[last] >> ROW_BITS == items[first] >> ROW_BITS) {
        ++last;
    }
    return last;
}

/* Turns sorted prefixes into places. False: that would take too long. */
static bool settle(const double *x, int n, bool whole, uint64_t *items)
{
    int64_t most = STEPS_PER_ROW * (int64_t)n;
    for (int first = 0, last; most >= 0 && first < n; first = last) {
        last = end_of_prefix(items, first, n);
        if (whole || last == first + 1) {
            mark_new_prefixes(items, first, last);
        } else {
            most = insert_by_value(x, items, first, last, most);
            mark_new_values(x, items, first, last);
        }
    }
    return most >= 0;
}

uint64_t *sort_column(const double *x, int n, uint64_t *items, uint64_t *spare)
{
    int left_out = pack_prefixes(x, n, items);
    uint64_t *sorted = radix_sort_prefixes(items, spare, n, ROW_BITS);
    return settle(x, n, left_out == 0, sorted) ? sorted : NULL;
}
