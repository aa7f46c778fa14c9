/* Partitions the rows of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PARTITION_H
#define RRF_PARTITION_H

#include <stdint.h>
#include <string.h>

/* Partitions items[from .. size - 1]: items with left[row] = 1 go to items[n_left ..] and increase n_left, the others go to
 * spare[0 ..]. Both keep their order. ROW is the row of `item`. Each item is written to both places, which avoids a branch
 * that the processor cannot predict; spare needs room for size - from items. */
#define PARTITION(type, items, from, size, left, ROW, n_left, spare)                                                   \
    for (int i = from, n_right = 0; i < (size); ++i) {                                                                 \
        type item = (items)[i];                                                                                        \
        unsigned goes_left = (left)[ROW];                                                                              \
        (items)[n_left] = item;                                                                                        \
        (spare)[n_right] = item;                                                                                       \
        n_left += (int)goes_left;                                                                                      \
        n_right += (int)!goes_left;                                                                                    \
    }

/* Moves the rows that go left to the front; both sides keep their order. Returns how many go left. */
static inline int partition_rows(int32_t *rows, int size, const uint8_t *left, int32_t *spare)
{
    int n_left = 0;
    PARTITION(int32_t, rows, 0, size, left, item, n_left, spare)
    memcpy(rows + n_left, spare, (size_t)(size - n_left) * sizeof *rows);
    return n_left;
}

#endif
