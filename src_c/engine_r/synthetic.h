/* The second class of unsupervised mode.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SYNTHETIC_H
#define RRF_SYNTHETIC_H

#include "arena.h"
#include "random/mersenne.h"

typedef struct synthetic {
    int n_real;
    bool quirks;
    rrf_data data; /* twice n_real rows: the real ones, then the second class */
    double *x;     /* its values */
} synthetic;
/* stacked: the real rows twice. */
rrf_status synthetic_init(synthetic *s, const rrf_data *stacked, bool quirks, arena *memory);
/* Draws a new second class, as for each tree. */
void synthetic_draw(synthetic *s, rrf_rng *rng);

#endif
