/* Votes, winners and error rates: R's oob, TestSetError and the end of classForest.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/votes.h"
#include "answers/oob.h"
#include "random/priority.h"
#include "random/reservoir.h"

/* With a smaller cutoff the quotient may be infinite, and all infinite quotients would tie. */
#define MIN_CUTOFF 1.0e-300

vote_rule vote_rule_make(int nclass, const double *cutoff, rrf_ties ties)
{
    vote_rule rule = {.nclass = nclass, .cutoff = cutoff, .ties = ties};
    rule.equal_cutoffs = !cutoff || cutoff[0] > MIN_CUTOFF;
    for (int k = 1; cutoff && k < nclass; ++k) {
        rule.equal_cutoffs = rule.equal_cutoffs && cutoff[k] == cutoff[0];
    }
    return rule;
}

/* Returns the share of the votes, divided by the cutoff. With equal cutoffs it suffices to compare the votes, also for
 * ties: different shares of n votes differ by at least 1/n, which is far more than their rounding. */
static inline double score(const vote_rule *rule, const int32_t *votes, int n_votes, int k)
{
    return rule->equal_cutoffs ? votes[k] : (double)votes[k] / n_votes / rule->cutoff[k];
}

/* Returns whether a class that ties with the leader takes the lead. CRAN RRF has the comparison reversed: the more ties
 * there were, the more likely the next class takes the lead. */
static bool draw_turned(rrf_rng *rng, int ntie)
{
    return rng_uniform(rng) > 1.0 / ntie;
}

static bool draw_meant(rrf_rng *rng, int ntie)
{
    return rng_uniform(rng) < 1.0 / ntie;
}

/* Returns the class with more votes than any other, or -1. In CRAN's packages a class draws when it takes the lead, as
 * does the first class without votes, and classes behind the winner when they tie; none of these draws affects the
 * result. */
static inline int lone_winner(const vote_rule *rule, const int32_t *votes, rrf_rng *rng)
{
    int winner = -1, n_most = 0, draws = 0;
    int32_t most = 0;
    for (int k = 0; k < rule->nclass; ++k) {
        bool better = votes[k] > most, equal = votes[k] == most;
        draws += rule->ties != RRF_TIES_INTENDED ? better | equal : equal & (most > 0);
        n_most = better ? 1 : n_most + equal;
        winner = better ? k : winner;
        most = better ? votes[k] : most;
    }
    if (n_most != 1 || winner < 0) {
        return -1;
    }
    rng_pass(rng, draws);
    return winner;
}

int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng)
{
    reservoir lead = {.ntie = 1};
    int winner = rule->equal_cutoffs ? lone_winner(rule, votes, rng) : -1;
    if (winner >= 0) {
        return winner;
    }
    winner = current;
    for (int k = 0; k < rule->nclass; ++k) {
        double crit = score(rule, votes, n_votes, k);
        if (reservoir_takes(&lead, crit, rule->ties, rng, rule->ties == RRF_TIES_RRF ? draw_turned : draw_meant)) {
            winner = k;
        }
    }
    return winner;
}

/* Returns the class with the highest hash among those with this score. */
static int break_tie(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key, double most)
{
    lead best = {.most = -1.0};
    int winner = -1;
    for (int k = 0; k < rule->nclass; ++k) {
        if (score(rule, votes, n_votes, k) == most && priority_takes(&best, most, splitmix_word(key, (uint64_t)k))) {
            winner = k;
        }
    }
    return winner;
}

int vote_winner_parallel(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key)
{
    double most = 0.0;
    int winner = -1, n_equal = 0;
    for (int k = 0; k < rule->nclass; ++k) {
        double crit = score(rule, votes, n_votes, k);
        if (crit > most) {
            most = crit;
            winner = k;
            n_equal = 0;
        }
        n_equal += crit == most;
    }
    return winner >= 0 && n_equal > 1 ? break_tie(rule, votes, n_votes, key, most) : winner;
}

/* Two classes: additions do not wait for a store of the sum before. */
static void count_errors_of_two(const ballot *b, double *err_rate, int32_t *cases)
{
    int32_t all = 0, second = 0, wrong = 0, wrong_second = 0;
    for (int row = 0; row < b->n; ++row) {
        int counts = !b->n_votes || b->n_votes[row] > 0, miss = counts & (b->predicted[row] != b->y[row]);
        all += counts;
        second += counts & b->y[row];
        wrong += miss;
        wrong_second += miss & b->y[row];
    }
    cases[0] = all - second;
    cases[1] = second;
    err_rate[1] = wrong - wrong_second;
    err_rate[2] = wrong_second;
}

static void count_errors_by_class(const ballot *b, double *err_rate, int32_t *cases)
{
    for (int row = 0; row < b->n; ++row) {
        if (!b->n_votes || b->n_votes[row] > 0) {
            ++cases[b->y[row]];
            err_rate[b->y[row] + 1] += b->predicted[row] != b->y[row];
        }
    }
}

/* err_rate: nclass + 1 values, overall first. `cases` is scratch of nclass. */
static void count_errors(const ballot *b, int nclass, double *err_rate, int32_t *cases)
{
    memset(err_rate, 0, ((size_t)nclass + 1) * sizeof *err_rate);
    memset(cases, 0, (size_t)nclass * sizeof *cases);
    if (nclass == 2) {
        count_errors_of_two(b, err_rate, cases);
    } else {
        count_errors_by_class(b, err_rate, cases);
    }
    oob_error_rates(err_rate, cases, nclass);
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
