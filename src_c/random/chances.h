/* Items drawn in proportion to their probabilities, some of which may be excluded temporarily. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_CHANCES_H
#define RRF_CHANCES_H

#include "arena.h"

#include <stdbool.h>

/* Weights are whole numbers here, so that sums do not depend on the order of excluding and restoring items. */
typedef struct chances {
    double *probability; /* capacity: the last probabilities, if is_weighed */
    /* capacity: the weight of each item, up to 2^52; 0 if it is never drawn, negative while it is excluded. */
    int64_t *weight;
    int32_t *items; /* n: items that can be drawn, ascending */
    int64_t *upto;  /* n: cumulative weights of items[0] to items[i] */
    /* Index for a number below the sum of all weights: guide[number >> shift] is the first position that may have it. */
    int32_t *guide;
    /* The remaining weights, as a Fenwick tree: at position i, from 1, the sum of the i & -i positions up to it. */
    int64_t *left;
    int32_t *out; /* n_out: positions of the excluded items */
    int64_t n_left;
    int capacity, n, n_out, shift;
    int top; /* the highest power of two up to n */
    bool is_weighed, excludes;
} chances;

rrf_status chances_init(chances *c, int capacity, arena *memory);
/* Sets the probabilities: capacity, not negative. Less than 2^-52 of the sum is never drawn. RRF_ERR_ARGUMENT: no
 * finite sum. Repeated calls with equal probabilities reuse the tables. */
rrf_status chances_take(chances *c, const double *probability);
/* Excludes the items with has[item] != 0 until the next chances_take(); none may be temporarily excluded. */
void chances_exclude(chances *c, const uint8_t *has);
/* Returns the position of a random remaining item; word: the random number. */
int chances_find(const chances *c, uint64_t word);
/* Temporarily excludes a remaining item. */
void chances_take_out(chances *c, int place);
/* Restores all temporarily excluded items. */
void chances_put_back(chances *c);

/* A number between 0 and 1. */
static inline double chances_unit(uint64_t word)
{
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

#endif
