/* Votes, winners and error rates.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_VOTES_H
#define RRF_VOTES_H

#include "random/mersenne.h"

typedef struct vote_rule {
    int nclass;
    const double *cutoff;
    bool equal_cutoffs; /* counts alone decide, and tie exactly when the shares tie */
    bool quirks;
} vote_rule;

vote_rule vote_rule_make(int nclass, const double *cutoff, bool quirks);
/* The class with most votes/cutoff, given n_votes votes in all; `current` when no class has one. */
int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng);
/* The same where a hash of `key` breaks ties. */
int vote_winner_parallel(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key);
/* The votes of every row, and the error overall and by class; n_votes NULL: every row has had ntree of them. */
typedef struct ballot {
    int n;
    const int32_t *votes;   /* n x nclass */
    const int32_t *n_votes; /* n, or NULL */
    int ntree;
    const int32_t *y;   /* n; read for the error only */
    int32_t *predicted; /* n */
} ballot;
/* err_rate NULL: only the winners are wanted; cases: scratch of nclass. */
void ballot_count(const ballot *b, const vote_rule *rule, rrf_rng *rng, double *err_rate, int32_t *cases);

#endif
