/* Every numeric feature ranked once.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANKS_H
#define RRF_RANKS_H

#include "data/matrix.h"

/* A row's key is its place in the order of a column; among equal values there are three ways. R's order decides sums
 * that are not exact. A factor's key is its level, from 0. */
typedef enum tie_order { TIES_LIKE_R, TIES_MERGED, TIES_BY_ROW } tie_order;

typedef struct rrf_ranks {
    int n, p;
    tie_order ties;
    bool wide;          /* 32-bit keys; 16-bit ones when n allows */
    void *key;          /* p x n */
    int32_t *n_ranks;    /* p: keys in use, 0 .. n_ranks - 1 */
    int32_t *n_present; /* p: keys below it stand for values, those from it on for missing ones */
    uint8_t *has_ties;  /* p */
    int32_t **order;    /* p: rows by key, made when a column is first asked for; NULL until then */
} rrf_ranks;

rrf_status ranks_init(rrf_ranks *ranks, const rrf_data *data, tie_order ties, const rrf_monitor *monitor);
/* The same in two steps, so that ranges of features can be ranked side by side. */
rrf_status ranks_alloc(rrf_ranks *ranks, const rrf_data *data, tie_order ties);
rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, const rrf_monitor *monitor);
void ranks_free(rrf_ranks *ranks);
/* Ranks data whose values have changed. */
rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor);
/* The rows of a column by ascending key; NULL when memory is short. */
const int32_t *ranks_sorted_rows(rrf_ranks *ranks, int feature);

static inline bool ranks_have_missing(const rrf_ranks *ranks, int feature)
{
    return ranks->n_present[feature] < ranks->n_ranks[feature];
}

static inline uint32_t rank_of(const rrf_ranks *ranks, int feature, int row)
{
    size_t at = (size_t)feature * ranks->n + row;
    return ranks->wide ? ((const uint32_t *)ranks->key)[at] : ((const uint16_t *)ranks->key)[at];
}

/* Asks for a column's keys ahead of use; the processor itself follows a long one. */
static inline void ranks_fetch(const rrf_ranks *ranks, int feature)
{
    size_t width = ranks->wide ? sizeof(uint32_t) : sizeof(uint16_t), bytes = width * (size_t)ranks->n;
    const char *start = (const char *)ranks->key + (size_t)feature * bytes;
    for (size_t at = 0; at < bytes && at < 512; at += 64) {
        __builtin_prefetch(start + at);
    }
}

#endif
