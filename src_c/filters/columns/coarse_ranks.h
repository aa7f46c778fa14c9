/* Ranks in at most 256 bins, a byte each, which rule out most cuts of a column of many values (split_coarse.h).
 *
 * They stand row by row. The rows of a small node are far apart, so that each feature would fetch other lines of memory.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COARSE_RANKS_H
#define RRF_COARSE_RANKS_H

#include "data/partition.h"
#include "filters/columns/column_filter.h"

/* The number of bins; the smallest number of rows with bins (with fewer rows the ranks themselves stay in the
 * processor's cache); the number of ranks in a cache line. Tests use smaller numbers, so that small data suffice. */
#ifndef COARSE_BINS
#define COARSE_BINS 256
#define MIN_COARSE 65537
#define ROWS_PER_LINE 16
#endif

/* Returns the share of the ranks in a bin, as a multiplier: rank * scale >> 32 is below 256. */
static inline uint64_t coarse_scale(int n_ranks)
{
    return ((uint64_t)COARSE_BINS << 32) / (uint64_t)n_ranks;
}

static inline uint32_t coarse_bin(uint32_t rank, uint64_t scale)
{
    return (uint32_t)(rank * scale >> 32);
}

/* Returns the address of the bin of row 0, followed after p bytes by that of row 1; NULL without bins: there are few
 * values, or missing ones. */
static inline const uint8_t *coarse_column(const rrf_ranks *ranks, int feature)
{
    bool kept = ranks->filter->coarse && ranks->ncat[feature] == 1 && ranks->n_ranks[feature] > COARSE_BINS &&
                !ranks_have_missing(ranks, feature);
    return kept ? ranks->filter->coarse + feature : NULL;
}

/* Returns whether this number of rows is so small that bins are read instead of every cache line of a column of ranks. */
static inline bool coarse_reads_rows(const rrf_ranks *ranks, int size)
{
    return size < ranks->n / ROWS_PER_LINE;
}

/* Computes the bins of ranked columns. */
void coarse_ranks_fill(rrf_ranks *ranks);
/* Writes the bins of n rows in a column with bins. */
void coarse_ranks_read(const rrf_ranks *ranks, int feature, const int32_t *rows, int n, uint8_t *bin);
/* Partitions as partition_by_rank(), by the bins of a column with bins; ranks are read only in the bins next to the
 * cut. */
beside_cut partition_by_bin(const rrf_ranks *ranks, int feature, uint32_t highest, int32_t *rows, int size,
                            int32_t *spare);

#endif
