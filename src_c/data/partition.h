/* Partitions the rows of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PARTITION_H
#define RRF_PARTITION_H

#include <stdbool.h>
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

/* The bounds of a partition by ranks: ranks up to `highest` go left, as do those from `missing` on. */
typedef struct rank_cut {
    uint32_t highest, missing;
} rank_cut;

/* The result of a partition: the number of rows that went left, and the rows next to the cut on both sides. */
typedef struct beside_cut {
    int n_left;
    int32_t last_left, first_right;
} beside_cut;

static inline uint32_t rank_in(const void *column, size_t width, int32_t row)
{
    return width == sizeof(uint8_t)    ? ((const uint8_t *)column)[row]
           : width == sizeof(uint16_t) ? ((const uint16_t *)column)[row]
                                       : ((const uint32_t *)column)[row];
}

/* Partitions rows as partition_rows(), by the ranks of a column, of `width` bytes. There is no branch on a rank, which
 * the processor could not predict. The right row of the lowest rank is the minimum of (rank, row); left rows wrap
 * around to the top. */
static inline __attribute__((always_inline)) beside_cut partition_by_rank(const void *column, size_t width,
                                                                          rank_cut cut, int32_t *rows, int size,
                                                                          int32_t *spare)
{
    uint64_t nearest = UINT64_MAX;
    int32_t last_left = 0;
    int n_left = 0;
    for (int i = 0; i < size; ++i) {
        int32_t row = rows[i];
        uint32_t rank = rank_in(column, width, row);
        uint64_t beyond = (uint64_t)(rank - cut.highest - 1) << 32 | (uint32_t)row;
        nearest = beyond < nearest ? beyond : nearest;
        last_left = rank == cut.highest ? row : last_left;
        rows[n_left] = row;
        spare[i - n_left] = row;
        n_left += (rank <= cut.highest) | (rank >= cut.missing);
    }
    memcpy(rows + n_left, spare, (size_t)(size - n_left) * sizeof *rows);
    return (beside_cut){n_left, last_left, (int32_t)(uint32_t)nearest};
}

#endif
