/* Votes, winners and error rates.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_VOTES_H
#define RRF_VOTES_H

#include "random/mersenne.h"
#include "random/splitmix.h"

/* The rule of voting: the class with the highest share of votes divided by its cutoff wins. */
typedef struct vote_rule {
    int nclass;
    const double *cutoff; /* nclass */
    bool equal_cutoffs;   /* votes can be compared in place of quotients, with the same ties */
    rrf_ties ties;
} vote_rule;

/* cutoff NULL: equal cutoffs. */
vote_rule vote_rule_make(int nclass, const double *cutoff, rrf_ties ties);
/* Returns the winning class. n_votes: the sum over all classes. Draws from rng break ties, as in R. Returns `current`
 * if no class has a vote. */
int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng);
/* Returns the winning class, with ties broken by a hash of `key`; -1 if no class has a vote. */
int vote_winner_parallel(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key);

/* Counts the vote of a leaf for a row: a class from 1, or 0 for a leaf without cases in the bag. CRAN's packages count
 * 0 for the last class of the row before. For the first row they write outside of their array; here no vote is counted. */
static inline void vote_count(const vote_rule *rule, int32_t *votes, int row, int leaf_class)
{
    size_t cell = (size_t)row * (size_t)rule->nclass + (size_t)leaf_class;
    if (leaf_class > 0 || (rule->ties != RRF_TIES_INTENDED && cell > 0)) {
        ++votes[cell - 1];
    }
}

/* Returns the key for ties of a row: a hash of its leaves in the forest, updated from 0 tree by tree. */
static inline uint64_t vote_key_after(uint64_t key, int32_t leaf)
{
    return splitmix_mix(key + (uint64_t)leaf + SPLITMIX_STEP);
}

/* The votes of all rows. */
typedef struct ballot {
    int n;
    const int32_t *votes;   /* n x nclass, row-major */
    const int32_t *n_votes; /* n; NULL: every row has ntree votes */
    int ntree;
    const int32_t *y;   /* n; read only if errors are requested */
    int32_t *predicted; /* n: in and out */
} ballot;

/* Finds the winner of every row that has votes, R's oob and TestSetError. err_rate: nclass + 1 errors, overall and by
 * class, or NULL; cases: scratch of nclass, for err_rate. */
void ballot_count(const ballot *b, const vote_rule *rule, rrf_rng *rng, double *err_rate, int32_t *cases);

#endif
