/* The ranks of some features, row by row: what a node of few rows reads to look at all of them together.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MEMBER_RANKS_H
#define RRF_MEMBER_RANKS_H

#include "data/ranks.h"
#include "filters/simd/simd.h"

/* Each feature has a lane. There is none for factors, for columns with missing values, or for more ranks than an int16_t
 * holds; nor when the room is used up. */
typedef struct member_ranks {
    const rrf_ranks *ranks;
    const int32_t *ncat; /* p */
    size_t most_bytes;   /* that the matrix may take */
    int n_lanes, stride; /* lanes in use; and for which there is room, a multiple of RANK_LANES */
    int16_t *rank;       /* n x stride: of row r in lane l at r * stride + l; 0 in lanes that are not in use */
    int32_t *lane;       /* p: a feature's lane, or -1 */
    int32_t *feature;    /* p: of the lanes in use */
    arena *memory;       /* in which the matrix grows */
} member_ranks;

rrf_status member_ranks_init(member_ranks *m, const rrf_data *data, const rrf_ranks *ranks, size_t most_bytes,
                             arena *memory);
/* Makes room for n_features and some more; the lanes in use stay. Where most_bytes do not suffice the room stays as it is. */
rrf_status member_ranks_reserve(member_ranks *m, int n_features);
/* Gives a feature a lane if it has none yet, it may have one, and there is room. */
void member_ranks_add(member_ranks *m, int feature);
/* Takes all lanes away. */
void member_ranks_clear(member_ranks *m);
/* Copies what rows[0 .. n - 1] have in the lanes of one vector, for count_at_most(). */
void member_ranks_gather(const member_ranks *m, const int32_t *rows, int n, int vector, int16_t *out);

/* Vectors that hold lanes in use. */
static inline int member_ranks_vectors(const member_ranks *m)
{
    return (m->n_lanes + RANK_LANES - 1) / RANK_LANES;
}

#endif
