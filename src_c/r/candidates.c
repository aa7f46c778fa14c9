/* The features a node looks at. R draws one number for every feature at every node, whatever mtry is: a shuffle of all
 * p features, of which the members of F and the first mtry others are evaluated. Which feature a draw hits matters only
 * until the mtry new ones are found; from there on the walk follows nothing but a tag "in F".
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "r/candidates.h"

rrf_status candidates_init(candidates *c, int p, int mtry, bool regularized, const int32_t *used)
{
    *c = (candidates){.p = p, .mtry = mtry, .regularized = regularized, .simd = simd_best()};
    c->used = calloc((size_t)p, 1);
    c->tag = calloc((size_t)p, 1);
    c->id = malloc((size_t)p * sizeof *c->id);
    c->touched = malloc((size_t)p * sizeof *c->touched);
    if (!c->used || !c->tag || !c->id || !c->touched) {
        return RRF_ERR_MEMORY;
    }
    for (int feature = 0; feature < p; ++feature) {
        c->id[feature] = feature;
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
    *c = (candidates){0};
}

void candidates_mark_used(candidates *c, int feature)
{
    c->n_used += !c->used[feature];
    c->used[feature] = 1;
    c->tag[feature] = 1;
}

void candidates_begin(candidates *c)
{
    c->remaining = c->p;
    c->tried = 0;
    c->used_left = c->n_used;
    c->n_touched = 0;
}

void candidates_end(candidates *c)
{
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
    int passed = c->simd->pass_untagged(c->tag, c->remaining, rng->word + rng->position, draws);
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
    if (c->tried >= c->mtry || c->remaining <= 0 || rng->position >= RRF_MT_WORDS) {
        return -1;
    }
    return c->id[word_to_index(rng->word[rng->position], c->remaining)];
}

int candidates_next(candidates *c, rrf_rng *rng)
{
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
