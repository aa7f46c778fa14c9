/* Items drawn in proportion to their probabilities, of which some may be taken out for a while.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CHANCES_H
#define RRF_CHANCES_H

#include "arena.h"

#include <stdbool.h>

/* Probabilities are whole numbers here, so that sums do not depend on the order of what is taken out and put back. */
typedef struct chances {
    double *probability; /* capacity: those that were taken last, if is_weighed */
    /* capacity: the weight of each item, up to 2^52; 0 if it is never drawn, negative while it is excluded. */
    int64_t *weight;
    int32_t *items; /* n: those that can be drawn, ascending */
    int64_t *upto;  /* n: the weights of items[0] to items[i], summed */
    /* Where to look up a number below the sum of all weights: guide[number >> shift] is the first place that may hold it. */
    int32_t *guide;
    /* The weights that are left, as a Fenwick tree: at place i, from 1, the sum of the i & -i places up to it. */
    int64_t *left;
    int32_t *out; /* n_out: places of the items that are taken out */
    int64_t n_left;
    int capacity, n, n_out, shift;
    int top; /* the highest power of two up to n */
    bool is_weighed, excludes;
} chances;

rrf_status chances_init(chances *c, int capacity, arena *memory);
/* probability: capacity, not negative. What is less than 2^-52 of the sum is never drawn. RRF_ERR_ARGUMENT: no finite sum.
 * The same ones again cost next to nothing. */
rrf_status chances_take(chances *c, const double *probability);
/* Excludes the items with has[item] != 0 until the next chances_take(); none may be out for a while. */
void chances_exclude(chances *c, const uint8_t *has);
/* The place of a random item of those that are left; word: the random number. */
int chances_find(const chances *c, uint64_t word);
/* Takes out an item that is left. */
void chances_take_out(chances *c, int place);
/* Puts back all that are out. */
void chances_put_back(chances *c);

/* A number between 0 and 1. */
static inline double chances_unit(uint64_t word)
{
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

#endif
