/* Chooses between equal candidates by draws, as CRAN RRF does.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RESERVOIR_H
#define RRF_RESERVOIR_H

#include "random/mersenne.h"

/* Candidates are offered one after the other. Of equal ones the second takes the lead with probability 1/2, the third with
 * 1/3 and so on, so that all of them win equally often. */
typedef struct reservoir {
    double most; /* the value of the leader */
    int ntie;    /* 1 and the ties so far */
    bool found;  /* there is a leader */
} reservoir;

/* Whether a candidate that is number ntie of its equals takes the lead: R's splits and terminal nodes. */
static inline bool reservoir_draw(rrf_rng *rng, int ntie)
{
    return rng_uniform(rng) < (double)(1.0F / (float)ntie);
}

/* Whether the candidate takes the lead. With quirks a better one draws too, as if it tied with itself, because RRF tests
 * for equality after it has stored the better value. That draw changes nothing but is made; the count of ties is not
 * reset; and a value that equals the initial `most` draws although nobody leads. */
static inline bool reservoir_takes(reservoir *r, double value, bool quirks, rrf_rng *rng,
                                   bool (*draw)(rrf_rng *rng, int ntie))
{
    bool better = value > r->most;
    if (better) {
        r->most = value;
        r->found = true;
        r->ntie = quirks ? r->ntie + 1 : 1;
        rng_pass(rng, quirks);
        return true;
    }
    if (value == r->most && (quirks || r->found)) {
        ++r->ntie;
        bool won = draw(rng, r->ntie);
        r->found = r->found || won;
        return won;
    }
    return false;
}

#endif
