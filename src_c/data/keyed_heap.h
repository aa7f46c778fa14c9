/* Heaps of items with keys, the least key first. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_KEYED_HEAP_H
#define RRF_KEYED_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct keyed {
    double key;
    int32_t number; /* breaks ties of the key */
} keyed;

static inline bool keyed_is_less(keyed a, keyed b)
{
    return a.key != b.key ? a.key < b.key : a.number < b.number;
}

/* Restores the heap order by sifting down items[at]. */
static inline void keyed_heap_sift(keyed *items, int n, int at)
{
    keyed moved = items[at];
    for (int below = 2 * at + 1; below < n; below = 2 * at + 1) {
        below += below + 1 < n && keyed_is_less(items[below + 1], items[below]);
        if (!keyed_is_less(items[below], moved)) {
            break;
        }
        items[at] = items[below];
        at = below;
    }
    items[at] = moved;
}

/* Makes a heap of n items in O(n). */
static inline void keyed_heap_make(keyed *items, int n)
{
    for (int at = n / 2 - 1; at >= 0; --at) {
        keyed_heap_sift(items, n, at);
    }
}

/* Removes the smallest of n items; n - 1 remain. */
static inline keyed keyed_heap_pop(keyed *items, int n)
{
    keyed least = items[0];
    items[0] = items[n - 1];
    keyed_heap_sift(items, n - 1, 0);
    return least;
}

#endif
