/* Numbers with keys, of which those with the least keys come first.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_KEYED_HEAP_H
#define RRF_KEYED_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct keyed {
    double key;
    int32_t number; /* decides between equal keys */
} keyed;

static inline bool keyed_is_less(keyed a, keyed b)
{
    return a.key != b.key ? a.key < b.key : a.number < b.number;
}

/* Puts items[at] where it belongs, the heaps below it being in order. */
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

/* Makes a heap of n items, in time that grows with n. */
static inline void keyed_heap_make(keyed *items, int n)
{
    for (int at = n / 2 - 1; at >= 0; --at) {
        keyed_heap_sift(items, n, at);
    }
}

/* Takes the least of n items out; n - 1 are left. */
static inline keyed keyed_heap_pop(keyed *items, int n)
{
    keyed least = items[0];
    items[0] = items[n - 1];
    keyed_heap_sift(items, n - 1, 0);
    return least;
}

#endif
