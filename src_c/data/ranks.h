/* Ranks of every numeric feature, computed once. Growing trees only reads ranks, so threads and fits can share them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANKS_H
#define RRF_RANKS_H

#include "arena.h"
#include "data/matrix.h"

/* A row's rank is its position in the order of a column, from 0; a factor's rank is its level, from 0. Equal values
 * either share a rank (merged), or have different ranks: in the order of R's sort, which determines the rounding of
 * sums, or by row. */
typedef enum tie_order { TIES_LIKE_R, TIES_MERGED, TIES_BY_ROW } tie_order;

/* The type of ranks that a fit needs. */
typedef struct ranks_kind {
    tie_order ties;
    bool may_miss; /* NaN is a missing number; otherwise it is an error */
    bool values;   /* R's regression: equal values of columns with few values are merged, for filters/ */
    bool counts;   /* classes are counted in whole numbers; ties are merged */
} ranks_kind;

struct rrf_ranks {
    int n, p;
    ranks_kind kind;
    bool wide;                    /* 32-bit ranks; 16-bit ones when n allows */
    void *rank;                   /* p x n: of feature f and row r at f * n + r */
    int32_t *ncat;                /* p: levels, as in rrf_data */
    int32_t *n_ranks;             /* p: ranks in use, 0 .. n_ranks - 1 */
    int32_t *n_present;           /* p: ranks below it are of values, the others of missing values */
    uint8_t *has_ties;            /* p */
    struct column_filter *filter; /* of filters/ */
    arena memory;                 /* owner of all these arrays */
};

static inline bool ranks_have_missing(const rrf_ranks *ranks, int feature)
{
    return ranks->n_present[feature] < ranks->n_ranks[feature];
}

static inline size_t rank_width(const rrf_ranks *ranks)
{
    return ranks->wide ? sizeof(uint32_t) : sizeof(uint16_t);
}

static inline uint32_t rank_of(const rrf_ranks *ranks, int feature, int row)
{
    size_t at = (size_t)feature * ranks->n + row;
    return ranks->wide ? ((const uint32_t *)ranks->rank)[at] : ((const uint16_t *)ranks->rank)[at];
}

static inline void set_rank(rrf_ranks *ranks, int feature, int row, int rank)
{
    size_t at = (size_t)feature * ranks->n + row;
    if (ranks->wide) {
        ((uint32_t *)ranks->rank)[at] = (uint32_t)rank;
    } else {
        ((uint16_t *)ranks->rank)[at] = (uint16_t)rank;
    }
}

#endif
