/* The features a node looks at, in the order R draws them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CANDIDATES_H
#define RRF_CANDIDATES_H

#include "data/simd.h"
#include "random/mersenne.h"

typedef struct candidates {
    int p, mtry;
    bool regularized; /* flagReg */
    const simd *simd;
    uint8_t *used; /* p: 1 = in F */
    int n_used;
    /* State of one node: position i of the shuffle holds feature id[i]; tag[i] says whether that is in F. */
    int32_t *id;
    uint8_t *tag;
    int32_t *touched; /* positions that differ from the resting state id[i] = i, tag[i] = used[i] */
    int n_touched;
    int remaining; /* draws left */
    int tried;     /* features counted against mtry */
    int used_left; /* members of F not drawn yet */
} candidates;

rrf_status candidates_init(candidates *c, int p, int mtry, bool regularized, const int32_t *used);
void candidates_free(candidates *c);
void candidates_begin(candidates *c);
/* The feature that the next draw would hit, or -1 if that is not known yet: a hint for fetching its data. */
int candidates_peek(const candidates *c, const rrf_rng *rng);
/* The next feature to evaluate, or -1 when the node's p draws are spent. */
int candidates_next(candidates *c, rrf_rng *rng);
void candidates_end(candidates *c);
void candidates_mark_used(candidates *c, int feature);

#endif
