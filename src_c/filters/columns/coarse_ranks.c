/* Ranks in bins. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/coarse_ranks.h"

/* Rows whose ranks are read from one column before the next. */
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
