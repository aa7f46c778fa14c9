/* The features that a node of the parallel engine draws. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_parallel/node_draws.h"
#include "random/splitmix.h"

/* A stream of its own for the times of the features that come after the draws. */
#define WAITING_KEY 0x589965cc75374cc3U
/* Wasted draws before features are taken out, which costs about as much as a few of them. */
enum { VAIN_DRAWS_PER_FEATURE = 4, LEAST_PATIENCE = 4 };

/* ---- equal probabilities --------------------------------------------------------------------------------------------- */

/* Feature number i that the node draws; features come up again and again. */
static inline int draw(const node_search *s, uint64_t key, uint64_t i)
{
    return (int)((splitmix_word(key, i) >> 32) * (uint64_t)s->p >> 32);
}

/* Whether the feature is among those that are drawn. */
static inline bool is_drawable(const node_search *s, int feature)
{
    return !s->members_join || !s->f.has[feature];
}

/* True the first time that the node draws the feature; word: the number of its stream that does so. */
static inline bool first_time(node_search *s, int feature, uint64_t word)
{
    drawn *d = s->drawn + feature;
    bool first = d->stamp != s->stamp;
    *d = first ? (drawn){s->stamp, (uint32_t)word} : *d;
    return first;
}

void draws_begin(node_search *s, uint64_t key)
{
    s->draws = (node_draws){.key = key};
    if (++s->stamp == 0) {
        memset(s->drawn, 0, (size_t)s->p * sizeof *s->drawn);
        s->stamp = 1;
    }
}

/* Features that can be drawn. */
static int count_available(const node_search *s)
{
    return s->chances ? s->n_outside : s->p - (s->members_join ? s->f.size : 0);
}

int draws_next(node_search *s)
{
    int feature;
    uint64_t word;
    do {
        word = s->draws.n_words++;
        feature = draw(s, s->draws.key, word);
    } while (!first_time(s, feature, word));
    return feature;
}

void draws_end_list(node_search *s)
{
    s->draws.n_turns = s->draws.n_words;
}

static int draw_equal(node_search *s)
{
    int feature;
    do {
        feature = draws_next(s);
    } while (!is_drawable(s, feature));
    return feature;
}

/* ---- unequal probabilities ------------------------------------------------------------------------------------------- */

/* A draw is wasted if its feature is in F or was drawn before: what is left is successive sampling without replacement.
 * Wasted draws are cheap but may be many, where few features hold most of the probability. So members of F are taken out
 * for the rest of the tree once they hold half of it, and a node that has lost its patience takes out what it draws in
 * vain. Neither makes a difference to the chances of the others. */

void draws_without(node_search *s, int feature)
{
    if (s->chances && s->members_join) {
        s->n_outside -= s->chances->weight[feature] > 0;
        s->chance_outside -= s->chances->weight[feature];
    }
}

void draws_take_chances(node_search *s, chances *c)
{
    s->chances = c;
    s->n_outside = c ? c->n : 0;
    s->chance_outside = c ? c->n_left : 0;
    for (int i = 0; i < s->f.size; ++i) {
        draws_without(s, s->f.members[i]);
    }
}

static int draw_unequal(node_search *s)
{
    node_draws *d = &s->draws;
    for (;;) {
        uint64_t word = d->n_words++;
        int place = chances_find(s->chances, splitmix_word(d->key, word)), feature = s->chances->items[place];
        if (first_time(s, feature, word) && is_drawable(s, feature)) {
            return feature;
        }
        if (--d->patience < 0) {
            chances_take_out(s->chances, place);
        }
    }
}

/* ---- the list -------------------------------------------------------------------------------------------------------- */

static int list_all_others(const node_search *s, int32_t *list)
{
    int n = 0, n_all = s->chances ? s->chances->n : s->p;
    for (int i = 0; i < n_all; ++i) {
        int feature = s->chances ? s->chances->items[i] : i;
        if (is_drawable(s, feature)) {
            list[n++] = feature;
        }
    }
    return n;
}

static void begin_unequal(node_search *s)
{
    chances *c = s->chances;
    s->draws.patience = VAIN_DRAWS_PER_FEATURE * s->mtry + LEAST_PATIENCE;
    chances_put_back(c);
    if (s->chance_outside < c->n_left / 2) {
        chances_exclude(c, s->f.has);
    }
}

static int draw_one(node_search *s)
{
    int feature = s->chances ? draw_unequal(s) : draw_equal(s);
    __builtin_prefetch(s->splitter->in->profile + feature);
    ranks_fetch(s->splitter->in->ranks, feature);
    return feature;
}

int draws_list(node_search *s, uint64_t key)
{
    int n = s->members_join ? s->f.size : 0, available = count_available(s);
    memcpy(s->list, s->f.members, (size_t)n * sizeof *s->list);
    draws_begin(s, key);
    if (available <= s->mtry) {
        return n + list_all_others(s, s->list + n);
    }
    if (s->chances) {
        begin_unequal(s);
    }
    for (int i = 0; i < s->mtry; ++i) {
        s->list[n++] = draw_one(s);
    }
    s->draws.n_left = available - s->mtry;
    draws_end_list(s);
    return n;
}

int draws_more(node_search *s)
{
    if (s->draws.n_left == 0) {
        return -1;
    }
    --s->draws.n_left;
    return draw_one(s);
}

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

#define AFTER_THE_DRAWS ((uint64_t)1 << 62)

/* An exponential time with the rate 1. */
static double waiting_time(const node_search *s, uint64_t number)
{
    return -log(chances_unit(splitmix_word(s->draws.key ^ WAITING_KEY, number)));
}

/* The times of features that come after the draws, as whole numbers of the same order. Those of probability 0 are last. */
static uint64_t time_after(const node_search *s, int feature)
{
    uint64_t bits = splitmix_word(s->draws.key ^ WAITING_KEY, (uint64_t)feature);
    if (!s->chances) {
        return bits;
    }
    if (s->chances->weight[feature] == 0) {
        return (uint64_t)1 << 63 | bits >> 1;
    }
    double time = waiting_time(s, (uint64_t)feature) / fabs((double)s->chances->weight[feature]);
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* Between two numbers of the node's stream there is room for this many turns. */
#define TURNS_PER_WORD 0x1p20

/* What is excluded from the draws would have had its turn among them, before any of them with the probability
 * weight / (weight + all others): an exponential time, where the numbers of the stream come at the times 1, 2, ... */
static double turn_of_excluded(const node_search *s, int feature)
{
    const chances *c = s->chances;
    double share = (double)-c->weight[feature] / (double)c->upto[c->n - 1];
    return waiting_time(s, (uint64_t)s->p + (uint64_t)feature) / log1p(share);
}

uint64_t draws_turn(const node_search *s, int feature)
{
    const drawn *d = s->drawn + feature;
    double turn = INFINITY, n_turns = (double)s->draws.n_turns;
    if (d->stamp == s->stamp) {
        turn = (double)d->at + 1.0;
    } else if (n_turns > 0.0 && s->chances && s->chances->weight[feature] < 0) {
        turn = turn_of_excluded(s, feature);
    }
    return turn <= n_turns ? (uint64_t)(turn * TURNS_PER_WORD) : AFTER_THE_DRAWS | time_after(s, feature) >> 2;
}
