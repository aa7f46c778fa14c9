/* Votes, winners and error rates: R's oob, TestSetError and the end of classForest.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/votes.h"
#include "random/splitmix.h"

/* A share over a smaller cutoff may be infinite; all such shares tie. */
#define MIN_CUTOFF 1.0e-300

vote_rule vote_rule_make(int nclass, const double *cutoff, bool quirks)
{
    vote_rule rule = {.nclass = nclass, .cutoff = cutoff, .equal_cutoffs = cutoff[0] > MIN_CUTOFF, .quirks = quirks};
    for (int k = 1; k < nclass; ++k) {
        rule.equal_cutoffs = rule.equal_cutoffs && cutoff[k] == cutoff[0];
    }
    return rule;
}

/* Share of the votes over the cutoff. Under equal cutoffs counts compare as shares do, ties included: two shares of n
 * votes differ by 1/n at least, far more than their rounding. */
static inline double score(const vote_rule *rule, const int32_t *votes, int n_votes, int k)
{
    return rule->equal_cutoffs ? votes[k] : (double)votes[k] / n_votes / rule->cutoff[k];
}

int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng)
{
    double most = 0.0;
    int winner = current, ntie = 1;
    for (int k = 0; k < rule->nclass; ++k) {
        double crit = score(rule, votes, n_votes, k);
        if (crit > most) {
            winner = k;
            most = crit;
            if (!rule->quirks) {
                ntie = 1;
                continue;
            }
        }
        /* As in the split search, a class that has just taken the lead draws as if it tied with itself. */
        if (crit == most && (rule->quirks || most > 0.0)) {
            ++ntie;
            double u = rng_uniform(rng);
            if (rule->quirks ? u > 1.0 / ntie : u < 1.0 / ntie) {
                winner = k;
            }
        }
    }
    return winner;
}

int vote_winner_parallel(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key)
{
    uint64_t best = 0;
    double most = 0.0;
    int winner = -1;
    for (int k = 0; k < rule->nclass; ++k) {
        double crit = score(rule, votes, n_votes, k);
        uint64_t priority = splitmix_word(key, (uint64_t)k);
        if (crit > most || (crit == most && crit > 0.0 && priority > best)) {
            winner = k;
            most = crit;
            best = priority;
        }
    }
    return winner;
}

/* err_rate: nclass + 1 values, overall first; a class without cases gives 0/0, as in R. `cases` is scratch of nclass. */
static void count_errors(const ballot *b, int nclass, double *err_rate, int32_t *cases)
{
    int voted = 0;
    memset(err_rate, 0, (size_t)(nclass + 1) * sizeof *err_rate);
    memset(cases, 0, (size_t)nclass * sizeof *cases);
    for (int row = 0; row < b->n; ++row) {
        if (b->n_votes && b->n_votes[row] == 0) {
            continue;
        }
        bool wrong = b->predicted[row] != b->y[row];
        ++voted;
        ++cases[b->y[row]];
        err_rate[0] += wrong;
        err_rate[b->y[row] + 1] += wrong;
    }
    err_rate[0] /= voted;
    for (int k = 0; k < nclass; ++k) {
        err_rate[k + 1] /= cases[k];
    }
}

void ballot_count(const ballot *b, const vote_rule *rule, rrf_rng *rng, double *err_rate, int32_t *cases)
{
    for (int row = 0; row < b->n; ++row) {
        int n_votes = b->n_votes ? b->n_votes[row] : b->ntree;
        if (n_votes > 0) {
            const int32_t *votes = b->votes + (size_t)row * (size_t)rule->nclass;
            b->predicted[row] = vote_winner(rule, votes, n_votes, b->predicted[row], rng);
        }
    }
    if (err_rate) {
        count_errors(b, rule->nclass, err_rate, cases);
    }
}
