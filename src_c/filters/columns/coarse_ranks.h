/* Ranks in at most 256 bins, a byte each: what most cuts of a column of many values are ruled out by (split_coarse.h).
 *
 * They stand row by row. The rows of a small node are far apart, so that each feature would fetch other lines of memory.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COARSE_RANKS_H
#define RRF_COARSE_RANKS_H

#include "data/partition.h"
#include "filters/columns/column_filter.h"

/* The number of bins; the number of rows from which there are any: with fewer the ranks themselves stay in the processor's
 * cache; and how many ranks one line of memory holds. Tests have others, so that small data suffice. */
#ifndef COARSE_BINS
#define COARSE_BINS 256
#define MIN_COARSE 65537
#define ROWS_PER_LINE 16
#endif

/* A bin has this share of the ranks, as a multiplier: rank * scale >> 32 is below 256. */
static inline uint64_t coarse_scale(int n_ranks)
{
    return ((uint64_t)COARSE_BINS << 32) / (uint64_t)n_ranks;
}

static inline uint32_t coarse_bin(uint32_t rank, uint64_t scale)
{
    return (uint32_t)(rank * scale >> 32);
}

/* The bin of row 0, followed after p bytes by that of row 1; NULL where there are none: values are few, or missing. */
static inline const uint8_t *coarse_column(const rrf_ranks *ranks, int feature)
{
    bool kept = ranks->filter->coarse && ranks->ncat[feature] == 1 && ranks->n_ranks[feature] > COARSE_BINS &&
                !ranks_have_missing(ranks, feature);
    return kept ? ranks->filter->coarse + feature : NULL;
}

/* Whether so many rows are read line by line of their bins; of more every line of a column of ranks is read. */
static inline bool coarse_reads_rows(const rrf_ranks *ranks, int size)
{
    return size < ranks->n / ROWS_PER_LINE;
}

/* Fills in the bins of columns that have been ranked. */
void coarse_ranks_fill(rrf_ranks *ranks);
/* The bins of n rows in a column that has them. */
void coarse_ranks_read(const rrf_ranks *ranks, int feature, const int32_t *rows, int n, uint8_t *bin);
/* As partition_by_rank(), by the bins of a column that has them; ranks are read in the bins next to the cut only. */
beside_cut partition_by_bin(const rrf_ranks *ranks, int feature, uint32_t highest, int32_t *rows, int size,
                            int32_t *spare);

#endif
