/* Columns of few distinct values, packed. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FEW_VALUES_H
#define RRF_FEW_VALUES_H

#include "data/partition.h"
#include "filters/columns/column_filter.h"

/* A column with at most MAX_PLANES + 1 ranks is stored as planes: plane v has a bit for each row whose rank is at most
 * v. The last rank needs none. A column with at most MAX_BYTE_RANKS is stored as one byte per row. A row of each rank
 * follows: these rows have all values of the column, and stay in the processor's cache. */
enum { MAX_PLANES = 3, MAX_BYTE_RANKS = 256 };

static inline int plane_words(int n)
{
    return (n + 63) / 64;
}

/* Returns whether equal values share ranks, and there are few. */
static inline bool ranks_are_few(const rrf_ranks *ranks, int feature)
{
    return ranks->filter->packed && ranks->filter->packed[feature];
}

static inline bool ranks_are_planes(const rrf_ranks *ranks, int feature)
{
    return ranks_are_few(ranks, feature) && ranks->n_ranks[feature] <= MAX_PLANES + 1;
}

/* Returns the size of a packed column in bytes, without the rows of its ranks. */
static inline size_t packed_size(const rrf_ranks *ranks, int feature)
{
    int n_planes = ranks->n_ranks[feature] - 1;
    return n_planes <= MAX_PLANES ? (size_t)plane_words(ranks->n) * (size_t)(n_planes > 0 ? n_planes : 1) * 8
                                  : ((size_t)ranks->n + 7) / 8 * 8;
}

/* Returns a row that has the rank, in a packed column. */
static inline int32_t row_of_rank(const rrf_ranks *ranks, int feature, uint32_t rank)
{
    const char *column = ranks->filter->packed[feature];
    return ((const int32_t *)(const void *)(column + packed_size(ranks, feature)))[rank];
}

/* Returns whether the row's rank in a packed column is at most `rank`, which is not the last one. */
static inline bool rank_at_most(const rrf_ranks *ranks, int feature, uint32_t rank, int row)
{
    const void *column = ranks->filter->packed[feature];
    if (ranks->n_ranks[feature] > MAX_PLANES + 1) {
        return ((const uint8_t *)column)[row] <= rank;
    }
    const uint64_t *plane = (const uint64_t *)column + (size_t)rank * (size_t)plane_words(ranks->n);
    return plane[row >> 6] >> (row & 63) & 1;
}

/* Partitions as partition_by_rank(), by a packed column without missing values. */
beside_cut partition_packed(const rrf_ranks *ranks, int feature, uint32_t cut_rank, int32_t *rows, int size,
                            int32_t *spare);

/* Packs a ranked column if it has few values. */
rrf_status few_values_pack(rrf_ranks *ranks, int feature);

#endif
