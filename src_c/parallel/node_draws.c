/* The features that a node of the parallel engine draws. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "parallel/node_draws.h"
#include "random/splitmix.h"

/* A stream of its own for the times of the features that come after the draws. */
#define WAITING_KEY 0x589965cc75374cc3U
/* With unequal probabilities a draw in vain costs about as much as the times of two features. */
enum { FEATURES_PER_REJECTION = 4, LEAST_PATIENCE = 4 };

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

static inline bool is_allowed(const node_search *s, int feature)
{
    return !s->cumulative || s->cumulative[feature] > (feature ? s->cumulative[feature - 1] : 0.0);
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
    s->draws = (node_draws){.key = key, .patience = s->n_allowed / FEATURES_PER_REJECTION + LEAST_PATIENCE};
    if (++s->stamp == 0) {
        memset(s->drawn, 0, (size_t)s->p * sizeof *s->drawn);
        s->stamp = 1;
    }
}

/* Features that can be drawn. */
static int count_available(const node_search *s)
{
    int n_members = 0;
    if (!s->members_join) {
        return s->n_allowed;
    }
    if (!s->cumulative) {
        return s->p - s->f.size;
    }
    for (int i = 0; i < s->f.size; ++i) {
        n_members += is_allowed(s, s->f.members[i]);
    }
    return s->n_allowed - n_members;
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

/* A draw is looked up among the sums of the probabilities, and is in vain if its feature is in F or was drawn before: what
 * is left is successive sampling without replacement, at a few steps a draw.
 *
 * Where many draws are in vain, a few features hold most of the probability. Then the others come after exponential times of
 * their probabilities as rates, the least time first, which is the same sampling (Efraimidis and Spirakis 2006). When that
 * happens depends on the draws before alone, so that it makes no difference to what follows. */

void search_take_probabilities(node_search *s, const double *cumulative)
{
    s->cumulative = cumulative;
    s->n_allowed = cumulative ? 0 : s->p;
    for (int feature = 0; cumulative && feature < s->p; ++feature) {
        if (is_allowed(s, feature)) {
            s->allowed[s->n_allowed++] = feature;
        }
    }
}

/* Between 0 and 1. */
static inline double unit(uint64_t word)
{
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

/* The first feature whose sum is above `value`, or the last one. */
static int find_feature(const node_search *s, double value)
{
    const double *cumulative = s->cumulative;
    int first = 0;
    for (int n = s->p; n > 1;) {
        int half = n / 2;
        first += cumulative[first + half - 1] <= value ? half : 0;
        n -= half;
    }
    return first;
}

static double waiting_time(const node_search *s, int feature)
{
    double u = unit(splitmix_word(s->draws.key ^ WAITING_KEY, (uint64_t)feature));
    double rate = s->cumulative[feature] - (feature ? s->cumulative[feature - 1] : 0.0);
    return -log(u) / rate;
}

static void begin_waiting(node_search *s)
{
    int n = 0;
    for (int i = 0; i < s->n_allowed; ++i) {
        int feature = s->allowed[i];
        if (s->drawn[feature].stamp != s->stamp && is_drawable(s, feature)) {
            s->waiting[n++] = (keyed){waiting_time(s, feature), feature};
        }
    }
    keyed_heap_make(s->waiting, n);
    s->draws.waits = true;
    s->draws.n_waiting = n;
}

static int draw_unequal(node_search *s)
{
    node_draws *d = &s->draws;
    double total = s->cumulative[s->p - 1];
    for (; d->patience > 0; --d->patience) {
        uint64_t word = d->n_words++;
        int feature = find_feature(s, unit(splitmix_word(d->key, word)) * total);
        if (first_time(s, feature, word) && is_drawable(s, feature) && is_allowed(s, feature)) {
            return feature;
        }
    }
    if (!d->waits) {
        begin_waiting(s);
    }
    return keyed_heap_pop(s->waiting, d->n_waiting--).number;
}

/* ---- the list -------------------------------------------------------------------------------------------------------- */

static int list_all_others(const node_search *s, int32_t *list)
{
    int n = 0;
    for (int i = 0; i < s->n_allowed; ++i) {
        int feature = s->cumulative ? s->allowed[i] : i;
        if (is_drawable(s, feature)) {
            list[n++] = feature;
        }
    }
    return n;
}

static int draw_one(node_search *s)
{
    int feature = s->cumulative ? draw_unequal(s) : draw_equal(s);
    ranks_fetch(s->splitter->ranks, feature);
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

/* The times of features that come after the draws, as whole numbers of the same order. Those of probability 0 are last. */
static uint64_t time_after(const node_search *s, int feature)
{
    uint64_t bits = splitmix_word(s->draws.key ^ WAITING_KEY, (uint64_t)feature);
    if (!s->cumulative) {
        return bits;
    }
    if (!is_allowed(s, feature)) {
        return (uint64_t)1 << 63 | bits >> 1;
    }
    double time = waiting_time(s, feature);
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

uint64_t draws_turn(const node_search *s, int feature)
{
    const drawn *d = s->drawn + feature;
    if (d->stamp == s->stamp && d->at < s->draws.n_turns) {
        return d->at;
    }
    return AFTER_THE_DRAWS | time_after(s, feature) >> 2;
}
