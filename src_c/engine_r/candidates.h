/* The candidate features of a node, in the order of R's draws. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CANDIDATES_H
#define RRF_CANDIDATES_H

#include "random/mersenne.h"
#include "tree/feature_set.h"

typedef struct candidates {
    int p, mtry;
    bool members_join; /* flagReg: the candidates of every node are F and mtry others; otherwise mtry of all features */
    bool shuffles_all; /* a number is drawn for each feature, as in RRF; otherwise for candidates only */
    feature_set f;     /* F */
    /* State of one node: position i of the shuffle holds feature id[i]; tag[i] says whether that one is in F. */
    int32_t *id;
    uint8_t *tag;
    int32_t *touched; /* positions to reset after the node to id[i] = i, tag[i] = f.has[i] */
    int n_touched;
    int remaining;    /* draws left */
    int tried;        /* features counted against mtry */
    int members_left; /* members of F not drawn yet */
} candidates;

/* Initializes the rule of classification trees. used: F at the start; NULL: F is empty. */
rrf_status candidates_init(candidates *c, int p, const rrf_params *params, const int32_t *used, arena *memory);
void candidates_begin(candidates *c);
/* Returns the feature of the next draw, or -1 if it is not known yet: a hint for prefetching its data. */
int candidates_peek(const candidates *c, const rrf_rng *rng);
/* Returns the next feature to evaluate, or -1 after the node's last draw. */
int candidates_next(candidates *c, rrf_rng *rng);
void candidates_end(candidates *c);
/* Adds a feature and its group to F. */
void candidates_enter(candidates *c, int feature);

#endif
