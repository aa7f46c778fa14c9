/* Equal candidates, decided by a draw as CRAN RRF does it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RESERVOIR_H
#define RRF_RESERVOIR_H

#include "random/mersenne.h"

/* Candidates come one after the other. The second of two equal ones takes the lead one time in two, the third one time in
 * three, so that in the end each of them leads equally often. */
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

/* Whether the candidate takes the lead. With quirks a better one draws, too, as if it tied with itself: RRF asks for
 * equality after it has taken the better value. The draw changes nothing then, but it is made, the ties of the leader
 * before go on counting, and a value that equals the `most` of the start draws although nobody leads. */
static inline bool reservoir_takes(reservoir *r, double value, bool quirks, rrf_rng *rng,
                                   bool (*draw)(rrf_rng *rng, int ntie))
{
    bool better = value > r->most;
    if (better) {
        r->most = value;
        r->found = true;
        if (!quirks) {
            r->ntie = 1;
            return true;
        }
    }
    if (value == r->most && (quirks || r->found)) {
        ++r->ntie;
        bool won = draw(rng, r->ntie);
        r->found = r->found || won;
        return better || won;
    }
    return better;
}

#endif
