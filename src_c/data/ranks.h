/* Every numeric feature ranked once. Growing trees only reads ranks, so threads and fits can share them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANKS_H
#define RRF_RANKS_H

#include <stdatomic.h>

#include "arena.h"
#include "data/matrix.h"

/* A row's rank is its place in the order of a column, from 0; a factor's rank is its level, from 0. Equal values either share
 * a rank (merged), or have ranks of their own: in the order that R's sort leaves, which decides how sums are rounded, or by
 * row. */
typedef enum tie_order { TIES_LIKE_R, TIES_MERGED, TIES_BY_ROW } tie_order;

/* The kind of ranks that a fit needs. */
typedef struct ranks_kind {
    tie_order ties;
    bool may_miss; /* NaN is a missing number; otherwise it is refused */
    bool values;   /* R's regression: merge where values are few, keep first_equal, and the ranks row by row */
    bool few;      /* two classes: pack columns of few values (few_values.h); ties are merged */
} ranks_kind;

typedef struct rare_values rare_values;

struct rrf_ranks {
    int n, p;
    ranks_kind kind;
    bool wide;                 /* 32-bit ranks; 16-bit ones when n allows */
    void *rank;                /* p x n: of feature f and row r at f * n + r */
    int32_t *ncat;             /* p: levels, as in rrf_data */
    int32_t *n_ranks;          /* p: ranks in use, 0 .. n_ranks - 1 */
    int32_t *n_present;        /* p: ranks below it belong to values, the others to missing values */
    uint8_t *has_ties;         /* p */
    _Atomic(int32_t *) *order; /* p: rows by rank; NULL until a thread first needs them */
    /* p: by rank, the lowest one with the same value; NULL for factors, merged numbers, those without ties, and others than
     * R's regression. */
    uint32_t **first_equal;
    void **packed;      /* p: columns of few values, see few_values.h; with kind.few, otherwise NULL */
    _Atomic int n_few;  /* how many of them there are */
    rare_values **rare; /* p: see rare_values.h; where equal values share ranks, otherwise NULL */
    uint8_t *coarse;    /* n x p: see coarse_ranks.h; with kind.ties of TIES_MERGED and many rows, otherwise NULL */
    void *by_row;       /* n x p: the ranks row by row; with kind.values and many rows, otherwise NULL */
    arena memory;       /* of all but what several threads make: the columns of the four arrays of pointers */
};

static inline bool ranks_have_missing(const rrf_ranks *ranks, int feature)
{
    return ranks->n_present[feature] < ranks->n_ranks[feature];
}

/* Whether equal values share a rank, in R's regression. */
static inline bool ranks_are_merged(const rrf_ranks *ranks, int feature)
{
    return ranks->has_ties[feature] && !ranks->first_equal[feature];
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

/* Prefetches the ranks of a column, or the start of its rare values; for a long one the processor does so itself. */
static inline void ranks_fetch(const rrf_ranks *ranks, int feature)
{
    if (ranks->rare && ranks->rare[feature]) {
        __builtin_prefetch(ranks->rare[feature]);
        return;
    }
    size_t width = ranks->wide ? sizeof(uint32_t) : sizeof(uint16_t), bytes = width * (size_t)ranks->n;
    const char *start = (const char *)ranks->rank + (size_t)feature * bytes;
    for (size_t at = 0; at < bytes && at < 512; at += 64) {
        __builtin_prefetch(start + at);
    }
}

#endif
