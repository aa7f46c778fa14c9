/* Winners among equal splits at a node of the parallel engine. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_parallel/node_ties.h"
#include "random/splitmix.h"

/* Stream for the ties of features. */
#define CHALLENGE_KEY 0x1d8e4e27c47d124fU
/* Positions of features are lower (node_draws.c). */
#define TURNS ((uint64_t)1 << 63)

/* ---- splits of one feature ------------------------------------------------------------------------------------------- */

static inline bool is_factor(const node_ties *t, int feature)
{
    return t->draws->splitter->in->profile[feature].n_levels > 1;
}

/* Among equal splits the one with the highest priority wins. For classes each of the equal cuts of a number is equally
 * likely; where the first wins, as in regression, it is the lowest one, with missing values on its right. Among sets of
 * levels the first one wins. */
static uint64_t priority_of(const node_ties *t, const column *c, uint32_t cut)
{
    if (is_factor(t, c->feature)) {
        return 0;
    }
    if (t->first_wins) {
        return ~((uint64_t)c->missing_left << 32 | cut);
    }
    return splitmix_word(splitmix_word(t->key, (uint64_t)c->feature << 1 | c->missing_left), cut);
}

bool ties_offer(node_ties *t, split *best, const column *c, double worth, uint32_t cut)
{
    bool better = worth > best->crit, equal = worth == best->crit && best->feature >= 0;
    if (!better && !equal) {
        return false;
    }
    uint64_t priority = priority_of(t, c, cut);
    t->n_equal = better ? 1 : t->n_equal + 1;
    if (t->n_equal == 1 || priority > t->priority) {
        t->priority = priority;
        *best = (split){
            .crit = worth, .feature = c->feature, .cut_rank = cut, .levels = cut, .missing_left = c->missing_left};
    }
    return better;
}

/* ---- features -------------------------------------------------------------------------------------------------------- */

static bool challenge_succeeds(const node_ties *t, const split *split)
{
    uint64_t word = splitmix_word(t->key ^ CHALLENGE_KEY, (uint64_t)split->feature) >> 32;
    return !t->first_wins && !is_factor(t, split->feature) && word * ((uint64_t)split->n_equal + 1) >> 32 > 0;
}

/* Among features with equal splits the one of the highest priority wins: that of the last successful challenge, or of
 * the first feature; where the lowest feature wins, its number decides. */
static uint64_t standing(const node_ties *t, const split *split)
{
    if (t->lowest_wins) {
        return ~(uint64_t)split->feature;
    }
    uint64_t turn = draws_turn(t->draws, split->feature);
    return challenge_succeeds(t, split) ? TURNS + turn : TURNS - 1 - turn;
}

void ties_begin_feature(node_ties *t, const split *best)
{
    t->incumbent = *best;
    t->n_equal = 0;
}

void ties_end_feature(node_ties *t, split *best)
{
    const split *incumbent = &t->incumbent;
    if (t->n_equal == 0) {
        return;
    }
    best->n_equal = t->n_equal;
    bool tied = incumbent->feature >= 0 && incumbent->crit == best->crit && incumbent->feature != best->feature;
    if (tied && standing(t, incumbent) > standing(t, best)) {
        *best = *incumbent;
    }
}
