/* The ranks of some features, row by row: a node of few rows reads them to evaluate all of these features together.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MEMBER_RANKS_H
#define RRF_MEMBER_RANKS_H

#include "data/ranks.h"
#include "filters/simd/simd.h"

/* Each feature may have a lane. Factors, columns with missing values and columns of more ranks than an int16_t holds
 * have none, nor has any feature once the limit of memory is reached. */
typedef struct member_ranks {
    const rrf_ranks *ranks;
    const int32_t *ncat; /* p */
    size_t most_bytes;   /* limit of memory for the matrix */
    int n_lanes, stride; /* lanes in use; allocated lanes, a multiple of RANK_LANES */
    int16_t *rank;       /* n x stride: of row r in lane l at r * stride + l; 0 in unused lanes */
    int32_t *lane;       /* p: a feature's lane, or -1 */
    int32_t *feature;    /* p: of the lanes in use */
    arena *memory;       /* owner of the matrix */
} member_ranks;

rrf_status member_ranks_init(member_ranks *m, const rrf_data *data, const rrf_ranks *ranks, size_t most_bytes,
                             arena *memory);
/* Ensures room for n_features and some more; lanes in use are preserved. Beyond most_bytes the room does not change. */
rrf_status member_ranks_reserve(member_ranks *m, int n_features);
/* Assigns a lane to a feature if it has none, may have one, and there is room. */
void member_ranks_add(member_ranks *m, int feature);
/* Removes all lanes. */
void member_ranks_clear(member_ranks *m);
/* Copies the ranks of rows[0 .. n - 1] in the lanes of one vector, for count_at_most(). */
void member_ranks_gather(const member_ranks *m, const int32_t *rows, int n, int vector, int16_t *out);

/* Returns the number of vectors with lanes in use. */
static inline int member_ranks_vectors(const member_ranks *m)
{
    return (m->n_lanes + RANK_LANES - 1) / RANK_LANES;
}

#endif
