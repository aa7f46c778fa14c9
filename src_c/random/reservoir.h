/* Choice between equal candidates by draws, as in CRAN RRF and CRAN randomForest. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_RESERVOIR_H
#define RRF_RESERVOIR_H

#include "random/mersenne.h"

/* The leader among candidates that are offered in sequence. The second of equal ones takes the lead with probability
 * 1/2, the third with 1/3 and so on, so that all are equally likely to win. */
typedef struct reservoir {
    double most; /* the value of the leader */
    int ntie;    /* 1 and the ties so far */
    bool found;  /* there is a leader */
} reservoir;

/* Returns whether a candidate, the ntie-th of its equals, takes the lead: R's splits and terminal nodes. */
static inline bool reservoir_draw(rrf_rng *rng, int ntie)
{
    return rng_uniform(rng) < (double)(1.0F / (float)ntie);
}

/* Returns whether the candidate takes the lead. In CRAN's packages a better one draws too, as if it tied with itself,
 * because they test for equality after storing the better value: that draw has no effect, but advances the stream and
 * counts as a tie. RRF does not even reset the count. A value that equals the initial `most` draws although there is no
 * leader. */
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
