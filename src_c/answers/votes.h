/* Votes, winners and error rates.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_VOTES_H
#define RRF_VOTES_H

#include "random/mersenne.h"
#include "random/splitmix.h"

/* How votes choose a class. The class with the highest share of votes divided by its cutoff wins. */
typedef struct vote_rule {
    int nclass;
    const double *cutoff; /* nclass */
    bool equal_cutoffs;   /* votes can be compared instead of quotients: they tie in the same cases */
    rrf_ties ties;
} vote_rule;

/* cutoff NULL: equal cutoffs. */
vote_rule vote_rule_make(int nclass, const double *cutoff, rrf_ties ties);
/* The class that wins. n_votes: the sum over all classes. Draws from rng decide between equal classes, as in R. Returns
 * `current` if no class has a vote. */
int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng);
/* The same, but a hash of `key` decides between equal classes, and -1 is returned if no class has a vote. */
int vote_winner_parallel(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key);

/* Counts the vote of a leaf for a row: a class, from 1; or 0, in a leaf that no case of the bag is in. CRAN's packages count 0
 * for the last class of the row before. In the first row they write outside of their array: no vote is counted here. */
static inline void vote_count(const vote_rule *rule, int32_t *votes, int row, int leaf_class)
{
    size_t cell = (size_t)row * (size_t)rule->nclass + (size_t)leaf_class;
    if (leaf_class > 0 || (rule->ties != RRF_TIES_INTENDED && cell > 0)) {
        ++votes[cell - 1];
    }
}

/* The key of a row's ties: a hash of its way through the forest, from 0, tree by tree. */
static inline uint64_t vote_key_after(uint64_t key, int32_t leaf)
{
    return splitmix_mix(key + (uint64_t)leaf + SPLITMIX_STEP);
}

/* The votes of all rows. */
typedef struct ballot {
    int n;
    const int32_t *votes;   /* n x nclass, row-major */
    const int32_t *n_votes; /* n; NULL: every row has had ntree votes */
    int ntree;
    const int32_t *y;   /* n; read only where errors are asked for */
    int32_t *predicted; /* n: in and out */
} ballot;

/* Finds the winner of every row that has votes, R's oob and TestSetError. err_rate: nclass + 1 errors, overall and by
 * class, or NULL; cases: scratch of nclass, for err_rate. */
void ballot_count(const ballot *b, const vote_rule *rule, rrf_rng *rng, double *err_rate, int32_t *cases);

#endif
