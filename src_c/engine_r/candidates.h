/* The features a node looks at, in the order R draws them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CANDIDATES_H
#define RRF_CANDIDATES_H

#include "random/mersenne.h"
#include "tree/feature_set.h"

typedef struct candidates {
    int p, mtry;
    bool members_join; /* flagReg: F is looked at in every node, and mtry others; otherwise mtry of all features */
    bool shuffles_all; /* a number is drawn for each feature, as in RRF; otherwise for those that are looked at */
    feature_set f;     /* F */
    /* State of one node: position i of the shuffle holds feature id[i]; tag[i] says whether that one is in F. */
    int32_t *id;
    uint8_t *tag;
    int32_t *touched; /* positions to restore after the node to id[i] = i, tag[i] = f.has[i] */
    int n_touched;
    int remaining;    /* draws left */
    int tried;        /* features counted against mtry */
    int members_left; /* members of F not drawn yet */
} candidates;

/* As classes are grown. used: F at the start; NULL: it is empty. */
rrf_status candidates_init(candidates *c, int p, const rrf_params *params, const int32_t *used, arena *memory);
void candidates_begin(candidates *c);
/* The feature that the next draw will give, or -1 if that is not known yet: a hint for prefetching its data. */
int candidates_peek(const candidates *c, const rrf_rng *rng);
/* The next feature to evaluate, or -1 after the node's last draw. */
int candidates_next(candidates *c, rrf_rng *rng);
void candidates_end(candidates *c);
/* A feature enters F, with its group. */
void candidates_enter(candidates *c, int feature);

#endif
