/* The features a node looks at. R draws one number for every feature at every node, whatever mtry is: a shuffle of all
 * p features, of which the members of F and the first mtry others are evaluated. Which feature a draw hits matters only
 * until the mtry new ones are found; from there on the walk follows nothing but a tag "in F".
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "internal.h"

rrf_status candidates_init(candidates *c, int p, int mtry, bool regularized, bool native, const int32_t *used)
{
    *c = (candidates){.p = p, .mtry = mtry, .regularized = regularized, .native = native, .kernels = kernels_best()};
    c->used = calloc((size_t)p, 1);
    c->tag = calloc((size_t)p, 1);
    c->id = malloc((size_t)p * sizeof *c->id);
    c->touched = malloc((size_t)p * sizeof *c->touched);
    c->place = malloc((size_t)p * sizeof *c->place);
    if (!c->used || !c->tag || !c->id || !c->touched || !c->place) {
        return RRF_ERR_MEMORY;
    }
    if (native) {
        candidates_restart(c, NULL, 0);
    }
    for (int feature = 0; feature < p; ++feature) {
        c->id[feature] = native ? c->id[feature] : feature;
        if (used[feature]) {
            candidates_mark_used(c, feature);
        }
    }
    return RRF_OK;
}

void candidates_free(candidates *c)
{
    free(c->used);
    free(c->tag);
    free(c->id);
    free(c->touched);
    free(c->place);
    *c = (candidates){0};
}

/* ---- the native walk --------------------------------------------------------------------------------------------------
 * id is a permutation of the features: F first, in the order in which it grew, then the others. A node takes F and then
 * mtry of the others. Without regularization F plays no part. */

static void swap_places(candidates *c, int a, int b)
{
    int32_t feature = c->id[a];
    c->id[a] = c->id[b];
    c->id[b] = feature;
    c->place[c->id[a]] = a;
    c->place[c->id[b]] = b;
}

void candidates_restart(candidates *c, const int32_t *members, int n_members)
{
    memset(c->used, 0, (size_t)c->p);
    for (int feature = 0; feature < c->p; ++feature) {
        c->id[feature] = c->place[feature] = feature;
    }
    c->n_used = 0;
    for (int i = 0; i < n_members; ++i) {
        candidates_mark_used(c, members[i]);
    }
}

static void begin_native(candidates *c, rrf_rng *rng)
{
    int first = c->regularized ? c->n_used : 0, rest = c->p - first;
    c->at = 0;
    c->end = first + (c->mtry < rest ? c->mtry : rest);
    for (int i = first; i < c->end; ++i) {
        swap_places(c, i, i + rng_below(rng, c->p - i));
    }
}

/* ---- F ---------------------------------------------------------------------------------------------------------------- */

void candidates_mark_used(candidates *c, int feature)
{
    if (c->native) {
        if (!c->used[feature]) {
            c->used[feature] = 1;
            swap_places(c, c->n_used++, c->place[feature]);
        }
        return;
    }
    c->n_used += !c->used[feature];
    c->used[feature] = 1;
    c->tag[feature] = 1;
}

void candidates_begin(candidates *c, rrf_rng *rng)
{
    if (c->native) {
        begin_native(c, rng);
        return;
    }
    c->remaining = c->p;
    c->tried = 0;
    c->used_left = c->n_used;
    c->n_touched = 0;
}

void candidates_end(candidates *c)
{
    if (c->native) {
        return;
    }
    for (int i = 0; i < c->n_touched; ++i) {
        int position = c->touched[i];
        c->id[position] = position;
        c->tag[position] = c->used[position];
    }
}

/* Takes the feature at `position` out of the shuffle; the last one moves into its place. */
static inline int take(candidates *c, int position)
{
    int feature = c->id[position], last = --c->remaining;
    c->id[position] = c->id[last];
    c->tag[position] = c->tag[last];
    c->touched[c->n_touched++] = position;
    return feature;
}

static int skip_rest(candidates *c, rrf_rng *rng)
{
    rng_skip(rng, c->remaining);
    c->remaining = 0;
    return -1;
}

/* Passes over the draws of the present block of words that leave F untouched. */
static void pass_untagged(candidates *c, rrf_rng *rng)
{
    int words = RRF_MT_WORDS - rng->position, draws = words < c->remaining ? words : c->remaining;
    int passed = c->kernels->pass_untagged(c->tag, c->remaining, rng->word + rng->position, draws);
    rng->position += passed;
    c->remaining -= passed;
}

/* All new features are found: on to the next member of F. */
static int next_used(candidates *c, rrf_rng *rng)
{
    bool exact_index = c->p < (1 << 21);
    while (c->used_left > 0) {
        if (exact_index) {
            pass_untagged(c, rng);
            if (rng->position == RRF_MT_WORDS) {
                rng_refill(rng);
                continue;
            }
        }
        int position = rng_below(rng, c->remaining);
        if (c->tag[position]) {
            --c->used_left;
            return take(c, position);
        }
        if (c->tag[c->remaining - 1]) {
            take(c, position);
        } else {
            --c->remaining;
        }
    }
    return skip_rest(c, rng);
}

int candidates_peek(const candidates *c, const rrf_rng *rng)
{
    if (c->native) {
        return c->at < c->end ? c->id[c->at] : -1;
    }
    if (c->tried >= c->mtry || c->remaining <= 0 || rng->position >= RRF_MT_WORDS) {
        return -1;
    }
    return c->id[word_to_index(rng->word[rng->position], c->remaining)];
}

int candidates_next(candidates *c, rrf_rng *rng)
{
    if (c->native) {
        return c->at < c->end ? c->id[c->at++] : -1;
    }
    if (c->remaining > 0 && c->tried < c->mtry) {
        int position = rng_below(rng, c->remaining);
        bool used = c->tag[position];
        int feature = take(c, position);
        c->used_left -= used;
        c->tried += !(c->regularized && used);
        return feature;
    }
    return c->regularized ? next_used(c, rng) : skip_rest(c, rng);
}
