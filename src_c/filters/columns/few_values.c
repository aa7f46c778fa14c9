/* Columns of few distinct values, packed. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "filters/columns/few_values.h"
#include "filters/switches.h"

static void fill_bytes(const rrf_ranks *ranks, int feature, uint8_t *byte)
{
    for (int row = 0; row < ranks->n; ++row) {
        byte[row] = (uint8_t)rank_of(ranks, feature, row);
    }
}

/* plane: zeros. */
static void fill_planes(const rrf_ranks *ranks, int feature, uint64_t *plane)
{
    int n_planes = ranks->n_ranks[feature] - 1;
    size_t words = (size_t)plane_words(ranks->n);
    for (int row = 0; row < ranks->n; ++row) {
        for (int v = (int)rank_of(ranks, feature, row); v < n_planes; ++v) {
            plane[(size_t)v * words + (size_t)(row >> 6)] |= (uint64_t)1 << (row & 63);
        }
    }
}

static void *pack(const rrf_ranks *ranks, int feature)
{
    size_t size = packed_size(ranks, feature), n_ranks = (size_t)ranks->n_ranks[feature];
    char *packed = calloc(size + n_ranks * sizeof(int32_t), 1);
    if (!packed) {
        return NULL;
    }
    if (n_ranks <= MAX_PLANES + 1) {
        fill_planes(ranks, feature, (void *)packed);
    } else {
        fill_bytes(ranks, feature, (void *)packed);
    }
    int32_t *row_of = (void *)(packed + size);
    for (int row = 0; row < ranks->n; ++row) {
        row_of[rank_of(ranks, feature, row)] = row;
    }
    return packed;
}

rrf_status few_values_pack(rrf_ranks *ranks, int feature)
{
    column_filter *f = ranks->filter;
    if (!f->packed || ranks->ncat[feature] > 1) {
        return RRF_OK;
    }
    f->n_few -= f->packed[feature] != NULL;
    free(f->packed[feature]);
    f->packed[feature] = NULL;
    int n_ranks = ranks->n_ranks[feature];
    /* With as many ranks as rows, as in short columns, equal values may have different ranks. */
    if (!FILTER_FEW_VALUES || n_ranks > MAX_BYTE_RANKS || n_ranks == ranks->n) {
        return RRF_OK;
    }
    f->packed[feature] = pack(ranks, feature);
    f->n_few += f->packed[feature] != NULL;
    return f->packed[feature] ? RRF_OK : RRF_ERR_MEMORY;
}

/* Returns the lowest rank of the rows, which are all above the cut. */
static uint32_t lowest_rank(const rrf_ranks *ranks, int feature, uint32_t cut_rank, const int32_t *rows, int size)
{
    uint32_t rank = cut_rank + 1, last = (uint32_t)ranks->n_ranks[feature] - 1;
    for (; rank < last; ++rank) {
        for (int i = 0; i < size; ++i) {
            if (rank_at_most(ranks, feature, rank, rows[i])) {
                return rank;
            }
        }
    }
    return last;
}

static beside_cut partition_by_plane(const rrf_ranks *ranks, int feature, uint32_t cut_rank, int32_t *rows, int size,
                                     int32_t *spare)
{
    int n_left = 0;
    for (int i = 0; i < size; ++i) {
        int32_t row = rows[i];
        rows[n_left] = row;
        spare[i - n_left] = row;
        n_left += rank_at_most(ranks, feature, cut_rank, row);
    }
    memcpy(rows + n_left, spare, (size_t)(size - n_left) * sizeof *rows);
    uint32_t next = lowest_rank(ranks, feature, cut_rank, rows + n_left, size - n_left);
    return (beside_cut){n_left, row_of_rank(ranks, feature, cut_rank), row_of_rank(ranks, feature, next)};
}

beside_cut partition_packed(const rrf_ranks *ranks, int feature, uint32_t cut_rank, int32_t *rows, int size,
                            int32_t *spare)
{
    return ranks_are_planes(ranks, feature) ? partition_by_plane(ranks, feature, cut_rank, rows, size, spare)
                                            : partition_by_rank(ranks->filter->packed[feature], sizeof(uint8_t),
                                                                (rank_cut){cut_rank, UINT32_MAX}, rows, size, spare);
}
