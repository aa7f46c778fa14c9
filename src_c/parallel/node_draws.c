/* The features that a node of the parallel engine draws. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "parallel/node_draws.h"
#include "random/splitmix.h"

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

/* True the first time that the node draws the feature. */
static inline bool first_time(node_search *s, int feature)
{
    bool first = s->seen[feature] != s->stamp;
    s->seen[feature] = s->stamp;
    return first;
}

void draws_begin(node_search *s)
{
    if (++s->stamp == 0) {
        memset(s->seen, 0, (size_t)s->p * sizeof *s->seen);
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

static int list_all_others(const node_search *s, int32_t *list)
{
    int n = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        if (is_drawable(s, feature) && is_allowed(s, feature)) {
            list[n++] = feature;
        }
    }
    return n;
}

int draws_next(node_search *s, uint64_t key, uint64_t *i)
{
    int feature;
    do {
        feature = draw(s, key, (*i)++);
    } while (!first_time(s, feature));
    return feature;
}

static int list_drawn(node_search *s, uint64_t key, int32_t *list)
{
    int n = 0;
    uint64_t i = 0;
    draws_begin(s);
    while (n < s->mtry) {
        int feature = draws_next(s, key, &i);
        if (is_drawable(s, feature)) {
            ranks_fetch(s->splitter->ranks, feature);
            list[n++] = feature;
        }
    }
    return n;
}

/* ---- unequal probabilities ------------------------------------------------------------------------------------------- */

void search_take_probabilities(node_search *s, const double *cumulative)
{
    s->cumulative = cumulative;
    s->n_allowed = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        s->n_allowed += is_allowed(s, feature);
    }
}

static bool is_sooner(const waiting *a, const waiting *b)
{
    return a->time != b->time ? a->time < b->time : a->feature < b->feature;
}

/* Brings the k least of n times to the front: Hoare's selection. */
static void select_least(waiting *items, int n, int k)
{
    for (int low = 0, high = n - 1; low < high;) {
        waiting pivot = items[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            for (; is_sooner(items + i, &pivot); ++i) {}
            for (; is_sooner(&pivot, items + j); --j) {}
            if (i <= j) {
                waiting swap = items[i];
                items[i++] = items[j];
                items[j--] = swap;
            }
        }
        low = k > j ? i : low;
        high = k < i ? j : high;
    }
}

static int list_waiting(node_search *s, uint64_t key, int32_t *list)
{
    int n = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        if (is_drawable(s, feature) && is_allowed(s, feature)) {
            double u = ((double)(splitmix_word(key, (uint64_t)feature) >> 11) + 0.5) * 0x1p-53;
            double rate = s->cumulative[feature] - (feature ? s->cumulative[feature - 1] : 0.0);
            s->waiting[n++] = (waiting){-log(u) / rate, feature};
        }
    }
    select_least(s->waiting, n, s->mtry);
    for (int i = 0; i < s->mtry; ++i) {
        list[i] = s->waiting[i].feature;
    }
    return s->mtry;
}

/* ---- the list -------------------------------------------------------------------------------------------------------- */

int draws_list(node_search *s, uint64_t key)
{
    int n = s->members_join ? s->f.size : 0, available = count_available(s);
    memcpy(s->list, s->f.members, (size_t)n * sizeof *s->list);
    if (available == 0) {
        return n;
    }
    if (available <= s->mtry) {
        return n + list_all_others(s, s->list + n);
    }
    return n + (s->cumulative ? list_waiting(s, key, s->list + n) : list_drawn(s, key, s->list + n));
}
