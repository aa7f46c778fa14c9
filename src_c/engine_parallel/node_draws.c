/* The features that a node of the parallel engine draws. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_parallel/node_draws.h"
#include "filters.h"
#include "random/splitmix.h"

/* Stream for the order of features that come after the draws. */
#define WAITING_KEY 0x589965cc75374cc3U
/* Number of wasted draws before features are excluded, which costs about as much as a few draws. */
enum { VAIN_DRAWS_PER_FEATURE = 4, LEAST_PATIENCE = 4 };

/* ---- equal probabilities --------------------------------------------------------------------------------------------- */

/* Returns the i-th feature that the node draws, with replacement. */
static inline int draw(const node_draws *d, uint64_t key, uint64_t i)
{
    return (int)((splitmix_word(key, i) >> 32) * (uint64_t)d->p >> 32);
}

/* Returns whether the feature can be drawn. */
static inline bool is_drawable(const node_draws *d, int feature)
{
    return !d->members_join || !d->f->has[feature];
}

/* Returns true the first time that the node draws the feature; word: index in its stream of the number for the draw. */
static inline bool first_time(node_draws *d, int feature, uint64_t word)
{
    drawn *last = d->drawn + feature;
    bool first = last->stamp != d->stamp;
    *last = first ? (drawn){d->stamp, (uint32_t)word} : *last;
    return first;
}

void draws_begin(node_draws *d, uint64_t key)
{
    d->key = key;
    d->n_words = d->n_turns = 0;
    d->n_left = d->patience = 0;
    if (++d->stamp == 0) {
        memset(d->drawn, 0, (size_t)d->p * sizeof *d->drawn);
        d->stamp = 1;
    }
}

/* Returns the number of features that can be drawn. */
static int count_available(const node_draws *d)
{
    return d->chances ? d->n_outside : d->p - (d->members_join ? d->f->size : 0);
}

int draws_next(node_draws *d)
{
    int feature;
    uint64_t word;
    do {
        word = d->n_words++;
        feature = draw(d, d->key, word);
    } while (!first_time(d, feature, word));
    return feature;
}

void draws_end_list(node_draws *d)
{
    d->n_turns = d->n_words;
}

static int draw_equal(node_draws *d)
{
    int feature;
    do {
        feature = draws_next(d);
    } while (!is_drawable(d, feature));
    return feature;
}

/* ---- unequal probabilities ------------------------------------------------------------------------------------------- */

/* A draw is wasted if its feature is in F or was drawn before; the others are successive sampling without replacement.
 * Wasted draws are cheap but may be many if few features have most of the probability. So members of F are excluded for
 * the rest of the tree once they have half of it, and after too many wasted draws a node excludes the features that it
 * draws in vain. Neither changes the probabilities of the other features. */

void draws_without(node_draws *d, int feature)
{
    if (d->chances && d->members_join) {
        d->n_outside -= d->chances->weight[feature] > 0;
        d->chance_outside -= d->chances->weight[feature];
    }
}

void draws_take_chances(node_draws *d, chances *c)
{
    d->chances = c;
    d->n_outside = c ? c->n : 0;
    d->chance_outside = c ? c->n_left : 0;
    for (int i = 0; i < d->f->size; ++i) {
        draws_without(d, d->f->members[i]);
    }
}

static int draw_unequal(node_draws *d)
{
    for (;;) {
        uint64_t word = d->n_words++;
        int place = chances_find(d->chances, splitmix_word(d->key, word)), feature = d->chances->items[place];
        if (first_time(d, feature, word) && is_drawable(d, feature)) {
            return feature;
        }
        if (--d->patience < 0) {
            chances_take_out(d->chances, place);
        }
    }
}

/* ---- the list of candidates
 * ------------------------------------------------------------------------------------------ */

static int list_all_others(const node_draws *d, int32_t *list)
{
    int n = 0, n_all = d->chances ? d->chances->n : d->p;
    for (int i = 0; i < n_all; ++i) {
        int feature = d->chances ? d->chances->items[i] : i;
        if (is_drawable(d, feature)) {
            list[n++] = feature;
        }
    }
    return n;
}

static void begin_unequal(node_draws *d)
{
    chances *c = d->chances;
    d->patience = VAIN_DRAWS_PER_FEATURE * d->mtry + LEAST_PATIENCE;
    chances_put_back(c);
    if (d->chance_outside < c->n_left / 2) {
        chances_exclude(c, d->f->has);
    }
}

static int draw_one(node_draws *d)
{
    int feature = d->chances ? draw_unequal(d) : draw_equal(d);
    TELL(fetch, d->splitter, NULL, feature);
    return feature;
}

int draws_list(node_draws *d, uint64_t key, int32_t *list)
{
    int n = d->members_join ? d->f->size : 0, available = count_available(d);
    memcpy(list, d->f->members, (size_t)n * sizeof *list);
    draws_begin(d, key);
    if (available <= d->mtry) {
        return n + list_all_others(d, list + n);
    }
    if (d->chances) {
        begin_unequal(d);
    }
    for (int i = 0; i < d->mtry; ++i) {
        list[n++] = draw_one(d);
    }
    d->n_left = available - d->mtry;
    draws_end_list(d);
    return n;
}

int draws_more(node_draws *d)
{
    if (d->n_left == 0) {
        return -1;
    }
    --d->n_left;
    return draw_one(d);
}

/* ---- the order of candidates
 * ----------------------------------------------------------------------------------------- */

#define AFTER_THE_DRAWS ((uint64_t)1 << 62)

/* Returns an exponential number with rate 1. */
static double waiting_time(const node_draws *d, uint64_t number)
{
    return -log(chances_unit(splitmix_word(d->key ^ WAITING_KEY, number)));
}

/* Returns the exponential time of a feature that comes after the draws, as a whole number of the same order. Features of
 * probability 0 are last. */
static uint64_t time_after(const node_draws *d, int feature)
{
    uint64_t bits = splitmix_word(d->key ^ WAITING_KEY, (uint64_t)feature);
    if (!d->chances) {
        return bits;
    }
    if (d->chances->weight[feature] == 0) {
        return (uint64_t)1 << 63 | bits >> 1;
    }
    double time = waiting_time(d, (uint64_t)feature) / fabs((double)d->chances->weight[feature]);
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* Number of positions in the order between two numbers of the node's stream. */
#define TURNS_PER_WORD 0x1p20

/* Returns the time at which an excluded feature would have been drawn. It comes before all others with probability
 * weight / (weight + all others), as an exponential time does if the numbers of the stream have the times 1, 2, ... */
static double turn_of_excluded(const node_draws *d, int feature)
{
    const chances *c = d->chances;
    double share = (double)-c->weight[feature] / (double)c->upto[c->n - 1];
    return waiting_time(d, (uint64_t)d->p + (uint64_t)feature) / log1p(share);
}

uint64_t draws_turn(const node_draws *d, int feature)
{
    const drawn *last = d->drawn + feature;
    double turn = INFINITY, n_turns = (double)d->n_turns;
    if (last->stamp == d->stamp) {
        turn = (double)last->at + 1.0;
    } else if (n_turns > 0.0 && d->chances && d->chances->weight[feature] < 0) {
        turn = turn_of_excluded(d, feature);
    }
    return turn <= n_turns ? (uint64_t)(turn * TURNS_PER_WORD) : AFTER_THE_DRAWS | time_after(d, feature) >> 2;
}
