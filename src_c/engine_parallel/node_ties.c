/* Which of equal splits wins at a node of the parallel engine. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_parallel/node_ties.h"
#include "engine_parallel/node_draws.h"
#include "random/splitmix.h"

/* A stream of its own for challenges. */
#define CHALLENGE_KEY 0x1d8e4e27c47d124fU
/* Turns of features are less (node_draws.c). */
#define TURNS ((uint64_t)1 << 63)

/* ---- splits of one feature ------------------------------------------------------------------------------------------- */

static inline bool is_factor(const node_search *s, int feature)
{
    return s->splitter->in->profile[feature].n_levels > 1;
}

/* Of equal splits the one with the highest priority wins. Cuts of a number win equally often for classes; where the first
 * wins, as in regression, it is the lowest one, with missing values on its right. Of sets of levels the first one wins. */
static uint64_t priority_of(const node_search *s, int feature, uint32_t cut)
{
    bool missing_left = s->splitter->missing_left;
    if (is_factor(s, feature)) {
        return 0;
    }
    if (s->first_wins) {
        return ~((uint64_t)missing_left << 32 | cut);
    }
    return splitmix_word(splitmix_word(s->key, (uint64_t)feature << 1 | missing_left), cut);
}

bool ties_offer(void *own, double worth, int feature, uint32_t cut)
{
    node_search *s = own;
    node_ties *ties = &s->ties;
    split *best = &s->splitter->best;
    bool better = worth > best->crit, equal = worth == best->crit && best->feature >= 0;
    if (!better && !equal) {
        return false;
    }
    uint64_t priority = priority_of(s, feature, cut);
    ties->n_equal = better ? 1 : ties->n_equal + 1;
    if (ties->n_equal == 1 || priority > ties->priority) {
        ties->priority = priority;
        *best = (split){.crit = worth,
                        .feature = feature,
                        .cut_rank = cut,
                        .levels = cut,
                        .missing_left = s->splitter->missing_left};
    }
    return better;
}

/* ---- features -------------------------------------------------------------------------------------------------------- */

static bool challenge_succeeds(const node_search *s, const split *split)
{
    uint64_t word = splitmix_word(s->key ^ CHALLENGE_KEY, (uint64_t)split->feature) >> 32;
    return !s->first_wins && !is_factor(s, split->feature) && word * ((uint64_t)split->n_equal + 1) >> 32 > 0;
}

/* Of features with equal splits the one of the highest standing wins: the last challenge that succeeds, or the first
 * feature; where the lowest wins, the one of the lowest number. */
static uint64_t standing(const node_search *s, const split *split)
{
    if (s->lowest_wins) {
        return ~(uint64_t)split->feature;
    }
    uint64_t turn = draws_turn(s, split->feature);
    return challenge_succeeds(s, split) ? TURNS + turn : TURNS - 1 - turn;
}

void ties_begin_feature(node_search *s)
{
    s->ties.incumbent = s->splitter->best;
    s->ties.n_equal = 0;
}

void ties_end_feature(node_search *s)
{
    const split *incumbent = &s->ties.incumbent;
    split *best = &s->splitter->best;
    if (s->ties.n_equal == 0) {
        return;
    }
    best->n_equal = s->ties.n_equal;
    bool tied = incumbent->feature >= 0 && incumbent->crit == best->crit && incumbent->feature != best->feature;
    if (tied && standing(s, incumbent) > standing(s, best)) {
        *best = *incumbent;
    }
}
