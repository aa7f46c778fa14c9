/* Chooses between equal candidates by draws, as CRAN RRF and CRAN randomForest do.
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

/* Whether the candidate takes the lead. In CRAN's packages a better one draws too, as if it tied with itself, because they
 * test for equality after they have stored the better value: that draw changes nothing but is made, and counts as a tie.
 * RRF does not even reset the count. A value that equals the initial `most` draws although nobody leads. */
static inline bool reservoir_takes(reservoir *r, double value, rrf_ties ties, rrf_rng *rng,
                                   bool (*draw)(rrf_rng *rng, int ntie))
{
    bool better = value > r->most;
    if (better) {
        r->most = value;
        r->found = true;
        r->ntie = ties == RRF_TIES_RRF ? r->ntie + 1 : ties == RRF_TIES_RANDOM_FOREST ? 2 : 1;
        rng_pass(rng, ties != RRF_TIES_INTENDED);
        return true;
    }
    if (value == r->most && (ties != RRF_TIES_INTENDED || r->found)) {
        ++r->ntie;
        bool won = draw(rng, r->ntie);
        r->found = r->found || won;
        return won;
    }
    return false;
}

#endif
