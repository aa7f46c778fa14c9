/* Columns of few distinct values, packed. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FEW_VALUES_H
#define RRF_FEW_VALUES_H

#include "filters/columns/column_filter.h"

/* A column with at most MAX_PLANES + 1 ranks is stored as planes: plane v has a bit for each row whose rank is at most
 * v. The last rank needs none. A column with at most MAX_BYTE_RANKS is stored as one byte per row. */
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

/* Returns the size of a packed column in bytes. */
static inline size_t packed_size(const rrf_ranks *ranks, int feature)
{
    int n_planes = ranks->n_ranks[feature] - 1;
    return n_planes <= MAX_PLANES ? (size_t)plane_words(ranks->n) * (size_t)(n_planes > 0 ? n_planes : 1) * 8
                                  : ((size_t)ranks->n + 7) / 8 * 8;
}

/* Packs a ranked column if it has few values. */
rrf_status few_values_pack(rrf_ranks *ranks, int feature);

#endif
