/* Ranks in bins. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "filters/columns/coarse_ranks.h"

/* Rows whose ranks are read from one column before the next one is read. */
enum { BLOCK = 64 };

static void fill_block(rrf_ranks *ranks, int feature, int first, int end)
{
    uint64_t scale = coarse_scale(ranks->n_ranks[feature]);
    size_t p = (size_t)ranks->p;
    for (int row = first; row < end; ++row) {
        ranks->filter->coarse[(size_t)row * p + (size_t)feature] =
            (uint8_t)coarse_bin(rank_of(ranks, feature, row), scale);
    }
}

void coarse_ranks_fill(rrf_ranks *ranks)
{
    for (int first = 0; ranks->filter->coarse && first < ranks->n; first += BLOCK) {
        int end = first + BLOCK < ranks->n ? first + BLOCK : ranks->n;
        for (int feature = 0; feature < ranks->p; ++feature) {
            if (coarse_column(ranks, feature)) {
                fill_block(ranks, feature, first, end);
            }
        }
    }
}

void coarse_ranks_read(const rrf_ranks *ranks, int feature, const int32_t *rows, int n, uint8_t *bin)
{
    const uint8_t *coarse = coarse_column(ranks, feature);
    uint64_t scale = coarse_scale(ranks->n_ranks[feature]);
    bool by_row = coarse_reads_rows(ranks, n);
    for (int i = 0; by_row && i < n; ++i) {
        bin[i] = coarse[(size_t)rows[i] * (size_t)ranks->p];
    }
    for (int i = 0; !by_row && i < n; ++i) {
        bin[i] = (uint8_t)coarse_bin(rank_of(ranks, feature, rows[i]), scale);
    }
}

/* ---- partition of rows
 * ----------------------------------------------------------------------------------------------- */

/* Returns the smallest (rank, row) of the rows in a bin whose rank is above `highest`. */
static uint64_t nearest_above(const rrf_ranks *ranks, int feature, uint32_t bin, uint32_t highest, const int32_t *rows,
                              int size)
{
    const uint8_t *coarse = coarse_column(ranks, feature);
    uint64_t nearest = UINT64_MAX;
    for (int i = 0; i < size; ++i) {
        if (coarse[(size_t)rows[i] * (size_t)ranks->p] == bin) {
            uint64_t beyond = (uint64_t)rank_of(ranks, feature, rows[i]) << 32 | (uint32_t)rows[i];
            nearest = beyond >> 32 > highest && beyond < nearest ? beyond : nearest;
        }
    }
    return nearest;
}

beside_cut partition_by_bin(const rrf_ranks *ranks, int feature, uint32_t highest, int32_t *rows, int size,
                            int32_t *spare)
{
    const uint8_t *coarse = coarse_column(ranks, feature);
    uint32_t cut = coarse_bin(highest, coarse_scale(ranks->n_ranks[feature])), next = UINT8_MAX;
    int32_t last_left = 0;
    int n_left = 0;
    for (int i = 0; i < size; ++i) {
        int32_t row = rows[i];
        uint32_t bin = coarse[(size_t)row * (size_t)ranks->p];
        unsigned left = bin < cut;
        if (bin == cut) {
            uint32_t rank = rank_of(ranks, feature, row);
            left = rank <= highest;
            last_left = rank == highest ? row : last_left;
        }
        next = !left && bin < next ? bin : next;
        rows[n_left] = row;
        spare[i - n_left] = row;
        n_left += (int)left;
    }
    int n_right = size - n_left;
    memcpy(rows + n_left, spare, (size_t)n_right * sizeof *rows);
    uint64_t nearest = nearest_above(ranks, feature, next, highest, rows + n_left, n_right);
    return (beside_cut){n_left, last_left, (int32_t)(uint32_t)nearest};
}
